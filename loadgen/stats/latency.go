package stats

import "time"

// Quantiles are the ones every table, report and snapshot carries, ascending.
// It is an array, so that nobody can change it for others.
func Quantiles() [7]float64 { return [7]float64{.50, .75, .90, .95, .99, .999, .9999} }

// minBeyond is how many independent batches must lie beyond a quantile before it
// is shown: the samples of one batch share their fate, so the effective sample
// size is the number of batches (M3).
const minBeyond = 10

// Latency is the immutable summary of a Histogram that snapshots carry.
type Latency struct {
	Count   int64 // samples: successful replies only (M30)
	Batches int64 // independent observations behind them
	Sum     time.Duration
	Min     time.Duration
	Max     time.Duration
	Over    int64 // samples above HighestLatency
	Bugs    int64 // zero or negative durations offered

	values [7]time.Duration
}

// Summary condenses h, given how many batches its samples came in.
func (h *Histogram) Summary(batches int64) Latency {
	l := Latency{
		Count: h.count, Batches: batches, Sum: h.sum,
		Min: h.min, Max: h.max, Over: h.over, Bugs: h.bugs,
	}
	if h.count > 0 {
		qs := Quantiles()
		copy(l.values[:], h.Values(qs[:]))
	}
	return l
}

// Mean is the exact average; false when there are no samples (M7).
func (l Latency) Mean() (time.Duration, bool) {
	if l.Count == 0 {
		return 0, false
	}
	return l.Sum / time.Duration(l.Count), true
}

// Quantile is the value at q, one of Quantiles(). False when the batches do not
// carry it: batches × (1−q) must be at least 10 (M3).
func (l Latency) Quantile(q float64) (time.Duration, bool) {
	if l.Count == 0 || !Carries(l.Batches, q) {
		return 0, false
	}
	for i, have := range Quantiles() {
		if have == q {
			return l.values[i], true
		}
	}
	return 0, false
}

// Carries reports whether that many batches support quantile q (M3). The small
// allowance keeps 1000 batches enough for p99 in spite of binary fractions.
func Carries(batches int64, q float64) bool {
	return float64(batches)*(1-q) >= minBeyond-1e-6
}

// Pool adds up what two summaries can add up: counts, sums and extremes. Quantiles of
// different loads do not, so that Batches stay 0 where both have samples, which is what
// withholds them (M3).
func (l Latency) Pool(o Latency) Latency {
	switch {
	case l.Count == 0:
		o.Bugs += l.Bugs
		return o
	case o.Count == 0:
		l.Bugs += o.Bugs
		return l
	}
	return Latency{
		Count: l.Count + o.Count, Sum: l.Sum + o.Sum,
		Min: min(l.Min, o.Min), Max: max(l.Max, o.Max),
		Over: l.Over + o.Over, Bugs: l.Bugs + o.Bugs,
	}
}
