package workload

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"unsafe"
)

// material is what the values of a workload are made of, shared by all its
// clients: a value may have 512 MiB.
type material struct {
	sizes  Sizes
	random bool          // every value differs
	bytes  func() []byte // built at the first call, never written to afterwards
	whole  func() any    // the boxed value where there is only one
}

// How random values come about. Each is a window of a shared block of random text.
// A short one is copied, and its head drawn anew, so that no two are alike; that
// many different heads there are that they never meet. For a long one the copy
// would cost more than it gives, and the block has more windows instead.
const (
	copied      = 16 << 10 // bytes; the longest value that is copied
	headLength  = 16       // bytes, of 6 bits
	windows     = 1 << 20  // of short values: together no more than a cache holds
	longWindows = 1 << 24
)

func newMaterial(w Workload) *material {
	m := &material{sizes: w.sizes(), random: w.RandomData}
	m.bytes = sync.OnceValue(func() []byte {
		if m.random {
			return noise(w.Seed, m.sizes.Max()+m.windows())
		}
		return payload(m.sizes.Max())
	})
	m.whole = sync.OnceValue(func() any { return m.bytes()[:m.sizes.Max()] })
	return m
}

// one tells whether all values are the same.
func (m *material) one() bool { return !m.random && m.sizes.Fixed() }

func (m *material) windows() int {
	if m.sizes.Max() > copied {
		return longWindows
	}
	return windows
}

// copies tells whether a value of n bytes is one of its own rather than shared.
func (m *material) copies(n int) bool { return m.random && n <= copied }

// shared is a value of n bytes that belongs to all: not to be written to.
func (m *material) shared(n int, random *rand.PCG) []byte {
	if !m.random {
		return m.bytes()[:n]
	}
	at := int(below(random, uint64(m.windows())))
	return m.bytes()[at : at+n]
}

// append adds a value of n bytes to dst.
func (m *material) append(dst []byte, n int, random *rand.PCG) []byte {
	at := len(dst)
	dst = append(dst, m.shared(n, random)...)
	if m.copies(n) {
		scribble(dst[at:at+min(n, headLength)], random)
	}
	return dst
}

// item is the value numbered i of a fixture or stock, the same for equal seeds.
func (m *material) item(seed uint64, z *sizer, i int64) any {
	if m.one() {
		return m.whole()
	}
	random := rand.NewPCG(scramble(seed), scramble(uint64(i)))
	n, _ := z.draw(random)
	if !m.copies(n) {
		return m.shared(n, random)
	}
	return m.append(make([]byte, 0, n), n, random)
}

// noise is n bytes of random text for seed, over the alphabet of payload.
func noise(seed uint64, n int) []byte {
	text := make([]byte, n)
	scribble(text, rand.NewPCG(scramble(seed), scramble(^seed)))
	return text
}

// scribble writes random text over dst.
func scribble(dst []byte, random *rand.PCG) {
	for ; len(dst) >= 8; dst = dst[8:] {
		binary.LittleEndian.PutUint64(dst, letters(random))
	}
	for word := letters(random); len(dst) > 0; dst = dst[1:] {
		dst[0] = byte(word)
		word >>= 8
	}
}

// letters is eight characters from '0' to 'o': six random bits in each byte.
func letters(random *rand.PCG) uint64 {
	return random.Uint64()&0x3f3f3f3f3f3f3f3f + 0x3030303030303030
}

// payload is redis-benchmark's value of n bytes, over the 64 characters from '0'
// to 'o': a linear congruential generator that always starts at the same state,
// so that three bytes are always "VXK".
func payload(n int) []byte {
	// Bits 16 to 21 of such a generator repeat after 2^22 steps, which spares
	// most of the arithmetic for large values.
	const period = 1 << 22
	value := make([]byte, n)
	state := uint32(1234)
	for i := range min(n, period) {
		state = state*1103515245 + 12345
		value[i] = '0' + byte(state>>16)&63
	}
	for done := period; done < n; done *= 2 {
		copy(value[done:], value[:done])
	}
	return value
}

// box returns b as an argument, and the slice inside the argument: what is assigned
// to *inside is what the argument holds from then on. b must not be nil.
//
// Why: redigo takes arguments as interface values, and putting another slice into
// one allocates each time. The data word of such an interface points to a slice on
// the heap that this argument alone refers to, so that changing it in place is no
// more than changing a variable; its owner is the goroutine that owns the generator.
// TestBoxesFollowTheirSlices holds this to what the compiler does.
func box(b []byte) (arg any, inside *[]byte) {
	arg = b
	word := (*[2]unsafe.Pointer)(unsafe.Pointer(&arg))[1]
	return arg, (*[]byte)(word)
}
