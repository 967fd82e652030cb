package report

import (
	"fmt"
	"math"

	"fullbore/loadgen/experiment"
)

// scale draws values as dots that rise from the lowest to the highest round of a
// case, the same for all its arms: two scales would make a difference look like none.
type scale struct{ low, high float64 }

const (
	dots       = "_.-:=+*#" // rising, in ASCII
	silentDot  = 'o'        // a round without a reply
	stripWidth = 30         // rounds on a line, so that a table stays within 80 columns
)

// newScale spans all rounds of a case, those of the twin too.
func newScale(c contrast, o experiment.Outcome) scale {
	s := scale{math.Inf(1), math.Inf(-1)}
	take := func(rounds []experiment.Round) {
		for _, r := range rounds {
			if finite(r.Value) && r.Value > 0 {
				s.low, s.high = min(s.low, r.Value), max(s.high, r.Value)
			}
		}
	}
	for _, a := range c.arms {
		take(a.measured(o).Rounds)
	}
	take(o.Twins)
	return s
}

func (s scale) dot(v float64) rune {
	switch {
	case !finite(v) || v <= 0:
		return silentDot
	case !(s.high > s.low):
		return rune(dots[0])
	}
	n := int(float64(len(dots)) * (v - s.low) / (s.high - s.low))
	return rune(dots[min(n, len(dots)-1)])
}

// strips are the rounds as lines of dots, at least one.
func (s scale) strips(rounds []experiment.Round) []string {
	out := []string{""}
	for i, r := range rounds {
		if i > 0 && i%stripWidth == 0 {
			out = append(out, "")
		}
		out[len(out)-1] += string(s.dot(r.Value))
	}
	return out
}

// dotKey explains the dots, once for all tests.
func dotKey(twins bool) []string {
	out := []string{fmt.Sprintf("%s: from the lowest to the highest round of a test, on one scale for all its arms; %c: a round without a reply", dots, silentDot)}
	if twins {
		out = append(out, "A': a second A, for the noise floor")
	}
	return out
}
