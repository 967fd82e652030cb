package loadgen

import (
	"sync/atomic"
	"time"

	"fullbore/loadgen/workload"
)

// epoch is a Plan with a number, in force from its publication until over is
// closed. Workers look at the pointer between batches only (M16).
type epoch struct {
	number int
	plan   Plan
	source *workload.Source // what all workers draw from: one payload for all
	over   chan struct{}    // closed when the next epoch is published

	// Open loop (M9): batch i of the whole process is planned at start +
	// i·P/rate. All P commands of a batch are planned for the same moment, so
	// that the depth of the pipeline adds no waiting of its own to the latency.
	start   time.Duration
	batches atomic.Int64
	every   float64 // nanoseconds between two batches; 0 in closed loop
}

// newEpoch makes the epoch after old, which may be nil. Equal workloads share
// their source, so that turning another knob rebuilds no payload and restarts no
// sequence of keys.
func newEpoch(old *epoch, p Plan, start time.Duration) *epoch {
	e := &epoch{plan: p, over: make(chan struct{}), start: start}
	if old != nil {
		e.number = old.number + 1
	}
	if old != nil && sameWorkload(old.plan.Workload, p.Workload) {
		e.source = old.source
	} else {
		e.source = p.Workload.Source()
	}
	if p.Rate > 0 {
		e.every = float64(p.Pipeline) / p.Rate * float64(time.Second)
	}
	return e
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
}

func newBudget(requests int64) *budget {
	b := &budget{limited: requests > 0}
	b.left.Store(requests)
	return b
}

// take returns how many of n requests may be sent; zero when all are spent.
func (b *budget) take(n int) int {
	if !b.limited {
		return n
	}
	left := b.left.Add(int64(-n))
	return max(0, min(n, int(left)+n))
}
