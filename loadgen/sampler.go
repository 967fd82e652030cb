package loadgen

import (
	"slices"
	"sync"
	"time"

	"fullbore/loadgen/stats"
)

// sampleEvery is the measuring cadence. It has nothing to do with how often a
// screen draws (M18).
const sampleEvery = 100 * time.Millisecond

// sampler turns what the shards recorded into segments, a window, a time line and
// an immutable snapshot. The lock is between its own goroutine and Runner.Run,
// which cuts and begins segments; workers never touch it.
type sampler struct {
	run *Runner

	mu           sync.Mutex
	phase        stats.State
	warmup       *warmup       // of the segment, while it settles
	wasMeasuring bool          // when the clock was last cut
	last         time.Duration // end of the interval before
	origin       time.Duration // zero of the grid that intervals end on
	seg          *segment      // nil before the first epoch
	history      archive
	compared     Plan         // of the segment measured last: what a change is a change from
	whole        *stats.Tally // all measured segments that are closed
	wholeFor     time.Duration
	window       *window
	line         *timeline
	total        stats.Counters
	allGaps      stats.Gaps // those of closed stretches of time
	faults       []stats.Fault
	notes        events
	lastMove     handover // of a cluster, told last
	movedAt      time.Duration

	// Scratch, of this interval: measured; set apart while its plan settles; set
	// apart because it was sent under an older plan.
	in, fresh, out *stats.Tally
	swapped        []part
	calm           bool // within a tick, which may take its time
	shown          figures
}

// figures are the parts of a snapshot that cost a walk over histograms and are
// therefore refreshed at the pace of a table, not of the time line.
type figures struct {
	window, current, whole stats.Segment
	bars                   []stats.Bar
}

func newSampler(r *Runner, p Plan) *sampler {
	return &sampler{
		run: r, phase: stats.Preparing, window: newWindow(p.Window), line: &timeline{},
		whole: stats.NewTally(), in: stats.NewTally(), fresh: stats.NewTally(), out: stats.NewTally(),
	}
}

// loop samples until stop is closed.
func (s *sampler) loop(stop <-chan struct{}) {
	defer s.run.guard("sampler")
	timer := time.NewTimer(sampleEvery)
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return
		case <-timer.C:
			now := s.run.now()
			// Outside the lock: the watch asks the crew, which publishes under
			// its own lock and then takes this one.
			s.run.watch(now, s.tick(now))
			timer.Reset(s.untilNext(s.run.now()))
		}
	}
}

// untilNext is how long to wait for the next interval's end. Intervals are counted
// from the moment measuring began, so that ten of them make a second of the
// series, and a second without replies is an empty one (M8).
func (s *sampler) untilNext(now time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := sampleEvery - (now-s.origin)%sampleEvery
	if rest < sampleEvery/2 {
		rest += sampleEvery // the last one came late, or the grid moved: no splinters
	}
	if w := s.warmup; w != nil && !w.plan.Auto && w.spent < w.plan.Time {
		rest = min(rest, w.plan.Time-w.spent) // a warm-up of a given length ends on time
	}
	return rest
}

// vitals is what the watch needs to know of the measuring.
type vitals struct {
	measured time.Duration // of all segments
	loaded   bool          // a plan is in force and not paused
}

// tick closes one sampling interval and publishes.
func (s *sampler) tick(now time.Duration) vitals {
	s.mu.Lock()
	defer s.mu.Unlock()
	now = s.notBefore(now)
	s.calm = true
	defer func() { s.calm = false }()
	full := s.collect(now)
	s.settle(now)
	// Until two slots are full every tick refreshes, so that the answer to a key
	// press is seen as soon as there is one.
	if full || len(s.window.slots) < 3 && s.phase != stats.Paused {
		s.refresh()
	}
	s.publish(now)
	v := vitals{measured: s.wholeFor}
	if s.seg != nil {
		v.measured += s.seg.measured
		v.loaded = s.phase != stats.Paused
	}
	return v
}

// notBefore is now, or the end of the latest interval where that is later: whoever had
// to wait for the lock read the clock before the other one did, and no interval may be
// negative nor lie twice on the time line.
func (s *sampler) notBefore(now time.Duration) time.Duration { return max(now, s.last) }

// begin puts a new epoch in force at a moment. A plan that asks for another load
// (or fresh is set) starts a segment; otherwise the segment goes on after a pause.
func (s *sampler) begin(ep *epoch, now time.Duration, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now = s.notBefore(now)
	s.collect(now)
	s.bookGaps(now)
	first := s.seg == nil
	switch {
	case first:
		s.seg, s.compared = newSegment(ep.plan, ep.number), ep.plan
	case fresh:
		s.replace(ep, now)
	default:
		s.seg.epoch, s.seg.plan.Paused = ep.number, ep.plan.Paused
	}
	s.window.resize(ep.plan.Window)
	s.warmup = newWarmup(ep.plan.Warmup, first)
	switch {
	case ep.plan.Paused:
		s.phase = stats.Paused
	case ep.plan.Warmup != Warmup{}:
		s.phase = stats.Settling
	default:
		s.measure(now)
	}
	s.refresh()
	s.publish(now)
}

