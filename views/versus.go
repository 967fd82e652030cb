package views

// The results of two sides: a table of three columns, or from wideCompare on each
// side's numbers in a column of its own below its chart.

// wideCompare is the width from which two sides stand side by side (drawing 4).
const wideCompare = 120

// Room for the ratio, its word and its interval.
const (
	ratioWidth  = 33
	ratioNumber = 9 // "x 0.998" and two spaces
	ratioWord   = 8
)

// Edges of the narrow table: where the numbers of the sides end, and where the ratio
// begins.
const (
	versusFirst  = 25
	versusSecond = 41
	versusRatio  = 46
)

// other is the side of two that is not the reference.
func (v *Compare) other() int {
	if v.Reference == 0 {
		return 1
	}
	return 0
}

// over names a ratio: "B / A".
func (v *Compare) over(side int) string {
	return at(v.Sides, side).Name + " / " + at(v.Sides, v.Reference).Name
}

// versusHead writes the headings of the narrow table.
func (v *Compare) versusHead(c *canvas) {
	c.space(2)
	c.text(Muted, "times in ms")
	for i, edge := range [...]int{versusFirst, versusSecond} {
		name, w := clean(v.Sides[i].Name)
		name, _ = clip(name, w, 12, c.glyphs.tail)
		c.right(edge, Muted, name)
	}
	c.to(versusRatio)
	c.text(Muted, v.over(v.other()))
	c.end()
}

// versusRow writes a row of the narrow table.
func (v *Compare) versusRow(c *canvas, r *CompareRow) {
	c.cell(2, 13, Plain, r.Label)
	c.right(versusFirst, Plain, r.value(0, false))
	c.right(versusSecond, Plain, r.value(1, false))
	v.ratioCells(c, r, versusRatio)
	c.end()
}

// ratioCells writes ratio, word and interval from a column on.
func (v *Compare) ratioCells(c *canvas, r *CompareRow, from int) {
	if r.NoRatio {
		return
	}
	x, ok := v.compared(r, v.other())
	c.to(from)
	if !ok {
		c.text(Muted, unknown)
		return
	}
	tone, word := r.word(x)
	if word == "=" {
		c.text(tone, word)
		return
	}
	c.text(tone, x.text())
	c.to(from + ratioNumber)
	c.text(tone, word)
	c.to(from + ratioNumber + ratioWord)
	c.text(Plain, x.interval(c.width-c.col))
}

// wideColumns are those of the two sides and of the ratio, with a line between them.
func wideColumns(width int) (sides []span, ratio span) {
	half := (width - ratioWidth - 1) / 2
	return []span{{0, half}, {half + 1, 2*half + 1}}, span{2*half + 2, width}
}

// wideLine writes a line of three columns, each drawn within its own limits.
func (v *Compare) wideLine(c *canvas, side func(i int, at span), ratio func(at span)) {
	sides, last := wideColumns(c.width)
	for i, at := range sides {
		c.limit = at.to - 1
		side(i, at)
		c.limit = c.width
		c.to(at.to)
		c.glyph(Muted, c.glyphs.up)
	}
	ratio(last)
	c.end()
}

// wideRule opens a section of three columns: a title for each, dashes between.
func (v *Compare) wideRule(c *canvas, title func(i int) []piece, last ...piece) {
	sides, ratio := wideColumns(c.width)
	for i, at := range sides {
		c.rulePart(at, title(i))
		c.glyph(Muted, c.glyphs.up)
	}
	c.rulePart(ratio, last)
	c.end()
}

// rulePart is a rule within a column; what does not fit goes from the end, whole.
func (c *canvas) rulePart(at span, title []piece) {
	for len(title) > 1 && breadth(2, title)+6 > at.to-at.from {
		title = title[:len(title)-1]
	}
	c.to(at.from)
	c.fill(Muted, c.glyphs.across, 2)
	if len(title) > 0 {
		c.limit = max(c.col, at.to-2)
		c.space(1)
		c.pieces(2, title)
		c.space(1)
		c.limit = c.width
	}
	c.fill(Muted, c.glyphs.across, at.to-c.col)
}

// Edges of the numbers within a column of the wide table.
const (
	wideTotal = 25
	wideLast  = 41
)

// wideTable writes the chosen rows below the charts.
func (v *Compare) wideTable(c *canvas, rows []int) {
	over := []piece{{Plain, v.over(v.other())}}
	if v.Since != "" {
		over = append(over, piece{Muted, "since " + v.Since})
	}
	v.wideRule(c, func(i int) []piece {
		ps := v.title("results", "")
		if s := &v.Sides[i]; s.Load != "" {
			ps = append(ps, piece{Plain, s.Load})
		}
		if s := &v.Sides[i]; s.Mark != "" {
			ps = append(ps, piece{Caution, s.Mark})
		}
		return ps
	}, over...)
	v.wideLine(c, func(_ int, at span) {
		c.to(at.from + 2)
		c.text(Muted, "times in ms")
		c.right(at.from+wideTotal, Muted, "all rounds")
		c.right(at.from+wideLast, Muted, "last round")
	}, func(at span) {
		c.to(at.from + 1)
		c.text(Muted, "ratio")
		c.to(at.from + 1 + ratioNumber + ratioWord)
		c.text(Muted, "95 % interval")
	})
	for _, i := range rows {
		r := &v.Rows[i]
		v.wideLine(c, func(i int, at span) {
			c.cell(at.from+2, at.from+13, Plain, r.Label)
			c.limit = at.to - 1
			c.right(at.from+wideTotal, Plain, r.value(i, false))
			c.right(at.from+wideLast, Muted, r.value(i, true))
		}, func(at span) { v.ratioCells(c, r, at.from+1) })
	}
}
