package loadgen

import (
	"time"

	"fullbore/loadgen/stats"
)

// segment collects what is measured under one plan. Only the sampler touches it.
type segment struct {
	plan     Plan
	epoch    int // newest epoch that belongs to it: a pause does not end a segment
	start    time.Duration
	measured time.Duration
	all      *stats.Tally
	tests    []*stats.Tally // per row of the mix; empty when there is one row only
	steady   stats.Steadiness
	gaps     stats.Gaps
}

func newSegment(p Plan, epoch int) *segment {
	s := &segment{plan: p, epoch: epoch, all: stats.NewTally()}
	if rows := len(p.Workload.Mix); rows > 1 {
		for range rows {
			s.tests = append(s.tests, stats.NewTally())
		}
	}
	return s
}

// absorb adds a recording made under this segment's plan while it was measured.
func (s *segment) absorb(r *stats.Recording, between func()) {
	for i, t := range r.Tests {
		if i < len(s.tests) {
			s.tests[i].Merge(t, between)
		}
	}
}

// freeze is the immutable picture of s.
func (s *segment) freeze() stats.Segment {
	out := s.describe()
	out.Start, out.Measured, out.Gaps = s.start, s.measured, s.gaps
	out.Counters = s.all.Counters
	out.Latency = s.all.Latency()
	out.Service = s.all.ServiceTime()
	out.Lag = s.all.ScheduleLag()
	for i, t := range s.tests {
		out.Commands = append(out.Commands, stats.CommandStats{
			Title: s.plan.Workload.Mix[i].Test.Title, Counters: t.Counters, Latency: t.Latency(),
		})
	}
	return out
}

// finish is freeze with what only the report of a finished segment shows.
func (s *segment) finish() stats.Segment {
	out := s.freeze()
	out.Distribution = s.all.Response.Distribution()
	return out
}

// describe is freeze without the numbers.
func (s *segment) describe() stats.Segment {
	return stats.Segment{
		Epoch: s.epoch, Plan: s.plan.String(), Target: s.plan.Rate,
		Clients: s.plan.Clients, Pipeline: s.plan.Pipeline, Batch: string(s.plan.Batch), Steady: s.steady,
	}
}

// window is a ring of half-second tallies that together make "the last 5 s".
type window struct {
	slots  []*windowSlot // oldest first
	length time.Duration
	whole  *stats.Tally // scratch for summing up
}

type windowSlot struct {
	tally    *stats.Tally
	measured time.Duration
}

const (
	slotLength    = 500 * time.Millisecond
	defaultWindow = 5 * time.Second
	longestWindow = time.Minute
)

func newWindow(length time.Duration) *window {
	w := &window{whole: stats.NewTally()}
	w.resize(length)
	return w
}

// resize changes how far back the window reaches.
func (w *window) resize(length time.Duration) {
	if length == 0 {
		length = defaultWindow
	}
	w.length = min(max(length, time.Second), longestWindow)
	w.trim()
}

// clear forgets everything: a window never mixes two plans.
func (w *window) clear() { w.slots = nil }

// add books one sampling interval and reports whether a slot was completed.
func (w *window) add(interval *stats.Tally, span time.Duration, between func()) (full bool) {
	if len(w.slots) == 0 || w.newest().measured >= slotLength {
		w.slots = append(w.slots, &windowSlot{tally: stats.NewTally()})
		w.trim()
	}
	s := w.newest()
	s.tally.Merge(interval, between)
	s.measured += span
	return s.measured >= slotLength
}

func (w *window) newest() *windowSlot { return w.slots[len(w.slots)-1] }

func (w *window) trim() {
	if extra := len(w.slots) - int(w.length/slotLength); extra > 0 {
		w.slots = append([]*windowSlot(nil), w.slots[extra:]...)
	}
}

// sum is the whole window as one tally, valid until the next call. between is
// that of Tally.Merge.
func (w *window) sum(between func()) (*stats.Tally, time.Duration) {
	w.whole.Reset()
	var measured time.Duration
	for _, s := range w.slots {
		w.whole.Merge(s.tally, between)
		measured += s.measured
	}
	return w.whole, measured
}
