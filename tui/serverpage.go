package tui

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/insight"
	"fullbore/views"
)

// page is the scene as the page of the server. It follows the tables, at 2 Hz at most.
func (c scene) page() views.ServerPage {
	l := c.live()
	c = c.filled()
	now := c.slow.Elapsed
	first := max(now-c.span, c.from)
	v := views.ServerPage{
		Header: l.Header, Limiter: l.Limiter, Proof: c.proof, Span: c.span, At: now,
		Marks: c.happened(now, first, c.slow.Marks), Keys: c.keys, Small: l.Small(),
	}
	if c.told.Insight == nil {
		v.Silent = "the server was not looked at yet"
		return v
	}
	v.Silent, v.Share = c.silence(), c.executing()
	v.Gauges = c.gauges(now, first)
	v.Facts, v.Commands, v.Notes = c.bothEnds(), c.commands(), c.happenings()
	return v
}

// gauges are the figures of the server and of this program, with their course.
func (c scene) gauges(now, first time.Duration) []views.Gauge {
	d, is := c.told.Delta, c.told.Reading.State
	course := func(of func(loadgen.Beat) float64) []views.Sample { return c.beats(now, first, of) }
	busy, known := d.Load()
	client, seen := c.told.Host.Client()
	full, limited := is.Full()
	used := 0.0
	if is.MaxClients.Value > 0 {
		used = float64(is.Clients.Value) / float64(is.MaxClients.Value)
	}
	hits, looked := d.HitRate()
	all := []views.Gauge{
		{Label: "cpu", Value: cpuWords(d), Full: number(busy.Share, known), Top: 1, Samples: course(func(b loadgen.Beat) float64 { return b.CPU })},
		{Label: "client", Value: clientLoad(client, seen), Full: number(client.Share, seen), Top: 1, Samples: course(func(b loadgen.Beat) float64 { return b.Client })},
		{Label: "ops/s", Value: c.opsWords(""), Samples: course(func(b loadgen.Beat) float64 { return b.Ops })},
		{Label: "memory", Value: memoryWords(is), Full: number(full, limited), Samples: course(func(b loadgen.Beat) float64 { return b.Memory })},
		{Label: "hits", Value: shareWords(hits, looked), Full: number(hits, looked), Top: 1, Samples: course(func(b loadgen.Beat) float64 { return b.Hits })},
		{Label: "net in", Value: bytesWords(d, insight.NetIn), Samples: course(func(b loadgen.Beat) float64 { return b.In })},
		{Label: "net out", Value: bytesWords(d, insight.NetOut), Samples: course(func(b loadgen.Beat) float64 { return b.Out })},
		{Label: "clients", Value: clientWords(is), Full: number(used, used > 0), Samples: course(func(b loadgen.Beat) float64 { return b.Clients })},
	}
	if slices.ContainsFunc(all[0].Samples, func(s views.Sample) bool { return s.Value > 1.1 }) {
		all[0].Top = 0 // several threads run commands
	}
	if c.told.Silent != "" {
		return all[1:2] // of this machine one knows all the same
	}
	return all
}

// clientLoad is how busy this program is: "62 % of 2 cores".
func clientLoad(l insight.Load, ok bool) string {
	if !ok {
		return "-"
	}
	words, _, _ := strings.Cut(strings.TrimPrefix(l.Words, "client "), " (")
	return words
}

// bothEnds are facts about the server, its memory and disk, and about this machine.
func (c scene) bothEnds() []views.CardRow {
	s, is := c.told.Reading.Server, c.told.Reading.State
	var out []views.CardRow
	row := func(label string, parts ...string) {
		said := slices.DeleteFunc(parts, func(p string) bool { return p == "" })
		if len(said) > 0 {
			out = append(out, views.CardRow{Label: label, Value: strings.Join(said, "   ")})
		}
	}
	if c.told.Silent == "" {
		row("server", strings.TrimSpace(s.Kind+" "+s.Version), s.Mode, role(is), threads(s.Threads, "thread"), threads(s.IOThreads, "io thread"),
			when("up ", s.Uptime), s.Allocator, named("build ", s.Build), s.OS)
		row("memory", "used "+memoryWords(is), named("resident ", bytesOf(is.RSS)), fragmentation(is), is.Policy, named("of the machine's ", bytesOf(is.Physical)))
		row("on disk", strings.TrimPrefix(savingWords(is), "disk "), appending(is), when("last fork ", is.LastFork))
	}
	row("this machine", c.machine()...)
	row("this client", c.client()...)
	return out
}

