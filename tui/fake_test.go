package tui

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// fakeEngine is an engine without a server: it keeps what it was asked, and
// publishes what it is told to.
type fakeEngine struct {
	snap    atomic.Pointer[stats.Snapshot]
	told    atomic.Pointer[loadgen.Insight]
	applied func(loadgen.Plan) error                      // nil = accept
	running func(context.Context) (loadgen.Result, error) // nil = until ctx ends
	live    func(e *fakeEngine, ctx context.Context)      // publishes while running; may be nil
	onApply func(e *fakeEngine, p loadgen.Plan)           // after p was accepted; may be nil

	mu    sync.Mutex
	plans []loadgen.Plan
}

func (e *fakeEngine) Run(ctx context.Context) (loadgen.Result, error) {
	if e.live != nil {
		go e.live(e, ctx)
	}
	if e.running != nil {
		return e.running(ctx)
	}
	<-ctx.Done()
	return loadgen.Result{Reason: "stopped"}, nil
}

func (e *fakeEngine) Apply(p loadgen.Plan) error {
	if e.applied != nil {
		if err := e.applied(p); err != nil {
			return err
		}
	}
	if e.onApply != nil {
		e.onApply(e, p) // first: whoever sees the plan looks at its effect
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.plans = append(e.plans, p)
	return nil
}

func (e *fakeEngine) Snapshot() *stats.Snapshot { return e.snap.Load() }

func (e *fakeEngine) Insight() *loadgen.Insight { return e.told.Load() }

func (e *fakeEngine) got() []loadgen.Plan {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]loadgen.Plan(nil), e.plans...)
}

// eventually polls until ok, and fails the test after a generous deadline.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(45 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("never happened: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

var errRefused = errors.New("refused by the engine")

// firstPlan is SET at C=50, P=1, 64 bytes, 100k keys.
func firstPlan() loadgen.Plan {
	mix, err := workload.ParseMix("set")
	if err != nil {
		panic(err)
	}
	return loadgen.Plan{
		Clients: 50, Pipeline: 1, Warmup: loadgen.Warmup{Time: time.Second},
		Workload: workload.Workload{Mix: mix, Payload: 64, Keys: workload.KeySpace{Prefix: "fullbore:", Size: 100_000}},
	}
}

// latencyOf is a summary with enough batches for every quantile.
func latencyOf(from, step time.Duration) stats.Latency {
	h := stats.NewHistogram()
	for i := range 1000 {
		h.RecordN(from+time.Duration(i)*step, 200)
	}
	return h.Summary(200_000)
}

// fixedSnapshot is a run 102 s old whose pipeline went from 1 to 16 at 60 s.
func fixedSnapshot() *stats.Snapshot {
	s := &stats.Snapshot{State: stats.Measuring, Elapsed: 102 * time.Second, Epoch: 2, Connected: 50, Clients: 50}
	for at := 100 * time.Millisecond; at <= s.Elapsed; at += 100 * time.Millisecond {
		p := stats.Point{At: at, Span: 100 * time.Millisecond, Epoch: 1, Measured: true, Replies: 16_000 + int64(at/time.Second)%7*100,
			P50: 58 * time.Microsecond, P99: 172 * time.Microsecond, P999: 1200 * time.Microsecond}
		if at > time.Minute {
			p.Epoch, p.Replies = 2, 113_000+int64(at/time.Second)%5*900
			p.P50, p.P99, p.P999 = 230*time.Microsecond, 650*time.Microsecond, 2500*time.Microsecond
		}
		s.Points = append(s.Points, p)
	}
	segment := func(epoch, pipeline int, replies int64, over time.Duration, l stats.Latency) stats.Segment {
		return stats.Segment{Epoch: epoch, Pipeline: pipeline, Clients: 50, Measured: over, Latency: l, Plan: firstPlan().String(),
			Counters: stats.Counters{Sent: replies, Replies: replies, BytesIn: replies * 5, BytesOut: replies * 90, Batches: replies / int64(pipeline)}}
	}
	s.Window = segment(2, 16, 5_711_525, 5*time.Second, latencyOf(150*time.Microsecond, 500))
	s.Current = segment(2, 16, 46_720_000, 41*time.Second, latencyOf(152*time.Microsecond, 510))
	before := segment(1, 1, 9_936_780, 59*time.Second, latencyOf(40*time.Microsecond, 130))
	s.Before, s.History = &before, []stats.Segment{before}
	s.Whole = segment(2, 16, 56_656_780, 100*time.Second, latencyOf(90*time.Microsecond, 480))
	s.Total = stats.Counters{Sent: 57_000_000, Replies: 57_000_000}
	s.Marks = []stats.Mark{{At: time.Minute, Text: "pipeline 1 > 16"}}
	s.Warnings = []string{"client CPU 94% of 2 cores: the load generator may be the limit"}
	s.Bars = []stats.Bar{{UpTo: 100 * time.Microsecond, Count: 2}, {UpTo: 150 * time.Microsecond, Count: 11},
		{UpTo: 200 * time.Microsecond, Count: 28}, {UpTo: 300 * time.Microsecond, Count: 57}, {UpTo: time.Millisecond, Count: 2}}
	return s
}

// fixedNow is when every test run begins.
func fixedNow() time.Time { return time.Date(2026, 3, 1, 16, 1, 11, 0, time.UTC) }

// options are those of a test; the load starts at once.
func options(e *fakeEngine) Options {
	return Options{
		Plan: firstPlan(), Start: func(loadgen.Plan) Engine { return e }, Hertz: 4, Now: fixedNow,
		Facts: Facts{Target: "127.0.0.1:6379", Server: "redis 7.0.15 standalone", RTT: 60 * time.Microsecond},
		Save:  func(*stats.Snapshot, loadgen.Plan) (string, error) { return "fullbore-1.json", nil },
	}
}

// TestMain turns the test binary into one of its helper processes when a test
// started it as such (terminal_test.go).
func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		helper(role)
		return
	}
	os.Exit(m.Run())
}
