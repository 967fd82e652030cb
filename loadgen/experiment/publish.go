package experiment

import "time"

// enter goes over to a phase, with s under load.
func (e *course) enter(p Phase, s *side) {
	e.phase, e.active = p, s
	e.publish()
}

// publish stores a new immutable state.
func (e *course) publish() {
	e.published = time.Now()
	s := &State{
		Phase: e.phase, Rules: e.rules, Elapsed: e.published.Sub(e.begun),
		Case: min(e.caseAt, len(e.cases)-1), Active: -1, Left: e.left(),
		Results: e.results, Reference: e.set.Reference, Earlier: e.earlier, Notes: e.notes,
		Partial: e.partial, Reason: e.reason,
	}
	if e.active != nil {
		if s.Twin = e.active.twin; !s.Twin {
			s.Active = e.active.arm
		}
	}
	if e.attempt > 0 && e.caseAt < len(e.results) {
		s.Pair = min(e.results[e.caseAt].complete()+1, e.rules.Pairs)
	}
	old := e.Snapshot()
	for i, a := range e.arms {
		a.Plan = e.set.Plans[i]
		side := Side{Arm: a, Live: old.Arms[i].Live}
		if i < len(e.sides) {
			side.Live = e.sides[i].load.Snapshot()
		}
		s.Arms = append(s.Arms, side)
	}
	e.state.Store(s)
}

// left is how many rounds are still to come at most: those of every case, their
// twins, and those that are thrown away.
func (e *course) left() int {
	n := 0
	for k := e.caseAt; k < len(e.results); k++ {
		o := e.results[k]
		n += (e.rules.Pairs-o.complete())*len(e.arms) + max(0, LeastPairs-twins(o, e.twinOf))
		if k > e.caseAt || !e.opened {
			n += len(e.arms) + 1
			continue
		}
		if done := o.under(e.attempt); done < len(e.arms) {
			n -= done
		}
	}
	return n
}

// under is how many arms have their round of a pair.
func (o Outcome) under(pair int) (n int) {
	for _, m := range o.Arms {
		if last := len(m.Rounds) - 1; last >= 0 && m.Rounds[last].Pair == pair {
			n++
		}
	}
	return n
}

// conclude is the last word: why it ended, "" for because all is decided.
func (e *course) conclude(reason string) {
	e.partial, e.reason = e.caseAt < len(e.results), reason
	if !e.partial {
		e.reason = ""
	}
	e.enter(Ended, nil)
}
