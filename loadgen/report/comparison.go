package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// Compared is a comparison to report, ended or not. Of the Header its tool, threads
// and beginning are told: the servers are those of the arms.
type Compared struct {
	Header Header
	State  *experiment.State // nil: it ended before anything was known
}

// Comparison writes the whole report of c to w, complete in every end state (C42).
// It names no winner over several tests (C16) and leaves out no round (C15): JSON
// and gobench have each of them in numbers, the tables their median and range. An
// error is the writer's, or names the formats that ComparisonFormats knows.
func Comparison(name string, w io.Writer, c Compared) error {
	for _, f := range formats() {
		if f.name == name && f.compare != nil {
			out, err := f.compare(newContrast(c))
			if err == nil {
				_, err = w.Write(out)
			}
			return err
		}
	}
	return fmt.Errorf("format %q has no comparisons: --format takes %s", name, strings.Join(ComparisonFormats(), ", "))
}

// ComparisonFormats names the formats that Comparison knows; the first is the
// default.
func ComparisonFormats() []string {
	var names []string
	for _, f := range formats() {
		if f.compare != nil {
			names = append(names, f.name)
		}
	}
	return names
}

// contrast is a comparison as reports look at it: its arms by letter, the reference
// first, and a State that is always there.
type contrast struct {
	h    Header
	s    experiment.State
	arms []contender
	veil veil
}

// contender is an arm with the letter that reports call it by.
type contender struct {
	letter string
	label  string // what sets it apart, without any password
	index  int    // in the State
	arm    experiment.Arm
	live   stats.Snapshot
}

func newContrast(c Compared) contrast {
	out := contrast{h: c.Header}
	if c.State == nil {
		out.s = experiment.State{Partial: true, Reason: "nothing was compared"}
		return out
	}
	out.s = *c.State
	var order []int
	var secrets []target.Secret
	for i, side := range out.s.Arms {
		secrets = append(secrets, side.Arm.Place.Target.Password)
		if i == out.s.Reference {
			order = slices.Insert(order, 0, i)
		} else {
			order = append(order, i)
		}
	}
	out.veil = newVeil(secrets)
	for n, i := range order {
		side := out.s.Arms[i]
		a := contender{letter: string(rune('A' + n)), index: i, arm: side.Arm}
		if a.label = out.told(side.Arm.Label); a.label == "" {
			a.label = "base"
		}
		if side.Live != nil {
			a.live = *side.Live
		}
		out.arms = append(out.arms, a)
	}
	return out
}

// told is a text for the reader's eyes: nothing in it steers a terminal, and no
// password of an arm is left in it.
func (c contrast) told(s string) string { return strings.TrimSpace(clean(c.veil.over(s))) }

// measured is what arm a has shown in a case; the zero value where it has not begun.
func (a contender) measured(o experiment.Outcome) experiment.Measured {
	if a.index < len(o.Arms) {
		return o.Arms[a.index]
	}
	return experiment.Measured{}
}

// finding is that of arm a against the reference. A case that nobody looked at yet
// cannot tell anything.
func (a contender) finding(o experiment.Outcome) paired.Finding {
	f := paired.Finding{P: 1, Raw: 1}
	if a.index < len(o.Findings) {
		f = o.Findings[a.index]
	}
	if f.Verdict.Kind == "" {
		f.Verdict.Kind, f.Why = paired.CannotTell, paired.TooFew
	}
	return f
}

// mix is what arm a sends in a case.
func (a contender) mix(c experiment.Case) workload.Mix {
	if c.Mix != nil {
		return c.Mix
	}
	return a.arm.Plan.Workload.Mix
}

// outcome is a case of arm a as a result of its own, for what judges results.
func (a contender) outcome(o experiment.Outcome) loadgen.Result {
	m := a.measured(o)
	p := a.arm.Plan
	p.Workload.Mix = a.mix(o.Case)
	return loadgen.Result{Plan: p, Segments: []stats.Segment{m.Total}, Total: m.Total.Counters, Gaps: m.Total.Gaps}
}

// whole are the counters and faults of all that arm a did, rounds or not.
func (a contender) whole() loadgen.Result {
	return loadgen.Result{Plan: a.arm.Plan, Total: a.live.Total, Faults: a.live.Faults}
}

// title is that of a case, or what the arms send where it has none.
func (c contrast) title(o experiment.Outcome) string {
	if t := c.told(o.Case.Title); t != "" {
		return t
	}
	var mixes []string
	for _, a := range c.arms {
		if m := clean(a.mix(o.Case).String()); !slices.Contains(mixes, m) {
			mixes = append(mixes, m)
		}
	}
	return strings.Join(mixes, " against ")
}

// others are the arms that are compared with the first.
func (c contrast) others() []contender {
	if len(c.arms) == 0 {
		return nil
	}
	return c.arms[1:]
}
