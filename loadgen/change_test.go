package loadgen_test

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

func apply(t *testing.T, r *loadgen.Runner, p loadgen.Plan) {
	t.Helper()
	if err := r.Apply(p); err != nil {
		t.Fatal(err)
	}
}

// calls is how many commands of the catalogue the server has seen.
func calls(t *testing.T, srv *redistest.Server) (n int64) {
	t.Helper()
	for _, c := range []string{"set", "get", "incr", "ping"} {
		n += srv.Calls(t, c)
	}
	return n
}

// The heart of the matter: the pipeline is turned while load runs.
func TestTurningThePipeline(t *testing.T) {
	checkGoroutines(t)
	srv := redistest.Start(t)
	p := plan(t, "set")
	p.Pipeline, p.Warmup.Time = 1, 200*time.Millisecond
	before := calls(t, srv)
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "P=1 is measured", func() bool { return r.Snapshot().Current.Measured > 400*time.Millisecond })

	p.Pipeline = 16
	epoch := r.Snapshot().Epoch
	apply(t, r, p)
	until(t, "the change is in force", func() bool { return r.Snapshot().Epoch > epoch })
	until(t, "P=16 is measured", func() bool {
		s := r.Snapshot()
		return s.Current.Pipeline == 16 && s.Current.Measured > 400*time.Millisecond
	})
	s := r.Snapshot()
	if s.Before == nil || s.Before.Pipeline != 1 || s.Before.Latency.Count == 0 {
		t.Fatalf("before: %+v, want the figures of P=1", s.Before)
	}
	if len(s.Marks) != 1 || s.Marks[0].Text != "pipeline 1 > 16" {
		t.Errorf("marks %+v", s.Marks)
	}
	if s.Current.Distribution != nil || s.Whole.Distribution != nil || s.Window.Distribution != nil {
		t.Error("a snapshot of a segment that goes on carries its distribution")
	}
	res := stop()
	if len(res.Segments) != 2 || res.Failed() {
		t.Fatalf("%d segments, faults %+v", len(res.Segments), res.Faults)
	}
	if got := calls(t, srv) - before; got != res.Total.Replies || res.Total.Lost != 0 {
		t.Errorf("the server counted %d, the run %+v", got, res.Total)
	}
	low, _ := res.Segments[0].Throughput()
	high, _ := res.Segments[1].Throughput()
	if high < low {
		t.Errorf("P=16 gives %.0f/s, P=1 %.0f/s", high, low)
	}
	for i, seg := range res.Segments {
		if seg.Latency.Count != seg.Counters.Replies {
			t.Errorf("segment %d: %d latencies, %d replies", i, seg.Latency.Count, seg.Counters.Replies)
		}
		if n := seg.Distribution.Count(); n != seg.Latency.Count || seg.Distribution.Mean() != seg.Latency.Sum/time.Duration(n) {
			t.Errorf("segment %d: the distribution has %d of %d latencies", i, n, seg.Latency.Count)
		}
	}
}

// Every knob, many times a second, up and down; nothing is lost and the last word
// stands. With -race this is C08 without a screen.
func TestAStormOfChanges(t *testing.T) {
	checkGoroutines(t)
	srv := redistest.Start(t)
	p := plan(t, "incr")
	p.Warmup.Time = 50 * time.Millisecond
	before := calls(t, srv)
	r, stop := live(t, at(t, srv.Addr), p)
	rnd := rand.New(rand.NewPCG(1, 1))
	mixes := []string{"set", "get", "incr", "ping_mbulk", "set=1,get=1", "ping_inline"}
	pick := func(n ...int) int { return n[rnd.IntN(len(n))] }
	for range 60 {
		switch rnd.IntN(7) {
		case 0:
			p.Clients = pick(1, 3, 10, 40)
		case 1:
			p.Pipeline = pick(1, 2, 16, 100)
		case 2:
			p.Workload.Payload = pick(1, 64, 2000)
		case 3:
			p.Workload.Mix = mixOf(t, mixes[rnd.IntN(len(mixes))])
		case 4:
			p.Workload.Keys.Size = int64(pick(1, 100, 3000))
		case 5:
			p.Rate = float64(pick(0, 0, 500, 20_000))
		case 6:
			p.Paused = !p.Paused
		}
		apply(t, r, p)
		time.Sleep(time.Duration(rnd.IntN(40)) * time.Millisecond)
	}
	p.Paused, p.Rate, p.Clients, p.Pipeline, p.Workload.Mix = false, 0, 5, 3, mixOf(t, "get")
	apply(t, r, p)
	until(t, "the last plan is measured", func() bool {
		s := r.Snapshot()
		return s.State == stats.Measuring && s.Current.Plan == p.String() && s.Connected == 5 && s.Current.Counters.Replies > 0
	})
	res := stop()
	if res.Failed() || res.Total.Lost != 0 {
		t.Errorf("faults %+v, total %+v", res.Faults, res.Total)
	}
	// Preparing writes keys with SET; those are on the books as set-up.
	if got := calls(t, srv) - before; got < res.Total.Replies || got > res.Total.Replies+res.Setup {
		t.Errorf("the server counted %d, the run %d and up to %d to prepare", got, res.Total.Replies, res.Setup)
	}
}

