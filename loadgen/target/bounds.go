package target

import "strconv"

// What a reply to a Control may promise. redigo takes the memory for a value or an
// array when it has read its length, and one frame of the stack for each array within
// an array: a length out of garbage would end the process.
const (
	boundBulk  = 512 << 20 // bytes of one value: Redis's own limit
	boundOpen  = 1 << 20   // elements promised that have not come yet
	boundDepth = 32        // arrays within arrays
	boundLine  = 1 << 20   // bytes of a status or an error
)

// bounds follows the replies on a connection, a few bytes at a time. What is no reply at
// all is left for redigo to refuse.
type bounds struct {
	body int64   // bytes of a value, with its line ending, that are still to come
	line []byte  // the beginning of a line
	size int     // of the line so far, of which line keeps only what a length takes
	open []int64 // elements still to come of each array that is under way
	sum  int64   // of open
}

// headMax is how much of a line is kept: a length with its line ending is no longer.
const headMax = 24

// within takes in the next bytes and tells whether they promise what can be held.
func (b *bounds) within(p []byte) bool {
	for len(p) > 0 {
		if b.body > 0 {
			n := min(int64(len(p)), b.body)
			b.body -= n
			p = p[n:]
			if b.body == 0 {
				b.arrived()
			}
			continue
		}
		c := p[0]
		p = p[1:]
		if b.size++; b.size > boundLine {
			return false
		}
		if c != '\n' {
			if len(b.line) < headMax {
				b.line = append(b.line, c)
			}
			continue
		}
		if !b.head() {
			return false
		}
		b.line, b.size = b.line[:0], 0
	}
	return true
}

// head reads a whole line: "$5", "*3", or a reply that is complete with it.
func (b *bounds) head() bool {
	if n := len(b.line); n > 0 && b.line[n-1] == '\r' {
		b.line = b.line[:n-1]
	}
	if len(b.line) == 0 || b.line[0] != '$' && b.line[0] != '*' {
		b.arrived()
		return true
	}
	n, err := strconv.ParseInt(string(b.line[1:]), 10, 64)
	switch {
	case err != nil || b.size > headMax: // no number, or one beyond all bounds
		return false
	case b.line[0] == '$' && n >= 0:
		b.body = n + int64(len("\r\n"))
		return n <= boundBulk
	case b.line[0] == '*' && n > 0:
		if n > boundOpen-b.sum || len(b.open) == boundDepth {
			return false
		}
		b.open = append(b.open, n)
		b.sum += n
		return true
	}
	b.arrived()
	return true
}

// arrived counts a reply that is complete, and the arrays that are complete with it.
func (b *bounds) arrived() {
	for len(b.open) > 0 {
		last := len(b.open) - 1
		b.open[last]--
		b.sum--
		if b.open[last] > 0 {
			return
		}
		b.open = b.open[:last]
	}
}
