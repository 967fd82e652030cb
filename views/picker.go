package views

import "strconv"

// Picker is the overlay in which tests are chosen: the list that a filter narrows, the
// line for a command of one's own, and what would be sent.
type Picker struct {
	Title   string
	Filter  string
	Rows    []PickerRow // those that the filter leaves
	Of      int         // how many there are without it
	OnLine  bool        // the keyboard is on Line, not on the list
	Line    Edit        // a command of one's own
	Chosen  string      // what enter sends: "set=1,get=3"
	Warning []string    // what to know before it is sent; empty = nothing
	Keys    []Key
}

// PickerRow is one test of the list.
type PickerRow struct {
	Name    string // "LRANGE_100"
	About   string // what goes over the wire
	Weight  int    // its weight in the mix, 0 = not in it
	Focused bool
}

// Render draws filter and list above, the line, what is chosen and the keys at the
// bottom, where they stay however short the list gets. When height is short what
// explains goes first; the row, or the line, that the keyboard is on remains.
func (p Picker) Render(f Frame) string {
	c := newCanvas(f)
	warnings := p.warnings(c.width)
	// From the last to go to the first; the list takes what is left, one row at least.
	b := budget(c.height - 1)
	keys, chosen := len(p.Keys) > 0 && b.take(1), p.Chosen != "" && b.take(1)
	warn := b.take(len(warnings))
	line := b.take(1)
	filter := b.take(1)
	title := b.take(1)
	ruled := b > 0 && b.take(1)
	if title {
		c.rule(pieces(p.Title), []piece{{Plain, strconv.Itoa(len(p.Rows)) + " of " + strconv.Itoa(p.Of)}})
	}
	if filter {
		p.filter(c)
	}
	if line || !p.OnLine {
		p.list(c, int(b)+1)
	}
	if ruled {
		c.rule([]piece{{Plain, "a command of your own"}}, nil)
	}
	if line || p.OnLine {
		p.line(c)
	}
	if warn {
		for _, w := range warnings {
			c.space(1)
			c.text(Caution, w)
			c.end()
		}
	}
	if chosen {
		c.space(1)
		c.text(Muted, "enter sends:")
		c.space(1)
		c.text(Strong, p.Chosen)
		c.end()
	}
	if keys {
		KeyLine(p.Keys).draw(c)
	}
	return c.String()
}

// warningLines is how many lines warnings may take; one cannot act on more.
const warningLines = 4

// warnings are in whole sentences, each with its sign.
func (p Picker) warnings(width int) (lines []string) {
	for _, w := range p.Warning {
		lines = append(lines, wrap("! "+w, width-2)...)
	}
	return lines[:min(len(lines), warningLines)]
}

// filter shows what was typed to narrow the list.
func (p Picker) filter(c *canvas) {
	c.space(1)
	c.text(Muted, "filter:")
	c.space(1)
	c.text(Plain, p.Filter)
	switch {
	case !p.OnLine:
		c.text(Accent, "_")
		if p.Filter == "" {
			c.space(3)
			c.text(Muted, "type a part of the name")
		}
	case p.Filter == "":
		c.text(Muted, "none")
	}
	c.end()
}

// The columns of the list: the mark of the focus, the weight, name and description.
const (
	weightEdge = 8
	nameColumn = 10
	wireColumn = 24
)

// list fills its lines with the rows around the focused one.
func (p Picker) list(c *canvas, lines int) {
	focused := 0
	for i, r := range p.Rows {
		if r.Focused {
			focused = i
		}
	}
	from := min(max(focused-lines/2, 0), max(len(p.Rows)-lines, 0))
	for i := from; i < from+lines; i++ {
		if i < len(p.Rows) {
			p.row(c, p.Rows[i])
		}
		if len(p.Rows) == 0 && i == from {
			c.space(2)
			c.text(Caution, "no test has that in its name")
		}
		c.end()
	}
}

// row writes one test; the focus reads without colour, and so does the choice.
func (p Picker) row(c *canvas, r PickerRow) {
	tone := Plain
	if r.Focused && !p.OnLine {
		tone = Accent
		c.text(tone, ">")
	}
	name := nameColumn
	if c.width < wireColumn { // names instead of columns
		name = 2
	} else if r.Weight > 0 {
		c.right(weightEdge, Strong, "x"+strconv.Itoa(r.Weight))
	}
	c.cell(name, max(wireColumn-1, name), tone, r.Name)
	c.to(wireColumn)
	c.text(Muted, r.About)
}

// line is the text field, or what stands in it while the keyboard is elsewhere.
func (p Picker) line(c *canvas) {
	if p.OnLine {
		p.Line.draw(c)
		return
	}
	c.space(1)
	c.text(Muted, p.Line.Label+":")
	c.space(1)
	if p.Line.Text == "" {
		c.text(Muted, p.Line.Hint)
	} else {
		c.text(Plain, p.Line.Text)
	}
	c.end()
}
