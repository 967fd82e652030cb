package views

// The strip of a comparison: names of the knobs above a line of values for each
// side, in the same columns, so that the eye runs down and sees what differs.

// sideLead is the room for the focus and a side's name before its knobs.
const sideLead = 5

// longestKnob cuts values that would push all others off the line.
const longestKnob = 18

// knobColumn is a knob that is shown: its index and its cells.
type knobColumn struct{ knob, from, width int }

// drawSides writes the names and a line for each side; with two lines only the side
// in focus.
func (v *Compare) drawSides(c *canvas, lines int) {
	if lines <= 0 || len(v.Sides) == 0 {
		return
	}
	shown := v.knobColumns(c.width)
	v.knobNames(c, shown)
	for i := range v.Sides {
		if lines > len(v.Sides) || i == v.focus() {
			v.sideLine(c, i, shown)
		}
	}
}

// focus is the side in focus; the first where there is none.
func (v *Compare) focus() int {
	for i := range v.Sides {
		if v.Sides[i].Focused {
			return i
		}
	}
	return 0
}

// knobs is how many knobs there are.
func (v *Compare) knobs() int {
	n := 0
	for i := range v.Sides {
		n = max(n, len(v.Sides[i].Knobs))
	}
	return n
}

// knob is a setting of a side; a list that is too short has none.
func (v *Compare) knob(side, k int) Knob {
	if side < len(v.Sides) && k < len(v.Sides[side].Knobs) {
		return v.Sides[side].Knobs[k]
	}
	return Knob{}
}

// differs tells whether a side's knob stands elsewhere than that of the reference.
func (v *Compare) differs(side, k int) bool {
	return v.knob(side, k).Value != v.knob(v.Reference, k).Value
}

// knobWidth is the room of a knob: every value can be focused, so that moving the
// focus moves nothing else.
func (v *Compare) knobWidth(k int) int {
	w := 0
	for i := range v.Sides {
		knob := v.knob(i, k)
		w = max(w, cells(knob.Name)+1, min(longestKnob, cells(knob.Value))+bracket)
	}
	return bracket + min(w, longestKnob+bracket)
}

// knobColumns chooses the knobs that fit: the focused one, those in which the sides
// differ, then the page of the focus, as in Strip, and whatever else has room.
func (v *Compare) knobColumns(width int) []knobColumn {
	n := v.knobs()
	focused, wanted := 0, make([]int, 0, n)
	for k := range n {
		if v.knob(v.focus(), k).Focused {
			focused = k
		}
	}
	wanted = append(wanted, focused)
	for k := range n {
		for i := range v.Sides {
			if v.differs(i, k) {
				wanted = append(wanted, k)
				break
			}
		}
	}
	page := max(0, min(focused/pageKnobs*pageKnobs, n-pageKnobs))
	for k := range n {
		// Of a later page the far end stays: there the next page would go on.
		if page > 0 {
			k = pageKnobs - 1 - k + n
		}
		wanted = append(wanted, (page+k)%n)
	}
	chosen, room := make([]bool, n), width-sideLead-1
	for i, k := range wanted {
		if k >= n || chosen[k] {
			continue
		}
		// The focus is never left out, however long its value is. The rest stops at the
		// first that has no room: a later one in its place would look like its neighbour.
		w := v.knobWidth(k)
		if i > 0 && w > room {
			break
		}
		chosen[k], room = true, room-w
	}
	return v.place(chosen, width)
}

// place lays the chosen knobs out, up to three cells further apart where the line
// has room.
func (v *Compare) place(chosen []bool, width int) []knobColumn {
	var out []knobColumn
	total := sideLead + 1
	for k, ok := range chosen {
		if ok {
			out = append(out, knobColumn{k, 0, v.knobWidth(k)})
			total += out[len(out)-1].width
		}
	}
	at := sideLead
	for i := range out {
		out[i].width += max(0, min(3, (width-total)/len(out)))
		out[i].from = at
		at += out[i].width
	}
	return out
}

// knobNames writes the names, and at the ends that there are more knobs.
func (v *Compare) knobNames(c *canvas, shown []knobColumn) {
	if len(shown) == 0 {
		c.end()
		return
	}
	first, last, n := shown[0].knob, shown[len(shown)-1].knob, v.knobs()
	before := first > 0
	after := last < n-1 || last-first+1 > len(shown)
	if before {
		c.to(sideLead)
		c.text(Accent, c.glyphs.before)
	}
	for _, k := range shown {
		tone := Muted
		if v.knob(v.focus(), k.knob).Focused {
			tone = Accent
		}
		c.cell(k.from+bracket, min(c.width-1, k.from+k.width-1), tone, v.knob(v.focus(), k.knob).Name)
	}
	if after {
		c.to(c.width - 1)
		c.text(Accent, c.glyphs.after)
	}
	c.end()
}

// sideLine writes the values of a side. Without colour the brackets say it all:
// >[ 16 ]< has the focus, [16] differs from the reference.
func (v *Compare) sideLine(c *canvas, i int, shown []knobColumn) {
	v.lead(c, i)
	for _, at := range shown {
		k := v.knob(i, at.knob)
		value, w := clean(k.Value)
		value, w = clip(value, w, min(longestKnob, at.width-2*bracket+1), c.glyphs.tail)
		switch end := at.from + at.width; {
		case v.Sides[i].Focused && k.Focused:
			c.cell(at.from, end, Accent, opening+value+closing)
		case v.differs(i, at.knob):
			c.cell(at.from+bracket-1, end, Strong, "["+value+"]")
		default:
			c.cell(at.from+bracket, min(end, at.from+bracket+w), Plain, value)
		}
	}
	s := &v.Sides[i]
	for _, text := range [...]string{s.Mark, s.Place} {
		if text != "" && c.col+2+cells(text) < c.width {
			c.space(2)
			c.text(Muted, text)
		}
	}
	c.end()
}
