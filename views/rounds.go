package views

import "math"

// timeline is the horizontal axis of a comparison: one bar for each pair, oldest
// first, and a gap where a change began the pairs anew. All sides share it.
type timeline struct {
	at     map[int]int // bar of a pair
	bars   int         // gaps included
	pairs  int
	marks  []placed
	before bool // there are older pairs than the line has room for
}

// placed is a mark and the bar that it stands at.
type placed struct {
	bar  int
	text string
}

// timeline lays out the last pairs that fit into so many bars. A gap is a whole cell,
// so that it shows in every glyph set.
func (v *Compare) timeline(bars, density int) timeline {
	last := -1
	for i := range v.Sides {
		for _, r := range v.Sides[i].Rounds {
			last = max(last, r.Slot)
		}
	}
	texts := make(map[int]string, len(v.Marks))
	for _, m := range v.Marks {
		texts[m.Slot] = m.Text
	}
	// From the newest back, for that is the end that has to be seen.
	first, used := last+1, 0
	for first > 0 && used < bars {
		_, gap := texts[first-1]
		if gap && first > 1 && used+1+density > bars {
			break
		}
		first, used = first-1, used+1
		if gap && first > 0 {
			used += density
		}
	}
	l := timeline{at: make(map[int]int, used), pairs: last + 1 - first, before: first > 0}
	for s := first; s <= last; s++ {
		if text, gap := texts[s]; gap {
			if s > 0 {
				l.bars += density
			}
			l.marks = append(l.marks, placed{max(0, l.bars-density), text})
		}
		l.at[s] = l.bars
		l.bars++
	}
	return l
}

// values are the bars of a side; NaN where it has no round, and in gaps.
func (l timeline) values(s *Side, of func(RoundPoint) (float64, bool), density int) []float64 {
	out := empty((l.bars + density - 1) / density * density)
	for _, r := range s.Rounds {
		if i, ok := l.at[r.Slot]; ok {
			if x, ok := of(r); ok && x >= 0 {
				out[i] = x
			}
		}
	}
	return out
}

// roundOps and roundTail are what a chart of rounds can show.
func roundOps(r RoundPoint) (float64, bool)  { return r.Ops.Value, r.Ops.OK }
func roundTail(r RoundPoint) (float64, bool) { return r.P99.Value.Seconds() * 1e3, r.P99.OK }

// roundChart holds the bars of all sides, measured against one axis from zero.
type roundChart struct {
	timeline
	axis  axis
	sides []bars
}

// chart measures the rounds for charts of so many columns and rows.
func (v *Compare) chart(c *canvas, of func(RoundPoint) (float64, bool), columns, rows int) roundChart {
	density := c.glyphs.density()
	t := roundChart{timeline: v.timeline(max(0, columns)*density, density)}
	all, each := []float64(nil), make([][]float64, len(v.Sides))
	for i := range v.Sides {
		each[i] = t.values(&v.Sides[i], of, density)
		all = append(all, each[i]...)
	}
	t.axis = linear(all, rows, ScaleZero)
	if rows == 1 {
		t.axis = snug(all)
	}
	for _, values := range each {
		t.sides = append(t.sides, newBars(values, t.axis, c.glyphs))
	}
	return t
}

// snug is the axis of a strip: it has no labels that would have to be round, and its
// few steps are worth more when the highest value stands near its top.
func snug(values []float64) axis {
	_, high := extent(values)
	digit := math.Pow(10, math.Floor(math.Log10(high))-1)
	if top := math.Ceil(high/digit-1e-9) * digit; high > 0 && isData(top) && top > 0 {
		return axis{rows: 1, high: top, every: 1}
	}
	return axis{rows: 1}
}

// scale says what the height of all bars means.
func (t roundChart) scale(unit string) string {
	if t.axis.high <= 0 {
		return "same scale"
	}
	return "same scale 0 .. " + Short(t.axis.high) + " " + unit
}

