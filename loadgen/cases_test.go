package loadgen_test

import (
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
)

// C03, M1, M2: a server that answers one by one, each reply some time after the
// one before. Every command has the latency of its own reply, not that of the
// first one and not a share of the batch.
func TestEveryReplyHasItsOwnLatency(t *testing.T) {
	const gap = 4 * time.Millisecond
	stub := redistest.Slow(t, gap)
	p := plan(t, "ping_mbulk")
	p.Clients, p.Pipeline, p.Requests = 1, 10, 400
	l := run(t, at(t, stub.Addr), p).Last().Latency
	// The k-th reply of ten comes after k gaps or more; a busy machine only adds.
	if mean, _ := l.Mean(); mean < 11*gap/2 {
		t.Errorf("mean %v, want at least %v", mean, 11*gap/2)
	}
	if p50, ok := l.Quantile(.50); !ok || p50 < 5*gap {
		t.Errorf("p50 %v (%v), want at least %v", p50, ok, 5*gap)
	}
	if l.Min < gap || l.Max < 10*gap {
		t.Errorf("min %v max %v, want at least %v and %v", l.Min, l.Max, gap, 10*gap)
	}
	if l.Min > 10*gap/2 {
		t.Errorf("min %v: the first reply took the time of the batch", l.Min)
	}
}

// C37, M13: 13 MB each way against a server that does not read while it writes.
func TestABlockingServerDoesNotHangUs(t *testing.T) {
	stub := redistest.Block(t)
	p := plan(t, "ping_mbulk")
	p.Workload.Mix = command(t, "ECHO", strings.Repeat("x", 16<<10))
	p.Clients, p.Pipeline, p.Requests = 2, 800, 3200
	res := run(t, at(t, stub.Addr), p)
	if c := res.Last().Counters; c.Replies != p.Requests || res.Failed() {
		t.Errorf("%+v, faults %+v", c, res.Faults)
	}
}

// The cap on bytes in flight cuts a batch short, and says so.
func TestTheCapLowersThePipeline(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	p.Workload.Payload = 1 << 20
	p.Workload.Keys.Size = 10
	p.Clients, p.Pipeline, p.Requests = 1, 40, 120
	res := run(t, at(t, srv.Addr), p)
	seg := res.Last()
	if seg.Counters.Replies != p.Requests || seg.Counters.Batches <= 3 {
		t.Errorf("%+v: want all replies, in more batches than three", seg.Counters)
	}
	var told bool
	for _, n := range res.Notes {
		told = told || strings.Contains(n.Text, "pipeline lowered")
	}
	if !told {
		t.Errorf("nobody says that the pipeline was lowered: %+v", res.Notes)
	}
}

// C05: no reply at all.
func TestNoRepliesAtAll(t *testing.T) {
	stub := redistest.Mute(t, 0)
	p := plan(t, "ping_mbulk")
	p.Clients, p.Pipeline = 3, 2
	r, stop := live(t, at(t, stub.Addr), p)
	until(t, "connected", func() bool { return r.Snapshot().Connected == 3 })
	time.Sleep(300 * time.Millisecond)
	res := stop()
	seg := res.Last()
	if _, ok := seg.Throughput(); ok || seg.Latency.Count != 0 {
		t.Errorf("figures without a reply: %+v", seg)
	}
	if !res.Failed() || res.Total.Lost != 6 || res.Total.Replies != 0 {
		t.Errorf("total %+v, faults %+v", res.Total, res.Faults)
	}
}

// C29's cousin without a cluster: a garbage byte in the middle ends the connection,
// not the run, and what was in flight is lost.
func TestGarbageInTheMiddle(t *testing.T) {
	stub := redistest.Garbage(t, 200)
	p := plan(t, "ping_mbulk")
	p.Clients, p.Pipeline = 1, 5
	r, stop := live(t, at(t, stub.Addr), p)
	until(t, "three connections were lost", func() bool {
		for _, f := range r.Snapshot().Faults {
			if f.Class == stats.LostFault && f.Code == "protocol" && f.Count >= 3 {
				return true
			}
		}
		return false
	})
	res := stop()
	if c := res.Total; c.Sent != c.Replies+c.Errors+c.Lost || c.Lost < 3 {
		t.Errorf("the books do not balance: %+v", c)
	}
}

// M4: with clients that always wait for a reply, mean latency × rate is C × P,
// less what is lost between batches.
func TestLittleLawIsJudged(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	p.Requests = 100_000
	res := run(t, at(t, srv.Addr), p)
	share, ok := res.Last().LittleLaw()
	if !ok || share <= 0 || share > 1.02 {
		t.Errorf("mean × rate is %v of C × P: it cannot be more than all", share)
	}
}