func (c scene) machine() []string {
	m := c.told.Machine
	parts := []string{m.CPU, "", "", m.Kernel, m.Arch, m.Container}
	if m.Cores > 0 {
		parts[1] = plural(int64(m.Cores), "core")
	}
	if m.Memory > 0 {
		parts[2] = views.Bytes(float64(m.Memory))
	}
	if m.Virtual != "" {
		parts = append(parts, strings.TrimSpace("virtual "+strings.TrimPrefix(m.Virtual, "yes")))
	}
	return parts
}

// client is how this program fared since the last change.
func (c scene) client() []string {
	h := c.told.HostAll
	var parts []string
	if l, ok := h.Client(); ok {
		parts = append(parts, strings.TrimPrefix(l.Words, "client "))
	}
	parts = append(parts, runtime.Version(), when("goroutines waited (p99) ", h.Sched))
	say := func(words string, t insight.Told[float64]) {
		if t.Known {
			parts = append(parts, words+" "+shareWords(t.Value, true))
		}
	}
	say("pressure", h.Pressure)
	say("stolen", h.Steal)
	if t := h.Throttle.Value; t.Times > 0 {
		parts = append(parts, fmt.Sprintf("throttled %s, %s", plural(t.Times, "time"), spell(t.Time)))
	}
	return parts
}

func role(is insight.State) string {
	switch {
	case is.Role == "":
		return ""
	case is.Replicas.Value > 0:
		return is.Role + " of " + plural(is.Replicas.Value, "replica")
	}
	return is.Role
}

func appending(is insight.State) string {
	if is.Appending.Known && !is.Appending.Value {
		return "AOF off"
	}
	return ""
}

func fragmentation(is insight.State) string {
	if !is.Fragmentation.Known {
		return ""
	}
	return fmt.Sprintf("fragmentation %.2f", is.Fragmentation.Value)
}

func bytesOf(t insight.Told[int64]) string {
	if !t.Known || t.Value <= 0 {
		return ""
	}
	return views.Bytes(float64(t.Value))
}

func threads(t insight.Told[int64], what string) string {
	if t.Value <= 1 { // one is what everybody expects
		return ""
	}
	return plural(t.Value, what)
}

func named(words, value string) string {
	if value == "" {
		return ""
	}
	return words + value
}

func when(words string, t insight.Told[time.Duration]) string {
	if !t.Known || t.Value <= 0 {
		return ""
	}
	return words + spell(t.Value)
}

// spell writes a length of time in the unit that suits it.
func spell(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return plural(int64(d/(24*time.Hour)), "day")
	case d >= time.Second:
		return d.Truncate(time.Second).String()
	case d >= time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%d us", d/time.Microsecond)
}

// mostCommands is how many commands the page lists.
const mostCommands = 8

// commands is what the server says of each command since the last change, the one that
// took most of its time first.
func (c scene) commands() []views.CommandTime {
	d := c.told.Since
	names := maps.Clone(d.Calls)
	if names == nil {
		names = map[string]insight.Call{}
	}
	for name := range d.Latency {
		names[name] = d.Calls[name] // told by its latencies alone
	}
	var all time.Duration
	for _, call := range d.Calls {
		all += call.Time
	}
	var out []views.CommandTime
	for _, name := range slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(names[b].Time, names[a].Time), cmp.Compare(names[b].Calls, names[a].Calls), cmp.Compare(a, b))
	}) {
		call := names[name]
		row := views.CommandTime{Name: name, Share: number(float64(call.Time)/float64(max(all, 1)), all > 0 && call.Calls > 0)}
		if call.Calls > 0 && d.Elapsed > 0 {
			row.Rate = number(float64(call.Calls)/d.Elapsed.Seconds(), true)
		}
		if v, ok := d.PerCall(name); ok {
			row.PerCall = views.Duration{Value: v, OK: true}
		}
		for at, q := range map[*views.Duration]float64{&row.P50: .50, &row.P99: .99} {
			at.Value, at.OK = d.Latency[name].Quantile(q)
		}
		if out = append(out, row); len(out) == mostCommands {
			break
		}
	}
	return out
}

// happenings are what should be known of the server, and what happened to it.
func (c scene) happenings() []views.Note {
	var out []views.Note
	for _, n := range slices.Backward(c.told.Notes) { // the most serious last, as everywhere
		out = append(out, views.Note{Warning: true, Text: n})
	}
	for _, e := range c.told.Events {
		out = append(out, views.Note{Clock: c.clock(e.At), Text: e.Text})
	}
	return out
}
