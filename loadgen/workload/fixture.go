package workload

import (
	"fmt"
	"slices"
)

// Fixtures is the data that must be on the server before w's reads can hit, and
// the known state from which w's stocks start. Fixtures come before stocks.
//
//	GET, MGET          every key of the key space, at the payload's size
//	LRANGE             a list that is long enough, unless a Stock keeps it
//	pushes and pops    an empty list, so that no element of another size is left
//	SPOP, ZPOPMIN      an empty collection
//
// The other tests are bounded by the key space and create what they need.
func (s *Source) Fixtures() []Fixture {
	var fixtures []Fixture
	if family := s.workload.filledFamily(); family != "" {
		fixtures = append(fixtures, s.keys(family))
	}
	for _, c := range s.workload.collections() {
		switch {
		case c.kept() && (c.kind == typeList || c.drains):
			fixtures = append(fixtures, s.empty(c))
		case !c.kept() && c.elements > 0:
			fixtures = append(fixtures, s.list(c))
		}
	}
	return fixtures
}

// Families is every family of keys that w may write, for their removal: a prefix
// such as "fullbore:key:" when it ends in a colon, one whole key otherwise.
// A read counts too, because its fixture writes.
func (w Workload) Families() []string {
	var families []string
	for _, e := range w.Mix {
		family := e.Test.family(w.Keys.Prefix)
		if family != "" && !slices.Contains(families, family) {
			families = append(families, family)
		}
	}
	return families
}

// Spoils tells whether applying w leaves values of another size among those that
// f wrote, so that f counts as not written any more. It matters when the payload
// is changed while only writes run: SET is bounded by the key space and has no
// fixture of its own that would replace f.
func (w Workload) Spoils(f Fixture) bool {
	if f.payload == 0 || f.payload == w.Payload {
		return false
	}
	return slices.ContainsFunc(w.Mix, func(e Entry) bool {
		t := e.Test
		return t.Writes && t.has(DataMark) && t.family(w.Keys.Prefix) == f.Family
	})
}

// filledFamily is the family of string keys that the mix reads, "" when it reads none.
func (w Workload) filledFamily() string {
	for _, e := range w.Mix {
		if e.Test.Type == typeString && e.Test.Reads {
			return e.Test.family(w.Keys.Prefix)
		}
	}
	return ""
}

// keys fills the whole key space; GET and MGET share it.
func (s *Source) keys(family string) Fixture {
	w := s.workload
	items := max(w.Keys.Size, 1)
	return Fixture{
		ID:      fmt.Sprintf("keys %s n=%d d=%d", family, items, w.Payload),
		What:    fmt.Sprintf("%s of %s", count(items, "key"), count(int64(w.Payload), "byte")),
		Family:  family,
		Items:   items,
		payload: w.Payload,
		Write: each(items, func(i int64) Op {
			return Op{Name: "SET", Args: []any{numbered(family, i), s.value()}}
		}),
	}
}

// list holds what the longest LRANGE of the mix asks for.
func (s *Source) list(c collection) Fixture {
	w := s.workload
	items := c.elements
	// One length for all LRANGE tests, so that switching between them prepares
	// nothing anew, unless the values are so large that this would be felt.
	if longest := int64(600); longest*int64(w.Payload) <= fillBytes {
		items = max(items, longest)
	}
	return Fixture{
		ID:      fmt.Sprintf("list %s n=%d d=%d", c.key, items, w.Payload),
		What:    fmt.Sprintf("a list of %s of %s", count(items, "element"), count(int64(w.Payload), "byte")),
		Family:  c.key,
		Items:   items,
		Reset:   []Op{{Name: "UNLINK", Args: []any{c.key}}},
		payload: w.Payload,
		Write: each(items, func(int64) Op {
			return Op{Name: "RPUSH", Args: []any{c.key, s.value()}}
		}),
	}
}

// empty removes a collection that a Stock then fills; the removal is its single
// item, as there is nothing to write after it. Pushes and pops of equal payload
// share its ID: alternating between them must not drain the list. The members of
// sets have no payload.
func (s *Source) empty(c collection) Fixture {
	f := Fixture{
		ID:     fmt.Sprintf("empty %s %s", c.kind, c.key),
		What:   "an empty " + c.key,
		Family: c.key,
		Items:  1,
		Write: each(1, func(int64) Op {
			return Op{Name: "UNLINK", Args: []any{c.key}}
		}),
	}
	if c.kind == typeList {
		f.ID += fmt.Sprintf(" d=%d", s.workload.Payload)
	}
	return f
}

// each makes a Write of one Op per item, so that the engine can cut batches to
// whatever size the payload allows. Items outside [0, items) are left out.
func each(items int64, op func(i int64) Op) func(int64, int) []Op {
	return func(from int64, n int) []Op {
		from = max(from, 0)
		n = int(min(int64(max(n, 0)), max(items-from, 0)))
		ops := make([]Op, n)
		for i := range ops {
			ops[i] = op(from + int64(i))
		}
		return ops
	}
}

// count writes "1 key" and "100000 keys".
func count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
