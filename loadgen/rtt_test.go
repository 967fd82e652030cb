package loadgen_test

import (
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// far is a plan with a simulated round trip, measured for half a second.
func far(t *testing.T, clients, pipeline int, rtt time.Duration) loadgen.Plan {
	p := plan(t, "set")
	p.Clients, p.Pipeline, p.RTT, p.Duration = clients, pipeline, rtt, 500*time.Millisecond
	return p
}

// TestSimulatedRoundTrip: a client waits for at least the round trip before it sends
// again, whatever the depth, and every reply counts as so much later.
func TestSimulatedRoundTrip(t *testing.T) {
	const rtt = 20 * time.Millisecond
	srv := redistest.Start(t)
	for name, tt := range map[string]struct {
		clients, pipeline int
		batch             workload.Batch
		turn              int64 // commands of one client in one round trip
	}{
		"one":      {1, 1, workload.Pipelined, 1},
		"pipeline": {1, 16, workload.Pipelined, 16},
		"clients":  {3, 1, workload.Pipelined, 3},
		"multi":    {1, 16, workload.Multi, 16},
		"none":     {1, 16, workload.Unbatched, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := far(t, tt.clients, tt.pipeline, rtt)
			p.Batch = tt.batch
			res := run(t, at(t, srv.Addr), p)
			seg := res.Last()
			// Turns that are complete cannot be more than fit; a busy machine makes them fewer.
			most := tt.turn * (int64(seg.Measured/rtt) + 1)
			if n := seg.Counters.Replies; n > most || n < most/10 {
				t.Errorf("%d replies in %v, want about %d", n, seg.Measured, most)
			}
			if seg.Latency.Min < rtt || seg.Latency.Count != seg.Counters.Replies {
				t.Errorf("%d latencies from %v, want all of at least %v", seg.Latency.Count, seg.Latency.Min, rtt)
			}
			if p50, ok := seg.Latency.Quantile(.50); ok && p50 > 10*rtt {
				t.Errorf("median %v for a round trip of %v", p50, rtt)
			}
			if share, ok := seg.LittleLaw(); ok && tt.batch != workload.Unbatched && (share < .5 || share > 1.1) {
				t.Errorf("latency × rate is %v of clients × pipeline", share)
			}
			if res.Failed() || !strings.Contains(seg.Plan, "rtt=20ms (simulated)") {
				t.Errorf("faults %+v, plan %q", res.Faults, seg.Plan)
			}
		})
	}
}

// TestRoundTripInOpenLoop: the schedule is kept where there are clients enough, and
// both times carry the round trip.
func TestRoundTripInOpenLoop(t *testing.T) {
	srv := redistest.Start(t)
	p := far(t, 40, 1, 20*time.Millisecond)
	p.Rate = 400
	seg := run(t, at(t, srv.Addr), p).Last()
	planned := int64(p.Rate*seg.Measured.Seconds()) + 1
	if n := seg.Counters.Replies; n > planned || n < planned/2 {
		t.Errorf("%d replies for %d planned", n, planned)
	}
	if seg.Latency.Min < p.RTT || seg.Service.Min < p.RTT || seg.Service.Sum > seg.Latency.Sum {
		t.Errorf("response from %v, service from %v, want at least %v", seg.Latency.Min, seg.Service.Min, p.RTT)
	}
	// One client makes 50 turns a second at most, whatever is asked for.
	p.Clients = 1
	if seg := run(t, at(t, srv.Addr), p).Last(); seg.Counters.Replies > int64(seg.Measured/p.RTT)+1 {
		t.Errorf("%d replies in %v over one connection", seg.Counters.Replies, seg.Measured)
	}
}

