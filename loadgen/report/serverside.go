package report

import (
	"fmt"
	"strings"
	"time"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
)

// serverSide sets what the server itself says of its work beside the verdicts (M24):
// where its order is another one, the difference does not come from executing the
// command. A test of which it told nothing has no row.
func (c contrast) serverSide() section {
	g := &grid{names: []string{"test"}, most: summaryWidth - 1}
	for _, a := range c.arms {
		g.names = append(g.names, a.letter+" main", a.letter+" call")
	}
	s := section{
		head: "the server's own word, in us: main thread per command (main), usec_per_call of the tested command (call)",
		grid: g,
	}
	for _, o := range c.s.Results {
		row, told := []string{c.title(o)}, false
		for _, a := range c.arms {
			m := a.measured(o)
			main, haveMain := mainPerCommand(m)
			call, haveCall := timePerCall(m)
			told = told || haveMain || haveCall
			row = append(row, micros(main, haveMain), micros(call, haveCall))
		}
		if told {
			g.add(row...)
		}
		for _, b := range c.others() {
			if text, ok := c.contradiction(o, b); ok {
				s.lines = append(s.lines, c.title(o)+": "+text)
			}
		}
	}
	return s
}

// contradiction is the sentence for a real difference that the server's own figures
// have the other way round (M24); false where there is none, and for a difference of
// latencies, which are not the server's work alone.
func (c contrast) contradiction(o experiment.Outcome, b contender) (string, bool) {
	a, f := c.arms[0], b.finding(o)
	switch f.Verdict.Kind {
	case paired.NoDifference, paired.CannotTell:
		return "", false
	}
	if o.Metric != experiment.Throughput || c.mute(o, b) != "" {
		return "", false
	}
	side := func(arm contender) insight.Side {
		m := arm.measured(o)
		return insight.Side{Name: arm.letter, Command: m.Command, Delta: m.Server}
	}
	x, y := side(a), side(b)
	if x.Command != y.Command && x.Command != "" && y.Command != "" {
		x.Name, y.Name = strings.ToUpper(x.Command), strings.ToUpper(y.Command)
	}
	where := ""
	if a.depth() == b.depth() {
		where = "at " + a.depth()
	}
	text, ok := insight.Contradicts(x, y, f.Ratio, where)
	return c.told(text), ok
}

// mainPerCommand is the CPU time of the server's main thread per command, in
// microseconds; false where it did not tell.
func mainPerCommand(m experiment.Measured) (float64, bool) { return inMicros(m.Server.PerCommand()) }

// timePerCall is what the server says a call of the tested command took, in
// microseconds.
func timePerCall(m experiment.Measured) (float64, bool) { return inMicros(m.Server.PerCall(m.Command)) }

func inMicros(d time.Duration, ok bool) (float64, bool) {
	return float64(d) / float64(time.Microsecond), ok
}

func micros(v float64, ok bool) string {
	if !ok {
		return dash
	}
	return fmt.Sprintf("%.3f", v)
}
