package views

// Render draws the overlay: groups of keys in as many columns as it takes to show
// them all, the footer last. What does not fit is counted in the title.
func (h Help) Render(f Frame) string {
	c := newCanvas(f)
	room := c.height
	if c.height > 1 {
		room--
	}
	footer := h.Footer != "" && room > 1
	if footer {
		room--
	}
	columns := h.columns(room, max(1, c.width/helpColumn))
	if c.height > 1 {
		c.rule(pieces(h.Title), h.hidden(columns))
	}
	for i := range tallest(columns) {
		for j, col := range columns {
			if i < len(col) {
				width := c.width / len(columns)
				c.entry(j*width, (j+1)*width-1, col[i])
			}
		}
		c.end()
	}
	if footer {
		if c.left() > 1 {
			c.end()
		}
		c.space(1)
		c.text(Muted, h.Footer)
		c.end()
	}
	return c.String()
}

// helpColumn is the least width of a column of keys.
const helpColumn = 38

// entry is a line of the overlay: a group's title, a key or a blank line.
type entry struct {
	title string
	key   Key
	keys  int // width of the keys in the group, so that what they do is aligned
}

// columns spreads the groups over the fewest columns that hold them, whole ones if
// that can be, and evenly. When even the most columns are too short, the lines flow
// through all of them and the rest is cut off.
func (h Help) columns(room, most int) [][]entry {
	blocks := make([][]entry, 0, len(h.Groups))
	lines, longest := 0, 0
	for _, g := range h.Groups {
		block := []entry{{title: g.Title}}
		for _, k := range g.Keys {
			block = append(block, entry{key: k, keys: keysWidth(g.Keys)})
		}
		blocks = append(blocks, block)
		lines, longest = lines+len(block)+1, max(longest, len(block))
	}
	// From the evenest height upwards, so that the columns end at about the same line.
	for n := 1; n <= most; n++ {
		for size := max(longest, lines/n-1); size <= room; size++ {
			if columns := pack(blocks, size); len(columns) <= n {
				return columns
			}
		}
	}
	columns := flow(blocks, room)
	return columns[:min(len(columns), most)]
}

// pack puts whole blocks, a blank line apart, into columns of at most size lines.
func pack(blocks [][]entry, size int) (columns [][]entry) {
	for _, b := range blocks {
		last := len(columns) - 1
		if last >= 0 && len(columns[last])+1+len(b) <= size {
			columns[last] = append(append(columns[last], entry{}), b...)
		} else {
			columns = append(columns, append([]entry(nil), b...))
		}
	}
	return columns
}

// flow breaks the lines of all blocks into columns of room lines.
func flow(blocks [][]entry, room int) (columns [][]entry) {
	if room <= 0 {
		return nil
	}
	var lines []entry
	for _, b := range blocks {
		lines = append(lines, b...)
	}
	for len(lines) > 0 {
		n := min(room, len(lines))
		columns, lines = append(columns, lines[:n]), lines[n:]
	}
	return columns
}

// hidden says how many keys the columns leave out.
func (h Help) hidden(columns [][]entry) []piece {
	n := 0
	for _, g := range h.Groups {
		n += len(g.Keys)
	}
	for _, col := range columns {
		for _, e := range col {
			if e.title == "" && e.key != (Key{}) {
				n--
			}
		}
	}
	if n <= 0 {
		return nil
	}
	return []piece{{Caution, "+" + Thousands(float64(n)) + " more"}}
}

// tallest is the number of lines of the longest column.
func tallest(columns [][]entry) int {
	n := 0
	for _, col := range columns {
		n = max(n, len(col))
	}
	return n
}

// keysWidth is the room that the keys of a group need.
func keysWidth(keys []Key) int {
	n := 0
	for _, k := range keys {
		n = max(n, cells(k.Keys))
	}
	return n
}

// entry writes one line of a column.
func (c *canvas) entry(from, to int, e entry) {
	keys := min(e.keys, (to-from)/2)
	switch {
	case e.title != "":
		c.cell(from+1, to, Strong, e.title)
	case e.key != (Key{}):
		c.cell(from+2, min(to, from+2+keys), Accent, e.key.Keys)
		c.cell(from+4+keys, to, Plain, e.key.Does)
	}
}
