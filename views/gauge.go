package views

import "math"

// Gauge is a figure of the server: what it is now, how much of what it can be, and
// its course.
type Gauge struct {
	Label   string   // "memory"
	Value   string   // "14.2 MB of 1.0 GB"
	Full    Number   // 0 to 1, drawn as a bar; not OK = no bar
	Top     float64  // upper end of the axis of the course, for shares; 0 = fitted
	Samples []Sample // the course, oldest first
}

// The parts of a gauge: the label, then the value, then the bar in brackets, then
// the course as wide as the line allows.
const (
	gaugeLabel = 12 // column at which the values begin
	gaugeValue = 22 // least room for a value
	gaugeBar   = 10 // cells of the bar within its brackets
)

// gaugeColumns are where the parts of every gauge stand.
type gaugeColumns struct {
	bar, chart, columns int // columns is the width of the course in cells
}

// newGaugeColumns gives values the room they need, within limits, so that the charts
// stand still while numbers change their length.
func newGaugeColumns(width int, gauges []Gauge) gaugeColumns {
	value := gaugeValue
	if width >= roomyWidth {
		value += 8
	}
	for _, g := range gauges {
		if w := cells(g.Value); w > value && width >= allKnobs {
			value = min(w, value+10)
		}
	}
	bar := gaugeLabel + value + 1
	chart := bar + gaugeBar + 3
	return gaugeColumns{bar: bar, chart: chart, columns: max(0, width-chart-1)}
}

// Render draws the gauge in the height there is, on the time from its first sample.
func (g Gauge) Render(f Frame) string {
	c := newCanvas(f)
	at := newGaugeColumns(c.width, []Gauge{g})
	span := grid{columns: at.columns}
	for _, s := range g.Samples {
		span.span = max(span.span, s.Age)
	}
	g.draw(c, at, span, min(c.height, gaugeMost))
	return c.String()
}

// draw writes rows lines: the words on the last one, where the course stands.
func (g Gauge) draw(c *canvas, at gaugeColumns, t grid, rows int) {
	t.columns *= c.glyphs.density()
	values := means(g.Samples, t)
	a := linear(values.values, rows, ScaleZero)
	if g.Top > 0 {
		a = axis{rows: rows, high: g.Top}
		for i, v := range values.values {
			values.values[i] = math.Min(v, g.Top) // a second may be measured a little long
		}
	}
	course := newBars(values.cells(), a, c.glyphs)
	for r := range rows {
		if r == rows-1 {
			c.cell(2, gaugeLabel-1, Muted, g.Label)
			c.cell(gaugeLabel, at.bar-1, Plain, g.Value)
			g.bar(c, at.bar)
		}
		c.to(at.chart)
		course.row(c, r, Accent)
		c.end()
	}
}

// bar draws the share as filled cells in brackets; something is never nothing, and
// only what is full looks full.
func (g Gauge) bar(c *canvas, at int) {
	if !g.Full.OK || !isData(g.Full.Value) || c.width <= at+gaugeBar+2 {
		return
	}
	share := max(0, min(1, g.Full.Value))
	n := int(math.Round(share * gaugeBar))
	if share > 0 {
		n = max(1, n)
	}
	if share < 0.995 {
		n = min(gaugeBar-1, n)
	}
	c.to(at)
	c.text(Muted, "[")
	c.fill(Accent, c.glyphs.full, n)
	c.fill(Muted, '.', gaugeBar-n)
	c.text(Muted, "]")
}
