package loadgen

import (
	"slices"
	"testing"
	"time"
)

// fakeAlarm records what it is set to and rings when told.
type fakeAlarm struct{ sets []time.Duration }

func (a *fakeAlarm) set(in time.Duration) { a.sets = append(a.sets, in) }
func (a *fakeAlarm) wait() bool           { return false }
func (a *fakeAlarm) stop()                {}

func woken(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestPacerWakesInOrder(t *testing.T) {
	var now time.Duration
	a := &fakeAlarm{}
	p := newPacer(func() time.Duration { return now }, a)
	wakes := map[time.Duration]chan struct{}{}
	for _, at := range []time.Duration{30 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond} {
		wakes[at] = make(chan struct{}, 1)
		p.rouse(at, wakes[at])
	}
	// The alarm moves forward only: to 30, then to the earlier 10; 20 changes nothing.
	if want := []time.Duration{30 * time.Millisecond, 10 * time.Millisecond}; !slices.Equal(a.sets, want) {
		t.Errorf("alarm set to %v, want %v", a.sets, want)
	}
	now = 10*time.Millisecond - soon // early by what is not worth another wake-up
	p.ring()
	if !woken(wakes[10*time.Millisecond]) || woken(wakes[20*time.Millisecond]) {
		t.Error("at 10 ms exactly the first is to wake")
	}
	if last := a.sets[len(a.sets)-1]; last != 10*time.Millisecond+soon {
		t.Errorf("alarm set to %v for the next, want the rest of the way to 20 ms", last)
	}
	now = time.Second
	p.ring()
	if !woken(wakes[20*time.Millisecond]) || !woken(wakes[30*time.Millisecond]) || len(p.waiting) != 0 {
		t.Error("all that are due wake at once")
	}
}

func TestPacerDoesNotWaitForTheDeaf(t *testing.T) {
	p := newPacer(func() time.Duration { return time.Second }, &fakeAlarm{})
	wake := make(chan struct{}, 1)
	p.rouse(1, wake)
	p.rouse(2, wake) // the first wake-up was not taken yet
	p.ring()
	if !woken(wake) || woken(wake) {
		t.Error("one wake-up was to be left")
	}
}

// The alarm rings, can be set anew while somebody waits, and stops.
func TestAlarms(t *testing.T) {
	for name, a := range map[string]alarm{"system": newAlarm(), "runtime": newRuntimeAlarm()} {
		rings := make(chan bool, 10)
		go func() {
			for {
				ok := a.wait()
				rings <- ok
				if !ok {
					return
				}
			}
		}()
		begun := time.Now()
		a.set(time.Hour)
		a.set(20 * time.Millisecond)
		if !<-rings {
			t.Fatalf("%s: stopped", name)
		}
		if took := time.Since(begun); took < 20*time.Millisecond {
			t.Errorf("%s: rang after %v, set to 20ms", name, took)
		}
		a.set(-time.Second) // overdue rings at once
		if !<-rings {
			t.Fatalf("%s: stopped", name)
		}
		a.stop()
		if <-rings {
			t.Errorf("%s: rang after it was stopped", name)
		}
	}
}

// Slots of the schedule are evenly spaced whatever the rate, exact after a billion.
func TestScheduleIsExact(t *testing.T) {
	for _, tt := range []struct {
		rate     float64
		pipeline int
	}{{100, 1}, {500_000, 1}, {500_000, 16}, {0.5, 1}, {1e6 / 3, 7}} {
		ep := newEpoch(nil, Plan{Rate: tt.rate, Pipeline: tt.pipeline}, time.Second)
		for _, i := range []int64{0, 1, 999_999, 1_000_000_000} {
			ep.batches.Store(i)
			want := float64(i) * float64(tt.pipeline) / tt.rate
			if got := (ep.slot() - time.Second).Seconds(); got < want-2e-6 || got > want+2e-6 {
				t.Errorf("rate %v P=%d: batch %d planned at %vs, want %vs", tt.rate, tt.pipeline, i, got, want)
			}
		}
	}
}
