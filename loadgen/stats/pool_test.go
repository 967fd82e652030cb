package stats_test

import (
	"testing"
	"time"

	"fullbore/loadgen/stats"
)

// TestPool: counts, sums and extremes of two loads add up, quantiles are withheld, and
// an empty side changes nothing but the count of clock faults.
func TestPool(t *testing.T) {
	of := func(samples ...time.Duration) stats.Latency {
		h := stats.NewHistogram()
		for _, d := range samples {
			h.RecordN(d, 100)
		}
		return h.Summary(h.Count())
	}
	a, b := of(time.Millisecond, 0), of(3*time.Millisecond, 200*time.Second)
	both := a.Pool(b)
	if both.Count != 300 || both.Min != time.Millisecond || both.Max != 200*time.Second || both.Over != 100 || both.Bugs != 100 {
		t.Errorf("pooled %+v", both)
	}
	if mean, ok := both.Mean(); !ok || mean != (100*time.Millisecond+300*time.Millisecond+20_000*time.Second)/300 {
		t.Errorf("mean %v, %v", mean, ok)
	}
	if _, ok := both.Quantile(.5); ok {
		t.Error("a median of two loads is shown")
	}
	empty := of(0)
	for _, one := range []stats.Latency{b.Pool(empty), empty.Pool(b)} {
		if median, ok := one.Quantile(.5); !ok || one.Count != 200 || one.Bugs != 100 || median < 3*time.Millisecond {
			t.Errorf("with an empty side: %+v", one)
		}
	}
}
