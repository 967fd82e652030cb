package loadgen

import (
	"testing"
	"time"

	"fullbore/loadgen/target"
)

// Who waits for the sampler's lock has read the clock before the one that held it: time
// goes on all the same, and lies on the time line once.
func TestIntervalsAreNeverNegative(t *testing.T) {
	r := New(target.TCP("127.0.0.1", 1), Plan{Clients: 1, Pipeline: 1})
	s := r.sampler
	s.begin(newEpoch(r.epoch.Load(), Plan{Clients: 1, Pipeline: 1}, 0), 100*time.Millisecond, true)
	s.tick(300 * time.Millisecond)
	for i, late := range []func(){
		func() {
			s.begin(newEpoch(r.epoch.Load(), Plan{Clients: 1, Pipeline: 2}, 0), 250*time.Millisecond, true)
		},
		func() { s.tick(200 * time.Millisecond) },
		func() { s.cut(280*time.Millisecond, "settling") },
	} {
		late()
		if snap := r.Snapshot(); snap.Elapsed != 300*time.Millisecond || snap.Current.Measured < 0 {
			t.Errorf("step %d: the run is at %v, with %v measured", i, snap.Elapsed, snap.Current.Measured)
		}
	}
	var sum time.Duration
	for _, p := range r.Snapshot().Points {
		if sum += p.Span; p.Span <= 0 || sum != p.At {
			t.Errorf("points %+v", r.Snapshot().Points)
		}
	}
	if sum != 300*time.Millisecond {
		t.Errorf("%v on the time line", sum)
	}
}
