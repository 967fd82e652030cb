package views

import (
	"math"
	"math/bits"
	"strings"
	"testing"
	"time"
)

// Every pair of heights has a cell of its own, with as many dots as the heights say.
func TestBrailleCells(t *testing.T) {
	seen := map[rune]bool{}
	for l := range 5 {
		for r := range 5 {
			c := brailleCell(l, r)
			if seen[c] {
				t.Errorf("%d and %d share a cell with another pair", l, r)
			}
			seen[c] = true
			dots := 0
			if c != ' ' {
				dots = bits.OnesCount32(uint32(c) - 0x2800)
			}
			if dots != l+r {
				t.Errorf("%d and %d draw %d dots", l, r, dots)
			}
		}
	}
}

// The glyph tables hold what the charts count on: one cell each, empty first, full
// at the last level, and three layers that can be told apart.
func TestGlyphTables(t *testing.T) {
	for _, g := range []Glyphs{ASCII, Block, Braille} {
		set := g.set()
		for _, r := range []rune{set.across, set.up, set.corner, set.full, set.part, set.layers[0], set.layers[1], set.layers[2]} {
			if w := cells(string(r)); w != 1 {
				t.Errorf("%v: %q is %d cells wide", g, r, w)
			}
		}
		if cells(set.tail) != 1 {
			t.Errorf("%v: tail %q", g, set.tail)
		}
		if set.bar[0] != ' ' || !set.braille && set.bar[set.levels] == 0 {
			t.Errorf("%v: bar %q with %d levels", g, set.bar, set.levels)
		}
		if l := set.layers; l[0] == l[1] || l[1] == l[2] || l[0] == l[2] {
			t.Errorf("%v: layers %q", g, l)
		}
	}
	if Glyphs(-1).set().full != '#' {
		t.Error("unknown glyphs are not ASCII")
	}
}

func TestSpark(t *testing.T) {
	v := func(values ...float64) binned { return binned{values, 1, len(values)} }
	for _, tt := range []struct {
		name   string
		glyphs Glyphs
		in     binned
		want   string
	}{
		{"rising", ASCII, v(1, 2, 3), ".:|"},
		{"block", Block, v(1, 4, 8), "▁▄█"},
		{"braille", Braille, v(1, 2, 3, 4), "⣠⣾"},
		{"holes", ASCII, v(math.NaN(), 3, math.NaN()), " : "},
		{"empty", ASCII, v(), ""},
		{"zeros", Block, v(0, 0), "  "},
	} {
		if got := spark(tt.in, tt.glyphs.set()); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The charts' first cells lie under each other, whatever their labels.
func TestChartsAlign(t *testing.T) {
	for _, width := range []int{24, 80, 99, 100, 120, 300} {
		p := newPlot(width, false)
		if p.origin()+p.columns != width-1 {
			t.Errorf("width %d: %d cells from %d leave not one free", width, p.columns, p.origin())
		}
		c := mono(width, 2)
		for _, label := range []string{"1.25M", "100 ms"} {
			p.label(c, label)
			c.glyph(Plain, 'x')
			c.end()
		}
		lines := strings.Split(c.String(), "\n")
		if strings.Index(lines[0], "x") != p.origin() || strings.Index(lines[1], "x") != p.origin() {
			t.Errorf("width %d: %q", width, lines)
		}
	}
	if p := newPlot(23, false); !p.bare || p.columns != 22 || p.origin() != 0 {
		t.Errorf("23 cells: %+v", p)
	}
	if p := newPlot(0, false); p.columns != 0 {
		t.Errorf("no cells: %+v", p)
	}
}

func TestLabelsDoNotTouch(t *testing.T) {
	l := newLabels(20)
	for _, tt := range []struct {
		at   int
		text string
		want bool
	}{{5, "abc", true}, {2, "xy", true}, {8, "x", false}, {9, "x", true}, {18, "xyz", false}, {-1, "x", false}, {17, "xyz", true}, {12, "", false}} {
		if got := l.place(tt.at, Plain, tt.text); got != tt.want {
			t.Errorf("%q at %d: %v, want %v", tt.text, tt.at, got, tt.want)
		}
	}
	c := mono(20, 1)
	l.draw(c)
	c.end()
	if got, want := c.String(), "  xy abc x       xyz"; strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("got %q", got)
	}
}

func TestSeconds(t *testing.T) {
	for _, tt := range []struct {
		d    time.Duration
		want string
	}{{0, "0s"}, {7500 * time.Millisecond, "7.5s"}, {120 * time.Second, "120s"}, {180 * time.Second, "3m"}, {200 * time.Second, "200s"}, {time.Hour, "60m"}} {
		if got := seconds(tt.d, ""); got != tt.want {
			t.Errorf("seconds(%v) = %q, want %q", tt.d, got, tt.want)
		}
	}
}

func TestWholeFacts(t *testing.T) {
	const facts = "ops 1.14M   cpu 0.99   clients 51"
	for room, want := range map[int]string{40: facts, 33: facts, 32: "ops 1.14M  cpu 0.99  clients 51", 31: "ops 1.14M  cpu 0.99  clients 51", 30: "ops 1.14M  cpu 0.99", 12: "ops 1.14M", 3: "ops 1.14M"} {
		if got := whole(facts, room); got != want {
			t.Errorf("room %d: %q, want %q", room, got, want)
		}
	}
}

func TestBudget(t *testing.T) {
	b := budget(5)
	if !b.take(3) || b.take(3) || !b.take(2) || b.take(1) || b.take(0) || b.take(-2) || b != 0 {
		t.Errorf("5 lines gave out wrongly, %d left", b)
	}
}

// FuzzChart puts any numbers on every scale: no panic, no cell beyond the plot.
func FuzzChart(f *testing.F) {
	f.Add(1.0, 2.0, 1e6, 4)
	f.Add(0.0, 5e-324, 1.7e308, 1)
	f.Add(-1.0, math.NaN(), math.Inf(1), 40)
	f.Fuzz(func(t *testing.T, x, y, z float64, rows int) {
		rows = 1 + (rows%50+50)%50
		values := append(repeat(x, 30), y, z, (x+y)/2)
		for _, scale := range []Scale{ScaleAuto, ScaleZero} {
			a := linear(values, rows, scale)
			for _, v := range values {
				if s := a.steps(v, 8); s < 0 || s > rows*8+1 {
					t.Fatalf("%v in %d rows of %v..%v: %d steps", v, rows, a.low, a.high, s)
				}
			}
			for _, l := range labelsOf(a) {
				if len(l) > 12 {
					t.Fatalf("label %q", l)
				}
			}
		}
		b := latencyBins{p50: []float64{math.Abs(x)}, p99: []float64{math.Abs(y)}, p999: []float64{z}}
		a := decades(b, rows)
		for _, l := range labelsOf(a) {
			if len(l) > 12 {
				t.Fatalf("label %q", l)
			}
		}
	})
}
