package views

import (
	"time"
)

// Render draws p50, p99 and p99.9 over time on a log scale: each column is filled
// up to its p50 with one glyph, from there to its p99 with a second and to its
// p99.9 with a third. As height shrinks the axis goes, then all but one line.
func (l LatencyChart) Render(f Frame) string {
	c := newCanvas(f)
	l.draw(c, c.height)
	return c.String()
}

// draw fills height lines.
func (l LatencyChart) draw(c *canvas, height int) {
	switch {
	case height <= 0:
		return
	case height == 1:
		l.line(c)
		return
	}
	l.rule(c)
	rows, foot := height-1, false
	if rows >= 4 && c.width >= axisWidth {
		rows, foot = rows-1, true
	}
	p := newPlot(c.width, !foot)
	b := latencies(l.Samples, grid{span: l.Span, at: l.At, columns: p.columns})
	a := decades(b, rows)
	// Whole rows: a cell shows one layer, so finer steps would have nothing to show.
	heights := [3][]int{l.heights(b.p50, a), l.heights(b.p99, a), l.heights(b.p999, a)}
	for r := range rows {
		p.label(c, a.label(r))
		l.row(c, heights, rows-r)
		c.end()
	}
	if foot {
		p.foot(c, a.foot())
	}
}

// heights measures a series in rows.
func (l LatencyChart) heights(values []float64, a axis) []int {
	out := make([]int, len(values))
	for i, v := range values {
		out[i] = a.steps(v, 1)
	}
	return out
}

// row draws the cells at a height, counted from 1 at the foot.
func (l LatencyChart) row(c *canvas, heights [3][]int, at int) {
	for i := range heights[0] {
		r := ' '
		for layer := range heights {
			if heights[layer][i] >= at {
				r = c.glyphs.layers[layer]
				break
			}
		}
		c.glyph(Accent, r)
	}
}

// rule writes the title and the legend, and what a label of the table means where
// nothing has to go for it.
func (l LatencyChart) rule(c *canvas) {
	left := []piece{{Plain, "latency"}}
	if l.Title != "" {
		left = append(left, piece{Plain, l.Title})
	}
	gap, scale := "", "log"
	if c.width >= roomyWidth {
		gap, scale = " ", "log scale"
	}
	g := c.glyphs.layers
	legend := "p50 " + string(g[0]) + "  p99 " + string(g[1]) + "  p99.9 " + string(g[2])
	right := []piece{{Plain, legend}, {Muted, scale}, {Muted, seconds(l.Span, gap)}}
	if l.Legend != "" {
		more := append(left, piece{Muted, l.Legend})
		if breadth(c.gap(), more)+breadth(c.gap(), right)+10 <= c.width {
			left = more
		}
	}
	c.rule(left, right)
}

// line is the view on one line: the latest p99 and its recent past.
func (l LatencyChart) line(c *canvas) {
	latest := Duration{}
	for i := len(l.Samples) - 1; i >= 0 && !latest.OK; i-- {
		latest = Duration{l.Samples[i].P99, l.Samples[i].P99 > 0}
	}
	number := "p99 " + latest.millis() + " ms"
	if w := cells(number); w <= c.width {
		c.text(Strong, number)
		if columns := c.width - w - 3; columns >= 4 {
			c.space(2)
			c.text(Accent, l.spark(columns, l.Span, c.glyphs))
		}
	}
	c.end()
}

// spark is the recent p99 as a line of so many cells.
func (l LatencyChart) spark(columns int, span time.Duration, g glyphSet) string {
	b := latencies(l.Samples, grid{span: span, at: l.At, columns: columns * g.density()})
	return spark(binned{b.p99, 1, len(b.p99)}, g)
}
