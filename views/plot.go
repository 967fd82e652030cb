package views

import (
	"time"
)

// plot is a chart's frame: where its cells lie on the line and what stands left
// of them. Both charts of a screen use the same one, so that their times align.
type plot struct {
	gutter  int // cells of the labels, with the space before the axis
	columns int // cells of the chart itself
	bare    bool
}

// axisWidth is the least width at which a chart affords labels and an axis.
const axisWidth = 24

// newPlot divides a line into labels and chart. One cell on the right stays free.
func newPlot(width int, bare bool) plot {
	switch {
	case bare || width < axisWidth:
		return plot{columns: max(0, width-1), bare: true}
	case width >= roomyWidth:
		return plot{gutter: 7, columns: width - 9}
	}
	return plot{gutter: 6, columns: width - 8}
}

// origin is the column of the chart's first cell.
func (p plot) origin() int {
	if p.bare {
		return 0
	}
	return p.gutter + 1
}

// label writes what stands left of a row, and the axis.
func (p plot) label(c *canvas, text string) {
	if p.bare {
		return
	}
	c.right(p.gutter-c.gap()+2, Muted, text)
	c.to(p.gutter)
	c.glyph(Muted, c.glyphs.up)
}

// foot writes the axis line under the chart, with the value it stands at.
func (p plot) foot(c *canvas, text string) {
	c.right(p.gutter-c.gap()+2, Muted, text)
	c.to(p.gutter)
	c.glyph(Muted, c.glyphs.corner)
	c.fill(Muted, c.glyphs.across, p.columns)
	c.end()
}

// bars are the heights of a bar chart in steps of the glyph set; more than total
// means that the axis cuts the bar off.
type bars struct {
	steps []int
	total int
	pairs bool // two bars to a cell (braille)
}

// newBars measures values against an axis.
func newBars(values []float64, a axis, g glyphSet) bars {
	b := bars{steps: make([]int, len(values)), total: a.rows * g.levels, pairs: g.braille}
	for i, v := range values {
		b.steps[i] = a.steps(v, g.levels)
	}
	return b
}

// density is the number of bars to a cell.
func (g glyphSet) density() int {
	if g.braille {
		return 2
	}
	return 1
}

// row draws one row of bars, counted from the top, in a single tone.
func (b bars) row(c *canvas, row int, tone Tone) {
	g := &c.glyphs
	foot := b.total - (row+1)*g.levels
	for i := 0; i < len(b.steps); i += g.density() {
		s := b.steps[i]
		if !b.pairs {
			// A caret on top says that the bar goes on beyond the axis.
			if row == 0 && s > b.total {
				c.glyph(tone, '^')
				continue
			}
			c.glyph(tone, g.bar[max(0, min(g.levels, s-foot))])
			continue
		}
		next := b.steps[i+1]
		if row == 0 && max(s, next) > b.total {
			c.glyph(tone, '^')
			continue
		}
		c.glyph(tone, brailleCell(max(0, min(4, s-foot)), max(0, min(4, next-foot))))
	}
}

// spark is a bar chart of one row as text, for rules and for views of one line.
func spark(v binned, g glyphSet) string {
	b := newBars(v.cells(), linear(v.values, 1, ScaleAuto), g)
	out := make([]rune, 0, len(b.steps))
	for i := 0; i < len(b.steps); i += g.density() {
		if b.pairs {
			out = append(out, brailleCell(min(4, b.steps[i]), min(4, b.steps[i+1])))
			continue
		}
		out = append(out, g.bar[min(g.levels, b.steps[i])])
	}
	return string(out)
}

// times writes the line under the axis: the moments that were marked, then "now"
// and the ages where there is still room.
//
// Every mark keeps its caret. The texts are placed from the newest mark back, and
// one that would touch something already there is left out.
func (p plot) times(c *canvas, marks []Mark, g grid) {
	g.columns = p.columns
	l := newLabels(p.columns)
	for i := range marks {
		if at := g.column(marks[i].Age); at >= 0 {
			l.caret(at)
		}
	}
	for i := range marks {
		// Newest first, whatever the order they came in: the list is oldest first.
		m := &marks[len(marks)-1-i]
		if at := g.column(m.Age); at >= 0 {
			l.name(at, m.Text)
		}
	}
	gap := ""
	if c.width >= roomyWidth {
		gap = " "
	}
	// The ages come last: a mark is news, the length of the axis is in the title too.
	l.place(p.columns-3, Muted, "now")
	l.place(0, Muted, "-"+seconds(g.span, gap))
	if p.columns >= 40 {
		l.place(g.column(g.span/4), Muted, "-"+seconds(g.span/4, gap))
	}
	c.to(p.origin())
	l.draw(c)
	c.end()
}

// labels is a line on which texts must not touch.
type labels struct {
	taken []bool
	at    []label // by column: at most one begins there
}

// label is a text that begins at some column; empty text means none.
type label struct {
	tone Tone
	text string
}

// newLabels is an empty line of so many cells.
func newLabels(columns int) *labels {
	return &labels{taken: make([]bool, columns), at: make([]label, columns)}
}

// caret claims the cell of a mark.
func (l *labels) caret(at int) {
	l.taken[at], l.at[at] = true, label{Accent, "^"}
}

// name puts a mark's text right of its caret, or left of it where the line ends.
func (l *labels) name(at int, text string) {
	if w := cells(text); at+2+w > len(l.taken) {
		l.place(at-1-w, Accent, text)
		return
	}
	l.place(at+2, Accent, text)
}

// place claims the cells of a text, a free one on either side, or does nothing.
func (l *labels) place(at int, tone Tone, text string) bool {
	text, w := clean(text)
	if at < 0 || w == 0 || at+w > len(l.taken) {
		return false
	}
	// The cell before a mark's text is the space after its own caret.
	for i := max(0, at-1); i < min(len(l.taken), at+w+1); i++ {
		if l.taken[i] {
			return false
		}
	}
	for i := at; i < at+w; i++ {
		l.taken[i] = true
	}
	l.at[at] = label{tone, text}
	return true
}

// draw writes the texts at their columns.
func (l *labels) draw(c *canvas) {
	first := c.col
	for i, t := range l.at {
		if t.text != "" {
			c.to(first + i)
			c.text(t.tone, t.text)
		}
	}
}

// shorter is the span of a spark line beside a chart of this span.
func shorter(span, most time.Duration) time.Duration {
	if span <= 0 || span > most {
		return most
	}
	return span
}
