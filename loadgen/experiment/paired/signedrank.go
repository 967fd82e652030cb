package paired

import (
	"cmp"
	"math"
	"slices"
)

// SignedRank is the two-sided p-value of the Wilcoxon signed-rank test that the
// differences (here: log ratios) lie symmetrically about zero, from the exact
// distribution and never an approximation; 1 without a difference that is not zero.
//
// The magnitudes are ranked, tied ones share their middle rank, and under the null
// hypothesis each rank carries either sign with probability one half, whatever the
// ties: see Wilcoxon, Biometrics Bulletin 1 (1945), and Lehmann, Nonparametrics
// (1975), chapter 3. Zeros are handled as Pratt proposed (JASA 54, 1959): they take
// part in the ranking and then leave with their ranks, because dropping them before
// can make a sample look more significant by moving it towards zero.
//
// It takes some n³/2 additions: 10 µs for 30 differences, 0.1 ms for 60.
func SignedRank(differences []float64) float64 {
	positive, ranks := doubledRanks(differences)
	total := 0
	for _, r := range ranks {
		total += r
	}
	// The distribution is symmetric about total/2, so the lower tail is enough.
	tail := 0.0
	for _, p := range signedRankSums(ranks, min(positive, total-positive)) {
		tail += p
	}
	return min(1, 2*tail)
}

// nothing is a log ratio that counts as zero, and two of that distance as tied: far
// below what a measurement can tell, and above what floating point makes of equal
// ratios.
const nothing = 1e-12

// doubledRanks ranks the magnitudes and gives twice the rank of each difference that
// is not zero, and the sum of those of the positive ones. Twice, so that the middle
// rank of an even number of ties is whole.
func doubledRanks(differences []float64) (positive int, ranks []int) {
	byMagnitude := slices.SortedFunc(slices.Values(differences), func(a, b float64) int {
		return cmp.Compare(math.Abs(a), math.Abs(b))
	})
	for from := 0; from < len(byMagnitude); {
		size := math.Abs(byMagnitude[from])
		to := from + 1
		for to < len(byMagnitude) && math.Abs(byMagnitude[to])-size <= nothing {
			to++
		}
		// Ranks count from 1: the middle of from+1 and to, doubled, is their sum.
		middle := from + 1 + to
		for _, d := range byMagnitude[from:to] {
			if size <= nothing {
				continue // Pratt: the rank is used up, and nobody gets it
			}
			ranks = append(ranks, middle)
			if d > 0 {
				positive += middle
			}
		}
		from = to
	}
	return positive, ranks
}

// signedRankSums are the probabilities of the sums 0 to upTo of those ranks that
// happen to be positive, each with probability one half. One rank after the other
// is added, and a sum is reached with it or without it: the shift algorithm of
// Streitberg and Röhmel, Statistical Software Newsletter 12 (1986).
func signedRankSums(ranks []int, upTo int) []float64 {
	sums := make([]float64, upTo+1)
	sums[0] = 1
	reached := 0
	for _, r := range ranks {
		reached = min(reached+r, upTo)
		for s := reached; s >= r; s-- {
			sums[s] = (sums[s] + sums[s-r]) / 2
		}
		for s := min(r-1, reached); s >= 0; s-- {
			sums[s] /= 2
		}
	}
	return sums
}
