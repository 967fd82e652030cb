package views

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// source gives the same random numbers in every run.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

func TestColumnEdges(t *testing.T) {
	g := grid{span: 10 * time.Second, columns: 10}
	for _, tt := range []struct {
		age  time.Duration
		want int
	}{
		{-time.Hour, 9}, {0, 9}, {time.Second - 1, 9}, {time.Second, 8},
		{9 * time.Second, 0}, {10*time.Second - 1, 0}, {10 * time.Second, -1}, {math.MaxInt64, -1}, {math.MinInt64, 9},
	} {
		if got := g.column(tt.age); got != tt.want {
			t.Errorf("age %v: column %d, want %d", tt.age, got, tt.want)
		}
	}
	for _, g := range []grid{{}, {span: time.Second}, {columns: 5}, {span: -1, columns: 5}} {
		if got := g.column(0); got != -1 {
			t.Errorf("%+v: column %d, want none", g, got)
		}
	}
}

// Older never lies right of younger, and every age of the span has a column.
func TestColumnsAreOrdered(t *testing.T) {
	r := source(1)
	for range 2000 {
		g := grid{span: time.Duration(1 + r.Int64N(int64(time.Hour))), at: time.Duration(r.Int64N(int64(24 * time.Hour))), columns: 1 + r.IntN(400)}
		a, b := time.Duration(r.Int64N(int64(g.span))), time.Duration(r.Int64N(int64(g.span)))
		if a > b {
			a, b = b, a
		}
		if young, old := g.column(a), g.column(b); old > young || young >= g.columns {
			t.Fatalf("%+v: ages %v and %v in columns %d and %d", g, a, b, young, old)
		}
	}
}

// While the run goes on, two moments keep sharing a column, or keep not sharing it.
func TestColumnsStandStillInTheRun(t *testing.T) {
	r := source(2)
	g := grid{span: 2 * time.Minute, columns: 111}
	for range 500 {
		m1, m2 := time.Duration(r.Int64N(int64(90*time.Second))), time.Duration(r.Int64N(int64(90*time.Second)))
		var apart []int
		for at := 91 * time.Second; at < 110*time.Second; at += 250 * time.Millisecond {
			g.at = at
			apart = append(apart, g.column(at-m1)-g.column(at-m2))
		}
		for _, d := range apart {
			if d != apart[0] {
				t.Fatalf("moments %v and %v: distance changed from %d to %d", m1, m2, apart[0], d)
			}
		}
	}
}

// Binning loses no sample: the sums over the columns are those of the samples.
func TestMeansKeepEverySample(t *testing.T) {
	r := source(3)
	for range 200 {
		g := grid{span: time.Minute, columns: 1 + r.IntN(60)}
		var samples []Sample
		counts, sums := make([]float64, g.columns), make([]float64, g.columns)
		for range r.IntN(400) {
			s := Sample{Age: time.Duration(r.Int64N(int64(g.span))), Value: float64(r.IntN(1000))}
			c := g.columns - 1 - int(int64(s.Age)*int64(g.columns)/int64(g.span))
			counts[c]++
			sums[c] += s.Value
			samples = append(samples, s)
		}
		if n, oldest, newest := reach(samples); g.stride(n, oldest, newest) != 1 {
			continue
		}
		for c, got := range means(samples, g).cells() {
			switch {
			case counts[c] == 0 && !math.IsNaN(got):
				t.Fatalf("column %d has no sample but shows %v", c, got)
			case counts[c] > 0 && math.Abs(got-sums[c]/counts[c]) > 1e-9:
				t.Fatalf("column %d: %v, want %v", c, got, sums[c]/counts[c])
			}
		}
	}
}

func reach(samples []Sample) (n int, oldest, newest time.Duration) {
	newest = math.MaxInt64
	for _, s := range samples {
		n, oldest, newest = n+1, max(oldest, s.Age), min(newest, s.Age)
	}
	return n, oldest, newest
}

func TestMeansIgnoreWhatIsNoNumber(t *testing.T) {
	g := grid{span: time.Second, columns: 2}
	got := means([]Sample{{Age: 0, Value: math.NaN()}, {Age: 1, Value: 4}, {Age: 2, Value: math.Inf(1)}, {Age: 3, Value: 6}}, g).values
	if !math.IsNaN(got[0]) || got[1] != 5 {
		t.Errorf("got %v, want [NaN 5]", got)
	}
}

// A gap in the samples is a gap in the chart.
func TestGapsStayEmpty(t *testing.T) {
	var samples []Sample
	for age := 60 * time.Second; age > 0; age -= 100 * time.Millisecond {
		if age < 20*time.Second || age > 30*time.Second {
			samples = append(samples, Sample{Age: age, Value: 7})
		}
	}
	for c, v := range means(samples, grid{span: 60 * time.Second, columns: 60}).cells() {
		hole := c >= 31 && c < 40
		if math.IsNaN(v) != hole && c != 30 && c != 40 && c != 0 {
			t.Errorf("column %d: %v, hole %v", c, v, hole)
		}
	}
}

// Columns narrower than the samples lie apart are joined, not left as a fence.
func TestStride(t *testing.T) {
	for _, tt := range []struct {
		span    time.Duration
		columns int
		want    int
	}{
		{120 * time.Second, 110, 1}, {15 * time.Second, 110, 1}, {10 * time.Second, 110, 2}, {5 * time.Second, 110, 4}, {time.Second, 110, 1},
	} {
		n := int(tt.span / (100 * time.Millisecond))
		g := grid{span: tt.span, columns: tt.columns}
		if got := g.stride(n, tt.span-100*time.Millisecond, 0); got != tt.want {
			t.Errorf("%v over %d columns: stride %d, want %d", tt.span, tt.columns, got, tt.want)
		}
	}
	var samples []Sample
	for i := range 100 {
		samples = append(samples, Sample{Age: time.Duration(99-i) * 100 * time.Millisecond, Value: 1})
	}
	values := means(samples, grid{span: 10 * time.Second, columns: 111}).cells()
	if len(values) != 111 {
		t.Fatalf("%d columns, want 111", len(values))
	}
	for c, v := range values[3:] {
		if math.IsNaN(v) {
			t.Errorf("column %d of a dense series is empty", c+3)
		}
	}
}

func TestLatenciesMeanAndWorst(t *testing.T) {
	g := grid{span: 2 * time.Second, columns: 2}
	b := latencies([]LatencySample{
		{Age: 100 * time.Millisecond, P50: 1 * time.Millisecond, P99: 5 * time.Millisecond, P999: 9 * time.Millisecond},
		{Age: 200 * time.Millisecond, P50: 3 * time.Millisecond, P99: 2 * time.Millisecond, P999: 70 * time.Millisecond},
		{Age: 300 * time.Millisecond}, // no data: changes nothing
	}, g)
	if b.p50[1] != 0.002 || b.p99[1] != 0.005 || b.p999[1] != 0.07 {
		t.Errorf("p50 %v p99 %v p99.9 %v, want 0.002 0.005 0.07", b.p50[1], b.p99[1], b.p999[1])
	}
	if isData(b.p50[0]) || isData(b.p99[0]) || isData(b.p999[0]) {
		t.Errorf("the empty column shows %v %v %v", b.p50[0], b.p99[0], b.p999[0])
	}
}
