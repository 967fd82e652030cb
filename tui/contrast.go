package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
	"fullbore/views"
)

// contrast is everything the screen of a comparison shows, as values. Like scene it
// computes no percentile and reads no clock.
type contrast struct {
	facts      Facts
	set        experiment.Settings // wanted
	arms       []experiment.Arm    // as they began
	order      []int               // arms by letter
	side, test int                 // arm in focus, case that shows
	fast, slow *experiment.State   // nil before there is a comparison
	began      time.Time

	over, failed, frozen bool
	hertz                int
	notes                []stats.Note

	strips [][]views.Knob // by arm
	edit   *views.Edit
	keys   []views.Key
}

// compare is the contrast as a view.
func (x contrast) compare() views.Compare {
	if x.fast == nil {
		x.fast = x.blank()
	}
	if x.slow == nil {
		x.slow = x.fast
	}
	out := x.outcome()
	v := views.Compare{
		Header: x.header(), Banner: x.banner(), Metric: metricLabel(out.Metric),
		Rows: x.rows(out), Verdicts: x.verdicts(out), Marks: x.marks(), Cases: x.matrix(), Case: x.test,
		Since: x.sinceWhen(), Round: x.slow.Rules.Round, Settle: x.slow.Rules.Settle, Practical: x.slow.Rules.Practical,
		Competing: x.competing(), Notes: x.noteLines(), Keys: x.keys, Edit: x.edit,
	}
	v.Server, v.Explained = x.server(out), x.explained(out)
	tags := x.serverTags()
	for at, arm := range x.order {
		side := x.sideOf(at, arm, out)
		side.Server = tags[arm]
		v.Sides = append(v.Sides, side)
	}
	return v
}

// blank is a comparison that has not begun.
func (x contrast) blank() *experiment.State {
	s := &experiment.State{Phase: experiment.Preparing, Active: -1, Reference: x.set.Reference}
	for i, a := range x.arms {
		a.Plan = x.set.Plans[i]
		s.Arms = append(s.Arms, experiment.Side{Arm: a, Live: &stats.Snapshot{}})
	}
	return s
}

// outcome is that of the case that shows, with a place for every arm.
func (x contrast) outcome() experiment.Outcome {
	if x.test < len(x.slow.Results) {
		return filled(x.slow.Results[x.test], len(x.arms))
	}
	return filled(experiment.Outcome{}, len(x.arms))
}

func filled(out experiment.Outcome, arms int) experiment.Outcome {
	for len(out.Arms) < arms {
		out.Arms = append(slices.Clip(out.Arms), experiment.Measured{})
	}
	for len(out.Findings) < arms {
		out.Findings = append(slices.Clip(out.Findings), paired.Finding{})
	}
	if out.Metric == "" {
		out.Metric = experiment.Throughput
	}
	return out
}

// metricLabel is the row that verdicts are about.
func metricLabel(m experiment.Metric) string {
	if m == experiment.TailP99 {
		return "p99"
	}
	return "ops/s"
}

func (x contrast) competing() bool { return x.set.Competing || x.fast.Phase == experiment.Competing }
func (x contrast) paused() bool    { return x.set.Paused || x.fast.Phase == experiment.Paused }

func (x contrast) header() views.CompareHeader {
	s := x.fast
	state, tone := x.state()
	h := views.CompareHeader{
		Target: x.facts.Target, Server: x.facts.Server, Mode: x.mode(), State: state, StateTone: tone,
		Running: x.running(), Pair: s.Pair, Pairs: s.Rules.Pairs,
		Elapsed: s.Elapsed.Truncate(time.Second), Errors: mistakes(s), Hertz: x.hertz,
	}
	if n := x.places(); n > 1 {
		h.Target, h.Server = fmt.Sprintf("%d servers", n), ""
	} else if f := factsOf(x.arms[0].Place); f.Target != "" {
		h.Target, h.Server = f.Target, versionWords(x.arms[0].Place) // there is no room for the mode
	}
	return h
}

// places counts the servers.
func (x contrast) places() int {
	seen := map[string]bool{}
	for _, a := range x.arms {
		seen[a.Place.Target.String()] = true
	}
	return len(seen)
}

func (x contrast) mode() string {
	switch round := x.slow.Rules.Round; {
	case x.competing():
		return "all at once: they compete"
	case round == 0:
		return "interleaved"
	default:
		return fmt.Sprintf("interleaved %g s rounds", round.Seconds())
	}
}

