package stats_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"fullbore/loadgen/stats"
)

// Sum of all windows = total: writers on many goroutines, a reader that swaps all
// the while; run under -race.
func TestSwapsLoseNoSample(t *testing.T) {
	const writers, batches, depth = 8, 500, 7
	shard := &stats.Shard{}
	var sum sync.WaitGroup
	var want [writers]time.Duration
	for w := range writers {
		sum.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 1))
			var b stats.Batch
			for i := range batches {
				b.Reset(1 + i/250) // two epochs
				for k := range depth {
					d := time.Duration(1 + r.IntN(1e6))
					want[w] += d
					b.Samples = append(b.Samples, stats.Sample{N: 1, Test: int32(k % 2), Keys: 1, Hits: 1, Response: d})
				}
				b.BytesIn, b.BytesOut = 3, 2
				shard.Commit(&b)
			}
		})
	}
	finished := make(chan struct{})
	go func() { sum.Wait(); close(finished) }()

	total := map[int]*stats.Tally{1: stats.NewTally(), 2: stats.NewTally()}
	take := func() {
		recs, _ := shard.Swap(nil)
		for _, r := range recs {
			total[r.Epoch].Absorb(r, nil)
			shard.Recycle(r)
		}
	}
	for done := false; !done; {
		select {
		case <-finished:
			done = true
		default:
		}
		take()
	}
	take()

	var got time.Duration
	for epoch, tally := range total {
		got += tally.Response.Sum()
		c := tally.Counters
		n := int64(writers * batches / 2)
		want := stats.Counters{
			Sent: n * depth, Replies: n * depth, Batches: n, Keys: n * depth, Hits: n * depth,
			BytesIn: 3 * n, BytesOut: 2 * n,
		}
		if c != want {
			t.Errorf("epoch %d: %+v, want %+v", epoch, c, want)
		}
	}
	var all time.Duration
	for _, d := range want {
		all += d
	}
	if got != all {
		t.Errorf("sum of latencies %v, want %v", got, all)
	}
}

func TestErrorsAreNoWork(t *testing.T) {
	shard := &stats.Shard{}
	var b stats.Batch
	b.Reset(1)
	b.Samples = append(b.Samples,
		stats.Sample{N: 1, Response: time.Second, Failed: true, Keys: 1},
		stats.Sample{N: 1, Response: time.Millisecond, Keys: 1, Misses: 1})
	b.Lost = 3
	b.Fault(stats.Fault{Class: stats.ReplyFault, Code: "OOM", Text: "OOM first", Count: 1, Last: 5})
	b.Fault(stats.Fault{Class: stats.ReplyFault, Code: "OOM", Text: "OOM second", Count: 1, Last: 9})
	shard.Commit(&b)

	recs, faults := shard.Swap(nil)
	tally := stats.NewTally()
	tally.Absorb(recs[0], nil)
	want := stats.Counters{Sent: 5, Replies: 1, Errors: 1, Lost: 3, Batches: 1, Keys: 1, Misses: 1}
	if tally.Counters != want {
		t.Errorf("counters %+v, want %+v", tally.Counters, want)
	}
	if l := tally.Latency(); l.Count != 1 || l.Max != time.Millisecond {
		t.Errorf("latency of the error reply was recorded: %+v", l)
	}
	if len(faults) != 1 || faults[0] != (stats.Fault{Class: stats.ReplyFault, Code: "OOM", Text: "OOM first", Count: 2, Last: 9}) {
		t.Errorf("faults %+v", faults)
	}
	if rate, ok := tally.Counters.HitRate(); !ok || rate != 0 {
		t.Errorf("hit rate %v %v, want 0 true", rate, ok)
	}
}

func TestRatesAreNeverInfinite(t *testing.T) {
	tests := []struct {
		n       int64
		elapsed time.Duration
		want    float64
		ok      bool
	}{
		{0, time.Second, 0, false},
		{1, 0, 0, false},
		{1, 999 * time.Microsecond, 0, false},
		{1, time.Millisecond, 1000, true},
		{1003, 2 * time.Second, 501.5, true},
	}
	for _, tt := range tests {
		if got, ok := stats.Rate(tt.n, tt.elapsed); got != tt.want || ok != tt.ok {
			t.Errorf("Rate(%d, %v) = %v, %v; want %v, %v", tt.n, tt.elapsed, got, ok, tt.want, tt.ok)
		}
	}
}

func TestCommitAllocatesNothing(t *testing.T) {
	shard := &stats.Shard{}
	var b stats.Batch
	commit := func() {
		b.Reset(1)
		for range 16 {
			b.Samples = append(b.Samples, stats.Sample{N: 1, Response: time.Millisecond, Keys: 1})
		}
		shard.Commit(&b)
	}
	commit()
	if n := testing.AllocsPerRun(100, commit); n != 0 {
		t.Errorf("%v allocations a batch, want 0", n)
	}
}

func TestGapsOfAStall(t *testing.T) {
	var m stats.GapMeter
	m.Arrived(time.Second) // nobody watches yet
	m.Watch(time.Second)
	for at := time.Second; at <= 2*time.Second; at += 10 * time.Millisecond {
		m.Arrived(at)
	}
	m.Arrived(1500 * time.Millisecond) // late news of an older arrival
	m.Arrived(4 * time.Second)         // a stall of two seconds
	if g := m.Gaps(4 * time.Second); g != (stats.Gaps{Longest: 2 * time.Second, Count: 1, Total: 2 * time.Second}) {
		t.Errorf("gaps %+v", g)
	}
	if g := m.Gaps(4300 * time.Millisecond); g.Count != 2 || g.Total != 2300*time.Millisecond {
		t.Errorf("a gap that is still open is not counted: %+v", g)
	}
	m.Rest()
	m.Watch(60 * time.Second) // a pause is no gap
	m.Arrived(60*time.Second + 50*time.Millisecond)
	if g := m.Gaps(60*time.Second + 60*time.Millisecond); g.Count != 1 {
		t.Errorf("a pause or a short gap was counted: %+v", g)
	}
}
