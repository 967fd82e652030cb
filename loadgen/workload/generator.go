package workload

import (
	"math/rand/v2"
	"slices"
)

// Command is one request, ready to be sent. Its bytes change with the next call
// of Next on the same generator.
type Command struct {
	Test       int    // index into the workload's Mix
	Form       int    // commands of equal Form differ in the Args of Varies only, and have equal lengths; below Source.Forms
	Fluid      bool   // lengths change from one call to the next: Form says nothing, the command must be formatted anew
	Name       string // "SET"
	Args       []any  // []byte each, without the name; not to be changed or kept
	Varies     []int  // indices of the Args whose bytes change from one call to the next
	Inline     []byte // the raw line to send instead, with its line end; nil for all but PING_INLINE
	Keys       int    // keys it names
	Reads      bool   // a nil or empty reply is a miss
	PerElement bool   // every element of the reply is a hit or a miss (MGET)
	Request    int    // bytes on the wire
	Reply      int    // bytes of a full reply, roughly; with Request the measure for M13
}

// Generator decides what one client sends. It belongs to one goroutine.
type Generator struct {
	random rand.PCG
	source *Source
	rows   []row
	edges  []uint64 // running sums of the weights; the last is their total

	ordered bool  // the rows are a sequence
	at      int   // the row whose turn it is
	left    int   // how often still
	drawn   []int // of a sequence: which of __rand_1st__ to __rand_9th__ it uses

	bound   bound   // in a cluster: the slot of the unit, and the numbers in it
	trials  []trial // of a sequence
	united  int     // how many commands still share one slot
	settled bool    // some rows have a key of the node's own

	kept  [places][digits]byte  // their values
	slots [places]*[digits]byte // point to kept
}

// Generator is client's stream of commands, the same for equal workloads and
// client numbers, however many clients there are. It never ends. Only sequential
// keys depend on the others: all clients count on together. Where Workload.KeysHere
// is zero it draws keys that do not belong to the node.
func (s *Source) Generator(client int) *Generator {
	w := s.workload
	g := &Generator{source: s, ordered: w.Mix.Ordered()}
	// Scrambled, because neighbouring clients and seeds differ in few bits.
	g.random.Seed(scramble(w.Seed), scramble(scramble(w.Seed)+uint64(client)))
	for i := range g.kept {
		g.slots[i] = &g.kept[i]
	}
	var total uint64
	used := [places]bool{}
	for i, r := range s.recipes() {
		total += uint64(w.Mix[i].Weight)
		g.edges = append(g.edges, total)
		g.rows = append(g.rows, s.row(i, r))
		g.settled = g.settled || r.unit != nil && !r.unit.bound && r.test.Keys > 0
		for _, kind := range g.rows[i].drawn {
			used[kind] = true
		}
	}
	for kind, u := range used {
		if u && g.ordered {
			g.drawn = append(g.drawn, kind)
		}
	}
	if g.ordered {
		g.trials = g.rows[0].unit.trials()
	}
	g.Rewind()
	return g
}

// Rewind makes the next command the first of a sequence, such as after the loss
// of a connection on which a MULTI was open. It does nothing to other mixes.
func (g *Generator) Rewind() { g.at, g.left = len(g.rows)-1, 0 }

// Unite puts the keys of the next n commands into one slot, as those of a transaction
// must be: for a batch between MULTI and EXEC. It does nothing where there is no
// cluster. See CheckSlots for what it cannot unite.
func (g *Generator) Unite(n int) {
	s := g.source
	if s.node == nil {
		return
	}
	g.united = n
	if g.settled {
		g.bound.home(s.node, &g.random)
	} else {
		g.bound.draw(s.node, s.bound, &g.random)
	}
}

// Next is the next command to send, valid until the following call. It does not
// allocate.
func (g *Generator) Next() *Command {
	r := g.turn()
	s := g.source
	if len(r.fresh) > 0 {
		s.spreads[anew].write(&g.random, r.fresh)
	}
	if len(r.scores) > 0 {
		s.spreads[score].write(&g.random, r.scores)
	}
	for _, p := range r.repeats {
		*p.to = g.kept[p.kind]
	}
	if r.unit != nil {
		r.settle(g)
		g.united--
	}
	if r.changes != nil {
		r.changes.next(g, &r.command)
	}
	return &r.command
}

// turn is the row to send, with the numbers drawn that its unit has in common.
func (g *Generator) turn() *row {
	if !g.ordered {
		r := &g.rows[pick(&g.random, g.edges)]
		g.draw(r.unit, r.drawn, r.trials)
		return r
	}
	if g.left == 0 {
		if g.at++; g.at == len(g.rows) {
			g.at = 0
			g.draw(g.rows[0].unit, g.drawn, g.trials)
		}
		g.left = g.source.workload.Mix[g.at].Weight
	}
	g.left--
	return &g.rows[g.at]
}

