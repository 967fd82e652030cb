package loadgen

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"fullbore/loadgen/insight"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// observed is the result of a run on a machine that tells nothing of itself, so that
// what else goes on here decides nothing.
func observed(t *testing.T, addr string, p Plan) Result {
	t.Helper()
	mix, err := workload.ParseMix("set")
	if err != nil {
		t.Fatal(err)
	}
	p.Workload = workload.Workload{Mix: mix, Payload: 3, Keys: workload.KeySpace{Prefix: "seen:", Size: 100}}
	r := New(target.Target{Network: "tcp", Address: addr}, p)
	r.observer.system = fstest.MapFS{}
	if r.Insight() != nil {
		t.Error("an Insight before the first look")
	}
	res, err := r.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if res.Insight == nil || res.Insight != r.Insight() {
		t.Fatalf("the result has another Insight than the run: %v", res.Insight)
	}
	return res
}

// TestLimiterOfARun: what holds a run back is named after any length of it, from a server
// that says so.
func TestLimiterOfARun(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	busy := redistest.Telling(t, time.Millisecond, func() string {
		us := time.Since(begun).Seconds()
		return fmt.Sprintf("redis_version:7.0.15\r\nrun_id:a\r\nused_cpu_user_main_thread:%.6f\r\nused_cpu_sys_main_thread:0.0\r\n", us)
	})
	for _, c := range []struct {
		name  string
		addr  string
		plan  Plan
		want  string
		words string
	}{
		{"in flight", redistest.Start(t).Addr, Plan{Clients: 1, Pipeline: 1, RTT: 20 * time.Millisecond, Duration: 1500 * time.Millisecond}, insight.ByInFlight, "1"},
		{"in flight, short", redistest.Start(t).Addr, Plan{Clients: 1, Pipeline: 1, RTT: 20 * time.Millisecond, Requests: 20}, insight.ByInFlight, "1"},
		{"server", busy.Addr, Plan{Clients: 1, Pipeline: 1, Duration: 2500 * time.Millisecond}, insight.ByServer, "main thread"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			res := observed(t, c.addr, c.plan)
			if l := res.Limiter; l.Name != c.want || !strings.Contains(l.Evidence, c.words) || l.Advice == "" {
				t.Errorf("limiter %+v, want %s", l, c.want)
			}
			if len(res.Limiters) != len(res.Segments) || res.Limiters[0] != res.Limiter {
				t.Errorf("limiters %+v of %d segments", res.Limiters, len(res.Segments))
			}
			if s := res.Insight.Reading.Server; s.Kind != "redis" || s.Version == "" {
				t.Errorf("server %+v", s)
			}
		})
	}
}

// TestInsightAsksOnceASecond: a second's looks cost the server two commands, and its
// counters stay as they are.
func TestInsightAsksOnceASecond(t *testing.T) {
	t.Parallel()
	srv := redistest.Start(t)
	begun := time.Now()
	res := observed(t, srv.Addr, Plan{Clients: 2, Pipeline: 1, RTT: time.Millisecond, Duration: 3 * time.Second})
	lasted := time.Since(begun)
	said := srv.Info(t, "commandstats")
	var calls, probes int
	fmt.Sscanf(said["cmdstat_info"], "calls=%d", &calls)
	fmt.Sscanf(said["cmdstat_dbsize"], "calls=%d", &probes)
	// One look before the load, one as it begins, one after it, and those of the seconds.
	if most := infoCommands * (int(lasted.Seconds()) + 3); calls < infoCommands*3 || calls > most {
		t.Errorf("%d INFO in %v, want at most %d", calls, lasted, most)
	}
	if probes > knocks || said["cmdstat_config|resetstat"] != "" {
		t.Errorf("%d probes, %v", probes, said)
	}
	in := res.Insight
	if len(in.Beats) == 0 || in.Since.Commands == 0 || in.Since.Calls["set"].Calls == 0 || in.Silent != "" {
		t.Errorf("beats %v, since %+v, silent %q", in.Beats, in.Since, in.Silent)
	}
	for _, b := range in.Beats {
		if b.Ops <= 0 || b.Memory <= 0 || b.Clients < 3 || b.Client < 0 || b.CPU < 0 || b.In <= 0 {
			t.Errorf("beat %+v", b)
		}
	}
	if share, ok := in.Since.Ours(res.Total.Sent + 100); !ok || share < 0.9 {
		t.Errorf("our share %v %v", share, ok)
	}
	for _, n := range in.Notes {
		t.Errorf("note %q of a server that is ours alone", n)
	}
}

// TestInsightRefused: a server that does not tell is asked once, and what it said is kept.
func TestInsightRefused(t *testing.T) {
	t.Parallel()
	stub := redistest.NoInfo(t)
	res := observed(t, stub.Addr, Plan{Clients: 1, Pipeline: 1, RTT: 5 * time.Millisecond, Duration: 2500 * time.Millisecond})
	if n := stub.Calls("INFO"); n != 1 {
		t.Errorf("asked %d times", n)
	}
	in := res.Insight
	if !strings.Contains(in.Silent, "ERR unknown command") || len(in.Beats) == 0 || in.Beats[0].Ops >= 0 || in.Beats[0].CPU >= 0 {
		t.Errorf("silent %q, beats %+v", in.Silent, in.Beats)
	}
	for _, n := range res.Notes {
		if strings.Contains(n.Text, "INFO") {
			t.Errorf("note %q", n.Text)
		}
	}
}