// TestRoundTripIsTurned: it is a knob like others, and a hold under way ends with
// the plan that asked for it.
func TestRoundTripIsTurned(t *testing.T) {
	checkGoroutines(t)
	srv := redistest.Start(t)
	p := plan(t, "set")
	p.Clients, p.Pipeline, p.RTT = 2, 1, 10*time.Second
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "the first replies are held", func() bool { return srv.Calls(t, "set") == 2 })
	time.Sleep(50 * time.Millisecond)
	if n := r.Snapshot().Total.Replies; n != 0 {
		t.Errorf("%d replies count before they would have come", n)
	}
	p.RTT = 0
	apply(t, r, p)
	until(t, "load without a round trip", func() bool { return r.Snapshot().Current.Counters.Replies > 1000 })
	if marks := r.Snapshot().Marks; len(marks) != 1 || marks[0].Text != "simulated round trip 10s > 0s" {
		t.Errorf("marks %+v", marks)
	}
	p.RTT = 10 * time.Second
	apply(t, r, p)
	until(t, "held again", func() bool { return strings.Contains(r.Snapshot().Current.Plan, "rtt=10s") })
	begun := time.Now()
	res := stop()
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("took %v to end while replies were held", took)
	}
	if res.Failed() || res.Total.Lost != 0 {
		t.Errorf("total %+v, faults %+v", res.Total, res.Faults)
	}
}

func TestRoundTripsThatAreNone(t *testing.T) {
	p := plan(t, "set")
	for rtt, ok := range map[time.Duration]bool{0: true, time.Microsecond: true, 10 * time.Second: true, -1: false, 11 * time.Second: false} {
		p.RTT = rtt
		if err := p.Validate(); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "--rtt takes 0") {
			t.Errorf("%v: %v", rtt, err)
		}
	}
	q := p
	p.RTT, q.RTT = 0, time.Millisecond
	if got := p.Changes(q); got != "simulated round trip 0s > 1ms" {
		t.Errorf("changes %q", got)
	}
	if strings.Contains(p.String(), "rtt") || !strings.HasSuffix(q.String(), "rtt=1ms (simulated)") {
		t.Errorf("%q and %q", p, q)
	}
}

// TestReconnectingOverARoundTrip: a new connection for every batch pays for
// connecting as well.
func TestReconnectingOverARoundTrip(t *testing.T) {
	srv := redistest.Start(t)
	p := far(t, 1, 1, 20*time.Millisecond)
	p.Reconnect = true
	res := run(t, at(t, srv.Addr), p)
	seg := res.Last()
	if most := int64(seg.Measured/(2*p.RTT)) + 1; seg.Counters.Replies > most || seg.Counters.Replies < most/3 || res.Failed() {
		t.Errorf("%d replies in %v, want about %d", seg.Counters.Replies, seg.Measured, most)
	}
}

// TestRestart: a round is a segment of its own, also where the plan only ends a
// pause, and its shape is there in the pause after it (M19).
func TestRestart(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	p.Paused = true
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "connected and paused", func() bool { return r.Snapshot().State == stats.Paused })
	if s := r.Snapshot(); s.Connected != p.Clients || s.Total.Sent != 0 || s.Current.Distribution != nil {
		t.Errorf("%d connected, %+v", s.Connected, s.Total)
	}
	p.Warmup.Time = 30 * time.Millisecond
	var last stats.Segment
	for n := range 3 {
		epoch := r.Snapshot().Epoch
		p.Paused = false
		if err := r.Restart(p); err != nil {
			t.Fatal(err)
		}
		until(t, "a round is measured", func() bool {
			s := r.Snapshot()
			return s.Epoch > epoch && s.State == stats.Measuring && s.Current.Measured > 50*time.Millisecond && s.Current.Counters.Replies > 0
		})
		p.Paused = true
		apply(t, r, p)
		until(t, "paused", func() bool { return r.Snapshot().State == stats.Paused })
		s := r.Snapshot()
		c := s.Current
		if len(s.History) != n || c.Counters.Replies == 0 || c.Measured > 5*time.Second {
			t.Fatalf("round %d: %d segments before, %+v", n, len(s.History), c)
		}
		if c.Distribution.Count() != c.Counters.Replies || c.Latency.Count != c.Counters.Replies {
			t.Errorf("round %d: %d of %d replies in its shape", n, c.Distribution.Count(), c.Counters.Replies)
		}
		if n > 0 && s.History[n-1].Counters != last.Counters {
			t.Errorf("round %d became %+v, it was %+v", n-1, s.History[n-1].Counters, last.Counters)
		}
		last = c
	}
	p.Clients = 0
	if r.Restart(p) == nil {
		t.Error("a plan without clients was accepted")
	}
	res := stop()
	if len(res.Segments) != 3 || res.Failed() || res.Last().Counters != last.Counters {
		t.Errorf("%d segments, faults %+v", len(res.Segments), res.Faults)
	}
}
