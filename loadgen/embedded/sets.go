package embedded

import (
	"bytes"
	"math/rand/v2"
)

// members is a set value: the members in any order and the place of each, so that a
// random one is taken at once.
type members struct {
	list  []string
	place map[string]int
}

// newMembers makes the set of a first SADD.
func newMembers() *members { return &members{place: make(map[string]int)} }

// add is true when the member is new.
func (m *members) add(member []byte) bool {
	if _, ok := m.place[string(member)]; ok {
		return false
	}
	m.place[string(member)] = len(m.list)
	m.list = append(m.list, string(member))
	return true
}

// take removes a random member; there must be one. The last member moves into the
// gap, so that nothing else has to.
func (m *members) take() string {
	i, last := rand.IntN(len(m.list)), len(m.list)-1
	member := m.list[i]
	m.list[i] = m.list[last]
	m.place[m.list[i]] = i
	m.list[last] = ""
	m.list = m.list[:last]
	delete(m.place, member)
	return member
}

// sadd answers how many members were new.
func sadd(c *session, args [][]byte) {
	m, ok := obtain(c, args[1], newMembers)
	if !ok {
		return
	}
	added := 0
	for _, member := range args[2:] {
		if m.add(member) {
			added++
		}
	}
	c.integer(added)
}

// spop answers one member, or an array of up to as many as a count asks for.
func spop(c *session, args [][]byte) {
	if len(args) > 3 {
		c.fail(errSyntax)
		return
	}
	count, ok := c.optionalCount(args)
	if !ok {
		return
	}
	m, ok := find[members](c, args[1])
	switch {
	case !ok:
		return
	case m == nil && len(args) == 3:
		c.out.WriteArray(0)
		return
	case m == nil:
		c.out.WriteNull()
		return
	case len(args) == 3:
		count = min(count, len(m.list))
		c.out.WriteArray(count)
	}
	for range count {
		c.out.WriteBulkString(m.take())
	}
	if len(m.list) == 0 {
		c.database().remove(args[1])
	}
}

// scard is what the engine watches while SPOP drains the set.
func scard(c *session, args [][]byte) {
	m, ok := read[members](c, args[1])
	switch {
	case !ok:
	case m == nil:
		c.integer(0)
	default:
		c.integer(len(m.list))
	}
}

// sismember answers 1 or 0.
func sismember(c *session, args [][]byte) {
	m, ok := read[members](c, args[1])
	if !ok {
		return
	}
	found := 0
	if m != nil {
		if _, ok := m.place[string(args[2])]; ok {
			found = 1
		}
	}
	c.integer(found)
}

// hash is a hash value. Its fields need no order: no command here lists them.
type hash struct{ fields map[string][]byte }

// newHash makes the hash of a first HSET.
func newHash() *hash { return &hash{make(map[string][]byte)} }

// hset writes pairs and answers how many fields were new, not how many changed.
func hset(c *session, args [][]byte) {
	if len(args)%2 != 0 {
		c.wrongArgs("hset")
		return
	}
	h, ok := obtain(c, args[1], newHash)
	if !ok {
		return
	}
	before := len(h.fields)
	for i := 2; i < len(args); i += 2 {
		h.fields[string(args[i])] = bytes.Clone(args[i+1])
	}
	c.integer(len(h.fields) - before)
}

// hget answers one field, or nil.
func hget(c *session, args [][]byte) {
	h, ok := read[hash](c, args[1])
	if !ok {
		return
	}
	if h != nil {
		if value, ok := h.fields[string(args[2])]; ok {
			c.out.WriteBulk(value)
			return
		}
	}
	c.out.WriteNull()
}

// hlen is the number of fields.
func hlen(c *session, args [][]byte) {
	h, ok := read[hash](c, args[1])
	switch {
	case !ok:
	case h == nil:
		c.integer(0)
	default:
		c.integer(len(h.fields))
	}
}
