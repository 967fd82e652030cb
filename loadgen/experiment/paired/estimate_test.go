package paired_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fullbore/loadgen/experiment/paired"
)

// depression are the Hamilton depression scale factors of nine patients before and
// after the start of a therapy (Hollander and Wolfe, Nonparametric Statistical
// Methods, table 3.1), as differences.
func depression() []float64 {
	before := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	after := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	out := make([]float64, len(before))
	for i := range out {
		out[i] = after[i] - before[i]
	}
	return out
}

// TestTextbook holds the worked example of the book: estimate −0.46, and with
// 1 − 10/256 = 96.1 % confidence −0.786 to −0.010.
func TestTextbook(t *testing.T) {
	e := paired.HodgesLehmann(depression())
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 5e-4 {
			t.Errorf("%s %v, want %v", what, got, want)
		}
	}
	near("center", e.Center, -0.46)
	near("low", e.Low, -0.786)
	near("high", e.High, -0.010)
	near("confidence", e.Confidence, 1-10./256)
	near("p", paired.SignedRank(depression()), 0.03906)
}

// TestFewDifferences holds what little a few differences say.
func TestFewDifferences(t *testing.T) {
	for _, c := range []struct {
		d    []float64
		want paired.Estimate
	}{
		{nil, paired.Estimate{}},
		{[]float64{3}, paired.Estimate{Center: 3, Low: 3, High: 3, Confidence: 0}},
		{[]float64{1, 2}, paired.Estimate{Center: 1.5, Low: 1, High: 2, Confidence: 0.5}},
		{[]float64{5, 1, 2, 4, 3}, paired.Estimate{Center: 3, Low: 1, High: 5, Confidence: 0.9375}},
		{[]float64{6, 5, 1, 2, 4, 3}, paired.Estimate{Center: 3.5, Low: 1, High: 6, Confidence: 0.96875}},
		{[]float64{7, 7, 7, 7, 7, 7}, paired.Estimate{Center: 7, Low: 7, High: 7, Confidence: 0.96875}},
	} {
		if got := paired.HodgesLehmann(c.d); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.d, got, c.want)
		}
	}
}

// TestIntervalIsTheTestTurnedAround: the interval holds just those centres that the
// test does not reject at one minus its confidence.
func TestIntervalIsTheTestTurnedAround(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= 60; n += 1 + n/8 {
		d := make([]float64, n)
		for i := range d {
			d[i] = r.NormFloat64()
		}
		e := paired.HodgesLehmann(d)
		if e.Center < e.Low || e.Center > e.High || n > 5 && e.Confidence < 0.95 {
			t.Errorf("n=%d: %+v", n, e)
		}
		const step = 1e-6
		for _, c := range []struct {
			center float64
			in     bool
		}{{e.Low - step, false}, {e.Low + step, true}, {e.High - step, true}, {e.High + step, false}} {
			if n == 1 {
				continue // the interval is a point
			}
			moved := slices.Clone(d)
			for i := range moved {
				moved[i] -= c.center
			}
			if in := paired.SignedRank(moved) > 1-e.Confidence+1e-12; in != c.in {
				t.Errorf("n=%d: %v inside is %v in %+v", n, c.center, in, e)
			}
		}
	}
}

// TestCoverage counts how often the interval covers the truth: as often as it says.
func TestCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const runs = 4000 / thinner
	for _, n := range []int{3, 8, 12, 20} {
		covered, said := 0, 0.0
		for range runs {
			d := make([]float64, n)
			for i := range d {
				d[i] = 1 + math.Cbrt(r.NormFloat64()) // symmetrical, and far from normal
			}
			e := paired.HodgesLehmann(d)
			said = e.Confidence
			if e.Low <= 1 && 1 <= e.High {
				covered++
			}
		}
		if share := float64(covered) / runs; math.Abs(share-said) > 4*math.Sqrt(said*(1-said)/runs) {
			t.Errorf("n=%d: covered in %.4f, said %.4f", n, share, said)
		}
	}
}
