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
// and the chart would look like a fence; a bar over two to eight columns is still
// one bin with its own samples. Samples further apart than that stay dots.
func (g grid) stride(n int, oldest, newest time.Duration) int {
	if n < 3 || g.columns < 8 || oldest <= newest {
		return 1
	}
	apart := float64(oldest-newest) / float64(n-1)
	column := float64(g.span) / float64(g.columns)
	if apart <= column*(1+1e-9) {
		return 1
	}
	// A half more than needed, because samplers tick unevenly.
	k := math.Ceil(1.5 * apart / column)
	if k > 8 {
		return 1
	}
	return int(k)
}

// binned are the values of a time axis, each over stride columns.
type binned struct {
	values          []float64 // NaN where a bin has no sample
	stride, columns int
}

// cells lays the bins out over the columns, the newest at the right edge; what is
// left over on the left has no data.
func (b binned) cells() []float64 {
	if b.stride == 1 {
		return b.values
	}
	out := empty(b.columns)
	first := b.columns - len(b.values)*b.stride
	for i, v := range b.values {
		for j := range b.stride {
			out[first+i*b.stride+j] = v
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

// means gives each bin the mean of its samples.
func means(samples []Sample, g grid) binned {
	columns := g.columns
	if columns <= 0 {
		return binned{stride: 1}
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
	return binned{sums, stride, columns}
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
	b.p50 = binned{b.p50, stride, columns}.cells()
	b.p99 = binned{b.p99, stride, columns}.cells()
	b.p999 = binned{b.p999, stride, columns}.cells()
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
