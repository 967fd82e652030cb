package views

import "strconv"

// The results of three to six sides: a column for each, the reference is 100 %.

// armLabel is the room for what a row is called.
const armLabel = 12

// armRow is a row of that table: a text for each side.
type armRow struct {
	label string
	cells []piece
	drop  int
}

// armColumn is the width of a side's column.
func (v *Compare) armColumn(width int) int {
	return min(20, (width-armLabel-1)/max(1, len(v.Sides)))
}

// armRows are the rows in order: the metric with its percent, ratio and interval and
// the word for it, then what else was measured.
func (v *Compare) armRows(width int) []armRow {
	rows := make([]armRow, 0, len(v.Rows)+6)
	for n, loads := range v.loadLines(v.armColumn(width) - 1) {
		row := armRow{cells: v.texts(func(i int) piece { return piece{Muted, loads[i]} })}
		if n == 0 {
			row.label = "load"
		}
		rows = append(rows, row)
	}
	derived := false
	for i := range v.Rows {
		r := &v.Rows[i]
		rows = append(rows, armRow{r.Label, v.texts(func(i int) piece { return piece{Plain, r.value(i, false)} }), r.drop()})
		if r.Label == v.Metric && !derived {
			derived = true
			rows = append(rows, v.derived(r, v.armColumn(width)-1)...)
		}
	}
	for i := range rows {
		// Here the verdict and its interval have come to stand before these.
		if label := rows[i].label; label == "p99.9" || label == "max" || label == "p99.99" {
			rows[i].drop = max(rows[i].drop, DropFirst)
		}
	}
	return rows
}

// loadLines are the loads of all sides in lines of so many cells, two at most: half a
// load would be a wrong one. There is none where no side has a load.
func (v *Compare) loadLines(room int) [][]string {
	var out [][]string
	for i := range v.Sides {
		if v.Sides[i].Load == "" {
			continue
		}
		for n, text := range wrap(v.Sides[i].Load, max(1, room)) {
			if n == len(out) && n < 2 {
				out = append(out, make([]string, len(v.Sides)))
			}
			if n < len(out) {
				out[n][i] = text
			}
		}
	}
	return out
}

// texts are the cells of a row; nil where all are empty.
func (v *Compare) texts(of func(i int) piece) []piece {
	some := false
	out := make([]piece, len(v.Sides))
	for i := range out {
		out[i] = of(i)
		some = some || out[i].text != ""
	}
	if !some {
		return nil
	}
	return out
}

// derived are the rows that tell of the metric against the reference.
func (v *Compare) derived(r *CompareRow, room int) []armRow {
	ratio := func(i int) (Ratio, bool) {
		if i == v.Reference {
			return Ratio{Value: 1}, true
		}
		return v.compared(r, i)
	}
	share := v.texts(func(i int) piece { x, ok := r.share(i, v.Reference); return piece{Plain, percentOf(x, ok)} })
	ratios := v.texts(func(i int) piece {
		x, ok := ratio(i)
		switch {
		case i == v.Reference:
			return piece{Muted, "1"}
		case !ok:
			return piece{Muted, unknown}
		}
		return piece{Plain, x.text()}
	})
	rows := []armRow{{"  percent", share, 0}, {"  ratio", ratios, 0}}
	if intervals := v.texts(func(i int) piece { x, _ := ratio(i); return piece{Plain, x.interval(room)} }); intervals != nil {
		rows = append(rows, armRow{"  interval", intervals, 0})
	}
	return append(rows, armRow{"  verdict", v.texts(func(i int) piece {
		if i == v.Reference {
			return piece{Muted, "reference"}
		}
		tone, word := at(v.Verdicts, i).Mark.word()
		return piece{tone, word}
	}), 0})
}

// share is a side's own number over that of the reference.
func (r *CompareRow) share(i, reference int) (float64, bool) {
	x, known := r.number(i)
	base, ok := r.number(reference)
	return x / base, known && ok && base > 0 && isData(x/base) && x >= 0
}

// percentOf writes a share of the reference: "677 %", "99.4 %".
func percentOf(x float64, ok bool) string {
	if !ok {
		return unknown
	}
	x *= 100
	switch {
	case x >= 99_950:
		return Short(x) + " %"
	case x == 100 || x >= 200:
		return strconv.FormatFloat(x, 'f', 0, 64) + " %"
	}
	return strconv.FormatFloat(x, 'f', 1, 64) + " %"
}

// armHead writes the names of the sides over their columns.
func (v *Compare) armHead(c *canvas) {
	c.space(2)
	c.text(Muted, "times in ms")
	width := v.armColumn(c.width)
	for i := range v.Sides {
		s := &v.Sides[i]
		name, tone := s.Name, Muted
		if tag := v.tag(i); tag != "" {
			name += " " + tag
		}
		if s.Focused {
			name, tone = ">"+name, Accent
		}
		name, w := clean(name)
		name, _ = clip(name, w, width-1, c.glyphs.tail)
		c.right(armLabel+(i+1)*width, tone, name)
	}
	c.end()
}

// armLine writes a row.
func (v *Compare) armLine(c *canvas, r *armRow) {
	c.cell(2, armLabel+1, Plain, r.label)
	width := v.armColumn(c.width)
	for i, p := range r.cells {
		text, w := clean(p.text)
		text, _ = clip(text, w, width-1, c.glyphs.tail)
		c.right(armLabel+(i+1)*width, p.tone, text)
	}
	c.end()
}
