package experiment

import (
	"fmt"
	"time"

	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
)

// openCase has every side send what the case asks for, and throws a short round of
// each away: the first one meets cold caches and keys that are not there yet.
func (e *course) openCase() error {
	e.enter(Preparing, nil)
	e.attempt, e.sums = 0, make([]stats.Sum, len(e.sides))
	e.doubt()
	for _, s := range e.sides {
		p := e.planOf(s)
		if s.plan.Changes(p) == "" && s.plan.Workload.Same(p.Workload) {
			continue
		}
		from := s.load.Snapshot().Epoch
		if err := s.tell(p, true, true); err != nil {
			return err
		}
		if _, err := e.await(0, func() bool { return s.in(stats.Paused, from) || e.stale }); err != nil || e.interrupted() {
			return err
		}
	}
	for _, s := range e.sides {
		if _, _, err := e.round(s, min(shakedown, e.rules.Round)); err != nil || e.interrupted() {
			return err
		}
	}
	e.opened = true
	return nil
}

// pair has each side measured once, back to back and in random order (M19). A pair
// that settings interrupt is given up; what was measured of it stays on the books.
func (e *course) pair() error {
	e.attempt++
	sides := e.sides
	if twins(e.results[e.caseAt], e.twinOf) >= LeastPairs {
		sides = sides[:len(e.arms)]
	}
	for n, i := range e.random.Perm(len(sides)) {
		e.enter(Measuring, nil)
		if err := e.counted(sides[i]); err != nil {
			return err
		}
		if n+1 < len(sides) && e.interrupted() {
			return nil
		}
	}
	e.judge()
	if e.Once && e.mute >= mutePairs*len(e.sides) {
		return errSilent
	}
	if e.results[e.caseAt].Done {
		e.caseAt, e.opened = e.caseAt+1, false
		e.judge() // with the last case, the whole matrix is there
	}
	e.publish()
	return nil
}

// counted is a round that goes on the books, with what the server said before and
// after it.
func (e *course) counted(s *side) error {
	e.useThreads(s.threads)
	before, seen, err := e.look(s)
	if err != nil {
		return err
	}
	machine := e.readHost()
	seg, ok, err := e.round(s, e.rules.Round)
	if err != nil {
		return err
	}
	e.book(s, seg, ok)
	during := e.hostSince(machine)
	if err := e.subside(s, seg); err != nil {
		return err
	}
	var server insight.Told[insight.Delta]
	if seg.Counters.Replies > 0 {
		if server, err = e.bookServer(s, before, seen); err != nil {
			return err
		}
	}
	e.bookLimiter(s, e.evidence(s, seg, during, server))
	return nil
}

// round has one side under load: its settling time, then length of measured time,
// then a pause. ok is false when it did not get so far in time. A side whose server
// is gone gets through its round, without replies.
func (e *course) round(s *side, length time.Duration) (seg stats.Segment, ok bool, err error) {
	e.useThreads(s.threads)
	from := s.load.Snapshot().Epoch
	if err := s.tell(s.plan, false, true); err != nil {
		return seg, false, err
	}
	e.enter(e.phase, s)
	defer func() { e.active = nil }()
	var end time.Time // of the measured time
	over := func() bool {
		if now := s.load.Snapshot(); end.IsZero() && now.State == stats.Measuring && now.Epoch > from {
			end = time.Now().Add(length - now.Current.Measured)
		}
		return e.stale || !end.IsZero() && !time.Now().Before(end)
	}
	if ok, err = e.await(e.rules.Settle+length+patience, over); err != nil {
		return seg, false, err
	}
	running := s.load.Snapshot().Epoch
	if err := s.tell(s.plan, true, false); err != nil {
		return seg, false, err
	}
	if e.stale {
		return seg, false, errAnew
	}
	held, err := e.await(patience, func() bool { return s.in(stats.Paused, running) })
	if err != nil {
		return seg, false, err
	}
	if !ok || !held {
		e.warn(fmt.Sprintf("%s: a round did not come to its end in %v: the server does not answer", s.name, e.rules.Settle+length+patience))
		return seg, false, nil
	}
	now := s.load.Snapshot()
	if now.Connected < now.Clients && !s.plan.Reconnect {
		e.warn(fmt.Sprintf("%s: not all of its %d clients were connected in every round", s.name, now.Clients))
	}
	return now.Current, true, nil
}

// subside waits until replies that were in flight when the side was paused have come,
// where that may take longer than the next side has to settle: the server must not
// work for two.
func (e *course) subside(s *side, seg stats.Segment) error {
	took := seg.Latency
	if seg.Target > 0 {
		took = seg.Service
	}
	mean, _ := took.Mean()
	if mean > e.rules.Settle {
		e.warn(fmt.Sprintf("%s: replies take longer than the %v that a round has to settle: a longer --settle and --round would do", s.name, e.rules.Settle))
	}
	rest := took.Max - s.plan.RTT // a simulated round trip ends with the pause
	if rest <= e.rules.Settle {
		return nil
	}
	_, err := e.await(min(rest, patience), func() bool { return false })
	return err
}

// compete has all arms under load at once until a setting ends it. Nothing of it is
// counted.
func (e *course) compete() error {
	most := 0
	for _, a := range e.arms {
		if a.Threads == 0 {
			most = max(most, e.threads)
		}
		most = max(most, a.Threads)
	}
	e.useThreads(most)
	arms := e.sides[:len(e.arms)]
	for _, s := range arms {
		if err := s.tell(e.planOf(s), false, true); err != nil {
			return err
		}
	}
	err := e.hold(Competing, func() bool { return e.set.Paused || !e.set.Competing })
	if err != nil {
		return err
	}
	for _, s := range arms {
		from := s.load.Snapshot().Epoch
		if err := s.tell(s.plan, true, false); err != nil {
			return err
		}
		if _, err := e.await(patience, func() bool { return s.in(stats.Paused, from) }); err != nil {
			return err
		}
	}
	return nil
}

// await polls until done says so, and follows settings meanwhile. ok is false when
// limit, unless 0, passed before. The error is the context's, or that of a run that
// broke down.
func (e *course) await(limit time.Duration, done func() bool) (ok bool, err error) {
	begun := time.Now()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for !done() {
		if limit > 0 && time.Since(begun) >= limit {
			return false, nil
		}
		select {
		case <-e.ctx.Done():
			return false, e.ctx.Err()
		case err := <-e.broken:
			if e.ctx.Err() != nil {
				err = e.ctx.Err()
			}
			return false, err
		case <-e.applied:
			e.accept()
		case <-tick.C:
			if time.Since(e.published) >= publishEvery {
				e.publish()
			}
		}
	}
	return true, nil
}

// accept takes over the latest settings.
func (e *course) accept() {
	reference := e.set.Reference
	e.set = e.settings()
	e.accepted++
	e.stale = e.set.Fresh != e.fresh
	for i, p := range e.set.Plans {
		if e.under[i].Changes(p) != "" {
			e.stale = true
		}
	}
	if e.set.Reference != reference {
		e.judge()
	}
	e.publish()
}
