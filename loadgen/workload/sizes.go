package workload

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Sizes says how long values are: each is drawn on its own, a share by weight and
// then any length of the share equally often. nil means that Workload.Payload
// counts.
type Sizes []Share

// Share is one part of Sizes: lengths from Low to High bytes, both included.
type Share struct{ Low, High, Weight int }

// maxShares bounds a list, so that drawing from it stays quick.
const maxShares = 1000

const sizesForm = "-d takes bytes such as 100, a range such as 10-4k, or sizes with weights such as 64:80,1k:15,64k:5; from 1 byte to 512m"

// FixedSize is the one size n.
func FixedSize(n int) Sizes { return Sizes{{n, n, 1}} }

// ParseSizes reads the value of -d: "100", "10-4k", "64:80,1k:15,64k:5"; parts of
// a list may be ranges too, and a missing weight is 1. Units are powers of 1024.
func ParseSizes(s string) (Sizes, error) {
	if strings.TrimSpace(s) == "" {
		return nil, errors.New("-d: no size given: " + sizesForm)
	}
	parts := strings.Split(s, ",")
	if len(parts) > maxShares {
		return nil, fmt.Errorf("-d: %d sizes: at most %d", len(parts), maxShares)
	}
	sizes := make(Sizes, 0, len(parts))
	for _, part := range parts {
		share, err := parseShare(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("-d: %w", err)
		}
		sizes = append(sizes, share)
	}
	if len(sizes) == 1 {
		sizes[0].Weight = 1 // its share is all anyway
	}
	return sizes, nil
}

func parseShare(part string) (Share, error) {
	lengths, weight, weighted := strings.Cut(part, ":")
	low, high, ranged := strings.Cut(lengths, "-")
	if !ranged {
		high = low
	}
	from, ok := parseLength(low)
	if !ok {
		return Share{}, fmt.Errorf("size %s: %s", quote(low), sizesForm)
	}
	to, ok := parseLength(high)
	if !ok {
		return Share{}, fmt.Errorf("size %s: %s", quote(high), sizesForm)
	}
	share := Share{from, to, 1}
	if weighted {
		w, err := strconv.ParseUint(strings.TrimSpace(weight), 10, 32) // takes no sign
		if err != nil {
			return Share{}, fmt.Errorf("weight %s of size %s: a weight is a whole number from 1 to %d, such as 1k:15", quote(weight), quote(lengths), MaxWeight)
		}
		share.Weight = int(w)
	}
	return share, share.validate()
}

// parseLength reads one length of a value. Zero passes here and is refused with
// the range of what is accepted.
func parseLength(s string) (int, bool) {
	n, ok := parseBytes(strings.TrimSpace(s))
	if !ok || n > math.MaxInt32 {
		return 0, false
	}
	return int(n), true
}

func (s Share) validate() error {
	switch {
	case s.Low < 1 || s.High > MaxPayload:
		bad := s.Low
		if bad >= 1 {
			bad = s.High
		}
		return fmt.Errorf("payload %d: -d takes 1 to %d bytes", bad, MaxPayload)
	case s.Low > s.High:
		return fmt.Errorf("sizes %s: the smaller one comes first, such as 10-4k", s.lengths())
	case s.Weight < 1 || s.Weight > MaxWeight:
		return fmt.Errorf("weight %d of size %s: a weight is a whole number from 1 to %d, such as 1k:15", s.Weight, s.lengths(), MaxWeight)
	}
	return nil
}

// Validate says what is wrong with s, naming the flag and an accepted form. nil is
// valid.
func (s Sizes) Validate() error {
	if len(s) > maxShares {
		return fmt.Errorf("-d: %d sizes: at most %d", len(s), maxShares)
	}
	for _, share := range s {
		if err := share.validate(); err != nil {
			return fmt.Errorf("-d: %w", err)
		}
	}
	return nil
}

// String is s as ParseSizes reads it: "100", "10-4k", "64:80,1k:15,64k:5"; "" for nil.
func (s Sizes) String() string {
	parts := make([]string, len(s))
	for i, share := range s {
		parts[i] = share.lengths()
		if len(s) > 1 {
			parts[i] += ":" + strconv.Itoa(share.Weight)
		}
	}
	return strings.Join(parts, ",")
}

func (s Share) lengths() string {
	if s.Low == s.High {
		return bytesText(s.Low)
	}
	return bytesText(s.Low) + "-" + bytesText(s.High)
}

// Max is the longest value in bytes, 0 for nil.
func (s Sizes) Max() int {
	most := 0
	for _, share := range s {
		most = max(most, share.High)
	}
	return most
}

// Min is the shortest value in bytes, 0 for nil.
func (s Sizes) Min() int {
	if len(s) == 0 {
		return 0
	}
	return slices.MinFunc(s, func(a, b Share) int { return a.Low - b.Low }).Low
}

// Mean is the expected length in bytes, 0 for nil.
func (s Sizes) Mean() float64 {
	var sum, total float64
	for _, share := range s {
		w := float64(share.Weight)
		sum += w * (float64(share.Low) + float64(share.High)) / 2
		total += w
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

// Fixed tells whether all values have one length.
func (s Sizes) Fixed() bool { return s.Min() == s.Max() }

// sizer draws from Sizes.
type sizer struct {
	shares Sizes
	edges  []uint64 // running sums of the weights
	forms  []int    // how many lengths the shares before have
	count  int      // how many lengths there are, at most maxForms+1: beyond, the number is of no use
}

func newSizer(s Sizes) *sizer {
	z := &sizer{shares: s}
	var total uint64
	for _, share := range s {
		total += uint64(share.Weight)
		z.edges = append(z.edges, total)
		z.forms = append(z.forms, z.count)
		z.count = min(z.count+share.High-share.Low+1, maxForms+1)
	}
	if s.Fixed() {
		z.shares, z.edges, z.forms, z.count = s[:1], z.edges[:1], z.forms[:1], 1
	}
	return z
}

// draw is the length of the next value and, where count is at most maxForms, its
// number among them.
func (z *sizer) draw(random *rand.PCG) (length, form int) {
	i := pick(random, z.edges)
	length = z.shares[i].Low
	if n := z.shares[i].High - length + 1; n > 1 {
		length += int(below(random, uint64(n)))
	}
	return length, z.forms[i] + length - z.shares[i].Low
}

// pick chooses an index by weight, edges being the running sums of the weights.
func pick(random *rand.PCG, edges []uint64) int {
	last := len(edges) - 1
	if last == 0 {
		return 0
	}
	draw := below(random, edges[last])
	if last > 16 {
		i, found := slices.BinarySearch(edges, draw)
		if found {
			i++ // an edge is the first draw of the next index
		}
		return i
	}
	for i, edge := range edges[:last] { // quicker than anything cleverer
		if draw < edge {
			return i
		}
	}
	return last
}
