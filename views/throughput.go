package views

// Render draws the chart of requests per second: a ruled title, the plot, its axis
// and the times with the marks. Without height for the times it drops them, then
// the axis; on one line it is a number and a spark line.
func (t Throughput) Render(f Frame) string {
	c := newCanvas(f)
	t.draw(c, c.height)
	return c.String()
}

// draw fills height lines.
func (t Throughput) draw(c *canvas, height int) {
	switch {
	case height <= 0:
		return
	case height == 1:
		t.line(c)
		return
	}
	t.rule(c)
	rows, foot, times := height-1, false, false
	if rows >= 4 && c.width >= axisWidth {
		rows, foot = rows-1, true
	}
	if foot && rows >= 4 {
		rows, times = rows-1, true
	}
	p := newPlot(c.width, !foot)
	g := t.grid(p.columns * c.glyphs.density())
	values := means(t.Samples, g)
	// The axis looks at bins, not cells: a wide bin has one vote like any other.
	a := linear(values.values, rows, t.Scale)
	b := newBars(values.cells(), a, c.glyphs)
	for r := range rows {
		p.label(c, a.label(r))
		b.row(c, r, Accent)
		c.end()
	}
	if foot {
		p.foot(c, a.foot())
	}
	if times {
		p.times(c, t.Marks, g)
	}
}

// grid is the time axis with so many columns.
func (t Throughput) grid(columns int) grid {
	return grid{span: t.Span, at: t.At, columns: columns}
}

// rule writes the title with the numbers that sum the chart up.
func (t Throughput) rule(c *canvas) {
	left := []piece{{Plain, "throughput"}, {Strong, t.Now.thousands() + " ops/s"}}
	right := []piece{{Plain, "avg " + t.Average.thousands()}, {Plain, "peak " + t.Peak.thousands()}}
	if c.width < roomyWidth {
		// An axis from zero is what everybody expects; the other must be said, before
		// the span, which the line of times says too.
		if t.Scale == ScaleAuto {
			right = append(right, piece{Muted, "y: auto"})
		}
		c.rule(left, append(right, piece{Muted, seconds(t.Span, "")}))
		return
	}
	if t.Bytes.OK {
		left = append(left, piece{Plain, Bytes(t.Bytes.Value) + "/s"})
	}
	scale := "y: auto"
	if t.Scale == ScaleZero {
		scale = "y: zero"
	}
	c.rule(left, append(right, piece{Muted, scale}, piece{Muted, seconds(t.Span, " ")}))
}

// line is the view on one line; the number shortens before it disappears.
func (t Throughput) line(c *canvas) {
	number := t.Now.thousands() + " ops/s"
	if t.Now.OK && cells(number) > c.width {
		number = Short(t.Now.Value)
	}
	if w := cells(number); w <= c.width {
		c.text(Strong, number)
		if columns := c.width - w - 3; columns >= 4 {
			c.space(2)
			values := means(t.Samples, t.grid(columns*c.glyphs.density()))
			c.text(Accent, spark(values, c.glyphs))
		}
	}
	c.end()
}
