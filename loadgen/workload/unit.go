package workload

import "slices"

// unit is what must hold together in a cluster: the commands of a sequence, or one
// command of any other mix.
type unit struct {
	bound  bool         // its tags are drawn, each with the number beside it
	tied   [places]bool // which of __rand_1st__ to __rand_9th__ stand beside a tag
	routes []route      // keys without a tag, whose slots are found by trying
}

// route is the part of a key that decides on its slot: all of it, or its hash tag.
type route struct {
	pieces []piece
	row    int  // of the mix
	arg    int  // without the name
	fresh  bool // __rand_int__ is in it, so that its command draws it
}

// units is the unit that each row of the mix belongs to; nil where there is no cluster.
func (s *Source) units() []*unit {
	all := make([]*unit, len(s.workload.Mix))
	if s.node == nil {
		return all
	}
	for i := range s.workload.Mix {
		if all[i] = new(unit); i > 0 && s.workload.Mix.Ordered() {
			all[i] = all[i-1]
		}
		all[i].take(s.workload, i)
	}
	return all
}

// take makes the row numbered row part of u.
func (u *unit) take(w Workload, row int) {
	t := w.Mix[row].Test
	for i := 1; i < len(t.Args); i++ {
		pieces := w.cut(t, i)
		if !hasTag(pieces) {
			continue
		}
		for _, p := range pieces {
			if p.kind < places {
				u.bound, u.tied[p.kind] = true, true
			}
		}
	}
	if !t.Custom {
		return // all its keys have tags
	}
	k, _ := lookUp(t.Args)
	for _, i := range k.locate(t.Args) {
		if key := t.Args[i]; !ledByTag(key) {
			r := route{pieces: w.Keys.cut(hashed(key), false), row: row, arg: i - 1}
			r.fresh = slices.ContainsFunc(r.pieces, func(p piece) bool { return p.kind == anew })
			u.routes = append(u.routes, r)
		}
	}
}

// tries finds the route of an argument if __rand_int__ in it decides on the slot, -1
// for others.
func (u *unit) tries(row, arg int) int {
	return slices.IndexFunc(u.routes, func(r route) bool { return r.row == row && r.arg == arg && r.fresh })
}

// slot is the slot of a route that has no placeholders; ok is false for others.
func (r route) slot() (slot int, ok bool) {
	for _, p := range r.pieces {
		if p.kind != literal {
			return 0, false
		}
	}
	return int(crc16(argument{pieces: r.pieces}.text()) % SlotCount), true
}

// hasTag tells whether there is a tag to be filled in.
func hasTag(pieces []piece) bool {
	return slices.ContainsFunc(pieces, func(p piece) bool { return p.kind == tagged })
}

// settle puts the tag of what a node has one of in place of all tags.
func (k *node) settle(pieces []piece) []piece {
	if !hasTag(pieces) {
		return pieces
	}
	text := ""
	var settled []piece
	for _, p := range pieces {
		switch p.kind {
		case tagged:
			text += string(k.whole[:])
		case literal:
			text += p.text
		default:
			settled, text = append(settled, piece{literal, text}, p), ""
		}
	}
	return append(settled, piece{literal, text})
}

// mostTries bounds the search for a key without a tag in the right slots. With a
// hundred nodes it fails once in twenty thousand keys; the server then says MOVED.
const mostTries = 1000

// trial is a route as one generator tries it.
type trial struct {
	part    []byte          // what decides on the slot
	from    int             // where the first number begins in it
	sum     uint16          // CRC16 of what stands before
	repeats []repeat        // places of __rand_1st__ to __rand_9th__ in it
	fresh   []*[digits]byte // or those of __rand_int__
}

// newTrial is for r, whose part of the key is given.
func newTrial(r route, part []byte) trial {
	t := trial{part: part}
	if first := r.pieces[0]; first.kind == literal {
		t.from = len(first.text)
	}
	t.sum = crc16(part[:t.from])
	return t
}

// here tells whether the slot is owned with the numbers that are in place.
func (t *trial) here(k *node) bool {
	sum := t.sum
	for _, b := range t.part[t.from:] {
		sum = crc16Step(sum, b)
	}
	return k.slots.Has(int(sum % SlotCount))
}

// passes tells whether the slot is owned with the numbers that g keeps.
func (t *trial) passes(g *Generator) bool {
	for _, p := range t.repeats {
		*p.to = g.kept[p.kind]
	}
	return t.here(g.source.node)
}

// settle draws the numbers of __rand_int__ in a key until its slot is owned.
func (t *trial) settle(g *Generator) {
	for range mostTries {
		g.source.spreads[anew].write(&g.random, t.fresh)
		if t.here(g.source.node) {
			return
		}
	}
}

// trials are those of u that are decided when its numbers are drawn.
func (u *unit) trials() []trial {
	if u == nil {
		return nil
	}
	var all []trial
	for _, r := range u.routes {
		if _, fixed := r.slot(); !fixed && !r.fresh && !r.valued() {
			var scratch row
			t := newTrial(r, scratch.place(r.pieces))
			t.repeats = scratch.repeats
			all = append(all, t)
		}
	}
	return all
}

// valued tells whether a value decides on the slot, which CheckSlots refuses.
func (r route) valued() bool {
	return slices.ContainsFunc(r.pieces, func(p piece) bool { return p.kind == data })
}
