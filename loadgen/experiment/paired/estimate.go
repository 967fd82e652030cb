package paired

import "slices"

// confidence is what intervals aim at (M20).
const confidence = 0.95

// Estimate is the centre of some differences, and how sure that is.
type Estimate struct {
	Center, Low, High float64
	// Confidence is the exact probability that an interval made this way covers the
	// true centre: at least 0.95 from six differences on. Of fewer even their whole
	// range has less, 1 − 2^(1−n); 0 of none.
	Confidence float64
}

// HodgesLehmann estimates the centre of symmetry of differences: the median of all
// Walsh averages, which are the means of each two differences and of each with
// itself (Hodges and Lehmann, Annals of Mathematical Statistics 34, 1963). The
// interval lies between two of those averages, as many from either end as the exact
// signed-rank distribution leaves at most 2.5 % for (Hollander and Wolfe,
// Nonparametric Statistical Methods, sections 3.2 and 3.3, who credit Tukey). Ties
// and zeros can only make it cover more than it says. Nothing gives zeros.
func HodgesLehmann(differences []float64) Estimate {
	n := len(differences)
	if n == 0 {
		return Estimate{}
	}
	walsh := make([]float64, 0, n*(n+1)/2)
	for i, a := range differences {
		for _, b := range differences[i:] {
			walsh = append(walsh, a+(b-a)/2)
		}
	}
	slices.Sort(walsh)
	cut, outside := intervalCut(n)
	last := len(walsh) - 1
	return Estimate{
		Center:     walsh[last/2] + (walsh[last-last/2]-walsh[last/2])/2,
		Low:        walsh[cut],
		High:       walsh[last-cut],
		Confidence: 1 - outside,
	}
}

// intervalCut is how many Walsh averages of n differences lie outside the interval at
// either end, and the probability of both ends together: the largest number for
// which it is not above 5 %, or none.
func intervalCut(n int) (cut int, outside float64) {
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	sums := signedRankSums(ranks, n*(n+1)/4)
	outside = 2 * sums[0]
	for cut+1 < len(sums) && outside+2*sums[cut+1] <= 1-confidence {
		cut++
		outside += 2 * sums[cut]
	}
	return cut, min(1, outside)
}
