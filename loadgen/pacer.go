package loadgen

import (
	"container/heap"
	"sync"
	"time"
)

// pacer wakes open-loop workers at their planned times (M9). A timer of the
// runtime would do so up to a millisecond late when the process is idle, because
// its poller waits in whole milliseconds; the alarm beneath a pacer is exact to a
// few microseconds where the system has one.
type pacer struct {
	now   func() time.Duration
	alarm alarm

	mu      sync.Mutex
	waiting sleepers
}

// alarm is a clock that can be set again while somebody waits for it.
type alarm interface {
	set(in time.Duration) // ring once, so much later; replaces what was set
	wait() bool           // block until it rings; false when it was stopped
	stop()
}

// sleeper is a worker and the moment it wants to be woken at.
type sleeper struct {
	at   time.Duration
	wake chan<- struct{}
}

// sleepers is a heap with the earliest on top.
type sleepers []sleeper

func (s sleepers) Len() int           { return len(s) }
func (s sleepers) Less(i, j int) bool { return s[i].at < s[j].at }
func (s sleepers) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// Push and Pop are for container/heap.
func (s *sleepers) Push(x any) { *s = append(*s, x.(sleeper)) }

func (s *sleepers) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}

func newPacer(now func() time.Duration, a alarm) *pacer { return &pacer{now: now, alarm: a} }

// soon is a wait not worth a wake-up: it is spun away.
const soon = 5 * time.Microsecond

// rouse has wake sent to once the moment has come. A wake-up may come early or
// twice; whoever is woken looks at the clock.
func (p *pacer) rouse(at time.Duration, wake chan<- struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	heap.Push(&p.waiting, sleeper{at, wake})
	if p.waiting[0].at == at {
		p.alarm.set(at - p.now())
	}
}

// forget drops all sleepers: a plan that is no longer in force may have planned
// batches for hours to come, and who waited for them is told otherwise.
func (p *pacer) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = p.waiting[:0]
}

// run wakes the sleepers until the alarm is stopped.
func (p *pacer) run() {
	for p.alarm.wait() {
		p.ring()
	}
}

// ring wakes everybody whose time has come and sets the alarm for the next.
func (p *pacer) ring() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.waiting) > 0 {
		early := p.waiting[0].at - p.now()
		if early > soon {
			p.alarm.set(early)
			return
		}
		s := heap.Pop(&p.waiting).(sleeper)
		select {
		case s.wake <- struct{}{}:
		default: // woken already
		}
	}
}

// runtimeAlarm is an alarm on the runtime's timers, for systems without a better one.
type runtimeAlarm struct {
	timer *time.Timer
	end   chan struct{}
	once  sync.Once
}

func newRuntimeAlarm() *runtimeAlarm {
	a := &runtimeAlarm{timer: time.NewTimer(time.Hour), end: make(chan struct{})}
	a.timer.Stop()
	return a
}

func (a *runtimeAlarm) set(in time.Duration) { a.timer.Reset(in) }

func (a *runtimeAlarm) wait() bool {
	select {
	case <-a.timer.C:
		return true
	case <-a.end:
		return false
	}
}

func (a *runtimeAlarm) stop() { a.once.Do(func() { close(a.end) }) }
