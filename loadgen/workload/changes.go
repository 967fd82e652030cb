package workload

import "strconv"

// changes is the arguments of a row that change more than their digits: values
// of several sizes or with random bytes, and times to live.
type changes struct {
	source *Source
	values []change
	fixed  int // bytes of the request without them
	form   int // first form of the row
}

// change is one such argument.
type change struct {
	inside *[]byte // what the argument holds
	own    []byte  // bytes of its own, for what cannot be shared
	pieces []piece // nil for a time to live
	tied   bool    // has a tag, whose slot its numbers are to be in
}

func newChanges(s *Source) *changes { return &changes{source: s} }

// mostReserved bounds what is set aside for an argument before it is needed.
const mostReserved = 1 << 20

// add takes an argument in and returns it boxed.
func (c *changes) add(a argument, r *row) any {
	room := 0
	for _, p := range a.pieces {
		switch {
		case p.kind == literal:
			room += len(p.text)
		case p.kind < places:
			room += digits
			if p.kind != anew && p.kind != score {
				r.use(p.kind)
			}
		case p.kind == tagged:
			room += tagLength
		case len(a.pieces) > 1 || c.source.values.random:
			room += min(c.source.values.sizes.Max(), mostReserved)
		}
	}
	if len(a.pieces) == 1 {
		room = min(room, copied) // longer ones are shared
	}
	if a.expiry {
		room = len("10000000000")
	}
	v := change{own: make([]byte, 0, min(room, mostReserved)), pieces: a.pieces, tied: hasTag(a.pieces)}
	boxed, inside := box(v.own)
	v.inside = inside
	c.values = append(c.values, v)
	return boxed
}

// next fills the arguments for the next command, and says how long it is and
// which form it has.
func (c *changes) next(g *Generator, command *Command) {
	request, form := c.fixed, 0
	for i := range c.values {
		v := &c.values[i]
		switch {
		case v.pieces == nil:
			e := c.source.workload.Expire
			seconds := e.draw(&g.random)
			v.own = strconv.AppendInt(v.own[:0], seconds, 10)
			*v.inside = v.own
			form = form*e.widths() + len(v.own) - width(e.Low)
		case len(v.pieces) == 1:
			form = v.value(g)
		default:
			v.mixture(g)
		}
		request += bulk(len(*v.inside))
	}
	command.Request = request
	if !command.Fluid {
		command.Form = c.form + form
	}
}

// value is for an argument that is a value and nothing else. It returns the number
// of its length.
func (v *change) value(g *Generator) int {
	n, form := g.source.sizer.draw(&g.random)
	if m := g.source.values; m.copies(n) {
		v.own = m.append(v.own[:0], n, &g.random)
		*v.inside = v.own
	} else {
		*v.inside = m.shared(n, &g.random)
	}
	return form
}

// mixture is for an argument that has values among other things.
func (v *change) mixture(g *Generator) {
	out := v.own[:0]
	for _, p := range v.pieces {
		switch p.kind {
		case literal:
			out = append(out, p.text...)
		case data:
			n, _ := g.source.sizer.draw(&g.random)
			out = g.source.values.append(out, n, &g.random)
		case tagged:
			out = append(out, g.bound.tag[:]...)
		case anew, score:
			if v.tied {
				out = append(out, zeros...)
				put((*[digits]byte)(out[len(out)-digits:]), g.bound.next(g.source.node))
				break
			}
			g.source.spreads[p.kind].write(&g.random, g.slots[p.kind:p.kind+1])
			out = append(out, g.kept[p.kind][:]...)
		default:
			out = append(out, g.kept[p.kind][:]...)
		}
	}
	v.own = out
	*v.inside = out
}
