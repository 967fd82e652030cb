package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// mono is a canvas without colour.
func mono(width, height int) *canvas {
	return newCanvas(Frame{Width: width, Height: height})
}

func TestRunsOfOneToneAreMerged(t *testing.T) {
	c := newCanvas(Frame{Width: 40, Height: 2, Theme: DefaultTheme(ASCII)})
	c.text(Accent, "a")
	c.space(3)
	c.text(Accent, "b")
	c.space(2)
	c.text(Plain, "c")
	c.text(Muted, "d ")
	c.text(Muted, " ")
	c.end()
	c.text(Good, "e")
	c.end()
	if got, want := c.String(), "\x1b[36ma   b\x1b[0m  c\x1b[2md\x1b[0m\n\x1b[32me\x1b[0m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A tone without a pen of its own costs nothing.
func TestTonesThatLookAlikeAreOneRun(t *testing.T) {
	c := newCanvas(Frame{Width: 40, Height: 1, Theme: HighContrastTheme(ASCII)})
	c.text(Muted, "a")
	c.text(Plain, "b")
	c.end()
	if got := c.String(); got != "ab" {
		t.Errorf("got %q", got)
	}
}

func TestLinesEndWithInk(t *testing.T) {
	c := mono(10, 4)
	c.text(Plain, "  a  ")
	c.space(3)
	c.end()
	c.space(9)
	c.end()
	c.fill(Plain, ' ', 4)
	c.glyph(Plain, 'x')
	c.fill(Plain, ' ', 4)
	c.end()
	if got, want := c.String(), "  a\n\n    x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLinesBeyondTheFrameLeaveNoTrace(t *testing.T) {
	c := mono(10, 2)
	for _, s := range []string{"one", "two", "three", "four"} {
		c.text(Plain, s)
		c.glyph(Plain, '!')
		c.end()
	}
	if got, want := c.String(), "one!\ntwo!"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := c.left(); n != 0 {
		t.Errorf("%d lines left", n)
	}
}

func TestTextStopsAtTheLimit(t *testing.T) {
	for _, tt := range []struct {
		width int
		text  string
		want  string
	}{
		{5, "12345", "12345"}, {5, "123456", "1234~"}, {1, "12", "~"}, {1, "1", "1"},
		{5, "漢字仮", "漢字~"}, {4, "漢字仮", "漢~"}, {6, "漢字仮", "漢字仮"}, {1, "漢", "~"},
	} {
		c := mono(tt.width, 1)
		c.theme.Glyphs = Braille // which draws texts as they are
		c.text(Plain, tt.text)
		c.end()
		if got := c.String(); got != tt.want || ansi.StringWidth(got) > tt.width {
			t.Errorf("%q in %d: %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

func TestRightAligned(t *testing.T) {
	c := mono(20, 2)
	c.text(Plain, "ab")
	c.right(10, Plain, "123")
	c.right(14, Plain, "45")
	c.end()
	// Two numbers without a space between them would read as one.
	c.text(Plain, "abcdefgh")
	c.right(10, Plain, "1234")
	c.end()
	if got, want := c.String(), "ab     123  45\nabcdefgh 1234"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRule(t *testing.T) {
	left := []piece{{Plain, "throughput"}, {Strong, "12 ops/s"}}
	right := []piece{{Plain, "avg 10"}, {Plain, "peak 14"}, {Muted, "120s"}}
	for width, want := range map[int]string{
		60: "-- throughput  12 ops/s ---------- avg 10  peak 14  120s --",
		52: "-- throughput  12 ops/s ---- avg 10  peak 14  120s --",
		50: "-- throughput  12 ops/s ------- avg 10  peak 14 --",
		40: "-- throughput  12 ops/s ----- avg 10 --",
		30: "-- throughput  12 ops/s ------",
		24: "throughput 12 ops/s",
		12: "throughput ~",
		3:  "th~",
	} {
		c := mono(width, 1)
		c.rule(left, right)
		got := c.String()
		// The dashes take what is left, whatever that is.
		if squeeze(got) != squeeze(want) {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
		if strings.Contains(got, "--") && len(got) != width {
			t.Errorf("width %d: the rule is %d wide", width, len(got))
		}
	}
}

// squeeze makes every run of dashes one dash.
func squeeze(s string) string {
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "-")
	}
	return s
}

func TestCell(t *testing.T) {
	c := mono(20, 1)
	c.cell(2, 6, Plain, "abcdefgh")
	c.cell(8, 12, Plain, "ij")
	c.cell(15, 99, Plain, "klmnopq")
	c.end()
	if got, want := c.String(), "  abc~  ij     klmn~"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestClean(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		width    int
	}{
		{"plain", "plain", 5}, {"", "", 0}, {"a\tb\nc", "a b c", 5}, {"\x1b[31mred\x1b[0m", "[31mred[0m", 10},
		{"a\x00b\x7fc\u0085d", "abc d", 5}, {"caf\u00e9", "caf\u00e9", 4}, {"漢字", "漢字", 4}, {"a\u202eb\u200bc", "abc", 3},
		{"❤\ufe0f", "❤", 1}, {"\u00a0x", " x", 2}, {"a\xffb", "a\ufffdb", 3},
	} {
		if got, w := clean(tt.in); got != tt.want || w != tt.width {
			t.Errorf("clean(%q) = %q, %d; want %q, %d", tt.in, got, w, tt.want, tt.width)
		}
	}
}

func TestClipKeepsItsPromise(t *testing.T) {
	letters := []rune("ab漢é🚀 \u0301z")
	r := source(5)
	for range 3000 {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteRune(letters[r.IntN(len(letters))])
		}
		s, w := clean(b.String())
		room := r.IntN(40) - 2
		got, width := clip(s, w, room, "~")
		if width > max(0, room) || width != ansi.StringWidth(got) {
			t.Fatalf("clip(%q, %d) = %q of %d cells", s, room, got, width)
		}
		if w <= room && got != s {
			t.Fatalf("clip(%q, %d) = %q: nothing had to go", s, room, got)
		}
	}
}

// The replacement of a text is ASCII and exactly as wide, whatever it was made of:
// columns to its right must not move with the terminal's font.
func TestPlainASCII(t *testing.T) {
	for in, want := range map[string]string{
		"lag p99 971\u00b5s": "lag p99 971us", "latency \u00d7 rate": "latency x rate", "cut\u2026": "cut~",
		"caf\u00e9": "caf?", "\u754c!": "??!", "e\u0301x": "?x", "": "", "plain": "plain",
	} {
		clean, w := clean(in)
		got := plainASCII(clean)
		if got != want || !isPrintableASCII(got) || len(got) != w {
			t.Errorf("%q: %q of %d cells, want %q of %d", in, got, len(got), want, w)
		}
	}
}

func FuzzPlainASCII(f *testing.F) {
	for _, s := range []string{"", "abc", "\u00b5\u00d7", "\u754c\u0301", "\U0001f468\u200d\U0001f469", "\u0300", "\xff\x1b[2J"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s, w := clean(s)
		if got := plainASCII(s); !isPrintableASCII(got) || len(got) != w {
			t.Errorf("%q of %d cells became %q", s, w, got)
		}
	})
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		in    string
		width int
		want  string
	}{
		{"one two three", 20, "one two three"}, {"one two three", 8, "one two/three"}, {"abcdefghij", 4, "abcd/efgh/ij"},
		{"漢字漢字", 4, "漢字/漢字"}, {"", 5, ""}, {"abc", 0, "abc"},
	} {
		if got := strings.Join(wrap(tt.in, tt.width), "/"); got != tt.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
		}
	}
}
