package loadgen

import (
	"errors"
	"fmt"
	"time"

	"fullbore/loadgen/target"
)

// claim is a batch that a worker may send: so many requests of the budget of -n, at
// its time of the schedule.
type claim struct {
	epoch   *epoch
	n       int           // 0 = nothing for now
	planned time.Duration // open loop
}

var (
	// errSpent says that the budget is spent.
	errSpent = errors.New("all requests are sent")
	// errIdle ends a connection that the server closed while nothing was in flight.
	errIdle = errors.New("closed while idle")
)

const (
	// A worker that found no request looks again, for those that others may turn out to
	// be unable to send: soon at first, and then at longer intervals.
	firstTurn   = time.Millisecond
	longestTurn = 20 * time.Millisecond
	// A connection that rests for longer than longRest may be closed by the server
	// meanwhile, whose own limit is in seconds. It is looked at lookAhead of its time, so
	// that another one can be made.
	longRest  = 500 * time.Millisecond
	lookAhead = 10 * time.Millisecond
)

// claim takes the next batch and waits for its time. An error of a connection that was
// closed meanwhile keeps the batch for the next one.
func (w *worker) claim(ep *epoch) (claim, error) {
	c := claim{epoch: ep, n: ep.depth}
	if w.kept != nil && w.kept.epoch.batches == ep.batches {
		c.n, c.planned, w.kept = w.kept.n, w.kept.planned, nil
	} else {
		w.release()
		if ep.counted && !w.take(ep, &c.n) {
			if w.run.budget.spent() {
				return claim{}, errSpent
			}
			w.turn = min(max(2*w.turn, firstTurn), longestTurn)
			w.linger(ep, w.turn)
			return claim{}, nil
		}
		if ep.every > 0 {
			// Only who has something to send takes a slot: idle clients would hold those
			// of the far future, and a slow run would wait for them.
			c.planned = ep.slot()
		}
	}
	wanted, err := w.await(ep, c.planned)
	switch {
	case err != nil:
		w.doubt()
		w.kept = &c
		return claim{}, err
	case !wanted && w.run.epoch.Load().batches == ep.batches:
		// Only the cluster has changed: the batch keeps its time, wherever it goes.
		w.doubt()
		w.kept = &c
		return claim{}, nil
	case !wanted:
		w.giveBack(c)
		return claim{}, nil
	}
	return c, nil
}

// fulfil sends what was claimed: in several batches where the cap on bytes in flight
// asks for that. What was not sent goes back into the budget.
func (w *worker) fulfil(ep *epoch, c claim) error {
	for c.n > 0 {
		done, err := w.exchange(ep, c.n, c.planned)
		if c.n -= done; err != nil {
			w.giveBack(c)
			return err
		}
		w.settle()
	}
	return nil
}

// take takes up to n requests from the budget; false when there are none. As long as
// nobody knows whether the server serves this connection, they may come back.
func (w *worker) take(ep *epoch, n *int) bool {
	if !w.run.budget.limited {
		return true
	}
	if !w.proven || ep.every > 0 { // a long rest may cost the connection
		w.doubt()
	}
	if *n = w.run.budget.take(*n); *n == 0 {
		w.settle()
		return false
	}
	w.turn = 0
	return true
}

func (w *worker) giveBack(c claim) {
	if c.epoch.counted && c.n > 0 {
		w.run.budget.give(c.n)
	}
	w.settle()
}

// release gives back a batch that was kept for a connection which never came, or
// whose plan is not in force any more.
func (w *worker) release() {
	if w.kept != nil {
		w.giveBack(*w.kept)
		w.kept = nil
	}
	w.settle()
}

// doubt has others wait for what becomes of this worker's requests.
func (w *worker) doubt() {
	if !w.doubtful {
		w.doubtful = true
		w.run.budget.doubts.Add(1)
	}
}

func (w *worker) settle() {
	if w.doubtful {
		w.doubtful = false
		w.run.budget.doubts.Add(-1)
	}
}

// linger waits a little, or until the plan changes, which it reports.
func (w *worker) linger(ep *epoch, d time.Duration) (changed bool) {
	w.timer.Reset(d)
	defer w.timer.Stop()
	select {
	case <-w.timer.C:
		return false
	case <-ep.over:
		return true
	}
}

// repose waits until the plan changes, and looks after the connection meanwhile: a
// server that is full may refuse it late, and one with a timeout closes it. The looks
// become rare, since thousands may rest while another load is measured.
func (w *worker) repose(ep *epoch) error {
	const longest = 5 * time.Second
	for wait := 20 * time.Millisecond; !w.linger(ep, wait); wait = min(10*wait, longest) {
		if err := w.look(); err != nil {
			return err
		}
	}
	return nil
}

// look tells what has become of a connection on which nothing is in flight.
func (w *worker) look() error {
	err := w.conn.Idle()
	var no target.ReplyError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &no):
		return &dialError{err}
	}
	return fmt.Errorf("%w: %w", errIdle, err)
}

// await holds an open-loop worker until its planned batch; wanted is false when the
// plan changed meanwhile.
func (w *worker) await(ep *epoch, planned time.Duration) (wanted bool, err error) {
	if ep.every == 0 {
		return true, nil
	}
	look := planned-w.conn.Now() > longRest
	if !look && w.proven {
		w.settle()
	}
	for {
		until := planned
		if look {
			until -= lookAhead
		}
		switch early := until - w.conn.Now(); {
		case early <= 0 && look:
			look = false
			if err := w.look(); err != nil {
				return false, err
			}
			if w.proven {
				w.settle()
			}
		case early <= 0:
			return true, nil
		case early > soon:
			w.run.pacer.rouse(until, w.wake)
			select {
			case <-w.wake:
			case <-ep.over:
				return false, nil
			}
		}
	}
}
