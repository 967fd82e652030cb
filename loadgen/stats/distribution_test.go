package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"fullbore/loadgen/stats"
)

// TestLadderIsThatOfHdrHistogram compares rung by rung with the library's iterator.
func TestLadderIsThatOfHdrHistogram(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for name, draw := range shapes(r) {
		for _, n := range []int{1, 2, 3, 10, 1000, 50_000} {
			h := stats.NewHistogram()
			other := hdrhistogram.New(int64(stats.LowestLatency), int64(stats.HighestLatency), 3)
			for range n {
				d := draw()
				h.Record(d)
				if err := other.RecordValue(int64(d)); err != nil {
					t.Fatal(err)
				}
			}
			for _, ticks := range []int{1, 5} {
				got, want := h.Distribution().Ladder(ticks), other.CumulativeDistributionWithTicks(int32(ticks))
				if len(got) != len(want) {
					t.Errorf("%s n=%d ticks=%d: %d rungs, want %d", name, n, ticks, len(got), len(want))
					continue
				}
				for i, w := range want {
					edge := min(max(time.Duration(w.ValueAt), h.Min()), h.Max())
					if g := got[i]; math.Abs(g.Percentile-w.Quantile) > 1e-9 || g.Count != w.Count || g.UpTo != edge {
						t.Errorf("%s n=%d ticks=%d rung %d: %+v, want %+v", name, n, ticks, i, g, w)
					}
				}
			}
		}
	}
}

// TestDistributionAgainstSortedSamples holds that as many samples as a step says
// lie at or below it, to the precision of the buckets.
func TestDistributionAgainstSortedSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for name, draw := range shapes(r) {
		h := stats.NewHistogram()
		samples := make([]time.Duration, 10_000)
		for i := range samples {
			samples[i] = draw()
			h.Record(samples[i])
		}
		slices.Sort(samples)
		d := h.Distribution()
		if d.Count() != 10_000 || d.Steps()[len(d.Steps())-1].UpTo != samples[9999] {
			t.Errorf("%s: %d samples up to %v, want 10000 up to %v", name, d.Count(), d.Steps()[len(d.Steps())-1].UpTo, samples[9999])
		}
		if mean := h.Sum() / 10_000; d.Mean() != mean {
			t.Errorf("%s: mean %v, want %v", name, d.Mean(), mean)
		}
		for _, s := range d.Steps() {
			// The last sample of the step, and the first one after it.
			if in := samples[s.Count-1]; in > s.UpTo {
				t.Errorf("%s: sample %v counted up to %v", name, in, s.UpTo)
			}
			if s.Count < 10_000 && samples[s.Count] < s.UpTo {
				t.Errorf("%s: sample %v not counted up to %v", name, samples[s.Count], s.UpTo)
			}
		}
	}
}

func TestCoarse(t *testing.T) {
	h := stats.NewHistogram()
	for _, ms := range []time.Duration{1, 2, 2, 5, 9} {
		h.Record(ms * time.Millisecond)
	}
	h.Record(500 * time.Second) // beyond the range: its bucket stands for the maximum
	whole := func(d time.Duration) time.Duration { return (d + 4*time.Millisecond - 1) / (4 * time.Millisecond) * 4 }
	want := []stats.Step{{UpTo: 4, Count: 3}, {UpTo: 8, Count: 4}, {UpTo: 12, Count: 5}, {UpTo: 500_000, Count: 6}}
	if got := h.Distribution().Coarse(whole); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNoDistribution holds that nothing comes of nothing.
func TestNoDistribution(t *testing.T) {
	d := stats.NewHistogram().Distribution()
	if d != nil || d.Count() != 0 || d.Mean() != 0 || d.Deviation() != 0 || d.Steps() != nil || d.Ladder(1) != nil || d.Coarse(nil) != nil {
		t.Errorf("a distribution of no samples: %+v", d)
	}
}

// TestDistributionStays holds that a picture does not follow its histogram.
func TestDistributionStays(t *testing.T) {
	h := stats.NewHistogram()
	h.Record(time.Millisecond)
	d := h.Distribution()
	h.Record(time.Second)
	h.Reset()
	if got := d.Steps(); len(got) != 1 || got[0] != (stats.Step{UpTo: time.Millisecond, Count: 1}) {
		t.Errorf("steps %v", got)
	}
}

// TestGeometryIsTold compares the constants with the footer that the library prints.
func TestGeometryIsTold(t *testing.T) {
	var b strings.Builder
	h := hdrhistogram.New(int64(stats.LowestLatency), int64(stats.HighestLatency), 3)
	if _, err := h.PercentilesPrint(&b, 1, 1); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("#[Buckets = %12d, SubBuckets     = %12d]", stats.Buckets, stats.SubBuckets)
	if !strings.Contains(b.String(), want) {
		t.Errorf("no %q in %s", want, b.String())
	}
}
