package loadgen

import (
	"slices"
	"time"

	"fullbore/loadgen/stats"
)

// refresh recomputes the figures that need a walk over histograms.
func (s *sampler) refresh() {
	if s.seg == nil {
		return
	}
	s.ledgers(func(l *ledger) { l.refresh(s.window.whole, s.breathe) })
	sum, measured := s.window.sum(s.breathe)
	w := s.seg.describe()
	w.Measured, w.Counters = measured, sum.Counters
	w.Latency, w.Service, w.Lag = sum.Latency(), sum.ServiceTime(), sum.ScheduleLag()
	current := s.seg.freeze()
	if s.phase == stats.Paused {
		// Nothing is added in a pause, and whoever asked for it may want the shape:
		// a round of an experiment ends in one.
		current.Distribution = s.seg.all.Response.Distribution()
	}
	s.shown = figures{window: w, current: current, whole: s.sumUp(), bars: bars(sum.Response)}
}

// sumUp is everything measured in the run, whatever the plan.
func (s *sampler) sumUp() stats.Segment {
	if len(s.history.segments) == 0 {
		return s.seg.freeze()
	}
	all := stats.NewTally()
	all.Merge(s.whole, s.breathe)
	all.Merge(s.seg.all, s.breathe)
	out := s.seg.describe()
	out.Measured = s.wholeFor + s.seg.measured
	out.Counters, out.Latency, out.Service = all.Counters, all.Latency(), all.ServiceTime()
	return out
}

// publish stores a new immutable snapshot. Slices are shared with the sampler,
// which only ever appends to clipped or replaced ones.
func (s *sampler) publish(now time.Duration) {
	snap := &stats.Snapshot{
		State: s.phase, Elapsed: now,
		Pending: s.run.pending(), Progress: s.run.progress(),
		Connected: int(s.run.connected.Load()),
		Window:    s.shown.window, Current: s.shown.current, Whole: s.shown.whole,
		Bars: s.shown.bars, Before: s.before(), History: s.history.segments, Total: s.total,
		Points: slices.Clip(s.line.points), Marks: s.line.marks,
		Faults: ranked(s.faults), Notes: s.notes.list, Gaps: s.allGaps, Nodes: s.nodes(),
	}
	open := s.run.gaps.Gaps(now)
	snap.Gaps.Merge(open)
	if s.seg != nil {
		snap.Epoch, snap.Clients = s.seg.epoch, s.seg.plan.Clients
		// Counters are cheap, so they are never older than the snapshot.
		snap.Current.Counters, snap.Current.Measured = s.seg.all.Counters, s.seg.measured
		if snap.Current.Gaps = s.seg.gaps; s.phase == stats.Measuring {
			snap.Current.Gaps.Merge(open)
		}
	}
	snap.Warnings = s.run.warnings(snap)
	s.run.snapshot.Store(snap)
}

// before is the segment to compare the present one with: the last one that was
// measured under another load.
func (s *sampler) before() *stats.Segment {
	present := ""
	if s.seg != nil && len(s.history.segments) > 0 {
		present = s.seg.plan.String()
	}
	for i, history := len(s.history.segments)-1, s.history.segments; i >= 0; i-- {
		if history[i].Plan != present {
			return &history[i]
		}
	}
	return nil
}

// ranked is a copy of faults, most frequent first.
func ranked(faults []stats.Fault) []stats.Fault {
	out := slices.Clone(faults)
	slices.SortStableFunc(out, func(a, b stats.Fault) int { return int(b.Count - a.Count) })
	return out
}

// bars condenses a distribution into about seven columns whose edges follow the
// 1-1.5-2-3-5-7 ladder from the 1st to the 99th percentile.
func bars(h *stats.Histogram) []stats.Bar {
	if h.Count() == 0 {
		return nil
	}
	v := h.Values([]float64{.01, .99})
	var edges []time.Duration
	for decade := 100 * time.Nanosecond; decade < stats.HighestLatency; decade *= 10 {
		for _, tenths := range []time.Duration{10, 15, 20, 30, 50, 70} {
			if edge := decade * tenths / 10; edge >= v[0] && (len(edges) == 0 || edges[len(edges)-1] < v[1]) {
				edges = append(edges, edge)
			}
		}
	}
	return h.Bars(edges)
}
