package loadgen_test

import (
	"context"
	"net"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

const prefix = "fullbore:"

// at is the target of a host:port.
func at(t testing.TB, addr string) target.Target {
	t.Helper()
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return target.TCP(host, n)
}

// mixOf parses a mix such as "set=1,get=10".
func mixOf(t testing.TB, s string) workload.Mix {
	t.Helper()
	m, err := workload.ParseMix(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// plan is a small closed-loop plan to vary.
func plan(t testing.TB, mix string) loadgen.Plan {
	return loadgen.Plan{
		Clients: 7, Pipeline: 16,
		Workload: workload.Workload{
			Mix: mixOf(t, mix), Payload: 3, Keys: workload.KeySpace{Prefix: prefix, Size: 1000}, Seed: 1,
		},
	}
}

func run(t testing.TB, tgt target.Target, p loadgen.Plan) loadgen.Result {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	res, err := loadgen.New(tgt, p).Run(ctx)
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	return res
}

// until polls cond; the deadline only bounds a failure.
func until(t testing.TB, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(45 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if cond() {
			return
		}
	}
	t.Fatalf("never happened: %s", what)
}

// Every row of the catalogue: exactly -n commands reach the server, whatever the
// pipeline (M10), none fails, and what reads hits.
func TestEveryTestSendsExactlyN(t *testing.T) {
	srv := redistest.Start(t)
	for _, test := range workload.Catalog() {
		t.Run(test.Title, func(t *testing.T) {
			p := plan(t, test.Names[0])
			p.Workload.Mix = workload.Single(test)
			p.Requests = 10_007
			command := strings.ToLower(test.Args[0])
			before := srv.Calls(t, command)
			res := run(t, at(t, srv.Addr), p)
			if got := srv.Calls(t, command) - before; got != p.Requests {
				t.Errorf("the server counted %d %s, want %d", got, command, p.Requests)
			}
			c := res.Last().Counters
			if c.Replies != p.Requests || c.Errors+c.Lost != 0 || c.Sent != p.Requests {
				t.Errorf("counters %+v, want %d replies and nothing else", c, p.Requests)
			}
			if res.Last().Latency.Count != p.Requests {
				t.Errorf("%d latencies, want one for each reply", res.Last().Latency.Count)
			}
			if res.Failed() || res.Partial {
				t.Errorf("failed: %+v %q", res.Faults, res.Reason)
			}
			if rate, ok := c.HitRate(); test.Reads && (!ok || rate < 0.99) {
				t.Errorf("hit rate %v (%v), want at least 0.99", rate, ok)
			}
			if want := p.Requests * int64(test.Keys); c.Keys != want {
				t.Errorf("keys %d, want %d", c.Keys, want)
			}
		})
	}
}

func TestMixesAreCountedByTest(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set=1,get=3")
	p.Requests = 20_000
	before := srv.Calls(t, "get")
	seg := run(t, at(t, srv.Addr), p).Last()
	if len(seg.Commands) != 2 {
		t.Fatalf("%d rows, want 2", len(seg.Commands))
	}
	set, get := seg.Commands[0], seg.Commands[1]
	if set.Counters.Replies+get.Counters.Replies != p.Requests {
		t.Errorf("rows add up to %d, want %d", set.Counters.Replies+get.Counters.Replies, p.Requests)
	}
	if got := srv.Calls(t, "get") - before; got != get.Counters.Replies {
		t.Errorf("the server counted %d GETs, the row says %d", got, get.Counters.Replies)
	}
	if share := float64(get.Counters.Replies) / float64(p.Requests); share < .73 || share > .77 {
		t.Errorf("GET has a share of %.3f, want 0.75", share)
	}
	if seg.Counters.Batches >= set.Counters.Batches+get.Counters.Batches {
		t.Errorf("a batch of both rows counts once: %d against %d + %d", seg.Counters.Batches, set.Counters.Batches, get.Counters.Batches)
	}
}

// C05, C42: one request, a handful, none at all.
func TestTinyRuns(t *testing.T) {
	srv := redistest.Start(t)
	for _, n := range []int64{1, 2, 10} {
		p := plan(t, "set")
		p.Requests = n
		seg := run(t, at(t, srv.Addr), p).Last()
		if seg.Counters.Replies != n || seg.Latency.Count != n {
			t.Errorf("n=%d: %+v", n, seg.Counters)
		}
		if _, ok := seg.Latency.Quantile(.99); ok {
			t.Errorf("n=%d: a p99 of %d batches means nothing (M3)", n, seg.Latency.Batches)
		}
	}
}

// live starts a run that ends only when the test says so.
func live(t *testing.T, tgt target.Target, p loadgen.Plan) (r *loadgen.Runner, stop func() loadgen.Result) {
	t.Helper()
	r = loadgen.New(tgt, p)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	done := make(chan loadgen.Result, 1)
	go func() {
		res, err := r.Run(ctx)
		if err != nil {
			t.Errorf("run: %v", err)
		}
		done <- res
	}()
	return r, func() loadgen.Result {
		cancel()
		return <-done
	}
}

// C06 and C02: a server that freezes for longer than other tools' histograms
// reach is seen in the maximum and in the gaps, unclamped.
func TestAFreezeIsSeen(t *testing.T) {
	const freeze = 3500 * time.Millisecond
	srv := redistest.Start(t)
	p := plan(t, "set")
	p.Clients, p.Pipeline = 1, 1
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 1000 })
	srv.Pause()
	time.Sleep(freeze)
	srv.Resume()
	until(t, "load goes on", func() bool { return r.Snapshot().Window.Latency.Max > 3*time.Second })
	res := stop()
	l := res.Last().Latency
	const late = 100 * time.Millisecond // until the signal takes effect
	if l.Max < freeze-late || l.Over != 0 || res.Failed() {
		t.Errorf("max %v over %d faults %+v, want %v and nothing clamped", l.Max, l.Over, res.Faults, freeze)
	}
	if res.Gaps.Longest < freeze-late || res.Gaps.Count < 1 || res.Gaps.Total < res.Gaps.Longest {
		t.Errorf("the stall is not in the gaps: %+v", res.Gaps)
	}
	var empty time.Duration
	for _, point := range res.Points {
		if point.Replies == 0 && point.Measured {
			empty += point.Span
		}
	}
	if empty < freeze-500*time.Millisecond {
		t.Errorf("%v of the time line is empty, want about %v", empty, freeze)
	}
}

// C09: errors in the middle of a run are counted apart and end nothing.
func TestErrorRepliesAreData(t *testing.T) {
	srv := redistest.Start(t)
	srv.Do(t, "SET", prefix+"counter:000000000007", "no number")
	p := plan(t, "incr")
	p.Workload.Keys.Size = 20
	p.Requests = 5_000
	res := run(t, at(t, srv.Addr), p)
	c := res.Last().Counters
	if c.Errors == 0 || c.Replies+c.Errors != p.Requests {
		t.Fatalf("counters %+v: want some errors, and all requests answered", c)
	}
	if res.Last().Latency.Count != c.Replies {
		t.Errorf("%d latencies for %d successes: errors have none (M30)", res.Last().Latency.Count, c.Replies)
	}
	f := res.Faults[0]
	if f.Class != stats.ReplyFault || f.Code != "ERR" || f.Count != c.Errors || !strings.Contains(f.Text, "not an integer") {
		t.Errorf("fault %+v", f)
	}
	if !res.Failed() || res.Partial {
		t.Errorf("failed %v partial %v, want a complete run that failed", res.Failed(), res.Partial)
	}
}

func TestNothingListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	tgt := at(t, l.Addr().String())
	l.Close()
	p := plan(t, "ping_mbulk")
	p.Requests = 10
	res := run(t, tgt, p)
	if !res.Partial || res.Total.Sent != 0 || res.Faults[0].Class != stats.DialFault || res.Faults[0].Code != "refused" {
		t.Errorf("partial %v sent %d faults %+v", res.Partial, res.Total.Sent, res.Faults)
	}
}

// checkGoroutines fails the test when goroutines of the run are left behind.
func checkGoroutines(t *testing.T) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if runtime.NumGoroutine() <= before {
				return
			}
		}
		stack := make([]byte, 1<<20)
		t.Errorf("%d goroutines at the start, %d left:\n%s", before, runtime.NumGoroutine(), stack[:runtime.Stack(stack, true)])
	})
}

// A counted run with a warm-up measures exactly its requests; those of the warm-up
// come on top and are nobody's (M10, M11).
func TestWarmupIsNotCounted(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "incr")
	p.Requests, p.Warmup.Time = 20_000, 300*time.Millisecond
	before := srv.Calls(t, "incr")
	res := run(t, at(t, srv.Addr), p)
	c := res.Last().Counters
	if c.Replies != p.Requests || c.Sent != p.Requests || res.Last().Latency.Count != p.Requests {
		t.Errorf("measured %+v, want exactly %d", c, p.Requests)
	}
	if got := srv.Calls(t, "incr") - before; got != res.Total.Replies || got <= p.Requests {
		t.Errorf("the server counted %d, the run %d in all", got, res.Total.Replies)
	}
	if res.Failed() {
		t.Errorf("faults %+v %q", res.Faults, res.Reason)
	}
}
