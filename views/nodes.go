package views

import (
	"strconv"
	"strings"
)

// Node is one server of a cluster and its part of the load.
type Node struct {
	Address   string // "127.0.0.1:7001"
	Role      string // "primary", "replica"
	Slots     int
	Clients   int // asked for
	Connected int
	Ops       Number // ops/s
	Share     Number // of the load of all nodes, 0 to 1
	P99       Duration
	Errors    int64  // error replies and lost commands
	CPU       Number // of one core, 0 to 1
	Gone      bool   // no longer part of the cluster
}

// Nodes is the table of a cluster's nodes, primaries first.
type Nodes struct {
	Title  string // "nodes, last 5s"
	Legend string // what its counts are of: "errors of the whole run"
	List   []Node
}

// Lines of the table of nodes: its rule and headings, the rows that it does not come
// without, and the rows that it has at most before the rest is summed up.
const (
	nodesFrame = 2
	nodesLeast = 4
	nodesMost  = 6
)

// Render draws the ruled title, the headings and as many nodes as the height takes, the
// rest summed up in the last line. On one line all of them are.
func (n Nodes) Render(f Frame) string {
	c := newCanvas(f)
	n.draw(c, min(c.height, nodesFrame+len(n.List)))
	return c.String()
}

// draw fills lines lines, fewer where there is nothing more to tell.
func (n Nodes) draw(c *canvas, lines int) {
	if len(n.List) == 0 || lines <= 0 {
		return
	}
	if lines <= nodesFrame || lines == nodesFrame+1 && len(n.List) > 1 {
		n.line(c, plural(len(n.List), "node"), n.List)
		return
	}
	c.rule(pieces(n.Title), n.legend())
	shown := n.List
	if rows := lines - nodesFrame; rows < len(shown) {
		shown = shown[:rows-1]
	}
	columns := n.columns(c.width, shown)
	c.space(2)
	for _, col := range columns {
		c.heading(col)
	}
	c.end()
	for i := range shown {
		c.space(2)
		for _, col := range columns {
			col.write(c, &shown[i])
		}
		c.end()
	}
	if rest := n.List[len(shown):]; len(rest) > 0 {
		n.line(c, "and "+plural(len(rest), "more node"), rest)
	}
}

// legend is for the rule's right end.
func (n Nodes) legend() []piece {
	if n.Legend == "" {
		return nil
	}
	return []piece{{Muted, n.Legend}}
}

// rows is how many lines the whole table wants below its frame.
func (n Nodes) rows() int {
	if len(n.List) > nodesMost {
		return nodesMost + 1
	}
	return len(n.List)
}

// line sums nodes up: the range of what they do, and who is gone. What does not fit
// goes from the end, whole.
func (n Nodes) line(c *canvas, what string, list []Node) {
	var ops, tail, cpu between
	var gone, silent []string
	errors := int64(0)
	for i := range list {
		node := &list[i]
		errors += node.Errors
		switch {
		case node.Gone:
			gone = append(gone, n.short(node.Address))
			continue
		case !node.Ops.OK && node.Clients > 0:
			silent = append(silent, n.short(node.Address))
		}
		ops.take(node.Ops)
		tail.take(Number{float64(node.P99.Value), node.P99.OK})
		cpu.take(node.CPU)
	}
	ps := []piece{{Plain, what}}
	if s := ops.text(Short); s != "" {
		ps = append(ps, piece{Plain, "ops/s " + s})
	}
	if s := tail.text(func(v float64) string { return Millis(nanoseconds(v)) }); s != "" {
		ps = append(ps, piece{Plain, "p99 " + s + " ms"})
	}
	if len(gone) > 0 {
		ps = append(ps, piece{Caution, named(gone, "gone")})
	}
	// Where all are silent there is nothing that one of them could be told by.
	if len(silent) > 0 && ops.any {
		ps = append(ps, piece{Caution, named(silent, "silent")})
	}
	if errors > 0 {
		ps = append(ps, piece{Bad, "errors " + Thousands(float64(errors))})
	}
	if s := cpu.text(wholePercent); s != "" {
		ps = append(ps, piece{Plain, "CPU " + s})
	}
	for len(ps) > 1 && 2+breadth(c.gap(), ps) > c.width {
		ps = ps[:len(ps)-1]
	}
	c.space(2)
	c.pieces(c.gap(), ps)
	c.end()
}

// named says of nodes what they are: of one or two by name, of more by their number.
func named(nodes []string, what string) string {
	if len(nodes) > 2 {
		return strconv.Itoa(len(nodes)) + " " + what
	}
	return strings.Join(nodes, " ") + " " + what
}

// short is what tells a node from the others: its port where all have the same host.
func (n Nodes) short(address string) string {
	host, port, ok := cutPort(address)
	for i := range n.List {
		if h, _, has := cutPort(n.List[i].Address); !ok || !has || h != host {
			return address
		}
	}
	return port
}

// cutPort parts an address before the colon of its port.
func cutPort(address string) (host, port string, ok bool) {
	i := strings.LastIndexByte(address, ':')
	if i < 0 {
		return address, "", false
	}
	return address[:i], address[i+1:], true
}

// between is the lowest and the highest of values; those that are unknown are left out.
type between struct {
	low, high float64
	any       bool
}

func (r *between) take(n Number) {
	if !n.OK || !isData(n.Value) || n.Value < 0 {
		return
	}
	if !r.any {
		*r = between{n.Value, n.Value, true}
	}
	r.low, r.high = min(r.low, n.Value), max(r.high, n.Value)
}

// text is "98k..121k", or one value where both ends read alike; empty for none.
func (r between) text(format func(float64) string) string {
	low, high := format(r.low), format(r.high)
	switch {
	case !r.any:
		return ""
	case low == high:
		return low
	}
	return low + ".." + high
}

// wholePercent writes a share without decimals, which would only flicker.
func wholePercent(share float64) string {
	if share >= 9.995 {
		return Short(100*share) + "%"
	}
	return strconv.FormatFloat(100*share, 'f', 0, 64) + "%"
}

// percent is wholePercent for a share that may be unknown.
func (n Number) percent() string {
	if !n.OK || !isData(n.Value) {
		return unknown
	}
	return wholePercent(n.Value)
}
