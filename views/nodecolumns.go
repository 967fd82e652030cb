package views

import "strconv"

// nodeColumn is a column of the table of nodes. The columns of words begin, those of
// numbers end, at an edge.
type nodeColumn struct {
	title string
	width int // of its widest value and the space before it
	leave int // the higher, the earlier it leaves a narrow frame; 0 stays
	left  bool
	value func(n *Node) string
}

// nodeColumns are all of them, in their order.
func nodeColumns() []nodeColumn {
	return []nodeColumn{
		{title: "role", width: 9, leave: 4, left: true, value: func(n *Node) string { return n.Role }},
		{title: "slots", width: 7, leave: 6, value: func(n *Node) string { return Thousands(float64(n.Slots)) }},
		{title: "clients", width: 11, leave: 3, value: (*Node).clients},
		{title: "ops/s", width: 12, value: func(n *Node) string { return n.Ops.thousands() }},
		{title: "share", width: 7, leave: 5, value: func(n *Node) string { return n.Share.percent() }},
		{title: "p99 ms", width: 10, value: func(n *Node) string { return n.P99.millis() }},
		{title: "errors", width: 9, leave: 1, value: func(n *Node) string { return Thousands(float64(n.Errors)) }},
		{title: "CPU", width: 6, leave: 2, value: func(n *Node) string { return n.CPU.percent() }},
	}
}

// The room of addresses, and the mark of a node that is gone.
const (
	leastAddress = 14 // before other columns give way
	shortAddress = 8
	mostAddress  = 40
	goneMark     = " gone"
)

// columns are those that fit, the addresses first; the spare cells go between them.
func (n Nodes) columns(width int, shown []Node) []nodeColumn {
	address := nodeColumn{title: "node", left: true, value: func(n *Node) string { return n.Address }}
	for i := range shown {
		address.width = max(address.width, cells(shown[i].Address)+shown[i].mark())
	}
	address.width = max(leastAddress, min(address.width, mostAddress, width/2))
	out := append([]nodeColumn{address}, nodeColumns()...)
	for {
		total, last := 2, 0
		for i := range out {
			total += out[i].width
			if out[i].leave > out[last].leave {
				last = i
			}
		}
		if spare := width - 1 - total; spare >= 0 || last == 0 {
			for i := range out[1:] {
				out[i+1].width += max(0, min(3, spare/(len(out)-1)))
			}
			out[0].width = max(shortAddress, out[0].width+min(0, spare))
			return out
		}
		out = append(out[:last:last], out[last+1:]...)
	}
}

// mark is the room of the mark that a node is gone.
func (n *Node) mark() int {
	if n.Gone {
		return len(goneMark)
	}
	return 0
}

// clients are those connected, out of how many where some are missing.
func (n *Node) clients() string {
	if n.Connected == n.Clients {
		return strconv.Itoa(n.Clients)
	}
	return strconv.Itoa(n.Connected) + "/" + strconv.Itoa(n.Clients)
}

// heading writes a column's title.
func (c *canvas) heading(k nodeColumn) {
	if k.left {
		end := c.col + k.width
		c.to(end - k.width + k.lead())
		c.text(Muted, k.title)
		c.to(end)
		return
	}
	c.right(c.col+k.width, Muted, k.title)
}

// lead is the space before a column of words that is not the first.
func (k nodeColumn) lead() int {
	if k.leave > 0 {
		return 2
	}
	return 0
}

// write puts a node's value into the column.
func (k nodeColumn) write(c *canvas, n *Node) {
	end, limit := c.col+k.width, c.limit
	switch {
	case !k.left:
		c.right(end, k.tone(n), k.value(n))
	case k.leave > 0:
		c.limit = min(limit, end)
		c.to(end - k.width + k.lead())
		c.text(k.tone(n), k.value(n))
	default:
		// The mark is never what has no room, nor is the port.
		c.text(k.tone(n), withPort(n.Address, k.width-n.mark(), c.glyphs.tail))
		if n.Gone {
			c.text(Caution, goneMark)
		}
	}
	c.limit = limit
	c.to(end)
}

// tone sets off what is missing or wrong; the words and numbers say it too.
func (k nodeColumn) tone(n *Node) Tone {
	switch {
	case n.Gone:
		return Muted
	case k.title == "errors" && n.Errors > 0:
		return Bad
	case k.title == "clients" && n.Connected < n.Clients:
		return Caution
	}
	return Plain
}

// withPort cuts a long address in its host: nodes of one cluster often have nothing
// but the port to tell them apart.
func withPort(address string, room int, tail string) string {
	address, w := clean(address)
	if w <= room {
		return address
	}
	if host, port, ok := cutPort(address); ok {
		if left := room - cells(port) - 1; left > 1 {
			host, _ = clip(host, cells(host), left, tail)
			return host + ":" + port
		}
	}
	address, _ = clip(address, w, room, tail)
	return address
}
