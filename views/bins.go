package views

import (
	"math"
	"time"
)

// grid sorts moments into the columns of a time axis. Column edges stand still in
// the time of the run (at is the run's time at age zero), so that a moment stays
// with its neighbours while the axis moves on, and the past does not shimmer.
type grid struct {
	span, at time.Duration
	columns  int
}

// column finds the column of an age, the newest being columns-1; -1 lies outside.
// A negative age is a clock's slip and counts as now.
func (g grid) column(age time.Duration) int {
	if g.span <= 0 || g.columns <= 0 || age > g.span {
		return -1
	}
	// Floating point, because nanoseconds times columns leave 64 bits after a few
	// months. A column is open at its old edge, so an age of exactly one column
	// belongs to the column before.
	at, columns, span := float64(g.at), float64(g.columns), float64(g.span)
	newest := math.Ceil(at * columns / span)
	back := newest - math.Ceil((at-float64(max(0, age)))*columns/span)
	if back >= float64(g.columns) {
		return -1
	}
	return g.columns - 1 - int(max(0, back))
}

// widened is the grid whose columns are stride of g's; columns left over at the
// old end fall away.
func (g grid) widened(stride int) grid {
	if stride == 1 {
		return g
	}
	whole := g.columns / stride
	g.span = time.Duration(float64(g.span) / float64(g.columns) * float64(whole*stride))
	g.columns = whole
	return g
}

// stride is the number of neighbouring columns one bar takes. Where the columns
// are narrower than the samples lie apart, every second column would stay empty
// and the chart would look like a fence; a bar over two to four columns is still
// one bin with its own samples. Samples further apart than that stay dots.
func (g grid) stride(n int, oldest, newest time.Duration) int {
	if n < 3 || g.columns < 8 || oldest <= newest {
		return 1
	}
	apart := float64(oldest-newest) / float64(n-1)
	column := float64(g.span) / float64(g.columns)
	// A fifth and a half more than needed, because samplers tick unevenly.
	if 1.2*apart <= column {
		return 1
	}
	k := math.Ceil(1.5 * apart / column)
	if k > 4 {
		return 1
	}
	return int(k)
}

// spread lays bins out over columns, stride columns each, the newest at the right
// edge; what is left over on the left has no data.
func spread(bins []float64, stride, columns int) []float64 {
	if stride == 1 && len(bins) == columns {
		return bins
	}
	out := empty(columns)
	first := columns - len(bins)*stride
	for i, v := range bins {
		for j := range stride {
			if at := first + i*stride + j; at >= 0 {
				out[at] = v
			}
		}
	}
	return out
}

// empty makes columns without data.
func empty(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// isData tells a value from a hole.
func isData(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// means gives each column the mean of its samples, NaN where it has none.
func means(samples []Sample, g grid) []float64 {
	columns := g.columns
	if columns <= 0 {
		return nil
	}
	n, oldest, newest := 0, time.Duration(0), time.Duration(math.MaxInt64)
	for i := range samples {
		if a := samples[i].Age; a <= g.span && isData(samples[i].Value) {
			n, oldest, newest = n+1, max(oldest, a), min(newest, a)
		}
	}
	stride := g.stride(n, oldest, newest)
	g = g.widened(stride)
	sums, counts := make([]float64, g.columns), make([]int32, g.columns)
	for i := range samples {
		if v := samples[i].Value; isData(v) {
			if c := g.column(samples[i].Age); c >= 0 {
				sums[c] += v
				counts[c]++
			}
		}
	}
	for c := range sums {
		if counts[c] == 0 {
			sums[c] = math.NaN()
		} else {
			sums[c] /= float64(counts[c])
		}
	}
	return spread(sums, stride, columns)
}

// latencyBins holds the columns of a latency chart in seconds; NaN has no data.
type latencyBins struct{ p50, p99, p999 []float64 }

// latencies gives each column the mean of its medians and the worst of its tails:
// a tail is there to be seen, and a mean of percentiles is no percentile.
func latencies(samples []LatencySample, g grid) latencyBins {
	columns := g.columns
	if columns <= 0 {
		return latencyBins{}
	}
	n, oldest, newest := 0, time.Duration(0), time.Duration(math.MaxInt64)
	for i := range samples {
		if a := samples[i].Age; a <= g.span && samples[i].P99 > 0 {
			n, oldest, newest = n+1, max(oldest, a), min(newest, a)
		}
	}
	stride := g.stride(n, oldest, newest)
	g = g.widened(stride)
	b := latencyBins{empty(g.columns), empty(g.columns), empty(g.columns)}
	counts := make([]int32, g.columns)
	for i := range samples {
		s := &samples[i]
		c := g.column(s.Age)
		if c < 0 {
			continue
		}
		if s.P50 > 0 {
			if counts[c]++; counts[c] == 1 {
				b.p50[c] = 0
			}
			b.p50[c] += s.P50.Seconds()
		}
		b.p99[c] = worse(b.p99[c], s.P99)
		b.p999[c] = worse(b.p999[c], s.P999)
	}
	for c, k := range counts {
		if k > 0 {
			b.p50[c] /= float64(k)
		}
	}
	b.p50 = spread(b.p50, stride, columns)
	b.p99 = spread(b.p99, stride, columns)
	b.p999 = spread(b.p999, stride, columns)
	return b
}

// worse is the larger of a column's value so far and one more latency.
func worse(sofar float64, d time.Duration) float64 {
	if d <= 0 {
		return sofar
	}
	if s := d.Seconds(); math.IsNaN(sofar) || s > sofar {
		return s
	}
	return sofar
}