// Twenty changes in two seconds: several presses in a row are one change.
func TestPressesInARowAreOneChange(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	p.Pipeline, p.Warmup.Time = 1, 300*time.Millisecond
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "measured", func() bool { return r.Snapshot().Current.Measured > 200*time.Millisecond })
	for _, n := range []int{2, 4, 8, 16} {
		p.Pipeline = n
		apply(t, r, p)
		time.Sleep(20 * time.Millisecond)
	}
	until(t, "P=16 is measured", func() bool { return r.Snapshot().Current.Measured > 0 && r.Snapshot().Current.Pipeline == 16 })
	s := r.Snapshot()
	if len(s.Marks) != 1 || s.Marks[0].Text != "pipeline 1 > 16" || len(s.History) != 1 {
		t.Errorf("marks %+v, %d segments before; want one change from 1 to 16", s.Marks, len(s.History))
	}
	stop()
}

func TestPauseStopsTheClock(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "measured", func() bool { return r.Snapshot().Current.Measured > 200*time.Millisecond })
	p.Paused = true
	apply(t, r, p)
	until(t, "paused", func() bool { return r.Snapshot().State == stats.Paused })
	begun := time.Now()
	until(t, "batches under way end", func() bool {
		n := r.Snapshot().Total
		time.Sleep(150 * time.Millisecond)
		return r.Snapshot().Total == n
	})
	first := r.Snapshot()
	time.Sleep(time.Second)
	second := r.Snapshot()
	if first.Current.Measured != second.Current.Measured || first.Total != second.Total {
		t.Errorf("while paused: measured %v > %v, total %+v > %+v",
			first.Current.Measured, second.Current.Measured, first.Total, second.Total)
	}
	paused := time.Since(begun)
	p.Paused = false
	apply(t, r, p)
	until(t, "goes on", func() bool { return r.Snapshot().Current.Measured > second.Current.Measured+200*time.Millisecond })
	res := stop()
	if len(res.Segments) != 1 || len(res.Marks) != 0 {
		t.Errorf("a pause is no change: %d segments, marks %+v", len(res.Segments), res.Marks)
	}
	if res.Gaps.Longest >= paused { // shorter ones are those of a busy machine
		t.Errorf("the pause of %v is counted as a gap: %+v", paused, res.Gaps)
	}
}

func TestApplyingTheSamePlanStartsAfresh(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "measured", func() bool { return r.Snapshot().Current.Measured > 300*time.Millisecond })
	apply(t, r, p)
	until(t, "reset", func() bool { return len(r.Snapshot().History) == 1 })
	s := r.Snapshot()
	if s.Before != nil {
		t.Errorf("before a reset lies the same plan, which is nothing to compare with: %+v", s.Before)
	}
	if s.Current.Measured > s.History[0].Measured+time.Second {
		t.Errorf("measured %v after the reset", s.Current.Measured)
	}
	stop()
}

// A larger payload is written before reads are to find it (M17).
func TestReadsMeetTheNewSize(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "get")
	p.Workload.Payload = 10
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "measured", func() bool { return r.Snapshot().Current.Measured > 100*time.Millisecond })
	p.Workload.Payload = 3000
	apply(t, r, p)
	until(t, "3000 bytes are measured", func() bool {
		s := r.Snapshot()
		return s.Current.Plan == p.String() && s.Current.Counters.Replies > 1000
	})
	res := stop()
	c := res.Last().Counters
	if per := float64(c.BytesIn) / float64(c.Replies); per < 3000 || per > 3100 {
		t.Errorf("%.0f bytes a reply, want 3000 and its frame", per)
	}
	if rate, _ := c.HitRate(); rate < 1 {
		t.Errorf("hit rate %v", rate)
	}
}

