package experiment_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// world is a simulated server that any number of simulated runs share. It lives in
// a synctest bubble, whose clock it goes by.
type world struct {
	rate    func(p loadgen.Plan) float64 // replies per second of a round under p
	frozen  bool                         // rounds never begin to be measured
	missing int                          // clients that do not get a connection
	explode string                       // runs end with this panic, when set
	failing error                        // runs end with it as soon as they are started

	mu      sync.Mutex
	runs    []*sim
	running int // Run calls that have not returned
	most    int // runs that were under load at once
	log     []loadgen.Plan
}

// sim is one simulated run.
type sim struct {
	world *world
	first loadgen.Plan // what it was made with

	mu      sync.Mutex
	plan    loadgen.Plan
	epoch   int
	since   time.Time // of the plan now in force
	value   float64   // rate of the round
	current stats.Segment
}

func (w *world) start(_ target.Target, p loadgen.Plan) (experiment.Load, func(context.Context) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &sim{world: w, first: p, plan: p, since: time.Now()}
	w.runs = append(w.runs, s)
	return s, func(ctx context.Context) error {
		w.mu.Lock()
		w.running++
		w.mu.Unlock()
		defer func() {
			w.mu.Lock()
			w.running--
			w.mu.Unlock()
		}()
		time.Sleep(10 * time.Millisecond) // connecting
		if w.explode != "" {
			panic(w.explode)
		}
		if w.failing != nil {
			return w.failing
		}
		s.mu.Lock()
		s.epoch = 1
		s.mu.Unlock()
		<-ctx.Done()
		return nil
	}
}

// Restart and Apply put a plan into force at once; a fresh one draws its rate.
func (s *sim) Restart(p loadgen.Plan) error {
	s.world.mu.Lock()
	value := s.world.rate(p)
	s.world.log = append(s.world.log, p)
	s.world.mu.Unlock()
	s.mu.Lock()
	s.plan, s.since, s.value, s.current = p, time.Now(), value, stats.Segment{}
	s.epoch++
	s.mu.Unlock()
	s.world.count()
	return p.Validate()
}

func (s *sim) Apply(p loadgen.Plan) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Paused && !s.plan.Paused {
		s.current = s.segment()
	}
	s.plan, s.since = p, time.Now()
	s.epoch++
	return p.Validate()
}

// count takes note of how many runs are under load.
func (w *world) count() {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, s := range w.runs {
		s.mu.Lock()
		if !s.plan.Paused {
			n++
		}
		s.mu.Unlock()
	}
	w.most = max(w.most, n)
}

// segment is what was measured so far: each reply takes as long as Little's law asks.
func (s *sim) segment() stats.Segment {
	measured := time.Since(s.since) - s.plan.Warmup.Time
	if measured <= 0 || s.world.frozen {
		return stats.Segment{Plan: s.plan.String()}
	}
	n := int64(s.value * measured.Seconds())
	out := stats.Segment{
		Plan: s.plan.String(), Measured: measured, Target: s.plan.Rate,
		Counters: stats.Counters{Sent: n, Replies: n, Batches: n},
	}
	if n > 0 {
		h := stats.NewHistogram()
		h.RecordN(time.Duration(float64(s.plan.Clients)/s.value*1e9), n)
		out.Latency, out.Distribution = h.Summary(n), h.Distribution()
	}
	return out
}

func (s *sim) Snapshot() *stats.Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := &stats.Snapshot{Epoch: s.epoch, Current: s.current, Clients: s.plan.Clients, Connected: s.plan.Clients - s.world.missing}
	switch {
	case s.epoch == 0:
		now.State = stats.Preparing
	case s.plan.Paused:
		now.State = stats.Paused
	case s.world.frozen || time.Since(s.since) < s.plan.Warmup.Time:
		now.State = stats.Settling
	default:
		now.State = stats.Measuring
		now.Current = stats.Segment{Measured: time.Since(s.since) - s.plan.Warmup.Time}
	}
	return now
}

// noisy has each pipeline depth give 1000 replies a second, times 1 ± share.
func noisy(seed uint64, share float64) func(loadgen.Plan) float64 {
	random := rand.New(rand.NewPCG(seed, 7))
	return func(p loadgen.Plan) float64 {
		return 1000 * float64(p.Pipeline) * (1 + share*(2*random.Float64()-1))
	}
}

// plain is an arm with a pipeline of the given depth.
func plain(t *testing.T, pipeline int) experiment.Arm {
	t.Helper()
	return experiment.Arm{
		Label: fmt.Sprintf("P=%d", pipeline),
		Plan: loadgen.Plan{Clients: 2, Pipeline: pipeline, Workload: workload.Workload{
			Mix: mixOf(t, "set"), Payload: 3, Keys: workload.KeySpace{Prefix: "fullbore:", Size: 10},
		}},
	}
}

func mixOf(t *testing.T, s string) workload.Mix {
	t.Helper()
	mix, err := workload.ParseMix(s)
	if err != nil {
		t.Fatal(err)
	}
	return mix
}

// plans are the present plans of c, to change and apply.
func plans(c *experiment.Comparison) experiment.Settings {
	s := c.Snapshot()
	set := experiment.Settings{Reference: s.Reference}
	for _, side := range s.Arms {
		set.Plans = append(set.Plans, side.Arm.Plan)
	}
	return set
}

// begin runs c in the background; the function returned ends it and waits.
func begin(t *testing.T, w *world, c *experiment.Comparison) (end func() (*experiment.State, error)) {
	t.Helper()
	experiment.Simulate(c, w.start)
	ctx, cancel := context.WithCancel(t.Context())
	type outcome struct {
		s   *experiment.State
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		s, err := c.Run(ctx)
		done <- outcome{s, err}
	}()
	return func() (*experiment.State, error) {
		t.Helper()
		cancel()
		out := <-done
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.running != 0 {
			t.Errorf("%d runs go on after the end", w.running)
		}
		return out.s, out.err
	}
}

// whole runs c to its own end.
func whole(t *testing.T, w *world, c *experiment.Comparison) *experiment.State {
	t.Helper()
	c.Once = true
	experiment.Simulate(c, w.start)
	s, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if w.running != 0 {
		t.Errorf("%d runs go on after the end", w.running)
	}
	return s
}

// wait lets the bubble's time pass until cond, for at most some minutes of it.
func wait(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for range 100_000 {
		if cond() {
			return
		}
		time.Sleep(3 * time.Millisecond)
	}
	t.Fatalf("never happened: %s", what)
}
