package loadgen

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// Limits of time that a run keeps whatever the server does.
const (
	// drainLimit is how long a run that was told to stop waits for replies in
	// flight before it closes the connections.
	drainLimit = 300 * time.Millisecond
	// defaultStall is how long a connection may await a reply before it is
	// replaced, and how long a run with a given end goes on without any connection.
	defaultStall = 5 * time.Second
)

// Runner is one run against one target.
type Runner struct {
	target target.Target
	first  Plan
	base   time.Time // zero of every instant in the run
	stall  time.Duration

	epoch     atomic.Pointer[epoch]
	snapshot  atomic.Pointer[stats.Snapshot]
	connected atomic.Int64
	capped    atomic.Int64 // commands a batch was cut to by the in-flight cap
	ended     atomic.Bool
	standing  atomic.Int64 // connections that were up when the load ended; -1 = it goes on
	fruitless atomic.Int64 // when a connection ended last that had brought nothing
	gaps      stats.GapMeter
	budget    *budget
	nodes     atomic.Pointer[[]*node]
	scout     *scout       // of a cluster; nil for a server on its own
	chart     chart        // likewise; of the goroutine that leads the run
	resting   string       // what was last said of nodes without load
	setup     atomic.Int64 // commands that prepared data, for the books (Result.Setup)
	crew      *crew
	sampler   *sampler
	pacer     *pacer
	multi     transaction
	limits    *limiter
	witness   *witness
	observer  *observer

	helpers sync.WaitGroup // all goroutines but the workers
	stop    chan struct{}  // closed when the helpers are to end

	exhausted chan struct{} // closed when the budget of requests is spent
	warmed    chan struct{} // a counted run has settled
	elapsed   chan string   // why the run should end by itself
	fatal     chan error    // the program's own failure
	spend     sync.Once

	mu      sync.Mutex
	wanted  []change      // applied and not yet in force, oldest first
	applied chan struct{} // signals that wanted is not empty

	connecting time.Duration // how long the first crew took to connect

	shardsEach int // of a cluster: shards of each node

	lonely    time.Duration // since when no connection is up; sampler only
	nextCheck time.Duration // of stuck connections; sampler only
}

// New returns a Runner that has not started; it allocates and does nothing else.
// p must have passed Validate.
func New(t target.Target, p Plan) *Runner {
	r := &Runner{
		target: t, first: p, stall: defaultStall, multi: newTransaction(),
		budget:    newBudget(p.Requests),
		limits:    newLimiter(t),
		stop:      make(chan struct{}),
		exhausted: make(chan struct{}),
		warmed:    make(chan struct{}, 1),
		elapsed:   make(chan string, 1),
		fatal:     make(chan error, 1),
		applied:   make(chan struct{}, 1),
	}
	if p.Stall > 0 {
		r.stall = p.Stall
	}
	r.nodes.Store(&[]*node{})
	if p.Cluster {
		r.scout = newScout(r)
	} else {
		r.nodes.Store(&[]*node{newNode(r, t, shardCount())})
	}
	r.standing.Store(-1)
	r.witness, r.observer = newWitness(r), newObserver(r)
	r.crew = newCrew(r)
	r.sampler = newSampler(r, p)
	r.epoch.Store(newEpoch(nil, Plan{Paused: true, Clients: MaxClients, Workload: p.Workload}, 0))
	r.snapshot.Store(&stats.Snapshot{State: stats.Preparing, Clients: p.Clients})
	return r
}

// Run applies load until ctx ends, or the plan's Requests or Duration are
// reached, and returns what was measured. It joins every goroutine before it
// returns. The error is non-nil only when no load could be applied at all or the
// program itself failed; trouble met during the run is data in the Result.
func (r *Runner) Run(ctx context.Context) (Result, error) {
	r.base = time.Now()
	started := r.base
	work, cancel := context.WithCancel(ctx)
	defer cancel()

	if note, warn := clockNote(clockCost()); warn {
		r.sampler.tell(note)
	}
	r.helpers.Go(func() { r.sampler.loop(r.stop) })
	for _, n := range r.everyNode() {
		r.helpers.Go(func() { n.stores.keep(r.stop) })
	}
	r.pacer = newPacer(r.now, newAlarm())
	r.helpers.Go(func() {
		defer r.guard("pacer")
		r.pacer.run()
	})

	why, err := r.lead(work)
	cancel() // no new connection, no further preparation
	r.end(ctx, why)
	r.witness.end()
	close(r.stop)
	r.pacer.alarm.stop()
	for _, n := range r.everyNode() {
		n.stores.hangUp()
	}
	r.helpers.Wait()

	res := r.sampler.finish(r.now())
	r.observer.conclude(&res)
	res.Started, res.Setup, res.Connecting = started, r.setup.Load(), r.connecting
	res.Reason, res.Partial = why.text, why.early
	if err == nil {
		err = r.failure()
	}
	return res, err
}

