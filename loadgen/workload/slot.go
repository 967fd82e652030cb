package workload

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/bits"
	"strconv"
	"strings"
	"sync"
)

// SlotCount is how many slots a Redis cluster deals out to its primaries.
const SlotCount = 1 << 14

// Slot is the slot of a cluster that key lies in, from 0 to 16383: CRC16 of its
// hash tag, which is what stands between its first { and the first } after it,
// or of the whole key where there is no tag or nothing in it (Redis cluster
// specification, "Hash tags").
func Slot[T string | []byte](key T) int { return int(crc16(hashed(key)) % SlotCount) }

// hashed is the part of key that decides on its slot.
func hashed[T string | []byte](key T) T {
	for open := range len(key) {
		if key[open] != '{' {
			continue
		}
		for shut := open + 1; shut < len(key); shut++ {
			if key[shut] == '}' && shut > open+1 {
				return key[open+1 : shut]
			} else if key[shut] == '}' {
				return key
			}
		}
		return key
	}
	return key
}

// crc16 is CRC-16/XMODEM: polynomial 0x1021, begun at zero, nothing reflected.
func crc16[T string | []byte](data T) uint16 {
	sum := uint16(0)
	for i := range len(data) {
		sum = crc16Step(sum, data[i])
	}
	return sum
}

// crc16Step takes in one byte. The polynomial has three terms only, so that a few
// shifts do what others look up in a table.
func crc16Step(sum uint16, b byte) uint16 {
	x := byte(sum>>8) ^ b
	x ^= x >> 4
	return sum<<8 ^ uint16(x)<<12 ^ uint16(x)<<5 ^ uint16(x)
}

// SlotRange is the slots from First to Last, both included.
type SlotRange struct{ First, Last int }

// Slots is a set of slots, such as those of one primary. It never changes; two of
// them compare with Equal.
type Slots struct {
	set   [SlotCount / 64]uint64
	count int
	tags  func() *[SlotCount][tagLength]byte // made at the first call
}

// NewSlots is the set of the slots in ranges, which may overlap and come in any
// order. None at all is the empty set, of a primary that owns nothing.
func NewSlots(ranges ...SlotRange) (*Slots, error) {
	s := &Slots{tags: sync.OnceValue(makeTags)}
	for _, r := range ranges {
		if r.First < 0 || r.Last >= SlotCount || r.First > r.Last {
			return nil, fmt.Errorf("slots %d to %d: a range lies between 0 and %d, such as 0-5460", r.First, r.Last, SlotCount-1)
		}
		for slot := r.First; slot <= r.Last; slot++ {
			s.set[slot/64] |= 1 << (slot % 64)
		}
	}
	for _, word := range s.set {
		s.count += bits.OnesCount64(word)
	}
	return s, nil
}

// ParseSlots reads what String writes: "0-5460,6000", "" for the empty set.
func ParseSlots(text string) (*Slots, error) {
	var ranges []SlotRange
	for _, part := range strings.Split(text, ",") {
		if text == "" {
			break
		}
		first, last, ranged := strings.Cut(part, "-")
		if !ranged {
			last = first
		}
		from, errFrom := strconv.ParseUint(first, 10, 16)
		to, errTo := strconv.ParseUint(last, 10, 16)
		if errors.Join(errFrom, errTo) != nil {
			return nil, fmt.Errorf("slots %s: give numbers and ranges such as 0-5460,6000", quote(part))
		}
		ranges = append(ranges, SlotRange{int(from), int(to)})
	}
	return NewSlots(ranges...)
}

// Has tells whether slot is one of s; no number below 0 or above 16383 is.
func (s *Slots) Has(slot int) bool {
	return slot >= 0 && slot < SlotCount && s.set[slot/64]>>(slot%64)&1 != 0
}

// Count is how many slots there are.
func (s *Slots) Count() int { return s.count }

// Equal tells whether s and t are the same slots. Two nil sets are equal; nil, which
// stands for no cluster, equals no other.
func (s *Slots) Equal(t *Slots) bool {
	if s == nil || t == nil {
		return s == t
	}
	return s.set == t.set
}

// Ranges is s as few ranges as possible, in ascending order.
func (s *Slots) Ranges() []SlotRange {
	var all []SlotRange
	for slot := 0; slot < SlotCount; slot++ {
		if !s.Has(slot) {
			continue
		}
		first := slot
		for s.Has(slot + 1) {
			slot++
		}
		all = append(all, SlotRange{first, slot})
	}
	return all
}

// String is s as ParseSlots reads it: "0-5460,6000".
func (s *Slots) String() string {
	if s == nil {
		return ""
	}
	parts := make([]string, 0, 1)
	for _, r := range s.Ranges() {
		text := strconv.Itoa(r.First)
		if r.Last > r.First {
			text += "-" + strconv.Itoa(r.Last)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}

// home is the slot in which the one key of a node lies, such as its mylist: that of
// the first group of numbers which is here, so that there are numbers beside it. It
// is 0 for the empty set.
func (s *Slots) home() int { return slotOf(s.homeGroup()) }

func (s *Slots) homeGroup() uint64 {
	for group := range uint64(SlotCount) {
		if s.Has(slotOf(group)) {
			return group
		}
	}
	return 0
}

// TagMark is what becomes a hash tag in the keys of custom commands, as in
// redis-benchmark. A tag is as long as the word it replaces.
const (
	TagMark   = "{tag}"
	tagLength = len("tag")
)

// tag is the hash tag that leads to slot.
func (s *Slots) tag(slot int) *[tagLength]byte { return &s.tags()[slot] }

// makeTags finds a tag for each slot: the first in alphabetical order. With letters
// of one case and figures a few slots would have none.
func makeTags() *[SlotCount][tagLength]byte {
	const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	tags := &[SlotCount][tagLength]byte{}
	missing := SlotCount
	for i := range len(alphabet) {
		first := crc16Step(0, alphabet[i])
		for j := range len(alphabet) {
			second := crc16Step(first, alphabet[j])
			for k := range len(alphabet) {
				tag := &tags[crc16Step(second, alphabet[k])%SlotCount]
				if tag[0] != 0 {
					continue
				}
				*tag = [tagLength]byte{alphabet[i], alphabet[j], alphabet[k]}
				if missing--; missing == 0 {
					return tags
				}
			}
		}
	}
	return tags
}

// id is s in a word: its ranges, or a hash of them where they are many.
func (s *Slots) id() string {
	text := s.String()
	if len(text) <= 40 {
		return text
	}
	hash := fnv.New64a()
	hash.Write([]byte(text))
	return fmt.Sprintf("%d:%x", s.count, hash.Sum64())
}