func TestInvalidPlansAreRefused(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	r, stop := live(t, at(t, srv.Addr), p)
	for _, bad := range []func(*loadgen.Plan){
		func(p *loadgen.Plan) { p.Clients = 0 },
		func(p *loadgen.Plan) { p.Pipeline = 0 },
		func(p *loadgen.Plan) { p.Rate = -1 },
		func(p *loadgen.Plan) { p.Workload.Mix = nil },
		func(p *loadgen.Plan) { p.Workload.Payload = 0 },
	} {
		q := p
		bad(&q)
		if r.Apply(q) == nil {
			t.Errorf("accepted %+v", q)
		}
	}
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 0 })
	if res := stop(); res.Failed() {
		t.Errorf("faults %+v", res.Faults)
	}
}

// Open loop: the rate is kept, below one request per connection per second too,
// and a stall of the server shows up in the response time (M9, C02).
func TestOpenLoop(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	p.Clients, p.Pipeline, p.Rate = 200, 1, 400
	p.Duration = 2 * time.Second
	res := run(t, at(t, srv.Addr), p)
	seg := res.Last()
	// Slots, not seconds, are what is exact: no more may leave than were planned.
	planned := int64(p.Rate*seg.Measured.Seconds()) + 1
	if n := seg.Counters.Replies; n > planned || n < planned/2 {
		t.Errorf("%d replies for %d planned", n, planned)
	}
	if seg.Service.Count != seg.Latency.Count || seg.Lag.Count == 0 {
		t.Errorf("service %d lag %d latency %d: all are kept in open loop", seg.Service.Count, seg.Lag.Count, seg.Latency.Count)
	}
	if seg.Service.Sum > seg.Latency.Sum {
		t.Errorf("service time %v is longer than response time %v", seg.Service.Sum, seg.Latency.Sum)
	}
}

func TestAStallShowsInOpenLoop(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	p.Clients, p.Pipeline, p.Rate = 4, 1, 1000
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 500 })
	srv.Pause()
	time.Sleep(time.Second)
	srv.Resume()
	until(t, "it caught up", func() bool { return r.Snapshot().Current.Latency.Max > 900*time.Millisecond })
	seg := stop().Last()
	// A second of stall at 1000/s delays about a thousand requests, not four.
	if p99, ok := seg.Latency.Quantile(.99); !ok || p99 < 300*time.Millisecond {
		t.Errorf("p99 of the response time %v (%v): the stall is hidden", p99, ok)
	}
	if p90, ok := seg.Service.Quantile(.90); !ok || p90 > 300*time.Millisecond {
		t.Errorf("p90 of the service time %v (%v)", p90, ok)
	}
}

func TestLossesAreCountedAndRedialled(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 1000 })
	srv.Kill()
	until(t, "all are lost", func() bool { return r.Snapshot().Connected == 0 })
	lost := r.Snapshot()
	srv.Restart(t)
	until(t, "all are back", func() bool {
		s := r.Snapshot()
		return s.Connected == p.Clients && s.Total.Replies > lost.Total.Replies
	})
	res := stop()
	if !res.Failed() || res.Total.Lost == 0 || res.Total.Lost > int64(p.Clients*p.Pipeline) {
		t.Errorf("lost %d of at most %d in flight; faults %+v", res.Total.Lost, p.Clients*p.Pipeline, res.Faults)
	}
	if res.Total.Sent != res.Total.Replies+res.Total.Errors+res.Total.Lost {
		t.Errorf("the books do not balance: %+v", res.Total)
	}
	var dials int64
	for _, f := range res.Faults {
		if f.Class == stats.DialFault {
			dials += f.Count
		}
	}
	if dials > 500 {
		t.Errorf("%d attempts to dial: no back-off", dials)
	}
}

func TestAStuckConnectionIsReplaced(t *testing.T) {
	stub := redistest.Mute(t, 500)
	p := plan(t, "ping_mbulk")
	p.Clients, p.Pipeline, p.Stall = 2, 1, 300*time.Millisecond
	r, stop := live(t, at(t, stub.Addr), p)
	until(t, "two time-outs", func() bool {
		for _, f := range r.Snapshot().Faults {
			if f.Class == stats.TimeoutFault && f.Count >= 2 {
				return true
			}
		}
		return false
	})
	until(t, "fresh connections serve", func() bool { return r.Snapshot().Total.Replies > 1100 })
	if res := stop(); res.Total.Lost < 2 || !res.Failed() {
		t.Errorf("total %+v", res.Total)
	}
}

