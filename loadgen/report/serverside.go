package report

import (
	"fmt"

	"fullbore/loadgen/experiment"
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
	}
	return s
}

// mainPerCommand is the CPU time of the server's main thread per command, in
// microseconds; false where it did not tell.
func mainPerCommand(m experiment.Measured) (float64, bool) {
	d := m.Server
	return float64(d.Main.Nanoseconds()) / 1e3 / float64(d.Commands), d.Main > 0 && d.Commands > 0
}

// timePerCall is what the server says a call of the tested command took, in
// microseconds.
func timePerCall(m experiment.Measured) (float64, bool) {
	call, ok := m.Server.Calls[m.Command]
	return float64(call.Time.Nanoseconds()) / 1e3 / float64(call.Calls), ok && m.Command != "" && call.Calls > 0
}

func micros(v float64, ok bool) string {
	if !ok {
		return dash
	}
	return fmt.Sprintf("%.3f", v)
}
