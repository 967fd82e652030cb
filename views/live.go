package views

import (
	"strings"
	"time"
)

// Render lays the live screen out for the frame: drawing 1 of SCREENS.md at 80x24,
// drawing 3 at 120x40, TooSmall below the minimum.
func (l Live) Render(f Frame) string {
	if f.Width < MinWidth || f.Height < MinHeight {
		return l.Small().Render(f)
	}
	c := newCanvas(f)
	p := l.plan(f)
	// The key line, or the text field in its place, never gives way.
	c.height--
	l.Header.draw(c)
	if l.Banner != "" {
		c.space(1)
		c.text(Caution, "! "+l.Banner)
		c.end()
	}
	if p.knobs > 2 {
		c.rule([]piece{{Plain, "load"}}, nil)
	}
	Strip(l.Knobs).draw(c, p.knobs)
	l.Throughput.draw(c, p.throughput)
	l.Latency.draw(c, p.latency)
	l.table(c, p)
	if p.stacked > 0 {
		Distribution{l.BarsTitle, l.Bars}.stack(c, p.stacked)
	}
	l.Nodes.draw(c, p.nodes)
	l.Server.draw(c, p.server, l.Limiter)
	l.notesRule(c, p.server > 0)
	Notes(l.Notes).draw(c, p.notes)
	for c.left() > 0 {
		c.end()
	}
	c.height++
	if l.Edit != nil {
		l.Edit.draw(c)
	} else {
		KeyLine(l.Keys).draw(c)
	}
	return c.String()
}

// notesRule opens the notes. Where the server has no section the limiter stands in
// place of the title, which says least of all on the screen.
func (l Live) notesRule(c *canvas, told bool) {
	if told || !l.Limiter.known() {
		c.rule([]piece{{Plain, "notes"}}, nil)
		return
	}
	room := c.width - len(limiterLead) - 2
	text := limiterLead + " " + l.Limiter.line(room)
	if cells(text)+7 <= c.width { // dashes around it as around any title
		c.rule([]piece{{l.Limiter.tone(), text}}, nil)
		return
	}
	c.space(1)
	c.text(l.Limiter.tone(), text)
	c.end()
}

// table writes the percentiles, with the distribution beside them where the width
// allows. Below a latency chart it needs no rule of its own; without the chart the
// rule carries the recent p99 as a spark line.
func (l Live) table(c *canvas, p plan) {
	what := l.Table.unit()
	if p.latency == 0 {
		what = ""
		l.tableRule(c)
	}
	// The title stands beside the headings, so the bars have as many lines as the rows.
	d := Distribution{l.BarsTitle, l.Bars}.merged(len(p.rows))
	for i := -1; i < len(p.rows); i++ {
		if p.beside > 0 {
			c.limit = p.beside - 1
		}
		if i < 0 {
			l.Table.head(c, what)
		} else {
			l.Table.row(c, p.rows[i])
		}
		c.limit = c.width
		if p.beside > 0 {
			c.to(p.beside)
			c.glyph(Muted, c.glyphs.up)
			c.space(2)
			switch {
			case i < 0:
				c.text(Plain, l.BarsTitle)
			case i < len(d.Bars):
				d.bar(c, i)
			}
		}
		c.end()
	}
}

// The p99 line in the table's rule: how far back it goes, and its cells, of which
// it gives up some to a long title.
const (
	sparkSpan    = 60 * time.Second
	sparkColumns = 16
	sparkLeast   = 8
)

// tableRule writes the title, what the labels mean, and the spark line once there is
// something to show.
func (l Live) tableRule(c *canvas) {
	left := pieces(l.Table.Title)
	// Ten cells are the rule's own: dashes and spaces around its parts.
	room := c.width - breadth(c.gap(), left) - 10
	right := pieces(l.Table.Legend)
	if n := breadth(c.gap(), right); n > room {
		right = nil
	} else if n > 0 {
		room -= n + c.gap()
	}
	c.rule(left, append(right, l.sparkLine(c, room)...))
}

// sparkLine is the recent p99 in so much room, with its name; nothing where too
// little of it would show.
func (l Live) sparkLine(c *canvas, room int) []piece {
	span := shorter(l.Latency.Span, sparkSpan)
	for _, name := range [...]string{"p99 last " + seconds(span, ""), "p99 " + seconds(span, "")} {
		columns := min(sparkColumns, room-cells(name)-c.gap())
		if columns < sparkLeast {
			continue
		}
		recent := l.Latency.spark(columns, span, c.glyphs)
		if strings.TrimSpace(recent) == "" {
			return nil
		}
		return []piece{{Plain, name}, {Accent, recent}}
	}
	return nil
}

// whole shortens a line of facts that stand three spaces apart: to two, and then by
// whole facts from the end, because half a number is a wrong number.
func whole(facts string, room int) string {
	if cells(facts) <= room {
		return facts
	}
	facts = strings.ReplaceAll(facts, "   ", "  ")
	for cells(facts) > room {
		cut := strings.LastIndex(facts, "  ")
		if cut <= 0 {
			break
		}
		facts = strings.TrimRight(facts[:cut], " ")
	}
	return facts
}

// Small is what remains of the screen below the minimum size.
func (l Live) Small() TooSmall {
	s := TooSmall{
		Ops:     l.Throughput.Now,
		P50:     l.latest("p50"),
		P99:     l.latest("p99"),
		Errors:  l.Header.Errors,
		Running: l.Header.Running,
	}
	// Of the keys only those that make sense without seeing anything.
	for _, k := range l.Keys {
		if k.Keys == "q" || k.Keys == "space" {
			s.Keys = append(s.Keys, k)
		}
	}
	return s
}

// latest is the first column of the row of that label.
func (l Live) latest(label string) Duration {
	for i := range l.Table.Rows {
		if r := &l.Table.Rows[i]; r.Label == label && r.IsTime {
			return r.Times[0]
		}
	}
	return Duration{}
}
