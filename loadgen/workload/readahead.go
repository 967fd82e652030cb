package workload

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// readers are the commands that read strings: their keys can be written before.
const readers = " get mget strlen getrange substr "

// customFixtures is the data for custom commands that read strings: every key
// under the prefix that they name, for every number of the key space where its
// name has one placeholder. Keys that a custom command of the mix writes itself are
// left alone, and so are all keys outside the prefix.
func (s *Source) customFixtures() []Fixture {
	templates := s.workload.readKeys()
	fixtures := make([]Fixture, 0, len(templates))
	var fixed []string
	for _, key := range templates {
		switch pieces := s.workload.Keys.cut(key, false); {
		case len(pieces) == 1 && pieces[0].kind == literal:
			fixed = append(fixed, s.fixedKey(pieces[0].text)...)
		case onlyNumber(pieces):
			fixtures = append(fixtures, s.numberedKeys(pieces))
		}
	}
	slices.Sort(fixed)
	if fixed = slices.Compact(fixed); len(fixed) > 0 {
		fixtures = append(fixtures, s.fixedKeys(fixed))
	}
	return slices.CompactFunc(fixtures, func(a, b Fixture) bool { return a.ID == b.ID })
}

// readKeys is the templates of the keys to write, sorted.
func (w Workload) readKeys() []string {
	var read, written []string
	for _, e := range w.Mix {
		switch {
		case !e.Test.Custom:
		case e.Test.Writes:
			written = append(written, w.heads(e.Test)...)
		case strings.Contains(readers, listed(e.Test.Args[0])):
			inside, _ := e.Test.keys(w.Keys.Prefix)
			read = append(read, inside...)
		}
	}
	slices.Sort(read)
	return slices.DeleteFunc(slices.Compact(read), func(key string) bool {
		head := key[:w.firstMark(key)]
		return slices.ContainsFunc(written, func(w string) bool { return related(w, head) })
	})
}

// fixedKey is a key without placeholders as it is sent, none when it lies in another
// node's slots.
func (s *Source) fixedKey(key string) []string {
	if s.node == nil {
		return []string{key}
	}
	if key = fillTag(key, &s.node.whole); !s.node.slots.Has(Slot(key)) {
		return nil
	}
	return []string{key}
}

// onlyNumber tells whether a key has one number and, beside it, literals only.
func onlyNumber(pieces []piece) bool {
	numbers := 0
	for _, p := range pieces {
		switch {
		case p.kind < places:
			numbers++
		case p.kind == data:
			return false
		}
	}
	return numbers == 1
}

// numberedKeys fills the key space under one name with a number.
func (s *Source) numberedKeys(pieces []piece) Fixture {
	var sides [2]string // before and behind the number
	side := 0
	for _, p := range pieces {
		if p.kind == literal {
			sides[side] = p.text
		} else {
			side = 1
		}
	}
	if sides[1] == "" {
		return s.keys(sides[0]) // shared with GET and MGET of the catalogue
	}
	f := s.keys(sides[0] + sides[1]) // for its tag, if there is one
	f.Family = sides[0] + zeros + sides[1]
	f.ID = fmt.Sprintf("keys %s n=%d d=%s", f.Family, f.Items, s.workload.valueID())
	f.heads = []string{sides[0][:s.workload.firstMark(sides[0])]}
	return s.strings(f, func(i int64) []byte {
		if s.node != nil && strings.Contains(sides[0]+sides[1], TagMark) {
			return s.node.key(sides[0], sides[1], uint64(i))
		}
		return append(numbered(sides[0], i), sides[1]...)
	})
}

// fixedKeys writes keys that are named one by one.
func (s *Source) fixedKeys(keys []string) Fixture {
	hash := fnv.New64a()
	for _, key := range keys {
		fmt.Fprintf(hash, "%d:%s", len(key), key)
	}
	items := int64(len(keys))
	return s.strings(Fixture{
		ID:     fmt.Sprintf("fixed keys %x n=%d d=%s", hash.Sum64(), items, s.workload.valueID()),
		What:   fmt.Sprintf("%s of %s", count(items, "key"), s.workload.sizeWords()),
		Family: fmt.Sprintf("%s and others: %x", keys[0], hash.Sum64()),
		Items:  items,
		heads:  keys,
	}, func(i int64) []byte { return []byte(keys[i]) })
}
