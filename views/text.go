package views

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// clean makes a text safe to draw and tells its width in cells. Texts come from
// servers, files and keyboards: an escape code in an error reply must not reach
// the terminal, and a line break must not push the frame off the screen.
func clean(s string) (string, int) {
	if isPrintableASCII(s) {
		return s, len(s)
	}
	s = strings.Map(printable, s)
	return s, ansi.StringWidth(s)
}

// plainASCII replaces what a terminal of the ASCII glyph set may not know, so that no
// text changes its width: signs of the program's own words by their nearest letter,
// anything else by a question mark for each cell. s must be clean.
func plainASCII(s string) string {
	if isPrintableASCII(s) {
		return s
	}
	var b strings.Builder
	for s != "" {
		cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[len(cluster):]
		switch cluster {
		case "µ", "μ":
			b.WriteByte('u')
		case "×":
			b.WriteByte('x')
		case "…", "±":
			b.WriteByte('~')
		default:
			if isPrintableASCII(cluster) {
				b.WriteString(cluster)
				continue
			}
			b.WriteString(strings.Repeat("?", w))
		}
	}
	return b.String()
}

// isPrintableASCII holds for nearly every text there is, and needs no copy.
func isPrintableASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// printable keeps what has a shape of its own, turns other white space into a
// space and drops the rest. Variation selectors go because they change the width
// of the character before them, which may stand in another piece of the line.
func printable(r rune) rune {
	switch {
	case r >= 0xfe00 && r <= 0xfe0f:
		return -1
	case unicode.IsPrint(r):
		return r
	case unicode.IsSpace(r):
		return ' '
	}
	return -1
}

// cells is the width of a text once it is clean.
func cells(s string) int {
	_, w := clean(s)
	return w
}

// clip shortens a clean text of width w to at most room cells, the last of them
// the tail that says something is missing. It tells the width that is left.
func clip(s string, w, room int, tail string) (string, int) {
	switch {
	case room <= 0:
		return "", 0
	case w <= room:
		return s, w
	case room == 1:
		return tail, 1
	case len(s) == w:
		return s[:room-1] + tail, room
	}
	s = ansi.Truncate(s, room-1, "") + tail
	return s, ansi.StringWidth(s)
}

// wrap breaks a text into lines of at most width cells, at spaces where it can.
func wrap(s string, width int) []string {
	s, w := clean(s)
	if w <= width || width <= 0 {
		return []string{s}
	}
	return strings.Split(ansi.Wrap(s, width, ""), "\n")
}