// last says how much of the past is shown.
func (t roundChart) last() string {
	if t.pairs <= 0 {
		return "no round yet"
	}
	what := "all "
	if t.before {
		what = "last "
	}
	return what + plural(t.pairs, "round")
}

// Widths of a chart's parts beside its bars.
const (
	stripLead   = 6  // "  > B  " before a strip
	chartGutter = 7  // labels and axis of a chart in a column
	besideLeast = 40 // least width of a column with a chart
)

// strips draws one line for each side, or a few for a taller one, then with an empty
// line between the sides so that one does not stand on the other's shoulders.
func (v *Compare) strips(c *canvas, t roundChart, labels int) {
	for i := range v.Sides {
		for r := range t.axis.rows {
			if r == 0 {
				v.lead(c, i)
				if labels > 0 {
					c.cell(stripLead, stripLead+labels, Muted, withPort(v.tag(i), labels, c.glyphs.tail))
				}
			}
			c.to(stripLead)
			if labels > 0 {
				c.to(stripLead + labels + 1)
			}
			t.sides[i].row(c, r, v.tone(i))
			c.end()
		}
		if t.axis.rows > 1 && i < len(v.Sides)-1 {
			c.end()
		}
	}
}

// lead names a side at the beginning of a line; the focus is a sign, not a colour.
func (v *Compare) lead(c *canvas, i int) {
	c.space(1)
	tone := Plain
	if v.Sides[i].Focused {
		tone = Accent
		c.text(tone, ">")
	}
	c.to(3)
	c.cell(3, 5, tone, v.Sides[i].Name)
}

// tone sets the bars of the focused side off.
func (v *Compare) tone(i int) Tone {
	if v.Sides[i].Focused {
		return Accent
	}
	return Plain
}

// columnsOf are the edges of the columns that charts stand in.
func (v *Compare) columnsOf(width int) []span {
	n := len(v.Sides)
	out := make([]span, n)
	for i := range out {
		out[i] = span{i * (width + 1) / n, (i+1)*(width+1)/n - 1}
	}
	return out
}

// span is a stretch of a line, from its first cell to the one after its last.
type span struct{ from, to int }

// chartRow draws a row of a side's chart within its column.
func (t roundChart) chartRow(c *canvas, at span, side, row int, tone Tone) {
	c.limit = min(c.width, at.to)
	c.right(at.from+chartGutter-1, Muted, t.axis.label(row))
	c.to(at.from + chartGutter - 1)
	c.glyph(Muted, c.glyphs.up)
	t.sides[side].row(c, row, tone)
	c.limit = c.width
}

// chartFoot draws the line that the bars stand on, with a title in it.
func (t roundChart) chartFoot(c *canvas, at span, title ...piece) {
	c.limit = min(c.width, at.to)
	c.right(at.from+chartGutter-1, Muted, t.axis.foot())
	c.to(at.from + chartGutter - 1)
	c.glyph(Muted, c.glyphs.corner)
	if len(title) > 0 {
		c.fill(Muted, c.glyphs.across, 2)
		c.limit = min(c.width, at.to-4)
		c.space(1)
		c.pieces(2, title)
		c.space(1)
		c.limit = min(c.width, at.to)
	}
	c.fill(Muted, c.glyphs.across, at.to-1-c.col)
	c.limit = c.width
}

// chartMarks draws the line below a chart: which rounds, and what was changed.
func (t roundChart) chartMarks(c *canvas, at span) {
	columns := at.to - at.from - chartGutter - 1
	if columns <= 0 {
		return
	}
	l, density := newLabels(columns), c.glyphs.density()
	for _, m := range t.marks {
		l.caret(min(columns-1, m.bar/density))
	}
	for i := range t.marks {
		m := t.marks[len(t.marks)-1-i]
		l.name(min(columns-1, m.bar/density), m.text)
	}
	l.place(0, Muted, t.last())
	c.limit = min(c.width, at.to)
	c.to(at.from + chartGutter)
	l.draw(c)
	c.limit = c.width
}
