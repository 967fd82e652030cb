package views

import (
	"strconv"
	"strings"
	"time"
)

// Render draws the top line: who is tested on the left, how it stands on the right.
func (h Header) Render(f Frame) string {
	c := newCanvas(f)
	h.draw(c)
	return c.String()
}

// draw writes the line. When it is short the details of the server go first, then
// the data rate, the clock and the program's name; the state and the errors stay.
func (h Header) draw(c *canvas) {
	gap := c.gap()
	left, right := h.left(), h.right(c.width >= roomyWidth)
	wide := func() bool { return 2+gap+breadth(gap, left)+breadth(gap, right) > c.width }
	for len(left) > 2 && wide() {
		if last := &left[len(left)-1]; h.Server != "" && last.text == h.server() && h.shorten() {
			last.text = h.server()
			continue
		}
		left = left[:len(left)-1]
	}
	if wide() {
		right = right[:3]
	}
	if wide() {
		right = []piece{right[0], right[2]}
	}
	if wide() {
		left = left[1:2]
	}
	// What still does not fit is a long target: cut it, but not below a size at which
	// one can tell it from another.
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

// left names the program, the target and, most important first, what is known of
// the server. Missing connections are a fault and come before the rest.
func (h Header) left() []piece {
	ps := []piece{{Strong, "fullbore"}, {Plain, h.Target}}
	connected := h.Clients > 0 && h.Connected >= h.Clients
	if h.Clients > 0 && !connected {
		ps = append(ps, piece{Caution, "conn " + strconv.Itoa(h.Connected) + "/" + strconv.Itoa(h.Clients)})
	}
	for _, s := range [...]string{h.server(), h.Origin} {
		if s != "" {
			ps = append(ps, piece{Plain, s})
		}
	}
	if connected {
		ps = append(ps, piece{Muted, "conn ok"})
	}
	if h.RTT > 0 {
		rtt := strconv.FormatFloat(float64(h.RTT)/float64(time.Millisecond), 'f', 2, 64)
		ps = append(ps, piece{Muted, "rtt " + rtt + " ms"})
	}
	return ps
}

// server is what is known of the server, and of the cluster it is part of.
func (h Header) server() string { return strings.TrimSpace(h.Server + " " + h.Cluster) }

// shorten takes the last part of the server's words away, so that a long tail does not
// cost its name and version; false when nothing but these is left.
func (h *Header) shorten() bool {
	if h.Cluster != "" {
		h.Cluster = ""
		return true
	}
	i := strings.LastIndex(h.Server, ", ")
	if i > 0 {
		h.Server = h.Server[:i]
	}
	return i > 0
}

// right is always four pieces: state, clock, errors, data rate.
func (h Header) right(roomy bool) []piece {
	errors, hertz := Plain, strconv.Itoa(h.Hertz)+"Hz"
	if h.Errors > 0 {
		errors = Bad
	}
	if roomy {
		hertz = "ui " + hertz
	}
	return []piece{
		{h.StateTone, h.State},
		{Plain, Clock(h.Elapsed)},
		{errors, "err " + Thousands(float64(h.Errors))},
		{Muted, hertz},
	}
}
