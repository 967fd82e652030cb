package workload

import (
	"math/rand/v2"
	"strings"
)

// In a cluster every number of the key space has a slot, whoever draws it, and its
// key carries the tag of that slot: what one node writes another run finds again.
// Numbers come in groups of sixteen that share a slot, so that a command of ten keys
// has different ones within one slot:
//
//	below 1024   number n is in group n mod 64, so that a small key space is spread too
//	from there   number n is in group n / 16
//
// and group g is in slot g·step mod 16384. The step is the golden section of the
// slots: whatever the number of groups, they lie nearly evenly among the slots (the
// three-distance theorem), and being odd it visits all of them.
const (
	groupSize   = 16
	smallGroups = 64
	smallKeys   = smallGroups * groupSize
	groupStep   = 10125
)

// groupOf is the group of number n, and which of its numbers n is.
func groupOf(n uint64) (group, member uint64) {
	if n < smallKeys {
		return n % smallGroups, n / smallGroups
	}
	return n / groupSize, n % groupSize
}

// numberOf is the opposite of groupOf.
func numberOf(group, member uint64) uint64 {
	if group < smallGroups {
		return group + member*smallGroups
	}
	return group*groupSize + member
}

// slotOf is the slot of a group.
func slotOf(group uint64) int { return int(group * groupStep % SlotCount) }

// node is the part of a key space that lies in some slots. Its numbers have an order,
// from 0 to keys-1, which is that of their sizes; so a distribution is drawn within
// the node as it would be within a key space of so many keys, and nothing is drawn in
// vain, however few slots there are.
type node struct {
	slots *Slots
	size  uint64          // of the whole key space, at least 2
	keys  uint64          // of its numbers that are here
	small []uint16        // those below smallKeys
	group []uint16        // the groups here, less smallGroups, of each SlotCount in a row
	whole [tagLength]byte // the tag of what the node has one of
	tags  *[SlotCount][tagLength]byte
}

// newNode looks through one round of groups; it takes some ten microseconds.
func newNode(slots *Slots, size int64) *node {
	k := &node{slots: slots, size: uint64(max(size, 1)), tags: slots.tags(), whole: *slots.tag(slots.home())}
	if k.size == 1 {
		k.keys = uint64(min(slots.count, 1))
		return k
	}
	for n := range min(k.size, smallKeys) {
		if group, _ := groupOf(n); slots.Has(slotOf(group)) {
			k.small = append(k.small, uint16(n))
		}
	}
	for i := range uint64(SlotCount) {
		if slots.Has(slotOf(i + smallGroups)) {
			k.group = append(k.group, uint16(i))
		}
	}
	k.keys = uint64(len(k.small)) + k.large()
	return k
}

// large is how many numbers from smallKeys on are here.
func (k *node) large() uint64 {
	if k.size <= smallKeys {
		return 0
	}
	groups, rest := (k.size-smallKeys)/groupSize, (k.size-smallKeys)%groupSize
	rounds, last := groups/SlotCount, groups%SlotCount
	here := rounds * uint64(len(k.group))
	for _, i := range k.group {
		if uint64(i) < last {
			here++
		}
	}
	if !k.slots.Has(slotOf(groups + smallGroups)) {
		rest = 0
	}
	return here*groupSize + rest
}

// number is the i-th number that is here, i below keys.
func (k *node) number(i uint64) uint64 {
	if i < uint64(len(k.small)) {
		return uint64(k.small[i])
	}
	i -= uint64(len(k.small))
	at, member := i/groupSize, i%groupSize
	round := uint64(0)
	if here := uint64(len(k.group)); at >= here {
		round, at = at/here, at%here
	}
	return numberOf(round*SlotCount+uint64(k.group[at])+smallGroups, member)
}

// key is the i-th key that is here, named head, number and tail; one of head and tail
// contains TagMark, such as "fullbore:key:{tag}:".
func (k *node) key(head, tail string, i uint64) []byte {
	n, tag := uint64(0), &k.whole
	if k.size > 1 {
		n = k.number(i)
		group, _ := groupOf(n)
		tag = &k.tags[slotOf(group)]
	}
	return append(numbered(fillTag(head, tag), int64(n)), fillTag(tail, tag)...)
}

// fillTag puts tag in place of every TagMark.
func fillTag(text string, tag *[tagLength]byte) string {
	return strings.ReplaceAll(text, TagMark, "{"+string(tag[:])+"}")
}

// bound is what the numbers and tags of one unit have in common: their slot. The
// unit's first number is drawn; those that follow are its neighbours in the group.
type bound struct {
	group, member uint64
	tag           [tagLength]byte
}

// draw begins a unit.
func (b *bound) draw(k *node, from spread, random *rand.PCG) {
	if k.keys == 0 {
		*b = bound{tag: k.whole} // nobody should ask; a key in the right slot does no harm
		return
	}
	b.group, b.member = groupOf(k.number(from.one(random)))
	b.tag = k.tags[slotOf(b.group)]
}

// home begins a unit in the slot of what the node has one of.
func (b *bound) home(k *node, random *rand.PCG) {
	b.tag, b.group, b.member = k.whole, k.slots.homeGroup(), below(random, groupSize)
	if numberOf(b.group, b.member) >= k.size {
		b.member = 0
	}
}

// next is the unit's next number. Behind the group's last one it goes on with the next
// group of the same slot, and behind the last of those with the first.
func (b *bound) next(k *node) uint64 {
	n := numberOf(b.group, b.member)
	if b.member++; b.member < groupSize && numberOf(b.group, b.member) < k.size {
		return n
	}
	b.member = 0
	if b.group < smallGroups {
		return n // a group that is spread out is enough for itself
	}
	if b.group += SlotCount; numberOf(b.group, 0) >= k.size {
		b.group = (b.group-smallGroups)%SlotCount + smallGroups
	}
	return n
}
