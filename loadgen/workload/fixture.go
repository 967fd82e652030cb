package workload

import (
	"fmt"
	"slices"
	"strings"
)

// Fixtures is the data that must be on the server before w's reads can hit, and
// the known state from which w's stocks start. Fixtures come before stocks.
//
//	GET, MGET          every key of the key space, at the payload's size
//	GET … as written   likewise the keys under the prefix that custom reads of strings name
//	LRANGE             a list that is long enough, unless a Stock keeps it
//	pushes and pops    an empty list, so that no element of another size is left
//	SPOP, ZPOPMIN      an empty collection
//
// The other tests are bounded by the key space and create what they need.
//
// In a cluster it is what lies in the slots of w; those of all nodes together are
// the data as it would be without a cluster, and no two of them share a key.
func (s *Source) Fixtures() []Fixture {
	var fixtures []Fixture
	if family := s.workload.filledFamily(); family != "" {
		fixtures = append(fixtures, s.keys(family))
	}
	fixtures = append(fixtures, s.customFixtures()...)
	fixtures = slices.DeleteFunc(fixtures, func(f Fixture) bool { return f.Items == 0 })
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

// Filling is the workload whose first f.Items commands write what f does, for an
// engine that has a quicker way to send than one Op at a time; ok is false when f
// is not a whole key space.
func (w Workload) Filling(f Fixture) (filling Workload, ok bool) {
	set, err := Lookup("set")
	if err != nil || f.Family != w.family(set[0]) || f.Items != w.numbersHere() {
		return Workload{}, false
	}
	dist, err := ParseDist("sequential")
	if err != nil {
		return Workload{}, false
	}
	w.Mix, w.Keys.Dist, w.Expire = Single(set[0]), dist, Expire{}
	return w, true
}

// Families is every family of keys that w may write under the prefix, for their
// removal: a prefix such as "fullbore:key:" when it ends in a colon, one whole key
// otherwise. A read counts too, because its fixture writes. A custom command's key
// with placeholders counts up to the last colon before the first of them. In a
// cluster all families of the catalogue's tests are prefixes, because the key of a
// node that there is one of, such as its mylist, changes with its slots.
func (w Workload) Families() []string {
	var families []string
	for _, e := range w.Mix {
		for _, family := range w.families(e.Test) {
			if !slices.Contains(families, family) {
				families = append(families, family)
			}
		}
	}
	return families
}

func (w Workload) families(t Test) []string {
	if !t.Custom {
		return w.heads(t)
	}
	var families []string
	inside, _ := t.keys(w.Keys.Prefix)
	for _, key := range inside {
		if n := w.firstMark(key); n < len(key) {
			key = key[:max(len(w.Keys.Prefix), strings.LastIndex(key[:n], ":")+1)]
		}
		families = append(families, key)
	}
	slices.Sort(families)
	return slices.Compact(families)
}

// Spoils tells whether applying w leaves other values among those that f wrote, or
// takes some of them away, so that f counts as not written any more. It matters
// when the payload is changed while only writes run: SET is bounded by the key
// space and has no fixture of its own that would replace f.
func (w Workload) Spoils(f Fixture) bool {
	if f.values == "" {
		return false
	}
	return slices.ContainsFunc(w.Mix, func(e Entry) bool {
		t := e.Test
		switch {
		case !t.Writes:
			return false
		case t.Custom:
			inside, outside := t.keys(w.Keys.Prefix)
			nameless := len(inside) == 0 && len(outside) == 0 // FLUSHALL, or a script
			return nameless || f.overlaps(w.heads(t))
		case !f.overlaps(w.heads(t)):
			return false
		}
		return t.has(DataMark) && f.values != w.valueID() || t.expires() && w.Expire != (Expire{})
	})
}

// overlaps tells whether keys that begin with one of heads may be keys of f.
func (f Fixture) overlaps(heads []string) bool {
	own := f.heads
	if own == nil {
		own = []string{f.Family}
	}
	return slices.ContainsFunc(own, func(a string) bool {
		return slices.ContainsFunc(heads, func(b string) bool { return related(a, b) })
	})
}

// related tells whether one of a and b begins with the other.
func related(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }

// filledFamily is the family of string keys that the mix reads, "" when it reads none.
func (w Workload) filledFamily() string {
	for _, e := range w.Mix {
		if e.Test.Type == typeString && e.Test.Reads {
			return w.family(e.Test)
		}
	}
	return ""
}

// keys fills the whole key space; GET and MGET share it.
func (s *Source) keys(family string) Fixture {
	f := Fixture{Family: family, Items: max(s.workload.Keys.Size, 1)}
	key := func(i int64) []byte { return numbered(family, i) }
	if s.node != nil && strings.Contains(family, TagMark) {
		head, _, _ := strings.Cut(family, TagMark)
		f.Items, f.heads = int64(s.node.keys), []string{head}
		key = func(i int64) []byte { return s.node.key(family, "", uint64(i)) }
	}
	f.ID = fmt.Sprintf("keys %s n=%d d=%s", family, f.Items, s.workload.valueID())
	f.What = fmt.Sprintf("%s of %s", count(f.Items, "key"), s.workload.sizeWords())
	return s.strings(f, key)
}

// strings completes a fixture that writes a string under each of its keys.
func (s *Source) strings(f Fixture, key func(i int64) []byte) Fixture {
	f.values, f.chunk = s.workload.valueID(), s.workload.sizes().chunk()
	f.Write = each(f.Items, func(i int64) Op {
		return Op{Name: "SET", Args: []any{key(i), s.item(i)}}
	})
	if s.node != nil {
		f.ID += " slots=" + s.node.slots.id() // other slots, other keys
		write := f.Write
		f.Write = func(from int64, n int) []Op {
			return slices.DeleteFunc(write(from, n), func(op Op) bool { return !s.node.slots.Has(Slot(op.Args[0].([]byte))) })
		}
	}
	return f
}

// item is the value of item i.
func (s *Source) item(i int64) any { return s.values.item(s.workload.Seed, s.sizer, i) }

// sizeWords is "64 bytes", or "10-4k bytes".
func (w Workload) sizeWords() string {
	if sizes := w.sizes(); !sizes.Fixed() {
		return sizes.String() + " bytes"
	}
	return count(int64(w.sizes().Max()), "byte")
}

// list holds what the longest LRANGE of the mix asks for.
func (s *Source) list(c collection) Fixture {
	w := s.workload
	items := c.elements
	// One length for all LRANGE tests, so that switching between them prepares
	// nothing anew, unless the values are so large that this would be felt.
	if longest := int64(600); float64(longest)*w.sizes().Mean() <= fillBytes {
		items = max(items, longest)
	}
	return Fixture{
		ID:     fmt.Sprintf("list %s n=%d d=%s", c.key, items, w.valueID()),
		What:   fmt.Sprintf("a list of %s of %s", count(items, "element"), w.sizeWords()),
		Family: c.key,
		Items:  items,
		Reset:  []Op{{Name: "UNLINK", Args: []any{c.key}}},
		values: w.valueID(),
		chunk:  w.sizes().chunk(),
		Write: each(items, func(i int64) Op {
			return Op{Name: "RPUSH", Args: []any{c.key, s.item(i)}}
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
		f.ID += " d=" + s.workload.valueID()
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
