package views

import (
	"strconv"
	"strings"
)

// mostSides is how many a comparison has letters for.
const mostSides = 6

// Render lays the screen out for the frame: drawing 2 of SCREENS.md at 80x24, drawing 4
// from 120 columns, a table for three to six sides; TooSmall below the minimum.
func (v Compare) Render(f Frame) string {
	v.Sides = v.Sides[:min(len(v.Sides), mostSides)]
	if v.Reference < 0 || v.Reference >= len(v.Sides) {
		v.Reference = 0
	}
	if f.Width < MinWidth || f.Height < MinHeight {
		return v.small().Render(f)
	}
	c := newCanvas(f)
	p := v.plan(f)
	// The key line, or the text field in its place, never gives way.
	c.height--
	v.drawHeader(c)
	if p.banner {
		c.space(1)
		c.text(Caution, "! "+v.Banner)
		c.end()
	}
	v.drawSides(c, p.sides)
	v.drawChart(c, &p)
	if p.matrix > 0 {
		v.drawMatrix(c, p.matrix)
	}
	v.drawResults(c, &p)
	if p.tails > 0 {
		v.drawTails(c, &p)
	}
	if p.verdicts > 0 {
		v.drawVerdicts(c, &p)
	}
	v.drawEnd(c, &p)
	for c.left() > 0 {
		c.end()
	}
	c.height++
	if v.Edit != nil {
		v.Edit.draw(c)
	} else {
		KeyLine(v.Keys).draw(c)
	}
	return c.String()
}

// drawEnd writes what stands below the verdict: the server's side of it, how to read
// the screen, and the notes.
func (v *Compare) drawEnd(c *canvas, p *comparePlan) {
	if p.server {
		c.space(1)
		c.text(Plain, facts(v.Server, c.width-1))
		c.end()
	}
	for _, line := range v.explanation(c.width)[:p.explained] {
		c.space(1)
		c.text(Caution, line)
		c.end()
	}
	if p.reading > 0 {
		c.rule([]piece{{Plain, "how to read"}}, nil)
		for _, s := range v.readingLines(p.reading, c.width) {
			c.space(1)
			c.text(Muted, s)
			c.end()
		}
	}
	if p.titled {
		c.rule([]piece{{Plain, "notes"}}, nil)
	}
	Notes(v.Notes).draw(c, p.notes)
}

// facts keeps of a line, whose facts stand three spaces apart, those that fit: half a
// comparison would be of one side.
func facts(line string, room int) string {
	for cells(line) > room {
		cut := strings.LastIndex(line, "   ")
		if cut <= 0 {
			break
		}
		line = strings.TrimRight(line[:cut], " ")
	}
	return line
}

// explanation is the sentence on the server's order, in two lines at most.
func (v *Compare) explanation(width int) []string {
	if v.Explained == "" {
		return nil
	}
	lines := wrap("! "+v.Explained, width-2)
	return lines[:min(2, len(lines))]
}

// program names the screen: "fullbore A/B", "fullbore A..D".
func (v *Compare) program() string {
	switch n := len(v.Sides); {
	case n < 2:
		return "fullbore compare"
	case n == 2:
		return "fullbore " + v.Sides[0].Name + "/" + v.Sides[1].Name
	default:
		return "fullbore " + v.Sides[0].Name + ".." + v.Sides[n-1].Name
	}
}

// drawHeader writes who is compared on the left and how it stands on the right. When
// the line is short the data rate goes first, then the server, the way the rounds are
// run, the clock and the program's name.
func (v *Compare) drawHeader(c *canvas) {
	h := &v.Header
	left := []piece{{Strong, v.program()}, {Plain, h.Target}}
	for _, s := range [...]string{h.Mode, h.Server} {
		if s != "" {
			left = append(left, piece{Plain, s})
		}
	}
	right := h.right()
	gap := c.gap()
	wide := func() bool { return 2+gap+breadth(gap, left)+breadth(gap, right) > c.width }
	if wide() && h.Hertz > 0 {
		right = right[:len(right)-1]
	}
	for len(left) > 2 && wide() {
		left = left[:len(left)-1]
	}
	room := c.width - 2 - gap - breadth(gap, right)
	c.space(1)
	if room >= 8 {
		c.limit = 1 + room
		c.pieces(gap, left)
		c.limit = c.width
		c.to(c.width - 1 - breadth(gap, right))
	}
	c.pieces(gap, right)
	c.end()
}

// right is pair, state, clock, errors and, where it is said, the data rate.
func (h *CompareHeader) right() []piece {
	var ps []piece
	if h.Pair > 0 {
		pair := "pair " + strconv.Itoa(h.Pair)
		if h.Pairs > 0 {
			pair += "/" + strconv.Itoa(h.Pairs)
		}
		ps = append(ps, piece{Plain, pair})
	}
	errors := Plain
	if h.Errors > 0 {
		errors = Bad
	}
	ps = append(ps, piece{h.StateTone, h.State}, piece{Plain, Clock(h.Elapsed)}, piece{errors, "err " + Thousands(float64(h.Errors))})
	if h.Hertz > 0 {
		ps = append(ps, piece{Muted, strconv.Itoa(h.Hertz) + "Hz"})
	}
	return ps
}

