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

// Merge adds o to t.
func (t *Tally) Merge(o *Tally) {
	t.Counters.Add(o.Counters)
	t.Response.Merge(o.Response)
	mergeLazily(&t.Service, o.Service)
	mergeLazily(&t.Lag, o.Lag)
}

// Absorb adds everything of a recording, its rows together. Batches are counted
// once each, however many rows a batch touched.
func (t *Tally) Absorb(r *Recording) {
	batches := t.Counters.Batches
	for _, row := range r.Tests {
		t.Merge(row)
	}
	t.Counters.Batches = batches + r.Batches
	t.Counters.Sent += r.Lost
	t.Counters.Lost += r.Lost
	t.Counters.BytesOut += r.BytesOut
	t.Counters.BytesIn += r.BytesIn
	mergeLazily(&t.Lag, r.Lag)
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

func mergeLazily(into **Histogram, from *Histogram) {
	if from == nil || from.count+from.bugs == 0 {
		return
	}
	if *into == nil {
		*into = NewHistogram()
	}
	(*into).Merge(from)
}

func recordLazily(into **Histogram, d time.Duration, n int64) {
	if *into == nil {
		*into = NewHistogram()
	}
	(*into).RecordN(d, n)
}
