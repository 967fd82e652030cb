package embedded

import "bytes"

// list is a list value. Redis packs elements into chunks; a ring of slices costs
// more memory and pushes, pops and reads ranges as fast.
type list struct{ deque[[]byte] }

// newList makes the list of a first push.
func newList() *list { return &list{} }

// lpush puts the last argument in front.
func lpush(c *session, args [][]byte) { push(c, args, (*list).pushFront) }

// rpush puts the last argument at the end.
func rpush(c *session, args [][]byte) { push(c, args, (*list).pushBack) }

// push adds items one by one at one end and answers the new length.
func push(c *session, args [][]byte, add func(*list, []byte)) {
	l, ok := obtain(c, args[1], newList)
	if !ok {
		return
	}
	for _, item := range args[2:] {
		add(l, bytes.Clone(item))
	}
	c.integer(l.n)
}

// lpop takes from the front.
func lpop(c *session, args [][]byte) { pop(c, args, (*list).popFront) }

// rpop takes from the end.
func rpop(c *session, args [][]byte) { pop(c, args, (*list).popBack) }

// pop answers one item, or an array of up to as many as a count asks for.
func pop(c *session, args [][]byte, take func(*list) []byte) {
	if len(args) > 3 {
		c.wrongArgs(string(appendLower(nil, args[0])))
		return
	}
	count, ok := c.optionalCount(args)
	if !ok {
		return
	}
	l, ok := find[list](c, args[1])
	switch {
	case !ok:
		return
	case l == nil && len(args) == 3:
		c.nilArray()
		return
	case l == nil:
		c.out.WriteNull()
		return
	case len(args) == 3:
		count = min(count, l.n)
		c.out.WriteArray(count)
	}
	for range count {
		c.out.WriteBulk(take(l))
	}
	if l.n == 0 {
		c.database().remove(args[1])
	}
}

// optionalCount reads the count in args[2]: 1 when there is none.
func (c *session) optionalCount(args [][]byte) (int, bool) {
	if len(args) < 3 {
		return 1, true
	}
	n, ok := parseInt(args[2])
	if !ok || n < 0 {
		c.fail(errPositive)
		return 0, false
	}
	return int(n), true
}

// llen is what the engine watches while a test drains or grows the list.
func llen(c *session, args [][]byte) {
	l, ok := read[list](c, args[1])
	switch {
	case !ok:
	case l == nil:
		c.integer(0)
	default:
		c.integer(l.n)
	}
}

// bounds reads the two indexes of LRANGE and LTRIM.
func (c *session) bounds(args [][]byte) (start, stop int64, ok bool) {
	start, ok1 := parseInt(args[2])
	stop, ok2 := parseInt(args[3])
	if !ok1 || !ok2 {
		c.fail(errInteger)
	}
	return start, stop, ok1 && ok2
}

// lrange answers a part of the list. Both indexes are checked before the key is
// looked up, as in Redis: a bad index is an error also where there is no list.
func lrange(c *session, args [][]byte) {
	start, stop, ok := c.bounds(args)
	if !ok {
		return
	}
	l, ok := read[list](c, args[1])
	if !ok {
		return
	}
	if l == nil {
		c.out.WriteArray(0)
		return
	}
	from, to := window(start, stop, l.n)
	c.out.WriteArray(to - from)
	for i := from; i < to; i++ {
		c.out.WriteBulk(*l.at(i))
	}
}

// ltrim keeps a part of the list and costs as much as it removes.
func ltrim(c *session, args [][]byte) {
	start, stop, ok := c.bounds(args)
	if !ok {
		return
	}
	l, ok := find[list](c, args[1])
	if !ok {
		return
	}
	if l != nil {
		from, to := window(start, stop, l.n)
		l.cut(to)
		l.drop(from)
		if l.n == 0 {
			c.database().remove(args[1])
		}
	}
	c.ok()
}
