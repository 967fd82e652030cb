package stats

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The one histogram geometry of the program (M6): every histogram can be merged
// into every other without loss. Three significant digits keep any quantile
// within 0.1 % of the sample it stands for.
const (
	LowestLatency  = 100 * time.Nanosecond
	HighestLatency = 120 * time.Second
	digits         = 3
)

// What HdrHistogram makes of that geometry, for files that tell it: each of the
// Buckets spans twice the times of the one before in as many SubBuckets.
const (
	Buckets    = 21
	SubBuckets = 2048
)

// Histogram is a latency distribution with its exact count, sum, minimum and
// maximum beside it (M5), so that averages and extremes never carry bucket
// errors. The zero value is not usable; call NewHistogram.
type Histogram struct {
	buckets  *hdrhistogram.Histogram
	count    int64
	sum      time.Duration
	min, max time.Duration
	over     int64 // samples above HighestLatency, kept in the top bucket
	bugs     int64 // samples that were zero or negative: a clock or program fault
}

// NewHistogram returns an empty histogram of about 180 KB.
func NewHistogram() *Histogram {
	return &Histogram{buckets: hdrhistogram.New(int64(LowestLatency), int64(HighestLatency), digits)}
}

// Record adds one sample.
func (h *Histogram) Record(d time.Duration) { h.RecordN(d, 1) }

// RecordN adds n samples of the same latency, n at least 1. A zero or negative
// duration is not a latency: it is counted in Bugs and otherwise ignored (M7). A
// sample above HighestLatency is counted in Over, so that the clamp in its bucket
// is never silent (M6); Max and Sum stay exact.
func (h *Histogram) RecordN(d time.Duration, n int64) {
	if d <= 0 {
		h.bugs += n
		return
	}
	if h.count == 0 || d < h.min {
		h.min = d
	}
	h.max = max(h.max, d)
	h.count += n
	h.sum += d * time.Duration(n)
	if d > HighestLatency {
		h.over += n
		d = HighestLatency
	}
	// In range by the check above, so the error cannot happen.
	_ = h.buckets.RecordValues(int64(d), n)
}

// Merge adds all samples of o to h and leaves o as it was.
func (h *Histogram) Merge(o *Histogram) {
	h.bugs += o.bugs
	if o.count == 0 {
		return
	}
	if h.count == 0 || o.min < h.min {
		h.min = o.min
	}
	h.max = max(h.max, o.max)
	h.count += o.count
	h.sum += o.sum
	h.over += o.over
	h.buckets.Merge(o.buckets) // one geometry: nothing can be dropped
}

// Reset empties h and keeps its memory.
func (h *Histogram) Reset() {
	if h.count > 0 {
		h.buckets.Reset()
	}
	*h = Histogram{buckets: h.buckets}
}

// Count is the number of samples.
func (h *Histogram) Count() int64 { return h.count }

// Sum is the exact sum of all samples.
func (h *Histogram) Sum() time.Duration { return h.sum }

// Min is the exact smallest sample, zero when there is none.
func (h *Histogram) Min() time.Duration { return h.min }

// Max is the exact largest sample, zero when there is none.
func (h *Histogram) Max() time.Duration { return h.max }

// Over is the number of samples above HighestLatency.
func (h *Histogram) Over() int64 { return h.over }

// Bugs is the number of zero or negative durations that were offered.
func (h *Histogram) Bugs() int64 { return h.bugs }

// Values returns the latency at each quantile of qs (each in [0,1], ascending),
// one pass over the buckets for all of them. An empty histogram gives zeros.
// Whether a quantile may be shown is the caller's question (M3, Latency).
func (h *Histogram) Values(qs []float64) []time.Duration {
	out := make([]time.Duration, len(qs))
	if h.count == 0 {
		return out
	}
	percents := make([]float64, len(qs))
	for i, q := range qs {
		percents[i] = q * 100
	}
	for i, v := range h.buckets.ValueAtPercentilesSlice(percents) {
		out[i] = h.within(time.Duration(v), v)
	}
	return out
}

// within trims a bucket's upper edge to the exact extremes; the top bucket of a
// histogram with samples beyond its range stands for the exact maximum.
func (h *Histogram) within(d time.Duration, edge int64) time.Duration {
	if h.over > 0 && edge >= int64(HighestLatency) {
		return h.max
	}
	return min(max(d, h.min), h.max)
}

// Bar is one column of a coarse distribution: Count samples that were above the
// previous bar's UpTo and not above this one's.
type Bar struct {
	UpTo  time.Duration
	Count int64
}

// Bars sums the buckets up to each of the ascending edges, and everything above
// the last edge into one more bar whose UpTo is the maximum.
func (h *Histogram) Bars(edges []time.Duration) []Bar {
	bars := make([]Bar, len(edges)+1)
	for i, e := range edges {
		bars[i].UpTo = e
	}
	bars[len(edges)].UpTo = h.max
	if h.count == 0 {
		return bars
	}
	i := 0
	for _, b := range h.buckets.Distribution() {
		if b.Count == 0 {
			continue
		}
		for i < len(edges) && time.Duration(b.From) > edges[i] {
			i++
		}
		bars[i].Count += b.Count
	}
	return bars
}
