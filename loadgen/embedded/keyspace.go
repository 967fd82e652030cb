package embedded

// entry is one key with its value: *text, *list, *set, *hash, *zset or *stream.
type entry struct {
	key   string
	slot  int // its place in database.slots, fixed while the key lives
	value any
}

// database is one numbered database.
//
// SCAN walks the slots by position. A key keeps its slot as long as it lives, so a
// key that is there during a whole scan is returned by it, whatever else is
// deleted or added meanwhile; a freed slot is used again for a new key.
type database struct {
	keys  map[string]*entry
	slots []*entry
	free  []int // slots that may be empty; checked when taken
}

// put stores a value under a key, over whatever was there.
func (d *database) put(key []byte, value any) {
	if e := d.keys[string(key)]; e != nil {
		e.value = value
		return
	}
	e := &entry{key: string(key), slot: d.takeSlot(), value: value}
	d.keys[e.key] = e
	d.slots[e.slot] = e
}

// takeSlot finds an empty slot.
func (d *database) takeSlot() int {
	for len(d.free) > 0 {
		slot := d.free[len(d.free)-1]
		d.free = d.free[:len(d.free)-1]
		// The list may name slots that were cut off since, or were cut off, grown
		// again and are now in use.
		if slot < len(d.slots) && d.slots[slot] == nil {
			return slot
		}
	}
	d.slots = append(d.slots, nil)
	return len(d.slots) - 1
}

// remove deletes a key; false when it did not exist.
func (d *database) remove(key []byte) bool {
	e := d.keys[string(key)]
	if e == nil {
		return false
	}
	delete(d.keys, e.key)
	d.slots[e.slot] = nil
	d.free = append(d.free, e.slot)
	for n := len(d.slots); n > 0 && d.slots[n-1] == nil; n-- {
		d.slots = d.slots[:n-1]
	}
	if len(d.slots) == 0 {
		d.free = nil
	}
	return true
}

// database is the one that the connection has selected.
func (c *session) database() *database { return &c.server.data[c.db] }

// find looks up a value of one type. A missing key gives nil and true; a value of
// another type is answered with WRONGTYPE and gives false.
func find[T any](c *session, key []byte) (*T, bool) {
	e := c.database().keys[string(key)]
	if e == nil {
		return nil, true
	}
	value, ok := e.value.(*T)
	if !ok {
		c.fail(errWrongType)
	}
	return value, ok
}

// read is find for commands that only read: it counts hits and misses.
func read[T any](c *session, key []byte) (*T, bool) {
	c.look(key)
	return find[T](c, key)
}

// look counts a hit or a miss, as Redis does for commands that only read.
func (c *session) look(key []byte) *entry {
	e := c.database().keys[string(key)]
	if e != nil {
		c.server.totals.hits++
	} else {
		c.server.totals.misses++
	}
	return e
}

// obtain is find that creates a missing value.
func obtain[T any](c *session, key []byte, create func() *T) (*T, bool) {
	value, ok := find[T](c, key)
	if ok && value == nil {
		value = create()
		c.database().put(key, value)
	}
	return value, ok
}