// draw draws the numbers of some of __rand_1st__ to __rand_9th__, and before them what
// the unit u is bound to. u is nil where there is no cluster.
func (g *Generator) draw(u *unit, kinds []int, trials []trial) {
	for range mostTries {
		if u != nil && u.bound && g.united <= 0 {
			g.bound.draw(g.source.node, g.source.bound, &g.random)
		}
		for _, kind := range kinds {
			if u != nil && u.tied[kind] {
				put(&g.kept[kind], g.bound.next(g.source.node))
			} else {
				g.source.spreads[kind].write(&g.random, g.slots[kind:kind+1])
			}
		}
		if len(trials) == 0 || g.pass(trials) {
			return
		}
	}
}

// pass tells whether all keys that the numbers decide are in slots of this node.
func (g *Generator) pass(trials []trial) bool {
	for i := range trials {
		if !trials[i].passes(g) {
			return false
		}
	}
	return true
}

// row is a recipe that one generator has made its own.
type row struct {
	command Command
	fresh   []*[digits]byte // places of __rand_int__, in the arguments
	scores  []*[digits]byte // places of scores
	repeats []repeat        // places of __rand_1st__ to __rand_9th__
	drawn   []int           // which of those there are
	changes *changes        // arguments that change more than digits; nil = none

	unit   *unit              // nil where there is no cluster
	tags   []*[tagLength]byte // places of tags, in the arguments
	tied   []*[digits]byte    // places of __rand_int__ beside a tag
	routed []trial            // keys whose __rand_int__ decides on the slot
	trials []trial            // those that are decided when the unit is drawn, unless it is a sequence
}

// settle fills in what the slots decide.
func (r *row) settle(g *Generator) {
	for _, spot := range r.tied {
		put(spot, g.bound.next(g.source.node))
	}
	for _, spot := range r.tags {
		*spot = g.bound.tag
	}
	for i := range r.routed {
		r.routed[i].settle(g)
	}
}

// repeat is a place that repeats a number.
type repeat struct {
	to   *[digits]byte
	kind pieceKind
}

func (s *Source) row(index int, r recipe) row {
	t := r.test
	out := row{unit: r.unit, command: Command{
		Test: index, Form: r.base, Fluid: r.fluid, Name: t.Args[0], Keys: t.Keys, Reads: t.Reads, PerElement: t.PerElement,
		Reply: 16 + t.Values*bulk(int(s.values.sizes.Mean())),
	}}
	c := &out.command
	if r.line != nil {
		c.Inline = out.place(r.line.pieces)
		c.Request = len(c.Inline)
		return out
	}
	c.Request = len("*\r\n") + width(int64(1+len(r.args))) + bulk(len(c.Name))
	changes := newChanges(s)
	c.Args = make([]any, 0, len(r.args))
	for i, a := range r.args {
		switch {
		case a.boxed != nil:
			c.Args = append(c.Args, a.boxed)
			c.Request += bulk(len(a.boxed.([]byte)))
		case a.values > 0 || a.expiry:
			c.Args = append(c.Args, changes.add(a, &out))
			if len(a.pieces) != 1 || s.values.random {
				c.Varies = append(c.Varies, i)
			}
		default:
			arg := out.placeKey(a.pieces, index, i)
			c.Args = append(c.Args, arg)
			c.Varies = append(c.Varies, i)
			c.Request += bulk(len(arg))
		}
	}
	if len(changes.values) > 0 {
		changes.form, changes.fixed = c.Form, c.Request
		out.changes = changes
	}
	if !s.workload.Mix.Ordered() {
		out.trials = out.unit.trials()
	}
	return out
}

// placeKey is place for an argument of the row numbered index, which may be a key
// that has to lie in certain slots.
func (r *row) placeKey(pieces []piece, index, arg int) []byte {
	before := len(r.fresh)
	text := r.place(pieces)
	fresh := r.fresh[before:]
	switch {
	case r.unit == nil || len(fresh) == 0:
	case hasTag(pieces):
		r.tied, r.fresh = append(r.tied, fresh...), r.fresh[:before]
	default:
		i := r.unit.tries(index, arg)
		if i < 0 {
			break
		}
		t := newTrial(r.unit.routes[i], hashed(text))
		t.fresh = slices.Clone(fresh)
		r.routed, r.fresh = append(r.routed, t), r.fresh[:before]
	}
	return text
}

// place writes pieces without values down and notes where numbers go.
func (r *row) place(pieces []piece) []byte {
	size := 0
	for _, p := range pieces {
		size += max(len(p.text), digits)
	}
	out := make([]byte, 0, size) // never moves
	for _, p := range pieces {
		at := len(out)
		switch p.kind {
		case literal:
			out = append(out, p.text...)
			continue
		case tagged:
			out = append(out, TagMark[1:1+tagLength]...)
			r.tags = append(r.tags, (*[tagLength]byte)(out[at:]))
			continue
		}
		out = append(out, zeros...)
		spot := (*[digits]byte)(out[at:])
		switch p.kind {
		case anew:
			r.fresh = append(r.fresh, spot)
		case score:
			r.scores = append(r.scores, spot)
		default:
			r.repeats = append(r.repeats, repeat{spot, p.kind})
			r.use(p.kind)
		}
	}
	return out
}

// use notes that the row needs a number of kind.
func (r *row) use(kind pieceKind) {
	for _, k := range r.drawn {
		if k == int(kind) {
			return
		}
	}
	r.drawn = append(r.drawn, int(kind))
}

// scramble spreads every bit of x over the result (the finalizer of SplitMix64).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
