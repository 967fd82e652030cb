package views

import (
	"fmt"
	"strings"
)

// Glyphs is the set of characters that charts and rules are drawn with.
type Glyphs int

// The glyph sets. Block and line characters have an ambiguous width in East Asian
// fonts; ASCII and braille do not.
const (
	ASCII   Glyphs = iota // three levels a cell: . : |
	Block                 // eight levels a cell, line-drawing rules
	Braille               // two columns and four levels a cell, ASCII rules
)

// GlyphNames lists the names that GlyphsByName accepts.
func GlyphNames() []string { return []string{"ascii", "block", "braille"} }

// GlyphsByName finds a glyph set; the error lists the names there are.
func GlyphsByName(name string) (Glyphs, error) {
	for i, n := range GlyphNames() {
		if n == name {
			return Glyphs(i), nil
		}
	}
	return ASCII, fmt.Errorf("glyphs %q: want one of %s", name, strings.Join(GlyphNames(), ", "))
}

// String is the name that GlyphsByName accepts.
func (g Glyphs) String() string {
	if g < 0 || g > Braille {
		return "ascii"
	}
	return GlyphNames()[g]
}

// isASCII reports whether nothing beyond ASCII may be drawn: neither glyphs nor
// texts, since a terminal that has no blocks has no other signs either.
func (g Glyphs) isASCII() bool { return g != Block && g != Braille }

// glyphSet is the table behind a Glyphs; everything in it is one cell wide.
type glyphSet struct {
	across, up, corner rune   // rules and axes
	tail               string // stands for text that was cut off
	before, after      string // more on that side
	levels             int    // steps of a bar within one cell, from the bottom
	bar                [9]rune
	braille            bool    // two bars share a cell
	layers             [3]rune // the bodies of p50, p99 and p99.9
	full, part         rune    // lying bars, and the least that shows
}

// set gives the table of a glyph set; an unknown one is ASCII.
func (g Glyphs) set() glyphSet {
	ascii := glyphSet{
		across: '-', up: '|', corner: '+', tail: "~", before: "<", after: ">",
		levels: 3, bar: [9]rune{' ', '.', ':', '|'},
		layers: [3]rune{'|', ':', '.'},
		full:   '#', part: '.',
	}
	switch g {
	case Block:
		return glyphSet{
			across: '─', up: '│', corner: '└', tail: "…", before: "‹", after: "›",
			levels: 8, bar: [9]rune{' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'},
			layers: [3]rune{'█', '▒', '░'},
			full:   '█', part: '▏',
		}
	case Braille:
		// Rules stay ASCII: whoever picks braille does so for its certain width.
		set := ascii
		set.levels, set.braille = 4, true
		set.layers = [3]rune{'⣿', '⢕', '⠡'}
		set.full, set.part = '⣿', '⡇'
		return set
	}
	return ascii
}

// brailleCell joins two bars of 0..4 dots, each growing from the bottom.
func brailleCell(left, right int) rune {
	l := [5]rune{0, 0x40, 0x44, 0x46, 0x47}
	r := [5]rune{0, 0x80, 0xa0, 0xb0, 0xb8}
	if left == 0 && right == 0 {
		return ' '
	}
	return 0x2800 + l[left] + r[right]
}
