package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// gaussian draws from a normal distribution around the middle of the key space
// and again where it falls outside, as memtier_benchmark does.
type gaussian struct {
	size   float64
	centre float64
	sd     float64 // standard deviation, in keys
}

// newGaussian takes sd as a share of the key space below 1, and in keys from 1 on:
// a deviation below one key would mean one key only. The usual 1/6 of the range is
// memtier_benchmark's, and puts its ends at three deviations.
func newGaussian(size uint64, sd float64) spread {
	g := &gaussian{size: float64(size), centre: float64(size) / 2, sd: sd}
	if sd < 1 {
		g.sd = sd * g.size
	}
	return g
}

func (g *gaussian) write(random *rand.PCG, slots []*[digits]byte) {
	for _, slot := range slots {
		put(slot, g.one(random))
	}
}

func (g *gaussian) one(random *rand.PCG) uint64 {
	if g.sd > g.size/2 {
		return g.flat(random)
	}
	normal := rand.New(random)
	for {
		// At least 68 of 100 lie within the range.
		if x := g.centre + g.sd*normal.NormFloat64(); x >= 0 && x < g.size {
			return uint64(x)
		}
	}
}

// flat is for a bell wider than the range, which would fall outside nearly always:
// uniform draws, kept in proportion to the bell's height, which is at least 0.6
// of the middle's everywhere.
func (g *gaussian) flat(random *rand.PCG) uint64 {
	for {
		x := fraction(random) * g.size
		z := (x - g.centre) / g.sd
		if x < g.size && fraction(random) < math.Exp(-z*z/2) { // the product may round up to size
			return uint64(x)
		}
	}
}

const deviationForm = "gaussian takes a share of the range such as gaussian:0.1 or gaussian:10%, or a number of keys such as gaussian:5000"

func parseDeviation(shape string) (float64, error) {
	digits, percent := strings.CutSuffix(shape, "%")
	sd, ok := number(digits)
	if percent {
		ok = ok && sd < 100
		sd /= 100
	}
	if !ok {
		return 0, fmt.Errorf("deviation %s: %s", quote(shape), deviationForm)
	}
	return sd, checkDeviation(sd)
}

func checkDeviation(sd float64) error {
	if !(sd > 0 && sd <= MaxKeys) {
		return fmt.Errorf("deviation %g: %s", sd, deviationForm)
	}
	return nil
}
