package views

// drawWideChart writes the charts of two sides in their columns, and beside them the
// ratio and what sets the sides apart.
func (v *Compare) drawWideChart(c *canvas, p *comparePlan) {
	sides, _ := wideColumns(c.width)
	t := v.chart(c, roundOps, v.narrowest(sides)-chartGutter-1, p.bars)
	v.wideRule(c, func(i int) []piece {
		s := &v.Sides[i]
		name, tone := s.Name, Plain
		if s.Focused {
			name, tone = ">"+name, Accent
		}
		ps := []piece{{tone, name}}
		// A label that tells of another server is long, and says no more than its name.
		if tag := v.tag(i); tag != "" {
			ps = append(ps, piece{Plain, withPort(tag, mostServer, c.glyphs.tail)})
		}
		if s.Label != "" && (!v.byServer() || cells(s.Label) <= mostLabel) {
			ps = append(ps, piece{Plain, s.Label})
		}
		if s.Median.OK {
			ps = append(ps, piece{Plain, s.Median.thousands() + " ops/s"})
		}
		return ps
	}, piece{Plain, v.over(v.other())}, piece{Muted, "one scale for both"})
	aside := v.aside()
	line := 0
	beside := func(at span) {
		if line < len(aside) {
			c.to(at.from + 1)
			c.text(aside[line].tone, aside[line].text)
		}
		line++
	}
	for r := range p.bars {
		v.wideLine(c, func(i int, at span) { t.chartRow(c, at, i, r, v.tone(i)) }, beside)
	}
	if p.beside {
		v.wideLine(c, func(_ int, at span) { t.chartFoot(c, at) }, beside)
		v.wideLine(c, func(_ int, at span) { t.chartMarks(c, at) }, beside)
	}
}

// aside is what stands beside the wide charts, the most needed first.
func (v *Compare) aside() []piece {
	var out []piece
	if d := at(v.Verdicts, v.other()); d.Ratio.Value > 0 && isData(d.Ratio.Value) && !v.Competing {
		tone, word := d.Mark.word()
		out = append(out, piece{tone, d.Ratio.text() + "  " + word}, piece{Plain, d.Ratio.interval(20)})
	}
	for i := range v.Sides {
		if s := &v.Sides[i]; s.Now.OK && s.Active {
			out = append(out, piece{Strong, s.Name + " now " + s.Now.thousands() + " ops/s"})
		}
	}
	differs := v.byServer()
	if differs {
		out = append(out, piece{}, piece{Muted, "differs:"}, piece{Plain, "the server"})
	}
	for k := range v.knobs() {
		if a, b := v.knob(v.Reference, k), v.knob(v.other(), k); a.Value != b.Value {
			if !differs {
				out = append(out, piece{}, piece{Muted, "differs:"})
			}
			differs = true
			out = append(out, piece{Plain, a.Name + " " + a.Value + " > " + b.Value})
		}
	}
	if !differs {
		out = append(out, piece{}, piece{Muted, "both sides are set alike"})
	}
	return out
}

// drawTails writes the p99 of every round, again on one scale.
func (v *Compare) drawTails(c *canvas, p *comparePlan) {
	if !p.wide {
		labels := v.labels()
		t := v.chart(c, roundTail, c.width-stripLead-labels-2, p.tails)
		c.rule([]piece{{Plain, "p99 per round"}, {Plain, t.scale("ms")}}, []piece{{Muted, t.last()}})
		v.strips(c, t, labels)
		return
	}
	sides, _ := wideColumns(c.width)
	t := v.chart(c, roundTail, v.narrowest(sides)-chartGutter-1, p.tails)
	v.wideRule(c, func(int) []piece { return []piece{{Plain, "p99 per round"}, {Plain, t.scale("ms")}} })
	line := 0
	v.tails(c, t, p.tails, func(at span) {
		if line < len(v.Sides) {
			if s := &v.Sides[line]; s.Counts != "" {
				c.to(at.from + 1)
				c.text(Plain, whole(s.Name+" "+s.Counts, c.width-c.col))
			}
		}
		line++
	})
}

// tails draws the rows of the strips in their columns.
func (v *Compare) tails(c *canvas, t roundChart, rows int, beside func(at span)) {
	for r := range rows {
		v.wideLine(c, func(i int, at span) {
			c.to(at.from + chartGutter)
			t.sides[i].row(c, r, v.tone(i))
		}, beside)
	}
}
