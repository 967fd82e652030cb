package loadgen

import (
	"context"
	"sync"
	"time"
)

// crew is the set of workers of a run. Its owner is Runner.Run, which alone
// hires; workers leave by themselves when a plan no longer asks for them.
type crew struct {
	run  *Runner
	door door

	mu      sync.Mutex // guards workers, and publication against leaving
	workers map[int]*worker
	all     sync.WaitGroup
}

// door lets a bounded number of connections be made at once: a burst of ten
// thousand would overflow the server's accept queue and wait for retransmission.
type door chan struct{}

const doorWidth = 128

func (d door) enter(ctx context.Context) (release func(), err error) {
	select {
	case d <- struct{}{}:
		return func() { <-d }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func newCrew(r *Runner) *crew {
	return &crew{run: r, door: make(door, doorWidth), workers: map[int]*worker{}}
}

// muster hires whoever is missing for the epoch to come, waits until each has
// connected or failed to once (M11), and then calls publish while nobody can leave.
func (c *crew) muster(ctx context.Context, ep *epoch, publish func()) {
	for {
		c.mu.Lock()
		missing := c.missing(ep.plan.Clients)
		if len(missing) == 0 || ctx.Err() != nil {
			publish()
			c.mu.Unlock()
			return
		}
		var ready sync.WaitGroup
		ready.Add(len(missing))
		for _, id := range missing {
			c.hire(ctx, id, ep, ready.Done)
		}
		c.mu.Unlock()
		ready.Wait() // bounded by the dial's own time limit
	}
}

func (c *crew) missing(n int) []int {
	var ids []int
	for id := range n {
		if c.workers[id] == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

func (c *crew) hire(ctx context.Context, id int, first *epoch, ready func()) {
	w := &worker{
		id: id, first: first, run: c.run,
		timer: time.NewTimer(time.Hour),
		wake:  make(chan struct{}, 1),
	}
	w.timer.Stop()
	c.workers[id] = w
	once := sync.OnceFunc(ready)
	c.all.Go(func() {
		defer c.run.guard("worker")
		defer once() // also when it panics: nobody waits for the dead
		w.work(ctx, once)
		c.dismiss(w)
	})
}

// leave strikes w off the crew, unless a newer epoch than ep came meanwhile and
// may want it again.
func (c *crew) leave(w *worker, ep *epoch) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run.epoch.Load() != ep {
		return false
	}
	c.strike(w)
	return true
}

func (c *crew) dismiss(w *worker) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.strike(w)
}

// strike removes w, if its place was not given to somebody else already.
func (c *crew) strike(w *worker) {
	if c.workers[w.id] == w {
		delete(c.workers, w.id)
	}
}

// present is a copy of the list of workers.
func (c *crew) present() []*worker {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([]*worker, 0, len(c.workers))
	for _, w := range c.workers {
		out = append(out, w)
	}
	return out
}

// gone is closed when the last worker has ended.
func (c *crew) gone() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer c.run.guard("waiting for workers")
		c.all.Wait()
		close(done)
	}()
	return done
}

// hangUp closes every connection, which unblocks the workers that wait on one.
func (c *crew) hangUp() {
	for _, w := range c.present() {
		if conn := w.live.Load(); conn != nil {
			conn.Close()
		}
	}
}

// rescue closes connections that have awaited a reply, and moved nothing, for longer
// than limit; the worker then counts a timeout and what was in flight as lost, and dials
// again.
func (c *crew) rescue(now, limit time.Duration) {
	for _, w := range c.present() {
		since, conn := time.Duration(w.awaiting.Load()), w.live.Load()
		if conn == nil || since == 0 {
			continue
		}
		// A large batch may take longer than that on a slow way. What moves is not stuck.
		if n := conn.BytesIn() + conn.BytesOut(); n != w.carried {
			w.carried, w.moved = n, now
		}
		if now-max(since, w.moved) > limit {
			w.stuck.Store(true)
			conn.Close()
		}
	}
}
