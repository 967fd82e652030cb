package views

// Strip is the row of knobs: names above values, the focused value in brackets so
// that the focus reads without colour. Knobs that have no room are said by a mark at
// the end of the line where they wait.
type Strip []Knob

// A narrow line shows a page of knobs, the first of them mostly; a wide one all.
const (
	pageKnobs = 6
	allKnobs  = 120 // columns from which there are no pages
)

// The brackets of the focused value, and the space that others leave for them.
const (
	opening = ">[ "
	closing = " ]<"
	bracket = len(opening)
)

// Render draws names, values and, on a third line, ranges. With two lines the
// ranges go, on one line each value follows its name.
func (s Strip) Render(f Frame) string {
	c := newCanvas(f)
	lines := 2
	if s.hasRanges() {
		lines = 3
	}
	s.draw(c, min(lines, c.height))
	return c.String()
}

// hasRanges tells whether a third line would say anything.
func (s Strip) hasRanges() bool {
	for _, k := range s {
		if k.Range != "" {
			return true
		}
	}
	return false
}

// draw writes one to three lines.
func (s Strip) draw(c *canvas, lines int) {
	if lines == 1 {
		s.line(c)
	}
	if lines <= 1 {
		return
	}
	v := s.visible(c.width, lines > 2)
	v.names(c)
	v.values(c)
	if lines > 2 {
		v.ranges(c)
	}
}

// part is what a line shows of a strip.
type part struct {
	slots         []slot
	before, after bool // there are more knobs on that side
}

// visible is the page of the focused knob, laid out. Pages stand still while the focus
// moves within them, and the last one is full: a knob may be on two.
func (s Strip) visible(width int, ranges bool) part {
	from, to := 0, len(s)
	if width < allKnobs && len(s) > pageKnobs && s.width() > width {
		for i, k := range s {
			if k.Focused {
				from = min(i/pageKnobs*pageKnobs, len(s)-pageKnobs)
			}
		}
		to = from + pageKnobs
	}
	slots, skipped := s[from:to].slots(width, ranges)
	total := 0
	for _, k := range slots {
		total += k.width
	}
	return part{slots, from+skipped > 0, to < len(s) || total > width}
}

// width is what the line takes when every knob has room to be focused.
func (s Strip) width() int {
	total := 0
	for _, k := range s {
		total += bracket + roomy(k)
	}
	return total
}

// slot is a knob with the cells it may use, brackets and gap included.
type slot struct {
	Knob
	width int
}

// slots divides the line among the knobs. First every knob has room to be focused,
// so that moving the focus moves nothing else; then only the focused one; then
// long values are cut; at last the knobs around the focus are all there are. It tells
// how many it had to skip for that.
func (s Strip) slots(width int, ranges bool) (fit []slot, skipped int) {
	widths := [...]func(k Knob) int{
		func(k Knob) int {
			if ranges {
				return max(roomy(k), cells(k.Range)+1)
			}
			return roomy(k)
		},
		roomy,
		tight(1 << 20), tight(12), tight(8),
	}
	for i, w := range widths {
		out, total := make([]slot, len(s)), 0
		for j, k := range s {
			out[j] = slot{k, bracket + w(k)}
			total += out[j].width
		}
		last := i == len(widths)-1
		if total > width && !last {
			continue
		}
		if total > width {
			fit = around(out, width)
			return fit, len(s) - len(fit)
		}
		if len(s) > 0 {
			for j, extra := 0, min(3, (width-total)/len(s)); j < len(out); j++ {
				out[j].width += extra
			}
		}
		return out, 0
	}
	return nil, 0
}

// roomy is the width of a knob that can be focused without moving another.
func roomy(k Knob) int { return max(cells(k.Name)+1, cells(k.Value)+bracket) }

// tight is the least width of a knob whose value is cut to so many cells.
func tight(most int) func(Knob) int {
	return func(k Knob) int {
		v := min(most, cells(k.Value)) + 1
		if k.Focused {
			v += bracket - 1
		}
		return max(v, min(most, cells(k.Name))+1)
	}
}

// around keeps the knobs that fit, beginning so that the focused one is among them.
func around(slots []slot, width int) []slot {
	focused := 0
	for i := range slots {
		if slots[i].Focused {
			focused = i
		}
	}
	first, total := focused, slots[focused].width
	for first > 0 && total+slots[first-1].width <= width {
		first--
		total += slots[first].width
	}
	return slots[first:]
}

// names writes the first line; the focused name shares the colour of its value. The
// marks stand where no name can: a name leaves room for the bracket of its value, and
// a cell to its neighbour.
func (p part) names(c *canvas) {
	if p.before {
		c.text(Accent, c.glyphs.before)
	}
	slots, end := p.slots, c.width
	if p.after {
		end--
	}
	for at, i := 0, 0; i < len(slots) && at+bracket < end; at, i = at+slots[i].width, i+1 {
		tone := Muted
		if slots[i].Focused {
			tone = Accent
		}
		c.cell(at+bracket, min(at+slots[i].width-1, end), tone, slots[i].Name)
	}
	if p.after {
		c.to(end)
		c.text(Accent, c.glyphs.after)
	}
	c.end()
}

// values writes the second line. Every value begins at the column of its name, with
// or without brackets around it, so that the eye runs straight down.
func (p part) values(c *canvas) {
	slots := p.slots
	for at, i := 0, 0; i < len(slots); at, i = at+slots[i].width, i+1 {
		k, end := slots[i], at+slots[i].width
		if !k.Focused {
			c.cell(at+bracket, end-1, Plain, k.Value)
			continue
		}
		value, w := clip(k.Value, cells(k.Value), k.width-2*bracket, c.glyphs.tail)
		c.cell(at, at+w+2*bracket, Accent, opening+value+closing)
	}
	c.end()
}

// ranges writes what each knob may be set to; where they do not all fit, only that
// of the focused knob, in whole.
func (p part) ranges(c *canvas) {
	slots := p.slots
	fit := true
	for _, k := range slots {
		fit = fit && cells(k.Range) < k.width-bracket
	}
	for at, i := 0, 0; i < len(slots); at, i = at+slots[i].width, i+1 {
		start := at + bracket
		switch {
		case fit:
			c.cell(start, at+slots[i].width-1, Muted, slots[i].Range)
		case slots[i].Focused:
			c.cell(max(0, min(start, c.width-cells(slots[i].Range))), c.width, Muted, slots[i].Range)
		}
	}
	c.end()
}

// line writes name and value side by side, from the focused knob on if need be.
func (s Strip) line(c *canvas) {
	first, total := 0, 0
	for i, k := range s {
		total += cells(k.Name) + cells(k.Value) + 3
		if k.Focused {
			total += 2 * bracket
			if total > c.width {
				first = i
			}
		}
	}
	for i, k := range s[first:] {
		c.space(1)
		if i > 0 {
			c.space(1)
		}
		if k.Focused {
			c.text(Accent, k.Name+" "+opening+k.Value+closing)
			continue
		}
		c.text(Muted, k.Name)
		c.space(1)
		c.text(Plain, k.Value)
	}
	c.end()
}

// cell writes a text between two columns of the line.
func (c *canvas) cell(from, to int, tone Tone, s string) {
	c.to(from)
	c.limit = min(c.width, to)
	c.text(tone, s)
	c.limit = c.width
}
