package target

import (
	"bytes"
	"time"
)

// Bounds of what a reply may look like. They only stop nonsense from being taken
// for a reply that never ends: Redis stays far below all of them.
const (
	maxLine  = 4 << 10 // bytes kept of a line; more of a status or an error is skipped
	maxDepth = 256     // arrays inside arrays
	maxBulk  = 1 << 40 // bytes in a bulk string
	maxArray = 1 << 31 // elements in an array
)

// skimmer reads RESP2 as it arrives, in pieces cut anywhere, and leaves a Reply
// for each reply that is complete. It never keeps a body: a bulk string is skipped
// by arithmetic, so that a 16 KB value costs what its header costs. What counts as
// RESP2 is exactly what redigo's own reader accepts, the bounds above aside.
//
// The stamp of a Reply is that of the feed that brought its last byte (M2).
type skimmer struct {
	notes   ring    // complete replies, not yet asked for
	current Reply   // the reply being read
	open    []int64 // elements still to come, for each array that is open
	body    int64   // bytes of a bulk string still to come, its final CRLF included
	line    []byte  // a line that was cut; empty when the next byte begins a line
	failed  string  // text of the latest error reply: a flood of one error is one string
	total   int64   // replies completed so far
}

// feed reads all of b, which arrived at the given instant. The error is a
// *ProtocolError, after which the skimmer must not be fed again.
func (s *skimmer) feed(b []byte, at time.Duration) error {
	for len(b) > 0 {
		if s.body > 0 {
			n, ok := s.skip(b)
			if b = b[n:]; !ok {
				return s.nonsense(b)
			}
			if s.body == 0 {
				s.scalar(Value, at)
			}
			continue
		}
		// The most frequent replies of all need no scan.
		if len(s.line) == 0 {
			if len(b) >= len(okLine) && string(b[:len(okLine)]) == okLine {
				s.plain(Status, 0, at)
				b = b[len(okLine):]
				continue
			}
			if n, size := value(b); size > 0 {
				s.plain(Value, int64(n), at)
				b = b[size:]
				continue
			}
		}
		if len(s.line) == 0 && !begins(b[0]) {
			return s.nonsense(b)
		}
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			s.keep(b)
			return nil
		}
		line := b[:end+1]
		if len(s.line) > 0 {
			s.keep(line)
			line = s.line
		}
		if !s.header(line, at) {
			return s.nonsense(b)
		}
		s.line = s.line[:0]
		b = b[end+1:]
	}
	return nil
}

// value recognises a bulk string that lies in b whole: its length and its size
// with the frame. Size 0 leaves the bytes to the long way, which knows all cases.
func value(b []byte) (n, size int) {
	const frame = len("$\r\n\r\n")
	if len(b) <= frame || b[0] != '$' {
		return 0, 0
	}
	i := 1
	for ; i < len(b) && i < 8 && b[i]-'0' <= 9; i++ {
		n = n*10 + int(b[i]-'0')
	}
	size = i - 1 + n + frame
	if i == 1 || size > len(b) || b[i] != '\r' || b[i+1] != '\n' || b[size-2] != '\r' || b[size-1] != '\n' {
		return 0, 0
	}
	return n, size
}

// skip passes over as much of the current bulk string as b holds and checks the
// two bytes behind it.
func (s *skimmer) skip(b []byte) (n int, ok bool) {
	const crlf = "\r\n"
	if rest := s.body - int64(len(crlf)); rest > 0 {
		n = int(min(rest, int64(len(b))))
		s.body -= int64(n)
	}
	for n < len(b) && s.body > 0 {
		if b[n] != crlf[len(crlf)-int(s.body)] {
			return n, false
		}
		n++
		s.body--
	}
	return n, true
}

