package tui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
	"fullbore/views"
)

// teller is an engine that also tells what server and machine do beside the load. The
// latest is loaded by an atomic load; nil before the first look.
type teller interface {
	Insight() *loadgen.Insight
}

// insight is that of the live run; nil where its engine tells none.
func (s *supervisor) insight() *loadgen.Insight {
	t := s.run()
	if t == nil {
		return nil
	}
	if m := t.running.Load(); m != nil {
		if e, ok := (*m).(teller); ok {
			return e.Insight()
		}
	}
	return nil
}

// holding is for how long the words of one limiter stay as they are: its numbers move
// every second, and a line that moves is read again and again.
const holding = 5 * time.Second

// told is what the screen shows of an insight: the latest of all but the limiter.
type told struct {
	*loadgen.Insight
	limiter insight.Limiter
	since   time.Duration // when the words of the limiter were taken
	epoch   int           // under which plan
}

// next takes a newer insight under the plan of an epoch; t is not written to.
func (t told) next(in *loadgen.Insight, epoch int) told {
	if in == nil {
		return told{}
	}
	out := told{in, t.limiter, t.since, t.epoch}
	if epoch != t.epoch || in.Limiter.Name != t.limiter.Name || in.At-t.since >= holding || in.At < t.since {
		out.limiter, out.since, out.epoch = in.Limiter, in.At, epoch
	}
	return out
}

// limiter is the one that shows. From the first look on there is always a line, so that
// the screen does not jump when a knob begins the decision anew.
func (c scene) limiter() views.Limiter {
	l := c.told.limiter
	switch {
	case c.told.Insight == nil:
		return views.Limiter{}
	case l.Name == "":
		return views.Limiter{Title: "not known yet", Evidence: "it takes some seconds of load"}
	}
	out := views.Limiter{Name: l.Name, Title: l.Title(), Evidence: l.Evidence, Advice: l.Advice}
	switch l.Name {
	case insight.ByUnknown:
		out.Title = "unknown"
	case insight.ByErrors, insight.ByHost, insight.ByClient:
		out.Pressing = true // the result is not the server's
	}
	return out
}

// server is the section of the live screen.
func (c scene) server() views.ServerPanel {
	if c.told.Insight == nil {
		return views.ServerPanel{}
	}
	p := views.ServerPanel{Silent: c.silence(), Share: c.executing()}
	if p.Silent != "" {
		return p
	}
	d, is := c.told.Delta, c.told.Reading.State
	p.Facts = []string{
		c.opsWords(" ops/s"), busyWords(d), "clients " + clientWords(is), "mem " + memoryWords(is),
		"evicted " + perSecond(d, insight.Evicted), "hits " + shareWords(d.HitRate()),
		"in " + bytesWords(d, insight.NetIn), "out " + bytesWords(d, insight.NetOut), savingWords(is),
	}
	return p
}

// silence is why the server tells nothing; empty where it does.
func (c scene) silence() string {
	if c.told.Silent == "" {
		return ""
	}
	return "the server tells nothing: " + c.told.Silent
}

// executing answers what part of the server's time the command itself takes (R1),
// since the last change, for a second's figure would move on every look.
func (c scene) executing() string {
	for _, d := range []insight.Delta{c.told.Since, c.told.Delta} {
		text, ok := d.ExecutingNote()
		// Commands are timed by the clock on the wall, also while the thread has to wait
		// for a processor: all of its time, or more, is no answer.
		if part, _ := d.Executing(); ok && part < 1 {
			return fmt.Sprintf("P=%d: %s", max(1, c.slow.Current.Pipeline), text)
		}
	}
	return ""
}

// opsWords are the server's commands per second, with our share of them.
func (c scene) opsWords(unit string) string {
	d := c.told.Delta
	if d.Commands <= 0 || d.Elapsed <= 0 {
		return "-" + unit
	}
	text := views.Short(float64(d.Commands)/d.Elapsed.Seconds()) + unit
	if ours, ok := c.ours(); ok {
		text += " (" + shareWords(ours, true) + " ours)"
	}
	return text
}

