package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// maxExponent of zipf, as in memtier_benchmark: with 5, all but 4 % goes to one key.
const maxExponent = 5

// zipf draws number k with a probability in proportion to 1/(k+1)^s: key 0 is the
// most popular one.
//
// The method is rejection-inversion (Hörmann and Derflinger, "Rejection-inversion
// to generate variates from monotone discrete distributions", ACM TOMACS 6, 1996).
// It is exact, needs no table, and its time does not grow with the key space: the
// integral of x^-s is inverted at a uniform point, which gives a rank x; rounding
// it is right nearly always, and the rest is tested against the integral. Other
// generators of this field approximate (Gray et al. 1994, as in YCSB) and know
// only s < 1.
type zipf struct {
	s           float64
	power       float64 // 1/(1-s)
	ranks       float64 // ranks 1 to ranks
	first, last float64 // integral up to the ends of the hat
	safe        float64 // a rank this close above x needs no test
}

func newZipf(size uint64, s float64) spread {
	z := &zipf{s: s, power: 1 / (1 - s), ranks: float64(size)}
	z.first = z.integral(1.5) - 1
	z.last = z.integral(z.ranks + 0.5)
	z.safe = 2 - z.inverse(z.integral(2.5)-math.Pow(2, -s))
	return z
}

func (z *zipf) one(random *rand.PCG) uint64 { return z.rank(random) - 1 }

func (z *zipf) write(random *rand.PCG, slots []*[digits]byte) {
	for _, slot := range slots {
		put(slot, z.rank(random)-1)
	}
}

func (z *zipf) rank(random *rand.PCG) uint64 {
	for {
		u := z.last + fraction(random)*(z.first-z.last)
		x := z.inverse(u)
		k := min(max(math.Floor(x+0.5), 1), z.ranks)
		if k-x <= z.safe || u >= z.integral(k+0.5)-math.Exp(-z.s*math.Log(k)) {
			return uint64(k)
		}
	}
}

// integral of t^-s from 1 to x: (x^(1-s) - 1)/(1-s), and log x for s = 1. Written
// so that it loses no digits where s is close to 1.
func (z *zipf) integral(x float64) float64 {
	log := math.Log(x)
	t := (1 - z.s) * log
	if math.Abs(t) < 1e-8 {
		return log * (1 + t/2) // the rest of the series is below the last digit
	}
	return math.Expm1(t) * z.power
}

// inverse of integral.
func (z *zipf) inverse(y float64) float64 {
	t := max((1-z.s)*y, -1) // below -1 by rounding only
	if math.Abs(t) < 1e-8 {
		return math.Exp(y * (1 - t/2))
	}
	return math.Exp(math.Log1p(t) * z.power)
}

func parseExponent(shape string) (float64, error) {
	s, ok := number(shape)
	if !ok {
		return 0, fmt.Errorf("exponent %s: zipf takes a number from 0 to %d, such as zipf:0.99", quote(shape), maxExponent)
	}
	return s, checkExponent(s)
}

func checkExponent(s float64) error {
	if !(s >= 0 && s <= maxExponent) {
		return fmt.Errorf("exponent %g: zipf takes a number from 0 to %d, such as zipf:0.99", s, maxExponent)
	}
	return nil
}
