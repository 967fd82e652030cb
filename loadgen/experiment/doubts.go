package experiment

import (
	"fmt"
	"slices"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// Rounds of less than so much carry a grain of their own.
const (
	leastTurns   = 30   // round trips of one client: clients that start together count one more or less of them
	leastBatches = 1000 // for the p99 of a round (M3)
)

// doubt notes what makes the figures of the case to come doubtful before it begins.
func (e *course) doubt() {
	for i, p := range e.under {
		name := armName(e.arms[i].Label, i)
		if turns := e.rules.Round.Seconds() / p.RTT.Seconds(); p.RTT > 0 && turns < leastTurns {
			e.warn(fmt.Sprintf("%s: a round has %.1f round trips of %v only, which makes it uncertain by as much as one of them: --round %v would do",
				name, turns, p.RTT, leastTurns*p.RTT))
		}
		if batches := p.Rate / float64(max(1, p.Pipeline)) * e.rules.Round.Seconds(); e.results[e.caseAt].Metric == TailP99 && batches < leastBatches {
			e.warn(fmt.Sprintf("%s: the p99 of a round rests on %.0f batches: --round %v would do", name, batches,
				time.Duration(float64(e.rules.Round)*leastBatches/batches).Round(time.Second)))
		}
		w := inCase(p, e.cases[e.caseAt]).Workload
		if i > 0 && slices.ContainsFunc(w.Mix, custom) && e.clash(i, w) {
			e.warn(name + ": the commands name their keys themselves, so it works on keys that arms with other data use as well")
		}
	}
}

// clash tells whether arm i, which sends commands as they were written, has other
// data than an arm before it on the same server.
func (e *course) clash(i int, w workload.Workload) bool {
	for j := range i {
		v := inCase(e.under[j], e.cases[e.caseAt]).Workload
		if e.arms[j].Place.Target == e.arms[i].Place.Target && !sameValues(v, w) {
			return true
		}
	}
	return false
}

// mostNotes bounds what is told of a comparison that goes on for days.
const mostNotes = 200

func (e *course) note(n stats.Note) {
	n.At = time.Since(e.begun)
	if len(e.notes) >= mostNotes {
		e.notes = slices.Clone(e.notes[mostNotes/10:]) // the oldest
	}
	e.notes = append(slices.Clip(e.notes), n)
}

// warn notes what is wrong, once.
func (e *course) warn(text string) {
	if !slices.ContainsFunc(e.notes, func(n stats.Note) bool { return n.Text == text }) {
		e.note(stats.Note{Warning: true, Text: text})
	}
}