// mark tells of what is simulated: for all sides alike, or by their names.
func (v *Compare) mark() string {
	var parts, names []string
	same := len(v.Sides) > 0
	for i := range v.Sides {
		s := &v.Sides[i]
		same = same && s.Mark == v.Sides[0].Mark
		if s.Mark != "" {
			parts = append(parts, s.Name+" "+s.Mark)
			names = append(names, s.Name)
		}
	}
	switch {
	case same:
		return v.Sides[0].Mark
	case len(parts) <= 1:
		return strings.Join(parts, ", ")
	}
	return "rtt of " + strings.Join(names, " ") + " simulated"
}

// drawChart writes the throughput of all rounds on one scale, as strips or as charts.
func (v *Compare) drawChart(c *canvas, p *comparePlan) {
	switch {
	case p.bars <= 0:
		return
	case p.wide:
		v.drawWideChart(c, p)
		return
	case p.beside:
		columns := v.columnsOf(c.width)
		t := v.chart(c, roundOps, v.narrowest(columns)-chartGutter-1, p.bars)
		v.chartRule(c, t)
		for r := range p.bars {
			for i, at := range columns {
				t.chartRow(c, at, i, r, v.tone(i))
			}
			c.end()
		}
		for i, at := range columns {
			t.chartFoot(c, at, v.footTitle(i)...)
		}
		c.end()
		for _, at := range columns {
			t.chartMarks(c, at)
		}
		c.end()
		return
	}
	labels := v.labels()
	t := v.chart(c, roundOps, c.width-stripLead-labels-2, p.bars)
	v.chartRule(c, t)
	v.strips(c, t, labels)
}

// narrowest is the width that all columns have.
func (v *Compare) narrowest(columns []span) int {
	w := 1 << 20
	for _, at := range columns {
		w = min(w, at.to-at.from)
	}
	return w
}

// The room for what sets sides apart, before their strips: labels, and servers that
// differ.
const (
	mostLabel  = 14
	mostServer = 24
)

// labels is the room for what sets the sides apart, before their strips: three sides
// and more may not all stand in the strip of knobs, and servers never do.
func (v *Compare) labels() int {
	n, most := 0, mostLabel
	if v.byServer() {
		most = mostServer
	}
	for i := range v.Sides {
		n = max(n, min(most, cells(v.tag(i))))
	}
	return n
}

// footTitle names a side at the foot of its chart.
func (v *Compare) footTitle(i int) []piece {
	name := v.Sides[i].Name
	if v.Sides[i].Focused {
		name = ">" + name
	}
	return append([]piece{{v.tone(i), name}}, pieces(v.tag(i))...)
}

// byServer tells whether the sides are set apart by their servers: two of them always
// where those differ, more of them where their labels are too long to do it.
func (v *Compare) byServer() bool {
	differ, long := false, len(v.Sides) == 2
	for i := range v.Sides {
		s := &v.Sides[i]
		differ = differ || s.Server != v.Sides[0].Server
		long = long || cells(s.Label) > mostLabel
	}
	return differ && long
}

// tag is what stands before a side's strip.
func (v *Compare) tag(i int) string {
	switch {
	case v.byServer():
		return v.Sides[i].Server
	case len(v.Sides) > 2:
		return v.Sides[i].Label
	}
	return ""
}

// chartRule says what the charts show, and on what scale.
func (v *Compare) chartRule(c *canvas, t roundChart) {
	left := []piece{{Plain, "throughput"}, {Plain, t.scale("ops/s")}}
	right := []piece{{Muted, t.last()}}
	for i := range v.Sides {
		if s := &v.Sides[i]; s.Active && s.Now.OK {
			right = []piece{{Strong, s.Name + " now " + Short(s.Now.Value)}, right[0]}
		}
	}
	c.rule(left, right)
}

// drawResults writes the table of results for so many sides as there are.
func (v *Compare) drawResults(c *canvas, p *comparePlan) {
	if p.rows <= 0 {
		return
	}
	if len(v.Sides) > 2 {
		rows := v.armRows(c.width)
		drops := make([]int, len(rows))
		for i := range rows {
			drops[i] = rows[i].drop
		}
		v.resultsRule(c)
		v.armHead(c)
		for _, i := range pick(drops, p.rows) {
			v.armLine(c, &rows[i])
		}
		return
	}
	drops := make([]int, len(v.Rows))
	for i := range v.Rows {
		drops[i] = v.Rows[i].drop()
	}
	rows := pick(drops, p.rows)
	if p.wide {
		v.wideTable(c, rows)
		return
	}
	v.resultsRule(c)
	v.versusHead(c)
	for _, i := range rows {
		v.versusRow(c, &v.Rows[i])
	}
}

// title is that of a section about the case in focus, which is named where there is
// more than one.
func (v *Compare) title(section, link string) []piece {
	ps := []piece{{Plain, section}}
	if len(v.Cases) > 1 && v.Case >= 0 && v.Case < len(v.Cases) {
		ps = append(ps, piece{Plain, link + v.Cases[v.Case].Title})
	}
	return ps
}

// resultsRule opens the results: of which test, since when, and what is simulated.
func (v *Compare) resultsRule(c *canvas) {
	left := v.title("results", "")
	if v.Since != "" {
		left = append(left, piece{Muted, "since " + v.Since})
	}
	if m := v.mark(); m != "" {
		left = append(left, piece{Caution, m})
	}
	c.rule(left, []piece{{Muted, v.Header.Mode}})
}
