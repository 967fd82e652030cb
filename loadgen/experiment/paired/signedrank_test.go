package paired_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fullbore/loadgen/experiment/paired"
)

// withSum are the differences 1 to n with signs such that the negative ones have the
// given sum of ranks: the largest that fits is taken each time.
func withSum(n, negative int) []float64 {
	out := make([]float64, n)
	for i := n; i >= 1; i-- {
		out[i-1] = float64(i)
		if i <= negative {
			negative -= i
			out[i-1] = float64(-i)
		}
	}
	return out
}

// TestSignedRankTable compares with the published critical values: the largest sum T
// with a two-sided p of at most 0.05, 0.02 and 0.01 (Wilcoxon and Wilcox, Some Rapid
// Approximate Statistical Procedures, 1964, table 2, with the exact probabilities of
// Hollander and Wolfe, table A.4). −1: no sum is that rare.
func TestSignedRankTable(t *testing.T) {
	levels := []float64{0.05, 0.02, 0.01}
	for n, critical := range map[int][3]int{
		5: {-1, -1, -1}, 6: {0, -1, -1}, 7: {2, 0, -1}, 8: {3, 1, 0}, 9: {5, 3, 1}, 10: {8, 5, 3},
		11: {10, 7, 5}, 12: {13, 9, 7}, 13: {17, 12, 9}, 14: {21, 15, 12}, 15: {25, 19, 15},
		16: {29, 23, 19}, 17: {34, 27, 23}, 18: {40, 32, 27}, 19: {46, 37, 32}, 20: {52, 43, 37},
		25: {89, 76, 68}, 30: {137, 120, 109},
	} {
		for i, level := range levels {
			if c := critical[i]; c >= 0 {
				if p := paired.SignedRank(withSum(n, c)); p > level {
					t.Errorf("n=%d T=%d: p %.5f, want at most %v", n, c, p, level)
				}
			}
			if p := paired.SignedRank(withSum(n, critical[i]+1)); p <= level {
				t.Errorf("n=%d T=%d: p %.5f, want above %v", n, critical[i]+1, p, level)
			}
		}
	}
}

// TestSignedRankExactly holds single probabilities, as fractions of 2^n.
func TestSignedRankExactly(t *testing.T) {
	for _, c := range []struct {
		n, sum int
		want   float64
	}{
		{1, 0, 1}, {2, 0, 0.5}, {5, 0, 0.0625}, {6, 0, 0.03125}, {8, 0, 0.0078125}, {8, 3, 10. / 256}, {8, 4, 14. / 256},
		{9, 5, 20. / 512}, {10, 8, 50. / 1024}, {10, 10, 86. / 1024}, {60, 0, math.Ldexp(1, -59)}, {60, 1, math.Ldexp(1, -58)},
	} {
		if got := paired.SignedRank(withSum(c.n, c.sum)); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("n=%d sum=%d: p %v, want %v", c.n, c.sum, got, c.want)
		}
	}
	for _, none := range [][]float64{nil, {}, {0}, {0, 0, 0}} {
		if got := paired.SignedRank(none); got != 1 {
			t.Errorf("%v: p %v, want 1", none, got)
		}
	}
}

// bySigns is the p-value by trying all signs: the share of them whose sum of positive
// ranks is as far from the middle as the one seen.
func bySigns(differences []float64) float64 {
	var ranks []float64
	var seen float64
	for _, d := range differences {
		if d == 0 {
			continue
		}
		below, same := 0, 0
		for _, o := range differences {
			switch {
			case math.Abs(o) < math.Abs(d):
				below++
			case math.Abs(o) == math.Abs(d):
				same++
			}
		}
		r := float64(below) + float64(same+1)/2
		ranks = append(ranks, r)
		if d > 0 {
			seen += r
		}
	}
	total := 0.0
	for _, r := range ranks {
		total += r
	}
	extreme := 0
	for signs := range 1 << len(ranks) {
		sum := 0.0
		for i, r := range ranks {
			if signs>>i&1 == 1 {
				sum += r
			}
		}
		if math.Abs(sum-total/2) >= math.Abs(seen-total/2) {
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<len(ranks))
}

// TestSignedRankAgainstAllSigns compares with the definition, without ties, with
// many, and with zeros.
func TestSignedRankAgainstAllSigns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 12; n++ {
		for _, steps := range []int{2, 3, 6, 1_000_000} {
			for range 12 {
				d := make([]float64, n)
				for i := range d {
					d[i] = float64(r.IntN(2*steps+1) - steps)
				}
				before := slices.Clone(d)
				if got, want := paired.SignedRank(d), bySigns(d); math.Abs(got-want) > 1e-12 {
					t.Errorf("%v: p %v, want %v", d, got, want)
				}
				if !slices.Equal(d, before) {
					t.Errorf("%v became %v", before, d)
				}
			}
		}
	}
}

// TestSignedRankIsUniform holds what makes p a p-value: under the null hypothesis all
// sums together have probability one, and p ≤ x is never likelier than x.
func TestSignedRankIsUniform(t *testing.T) {
	const n = 10
	count := map[float64]int{}
	for signs := range 1 << n {
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(i + 1)
			if signs>>i&1 == 1 {
				d[i] = -d[i]
			}
		}
		count[paired.SignedRank(d)]++
	}
	below := 0
	ps := make([]float64, 0, len(count))
	for p := range count {
		ps = append(ps, p)
	}
	slices.Sort(ps)
	for _, p := range ps {
		below += count[p]
		if share := float64(below) / (1 << n); share > p+1e-12 {
			t.Errorf("p ≤ %v has probability %v", p, share)
		}
	}
}