// ours is the part of the server's commands that this load sent since the last change,
// counted over the very time that the server's are. Not known where the load does not
// count what the server does: a transaction has more commands, and of a cluster the
// insight is about one node.
func (c scene) ours() (float64, bool) {
	since := c.told.Since
	if c.plan.Batch != workload.Pipelined || len(c.slow.Nodes) > 0 || since.Elapsed <= 0 {
		return 0, false
	}
	var sent int64
	for _, p := range slices.Backward(c.slow.Points) {
		if p.At <= c.told.At-since.Elapsed {
			break
		}
		if p.At <= c.told.At {
			sent += p.Replies + p.Errors
		}
	}
	return since.Ours(sent)
}

// busyWords are cpuWords that stand for themselves: "main thread 97 % of a core".
func busyWords(d insight.Delta) string {
	if l, ok := d.Load(); ok {
		return strings.TrimPrefix(l.Words, "server ")
	}
	return "cpu " + cpuWords(d)
}

// cpuWords say how busy the server is, by the best figure that it tells.
func cpuWords(d insight.Delta) string {
	if l, ok := d.Load(); ok {
		words := l.Words
		for _, of := range []string{"threads ", "main thread ", "event loop ", "process "} {
			if _, rest, found := strings.Cut(words, of); found {
				words = rest
			}
		}
		return words
	}
	if d.Main > 0 && d.Elapsed > 0 {
		return fmt.Sprintf("%.0f %% of a core", 100*d.Main.Seconds()/d.Elapsed.Seconds())
	}
	return "-"
}

func clientWords(is insight.State) string {
	if !is.Clients.Known {
		return "-"
	}
	text := grouped(is.Clients.Value)
	if is.MaxClients.Value > 0 {
		text += " of " + grouped(is.MaxClients.Value)
	}
	return text
}

func memoryWords(is insight.State) string {
	if !is.Used.Known {
		return "-"
	}
	text := views.Bytes(float64(is.Used.Value))
	if is.MaxMemory.Value > 0 {
		text += " of " + views.Bytes(float64(is.MaxMemory.Value))
	}
	return text
}

// shareWords are a share in percent; a dash when unknown.
func shareWords(share float64, ok bool) string {
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// perSecond is a counter's rate; nothing but 0 reads as 0.
func perSecond(d insight.Delta, c insight.Counter) string {
	v, ok := d.Rate(c)
	switch {
	case !ok:
		return "-"
	case v == 0:
		return "0"
	}
	return views.Short(v) + "/s"
}

func bytesWords(d insight.Delta, c insight.Counter) string {
	v, ok := d.Rate(c)
	if !ok {
		return "-"
	}
	return views.Bytes(v) + "/s"
}

// savingWords say what the server does about its data on disk.
func savingWords(is insight.State) string {
	switch {
	case is.Loading.Value:
		return "loading"
	case is.Saving.Value:
		return "saving RDB"
	case is.Rewriting.Value:
		return "rewriting AOF"
	case !is.Saving.Known:
		return "disk -"
	case is.Appending.Value:
		return "AOF on"
	}
	return "no save"
}

// happened are the marks of the time line: knobs that were turned, and what happened to
// the server, as they are told at a moment of the run.
func (c scene) happened(now, first time.Duration, knobs []stats.Mark) []views.Mark {
	all := slices.Clip(knobs)
	if c.told.Insight != nil {
		all = append(all, c.told.Events...)
		slices.SortStableFunc(all, func(a, b stats.Mark) int { return cmp.Compare(a.At, b.At) })
	}
	var out []views.Mark
	for _, m := range all {
		if m.At >= first {
			out = append(out, views.Mark{Age: max(now-m.At, 0), Text: m.Text})
		}
	}
	return out
}

// beats are one figure of the server for each second on the axis; what was not told is
// a hole.
func (c scene) beats(now, first time.Duration, of func(loadgen.Beat) float64) []views.Sample {
	var out []views.Sample
	for _, b := range c.told.Beats {
		if b.At <= first {
			continue
		}
		v := of(b)
		if v < 0 {
			v = math.NaN()
		}
		out = append(out, views.Sample{Age: max(now-b.At, 0), Value: v})
	}
	return out
}
