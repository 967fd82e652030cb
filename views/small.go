package views

import "strconv"

// Render draws what a terminal below the minimum gets: its size and the one that
// is needed, the numbers that matter, and that the load goes on.
func (s TooSmall) Render(f Frame) string {
	c := newCanvas(f)
	airy := c.height >= 7
	blank := func() {
		if airy {
			c.end()
		}
	}
	blank()
	s.need(c)
	if c.left() > 0 {
		blank()
		s.numbers(c)
	}
	// The keys outlast the sentence, for they are how one gets out.
	if c.left() > 1 {
		s.running(c)
		blank()
	}
	if c.left() > 0 {
		s.keys(c)
	}
	return c.String()
}

// need writes the longest of the texts that fits.
func (s TooSmall) need(c *canvas) {
	wide, tall := s.NeedWide, s.NeedTall
	if wide <= 0 || tall <= 0 {
		wide, tall = MinWidth, MinHeight
	}
	want := strconv.Itoa(wide) + " x " + strconv.Itoa(tall)
	is := strconv.Itoa(c.width) + " x " + strconv.Itoa(c.height)
	c.longest(Plain, "terminal is "+is+"; need "+want, is+"; need "+want, "need "+want)
}

// numbers writes throughput, latencies and errors, as many as fit.
func (s TooSmall) numbers(c *canvas) {
	ops := s.Ops.thousands() + " ops/s"
	p50, p99 := "   p50 "+s.P50.millis(), "   p99 "+s.P99.millis()
	errors := "   err " + Thousands(float64(s.Errors))
	tone := Strong
	if s.Errors > 0 {
		tone = Bad
	}
	// Dropping whole numbers keeps those that remain true; cutting would not.
	short := Short(s.Ops.Value)
	if !s.Ops.OK {
		short = unknown
	}
	c.longest(tone, ops+p50+p99+errors, ops+p99+errors, ops+errors, ops, short)
}

// running says in words what the header says with its state.
func (s TooSmall) running(c *canvas) {
	if s.Running {
		c.longest(Good, "load is still running", "running")
		return
	}
	c.longest(Caution, "load is not running", "stopped")
}

// keys writes what works; on the narrowest terminals only the key to leave with.
func (s TooSmall) keys(c *canvas) {
	keys := s.Keys
	if len(keys) == 0 {
		keys = []Key{{"q", "quit"}, {"space", "pause"}}
	}
	if c.width >= axisWidth {
		c.space(1)
	}
	if c.width >= len(" q quit") {
		KeyLine(keys).draw(c)
		return
	}
	c.longest(Plain, keys[0].Keys)
}

// longest writes the first of the texts that fits, and ends the line.
func (c *canvas) longest(tone Tone, texts ...string) {
	margin := 0
	if c.width >= axisWidth {
		margin = 2
	}
	for _, t := range texts {
		if margin+cells(t) <= c.width {
			c.space(margin)
			c.text(tone, t)
			break
		}
	}
	c.end()
}
