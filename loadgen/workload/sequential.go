package workload

import (
	"math/rand/v2"
	"sync/atomic"
)

// sequential counts through the key space, over and over. All clients of a Source
// take from one counter, so that any size numbers in a row are all of the key
// space, whatever the number of clients: a key space is filled exactly. A
// placeholder has a counter of its own, as in valkey-benchmark.
type sequential struct {
	size uint64
	next atomic.Uint64
	_    [64]byte // the next counter lies on another cache line
}

func newSequential(size uint64, _ float64) spread { return &sequential{size: size} }

func (s *sequential) one(*rand.PCG) uint64 { return (s.next.Add(1) - 1) % s.size }

func (s *sequential) write(_ *rand.PCG, slots []*[digits]byte) {
	n := uint64(len(slots))
	v := (s.next.Add(n) - n) % s.size // one step on the shared counter, however many keys
	for _, slot := range slots {
		put(slot, v)
		if v++; v == s.size {
			v = 0
		}
	}
}
