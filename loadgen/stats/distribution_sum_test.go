package stats_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"fullbore/loadgen/stats"
)

// TestSumIsThatOfAllSamples compares rounds that were added up by way of their
// distributions with one histogram that recorded every sample: not one digit may
// differ, whatever the shape (M5, M6).
func TestSumIsThatOfAllSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for name, draw := range shapes(r) {
		for _, rounds := range [][]int{{1, 1}, {0, 500, 1, 0, 5000}} {
			var sum stats.Sum
			all, batches := stats.NewHistogram(), int64(0)
			for _, n := range rounds {
				h := stats.NewHistogram()
				record := func(d time.Duration) { h.Record(d); all.Record(d) }
				for range n {
					record(draw())
				}
				if n > 400 { // a stall beyond the range, and a clock that went wrong
					record(stats.HighestLatency + time.Duration(n)*time.Second)
					record(-1)
				}
				batches += int64(n)
				sum.Add(stats.Segment{
					Measured: time.Second, Counters: stats.Counters{Replies: h.Count(), Batches: int64(n)},
					Latency: h.Summary(int64(n)), Distribution: h.Distribution(),
				})
			}
			got := sum.Segment()
			if want := all.Summary(batches); got.Latency != want {
				t.Errorf("%s %v: latency %+v, want %+v", name, rounds, got.Latency, want)
			}
			if want := all.Distribution(); !reflect.DeepEqual(got.Distribution, want) {
				t.Errorf("%s %v: %d steps, mean %v, deviation %v, want %d, %v, %v", name, rounds, len(got.Distribution.Steps()),
					got.Distribution.Mean(), got.Distribution.Deviation(), len(want.Steps()), want.Mean(), want.Deviation())
			}
			if want := time.Duration(len(rounds)) * time.Second; got.Measured != want || got.Counters.Replies != all.Count() {
				t.Errorf("%s %v: %d replies in %v, want %d in %v", name, rounds, got.Counters.Replies, got.Measured, all.Count(), want)
			}
		}
	}
}

// TestSumOfSegments holds what else is added, what is kept of the first, and what is
// left out because it cannot be added.
func TestSumOfSegments(t *testing.T) {
	h := stats.NewHistogram()
	h.Record(time.Millisecond)
	one := stats.Segment{
		Epoch: 3, Start: time.Second, Measured: 2 * time.Second, Plan: "GET P=4", Target: 100, Clients: 5, Pipeline: 4,
		Counters: stats.Counters{Sent: 10, Replies: 8, Errors: 2, Batches: 3}, Latency: h.Summary(3), Distribution: h.Distribution(),
		Gaps: stats.Gaps{Longest: 300 * time.Millisecond, Count: 1, Total: 300 * time.Millisecond},
		Lag:  h.Summary(1), Service: h.Summary(1),
		Commands: []stats.CommandStats{{Title: "GET", Counters: stats.Counters{Replies: 6}, Latency: h.Summary(1)}, {Title: "SET", Counters: stats.Counters{Replies: 2}}},
	}
	two := one
	two.Epoch, two.Start, two.Measured, two.Gaps = 5, 9*time.Second, time.Second, stats.Gaps{Longest: 500 * time.Millisecond, Count: 2, Total: 700 * time.Millisecond}
	var sum stats.Sum
	if got := sum.Segment(); !reflect.DeepEqual(got, stats.Segment{}) {
		t.Errorf("sum of nothing: %+v", got)
	}
	sum.Add(one)
	first := sum.Segment()
	kept := slices.Clone(first.Commands)
	sum.Add(two)
	got := sum.Segment()
	if got.Epoch != 3 || got.Start != time.Second || got.Plan != one.Plan || got.Target != 100 || got.Clients != 5 || got.Pipeline != 4 {
		t.Errorf("description of the sum: %+v", got)
	}
	if want := (stats.Counters{Sent: 20, Replies: 16, Errors: 4, Batches: 6}); got.Counters != want || got.Measured != 3*time.Second {
		t.Errorf("counters %+v in %v, want %+v in 3s", got.Counters, got.Measured, want)
	}
	if want := (stats.Gaps{Longest: 500 * time.Millisecond, Count: 3, Total: time.Second}); got.Gaps != want {
		t.Errorf("gaps %+v, want %+v", got.Gaps, want)
	}
	if got.Lag != (stats.Latency{}) || got.Service != (stats.Latency{}) || got.Latency.Count != 2 || got.Latency.Batches != 6 {
		t.Errorf("latencies: %+v, lag %+v, service %+v", got.Latency, got.Lag, got.Service)
	}
	want := []stats.CommandStats{{Title: "GET", Counters: stats.Counters{Replies: 12}}, {Title: "SET", Counters: stats.Counters{Replies: 4}}}
	if !slices.Equal(got.Commands, want) {
		t.Errorf("rows %+v, want %+v", got.Commands, want)
	}
	// A picture that was handed out does not follow the sum.
	if !slices.Equal(first.Commands, kept) || first.Latency.Count != 1 || first.Distribution.Count() != 1 {
		t.Errorf("the first sum became %+v", first)
	}
}

// TestSumCarriesMore: quantiles that no round carries, all rounds together do (M3).
func TestSumCarriesMore(t *testing.T) {
	var sum stats.Sum
	for range 10 {
		h := stats.NewHistogram()
		for i := range 200 {
			h.Record(time.Duration(i+1) * time.Millisecond)
		}
		seg := stats.Segment{Measured: time.Second, Counters: stats.Counters{Batches: 200}, Latency: h.Summary(200), Distribution: h.Distribution()}
		if _, ok := seg.Latency.Quantile(.99); ok {
			t.Fatal("200 batches carry p99")
		}
		sum.Add(seg)
	}
	if got, ok := sum.Segment().Latency.Quantile(.99); !ok || got < 198*time.Millisecond || got > 199*time.Millisecond {
		t.Errorf("p99 %v %v, want 198 ms", got, ok)
	}
}

// TestDistributionAt compares with the sorted samples.
func TestDistributionAt(t *testing.T) {
	h := stats.NewHistogram()
	for i := range 1000 {
		h.Record(time.Duration(i+1) * time.Millisecond)
	}
	d := h.Distribution()
	for _, c := range []struct {
		q    float64
		want time.Duration
	}{{0, 1}, {.5, 500}, {.99, 990}, {.999, 999}, {1, 1000}} {
		if got, want := d.At(c.q), c.want*time.Millisecond; got < want || float64(got) > 1.001*float64(want) {
			t.Errorf("At(%v) = %v, want %v", c.q, got, want)
		}
	}
	var none *stats.Distribution
	if got := none.At(.5); got != 0 {
		t.Errorf("At of nothing: %v", got)
	}
}
