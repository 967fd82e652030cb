package embedded

import (
	"bytes"
	"math"
	"strconv"
)

// text is a string value. Its bytes are its own: arguments are copied in.
type text struct{ bytes []byte }

// store writes a string, over a value of any type.
func (c *session) store(key, value []byte) {
	if e := c.database().keys[string(key)]; e != nil {
		if t, ok := e.value.(*text); ok && cap(t.bytes) < 2*len(value)+64 {
			t.bytes = append(t.bytes[:0], value...) // the common case: no allocation
			return
		}
	}
	c.database().put(key, &text{bytes.Clone(value)})
}

// set writes without options. An expiry that is silently ignored would be worse
// than a refusal.
func set(c *session, args [][]byte) {
	if len(args) > 3 {
		c.refuse("knows SET key value without options only")
		return
	}
	c.store(args[1], args[2])
	c.ok()
}

// get is the catalogue's lightest read.
func get(c *session, args [][]byte) {
	if t, ok := read[text](c, args[1]); ok {
		c.textOrNil(t)
	}
}

// textOrNil answers with a string, or with nil for a missing one.
func (c *session) textOrNil(t *text) {
	if t == nil {
		c.out.WriteNull()
		return
	}
	c.out.WriteBulk(t.bytes)
}

// incr counts up in place; a missing key counts from 0. The text must be exactly
// what Redis would have written itself: "007" is no integer.
func incr(c *session, args [][]byte) {
	t, ok := find[text](c, args[1])
	if !ok {
		return
	}
	if t == nil {
		t = &text{[]byte("0")}
	}
	n, ok := parseInt(t.bytes)
	switch {
	case !ok:
		c.fail(errInteger)
	case n == math.MaxInt64:
		c.fail(errOverflow)
	default:
		t.bytes = strconv.AppendInt(t.bytes[:0], n+1, 10)
		c.database().put(args[1], t)
		c.out.WriteInt64(n + 1)
	}
}

// mset writes pairs in order, so that the last of two equal keys wins. It is
// atomic because the lock is held for the whole batch.
func mset(c *session, args [][]byte) {
	if len(args)%2 == 0 {
		c.wrongArgs("mset")
		return
	}
	for i := 1; i < len(args); i += 2 {
		c.store(args[i], args[i+1])
	}
	c.ok()
}

// mget answers nil for a key of another type, as Redis does.
func mget(c *session, args [][]byte) {
	c.out.WriteArray(len(args) - 1)
	for _, key := range args[1:] {
		var t *text
		if e := c.look(key); e != nil {
			t, _ = e.value.(*text)
		}
		c.textOrNil(t)
	}
}

// strlen is the length in bytes; 0 for a missing key.
func strlen(c *session, args [][]byte) {
	t, ok := read[text](c, args[1])
	switch {
	case !ok:
	case t == nil:
		c.integer(0)
	default:
		c.integer(len(t.bytes))
	}
}
