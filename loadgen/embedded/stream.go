package embedded

import (
	"bytes"
	"fmt"
	"time"
)

// item is one entry of a stream: its ID and its fields and values in turn.
type item struct {
	ms, seq uint64
	fields  [][]byte
}

// stream is a stream value; unlike other collections it stays when it is empty,
// because its last ID must only ever grow.
type stream struct {
	deque[item]
	ms, seq uint64 // last ID given
}

// newStream makes the stream of a first XADD.
func newStream() *stream { return &stream{} }

// xadd takes only "*", the ID that the server chooses: an ID of the client's own
// is no load that anybody measures here.
func xadd(c *session, args [][]byte) {
	if !bytes.Equal(args[2], []byte("*")) {
		c.refuse("knows XADD key * field value without options only")
		return
	}
	if len(args)%2 == 0 {
		c.wrongArgs("xadd")
		return
	}
	x, ok := obtain(c, args[1], newStream)
	if !ok {
		return
	}
	// The clock may stand still or step back; the IDs do not.
	if now := uint64(time.Now().UnixMilli()); now > x.ms {
		x.ms, x.seq = now, 0
	} else {
		x.seq++
	}
	fields := make([][]byte, len(args)-3)
	for i, field := range args[3:] {
		fields[i] = bytes.Clone(field)
	}
	x.pushBack(item{x.ms, x.seq, fields})
	c.out.WriteBulkString(fmt.Sprintf("%d-%d", x.ms, x.seq))
}

// xlen is what the engine watches while XADD grows the stream.
func xlen(c *session, args [][]byte) {
	x, ok := read[stream](c, args[1])
	switch {
	case !ok:
	case x == nil:
		c.integer(0)
	default:
		c.integer(x.n)
	}
}

// xtrim trims exactly, also where "~" would let it stop early.
func xtrim(c *session, args [][]byte) {
	if !is(args[2], "MAXLEN") {
		c.refuse("knows XTRIM key MAXLEN [=|~] count only")
		return
	}
	rest := args[3:]
	if len(rest) > 1 && (is(rest[0], "~") || is(rest[0], "=")) {
		rest = rest[1:]
	}
	if len(rest) != 1 {
		c.fail(errSyntax)
		return
	}
	most, ok := parseInt(rest[0])
	if !ok {
		c.fail(errInteger)
		return
	}
	if most < 0 {
		c.fail("ERR The MAXLEN argument must be >= 0.")
		return
	}
	x, ok := find[stream](c, args[1])
	if !ok {
		return
	}
	removed := 0
	if x != nil {
		removed = max(0, x.n-int(min(most, int64(x.n))))
		x.drop(removed)
	}
	c.integer(removed)
}