// state is what the comparison, or the display, is doing.
func (x contrast) state() (string, views.Tone) {
	s := x.fast
	switch {
	case x.failed:
		return "FAILED", views.Bad
	case x.over || s.Phase == experiment.Ended:
		return "DONE", views.Muted
	case x.frozen && x.paused():
		return "FROZEN PAUSED", views.Caution
	case x.frozen:
		return "FROZEN", views.Caution
	case x.paused():
		return "PAUSED", views.Caution
	case x.competing():
		return "COMPETING", views.Caution
	case s.Phase == experiment.Preparing:
		return "PREPARING", views.Caution
	case s.Phase == experiment.Decided:
		return "DECIDED", views.Good
	case s.Twin:
		return "A again (noise)", views.Good
	case s.Active >= 0 && s.Active < len(x.arms):
		return lettersOf(x.order)[s.Active] + " running", views.Good
	}
	return "RUN", views.Good
}

// running reports whether load is sent, however little of it the display shows.
func (x contrast) running() bool {
	return !quiet(x.fast.Phase) && !x.paused() && !x.over && !x.failed
}

// sideOf is the arm at a place of the screen.
func (x contrast) sideOf(at, arm int, out experiment.Outcome) views.Side {
	p, m := x.set.Plans[arm], out.Arms[arm]
	live := &stats.Snapshot{}
	if arm < len(x.fast.Arms) && x.fast.Arms[arm].Live != nil {
		live = x.fast.Arms[arm].Live
	}
	s := views.Side{
		Name: string(rune('A' + at)), Label: armLabels(x.arms, x.set.Plans)[arm], Load: loadWords(p), Knobs: x.strips[arm],
		Focused: arm == x.side, Active: x.running() && (x.fast.Active == arm || x.competing()),
		Counts: counts(m), Rounds: x.points(arm), Limiter: limiterWord(m.Limiter),
	}
	if p.RTT > 0 {
		s.Mark = fmt.Sprintf("rtt %v simulated", p.RTT)
	}
	if x.places() > 1 {
		s.Place = placeWords(x.arms[arm].Place)
	}
	if s.Active {
		s.Now = recent(live.Points)
	}
	if n := len(m.Rounds); n > 0 && out.Metric == experiment.Throughput {
		s.Median = number(m.Median, true)
		if n > 1 && m.Median > 0 {
			s.Spread = number((m.High-m.Low)/m.Median, true)
		}
	} else if n > 0 {
		s.Median = number(m.Total.Throughput())
	}
	return s
}

// limiterWord is a limiter in as few letters as tell it from the others.
func limiterWord(l insight.Limiter) string {
	if l.Name == insight.ByHost {
		return "host"
	}
	return l.Name
}

// loadWords are the load that stands beside every verdict (C16).
func loadWords(p loadgen.Plan) string {
	words := fmt.Sprintf("C=%d P=%d", p.Clients, p.Pipeline)
	if p.Batch != "" {
		words += " " + p.Batch.String()
	}
	if p.Rate > 0 {
		words += " " + rateText(p.Rate) + "/s"
	}
	return words
}

// placeWords tell an arm's own server.
func placeWords(p experiment.Place) string {
	words := p.Command
	if words == "" {
		words = p.Target.String()
	}
	if v := versionWords(p); v != "" {
		words = v + ": " + words
	}
	if p.Replicas > 0 {
		words += ", " + plural(int64(p.Replicas), "replica")
	}
	return words
}

func versionWords(p experiment.Place) string {
	return strings.TrimSpace(p.Info.Server + " " + p.Info.Version)
}

func counts(m experiment.Measured) string {
	c := m.Total.Counters
	return fmt.Sprintf("%s ops   %s   %s", views.Short(float64(c.Replies)),
		plural(int64(len(m.Rounds)), "round"), plural(c.Errors+c.Lost, "error"))
}

// noteLines are the comparison's notes and the screen's, newest last; what is wrong
// right now stands just before the newest, as on the live screen.
func (x contrast) noteLines() []views.Note {
	events := slices.Concat(x.untold(), x.whose(), x.slow.Notes, x.notes)
	slices.SortStableFunc(events, func(a, b stats.Note) int { return int(a.At - b.At) })
	var out []views.Note
	for _, n := range events {
		out = append(out, views.Note{Clock: x.clock(n.At), Warning: n.Warning, Text: x.lettered(n.Text)})
	}
	standing := x.standing()
	if len(out) == 0 {
		return standing
	}
	return slices.Insert(out, len(out)-1, standing...)
}

