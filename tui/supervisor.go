package tui

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// supervisor owns the run: the goroutine that runs the engine and the one that
// hands it plans. Neither is a tea.Cmd, because Bubble Tea abandons commands in
// flight when it quits. The screen asks it on ticks; it never sends messages, as
// a send can block for as long as the terminal does.
//
// All methods return at once except wait.
type supervisor struct {
	build  func(loadgen.Plan) Engine
	now    func() time.Time
	ctx    context.Context // of the load; ends with stop or the caller's context
	cancel context.CancelFunc
	wake   chan struct{}  // capacity 1: a plan is waiting
	saving chan struct{}  // capacity 1: held while results are written
	done   chan struct{}  // closed when the run has returned
	tstp   chan os.Signal // capacity 1: somebody sent SIGTSTP

	engine  atomic.Pointer[Engine]
	started atomic.Pointer[time.Time] // wall clock, for labels only

	mu       sync.Mutex
	begun    bool
	queue    []loadgen.Plan
	accepted loadgen.Plan
	refused  []error
	crash    *PanicError
	stopped  time.Time // when stop was first called

	result loadgen.Result // written before done is closed
	err    error          // likewise
}

func newSupervisor(ctx context.Context, o Options) *supervisor {
	ctx, cancel := context.WithCancel(ctx)
	return &supervisor{
		build: o.Start, now: o.Now, ctx: ctx, cancel: cancel,
		wake: make(chan struct{}, 1), done: make(chan struct{}),
		saving: make(chan struct{}, 1), tstp: make(chan os.Signal, 1),
	}
}

// start begins the run with p; later calls do nothing.
func (s *supervisor) start(p loadgen.Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun || s.ctx.Err() != nil {
		return
	}
	s.begun, s.accepted = true, p
	go s.run(p)
}

// run is the run's goroutine; it ends with the engine and leaves its result.
func (s *supervisor) run(p loadgen.Plan) {
	defer close(s.done)
	defer func() {
		if v := recover(); v != nil {
			s.err = s.crashed(v)
			s.result = s.salvage("the program failed")
		}
	}()
	e := s.build(p)
	now := s.now()
	s.started.Store(&now)
	s.engine.Store(&e)
	go s.feed(e)
	s.result, s.err = e.Run(s.ctx)
}

// feed hands queued plans to the engine, in order, until the load is stopped.
func (s *supervisor) feed(e Engine) {
	defer func() {
		if v := recover(); v != nil {
			_ = s.crashed(v)
		}
	}()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.done:
			return
		case <-s.wake:
		}
		for p, ok := s.next(); ok; p, ok = s.next() {
			s.judged(p, e.Apply(p))
		}
	}
}

func (s *supervisor) next() (loadgen.Plan, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return loadgen.Plan{}, false
	}
	p := s.queue[0]
	s.queue = s.queue[1:]
	return p, true
}

func (s *supervisor) judged(p loadgen.Plan, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.refused = append(s.refused, err)
		return
	}
	s.accepted = p
}

// maxQueue bounds how many plans wait for an engine that does not take them;
// beyond it only the newest is kept, which is the one that counts.
const maxQueue = 32

// apply queues p for the engine.
func (s *supervisor) apply(p loadgen.Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) >= maxQueue {
		s.queue = s.queue[:maxQueue-1]
	}
	s.queue = append(s.queue, p)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// refusals are the errors of Apply since the last call, and the plan that is in
// force instead.
func (s *supervisor) refusals() ([]error, loadgen.Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.refused
	s.refused = nil
	return r, s.accepted
}

// snapshot is the engine's latest, nil before there is an engine.
func (s *supervisor) snapshot() *stats.Snapshot {
	if e := s.engine.Load(); e != nil {
		return (*e).Snapshot()
	}
	return nil
}

// startedAt is when the run began, by the wall clock; zero before that.
func (s *supervisor) startedAt() time.Time {
	if t := s.started.Load(); t != nil {
		return *t
	}
	return time.Time{}
}

// ended reports whether the run has returned by itself or otherwise, and how.
func (s *supervisor) ended() (error, bool) {
	select {
	case <-s.done:
		return s.err, true
	default:
		return nil, false
	}
}

// saver is save, one at a time, and awaited by finishSaving: it runs in a command,
// and Bubble Tea abandons commands in flight when it quits.
func (s *supervisor) saver(save saveFunc) saveFunc {
	if save == nil {
		return nil
	}
	return func(snap *stats.Snapshot, p loadgen.Plan) (string, error) {
		select {
		case s.saving <- struct{}{}:
			defer func() { <-s.saving }()
			return save(snap, p)
		case <-s.ctx.Done():
			return "", s.ctx.Err()
		}
	}
}

// finishSaving waits for results being written, at most for d.
func (s *supervisor) finishSaving(d time.Duration) {
	select {
	case s.saving <- struct{}{}: // and never given back: no save begins any more
	case <-time.After(d):
	}
}

// suspendAsked reports, once, that a SIGTSTP came.
func (s *supervisor) suspendAsked() bool {
	select {
	case <-s.tstp:
		return true
	default:
		return false
	}
}

// crashed keeps the first panic with its stack, to be printed once the screen is
// left. It must be called from the deferred function that recovered v.
func (s *supervisor) crashed(v any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &PanicError{Value: v, Stack: debug.Stack()}
	if s.crash == nil {
		s.crash = e
	}
	return e
}

// panicked is the first panic met; nil when there was none.
func (s *supervisor) panicked() *PanicError {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.crash
}

// stop ends the load; the run is then about to return.
func (s *supervisor) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped.IsZero() {
		s.stopped = time.Now() // monotonic: the time allowed runs from here
	}
	s.cancel()
}

// stopTime is how long a stopped load may take to return. A server that is
// frozen may not hold up the way out (C45: gone within 1 s).
const stopTime = 700 * time.Millisecond

// wait stops the load and waits for its result, at most until stopTime after the
// first stop, or until hurry. When the run does not come back, the last snapshot
// stands in for its result and the error is ErrStuck.
func (s *supervisor) wait(hurry <-chan struct{}) (loadgen.Result, error) {
	s.stop()
	s.mu.Lock()
	begun, left := s.begun, stopTime-time.Since(s.stopped)
	s.mu.Unlock()
	if !begun {
		return loadgen.Result{}, ErrNotStarted
	}
	timer := time.NewTimer(max(left, time.Millisecond))
	defer timer.Stop()
	select {
	case <-s.done:
		return s.result, s.err
	case <-timer.C:
	case <-hurry:
	}
	select {
	case <-s.done: // both at once: the result is worth more
		return s.result, s.err
	default:
	}
	return s.salvage("the load did not stop in time"), fmt.Errorf("stopping the load: %w (%v)", ErrStuck, stopTime)
}

// salvage makes a partial result of the last snapshot.
func (s *supervisor) salvage(reason string) loadgen.Result {
	s.mu.Lock()
	p := s.accepted
	s.mu.Unlock()
	r := loadgen.Result{Plan: p, Partial: true}
	if snap := s.snapshot(); snap != nil {
		r = loadgen.Interim(snap, p)
	}
	r.Started, r.Reason = s.startedAt(), reason
	return r
}
