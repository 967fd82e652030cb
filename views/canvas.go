package views

import "unicode/utf8"

// roomyWidth is where lines take three spaces between their parts instead of two.
const roomyWidth = 100

// canvas collects the lines of a view and keeps the laws for all of them: no line
// wider than the frame, no line too many, no space at the end of a line, and as
// few escape codes as the tones allow (spaces stay pending until ink follows).
type canvas struct {
	theme         Theme
	glyphs        glyphSet
	width, height int
	buf           []byte
	lines         int // finished ones

	col, pending int  // cells used on this line; trailing ones not yet written
	limit        int  // text of this line stops here
	tone         Tone // of the open run
	open         bool // the line break before this line is written
}

// newCanvas prepares for a frame; a frame without cells takes no ink.
func newCanvas(f Frame) *canvas {
	c := &canvas{theme: f.Theme, glyphs: f.Theme.Glyphs.set(), width: f.Width, height: f.Height}
	if c.width <= 0 || c.height <= 0 {
		c.width, c.height = 0, 0
	}
	c.limit = c.width
	c.buf = make([]byte, 0, min(2*c.width*c.height, 1<<16)+256)
	return c
}

// gap is the space between the parts of a line.
func (c *canvas) gap() int {
	if c.width >= roomyWidth {
		return 3
	}
	return 2
}

// left is the number of lines that still fit.
func (c *canvas) left() int { return c.height - c.lines }

// text writes a piece, cut to what the line can still take.
func (c *canvas) text(tone Tone, s string) {
	s, w := clean(s)
	if c.theme.Glyphs.isASCII() {
		s = plainASCII(s)
	}
	s, w = clip(s, w, c.limit-c.col, c.glyphs.tail)
	// Spaces at either end become pending: they may yet turn out to end the line.
	for len(s) > 0 && s[0] == ' ' {
		s, w = s[1:], w-1
		c.space(1)
	}
	n := len(s)
	for n > 0 && s[n-1] == ' ' {
		n--
	}
	if n > 0 && c.ink(tone) {
		c.buf = append(c.buf, s[:n]...)
		c.col += w - (len(s) - n)
	}
	c.space(len(s) - n)
}

// glyph writes one cell of a chart; a space costs nothing until ink follows.
func (c *canvas) glyph(tone Tone, r rune) {
	switch {
	case c.col >= c.limit:
	case r == ' ':
		c.space(1)
	case c.ink(tone):
		c.buf = utf8.AppendRune(c.buf, r)
		c.col++
	}
}

// fill repeats a glyph.
func (c *canvas) fill(tone Tone, r rune, n int) {
	for range n {
		c.glyph(tone, r)
	}
}

// space moves on without ink.
func (c *canvas) space(n int) {
	n = min(n, c.limit-c.col)
	if n > 0 {
		c.col += n
		c.pending += n
	}
}

// to moves on to a column, if the line is not there yet.
func (c *canvas) to(col int) { c.space(col - c.col) }

// right writes a text that ends before a column. Where the line is already too
// far, one space keeps the text apart from its neighbour.
func (c *canvas) right(end int, tone Tone, s string) {
	start := end - cells(s)
	if c.col > 0 {
		start = max(start, c.col+1)
	}
	c.to(start)
	c.text(tone, s)
}

// ink opens a run in a tone and writes the spaces that were pending. It refuses
// below the frame's last line.
func (c *canvas) ink(tone Tone) bool {
	if c.lines >= c.height {
		return false
	}
	if c.open && c.pending == 0 && tone == c.tone {
		return true
	}
	if !c.open {
		if c.lines > 0 {
			c.buf = append(c.buf, '\n')
		}
		c.open, c.tone = true, Plain
	}
	was, now := c.theme.pen(c.tone), c.theme.pen(tone)
	// Between two runs the spaces belong to neither, so that no style shows in them.
	if was != now {
		c.buf = append(c.buf, was.after...)
	}
	for ; c.pending > 0; c.pending-- {
		c.buf = append(c.buf, ' ')
	}
	if was != now {
		c.buf = append(c.buf, now.before...)
	}
	c.tone = tone
	return true
}

// end finishes the line. Lines beyond the frame's height leave no trace.
func (c *canvas) end() {
	if c.lines < c.height {
		// Plain ink closes the open run and puts the line break of an empty line.
		c.pending = 0
		c.ink(Plain)
		c.lines++
	}
	c.col, c.pending, c.limit, c.open = 0, 0, c.width, false
}

// String is the view: the lines, without a break after the last one.
func (c *canvas) String() string { return string(c.buf) }

// piece is a text in a tone.
type piece struct {
	tone Tone
	text string
}

// breadth is the width of pieces that stand gap cells apart.
func breadth(gap int, ps []piece) int {
	w := gap * max(0, len(ps)-1)
	for _, p := range ps {
		w += cells(p.text)
	}
	return w
}

// pieces writes them gap cells apart.
func (c *canvas) pieces(gap int, ps []piece) {
	for i, p := range ps {
		if i > 0 {
			c.space(gap)
		}
		c.text(p.tone, p.text)
	}
}

// rule writes the line that opens a section: what it is on the left, what it says
// in sum on the right, dashes between. The last pieces on the right go first when
// the line is short, then the dashes, and the title alone remains.
func (c *canvas) rule(left, right []piece) {
	gap, dash := c.gap(), c.glyphs.across
	l := breadth(gap, left)
	if l+6 > c.width {
		c.pieces(1, left)
		c.end()
		return
	}
	for len(right) > 0 && l+breadth(gap, right)+10 > c.width {
		right = right[:len(right)-1]
	}
	c.fill(Muted, dash, 2)
	c.space(1)
	c.pieces(gap, left)
	c.space(1)
	if len(right) > 0 {
		r := breadth(gap, right)
		c.fill(Muted, dash, c.width-r-4-c.col)
		c.space(1)
		c.pieces(gap, right)
		c.space(1)
	}
	c.fill(Muted, dash, c.width-c.col)
	c.end()
}
