package workload

import (
	"math/bits"
	"math/rand/v2"
)

// uniform draws every number equally often.
type uniform struct{ size uint64 }

func newUniform(size uint64, _ float64) spread { return uniform{size} }

func (u uniform) one(random *rand.PCG) uint64 { return below(random, u.size) }

func (u uniform) write(random *rand.PCG, slots []*[digits]byte) {
	for _, s := range slots {
		put(s, below(random, u.size))
	}
}

// below is uniform over [0, n), without the bias that a remainder has: the high
// word of a product, with the few draws rejected that would favour some values
// (Lemire 2019).
func below(random *rand.PCG, n uint64) uint64 {
	high, low := bits.Mul64(random.Uint64(), n)
	if low < n {
		for threshold := -n % n; low < threshold; {
			high, low = bits.Mul64(random.Uint64(), n)
		}
	}
	return high
}

// fraction is uniform over [0, 1), in steps of 2^-53.
func fraction(random *rand.PCG) float64 { return float64(random.Uint64()>>11) / (1 << 53) }