// header acts on a whole line, its CRLF included; false when it is not RESP.
func (s *skimmer) header(line []byte, at time.Duration) bool {
	end := len(line) - 2
	if end < 1 || line[end] != '\r' {
		return false
	}
	text := line[1:end]
	switch line[0] {
	case '+':
		s.scalar(Status, at)
	case '-':
		s.failure(text, at)
	case ':':
		if !isInteger(text) {
			return false
		}
		s.scalar(Integer, at)
	case '$':
		n, ok := length(text, maxBulk)
		switch {
		case !ok:
			return false
		case n < 0:
			s.scalar(Nil, at)
		default:
			s.body = n + 2
			s.current.Bytes += n
		}
	case '*':
		n, ok := length(text, maxArray)
		return ok && s.array(n, at)
	}
	return true
}

// plain is scalar for an element of so many bytes, with a short cut for one that
// is a reply by itself and like the one before it.
func (s *skimmer) plain(k Kind, bytes int64, at time.Duration) {
	if len(s.open) == 0 && s.notes.again(k, bytes, at) {
		s.total++
		return
	}
	s.current.Bytes += bytes
	s.scalar(k, at)
}

// scalar completes an element that is not an array.
func (s *skimmer) scalar(k Kind, at time.Duration) {
	switch len(s.open) {
	case 0:
		s.current.Kind = k
	case 1:
		switch k {
		case Nil:
			s.current.Nils++
		case Failure:
			s.current.Failures++
		}
	}
	s.complete(at)
}

// failure completes an error reply. Inside an array it does not make the whole
// reply a Failure: EXEC answers with the results of all its commands.
func (s *skimmer) failure(text []byte, at time.Duration) {
	if s.failed != string(text) { // compares without copying
		s.failed = string(text)
	}
	if s.current.Err == "" {
		s.current.Err = s.failed
		if s.failed == "" {
			s.current.Err = "ERR (the server gave no text)" // an empty Err would pass for success
		}
	}
	s.scalar(Failure, at)
}

// array opens an array of n elements; -1 is a nil.
func (s *skimmer) array(n int64, at time.Duration) bool {
	if n < 0 {
		s.scalar(Nil, at)
		return true
	}
	if len(s.open) == 0 {
		s.current.Kind = Array
		s.current.Elements = int(n)
	}
	if n == 0 {
		s.complete(at)
		return true
	}
	if len(s.open) == maxDepth {
		return false
	}
	s.open = append(s.open, n)
	return true
}

// complete counts an element as read, closes the arrays that it was the last of,
// and files the reply when nothing is open.
func (s *skimmer) complete(at time.Duration) {
	for i := len(s.open) - 1; i >= 0; i-- {
		s.open[i]--
		if s.open[i] > 0 {
			return
		}
		s.open = s.open[:i]
	}
	s.current.At = at
	s.notes.push(&s.current)
	s.current = Reply{}
	s.total++
}

// keep appends to the line that was cut. Of an overlong line, such as an endless
// status, the beginning stays, and the last byte, which tells how it ends.
func (s *skimmer) keep(b []byte) {
	room := maxLine - len(s.line)
	if len(b) <= room {
		s.line = append(s.line, b...)
		return
	}
	// Two bytes matter at the end: the CR, and the LF that may come alone.
	s.line = append(s.line, b[:room]...)
	tail := b[max(0, len(b)-2):]
	if len(tail) == 1 {
		s.line[maxLine-2] = s.line[maxLine-1]
	}
	copy(s.line[maxLine-len(tail):], tail)
}

// nonsense describes bytes that are no reply, from the start of their line on.
func (s *skimmer) nonsense(b []byte) error {
	got := b
	if len(s.line) > 0 {
		got = s.line
	}
	return &ProtocolError{Got: excerpt(got), First: s.total == 0}
}

// inside reports whether a reply has begun and is not complete.
func (s *skimmer) inside() bool { return len(s.line) > 0 || s.body > 0 || len(s.open) > 0 }

// begins reports whether a reply or an element can begin with c.
func begins(c byte) bool {
	return c == '+' || c == '-' || c == ':' || c == '$' || c == '*'
}

func isInteger(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("-"))
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}

// length reads the number in a header: -1, or 0 to limit.
func length(text []byte, limit int64) (n int64, ok bool) {
	if string(text) == "-1" {
		return -1, true
	}
	for _, c := range text {
		if c < '0' || c > '9' || n > limit {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, len(text) > 0 && n <= limit
}
