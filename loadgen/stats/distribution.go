package stats

import (
	"math"
	"time"
)

// Distribution is the immutable shape of a Histogram: what a report draws its
// tables of percentiles from. It keeps the occupied buckets only, some thousand at
// most where a Histogram always takes its 180 KB. The methods of a nil
// Distribution answer that there is nothing.
type Distribution struct {
	steps     []Step
	deviation time.Duration
	mean      time.Duration
}

// Step says that Count samples were not above UpTo; Count is cumulative.
type Step struct {
	UpTo  time.Duration
	Count int64
}

// Rung is a step of the ladder of percentiles.
type Rung struct {
	Percentile float64 // the one that was asked for, 0 to 100
	Step
}

// Distribution is the present shape of h; nil when there are no samples.
func (h *Histogram) Distribution() *Distribution {
	if h.count == 0 {
		return nil
	}
	d := &Distribution{mean: h.sum / time.Duration(h.count), deviation: time.Duration(h.buckets.StdDev())}
	var seen int64
	for _, b := range h.buckets.Distribution() {
		if b.Count > 0 {
			seen += b.Count
			d.steps = append(d.steps, Step{h.within(time.Duration(b.To), b.To), seen})
		}
	}
	// The extremes are exact (M5), wherever the last bucket ends.
	d.steps[len(d.steps)-1].UpTo = h.max
	return d
}

// Steps are all occupied buckets, ascending; not to be written to.
func (d *Distribution) Steps() []Step {
	if d == nil {
		return nil
	}
	return d.steps
}

// Count is the number of samples.
func (d *Distribution) Count() int64 {
	if d == nil {
		return 0
	}
	return d.steps[len(d.steps)-1].Count
}

// Mean is the exact average, and Deviation the standard deviation to the precision
// of the buckets; both zero without samples.
func (d *Distribution) Mean() time.Duration {
	if d == nil {
		return 0
	}
	return d.mean
}

// Deviation is the standard deviation, see Mean.
func (d *Distribution) Deviation() time.Duration {
	if d == nil {
		return 0
	}
	return d.deviation
}

// Ladder walks from the smallest sample to 100 % and takes ticks rungs on each half
// of the way that is left: with one tick 0, 50, 75, 87.5 … It ends with the rung
// that reaches all samples and that of 100 %, as the percentile iterator of
// HdrHistogram does, so that tables agree with those of other programs.
func (d *Distribution) Ladder(ticks int) []Rung {
	if d == nil {
		return nil
	}
	all := d.Count()
	last := d.steps[len(d.steps)-1]
	var out []Rung
	at := 0.0
	for _, s := range d.steps {
		share := 100 * float64(s.Count) / float64(all)
		for at <= share && at < 100 {
			out = append(out, Rung{at, s})
			if s.Count == all {
				break
			}
			at = rungAfter(at, ticks)
		}
	}
	return append(out, Rung{100, last})
}

// rungAfter is at and one tick of the half distance to 100 that at lies in.
func rungAfter(at float64, ticks int) float64 {
	halvings := math.Floor(math.Log2(100/(100-at))) + 1
	return at + 100/(float64(max(1, ticks))*math.Exp2(halvings))
}

// Coarse sums the steps up to the edges that edge gives for them: the smallest one
// of its grid not below a latency. Edges that nothing lies at are left out, and the
// last one has all samples.
func (d *Distribution) Coarse(edge func(time.Duration) time.Duration) []Step {
	var out []Step
	for _, s := range d.Steps() {
		s.UpTo = edge(s.UpTo)
		if n := len(out); n > 0 && out[n-1].UpTo == s.UpTo {
			out[n-1] = s
		} else {
			out = append(out, s)
		}
	}
	return out
}
