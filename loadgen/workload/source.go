package workload

import (
	"strings"
	"sync"
)

// Source makes the generators, fixtures and stocks of one workload and shares
// what they have in common: the values, the arguments that never change, and the
// counters of sequential keys. It is safe for use by several goroutines.
type Source struct {
	workload Workload
	values   *material
	spreads  [places]spread // what draws the numbers, by kind of placeholder
	sizer    *sizer
	node     *node           // what of the key space is here; nil = there is no cluster
	bound    spread          // what draws the numbers of keys with a tag, out of node
	recipes  func() []recipe // the rows of the mix, read once at the first call
}

// Source prepares to send w, which must have passed Validate. It allocates next
// to nothing until a value is needed.
func (w Workload) Source() *Source {
	s := &Source{workload: w, values: newMaterial(w), sizer: newSizer(w.sizes())}
	if w.Keys.Size > 1 {
		shared := w.Keys.Dist.spread(uint64(w.Keys.Size))
		for kind := range s.spreads {
			s.spreads[kind] = shared
			if _, counts := shared.(*sequential); counts {
				shared = w.Keys.Dist.spread(uint64(w.Keys.Size)) // a counter for each placeholder
			}
		}
	}
	if w.Slots != nil {
		s.node = newNode(w.Slots, w.Keys.Size)
		here := max(s.node.keys, 1)
		s.bound = w.Keys.Dist.within(here, s.node.size).spread(here)
	}
	s.recipes = sync.OnceValue(s.readMix)
	return s
}

// Generator is Source().Generator(client), for a caller with one client. With
// several, keep the Source: each call here builds a payload of its own.
func (w Workload) Generator(client int) *Generator { return w.Source().Generator(client) }

// Fixtures is Source().Fixtures().
func (w Workload) Fixtures() []Fixture { return w.Source().Fixtures() }

// Stocks is Source().Stocks().
func (w Workload) Stocks() []Stock { return w.Source().Stocks() }

// Forms is how many prepared forms the commands have: Command.Form is below it.
func (s *Source) Forms() int {
	n := 0
	for _, r := range s.recipes() {
		n += r.forms
	}
	return n
}

// maxForms is how many forms one row may have, for lengths that change; with more
// its commands are Fluid.
const maxForms = 32

// recipe is a row of the mix as all generators of a Source read it.
type recipe struct {
	test  Test
	args  []argument // without the command's name
	line  *argument  // of an inline command, in place of args
	base  int        // number of the first of its forms
	forms int        // how many there are, at least 1
	fluid bool       // more than maxForms: no form is worth keeping
	unit  *unit      // nil where there is no cluster
}

// argument is one argument of a recipe.
type argument struct {
	pieces []piece
	boxed  any // where nothing in it ever changes; shared by all generators
	values int // how many values that are drawn anew stand in it
	expiry bool
}

// readMix makes the recipes.
func (s *Source) readMix() []recipe {
	recipes := make([]recipe, len(s.workload.Mix))
	base := 0
	units := s.units()
	for i, e := range s.workload.Mix {
		r := s.read(e.Test, units[i])
		r.base = base
		base += r.forms
		recipes[i] = r
	}
	return recipes
}

func (s *Source) read(t Test, u *unit) recipe {
	r := recipe{test: t, forms: 1, unit: u}
	if t.Inline {
		line := s.argument(s.workload.Keys.cut(strings.Join(t.Args, " ")+"\r\n", !t.Custom))
		line.pieces = s.fill(line.pieces) // a line is prepared once: one value has to do
		r.line = &line
		return r
	}
	lengths := 1 // of values that change their length
	for i := 1; i < len(t.Args); i++ {
		pieces := s.workload.cut(t, i)
		if u != nil && !u.bound {
			pieces = s.node.settle(pieces)
		}
		a := s.argument(pieces)
		r.args = append(r.args, a)
		if a.values > 0 && s.sizer.count > 1 {
			lengths = min(lengths*s.sizer.count, maxForms+1)
			// Only a value that is an argument by itself has a length that Form tells.
			r.fluid = r.fluid || lengths != s.sizer.count || len(a.pieces) > 1
		}
	}
	if t.expires() && s.workload.Expire != (Expire{}) {
		r.args = append(r.args, argument{boxed: []byte("EX")}, argument{expiry: true})
		lengths *= s.workload.Expire.widths()
	}
	if r.fluid = r.fluid || lengths > maxForms; !r.fluid {
		r.forms = lengths
	}
	return r
}

// expires tells whether Workload.Expire counts for t: for the catalogue's SET.
func (t Test) expires() bool { return !t.Custom && t.Args[0] == "SET" }

// argument reads one template that is cut already.
func (s *Source) argument(pieces []piece) argument {
	a := argument{pieces: pieces}
	if s.values.one() {
		a.pieces = s.fill(a.pieces)
	}
	numbers := false
	for _, p := range a.pieces {
		switch {
		case p.kind == data:
			a.values++
		case p.kind < places || p.kind == tagged:
			numbers = true
		}
	}
	switch {
	case len(a.pieces) == 1 && a.values == 1 && s.values.one():
		a.boxed, a.values = s.values.whole(), 0
	case a.values == 0 && !numbers:
		a.boxed = a.text()
	}
	return a
}

// fill puts the one value there is in place of its placeholder, except where the
// argument is nothing else.
func (s *Source) fill(pieces []piece) []piece {
	if len(pieces) == 1 {
		return pieces
	}
	filled := make([]piece, len(pieces))
	for i, p := range pieces {
		if p.kind == data {
			p = piece{literal, string(s.values.whole().([]byte))}
		}
		filled[i] = p
	}
	return filled
}

// text is an argument of literals only.
func (a argument) text() []byte {
	out := []byte{}
	for _, p := range a.pieces {
		out = append(out, p.text...)
	}
	return out
}

// bulk is how many bytes a bulk string of n bytes takes on the wire.
func bulk(n int) int { return len("$\r\n\r\n") + width(int64(n)) + n }
