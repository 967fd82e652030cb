package workload

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// numbersHere is how many numbers of the key space there are here, all of them
// where there is no cluster.
func (w Workload) numbersHere() int64 {
	if w.Slots == nil {
		return max(w.Keys.Size, 1)
	}
	return int64(newNode(w.Slots, w.Keys.Size).keys)
}

// mostProbed is how many numbers are tried to learn how many keys without a tag
// are here.
const mostProbed = 1 << 14

// KeysHere is how many keys of the key space w's slots leave to it: of its rows the
// one that has the fewest, without rows that name no key. It is zero where one of
// them has none here, so that no client can send w to this node: a small key space
// need not reach every node, and a command with fixed keys belongs to one. For keys
// of custom commands without {tag} it is an estimate, and exact only in being zero
// or not, as far as 16384 numbers tell.
func (w Workload) KeysHere() int64 {
	if w.Slots == nil {
		return max(w.Keys.Size, 1)
	}
	if w.Slots.Count() == 0 {
		return 0 // commands without keys could run, but this is no node for load
	}
	s := w.Source()
	here := int64(-1)
	take := func(n int64) {
		if here < 0 || n < here {
			here = n
		}
	}
	for i, u := range s.units() {
		switch {
		case u.bound:
			take(int64(s.node.keys))
		case w.Mix[i].Test.Keys > 0 && len(u.routes) == 0:
			take(1) // a key of the node's own, such as its mylist
		}
		for _, r := range u.routes {
			if slot, fixed := r.slot(); fixed && !w.Slots.Has(slot) {
				take(0)
			} else if fixed {
				take(1)
			} else if r.fresh {
				take(s.probe([]route{r}))
			}
		}
		if drawn := slices.DeleteFunc(slices.Clone(u.routes), route.settled); len(drawn) > 0 {
			take(s.probe(drawn))
		}
	}
	if here < 0 {
		return 1 // no row names a key
	}
	return here
}

// settled tells whether the numbers of a unit have no say in the route's slot.
func (r route) settled() bool {
	_, fixed := r.slot()
	return fixed || r.fresh || r.valued()
}

// probe is about how many numbers of the key space take all of routes to slots that
// are here.
func (s *Source) probe(routes []route) int64 {
	size := max(s.workload.Keys.Size, 1)
	tried, found := min(size, mostProbed), int64(0)
	for n := range tried {
		if !slices.ContainsFunc(routes, func(r route) bool { return !s.workload.Slots.Has(r.with(n)) }) {
			found++
		}
	}
	return int64(float64(found) / float64(tried) * float64(size))
}

// with is the slot of a route all of whose numbers are n.
func (r route) with(n int64) int {
	var text []byte
	for _, p := range r.pieces {
		if p.kind == literal {
			text = append(text, p.text...)
		} else {
			text = append(text, numbered("", n)...)
		}
	}
	return int(crc16(text) % SlotCount)
}

const tagForm = "put {tag} into each of its keys, such as key:{tag}:__rand_int__, for one slot of the node"

// CheckSlots says what of w cannot be sent to a cluster, before it is known which
// slots there are: a command whose keys may lie in different slots, and likewise all
// that stands between MULTI and EXEC; or a prefix that would take the place of the
// tag. Keys of different commands may lie in different slots of one node, unless batch
// is Multi.
func (w Workload) CheckSlots(batch Batch) error {
	if strings.Contains(w.Keys.Prefix, "{") && slices.ContainsFunc(w.Mix, func(e Entry) bool { return !e.Test.Custom }) {
		return fmt.Errorf("key prefix %s contains {, which a cluster would take for the beginning of the tag behind it: %s", quote(w.Keys.Prefix), prefixForm)
	}
	var keys []string // that must be in one slot
	queued := false
	for _, e := range w.Mix {
		if !queued && batch != Multi {
			keys = nil
		}
		keys = append(keys, e.Test.slotKeys()...)
		name := strings.ToLower(e.Test.Args[0])
		repeated := batch == Multi || queued && e.Weight > 1
		queued = e.Ordered && (name == "multi" || queued && name != "exec" && name != "discard")
		if err := w.checkKeys(keys, repeated); err != nil {
			return fmt.Errorf("command %s: in a cluster, %w: %s", quote(e.Test.Title), err, tagForm)
		}
	}
	return nil
}

// slotKeys is the templates of a test's keys; for one of the catalogue it is a tag.
func (t Test) slotKeys() []string {
	if !t.Custom {
		return slices.Repeat([]string{TagMark}, min(t.Keys, 1))
	}
	var keys []string
	k, _ := lookUp(t.Args)
	for _, i := range k.locate(t.Args) {
		keys = append(keys, t.Args[i])
	}
	return keys
}

// checkKeys says why keys may lie in different slots; repeated tells that the
// command is sent several times within one transaction.
func (w Workload) checkKeys(keys []string, repeated bool) error {
	if len(keys) == 0 {
		return nil
	}
	first := keys[0]
	several := len(keys) > 1 || repeated
	for _, key := range keys {
		r := route{pieces: w.Keys.cut(hashed(key), false)}
		_, fixed := r.slot()
		switch {
		case ledByTag(key) != ledByTag(first):
			return errors.New("its keys lie in different slots")
		case strings.Contains(hashed(key)+"}", TagMark):
			return errors.New("a { stands before the {tag} of its key")
		case r.valued():
			return errors.New("a value decides on the slot of its key")
		case several && slices.ContainsFunc(r.pieces, func(p piece) bool { return p.kind == anew }):
			return errors.New("its keys lie in different slots")
		case hashed(key) != hashed(first) && !(fixed && Slot(key) == Slot(first)):
			return errors.New("its keys lie in different slots")
		}
	}
	return nil
}

// ledByTag tells whether TagMark decides on the slot of a key.
func ledByTag(key string) bool {
	part := hashed(key)
	return len(part) < len(key) && "{"+part+"}" == TagMark
}