// ending says why a run ends.
type ending struct {
	text  string
	early bool // before what was asked for was done
	// spent: every request of -n was handed out, and all replies belong to the run.
	spent bool
	// calm: the run reached its own end, so replies in flight are waited for as
	// long as a connection may be silent at all, not just for drainLimit.
	calm bool
}

// lead brings the first plan into force and then follows the applied ones until
// the run ends.
func (r *Runner) lead(ctx context.Context) (ending, error) {
	if err := r.limits.allow(r.first); err != nil {
		return ending{text: err.Error(), early: true}, err
	}
	if err := r.introduce(ctx, r.first); err != nil {
		if ctx.Err() != nil {
			return ending{text: "stopped while preparing", early: true}, nil
		}
		return ending{text: err.Error(), early: true}, err
	}
	if r.connected.Load() == 0 && r.bounded() {
		return ending{text: "no client could connect", early: true}, nil
	}
	for {
		select {
		case <-ctx.Done():
			return ending{text: "stopped", early: r.bounded()}, nil
		case err := <-r.fatal:
			reason, _, _ := strings.Cut(err.Error(), "\n") // a panic brings its stack
			return ending{text: reason, early: true}, err
		case <-r.exhausted:
			return ending{spent: true, calm: true}, nil
		case text := <-r.elapsed:
			return ending{text: text, early: text != "", calm: text == ""}, nil
		case <-r.warmed:
			p := r.epoch.Load().plan
			p.Warmup = Warmup{}
			r.muster(ctx, p, false)
		case <-r.applied:
			r.follow(ctx)
		case <-r.remapped():
			r.remap(ctx)
		}
	}
}

// bounded reports whether the run has an end of its own.
func (r *Runner) bounded() bool { return r.first.Requests > 0 || r.first.Duration > 0 }

// end stops the load: no new batch, then replies in flight for a bounded time,
// then no connection. It joins the workers.
func (r *Runner) end(ctx context.Context, why ending) {
	gone := r.crew.gone()
	if why.spent {
		// The clock runs until the last reply; stuck connections are replaced by
		// the watch, so that this ends.
		select {
		case <-gone:
		case <-ctx.Done():
		}
	}
	r.dismiss()
	limit, hurry := drainLimit, (<-chan struct{})(nil)
	if why.calm {
		limit, hurry = r.stall+drainLimit, ctx.Done()
	}
	select {
	case <-gone:
	case <-time.After(limit):
	case <-hurry:
	}
	r.ended.Store(true)
	for {
		r.crew.hangUp()
		select {
		case <-gone:
			return
		case <-time.After(10 * time.Millisecond): // a dial may have ended just now
		}
	}
}

// failure is the program's own failure met while ending, if any.
func (r *Runner) failure() error {
	select {
	case err := <-r.fatal:
		return err
	default:
		return nil
	}
}

// Snapshot is the latest published state; never nil, and free to call.
func (r *Runner) Snapshot() *stats.Snapshot { return r.snapshot.Load() }

// now is the time since the run began, from the monotonic clock (M7).
func (r *Runner) now() time.Duration { return time.Since(r.base) }

func (r *Runner) ending() bool { return r.ended.Load() }

// warmedUp asks for the epoch in which a counted run is measured.
func (r *Runner) warmedUp() {
	select {
	case r.warmed <- struct{}{}:
	default:
	}
}

// spent is called by the first worker that finds the budget empty.
func (r *Runner) spent() {
	r.spend.Do(func() {
		r.stand()
		close(r.exhausted)
	})
}

// stand keeps how many clients were connected while load was on, before any of them
// leaves.
func (r *Runner) stand() {
	for _, n := range r.everyNode() {
		n.standing.Store(n.connected.Load())
	}
	r.standing.CompareAndSwap(-1, r.connected.Load())
}

// PanicError is a panic in one of the run's goroutines: the program's own fault,
// carried to where it can be printed after the screen is left.
type PanicError struct {
	Where string
	Value any
	Stack []byte
}

// Error is where it happened, the value and the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("panic in %s: %v\n%s", e.Where, e.Value, e.Stack)
}

// guard is deferred first in every goroutine of the run.
func (r *Runner) guard(where string) {
	if v := recover(); v != nil {
		r.fail(&PanicError{Where: where, Value: v, Stack: debug.Stack()})
	}
}

func (r *Runner) fail(err error) {
	select {
	case r.fatal <- err:
	default: // the first failure is the one that is told
	}
}
