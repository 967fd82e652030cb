package views

import (
	"math"
	"slices"
	"testing"
)

// repeat makes a series of n equal values.
func repeat(v float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// labels lists what stands at the rows of an axis, and below them at its foot.
func labelsOf(a axis) (out []string) {
	for r := range a.rows {
		out = append(out, a.label(r))
	}
	return append(out, a.foot())
}

func TestLinearLabels(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values []float64
		rows   int
		scale  Scale
		want   []string
	}{
		{"drawing 1", []float64{168e3, 1.18e6}, 4, ScaleAuto, []string{"1.2M", "900k", "600k", "300k", "0"}},
		{"drawing 3", []float64{168e3, 1.18e6}, 8, ScaleAuto, []string{"1.2M", "", "900k", "", "600k", "", "300k", "", "0"}},
		{"no data", nil, 3, ScaleAuto, []string{"", "", "", "0"}},
		{"zeros", repeat(0, 9), 3, ScaleAuto, []string{"", "", "", "0"}},
		{"closer look", []float64{0.82e6, 1.15e6}, 5, ScaleAuto, []string{"1.2M", "1.12M", "1.04M", "960k", "880k", "800k"}},
		{"from zero", []float64{0.9e6, 1.1e6}, 5, ScaleZero, []string{"1.25M", "1M", "750k", "500k", "250k", "0"}},
		{"one row", []float64{5}, 1, ScaleZero, []string{"5", "0"}},
		{"small", []float64{0.03, 0.05}, 3, ScaleZero, []string{"0.06", "0.04", "0.02", "0"}},
	} {
		if got := labelsOf(linear(tt.values, tt.rows, tt.scale)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Labels that stand equally far apart say values that lie equally far apart, the
// one on the axis line included: uneven steps would bend every curve.
func TestLabelsAreEven(t *testing.T) {
	r := source(11)
	for range 2000 {
		low := math.Pow(10, r.Float64()*8)
		high := low * (1 + r.Float64()*2)
		rows := 2 + r.IntN(30)
		a := linear([]float64{low, high}, rows, Scale(r.IntN(2)))
		for row := range rows {
			above := rows - row
			if got, want := a.label(row) != "", above%a.every == 0; got != want {
				t.Fatalf("%v..%v in %d rows: label %q in row %d", low, high, rows, a.label(row), row)
			}
			want := a.low + (a.high-a.low)*float64(above)/float64(rows)
			if l := a.label(row); l != "" && l != Short(want) {
				t.Fatalf("%v..%v: row %d says %s, its edge is %v", low, high, row, l, want)
			}
		}
		if a.foot() != Short(a.low) {
			t.Fatalf("the foot says %s, it is at %v", a.foot(), a.low)
		}
	}
	// The first screen of a run, looked at closely.
	a := linear([]float64{118e3, 143e3}, 5, ScaleAuto)
	if got, want := labelsOf(a), []string{"152k", "144k", "136k", "128k", "120k", "112k"}; !slices.Equal(got, want) {
		t.Errorf("labels %q, want %q", got, want)
	}
}

// Whatever the series: the axis holds its values, wastes less than half of itself,
// and its steps rise with the value.
func TestLinearHoldsItsValues(t *testing.T) {
	r := source(4)
	for range 5000 {
		low := math.Pow(10, r.Float64()*12-3)
		high := low * (1 + r.Float64()*3)
		rows := 1 + r.IntN(40)
		scale := Scale(r.IntN(2))
		a := linear([]float64{low, high, (low + high) / 2}, rows, scale)
		if a.low > low || a.high < high*(1-1e-9) {
			t.Fatalf("%v..%v in %d rows: axis %v..%v", low, high, rows, a.low, a.high)
		}
		if scale == ScaleZero && a.low != 0 {
			t.Fatalf("from zero begins at %v", a.low)
		}
		if a.high > 2*high {
			t.Fatalf("%v..%v in %d rows: axis up to %v", low, high, rows, a.high)
		}
		if a.steps(low, 8) > a.steps(high, 8) || a.steps(high, 8) > rows*8 {
			t.Fatalf("%v..%v: steps %d and %d", low, high, a.steps(low, 8), a.steps(high, 8))
		}
	}
}

func TestConstantSeriesLiesInTheMiddle(t *testing.T) {
	for _, v := range []float64{1e-6, 1, 168_420, 9.9e9, 5e-300, 1e300} {
		a := linear(repeat(v, 50), 5, ScaleAuto)
		if s := a.steps(v, 8); s < 40/5 || s > 40*4/5 {
			t.Errorf("constant %v stands at %d of 40, axis %v..%v", v, s, a.low, a.high)
		}
		a = linear(repeat(v, 50), 5, ScaleZero)
		if s := a.steps(v, 8); s < 40/2 || s > 40 {
			t.Errorf("constant %v from zero stands at %d of 40", v, s)
		}
	}
}

func TestOneSpikeDoesNotFlattenTheChart(t *testing.T) {
	values := append(repeat(1000, 70), 1e6)
	a := linear(values, 4, ScaleAuto)
	if s := a.steps(1000, 8); s < 32/4 {
		t.Errorf("beside a spike 1000 stands at %d of 32", s)
	}
	if s := a.steps(1e6, 8); s <= 32 {
		t.Errorf("the spike stands at %d: it must be beyond the axis", s)
	}
	// A new level is no spike: once more than 2 % of the columns have it, it counts.
	a = linear(append(repeat(1000, 70), repeat(1e6, 4)...), 4, ScaleAuto)
	if s := a.steps(1e6, 8); s > 32 {
		t.Errorf("four columns at a new level are still cut off")
	}
	// Among zeros the spike is all there is.
	a = linear(append(repeat(0, 70), 1e6), 4, ScaleAuto)
	if s := a.steps(1e6, 8); s < 16 || s > 32 {
		t.Errorf("among zeros the only value stands at %d of 32", s)
	}
}

func TestSomethingIsNeverNothing(t *testing.T) {
	a := linear([]float64{0, 1e6}, 4, ScaleZero)
	for _, tt := range []struct {
		v    float64
		want int
	}{{0, 0}, {1e-9, 1}, {1, 1}, {-5, 0}, {math.NaN(), 0}, {math.Inf(1), 0}} {
		if got := a.steps(tt.v, 3); got != tt.want {
			t.Errorf("%v stands at %d, want %d", tt.v, got, tt.want)
		}
	}
}

func TestDecades(t *testing.T) {
	for _, tt := range []struct {
		low, high float64 // seconds
		rows      int
		want      []string
	}{
		{0.000228, 0.0082, 5, []string{"10 ms", "", "1 ms", "", "", "0.1 ms"}},
		{0.0001, 0.01, 4, []string{"10 ms", "", "1 ms", "", "0.1 ms"}},
		{0.0000577, 0.003, 6, []string{"10 ms", "", "1 ms", "", "0.1 ms", "", "10 us"}},
		{0.5, 0.5, 3, []string{"1 s", "", "", "100 ms"}},
		{1e-9, 2e-9, 2, []string{"10 ns", "", "1 ns"}},
		{2, 90, 3, []string{"100 s", "10 s", "", "1 s"}},
	} {
		a := decades(latencyBins{p50: []float64{tt.low}, p99: []float64{math.NaN()}, p999: []float64{tt.high}}, tt.rows)
		if got := labelsOf(a); !slices.Equal(got, tt.want) {
			t.Errorf("%v..%v: %q, want %q", tt.low, tt.high, got, tt.want)
		}
		if a.steps(tt.low, 1) < 1 || a.steps(tt.high, 1) > tt.rows {
			t.Errorf("%v..%v: steps %d and %d of %d", tt.low, tt.high, a.steps(tt.low, 1), a.steps(tt.high, 1), tt.rows)
		}
	}
	if a := decades(latencyBins{}, 4); a.steps(0.001, 1) != 0 || a.label(0) != "" {
		t.Errorf("without data the axis shows %q", labelsOf(a))
	}
}
