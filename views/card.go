package views

// proseWidth is where sentences break on a wide screen: longer lines read badly.
const proseWidth = 96

// Render draws the card: ruled title, rows with their values in one column, the
// sentences, and the keys at the end. Blank lines go first when height is short,
// then sentences, then rows from the last one up; the keys stay.
func (k Card) Render(f Frame) string {
	c := newCanvas(f)
	if c.height > 1 {
		c.rule(pieces(k.Title), nil)
	}
	body := c.left()
	if len(k.Keys) > 0 {
		body--
	}
	var prose []string
	for _, t := range k.Text {
		prose = append(prose, wrap(t, min(proseWidth, c.width-3))...)
	}
	// Three blank lines at most: under the title, above the sentences, above the keys.
	airy := body >= len(k.Rows)+len(prose)+3
	limit := c.lines + body
	blank := func() {
		if airy {
			c.end()
		}
	}
	blank()
	k.rows(c, limit)
	if len(prose) > 0 && len(k.Rows) > 0 {
		blank()
	}
	for _, line := range prose {
		if c.lines >= limit {
			break
		}
		c.space(2)
		c.text(Plain, line)
		c.end()
	}
	if len(k.Keys) > 0 {
		blank()
		KeyLine(k.Keys).draw(c)
	}
	return c.String()
}

// rows writes labels and values down to a line of the frame.
func (k Card) rows(c *canvas, limit int) {
	labels := 0
	for _, r := range k.Rows {
		labels = max(labels, cells(r.Label))
	}
	labels = min(labels, c.width/3)
	for _, r := range k.Rows {
		if c.lines >= limit {
			return
		}
		c.cell(2, 2+labels, Muted, r.Label)
		c.to(2 + labels + 2)
		if r.Warning {
			c.text(Caution, "! "+r.Value)
		} else {
			c.text(Plain, r.Value)
		}
		c.end()
	}
}
