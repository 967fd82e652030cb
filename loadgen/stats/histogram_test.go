package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"fullbore/loadgen/stats"
)

// oracle is the definition of a quantile: the smallest sample with at least
// q·n samples at or below it.
func oracle(sorted []time.Duration, q float64) time.Duration {
	rank := int(math.Ceil(q * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

// shapes are distributions that load tests meet.
func shapes(r *rand.Rand) map[string]func() time.Duration {
	return map[string]func() time.Duration{
		"uniform":    func() time.Duration { return time.Duration(1 + r.IntN(5_000_000)) },
		"log-normal": func() time.Duration { return time.Duration(math.Exp(r.NormFloat64()*1.5 + 12)) },
		"bimodal": func() time.Duration {
			if r.IntN(100) == 0 {
				return 2*time.Second + time.Duration(r.IntN(1000))
			}
			return 50*time.Microsecond + time.Duration(r.IntN(20_000))
		},
		"constant": func() time.Duration { return 123_456 },
		"tiny":     func() time.Duration { return time.Duration(1 + r.IntN(300)) },
	}
}

func TestQuantilesAgainstSortedSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, draw := range shapes(r) {
		for _, n := range []int{1, 2, 10, 1000, 50_000} {
			h := stats.NewHistogram()
			samples := make([]time.Duration, n)
			for i := range samples {
				samples[i] = draw()
				h.Record(samples[i])
			}
			slices.Sort(samples)
			qs := stats.Quantiles()
			for i, got := range h.Values(qs[:]) {
				want := oracle(samples, qs[i])
				// Three digits, and a unit of 64 ns below the histogram's floor.
				if slack := want/1000 + 64; got < want-slack || got > want+slack {
					t.Errorf("%s n=%d q=%v: got %v, want %v", name, n, qs[i], got, want)
				}
			}
		}
	}
}

func TestExactFiguresBesideTheBuckets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, draw := range shapes(r) {
		h := stats.NewHistogram()
		var sum, low, high time.Duration
		for i := range 10_000 {
			d := draw()
			h.Record(d)
			sum += d
			if i == 0 || d < low {
				low = d
			}
			high = max(high, d)
		}
		if h.Count() != 10_000 || h.Sum() != sum || h.Min() != low || h.Max() != high {
			t.Errorf("%s: got n=%d sum=%v min=%v max=%v, want 10000 %v %v %v", name,
				h.Count(), h.Sum(), h.Min(), h.Max(), sum, low, high)
		}
	}
}

func TestMergeLosesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	whole, merged := stats.NewHistogram(), stats.NewHistogram()
	for _, draw := range shapes(r) {
		part := stats.NewHistogram()
		for range 5000 {
			d := draw()
			whole.Record(d)
			part.Record(d)
		}
		merged.Merge(part)
	}
	merged.Merge(stats.NewHistogram()) // nothing, but must not disturb the minimum
	qs := stats.Quantiles()
	if a, b := whole.Values(qs[:]), merged.Values(qs[:]); !slices.Equal(a, b) {
		t.Errorf("quantiles differ: %v and %v", a, b)
	}
	if whole.Summary(1) != merged.Summary(1) {
		t.Errorf("summaries differ: %+v and %+v", whole.Summary(1), merged.Summary(1))
	}
}

func TestOutOfRangeIsCountedNotHidden(t *testing.T) {
	h := stats.NewHistogram()
	h.Record(5 * time.Minute) // above the highest trackable latency
	h.Record(time.Millisecond)
	h.Record(0)
	h.Record(-time.Second)
	if h.Count() != 2 || h.Over() != 1 || h.Bugs() != 2 {
		t.Errorf("count %d over %d bugs %d, want 2 1 2", h.Count(), h.Over(), h.Bugs())
	}
	if h.Max() != 5*time.Minute {
		t.Errorf("max %v, want the exact 5m", h.Max())
	}
	if v := h.Values([]float64{.99})[0]; v != 5*time.Minute {
		t.Errorf("p99 %v: the top bucket stands for the exact maximum", v)
	}
}

func TestResetKeepsNothing(t *testing.T) {
	h := stats.NewHistogram()
	h.Record(time.Second)
	h.Record(-1)
	h.Reset()
	if h.Summary(0) != (stats.Latency{}) {
		t.Errorf("after reset: %+v", h.Summary(0))
	}
	h.Record(time.Millisecond)
	if h.Min() != time.Millisecond || h.Max() != time.Millisecond {
		t.Errorf("min %v max %v after reset and one sample", h.Min(), h.Max())
	}
}

func TestBarsHoldEverySample(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	edges := []time.Duration{100 * time.Microsecond, time.Millisecond, 10 * time.Millisecond}
	for name, draw := range shapes(r) {
		h := stats.NewHistogram()
		for range 3000 {
			h.Record(draw())
		}
		var total int64
		for _, b := range h.Bars(edges) {
			total += b.Count
		}
		if total != 3000 {
			t.Errorf("%s: bars hold %d of 3000 samples", name, total)
		}
	}
}

func TestQuantilesAreWithheldWithoutEnoughBatches(t *testing.T) {
	h := stats.NewHistogram()
	for range 100_000 {
		h.Record(time.Millisecond)
	}
	tests := []struct {
		batches int64
		q       float64
		shown   bool
	}{
		{19, .50, false}, {20, .50, true},
		{999, .99, false}, {1000, .99, true},
		{9_999, .999, false}, {10_000, .999, true},
		{99_999, .9999, false}, {100_000, .9999, true},
		{1 << 40, .42, false}, // not one of the quantiles that are kept
	}
	for _, tt := range tests {
		if _, ok := h.Summary(tt.batches).Quantile(tt.q); ok != tt.shown {
			t.Errorf("q=%v with %d batches: shown %v, want %v", tt.q, tt.batches, ok, tt.shown)
		}
	}
	if _, ok := stats.NewHistogram().Summary(1e9).Quantile(.5); ok {
		t.Error("an empty histogram has no median")
	}
	if _, ok := (stats.Latency{}).Mean(); ok {
		t.Error("an empty histogram has no mean")
	}
}

func BenchmarkRecord(b *testing.B) {
	h := stats.NewHistogram()
	b.ReportAllocs()
	for i := range b.N {
		h.Record(time.Duration(50_000 + i&0xffff))
	}
}

func BenchmarkMerge(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 9))
	from, into := stats.NewHistogram(), stats.NewHistogram()
	for range 10_000 {
		from.Record(time.Duration(math.Exp(r.NormFloat64()*.5 + 12)))
	}
	for range b.N {
		into.Merge(from)
	}
}

func BenchmarkSummary(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 9))
	h := stats.NewHistogram()
	for range 10_000 {
		h.Record(time.Duration(math.Exp(r.NormFloat64()*.5 + 12)))
	}
	for range b.N {
		h.Summary(1)
	}
}