// A frozen server does not hold up the end.
func TestEndsPromptlyWhenTheServerIsFrozen(t *testing.T) {
	checkGoroutines(t)
	srv := redistest.Start(t)
	p := plan(t, "lpop")
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 1000 })
	srv.Pause()
	defer srv.Resume()
	until(t, "nothing is answered any more", func() bool {
		points := r.Snapshot().Points
		return len(points) > 2 && points[len(points)-1].Replies+points[len(points)-2].Replies == 0
	})
	begun := time.Now()
	res := stop()
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("took %v to end", took)
	}
	if res.Total.Lost == 0 {
		t.Errorf("what was in flight is lost: %+v", res.Total)
	}
}

// Nor does a change that needs other data, while a look at a stock waits for an answer.
func TestEndsPromptlyWhileAStockIsLookedAt(t *testing.T) {
	checkGoroutines(t)
	srv := redistest.Start(t)
	p := plan(t, "lpop")
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 1000 })
	srv.Pause()
	defer srv.Resume()
	time.Sleep(100 * time.Millisecond) // several looks; nothing depends on its length
	p.Workload.Mix = mixOf(t, "get")
	apply(t, r, p)
	until(t, "the change is being prepared", func() bool { return r.Snapshot().State == stats.Settling })
	begun := time.Now()
	stop()
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("took %v to end", took)
	}
}

// Nor does one that is frozen when clients connect.
func TestEndsPromptlyWhileConnecting(t *testing.T) {
	checkGoroutines(t)
	srv := redistest.Start(t)
	srv.Pause()
	defer srv.Resume()
	r, stop := live(t, at(t, srv.Addr), plan(t, "set"))
	time.Sleep(100 * time.Millisecond) // the kernel takes the connections; nobody answers
	if s := r.Snapshot(); s.State != stats.Preparing || s.Connected != 0 {
		t.Errorf("%v with %d connected", s.State, s.Connected)
	}
	begun := time.Now()
	res := stop()
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("took %v to end", took)
	}
	if len(res.Faults) != 0 || res.Reason != "stopped while preparing" {
		t.Errorf("faults %+v, %q: nobody is to blame", res.Faults, res.Reason)
	}
}

// A list that only grows is trimmed while a live load pushes; a counted one is not.
func TestStocksKeepTheirMarks(t *testing.T) {
	w := workload.Workload{Mix: mixOf(t, "lpop"), Payload: 3, Keys: workload.KeySpace{Prefix: prefix}}
	stock := w.Stocks()[0]
	srv := redistest.Start(t)
	p := plan(t, "lpop")
	p.Workload = w
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "more was popped than the stock held", func() bool { return r.Snapshot().Total.Replies > stock.Fill+stock.Fill/2 })
	res := stop()
	if rate, _ := res.Last().Counters.HitRate(); rate < 0.99 {
		t.Errorf("hit rate %v: the stock ran out", rate)
	}
}

// -k 0: every batch has a connection of its own, and the counts stay exact.
func TestReconnecting(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "incr")
	p.Clients, p.Pipeline, p.Requests, p.Reconnect = 3, 10, 1005, true
	before, connections := srv.Calls(t, "incr"), srv.Info(t, "stats")["total_connections_received"]
	res := run(t, at(t, srv.Addr), p)
	if got := srv.Calls(t, "incr") - before; got != p.Requests || res.Last().Counters.Replies != p.Requests {
		t.Errorf("the server counted %d, the run %+v; want %d", got, res.Last().Counters, p.Requests)
	}
	if res.Failed() {
		t.Errorf("faults %+v", res.Faults)
	}
	a, _ := strconv.Atoi(connections)
	b, _ := strconv.Atoi(srv.Info(t, "stats")["total_connections_received"])
	if batches := 1005/10 + 1; b-a < batches {
		t.Errorf("%d connections for %d batches", b-a, batches)
	}
}

// A slow counted open loop ends with its last request: idle clients hold no slots.
func TestSlowCountedOpenLoop(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	p.Clients, p.Pipeline, p.Rate, p.Requests = 50, 1, 10, 5
	begun := time.Now()
	res := run(t, at(t, srv.Addr), p)
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("5 requests at 10/s took %v", took)
	}
	if c := res.Last().Counters; c.Replies != 5 || res.Failed() {
		t.Errorf("%+v, faults %+v", c, res.Faults)
	}
}
