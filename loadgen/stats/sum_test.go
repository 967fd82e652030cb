package stats_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"fullbore/loadgen/stats"
)

// TestSum: segments added up are what one histogram of all their samples would be.
func TestSum(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	all := stats.NewHistogram()
	var sum stats.Sum
	if got := sum.Segment(); got.Counters.Replies != 0 || got.Distribution != nil {
		t.Errorf("a sum of nothing is %+v", got)
	}
	var handed []stats.Segment
	for n := range 5 {
		h := stats.NewHistogram()
		for range 1000 * n { // the first is empty
			d := time.Duration(random.ExpFloat64() * float64(time.Millisecond))
			h.Record(d)
			all.Record(d)
		}
		if n == 3 {
			h.Record(3 * stats.HighestLatency)
			all.Record(3 * stats.HighestLatency)
			h.Record(-1)
			all.Record(-1)
		}
		count := h.Count()
		sum.Add(stats.Segment{
			Plan: "set", Clients: 3, Measured: time.Second, Latency: h.Summary(count), Distribution: h.Distribution(),
			Counters: stats.Counters{Replies: count, Batches: count}, Gaps: stats.Gaps{Longest: time.Duration(n), Count: 1},
			Commands: []stats.CommandStats{{Title: "SET", Counters: stats.Counters{Replies: count}}},
		})
		handed = append(handed, sum.Segment())
	}
	got := sum.Segment()
	if got.Measured != 5*time.Second || got.Counters.Replies != all.Count() || got.Gaps != (stats.Gaps{Longest: 4, Count: 5}) || got.Clients != 3 || got.Plan != "set" {
		t.Errorf("sum %+v", got)
	}
	if want := all.Summary(all.Count()); got.Latency != want {
		t.Errorf("latency %+v, want %+v", got.Latency, want)
	}
	want := all.Distribution()
	if d := got.Distribution; d.Count() != want.Count() || d.Mean() != want.Mean() || d.At(.999) != want.At(.999) {
		t.Errorf("distribution of %d around %v up to %v", d.Count(), d.Mean(), d.At(.999))
	}
	if len(got.Commands) != 1 || got.Commands[0].Title != "SET" || got.Commands[0].Counters.Replies != all.Count() {
		t.Errorf("rows %+v", got.Commands)
	}
	if n := handed[1].Commands[0].Counters.Replies; n != 1000 {
		t.Errorf("what was handed out says %d after more was added", n)
	}
}

func TestAt(t *testing.T) {
	h := stats.NewHistogram()
	for n := range 100 {
		h.Record(time.Duration(n+1) * time.Microsecond)
	}
	d := h.Distribution()
	for q, want := range map[float64]time.Duration{0: 1000, .5: 50_000, .99: 99_000, 1: 100_000} {
		if got := d.At(q); got < want || got > want+want/500+64 {
			t.Errorf("at %v: %v, want %v", q, got, want)
		}
	}
	if got := (*stats.Distribution)(nil).At(.5); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
