package views

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// KeyLine is the bottom line: what works now.
type KeyLine []Key

// Render draws the keys that fit, whole ones only: help and quit come first, so
// that they are the last to go.
func (k KeyLine) Render(f Frame) string {
	c := newCanvas(f)
	k.draw(c)
	return c.String()
}

// draw leaves out a key that does not fit and goes on: a shorter one may still fit,
// and half a hint helps nobody.
func (k KeyLine) draw(c *canvas) {
	c.space(1)
	for i, key := range k.ordered() {
		gap := c.gap()
		if i == 0 {
			gap = 0
		}
		if i > 0 && c.col+gap+cells(key.Keys)+1+cells(key.Does) > c.width {
			continue
		}
		c.space(gap)
		c.text(Accent, key.Keys)
		c.space(1)
		c.text(Plain, key.Does)
	}
	c.end()
}

// ordered puts "?" and "q" in front and leaves the rest as it is.
func (k KeyLine) ordered() []Key {
	out := make([]Key, 0, len(k))
	for _, first := range [...]string{"?", "q"} {
		for _, key := range k {
			if key.Keys == first {
				out = append(out, key)
			}
		}
	}
	for _, key := range k {
		if key.Keys != "?" && key.Keys != "q" {
			out = append(out, key)
		}
	}
	return out
}

// Render draws the open text field on one line: label, text with its cursor, and
// the reason why the text is refused or else the hint.
func (e Edit) Render(f Frame) string {
	c := newCanvas(f)
	e.draw(c)
	return c.String()
}

// draw writes the field. The cursor is a character of its own, for reverse video is
// gone where NO_COLOR is set.
func (e Edit) draw(c *canvas) {
	c.space(1)
	if c.width >= axisWidth {
		c.limit = c.width / 3
		c.text(Strong, e.Label+":")
		c.limit = c.width
		c.space(1)
	}
	tone, said := Muted, e.Hint
	if e.Error != "" {
		tone, said = Bad, "! "+e.Error
	}
	// The text comes first; what is said about it takes the rest of the line.
	before, after := e.around(c.width - c.col - 2)
	c.text(Plain, before)
	if after == "" {
		c.text(Accent, "_")
	} else {
		c.text(Accent, "|")
		c.text(Plain, after)
	}
	if said != "" && c.width-c.col > 8 {
		c.space(3)
		c.text(tone, said)
	}
	c.end()
}

// around cuts the text in two at the cursor and shortens both sides to room cells,
// so that the cursor stays in sight however long the text is.
func (e Edit) around(room int) (before, after string) {
	i := 0
	for n := 0; n < e.Cursor && i < len(e.Text); n++ {
		_, size := utf8.DecodeRuneInString(e.Text[i:])
		i += size
	}
	before, w := clean(e.Text[:i])
	if w > room {
		before = ansi.TruncateLeft(before, w-max(0, room), "")
		w = ansi.StringWidth(before)
	}
	after, v := clean(e.Text[i:])
	after, _ = clip(after, v, max(0, room-w), "")
	return before, after
}
