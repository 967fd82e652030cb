package views

// Notes is the list of what happened, newest last.
type Notes []Note

// Render draws the ruled title and as many notes as fit, warnings first and the
// newest before the older; on one line the title goes.
func (n Notes) Render(f Frame) string {
	c := newCanvas(f)
	if c.height > 1 {
		c.rule([]piece{{Plain, "notes"}}, nil)
	}
	n.draw(c, c.left())
	return c.String()
}

// draw writes lines notes. Warnings have a line each but leave one to the rest,
// which share theirs as far as they fit: the newest change is always on screen.
func (n Notes) draw(c *canvas, lines int) {
	warnings, rest := n.split()
	keep := lines
	if len(rest) > 0 && lines > 1 {
		keep--
	}
	for _, w := range warnings[:min(len(warnings), max(0, keep))] {
		c.space(1)
		c.text(Caution, "! "+w.line())
		c.end()
		lines--
	}
	for ; lines > 0 && len(rest) > 0; lines-- {
		c.space(1)
		// Short notes share a line: "pipeline 1 > 16   start" is one glance.
		for first := true; len(rest) > 0; first = false {
			text := rest[0].line()
			if !first && c.col+3+cells(text) > c.width {
				break
			}
			if !first {
				c.space(3)
			}
			c.text(Plain, text)
			rest = rest[1:]
		}
		c.end()
	}
}

// split sorts the notes into warnings and others, the newest first.
func (n Notes) split() (warnings, rest []Note) {
	for i := len(n) - 1; i >= 0; i-- {
		if n[i].Warning {
			warnings = append(warnings, n[i])
		} else {
			rest = append(rest, n[i])
		}
	}
	return warnings, rest
}

// line is the note with its time.
func (n Note) line() string {
	if n.Clock == "" {
		return n.Text
	}
	return n.Clock + " " + n.Text
}
