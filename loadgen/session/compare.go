package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/report"
)

// Compare measures the fleet's arms in each case until every one is decided or ctx ends,
// and writes the report, whose file is kept in every end state: what was measured counts. failed
// tells of errors during the load, and of an early end (M29); the verdicts are no
// failure, whatever they are. err is trouble that ended the comparison, or the report.
func (f *Fleet) Compare(ctx context.Context, cases []experiment.Case, r experiment.Rules, o Order) (failed bool, err error) {
	if !slices.Contains(report.ComparisonFormats(), o.Format) {
		return true, report.Comparison(o.Format, io.Discard, report.Compared{}) // says which there are
	}
	c := f.Contest(f.Arms, cases, r)
	c.Once = true
	state, err := o.watch(ctx, c)
	told := report.Compared{Header: o.Header, State: state}
	switch {
	case o.View.Live && !o.View.Same: // who sits there does not see the report
		err = errors.Join(err, report.Comparison("text", o.Side, told))
	case report.Bare(o.Format) && state.Partial:
		fmt.Fprintf(o.Side, "fullbore: the comparison ended early: %s\n", state.Reason)
	}
	err = errors.Join(err, report.Comparison(o.Format, o.Out, told), o.Out.Keep())
	return err != nil || troubled(state), err
}

// Contest makes a comparison of arms on servers of the fleet.
func (f *Fleet) Contest(arms []experiment.Arm, cases []experiment.Case, r experiment.Rules) *experiment.Comparison {
	c := experiment.Compare(arms, cases, r)
	c.SetThreads = f.threads
	return c
}

// troubled reports whether a comparison met errors or ended early.
func troubled(s *experiment.State) bool {
	return s.Partial || slices.ContainsFunc(s.Arms, func(a experiment.Side) bool { return len(a.Live.Faults) > 0 })
}

// paceOfProgress is that of a suite's line.
const paceOfProgress = 250 * time.Millisecond

// watch runs c and draws its progress meanwhile. A panic of c becomes an error.
func (o Order) watch(ctx context.Context, c *experiment.Comparison) (state *experiment.State, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				state, err = c.Snapshot(), &loadgen.PanicError{Where: "comparison", Value: v}
			}
		}()
		state, err = c.Run(ctx)
	}()
	ticker := time.NewTicker(paceOfProgress)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			if o.View.Live {
				fmt.Fprint(o.Side, clearLine)
			}
			return state, err
		case <-ticker.C:
			if o.View.Live {
				width, _ := size(o.Side)
				fmt.Fprint(o.Side, clearLine, standing(c.Snapshot(), width))
			}
		}
	}
}

// standing is a line on how far a comparison is: the case, the pair, the last round of
// each arm, and the time that is left at most. It is at most width columns wide; a
// narrow terminal loses the rounds first, then the time.
func standing(s *experiment.State, width int) string {
	title, doing, values := "", string(s.Phase), ""
	if s.Case < len(s.Results) {
		now := s.Results[s.Case]
		title, values = now.Case.Title, latest(now)
	}
	if s.Pair > 0 && s.Phase == experiment.Measuring {
		doing = fmt.Sprintf("pair %d of at most %d", s.Pair, s.Rules.Pairs)
	}
	rest := ""
	if s.Left > 0 {
		left := (time.Duration(s.Left) * (s.Rules.Round + s.Rules.Settle)).Round(time.Second)
		rest = fmt.Sprintf("at most %d:%02d left", int(left.Minutes()), int(left.Seconds())%60)
	}
	for _, parts := range [][]string{{title, doing, values, rest}, {title, doing, rest}} {
		parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
		if line := strings.Join(parts, "  "); len([]rune(line)) <= width {
			return line
		}
	}
	return string([]rune(doing)[:max(0, min(len([]rune(doing)), width))])
}

// latest are the last rounds of the arms of a case by letter: "A 112k/s  B 791k/s".
func latest(o experiment.Outcome) string {
	var out []string
	for i, m := range o.Arms {
		if len(m.Rounds) == 0 {
			continue
		}
		out = append(out, fmt.Sprintf("%c %s", 'A'+i, inUnits(o.Metric, m.Rounds[len(m.Rounds)-1].Value)))
	}
	return strings.Join(out, "  ")
}

// inUnits is a value of a metric in three or four digits.
func inUnits(m experiment.Metric, v float64) string {
	switch {
	case m == experiment.TailP99:
		return fmt.Sprintf("p99 %.3g ms", v/1e6)
	case v >= 1e6:
		return fmt.Sprintf("%.2fM/s", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%.0fk/s", v/1e3)
	}
	return fmt.Sprintf("%.0f/s", v)
}

// Prove tells whether the load generator is the limit of an arm's load.
func (f *Fleet) Prove(ctx context.Context, a experiment.Arm) (verdict string, err error) {
	p, err := experiment.Prove(ctx, a, f.threads)
	return p.Verdict, err
}
