package paired_test

import (
	"math"
	"slices"
	"testing"

	"fullbore/loadgen/experiment/paired"
)

func TestHolm(t *testing.T) {
	for _, c := range []struct {
		name     string
		ps, want []float64
	}{
		{"none", nil, nil},
		{"one", []float64{0.04}, []float64{0.04}},
		// The example of Holm's procedure that R's p.adjust and statsmodels agree on.
		{"worked", []float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{"never above one", []float64{0.5, 0.9, 0.7}, []float64{1, 1, 1}},
		{"equal", []float64{0.02, 0.02, 0.02}, []float64{0.06, 0.06, 0.06}},
		{"monotone", []float64{0.011, 0.01}, []float64{0.02, 0.02}},
	} {
		before := slices.Clone(c.ps)
		got := paired.Holm(c.ps)
		if len(got) != len(c.want) || !slices.Equal(before, c.ps) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-15 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
	}
}

func TestBonferroni(t *testing.T) {
	for _, c := range []struct {
		p      float64
		family int
		want   float64
	}{{0.01, 3, 0.03}, {0.5, 3, 1}, {0.2, 1, 0.2}, {0.2, 0, 0.2}, {0.2, -4, 0.2}} {
		if got := paired.Bonferroni(c.p, c.family); got != c.want {
			t.Errorf("Bonferroni(%v, %d) = %v, want %v", c.p, c.family, got, c.want)
		}
	}
}
