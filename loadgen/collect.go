package loadgen

import (
	"time"

	"fullbore/loadgen/stats"
)

// collect takes what the shards have and books it: to the segment when it was
// measured under its plan, else only to the totals. It reports whether a slot of
// the window was completed.
func (s *sampler) collect(now time.Duration) (full bool) {
	s.in.Reset()
	s.fresh.Reset()
	s.out.Reset()
	s.take()
	for _, part := range s.swapped {
		s.book(part.recording)
		s.bookNode(part)
		part.shard.Recycle(part.recording)
	}
	for _, t := range []*stats.Tally{s.in, s.fresh, s.out} {
		s.total.Add(t.Counters)
	}
	span := now - s.last
	point := s.point(now, span)
	s.line.add(point)
	if s.warmup != nil {
		s.warmup.add(s.fresh.Counters.Replies, span)
	}
	s.last = now
	if s.phase == stats.Measuring || s.phase == stats.Settling {
		s.ledgers(func(l *ledger) { l.pass(span, s.window.length) })
	}
	switch s.phase {
	case stats.Measuring:
		s.seg.all.Merge(s.in, s.breathe)
		s.seg.measured += span
		return s.window.add(s.in, span, s.breathe)
	case stats.Settling:
		// The window is about what happens now, so it does not wait for the
		// warm-up; what counts as measured does.
		return s.window.add(s.fresh, span, s.breathe)
	}
	return false
}

// settle ends the warm-up when its time has come.
func (s *sampler) settle(now time.Duration) {
	if s.phase != stats.Settling || s.warmup == nil {
		return
	}
	over, verdict := s.warmup.verdict()
	if !over {
		return
	}
	s.seg.steady = verdict
	if verdict == stats.NotSteady {
		s.note(stats.Note{At: now, Warning: true, Text: "not steady: throughput still moved when measuring began"})
	}
	if s.run.budget.limited {
		// A counted run measures the batches of an epoch of its own, so that its
		// counts are exact to the request.
		s.warmup = nil
		s.run.warmedUp()
		return
	}
	s.measure(now)
}

// part is a recording and the shard that wants it back.
type part struct {
	node      *node
	shard     *stats.Shard
	recording *stats.Recording
}

// take swaps all shards at once, before any of the merging begins.
func (s *sampler) take() {
	s.swapped = s.swapped[:0]
	for _, n := range s.run.everyNode() {
		for _, shard := range n.shards {
			recordings, faults := shard.Swap(nil)
			for _, f := range faults {
				s.faults = stats.AddFault(s.faults, f)
			}
			for _, r := range recordings {
				s.swapped = append(s.swapped, part{n, shard, r})
			}
		}
	}
}

// book adds a recording to where it belongs.
func (s *sampler) book(r *stats.Recording) {
	switch {
	case s.measuring(r.Epoch):
		s.in.Absorb(r, s.breathe)
		s.seg.absorb(r, s.breathe)
	case s.phase == stats.Settling && r.Epoch == s.seg.epoch:
		s.fresh.Absorb(r, s.breathe)
	default:
		s.out.Absorb(r, s.breathe)
	}
}

// breath is how long the sampler steps aside between two merges. Each takes about
// 50 µs, and with one thread the replies that arrive meanwhile wait for it: a
// whole tick in one go would be seen in the load's p99.
const breath = 20 * time.Microsecond

// breathe lets the workers in, while nobody waits for the sampler to finish.
func (s *sampler) breathe() {
	if s.calm {
		time.Sleep(breath)
	}
}

func (s *sampler) measuring(epoch int) bool {
	return s.phase == stats.Measuring && s.seg != nil && epoch == s.seg.epoch
}

// point is the interval's place on the time line; of a mixed interval the larger
// part gives the percentiles.
func (s *sampler) point(now, span time.Duration) stats.Point {
	p := stats.Point{
		At: now, Span: span, Measured: s.phase == stats.Measuring, Paused: s.phase == stats.Paused,
	}
	if s.seg != nil {
		p.Epoch = s.seg.epoch
	}
	main := s.in
	for _, t := range []*stats.Tally{s.in, s.fresh, s.out} {
		p.Replies += t.Counters.Replies
		p.Errors += t.Counters.Errors
		if t.Counters.Replies > main.Counters.Replies {
			main = t
		}
	}
	v := main.Response.Values([]float64{.50, .99, .999})
	p.P50, p.P99, p.P999 = v[0], v[1], v[2]
	return p
}
