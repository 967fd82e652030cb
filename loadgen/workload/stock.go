package workload

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// How much a stock may hold. Bytes bound it for large items, entries for small
// ones; a stock to pop from needs the lower bound too, or one batch of load would
// empty it, but not at any price in memory.
const (
	fillBytes    = 64 << 20
	fillLeast    = 1_000
	fillMost     = 500_000
	fillMemory   = 1 << 30 // where fillLeast gives way
	highBytes    = 256 << 20
	highMost     = 2_000_000
	chunkBytes   = 1 << 20 // of one Push
	chunkMost    = 1_000   // items of one Push
	trimAtOnce   = 10_000  // entries; freeing them blocks the server for about a millisecond
	listOverhead = 16      // bytes per item beside the value, roughly
	otherSize    = 80      // bytes per member of a set or sorted set, roughly
)

// collection is what all tests of a mix together ask of one key that is neither a
// string nor bounded by the key space.
type collection struct {
	kind, key     string
	drains, grows bool
	elements      int64 // an LRANGE asks for so many, 0 = no LRANGE
}

// kept tells whether a Stock must keep the length between bounds.
func (c collection) kept() bool { return c.drains || c.grows }

// collections merges the demands of the mix, one collection per key: a list that
// is pushed to, popped from and read at the same time has one owner.
func (w Workload) collections() []collection {
	var all []collection
	for _, e := range w.Mix {
		t := e.Test
		ranged := t.Type == typeList && t.Reads && !t.Drains
		if !t.Drains && !t.Grows && !ranged {
			continue
		}
		key := w.family(t)
		i := slices.IndexFunc(all, func(c collection) bool { return c.key == key })
		if i < 0 {
			i = len(all)
			all = append(all, collection{kind: t.Type, key: key})
		}
		c := &all[i]
		c.drains = c.drains || t.Drains
		c.grows = c.grows || t.Grows
		if ranged {
			c.elements = max(c.elements, int64(t.Values))
		}
	}
	return all
}

// Stocks is every collection whose length the engine must keep, one per key.
func (s *Source) Stocks() []Stock {
	var stocks []Stock
	for _, c := range s.workload.collections() {
		if c.kept() {
			stocks = append(stocks, s.stock(c))
		}
	}
	return stocks
}

func (s *Source) stock(c collection) Stock {
	stock := Stock{
		Key:    c.key,
		Length: Op{Name: c.lengthCommand(), Args: []any{c.key}},
	}
	size := c.itemSize(s.workload.sizes().Mean())
	stock.Low, stock.Fill, stock.High = c.levels(size)
	stock.ID = s.stockID(c, stock)
	if stock.Fill > 0 {
		stock.Chunk = int(min(max(chunkBytes/size, 1), chunkMost))
		stock.Push = s.push(c, stock.Chunk)
	}
	if stock.High > 0 {
		stock.Trim = c.trim
	}
	return stock
}

// stockID differs where items or levels do. Those of sets depend on nothing but
// the key, so that their running number goes on through a change of payload.
func (s *Source) stockID(c collection, stock Stock) string {
	id := fmt.Sprintf("stock %s %s %d/%d/%d", c.kind, c.key, stock.Low, stock.Fill, stock.High)
	if c.kind == typeList || c.kind == typeStream {
		id += " d=" + s.workload.valueID()
	}
	return id
}

// itemSize is about how much memory an item takes on the server, in bytes.
func (c collection) itemSize(payload float64) int64 {
	if c.kind == typeList || c.kind == typeStream {
		return int64(math.Ceil(payload)) + listOverhead
	}
	return otherSize
}

// levels are Low, Fill and High for items of size bytes. Whatever the mix, Low
// leaves an LRANGE its elements, and High/2, where trimming ends, is not below
// Fill: pushing and trimming never undo each other.
func (c collection) levels(size int64) (low, fill, high int64) {
	if c.drains {
		fill = min(max(fillBytes/size, fillLeast), fillMost)
		fill = min(fill, max(fillMemory/size, 2))
		low = fill / 2
	}
	if c.elements > 0 {
		low = max(low, c.elements)
		fill = max(fill, 2*low)
	}
	if c.grows {
		high = max(min(highBytes/size, highMost), 2*fill, 2)
	}
	return low, fill, high
}

func (c collection) lengthCommand() string {
	switch c.kind {
	case typeSet:
		return "SCARD"
	case typeZset:
		return "ZCARD"
	case typeStream:
		return "XLEN"
	}
	return "LLEN"
}

// push makes a stock's Push, one variadic command. Members are numbered from the
// end of the key space, so that those which SADD and ZADD write are never taken
// for new ones; scores lie where ZADD's lie.
func (s *Source) push(c collection, chunk int) func(int64, int) Op {
	size := max(s.workload.Keys.Size, 1)
	member := func(i int64) []byte { return numbered("element:", size+i) }
	score := func(i int64) []byte {
		if size == 1 {
			return []byte("0")
		}
		return numbered("", int64(scramble(uint64(i))%uint64(size)))
	}
	return func(from int64, n int) Op {
		n = min(max(n, 1), chunk)
		op := Op{Name: "RPUSH", Args: make([]any, 0, 1+2*n)}
		op.Args = append(op.Args, c.key)
		for i := from; i < from+int64(n); i++ {
			switch c.kind {
			case typeSet:
				op.Name = "SADD"
				op.Args = append(op.Args, member(i))
			case typeZset:
				op.Name = "ZADD"
				op.Args = append(op.Args, score(i), member(i))
			default:
				op.Args = append(op.Args, s.item(i))
			}
		}
		return op
	}
}

// trim removes at most trimAtOnce of the entries above target, the oldest of a
// stream and the last of a list. Called until length reaches target it ends
// there; at or below target it removes nothing.
func (c collection) trim(length, target int64) Op {
	remove := min(max(length-target, 0), trimAtOnce)
	if c.kind == typeStream {
		return Op{Name: "XTRIM", Args: []any{c.key, "MAXLEN", strconv.FormatInt(max(length-remove, 0), 10)}}
	}
	return Op{Name: "LTRIM", Args: []any{c.key, "0", strconv.FormatInt(-(remove + 1), 10)}}
}