// replace closes the segment and opens the next. A segment that was never
// measured leaves no trace but its counts: several key presses in a row are one
// change (M17).
func (s *sampler) replace(ep *epoch, now time.Duration) {
	before := s.close()
	s.ledgers((*ledger).close)
	s.seg = newSegment(ep.plan, ep.number)
	s.window.clear()
	text := before.Changes(ep.plan)
	if text == "" {
		text = "reset"
	}
	s.line.mark(stats.Mark{At: now, Text: text}, s.history.closed)
}

// close books the open segment and returns the plan that the next one is to be
// compared with.
func (s *sampler) close() Plan {
	if s.seg.measured > 0 {
		s.history.add(s.seg.finish())
		s.whole.Merge(s.seg.all, nil)
		s.wholeFor += s.seg.measured
		s.compared = s.seg.plan
	}
	return s.compared
}

// measure starts or restarts the segment's clock.
func (s *sampler) measure(now time.Duration) {
	s.phase, s.warmup, s.origin = stats.Measuring, nil, now
	s.gaps(now) // what lies before is not the segment's
	if s.seg.measured == 0 {
		s.seg.start = now
	}
}

// gaps takes the gaps seen since the last call: for the whole run, and for the
// segment when it was measured meanwhile.
func (s *sampler) bookGaps(now time.Duration) {
	g := s.gaps(now)
	if s.phase == stats.Measuring {
		s.seg.gaps.Merge(g)
	}
}

func (s *sampler) gaps(now time.Duration) stats.Gaps {
	g := s.run.gaps.Cut(now)
	s.allGaps.Merge(g)
	return g
}

// cut stops the segment's clock: what comes until the next begin is set apart.
func (s *sampler) cut(now time.Duration, phase stats.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now = s.notBefore(now)
	s.collect(now)
	s.wasMeasuring = s.phase == stats.Measuring
	s.bookGaps(now)
	s.phase, s.warmup = phase, nil
	s.refresh()
	s.publish(now)
}

// finish books what came after the last interval and returns the whole run.
func (s *sampler) finish(now time.Duration) Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settleUp(now)
	s.bookGaps(now)
	s.refresh()
	s.publish(now)
	s.phase = stats.Done
	s.conclude(now)
	s.publish(now)
	res := Result{
		Plan: s.run.first, Elapsed: now, Total: s.total, Faults: ranked(s.faults),
		Gaps: s.allGaps, Points: s.line.points, Marks: s.line.marks, Notes: s.notes.list,
		Segments: s.history.segments, Nodes: s.finished(),
	}
	if s.seg != nil {
		res.Plan = s.seg.plan
		if s.seg.measured > 0 {
			res.Segments = append(slices.Clip(s.history.segments), s.seg.finish())
		}
	}
	return res
}

// conclude keeps what is doubtful about the last segment in the result, where no
// snapshot will say it any more.
func (s *sampler) conclude(now time.Duration) {
	snap := s.run.Snapshot()
	texts := s.run.doubts(snap)
	if s.seg != nil && !s.seg.plan.Reconnect {
		if text, ok := s.run.shortfall(snap); ok {
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		s.note(stats.Note{At: now, Warning: true, Text: text})
	}
}

// settleUp counts the replies that were still in flight when the load was told
// to stop. They were sent while measuring was on, so they belong to the segment,
// and its clock runs to the last of them (M10).
func (s *sampler) settleUp(now time.Duration) {
	if s.phase == stats.Draining && s.wasMeasuring {
		s.phase = stats.Measuring
		if end := s.run.gaps.Latest(); end > s.last {
			now = end
		} else {
			now = s.last
		}
	}
	s.collect(now)
}

// tell adds an event for the reader, from outside the sampler.
func (s *sampler) tell(n stats.Note) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(n)
}

// announce tells, among the notes and on the time line, that slots have changed hands.
// What goes on, such as the moving of slot after slot, is told as one.
func (s *sampler) announce(now time.Duration, h handover) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := ""
	if h.from == s.lastMove.from && h.to == s.lastMove.to && now-s.movedAt < oneMove {
		before = s.lastMove.String()
		h.slots += s.lastMove.slots
	}
	s.notes.replace(before)
	s.note(stats.Note{At: now, Warning: true, Text: h.String()})
	s.line.event(stats.Mark{At: now, Text: h.String()}, before)
	s.lastMove, s.movedAt = h, now
}

// oneMove is how far apart two changes of hands are that count as one.
const oneMove = 10 * time.Second

func (s *sampler) note(n stats.Note) {
	s.notes.add(n)
}