// untold is what the server of a side did not tell, said of the first such side: one
// refusal says how to read all of them.
func (x contrast) untold() []stats.Note {
	for at, arm := range x.order {
		notes := factsOf(x.arms[arm].Place).untold()
		for i := range notes {
			if x.places() > 1 {
				notes[i].Text = string(rune('A'+at)) + ": " + notes[i].Text
			}
		}
		if len(notes) > 0 {
			return notes
		}
	}
	return nil
}

// whose tells in a note which server is whose, where there are several: the strip of
// a small screen may have no room for it.
func (x contrast) whose() []stats.Note {
	if x.places() < 2 {
		return nil
	}
	first := versionWords(x.arms[0].Place)
	other := func(a experiment.Arm) bool { return versionWords(a.Place) != first }
	alike := first != "" && !slices.ContainsFunc(x.arms, other)
	var words []string
	if alike { // said once is enough
		words = append(words, first+":")
	}
	for at, arm := range x.order {
		place := placeWords(x.arms[arm].Place)
		if alike {
			place = strings.TrimPrefix(place, first+": ")
		}
		words = append(words, string(rune('A'+at))+" "+place)
	}
	return []stats.Note{{Text: strings.Join(words, "  ")}}
}

// lettered is a note of the comparison, which knows no letters: it calls an arm by
// its label, or by its number where it has none.
func (x contrast) lettered(text string) string {
	for i, a := range x.arms {
		name := "arm " + a.Label
		if a.Label == "" {
			name = fmt.Sprintf("arm %d", i+1)
		}
		if rest, ok := strings.CutPrefix(text, name+": "); ok {
			return lettersOf(x.order)[i] + ": " + rest
		}
		text = strings.ReplaceAll(text, "; "+name+": ", "; "+lettersOf(x.order)[i]+": ")
	}
	return text
}

// clock is the time of day of an instant of the comparison, empty before it began.
func (x contrast) clock(at time.Duration) string {
	if x.began.IsZero() {
		return ""
	}
	return x.began.Add(at).Format("15:04:05")
}

// standing are the warnings of each side's run that hold at this moment, and the
// faults it met.
func (x contrast) standing() []views.Note {
	var out []views.Note
	if x.slow.Partial && x.slow.Reason != "" {
		out = append(out, views.Note{Warning: true, Text: x.slow.Reason})
	}
	out = append(out, x.heldBack()...)
	for at, arm := range x.order {
		if arm >= len(x.slow.Arms) || x.slow.Arms[arm].Live == nil {
			continue
		}
		name, live := string(rune('A'+at)), x.slow.Arms[arm].Live
		for _, w := range live.Warnings {
			out = append(out, views.Note{Warning: true, Text: name + ": " + w})
		}
		for _, f := range slices.Backward(live.Faults) {
			text := fmt.Sprintf("%s: %s %s: %s", name, faultName(f), grouped(f.Count), f.Text)
			out = append(out, views.Note{Warning: true, Text: text})
		}
	}
	return out
}

// heldBack warns of the sides whose rounds were held back by something else than their
// server, with the numbers that decided it and what to do.
func (x contrast) heldBack() []views.Note {
	var out []views.Note
	all := x.outcome()
	for at, arm := range x.order {
		l := all.Arms[arm].Limiter
		switch l.Name {
		case insight.ByErrors, insight.ByHost, insight.ByClient:
			text := fmt.Sprintf("%c %s: %s: %s", 'A'+at, l.Title(), l.Evidence, l.Advice)
			out = append(out, views.Note{Warning: true, Text: text})
		}
	}
	return out
}

// sinceWhen is when the present pairs began.
func (x contrast) sinceWhen() string {
	if len(x.slow.Earlier) == 0 {
		return x.clock(0)
	}
	first := time.Duration(-1)
	for _, out := range x.slow.Results {
		for _, m := range out.Arms {
			if len(m.Rounds) > 0 && (first < 0 || m.Rounds[0].At < first) {
				first = m.Rounds[0].At
			}
		}
	}
	if first < 0 {
		return ""
	}
	return x.clock(max(0, first-x.slow.Rules.Round-x.slow.Rules.Settle))
}
