package views

// plan is how the lines of the live screen are shared out.
type plan struct {
	knobs      int   // lines of the strip; three come with a rule above
	throughput int   // lines of the chart, rule and axis included
	latency    int   // the same; zero leaves a spark line in the table's rule
	rows       []int // of the table
	beside     int   // column of the distribution next to the table, zero = none
	stacked    int   // lines of the distribution below the table, zero = none
	server     bool
	notes      int
}

// Lines that a chart needs besides its rows: rule, axis, times.
const (
	throughputFrame = 3
	latencyFrame    = 2
)

// Rows of the charts: the least, and what is worth having before anything is added.
const (
	leastRows     = 4
	fullRows      = 8
	latencyRows   = 4
	besideWidth   = 104 // least width for the distribution beside the table
	stackedHeight = 7   // least height for it below
)

// budget hands out the lines of a frame.
type budget int

// take spends n lines if they are there.
func (b *budget) take(n int) bool {
	if n <= 0 || int(*b) < n {
		return false
	}
	*b -= budget(n)
	return true
}

// plan shares the frame out in the order of SCREENS.md: what drawing 1 has, then a
// taller chart, the latency chart, the rows and ranges that waited, the
// distribution, server INFO, and whatever is left to the charts.
func (l Live) plan(f Frame) plan {
	p := plan{knobs: 2, throughput: throughputFrame + leastRows, notes: 2}
	if len(l.Knobs) == 0 {
		p.knobs = 0
	}
	rows := l.Table.essential()
	// Header, table rule and headings, notes rule, key line.
	b := budget(f.Height - 5 - p.knobs - p.throughput - rows - p.notes)
	if l.Banner != "" {
		b--
	}
	for ; b < 0 && rows > 3; b++ {
		rows--
	}
	for ; b < 0 && p.notes > 1; b++ {
		p.notes--
	}
	for ; b < 0 && p.throughput > throughputFrame+2; b++ {
		p.throughput--
	}
	for p.throughput < throughputFrame+fullRows && b.take(1) {
		p.throughput++
	}
	// The chart's rule takes the place of the table's.
	if b.take(latencyFrame + latencyRows - 1) {
		p.latency = latencyFrame + latencyRows
	}
	for rows < len(l.Table.Rows) && b.take(1) {
		rows++
	}
	p.rows = l.Table.pick(rows)
	if l.hasRanges() && b.take(2) {
		p.knobs = 3
	}
	l.distribution(&p, &b, f.Width)
	p.server = l.Server != "" && b.take(2)
	p.grow(int(b))
	return p
}

// distribution finds its place beside the table, which costs no line, or below it.
func (l Live) distribution(p *plan, b *budget, width int) {
	if len(l.Bars) == 0 && l.BarsTitle == "" {
		return
	}
	if width >= besideWidth && len(p.rows) >= 3 {
		_, change := tableEdges(width)
		p.beside = change + changeWidth + 1
		return
	}
	for want := len(l.Bars) + 1; want >= min(stackedHeight, len(l.Bars)+1) && want > 1; want-- {
		if b.take(want) {
			p.stacked = want
			return
		}
	}
}

// grow gives lines to the charts: first two to the latency, which has the fewest,
// then three of five to the throughput.
func (p *plan) grow(lines int) {
	if lines <= 0 {
		return
	}
	if p.latency > 0 {
		first := min(lines, 2)
		tall := first + (lines-first)*2/5
		p.latency += tall
		lines -= tall
	}
	p.throughput += lines
}

// hasRanges tells whether a third line of knobs would say anything.
func (l Live) hasRanges() bool {
	for _, k := range l.Knobs {
		if k.Range != "" {
			return true
		}
	}
	return false
}
