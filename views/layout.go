package views

// plan is how the lines of the live screen are shared out.
type plan struct {
	knobs      int   // lines of the strip; three come with a rule above
	throughput int   // lines of the chart, rule and axis included
	latency    int   // the same; zero leaves a spark line in the table's rule
	rows       []int // of the table
	beside     int   // column of the distribution next to the table, zero = none
	stacked    int   // lines of the distribution below the table, zero = none
	nodes      int   // lines for the nodes of a cluster: none, one in sum, or a table
	server     int   // lines of the server's section, zero = none
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
	latencyGrowth = 2   // rows of its own before the charts share what is left
	besideWidth   = 104 // least width for the distribution beside the table
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
// taller chart, the latency chart, the nodes, the rows and ranges that waited, server
// INFO, and whatever is left to the charts.
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
	// What a single node does stands in the table above.
	if len(l.Nodes.List) > 1 {
		p.nodes = 1
		b--
	}
	// A frame that cannot hold even that: rows go first, then notes, then the plot.
	for ; b < 0 && rows > 3; b++ {
		rows--
	}
	for ; b < 0 && p.nodes > 0; b++ {
		p.nodes--
	}
	for ; b < 0 && p.notes > 1; b++ {
		p.notes--
	}
	for ; b < 0 && p.throughput > throughputFrame+2; b++ {
		p.throughput--
	}
	l.placeBeside(&p, f.Width, rows)
	p.rows = l.Table.pick(l.add(&p, &b, f.Width, rows))
	p.grow(int(b))
	return p
}

// add spends lines on what drawing 1 leaves out, one thing after the other. Where
// something does not fit the charts keep the lines: were a smaller thing to slip in,
// it would have to go again on a slightly taller screen. It tells how many rows the
// table has in the end.
func (l Live) add(p *plan, b *budget, width, rows int) int {
	for p.throughput < throughputFrame+fullRows && b.take(1) {
		p.throughput++
	}
	// The chart's rule takes the place of the table's.
	if !b.take(latencyFrame + latencyRows - 1) {
		return rows
	}
	p.latency = latencyFrame + latencyRows
	if !l.addNodes(p, b) {
		return rows
	}
	for rows < len(l.Table.Rows) && b.take(1) {
		rows++
	}
	if Strip(l.Knobs).hasRanges() {
		if !b.take(2) {
			return rows
		}
		p.knobs = 3
	}
	if !l.addServer(p, b, width) {
		return rows
	}
	// Below the table the distribution costs many lines: only a tall screen has them.
	if n := len(l.Bars) + 1; p.beside == 0 && n > 1 && int(*b) >= n+latencyGrowth && b.take(n) {
		p.stacked = n
	}
	return rows
}

// addServer gives the server its section, with the limiter in it; false where some of it
// has no room.
func (l Live) addServer(p *plan, b *budget, width int) bool {
	if l.Server.empty() {
		return true
	}
	least := serverFrame + 1
	if l.Limiter.known() {
		least++
	}
	if !b.take(least) {
		return false
	}
	p.server = least
	for range l.Server.factLines(width) - 1 {
		if !b.take(1) {
			return false
		}
		p.server++
	}
	return true
}

// addNodes makes a table of the line that sums the nodes up, first a short one; false
// where some of it has no room.
func (l Live) addNodes(p *plan, b *budget) bool {
	most := l.Nodes.rows()
	if most == 0 {
		return true
	}
	least := nodesFrame + min(most, nodesLeast)
	if !b.take(least - p.nodes) {
		return false
	}
	for p.nodes = least; p.nodes < nodesFrame+most; p.nodes++ {
		if !b.take(1) {
			return false
		}
	}
	return true
}

// placeBeside puts the distribution next to the table, which costs no line.
func (l Live) placeBeside(p *plan, width, rows int) {
	if (len(l.Bars) > 0 || l.BarsTitle != "") && width >= besideWidth && rows >= 3 {
		_, change := tableEdges(width)
		p.beside = change + changeWidth + 1
	}
}

// grow gives lines to the charts: first some to the latency, which has the fewest,
// then three of five to the throughput.
func (p *plan) grow(lines int) {
	if lines <= 0 {
		return
	}
	if p.latency > 0 {
		first := min(lines, latencyGrowth)
		tall := first + (lines-first)*2/5
		p.latency += tall
		lines -= tall
	}
	p.throughput += lines
}
