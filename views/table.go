package views

import (
	"math"
	"strconv"
	"strings"
)

// DropFirst and larger values of Row.Drop mark rows that wait for spare height.
const DropFirst = 5

// Render draws the ruled title, the headings and as many rows as the height takes,
// the least important leaving first. A narrow frame loses columns from the right.
func (t Table) Render(f Frame) string {
	c := newCanvas(f)
	switch {
	case c.height >= 3:
		c.rule(pieces(t.Title), nil)
		t.head(c, "")
		c.end()
	case c.height == 2:
		t.head(c, "")
		c.end()
	}
	for _, i := range t.pick(c.left()) {
		t.row(c, i)
		c.end()
	}
	return c.String()
}

// pieces makes a title of a text that may be missing.
func pieces(title string) []piece {
	if title == "" {
		return nil
	}
	return []piece{{Plain, title}}
}

// tableEdges are the columns before which the three numbers and the last of the
// change end, a little wider on a roomy screen.
func tableEdges(width int) (edges [3]int, change int) {
	if width >= 120 {
		return [3]int{24, 39, 55}, 59
	}
	return [3]int{21, 36, 52}, 55
}

// changeWidth is the room for "x0.05 better".
const changeWidth = 13

// columns is how many of the numbers fit, and whether the change fits as well.
func (t Table) columns(width int) (n int, edges [3]int, change int) {
	edges, change = tableEdges(width)
	for n < 3 && edges[n] < width {
		n++
	}
	if n == 0 {
		edges[0], n = width, 1
	}
	if n < 3 || change+changeWidth > width {
		change = 0
	}
	return n, edges, change
}

// head writes the headings without ending the line; what is the text over the labels.
func (t Table) head(c *canvas, what string) {
	n, edges, change := t.columns(c.width)
	c.space(2)
	c.text(Plain, what)
	for i := range n {
		// A heading may use the gap on its left but not reach into its neighbour.
		heading, w := clean(t.Columns[i])
		heading, _ = clip(heading, w, 14, c.glyphs.tail)
		c.right(edges[i], Muted, heading)
	}
	if change > 0 {
		c.to(change)
		c.text(Muted, "change")
	}
}

// row writes a row without ending the line.
func (t Table) row(c *canvas, i int) {
	r := &t.Rows[i]
	n, edges, change := t.columns(c.width)
	c.space(2)
	c.limit = min(c.width, 12)
	c.text(Plain, r.Label)
	c.limit = c.width
	for i := range n {
		c.right(edges[i], Plain, r.value(i))
	}
	if change > 0 {
		tone, text := r.change()
		c.to(change)
		c.text(tone, text)
	}
}

// value writes the number of a column.
func (r *Row) value(i int) string {
	if r.IsTime {
		return r.Times[i].millis()
	}
	return r.Numbers[i].thousands()
}

// number is a column's value for the ratio.
func (r *Row) number(i int) (float64, bool) {
	if r.IsTime {
		return float64(r.Times[i].Value), r.Times[i].OK
	}
	return r.Numbers[i].Value, r.Numbers[i].OK
}

// change says in words what became of the row: the second column (since the change)
// over the third (before it). Within half a percent it is "=", and "-" where one
// of the two is unknown or nothing can be divided by it.
func (r *Row) change() (Tone, string) {
	// The last seconds would jump about; the whole segment is what the knob did.
	now, known := r.number(1)
	before, ok := r.number(2)
	if !known || !ok || !isData(now) || !isData(before) || now < 0 || before < 0 {
		return Muted, unknown
	}
	// Zero to zero is no change, although it is no ratio either.
	if now == before {
		return Muted, "="
	}
	if before == 0 {
		return Muted, unknown
	}
	ratio := now / before
	text := "x" + factor(ratio)
	switch {
	case math.Abs(ratio-1) <= 0.005:
		return Muted, "="
	case r.NoDirection:
		return Plain, text
	// In words, because without colour nothing else says which way is good.
	case (ratio > 1) == r.MoreIsBad:
		return Bad, text + " worse"
	}
	return Good, text + " better"
}

// factor writes a ratio with three digits that count.
func factor(v float64) string {
	switch {
	case v < 0.01:
		return "<0.01"
	case v < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return Short(v)
}

// drop is the row's place in the order of leaving.
func (r *Row) drop() int {
	if r.Drop != 0 {
		return r.Drop
	}
	label := strings.ToLower(r.Label)
	switch {
	case label == "p75" || strings.Contains(label, "/ p"):
		return DropFirst
	case strings.HasPrefix(label, "p99.99"):
		return 4
	case label == "p90":
		return 3
	case label == "max":
		return 2
	case strings.HasPrefix(label, "p99.9"):
		return 1
	}
	return 0
}

// pick chooses at most n rows, in their order: the ones that drop first are left
// out first, and among equals the later one.
func (t Table) pick(n int) []int {
	drops := make([]int, len(t.Rows))
	for i := range drops {
		drops[i] = t.Rows[i].drop()
	}
	return pick(drops, n)
}

// pick is Table.pick for rows of which only the order of leaving is known.
func pick(drops []int, n int) []int {
	rows := make([]int, len(drops))
	for i := range rows {
		rows[i] = i
	}
	for len(rows) > max(0, n) {
		out := 0
		for i, r := range rows {
			if drops[r] >= drops[rows[out]] {
				out = i
			}
		}
		rows = append(rows[:out], rows[out+1:]...)
	}
	return rows
}

// essential counts the rows that do not wait for spare height.
func (t Table) essential() int {
	n := 0
	for i := range t.Rows {
		if t.Rows[i].drop() < DropFirst {
			n++
		}
	}
	return n
}

// unit is what the title says before its brackets: "latency ms".
func (t Table) unit() string {
	s, _, _ := strings.Cut(t.Title, "(")
	return strings.TrimSpace(s)
}
