package stats

import "time"

// Tally is a running account of some commands: exact counters beside the
// distributions of their latencies. Service and Lag are only filled in open loop
// (M9) and only then take memory.
type Tally struct {
	Counters Counters
	Response *Histogram
	Service  *Histogram
	Lag      *Histogram // one sample a batch: sent against planned

	touched bool // by the batch that is being committed
}

// NewTally returns an empty account.
func NewTally() *Tally { return &Tally{Response: NewHistogram()} }

// Merge adds o to t. It calls between, unless nil, after each histogram: one takes
// about 50 µs, and whoever shares the thread may have to be let in.
func (t *Tally) Merge(o *Tally, between func()) {
	if between == nil {
		between = func() {}
	}
	t.Counters.Add(o.Counters)
	t.Response.Merge(o.Response)
	between()
	if mergeLazily(&t.Service, o.Service) {
		between()
	}
	if mergeLazily(&t.Lag, o.Lag) {
		between()
	}
}

// Absorb adds everything of a recording, its rows together. Batches are counted
// once each, however many rows a batch touched. between is that of Merge.
func (t *Tally) Absorb(r *Recording, between func()) {
	batches := t.Counters.Batches
	for _, row := range r.Tests {
		t.Merge(row, between)
	}
	t.Counters.Batches = batches + r.Batches
	t.Counters.Sent += r.Lost
	t.Counters.Lost += r.Lost
	t.Counters.BytesOut += r.BytesOut
	t.Counters.BytesIn += r.BytesIn
	if mergeLazily(&t.Lag, r.Lag) && between != nil {
		between()
	}
}

// AbsorbReplies is Absorb without service times and schedule lags.
func (t *Tally) AbsorbReplies(r *Recording, between func()) {
	batches := t.Counters.Batches
	for _, row := range r.Tests {
		t.Counters.Add(row.Counters)
		t.Response.Merge(row.Response)
		if between != nil {
			between()
		}
	}
	t.Counters.Batches = batches + r.Batches
	t.Counters.Sent += r.Lost
	t.Counters.Lost += r.Lost
	t.Counters.BytesOut += r.BytesOut
	t.Counters.BytesIn += r.BytesIn
}

func (t *Tally) add(s *Sample) {
	n := int64(s.N)
	t.touched = true
	t.Counters.Sent += n
	if s.Failed {
		t.Counters.Errors += n
		return
	}
	t.Counters.Replies += n
	t.Counters.Keys += n * int64(s.Keys)
	t.Counters.Hits += n * int64(s.Hits)
	t.Counters.Misses += n * int64(s.Misses)
	t.Response.RecordN(s.Response, n)
	if s.Service != 0 {
		recordLazily(&t.Service, s.Service, n)
	}
}

// Reset empties t and keeps its memory.
func (t *Tally) Reset() {
	t.Counters = Counters{}
	for _, h := range []*Histogram{t.Response, t.Service, t.Lag} {
		if h != nil {
			h.Reset()
		}
	}
}

// Latency, ServiceTime and ScheduleLag summarise the three distributions.
func (t *Tally) Latency() Latency { return t.Response.Summary(t.Counters.Batches) }

// ServiceTime summarises the time from sending to reply; empty in closed loop.
func (t *Tally) ServiceTime() Latency { return summaryOf(t.Service, t.Counters.Batches) }

// ScheduleLag summarises how late batches left; empty in closed loop.
func (t *Tally) ScheduleLag() Latency { return summaryOf(t.Lag, t.Counters.Batches) }

func summaryOf(h *Histogram, batches int64) Latency {
	if h == nil {
		return Latency{}
	}
	return h.Summary(batches)
}

// mergeLazily reports whether there was anything to merge.
func mergeLazily(into **Histogram, from *Histogram) bool {
	if from == nil || from.count+from.bugs == 0 {
		return false
	}
	if *into == nil {
		*into = NewHistogram()
	}
	(*into).Merge(from)
	return true
}

func recordLazily(into **Histogram, d time.Duration, n int64) {
	if *into == nil {
		*into = NewHistogram()
	}
	(*into).RecordN(d, n)
}
