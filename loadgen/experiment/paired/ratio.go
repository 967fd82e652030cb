package paired

import "math"

// extreme is the log ratio that stands for a side that did nothing: as if the other
// had been a million times better. That is beyond everything measurable, so such a
// round has the highest rank there is, and still a number that can be averaged. No
// ratio counts for more.
const extreme = 6 * math.Ln10

// logs are the log ratios of B to A, one for each pair. lower says that less of the
// metric is better.
func logs(pairs []Pair, lower bool) []float64 {
	out := make([]float64, len(pairs))
	for i, p := range pairs {
		out[i] = p.log(lower)
	}
	return out
}

// log is the natural logarithm of B/A, always finite. A side of 0 did nothing, its
// server was gone: it counts as a million times worse than the other, so where lower
// is better as a million times more, because no reply is not a fast reply. Two such
// sides do not differ. What is no number, or negative, is nothing as well.
func (p Pair) log(lower bool) float64 {
	a, b := amount(p.A), amount(p.B)
	worse := -extreme
	if lower {
		worse = extreme
	}
	switch {
	case a == 0 && b == 0:
		return 0
	case b == 0:
		return worse
	case a == 0:
		return -worse
	}
	// A difference of logarithms, not the logarithm of a quotient: changing sides
	// then changes the sign and not a bit more, and nothing overflows.
	return min(max(math.Log(b)-math.Log(a), -extreme), extreme)
}

// amount is v as a finite number that is not negative.
func amount(v float64) float64 {
	if math.IsNaN(v) || v < 0 {
		return 0
	}
	return min(v, math.MaxFloat64)
}

// share is how far a log ratio is from none, as a share: 0.03 for a factor of 1.03
// and for one of 1/1.03, so that it does not matter which side is called A.
func share(log float64) float64 { return math.Expm1(math.Abs(log)) }
