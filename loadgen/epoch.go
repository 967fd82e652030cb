package loadgen

import (
	"sync/atomic"
	"time"

	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// epoch is a Plan with a number, in force from its publication until over is
// closed. Workers look at the pointer between batches only (M16).
type epoch struct {
	number  int
	plan    Plan
	posts   []*post       // where the clients are
	seats   []*post       // of a cluster: where each of them is, by its number
	keepers []*post       // of those posts, and of the primaries that they copy, where data is written
	chart   chart         // of a cluster
	over    chan struct{} // closed when the next epoch is published

	depth int  // commands of a batch
	multi bool // a batch is one transaction

	// counted batches come out of the budget of -n; those of a warm-up do not (M10).
	counted bool

	// Open loop (M9): batch i of the whole process is planned at start +
	// i·P/rate. All P commands of a batch are planned for the same moment, so
	// that the depth of the pipeline adds no waiting of its own to the latency.
	start   time.Duration
	batches *atomic.Int64
	every   float64 // nanoseconds between two batches; 0 in closed loop
}

// newEpoch makes the epoch after old, which may be nil. It has no posts yet.
func newEpoch(old *epoch, p Plan, start time.Duration) *epoch {
	e := &epoch{plan: p, over: make(chan struct{}), start: start, batches: new(atomic.Int64), counted: p.Warmup == Warmup{}}
	if old != nil {
		e.number = old.number + 1
	}
	e.depth, e.multi = p.Pipeline, p.Batch == workload.Multi
	if p.Batch == workload.Unbatched {
		e.depth = 1
	}
	if p.Rate > 0 {
		e.every = float64(e.depth) / p.Rate * float64(time.Second)
	}
	return e
}

// wires holds the commands of a workload as redigo formats them, by form: a row of
// the mix has one for each size of its value. Each is filled in by the first
// worker that needs it.
type wires struct {
	forms []atomic.Pointer[target.Prepared]
}

// of returns the prepared form of c; nil when c is too long for it to pay, or has
// no form that lasts.
func (w *wires) of(c *workload.Command) *target.Prepared {
	if c.Fluid {
		return nil
	}
	if p := w.forms[c.Form].Load(); p != nil {
		return p
	}
	if c.Inline != nil {
		p := target.PrepareInline(c.Inline)
		w.forms[c.Form].Store(p)
		return p
	}
	if c.Request > target.MaxPrepared {
		return nil
	}
	p, err := target.Prepare(c.Name, c.Args, c.Varies)
	if err != nil {
		return nil // the connection's own Send meets the same error and tells it
	}
	w.forms[c.Form].Store(p)
	return p
}

// send adds c to the batch, prepared where it can be.
func (w *wires) send(conn *target.Conn, c *workload.Command) error {
	if p := w.of(c); p != nil {
		return conn.SendPrepared(p, c.Args)
	}
	return conn.Send(c.Name, c.Args)
}

// slot takes the next free batch of the schedule and returns its planned time.
// Connections take slots in turn, whichever is free first, so that a rate below
// the number of connections is smooth too.
func (e *epoch) slot() time.Duration {
	i := e.batches.Add(1) - 1
	return e.start + time.Duration(float64(i)*e.every)
}

// budget hands out exactly the requests of -n (M10).
type budget struct {
	limited bool
	left    atomic.Int64
	doubts  atomic.Int64 // takers that may give back: nobody knows yet whether the server serves them
}

func newBudget(requests int64) *budget {
	b := &budget{limited: requests > 0}
	b.left.Store(requests)
	return b
}

// take returns how many of n requests may be sent; zero when none are left.
func (b *budget) take(n int) int {
	if !b.limited {
		return n
	}
	for {
		left := b.left.Load()
		got := min(int64(n), left)
		if got <= 0 {
			return 0
		}
		if b.left.CompareAndSwap(left, left-got) {
			return int(got)
		}
	}
}

// give takes back what was taken and not sent.
func (b *budget) give(n int) {
	if b.limited {
		b.left.Add(int64(n))
	}
}

// spent reports whether nothing is left and nobody may give anything back.
func (b *budget) spent() bool { return b.doubts.Load() == 0 && b.left.Load() == 0 }
