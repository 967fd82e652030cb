package stats

import "time"

// Sum adds up segments that were measured under one plan with others in between,
// such as the rounds of an arm. The zero value is an empty sum.
type Sum struct {
	latency *Histogram
	total   Segment
}

// Add adds a finished segment: exact counters, extremes and sums (M5), and its
// latencies by way of its Distribution, which has every sample in the bucket that
// it was recorded in. Service times and schedule lags have no Distribution and are
// left out, and so are the latencies of single rows of a mix.
func (s *Sum) Add(g Segment) {
	if s.latency == nil {
		s.latency, s.total = NewHistogram(), g
		s.total.Measured, s.total.Counters, s.total.Gaps, s.total.Commands = 0, Counters{}, Gaps{}, nil
		s.total.Service, s.total.Lag = Latency{}, Latency{}
	}
	s.latency.restore(g.Latency, g.Distribution)
	s.total.Measured += g.Measured
	s.total.Counters.Add(g.Counters)
	s.total.Gaps.Merge(g.Gaps)
	rows := make([]CommandStats, len(g.Commands)) // the old ones may have been handed out
	for i, c := range g.Commands {
		rows[i].Title = c.Title
		rows[i].Counters = c.Counters
		if i < len(s.total.Commands) {
			rows[i].Counters.Add(s.total.Commands[i].Counters)
		}
	}
	s.total.Commands = rows
}

// Segment is the sum so far; its Distribution is set unless there are no latencies.
func (s *Sum) Segment() Segment {
	if s.latency == nil {
		return Segment{}
	}
	out := s.total
	out.Latency = s.latency.Summary(out.Counters.Batches)
	out.Distribution = s.latency.Distribution()
	return out
}

// restore adds the samples that l and d were made of.
func (h *Histogram) restore(l Latency, d *Distribution) {
	h.bugs += l.Bugs
	if l.Count == 0 || d == nil {
		return
	}
	if h.count == 0 || l.Min < h.min {
		h.min = l.Min
	}
	h.max = max(h.max, l.Max)
	h.count += l.Count
	h.sum += l.Sum
	h.over += l.Over
	var before int64
	for _, step := range d.Steps() {
		_ = h.buckets.RecordValues(int64(min(step.UpTo, HighestLatency)), step.Count-before) // in range
		before = step.Count
	}
}

// At is the latency that a share q of the samples does not exceed, however few they
// are: for what is to be compared by the thousand, not to be shown (M3). Zero
// without samples.
func (d *Distribution) At(q float64) time.Duration {
	for _, step := range d.Steps() {
		if float64(step.Count) >= q*float64(d.Count()) {
			return step.UpTo
		}
	}
	return 0
}