// TestInsightOfAFrozenServer: looks go on without it, and the end waits for nobody.
func TestInsightOfAFrozenServer(t *testing.T) {
	t.Parallel()
	srv := redistest.Start(t)
	r := New(target.Target{Network: "tcp", Address: srv.Addr}, Plan{Clients: 1, Pipeline: 1, Workload: workload.Workload{
		Mix: mustMix(t, "set"), Payload: 3, Keys: workload.KeySpace{Prefix: "seen:", Size: 10}}})
	r.observer.system = fstest.MapFS{}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := r.Run(ctx)
		done <- err
	}()
	beats := func(n int) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
			if in := r.Insight(); in != nil && len(in.Beats) >= n {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("no looks at the machine: %+v, %d ended", r.Insight(), len(done))
			}
		}
	}
	beats(1)
	srv.Pause()
	defer srv.Resume()
	beats(len(r.Insight().Beats) + 2) // the latter of them without a word of the server
	if b := r.Insight().Beats; b[len(b)-1].Ops >= 0 || b[len(b)-1].Client < 0 {
		t.Errorf("beat %+v of a frozen server", b[len(b)-1])
	}
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the end waits for the server")
	}
}

func mustMix(t *testing.T, s string) workload.Mix {
	t.Helper()
	mix, err := workload.ParseMix(s)
	if err != nil {
		t.Fatal(err)
	}
	return mix
}

// TestInsightOfARestart: what was counted before is not held against what comes after.
func TestInsightOfARestart(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	stub := redistest.Telling(t, time.Millisecond, func() string {
		n := asked.Add(1)
		if n <= 3 {
			return fmt.Sprintf("run_id:a\r\ntotal_commands_processed:%d\r\n", 1000*n)
		}
		return fmt.Sprintf("run_id:b\r\ntotal_commands_processed:%d\r\n", 10*n)
	})
	res := observed(t, stub.Addr, Plan{Clients: 1, Pipeline: 1, Duration: 3200 * time.Millisecond})
	in := res.Insight
	if len(in.Events) != 1 || in.Events[0].Text != "server restarted" {
		t.Errorf("events %+v", in.Events)
	}
	if in.Reading.RunID != "b" || in.Delta.Commands < 0 || in.Delta.Commands > 100 {
		t.Errorf("reading %+v, delta %+v", in.Reading, in.Delta)
	}
}

// TestWithoutInsight: nobody looks, and the server is asked no more than before.
func TestWithoutInsight(t *testing.T) {
	t.Parallel()
	srv := redistest.Start(t)
	r := New(target.Target{Network: "tcp", Address: srv.Addr}, Plan{Clients: 1, Pipeline: 1, Requests: 100, Workload: workload.Workload{
		Mix: mustMix(t, "set"), Payload: 3, Keys: workload.KeySpace{Prefix: "seen:", Size: 10}}})
	r.WithoutInsight()
	res, err := r.Run(context.Background())
	if err != nil || res.Insight != nil || res.Limiter.Name != "" || r.Insight() != nil {
		t.Errorf("%v, %+v", err, res.Insight)
	}
}

// TestLimitersOfSegments: each segment has what was seen under its epochs.
func TestLimitersOfSegments(t *testing.T) {
	held := []holding{
		{epoch: 1, limiter: insight.Limiter{Name: "client"}, length: time.Second},
		{epoch: 3, limiter: insight.Limiter{Name: "server"}, length: 3 * time.Second},
		{epoch: 4, limiter: insight.Limiter{Name: "errors"}, length: time.Second},
		{epoch: 9, limiter: insight.Limiter{Name: "network"}, length: time.Second},
	}
	segments := []stats.Segment{{Epoch: 1, Measured: time.Second}, {Epoch: 4, Measured: time.Second}, {Epoch: 6, Measured: time.Second}, {Epoch: 9, Measured: 2 * time.Second}}
	res := Result{Segments: segments}.Seen(&Insight{held: held})
	var names []string
	for _, l := range res.Limiters {
		names = append(names, l.Name)
	}
	if got := strings.Join(names, " "); got != "client server  network" || res.Limiter.Name != "network" {
		t.Errorf("%q, whole %q", got, res.Limiter.Name)
	}
	if res := (Result{Segments: segments}).Seen(nil); res.Limiters != nil || res.Insight != nil {
		t.Errorf("without a look: %+v", res)
	}
}

// BenchmarkLook is what a second's look costs: its time is to stay far below 5 ms, which
// is half a percent of one core.
func BenchmarkLook(b *testing.B) {
	srv := redistest.Start(b)
	mix, err := workload.ParseMix("set")
	if err != nil {
		b.Fatal(err)
	}
	r := New(target.Target{Network: "tcp", Address: srv.Addr}, Plan{Clients: 1, Pipeline: 1, Requests: 100, Workload: workload.Workload{
		Mix: mix, Payload: 3, Keys: workload.KeySpace{Prefix: "seen:", Size: 10}}})
	if _, err := r.Run(context.Background()); err != nil {
		b.Fatal(err)
	}
	defer func() { r.witness.hangUp() }()
	before, n := insight.OwnCPU().Value, int64(0)
	for b.Loop() {
		r.witness.turn(context.Background(), witnessWithin)
		n++
	}
	b.ReportMetric(float64((insight.OwnCPU().Value-before).Microseconds())/float64(n), "cpu-us/look")
}
