package loadgen

import (
	"testing"
	"time"

	"fullbore/loadgen/stats"
)

func TestSteady(t *testing.T) {
	tests := []struct {
		name  string
		rates []float64
		want  bool
	}{
		{"constant", []float64{100, 100, 100, 100, 100, 100, 100, 100}, true},
		{"within two percent", []float64{100, 100, 100, 100, 101.9, 101.9, 101.9, 101.9}, true},
		{"a step of three percent", []float64{100, 100, 100, 100, 103.2, 103.2, 103.2, 103.2}, false},
		{"ramp", []float64{10, 20, 30, 40, 50, 60, 70, 80}, false},
		// Noise of ten percent without a trend: the medians differ by less than a MAD.
		{"noise", []float64{95, 105, 93, 108, 104, 96, 107, 94}, true},
		{"one window empty", []float64{100, 100, 0, 100, 100, 100, 100, 100}, false},
		{"four windows after a change", []float64{100, 101, 100, 101}, true},
		{"four that still move", []float64{50, 80, 100, 100}, false},
	}
	for _, tt := range tests {
		if got := steady(tt.rates); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// feed gives w intervals of 100 ms at a rate until it is over, and returns for how
// long it took and the verdict.
func feed(w *warmup, rate func(at time.Duration) float64) (time.Duration, stats.Steadiness) {
	const tick = 100 * time.Millisecond
	for at := time.Duration(0); ; at += tick {
		if over, s := w.verdict(); over {
			return at, s
		}
		w.add(int64(rate(at)*tick.Seconds()), tick)
	}
}

func TestWarmup(t *testing.T) {
	flat := func(time.Duration) float64 { return 10_000 }
	climbing := func(at time.Duration) float64 { return 10_000 * (1 + at.Seconds()) }
	late := func(at time.Duration) float64 { return 10_000 * min(1, 0.1+at.Seconds()/4) }
	auto := Warmup{Auto: true}
	tests := []struct {
		name     string
		w        *warmup
		rate     func(time.Duration) float64
		low, top time.Duration
		want     stats.Steadiness
	}{
		{"none", newWarmup(Warmup{}, true), flat, 0, 0, stats.Unjudged},
		{"a given time", newWarmup(Warmup{Time: 2 * time.Second}, true), climbing, 2 * time.Second, 2 * time.Second, stats.Unjudged},
		{"steady from the start", newWarmup(auto, true), flat, 2 * time.Second, 2500 * time.Millisecond, stats.Steady},
		{"steady after four seconds", newWarmup(auto, true), late, 3 * time.Second, 8 * time.Second, stats.Steady},
		{"never steady", newWarmup(auto, true), climbing, startAtMost, startAtMost, stats.NotSteady},
		{"silent", newWarmup(auto, true), func(time.Duration) float64 { return 0 }, 2 * time.Second, 2500 * time.Millisecond, stats.NotSteady},
		{"after a change", newWarmup(auto, false), flat, time.Second, 1300 * time.Millisecond, stats.Steady},
		{"never steady after a change", newWarmup(auto, false), climbing, turnAtMost, turnAtMost, stats.NotSteady},
	}
	for _, tt := range tests {
		took, got := feed(tt.w, tt.rate)
		if got != tt.want || took < tt.low || took > tt.top {
			t.Errorf("%s: %q after %v, want %q after %v to %v", tt.name, got, took, tt.want, tt.low, tt.top)
		}
	}
}
