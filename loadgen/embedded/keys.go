package embedded

import "strconv"

// del is DEL and UNLINK: freeing memory is the collector's business.
func del(c *session, args [][]byte) {
	removed := 0
	for _, key := range args[1:] {
		if c.database().remove(key) {
			removed++
		}
	}
	c.integer(removed)
}

// exists counts a key as often as it is named, as Redis does.
func exists(c *session, args [][]byte) {
	found := 0
	for _, key := range args[1:] {
		if c.look(key) != nil {
			found++
		}
	}
	c.integer(found)
}

// typeOf counts a hit or a miss; Redis does so too.
func typeOf(c *session, args [][]byte) {
	c.out.WriteString(typeName(c.look(args[1])))
}

// typeName is Redis's name of an entry's type.
func typeName(e *entry) string {
	if e == nil {
		return "none"
	}
	switch e.value.(type) {
	case *text:
		return "string"
	case *list:
		return "list"
	case *members:
		return "set"
	case *hash:
		return "hash"
	case *zset:
		return "zset"
	default:
		return "stream"
	}
}

// dbsize is the number of keys in the selected database.
func dbsize(c *session, _ [][]byte) { c.integer(len(c.database().keys)) }

// flush refuses FLUSHALL and FLUSHDB. Nothing of fullbore sends them, and a script
// that does would take the keys of a running test away.
func flush(c *session, args [][]byte) {
	c.refuse("refuses " + string(args[0]) + ": delete your own keys with UNLINK")
}

// scanOptions are the words after the cursor of SCAN.
type scanOptions struct {
	pattern string // "*" = all
	kind    string // name of a type, "" = all
	count   int    // slots to visit
}

// scan walks the slots from the cursor on; the cursor is the next slot. An empty
// slot counts as visited, so that one call never takes long.
func scan(c *session, args [][]byte) {
	cursor, err := strconv.ParseUint(string(args[1]), 10, 64)
	if err != nil {
		c.fail(errCursor)
		return
	}
	options, ok := c.scanOptions(args[2:])
	if !ok {
		return
	}
	slots := c.database().slots
	from := int(min(cursor, uint64(len(slots))))
	to := from + min(options.count, len(slots)-from)
	var keys []string
	for _, e := range slots[from:to] {
		if e == nil || !glob(options.pattern, e.key) ||
			options.kind != "" && options.kind != typeName(e) {
			continue
		}
		keys = append(keys, e.key)
	}
	if to == len(slots) {
		to = 0
	}
	c.out.WriteArray(2)
	c.out.WriteBulkString(strconv.Itoa(to))
	c.out.WriteArray(len(keys))
	for _, key := range keys {
		c.out.WriteBulkString(key)
	}
}

// scanOptions reads MATCH, COUNT and TYPE in any order.
func (c *session) scanOptions(args [][]byte) (scanOptions, bool) {
	options := scanOptions{pattern: "*", count: 10}
	for ; len(args) >= 2; args = args[2:] {
		switch {
		case is(args[0], "MATCH"):
			options.pattern = string(args[1])
		case is(args[0], "TYPE"):
			options.kind = string(appendLower(nil, args[1]))
		case is(args[0], "COUNT"):
			n, ok := parseInt(args[1])
			if !ok {
				c.fail(errInteger)
				return options, false
			}
			if n < 1 {
				c.fail(errSyntax)
				return options, false
			}
			options.count = int(n)
		default:
			c.fail(errSyntax)
			return options, false
		}
	}
	if len(args) != 0 {
		c.fail(errSyntax)
		return options, false
	}
	return options, true
}
