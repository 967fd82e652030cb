package report_test

import (
	"context"
	"math"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// measure runs p against a server; watch, if any, sees every snapshot meanwhile.
func measure(t *testing.T, to target.Target, p loadgen.Plan, watch func(*stats.Snapshot)) loadgen.Result {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	run := loadgen.New(to, p)
	type ended struct {
		r   loadgen.Result
		err error
	}
	done := make(chan ended, 1)
	go func() {
		r, err := run.Run(ctx)
		done <- ended{r, err}
	}()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case e := <-done:
			if e.err != nil {
				t.Fatal(e.err)
			}
			return e.r
		case <-tick.C:
			if watch != nil {
				watch(run.Snapshot())
			}
		}
	}
}

// complete holds that a series leaves out nothing that was measured.
func complete(t *testing.T, d decoded) {
	t.Helper()
	var answers int64
	var seconds float64
	for _, s := range d.Series {
		answers, seconds = answers+s.Replies+s.Errors, seconds+s.Seconds
	}
	if answers != d.Measured || math.Abs(seconds-d.Seconds) > 1e-6 {
		t.Errorf("the series has %d answers in %v s, want %d in %v s", answers, seconds, d.Measured, d.Seconds)
	}
}

// TestCountedRun holds that every count of the document is the server's own (M10).
func TestCountedRun(t *testing.T) {
	server := redistest.Start(t)
	p := plan(t, "get")
	p.Clients, p.Requests = 7, 1003
	before := server.Calls(t, "get")
	r := measure(t, target.TCP(server.Host, server.Port), p, nil)
	promised(t, r)
	d := decode(t, r)
	if counted := server.Calls(t, "get") - before; counted != 1003 || d.Requests != 1003 || d.Measured != 1003 {
		t.Errorf("the server counted %d, the report %d requests, %d measured; want 1003 everywhere", counted, d.Requests, d.Measured)
	}
	complete(t, d)
}

// TestFrozenServer is C02 in short: the server stops for a second in the middle,
// and the document shows it in every way it has, although the loop is closed (M8).
func TestFrozenServer(t *testing.T) {
	server := redistest.Start(t)
	p := plan(t, "get")
	p.Pipeline, p.Requests, p.Duration = 1, 0, 2500*time.Millisecond
	var frozen, thawed time.Time
	r := measure(t, target.TCP(server.Host, server.Port), p, func(s *stats.Snapshot) {
		switch {
		case frozen.IsZero() && s.Current.Measured > 700*time.Millisecond:
			server.Pause()
			frozen = time.Now()
		case !frozen.IsZero() && thawed.IsZero() && time.Since(frozen) > time.Second:
			server.Resume()
			thawed = time.Now()
		}
	})
	promised(t, r)
	d := decode(t, r)
	complete(t, d)
	stop := thawed.Sub(frozen)
	// What a busy machine adds makes the stall longer, never shorter.
	if longest := time.Duration(d.Longest * 1e6); thawed.IsZero() || longest < stop-50*time.Millisecond {
		t.Errorf("longest gap %v of a stop of %v", longest, stop)
	}
	if d.Gaps.Count < 1 || d.Stalled == nil || *d.Stalled < .9*stop.Seconds()/d.Seconds {
		t.Errorf("%d gaps, stalled share %s of %v s", d.Gaps.Count, show(d.Stalled), d.Seconds)
	}
	if most := *d.Latency["max"]; most < d.Longest-50 {
		t.Errorf("max %v ms below a gap of %v ms", most, d.Longest)
	}
	if len(d.Warnings) == 0 {
		t.Error("no warning of the stall")
	}
}

// TestOpenLoopDocument holds that an open loop says what was asked, what came of
// it, and both of its latencies (M9). How late a busy machine was is not judged.
func TestOpenLoopDocument(t *testing.T) {
	server := redistest.Start(t)
	p := plan(t, "get")
	p.Pipeline, p.Requests, p.Duration, p.Rate = 1, 0, 1500*time.Millisecond, 200
	p.Warmup = loadgen.Warmup{Time: 300 * time.Millisecond}
	r := measure(t, target.TCP(server.Host, server.Port), p, nil)
	promised(t, r)
	d := decode(t, r)
	if d.Load != "open at 200/s" || d.Warmup != "300ms" || *d.Target != 200 || d.Achieved == nil || d.Keeps == nil || d.Little != nil {
		t.Errorf("%s, warm-up %s, target %s, achieved %s, keeps %s, little %s", d.Load, d.Warmup, show(d.Target), show(d.Achieved), show(d.Keeps), show(d.Little))
	}
	complete(t, d)
	if d.Service["p50"] == nil || d.Lag["max"] == nil || *d.Service["p50"] > *d.Latency["max"] {
		t.Errorf("service %v, lag %v", d.Service, d.Lag)
	}
	if d.Requests <= d.Measured || d.Measured == 0 {
		t.Errorf("%d requests in all, %d measured; the warm-up sent some", d.Requests, d.Measured)
	}
	if math.Abs(*d.Achieved-*d.RPS/200) > 1e-9 {
		t.Errorf("achieved %v of 200 at %v a second", *d.Achieved, *d.RPS)
	}
}

// TestMuteServer is the end of C05: a server that never answers.
func TestMuteServer(t *testing.T) {
	stub := redistest.Mute(t, 0)
	p := plan(t, "get")
	p.Clients, p.Pipeline, p.Requests, p.Duration, p.Stall = 2, 1, 0, time.Second, 300*time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	// Without a reply no connection counts as one, so the run may also end in an
	// error; whatever it leaves must print.
	r, _ := loadgen.New(target.TCP("127.0.0.1", stub.Port), p).Run(ctx)
	promised(t, r)
	if d := decode(t, r); d.RPS != nil || d.Requests != 0 || d.Latency["max"] != nil {
		t.Errorf("rps %s, %d requests, max %s of a server that never answered", show(d.RPS), d.Requests, show(d.Latency["max"]))
	}
}
