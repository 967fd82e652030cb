package insight

import (
	"slices"
	"time"
)

// memory is for how long a decision has a vote. A limit that is really there holds
// for longer; figures about a threshold change sides every second.
const memory = 5 * time.Second

// Steady smooths decisions so that a live line does not flicker: another name than the
// one shown has to have two more of the last five seconds' decisions, so that a change
// is shown after about four of them, and names in turn change nothing. Errors are shown
// at once. A new setting begins with the zero value.
type Steady struct {
	votes []vote
	shown Limiter
}

type vote struct {
	at   time.Time
	name string
}

// Shown is what to show; the zero Limiter before the first decision.
func (s Steady) Shown() Limiter { return s.shown }

// Next takes a decision and gives the next value; s is not written to. What is shown
// has the latest numbers of its name.
func (s Steady) Next(at time.Time, l Limiter) Steady {
	next := Steady{shown: s.shown}
	for _, v := range s.votes {
		if age := at.Sub(v.at); age >= 0 && age < memory {
			next.votes = append(next.votes, v)
		}
	}
	next.votes = append(slices.Clip(next.votes), vote{at, l.Name})
	shown := next.count(s.shown.Name)
	if l.Name == s.shown.Name || l.Name == ByErrors || shown == 0 || next.count(l.Name) >= shown+2 {
		next.shown = l
	}
	return next
}

func (s Steady) count(name string) int {
	n := 0
	for _, v := range s.votes {
		if v.name == name {
			n++
		}
	}
	return n
}
