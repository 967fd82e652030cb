package paired

import (
	"cmp"
	"slices"
)

// Holm adjusts p-values for being several, so that the chance of any false claim
// among them stays below the limit that each is compared with: the smallest counts
// n times, the next n−1 times, and none less than one before it (Holm, Scandinavian
// Journal of Statistics 6, 1979). The result is in the order given; ps stays as it is.
func Holm(ps []float64) []float64 { return holm(ps, len(ps)) }

// holm is Holm for a family of at least that many tests; those not in ps are taken
// to have shown nothing.
func holm(ps []float64, family int) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	adjusted := make([]float64, len(ps))
	least := 0.0
	for place, i := range order {
		least = max(least, Bonferroni(ps[i], max(family, len(ps))-place))
		adjusted[i] = least
	}
	return adjusted
}

// Bonferroni adjusts one p-value for being one of so many. Unlike Holm it does not
// need the others, which while a comparison runs are not there yet.
func Bonferroni(p float64, family int) float64 {
	return min(1, p*float64(max(1, family)))
}
