package loadgen

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// Apply makes p the plan in force: data is prepared, connections are adjusted,
// then a new epoch is published, all while load goes on. It returns at once, with
// an error only when p is not valid or beyond what this side can carry (Limits); then
// the plan in force stays. A plan equal to the present one starts a
// fresh segment. Plan fields that end a run (Requests, Duration) are those of New.
func (r *Runner) Apply(p Plan) error {
	if err := r.limits.allow(p); err != nil {
		return err
	}
	r.want(change{plan: p})
	return nil
}

// Restart is Apply with a fresh segment in every case, also where p only ends a
// pause: a round of an experiment is a segment (M19).
func (r *Runner) Restart(p Plan) error {
	if err := r.limits.allow(p); err != nil {
		return err
	}
	r.want(change{plan: p, fresh: true})
	return nil
}

func (r *Runner) want(c change) {
	r.mu.Lock()
	r.wanted = append(r.wanted, c)
	r.mu.Unlock()
	select {
	case r.applied <- struct{}{}:
	default: // already signalled
	}
}

// change is what turns the plan in force into the next one.
type change struct {
	plan  Plan
	fresh bool // start a new segment: another load, or a reset
}

// take folds all plans applied since the last call into one change: the newest
// plan counts, and whether any of them asked for a fresh segment (M17).
func (r *Runner) take() (change, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.wanted) == 0 {
		return change{}, false
	}
	have := r.epoch.Load().plan
	c := change{plan: have}
	for _, w := range r.wanted {
		aside := w.plan.Paused != c.plan.Paused || w.plan.Window != c.plan.Window
		if w.fresh || c.plan.Changes(w.plan) != "" || !aside {
			c.fresh = true
		}
		c.plan = w.plan
	}
	r.wanted = nil
	return c, true
}

// pending reports whether plans wait to be put into force.
func (r *Runner) pending() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.wanted) > 0 || r.progress().What != ""
}

// follow puts the applied plans into force. A plan that arrives while another is
// being prepared ends that preparation.
func (r *Runner) follow(ctx context.Context) {
	c, ok := r.take()
	if !ok {
		return
	}
	if c.fresh && !c.plan.Paused {
		r.sampler.cut(r.now(), stats.Settling)
	}
	for {
		if c.fresh {
			r.witness.judge(c.plan)
			err := r.prepare(ctx, c.plan)
			if err != nil && !superseded(err) && ctx.Err() == nil {
				r.sampler.tell(stats.Note{At: r.now(), Warning: true, Text: err.Error()})
			}
		}
		newer, ok := r.take()
		if !ok || ctx.Err() != nil {
			break
		}
		newer.fresh = newer.fresh || c.fresh
		c = newer
	}
	r.muster(ctx, c.plan, c.fresh)
}

// interrupted reports whether a newer plan waits.
func (r *Runner) interrupted() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.wanted) > 0
}

// introduce prepares the first plan and puts it into force.
func (r *Runner) introduce(ctx context.Context, p Plan) error {
	r.witness.begin(ctx, p)
	if err := r.survey(ctx); err != nil {
		return err
	}
	if err := r.prefill(ctx, p); err != nil {
		return err
	}
	switch err := r.prepare(ctx, p); {
	case err == nil, superseded(err):
	case unwritable(err):
		// The load may be reads of what is there, and if not, its own errors tell.
		r.sampler.tell(stats.Note{At: r.now(), Warning: true, Text: err.Error() + ": reads go on with what is there"})
	default:
		return r.witness.blame(ctx, p, err)
	}
	begun := r.now()
	r.muster(ctx, p, true)
	r.connecting = r.now() - begun
	r.witness.begun()
	return ctx.Err()
}

// unwritable reports whether err is the refusal of a server, or of a user's rights, to
// have anything written, which says nothing of reading.
func unwritable(err error) bool {
	var no target.ReplyError
	if !errors.As(err, &no) {
		return false
	}
	switch target.Code(string(no)) {
	case "READONLY", "MISCONF", "NOREPLICAS", "OOM", "NOPERM", "MASTERDOWN", "BUSY":
		return true
	}
	return false
}

// muster completes the crew and publishes.
func (r *Runner) muster(ctx context.Context, p Plan, fresh bool) {
	old := r.epoch.Load()
	ep := newEpoch(old, p, 0)
	_ = r.man(ep, old) // prepare has told the error
	if text := r.idleNodes(ep); text != r.resting {
		if r.resting = text; text != "" {
			r.sampler.tell(stats.Note{At: r.now(), Warning: true, Text: text})
		}
	}
	r.crew.muster(ctx, ep, func() {
		r.openStocks(ep)
		r.capped.Store(0)
		ep.start = r.now()
		// The segment's clock starts before the first batch can leave.
		r.sampler.begin(ep, ep.start, fresh)
		r.gaps.Rest()
		if !p.Paused {
			r.gaps.Watch(r.now())
		}
		r.pacer.forget() // nobody waits for what the old plan had planned
		r.epoch.Store(ep)
		close(old.over)
	})
}

// dismiss publishes the last epoch, which asks for nobody.
func (r *Runner) dismiss() {
	r.crew.mu.Lock()
	defer r.crew.mu.Unlock()
	old := r.epoch.Load()
	r.stand()
	r.sampler.cut(r.now(), stats.Draining)
	last := old.plan
	last.Clients, last.Paused = 0, true
	end := newEpoch(old, last, 0)
	end.posts, end.seats, end.keepers, end.chart = old.posts, old.seats, old.keepers, old.chart
	r.epoch.Store(end)
	close(old.over)
}

// watch is the run's conscience, called by the sampler's goroutine after every
// interval: the planned end, stuck connections, and no connection at all.
func (r *Runner) watch(now time.Duration, v vitals) {
	if d := r.first.Duration; d > 0 && v.measured >= d {
		r.expire("")
	}
	if now >= r.nextCheck {
		r.nextCheck = now + min(time.Second, r.stall/4)
		r.crew.rescue(now, r.stall)
	}
	switch {
	case r.served() || !v.loaded:
		r.lonely = 0
	case r.lonely == 0:
		r.lonely = now
	case r.first.Requests > 0 && now-r.lonely > r.stall:
		r.expire(r.lost())
	}
}

// served reports whether there is a connection from which replies may be expected: a
// server that takes connections and answers none of them is no better than one that
// takes none.
func (r *Runner) served() bool {
	return r.connected.Load() > 0 && int64(r.gaps.Latest()) >= r.fruitless.Load()
}

// lost says why a counted run cannot go on.
func (r *Runner) lost() string {
	if since := r.fruitless.Load(); since > 0 && int64(r.gaps.Latest()) < since {
		return "the server answers on no connection"
	}
	return "no connection to the server"
}

// expire ends the run from inside; the first reason stands.
func (r *Runner) expire(why string) {
	select {
	case r.elapsed <- why:
	default:
	}
}

// progress of the preparation under way, of all nodes together; zero when there is none.
func (r *Runner) progress() stats.Progress {
	var sum stats.Progress
	others := 0
	for _, n := range r.everyNode() {
		p := n.stores.advance.Load()
		switch {
		case p == nil:
			continue
		case sum.What == "":
			sum.What = p.What
		default:
			others++
		}
		sum.Done += p.Done
		sum.Total += p.Total
	}
	if others > 0 {
		sum.What += fmt.Sprintf(", and on %s more", things(int64(others), "node"))
	}
	return sum
}
