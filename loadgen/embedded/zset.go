package embedded

import (
	"cmp"

	"github.com/tidwall/btree"
)

// ranked is a member of a sorted set. Both structures of a zset point to the same
// one, so that a score is written in one place.
type ranked struct {
	member string
	score  float64
}

// zset is a sorted set value: a tree in order of score, then member, and the
// member's node by name.
type zset struct {
	order  *btree.BTree // of *ranked
	byName map[string]*ranked
}

// newZset makes the sorted set of a first ZADD. Equal scores are in order of the
// members' bytes, as in Redis.
func newZset() *zset {
	less := func(a, b any) bool {
		x, y := a.(*ranked), b.(*ranked)
		if x.score != y.score {
			return x.score < y.score
		}
		return cmp.Less(x.member, y.member)
	}
	// The server's lock is the only one needed.
	return &zset{order: btree.NewNonConcurrent(less), byName: make(map[string]*ranked)}
}

// add sets a member's score; true when the member is new.
func (z *zset) add(member []byte, score float64) bool {
	r, ok := z.byName[string(member)]
	if ok {
		if r.score == score {
			return false
		}
		z.order.Delete(r) // before the score changes: it is part of the order
		r.score = score
	} else {
		r = &ranked{string(member), score}
		z.byName[r.member] = r
	}
	z.order.Set(r)
	return !ok
}

// zadd reads all scores before it writes one: a bad score leaves nothing behind.
func zadd(c *session, args [][]byte) {
	for _, option := range []string{"NX", "XX", "GT", "LT", "CH", "INCR"} {
		if is(args[2], option) {
			c.refuse("knows ZADD key score member without options only")
			return
		}
	}
	if len(args)%2 != 0 {
		c.fail(errSyntax)
		return
	}
	scores := make([]float64, 0, 1)
	for i := 2; i < len(args); i += 2 {
		score, ok := parseScore(args[i])
		if !ok {
			c.fail(errFloat)
			return
		}
		scores = append(scores, score)
	}
	z, ok := obtain(c, args[1], newZset)
	if !ok {
		return
	}
	added := 0
	for i, score := range scores {
		if z.add(args[3+2*i], score) {
			added++
		}
	}
	c.integer(added)
}

// zpopmin answers member and score of the lowest, or of up to as many as a count
// asks for.
func zpopmin(c *session, args [][]byte) {
	if len(args) > 3 {
		c.fail(errSyntax)
		return
	}
	count, ok := c.optionalCount(args)
	if !ok {
		return
	}
	z, ok := find[zset](c, args[1])
	if !ok {
		return
	}
	if z == nil {
		c.out.WriteArray(0)
		return
	}
	count = min(count, len(z.byName))
	c.out.WriteArray(2 * count)
	for range count {
		r := z.order.PopMin().(*ranked)
		delete(z.byName, r.member)
		c.out.WriteBulkString(r.member)
		c.out.WriteBulkString(formatScore(r.score))
	}
	if len(z.byName) == 0 {
		c.database().remove(args[1])
	}
}

// zcard is what the engine watches while ZPOPMIN drains the set.
func zcard(c *session, args [][]byte) {
	z, ok := read[zset](c, args[1])
	switch {
	case !ok:
	case z == nil:
		c.integer(0)
	default:
		c.integer(len(z.byName))
	}
}

// zscore answers a member's score, or nil.
func zscore(c *session, args [][]byte) {
	z, ok := read[zset](c, args[1])
	if !ok {
		return
	}
	if z != nil {
		if r, ok := z.byName[string(args[2])]; ok {
			c.out.WriteBulkString(formatScore(r.score))
			return
		}
	}
	c.out.WriteNull()
}
