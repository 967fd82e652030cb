package views

import "strconv"

// matrixSpan are the rows of the matrix that are shown: around the case in focus where
// they do not all fit, and never the same as before for no reason: pages stand still.
func (v *Compare) matrixSpan(rows int) (from, to int) {
	n := len(v.Cases)
	if rows >= n {
		return 0, n
	}
	if rows <= 0 {
		return 0, 0
	}
	from = min(max(0, v.Case)/rows*rows, n-rows)
	return from, from + rows
}

// drawMatrix writes tests as rows and sides as columns, on a rule, a head and so many
// lines, the averages the last of them.
func (v *Compare) drawMatrix(c *canvas, lines int) {
	averages := min(len(v.Averages), max(0, lines-1))
	from, to := v.matrixSpan(lines - averages)
	done := 0
	for i := range v.Cases {
		if v.Cases[i].Done {
			done++
		}
	}
	title := []piece{{Plain, "tests"}, {Plain, strconv.Itoa(done) + " of " + strconv.Itoa(len(v.Cases)) + " done"}}
	if done < len(v.Cases) {
		title = append(title, piece{Muted, "* under way"})
	}
	if m := v.mark(); m != "" {
		title = append(title, piece{Caution, m})
	}
	var right []piece
	if hidden := len(v.Cases) - (to - from); hidden > 0 {
		right = append(right, piece{Caution, "+" + Thousands(float64(hidden)) + " more"})
	}
	for i := range v.Sides {
		if s := &v.Sides[i]; s.Load != "" && (i == v.Reference || len(v.Sides) == 2) {
			right = append(right, piece{Muted, s.Name + " " + s.Load})
		}
	}
	c.rule(title, right)
	v.matrixHead(c)
	for _, loads := range v.matrixLoads(c.width) {
		columns, cell, _, _ := v.matrixColumns(c.width)
		n := 0
		for i := range v.Sides {
			if i != v.Reference && n < len(columns) {
				c.cell(columns[n], columns[n]+cell-1, Muted, loads[i])
				n++
			}
		}
		c.end()
	}
	for i := from; i < to; i++ {
		v.matrixRow(c, i)
	}
	for i := range averages {
		v.averageRow(c, &v.Averages[i])
	}
}

// Columns of the matrix: where the names of the tests end, where the reference's
// numbers do, and the least room for the ratio of a side.
const (
	matrixTest  = 17
	matrixFirst = 28
	matrixCell  = 16
	matrixState = 9 // "now 30", "30 pairs"
)

// matrixColumns are the columns of the sides that are compared, with the number of
// the reference where there is room for it, and the column of the state, 0 = none.
func (v *Compare) matrixColumns(width int) (at []int, cell, first, state int) {
	first = matrixFirst
	n := max(1, len(v.Sides)-1)
	cell = (width - first - matrixState - 3) / n
	state = width - matrixState
	if cell < matrixCell {
		cell, state = (width-first-2)/n, 0
	}
	if cell < matrixCell-1 {
		first, cell = 0, (width-matrixTest-1)/n
	}
	cell = min(cell, ratioWidth)
	left := max(first, matrixTest-1) + 2
	for i := range n {
		at = append(at, left+i*cell)
	}
	if state > 0 {
		state = left + n*cell + 1
	}
	return at, cell, first, state
}

// matrixHead writes the headings.
func (v *Compare) matrixHead(c *canvas) {
	at, cell, first, state := v.matrixColumns(c.width)
	c.to(4)
	c.text(Muted, "test")
	if first > 0 && v.Reference < len(v.Sides) {
		name, w := clean(v.Sides[v.Reference].Name)
		name, _ = clip(name, w, 4, c.glyphs.tail)
		c.right(first, Muted, name+" "+v.Metric)
	}
	n := 0
	for i := range v.Sides {
		if i != v.Reference && n < len(at) {
			c.cell(at[n], at[n]+cell-1, Muted, v.over(i))
			n++
		}
	}
	if state > 0 {
		c.to(state)
		c.text(Muted, "pairs")
	}
	c.end()
}

// matrixLoads are the lines of what the sides of each ratio sent: no verdict stands
// without it. Two sides have theirs in the rule.
func (v *Compare) matrixLoads(width int) [][]string {
	if len(v.Sides) <= 2 {
		return nil
	}
	_, cell, _, _ := v.matrixColumns(width)
	return v.loadLines(cell - 1)
}

// matrixRow writes a test: the one whose details are below has the focus sign, the one
// under way a star.
func (v *Compare) matrixRow(c *canvas, i int) {
	at, cell, first, state := v.matrixColumns(c.width)
	k := &v.Cases[i]
	tone := Plain
	c.space(1)
	if i == v.Case {
		tone = Accent
		c.text(tone, ">")
	}
	c.to(2)
	if k.Underway {
		c.text(Good, "*")
	}
	c.cell(4, matrixTest-1, tone, k.Title)
	if first > 0 {
		median := k.Median.thousands()
		if k.IsTime && k.Median.OK && isData(k.Median.Value) {
			median = Millis(nanoseconds(k.Median.Value))
		}
		c.right(first, Plain, median)
	}
	n := 0
	for s := range v.Sides {
		if s != v.Reference && n < len(at) {
			c.limit = min(c.width, at[n]+cell-1)
			v.matrixCell(c, k, s, at[n])
			c.limit = c.width
			n++
		}
	}
	if state > 0 {
		c.to(state)
		switch {
		case k.Underway:
			c.text(Good, strconv.Itoa(k.Pairs)+" now")
		case k.Pairs > 0 || k.Done:
			c.text(Plain, strconv.Itoa(k.Pairs))
		default:
			c.text(Muted, "to come")
		}
	}
	c.end()
}

// matrixCell writes ratio, word and, where the column is wide, the interval.
func (v *Compare) matrixCell(c *canvas, k *CompareCase, side, from int) {
	d := at(k.Verdicts, side)
	c.to(from)
	if !isData(d.Ratio.Value) || d.Ratio.Value <= 0 {
		c.text(Muted, unknown)
		return
	}
	tone, word := d.Mark.word()
	if c.limit-from < matrixCell-2 {
		c.text(tone, times(d.Ratio.Value, 2)+" "+word)
		return
	}
	c.text(tone, d.Ratio.text())
	c.to(from + ratioNumber - 1)
	c.text(tone, word)
	if c.limit-from >= ratioNumber+ratioWord+10 {
		c.to(from + ratioNumber + ratioWord)
		c.text(Plain, d.Ratio.interval(c.limit-c.col))
	}
}

// averageRow writes the mean of several tests.
func (v *Compare) averageRow(c *canvas, m *CompareMean) {
	columns, _, _, _ := v.matrixColumns(c.width)
	c.cell(4, columns[0]-1, Muted, m.Title)
	n := 0
	for s := range v.Sides {
		if s == v.Reference || n >= len(columns) {
			continue
		}
		c.to(columns[n])
		if x := at(m.Ratios, s); isData(x.Value) && x.Value > 0 {
			c.text(Plain, x.text())
		} else {
			c.text(Muted, unknown)
		}
		n++
	}
	c.end()
}
