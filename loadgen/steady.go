package loadgen

import (
	"math"
	"slices"
	"time"

	"fullbore/loadgen/stats"
)

// Bounds of a warm-up: at the start (M12) and after a change (M17).
const (
	steadyWindow = 250 * time.Millisecond
	startWindows = 8
	startAtMost  = 10 * time.Second
	turnWindows  = 4
	turnAtMost   = 3 * time.Second
)

// warmup judges when samples begin to count. It sees the throughput of every
// sampling interval and is asked after each.
type warmup struct {
	plan    Warmup
	windows int           // that must agree
	most    time.Duration // after which measuring begins all the same
	spent   time.Duration
	rates   []float64 // of the whole windows so far

	replies int64 // of the window under way
	span    time.Duration
}

// newWarmup is the warm-up of a plan at the start of a run or after a change.
func newWarmup(w Warmup, start bool) *warmup {
	if start {
		return &warmup{plan: w, windows: startWindows, most: startAtMost}
	}
	return &warmup{plan: w, windows: turnWindows, most: turnAtMost}
}

// add books a sampling interval.
func (w *warmup) add(replies int64, span time.Duration) {
	w.spent += span
	w.replies += replies
	w.span += span
	if w.span >= steadyWindow {
		w.rates = append(w.rates, float64(w.replies)/w.span.Seconds())
		w.replies, w.span = 0, 0
	}
}

// verdict tells whether measuring may begin, and how steady the load then is.
func (w *warmup) verdict() (over bool, s stats.Steadiness) {
	switch {
	case !w.plan.Auto:
		return w.spent >= w.plan.Time, stats.Unjudged
	case len(w.rates) >= w.windows && steady(w.rates[len(w.rates)-w.windows:]):
		return true, stats.Steady
	case w.spent >= w.most || w.silent():
		return true, stats.NotSteady
	}
	return false, stats.Unjudged
}

// silent reports that nothing was answered for as many windows as steadiness
// takes: a server that is gone is not waited for, so that a run of a given length
// ends on time.
func (w *warmup) silent() bool {
	return len(w.rates) >= startWindows && slices.Max(w.rates[len(w.rates)-startWindows:]) == 0
}

// steady applies M12 to consecutive windows: the medians of the first and the
// last half differ by less than 2 % or one MAD (the median of the distances from
// the median), whichever is more, and no window is empty.
func steady(rates []float64) bool {
	if slices.Min(rates) == 0 {
		return false
	}
	half := len(rates) / 2
	middle := median(rates)
	distances := make([]float64, len(rates))
	for i, r := range rates {
		distances[i] = math.Abs(r - middle)
	}
	limit := max(0.02*middle, median(distances))
	return math.Abs(median(rates[:half])-median(rates[half:])) < limit
}

// median of a copy of v, which must not be empty.
func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	m := len(s) / 2
	if len(s)%2 == 1 {
		return s[m]
	}
	return (s[m-1] + s[m]) / 2
}
