package tui

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// machine is something that runs, takes settings while it does and publishes what
// it knows. Engine and Contest are the two kinds.
type machine[P, S, R any] interface {
	Run(ctx context.Context) (R, error)
	Apply(settings P) error
	Snapshot() S
}

// task is a machine with the goroutines that a supervisor runs for it: one that runs
// it and one that hands it settings. Neither is a tea.Cmd, because Bubble Tea
// abandons commands in flight when it quits. The screen asks a task on ticks; a task
// never sends messages, as a send can block for as long as the terminal does.
//
// All methods return at once.
type task[P, S, R any] struct {
	ctx     context.Context // ends with stop or the supervisor's context
	cancel  context.CancelFunc
	crashed func(any) error
	wake    chan struct{} // capacity 1: settings are waiting
	done    chan struct{} // closed when the run has returned

	running atomic.Pointer[machine[P, S, R]]
	started atomic.Pointer[time.Time] // wall clock, for labels only

	mu       sync.Mutex
	queue    []P
	accepted P
	refused  []error

	result R     // written before done is closed
	err    error // likewise
}

// newTask prepares a task whose settings in force are first.
func newTask[P, S, R any](s *supervisor, first P) *task[P, S, R] {
	ctx, cancel := context.WithCancel(s.ctx)
	return &task[P, S, R]{
		ctx: ctx, cancel: cancel, crashed: s.crashed, accepted: first,
		wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
}

// run builds the machine and runs it; it is the task's goroutine and ends with the
// machine, whose result it leaves.
func (t *task[P, S, R]) run(now func() time.Time, build func() machine[P, S, R]) {
	defer close(t.done)
	defer func() {
		if v := recover(); v != nil {
			t.err = t.crashed(v)
		}
	}()
	m := build()
	began := now()
	t.started.Store(&began)
	t.running.Store(&m)
	go t.feed(m)
	t.result, t.err = m.Run(t.ctx)
}

// feed hands queued settings to the machine, in order, until it is stopped.
func (t *task[P, S, R]) feed(m machine[P, S, R]) {
	defer func() {
		if v := recover(); v != nil {
			_ = t.crashed(v)
		}
	}()
	for {
		select {
		case <-t.ctx.Done():
			return
		case <-t.done:
			return
		case <-t.wake:
		}
		for p, ok := t.next(); ok; p, ok = t.next() {
			t.judged(p, m.Apply(p))
		}
	}
}

func (t *task[P, S, R]) next() (p P, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) == 0 {
		return p, false
	}
	p = t.queue[0]
	t.queue = t.queue[1:]
	return p, true
}

func (t *task[P, S, R]) judged(p P, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.refused = append(t.refused, err)
		return
	}
	t.accepted = p
}

// maxQueue bounds how many settings wait for a machine that does not take them;
// beyond it only the newest are kept, which are the ones that count.
const maxQueue = 32

// apply queues p for the machine. A nil task takes nothing.
func (t *task[P, S, R]) apply(p P) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) >= maxQueue {
		t.queue = t.queue[:maxQueue-1]
	}
	t.queue = append(t.queue, p)
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// refusals are the errors of Apply since the last call, and the settings that are in
// force instead.
func (t *task[P, S, R]) refusals() (refused []error, inForce P) {
	if t == nil {
		return nil, inForce
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	refused, t.refused = t.refused, nil
	return refused, t.accepted
}

// snapshot is the machine's latest, the zero value before there is a machine.
func (t *task[P, S, R]) snapshot() (s S) {
	if t == nil {
		return s
	}
	if m := t.running.Load(); m != nil {
		return (*m).Snapshot()
	}
	return s
}

// startedAt is when the run began, by the wall clock; zero before that.
func (t *task[P, S, R]) startedAt() time.Time {
	if t == nil {
		return time.Time{}
	}
	if at := t.started.Load(); at != nil {
		return *at
	}
	return time.Time{}
}

// ended reports whether the run has returned by itself or otherwise, and how.
func (t *task[P, S, R]) ended() (error, bool) {
	if t == nil {
		return nil, false
	}
	select {
	case <-t.done:
		return t.err, true
	default:
		return nil, false
	}
}
