package views_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"fullbore/views"

	"github.com/charmbracelet/x/ansi"
)

// The laws of doc.go, for every view, with ordinary and with nasty values.

func themes() []views.Theme {
	return []views.Theme{
		views.MonoTheme(views.ASCII),
		views.DefaultTheme(views.Block),
		views.HighContrastTheme(views.Braille),
	}
}

// check draws a view and holds it to the laws.
func check(t *testing.T, name string, v view, f views.Frame) {
	t.Helper()
	out := v.Render(f)
	where := fmt.Sprintf("%s at %dx%d", name, f.Width, f.Height)
	if (f.Width+f.Height)%5 == 0 && v.Render(f) != out {
		t.Fatalf("%s: two renderings differ", where)
	}
	if out == "" {
		return
	}
	lines := strings.Split(out, "\n")
	if len(lines) > f.Height {
		t.Fatalf("%s: %d lines", where, len(lines))
	}
	for i, line := range lines {
		// No character is wider than it has bytes, so most lines need no measuring.
		if len(line) > f.Width && ansi.StringWidth(line) > f.Width {
			t.Fatalf("%s: line %d is too wide: %q", where, i, line)
		}
		if strings.HasSuffix(strings.TrimSuffix(line, "\x1b[0m"), " ") {
			t.Fatalf("%s: line %d is padded: %q", where, i, line)
		}
	}
	if f.Theme.Glyphs == views.ASCII {
		if i := strings.IndexFunc(out, func(r rune) bool { return r > '~' }); i >= 0 {
			t.Fatalf("%s: %q in ASCII", where, []rune(out[i:])[0])
		}
	}
	if f.Theme == views.MonoTheme(f.Theme.Glyphs) {
		if i := strings.IndexFunc(out, func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 }); i >= 0 {
			t.Fatalf("%s: control byte %#x without colour", where, out[i])
		}
	}
}

func TestLawsAtEverySize(t *testing.T) {
	themes := themes()
	for n, e := range examples() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			e.view = thinned(e.view)
			wide, tall, every := 130, 45, 1
			if _, ok := e.view.(views.Compare); ok {
				// Its examples share the sizes between them, each of which three draw.
				wide, tall, every = 200, 60, 3
			}
			for w := 1; w <= wide; w++ {
				for h := 1; h <= tall; h++ {
					if (w+2*h+n)%every != 0 {
						continue
					}
					// Each size with one theme; neighbours take the others.
					check(t, e.name, e.view, views.Frame{Width: w, Height: h, Theme: themes[(w+h)%3]})
				}
			}
		})
	}
}

// thinned leaves every eighth sample, for 5,850 sizes are many drawings.
func thinned(v view) view {
	ops, latency := thin(opsSamples(1200)), thin(latencySamples(1200))
	switch v := v.(type) {
	case views.Live:
		v.Throughput.Samples, v.Latency.Samples = ops, latency
		return v
	case views.Throughput:
		v.Samples = ops
		return v
	case views.LatencyChart:
		v.Samples = latency
		return v
	}
	return v
}

func thin[T any](in []T) (out []T) {
	for i := 0; i < len(in); i += 8 {
		out = append(out, in[i])
	}
	return out
}

func TestLawsAtOddSizes(t *testing.T) {
	for _, e := range examples() {
		for _, size := range [][2]int{{0, 0}, {-3, 10}, {10, -1}, {0, 24}, {400, 120}, {80, 1000}, {1000, 24}, {1, 500}} {
			for _, theme := range themes() {
				check(t, e.name, e.view, views.Frame{Width: size[0], Height: size[1], Theme: theme})
			}
		}
	}
}

func TestZeroFrameDrawsNothing(t *testing.T) {
	for _, e := range examples() {
		if out := e.view.Render(views.Frame{}); out != "" {
			t.Errorf("%s without a frame: %q", e.name, out)
		}
	}
}

// nasty is one kind of trouble, put into every field that can hold it.
type nasty struct {
	name  string
	text  string
	value float64
	time  time.Duration
	n     int // samples, rows, bars, keys
}

func nasties() []nasty {
	return []nasty{
		{"empty", "", 0, 0, 0},
		{"zero", "x", 0, 0, 40},
		{"nan", "\x1b[31mred\x1b[0m\x1b]0;title\x07", math.NaN(), 1, 40},
		{"inf", "line\nbreak\r\ttab\x00\x7f\u0085", math.Inf(1), math.MaxInt64, 40},
		{"minus", "\u202eright to left\u200b\ufeff", math.Inf(-1), math.MinInt64, 3},
		{"huge", strings.Repeat("very long text ", 12), 1e308, time.Hour * 24 * 365, 120},
		{"tiny", "漢字仮名交じり文", 5e-324, 1, 7},
		{"wide", strings.Repeat("統計データ🚀", 12), 1e6, time.Millisecond, 9},
		{"joined", "👩‍👩‍👧‍👦 ❤️ e\u0301\u0301 🇩🇪 \ufe0f", -7, -time.Second, 2},
		{"broken", "\xff\xfe bad \xc3( utf8 " + strings.Repeat("\u0301", 50), 0.5, time.Nanosecond, 1},
	}
}

func (n nasty) number() views.Number     { return views.Number{Value: n.value, OK: true} }
func (n nasty) duration() views.Duration { return views.Duration{Value: n.time, OK: true} }

func (n nasty) throughput() views.Throughput {
	t := views.Throughput{Span: time.Minute, Now: n.number(), Average: n.number(), Peak: n.number(), Bytes: n.number(), At: n.time}
	if n.name == "minus" {
		t.Span = n.time
	}
	for i := range n.n {
		t.Samples = append(t.Samples, views.Sample{Age: time.Duration(n.n-i) * time.Second, Value: n.value})
		t.Marks = append(t.Marks, views.Mark{Age: time.Duration(n.n-i) * 3 * time.Second, Text: n.text})
	}
	t.Samples = append(t.Samples, views.Sample{Age: n.time, Value: 1})
	t.Marks = append(t.Marks, views.Mark{Age: n.time, Text: n.text})
	return t
}

func (n nasty) latency() views.LatencyChart {
	l := views.LatencyChart{Span: time.Minute, Title: n.text, At: n.time}
	for i := range n.n {
		l.Samples = append(l.Samples, views.LatencySample{Age: time.Duration(n.n-i) * time.Second, P50: n.time, P99: 1, P999: n.time})
	}
	return l
}

func (n nasty) table() views.Table {
	t := views.Table{Title: n.text, Columns: [3]string{n.text, n.text, n.text}}
	for i := range n.n {
		t.Rows = append(t.Rows, views.Row{
			Label: n.text, IsTime: i%2 == 0, MoreIsBad: i%3 == 0, NoDirection: i%5 == 0, Drop: i % 7,
			Times:   [3]views.Duration{n.duration(), n.duration(), ms(0.1)},
			Numbers: [3]views.Number{n.number(), n.number(), number(3)},
		})
	}
	return t
}

func (n nasty) bars() (out []views.Bar) {
	for i := range n.n {
		out = append(out, views.Bar{UpTo: n.time, Share: n.value, Last: i%9 == 8})
	}
	return out
}

func (n nasty) knobs() (out []views.Knob) {
	for i := range n.n {
		out = append(out, views.Knob{Name: n.text, Value: n.text, Range: n.text, Focused: i == n.n/2})
	}
	return out
}

func (n nasty) notes() (out []views.Note) {
	for i := range n.n {
		out = append(out, views.Note{Clock: n.text, Text: n.text, Warning: i%2 == 0})
	}
	return out
}

func (n nasty) keys() (out []views.Key) {
	for range n.n {
		out = append(out, views.Key{Keys: n.text, Does: n.text})
	}
	return out
}

func (n nasty) nodes() views.Nodes {
	out := views.Nodes{Title: n.text, Legend: n.text}
	for i := range n.n {
		out.List = append(out.List, views.Node{
			Address: n.text + ":" + n.text[:i%2*len(n.text)], Role: n.text, Slots: -n.n, Clients: n.n, Connected: i, Ops: n.number(), Share: n.number(),
			P99: n.duration(), Errors: int64(n.time), CPU: n.number(), Gone: i%3 == 1,
		})
	}
	return out
}

func (n nasty) edit() views.Edit {
	return views.Edit{Label: n.text, Text: n.text, Cursor: n.n / 2, Error: n.text, Hint: n.text}
}

func (n nasty) live() views.Live {
	edit := n.edit()
	l := views.Live{
		Header: views.Header{
			Target: n.text, Server: n.text, Origin: n.text, State: n.text, StateTone: views.Tone(n.n),
			Elapsed: n.time, Errors: int64(n.time), Hertz: n.n, RTT: n.time, Connected: -n.n, Clients: n.n, Cluster: n.text,
		},
		Banner: n.text, Knobs: n.knobs(), Throughput: n.throughput(), Latency: n.latency(), Table: n.table(),
		Bars: n.bars(), BarsTitle: n.text, Nodes: n.nodes(), Server: n.panel(), Limiter: n.limiter(), Notes: n.notes(), Keys: n.keys(),
	}
	if n.n%2 == 0 {
		l.Edit = &edit
	}
	return l
}

func (n nasty) limiter() views.Limiter {
	return views.Limiter{Name: n.text, Title: n.text, Evidence: n.text + ", " + n.text, Advice: n.text, Pressing: n.n%2 == 0}
}

func (n nasty) panel() views.ServerPanel {
	p := views.ServerPanel{Share: n.text}
	for range n.n {
		p.Facts = append(p.Facts, n.text)
	}
	if n.n%3 == 0 {
		p.Silent = n.text
	}
	return p
}

func (n nasty) page() views.ServerPage {
	v := views.ServerPage{
		Header: n.live().Header, Limiter: n.limiter(), Proof: n.text, Share: n.text, Silent: n.panel().Silent,
		Span: n.throughput().Span, At: n.time, Marks: n.throughput().Marks, Notes: n.notes(), Keys: n.keys(),
	}
	for i := range n.n {
		v.Gauges = append(v.Gauges, views.Gauge{Label: n.text, Value: n.text, Full: n.number(), Top: float64(i%2) * n.value, Samples: n.throughput().Samples})
		v.Facts = append(v.Facts, views.CardRow{Label: n.text, Value: n.text, Warning: i%2 == 0})
		v.Commands = append(v.Commands, views.CommandTime{Name: n.text, Rate: n.number(), PerCall: n.duration(), P50: n.duration(), P99: ms(1), Share: n.number()})
	}
	return v
}

// compare has as many sides as there are things of a kind, two to seven.
func (n nasty) compare() views.Compare {
	v := views.Compare{
		Header: views.CompareHeader{Target: n.text, Server: n.text, Mode: n.text, State: n.text, StateTone: views.Tone(n.n), Pair: n.n, Pairs: -n.n, Elapsed: n.time, Errors: int64(n.time), Hertz: n.n},
		Banner: n.text, Metric: n.text, Reference: n.n%9 - 1, Case: n.n - 4, Since: n.text, Round: n.time, Settle: n.time, Practical: n.value,
		Competing: n.n%3 == 0, Server: n.text, Explained: n.text, Notes: n.notes(), Keys: n.keys(),
	}
	ratio := views.Ratio{Value: n.value, Low: n.value, High: n.value * 2, Open: n.n%2 == 0}
	for i := range n.n % 8 {
		s := views.Side{Name: n.text, Label: n.text, Load: n.text, Knobs: n.knobs()[:n.n/(i+1)], Focused: i == n.n%3, Active: i%2 == 0, Mark: n.text, Place: n.text, Server: n.text[:i%2*len(n.text)], Limiter: n.text, Now: n.number(), Spread: n.number(), Counts: n.text}
		for j := range n.n {
			s.Rounds = append(s.Rounds, views.RoundPoint{Slot: j * (i + 1), Ops: n.number(), P99: n.duration()})
		}
		s.Rounds = append(s.Rounds, views.RoundPoint{Slot: math.MaxInt32, Ops: number(1), P99: ms(1)}, views.RoundPoint{Slot: -n.n})
		v.Sides = append(v.Sides, s)
		v.Verdicts = append(v.Verdicts, views.Verdict{Mark: views.VerdictMark(n.n - 3), Text: n.text, Ratio: ratio, Floor: n.number(), Pairs: -n.n, More: n.n})
	}
	for i := range n.n {
		v.Rows = append(v.Rows, views.CompareRow{
			Label: n.text, IsTime: i%2 == 0, MoreIsBad: i%3 == 0, NoDirection: i%5 == 0, NoRatio: i%7 == 6, Short: i%4 == 0, Drop: i % 7,
			Times: []views.Duration{n.duration(), ms(1)}, Numbers: []views.Number{n.number()}, Ratios: []views.Ratio{ratio, ratio, ratio}[:i%4],
		})
		v.Marks = append(v.Marks, views.SlotMark{Slot: i - 2, Text: n.text}, views.SlotMark{Slot: math.MaxInt32 - i, Text: n.text})
	}
	return v
}

// compareTests is the same with a matrix, and a side more.
func (n nasty) compareTests() views.Compare {
	v := n.compare()
	v.Sides = append(v.Sides, views.Side{}, views.Side{Name: n.text})
	for i := range n.n {
		v.Cases = append(v.Cases, views.CompareCase{Title: n.text, Verdicts: v.Verdicts, Median: n.number(), IsTime: i%2 == 0, Underway: i%3 == 0, Done: i%5 == 0, Pairs: n.n})
		v.Averages = append(v.Averages, views.CompareMean{Title: n.text, Ratios: []views.Ratio{{Value: n.value}, {Value: n.value}}})
	}
	return v
}

func (n nasty) examples() []example {
	help := views.Help{Title: n.text, Footer: n.text}
	pick := views.Picker{Title: n.text, Filter: n.text, Of: -n.n, OnLine: n.n%2 == 0, Line: n.edit(), Chosen: n.text, Keys: n.keys()}
	card := views.Card{Title: n.text, Text: []string{n.text, n.text}, Keys: n.keys()}
	for i := range n.n {
		pick.Rows = append(pick.Rows, views.PickerRow{Name: n.text, About: n.text, Weight: i * n.n, Focused: i%3 == 0})
		pick.Warning = append(pick.Warning, n.text)
		help.Groups = append(help.Groups, views.HelpGroup{Title: n.text, Keys: n.keys()[:min(i, 6)]})
		card.Rows = append(card.Rows, views.CardRow{Label: n.text, Value: n.text, Warning: i%2 == 0})
	}
	l := n.live()
	return []example{
		{"live", l}, {"header", l.Header}, {"strip", views.Strip(l.Knobs)}, {"throughput", l.Throughput},
		{"latency", l.Latency}, {"nodes", l.Nodes}, {"table", l.Table}, {"compare", n.compare()}, {"compare-tests", n.compareTests()}, {"distribution", views.Distribution{Title: n.text, Bars: l.Bars}},
		{"notes", views.Notes(l.Notes)}, {"keys", views.KeyLine(l.Keys)}, {"edit", n.edit()}, {"help", help}, {"card", card}, {"picker", pick},
		{"server", n.page()}, {"limiter", n.limiter()}, {"panel", n.panel()},
		{"small", views.TooSmall{Ops: n.number(), P50: n.duration(), P99: n.duration(), Errors: int64(n.time), NeedWide: n.n, Keys: n.keys()}},
	}
}

func TestLawsWithNastyValues(t *testing.T) {
	themes := themes()
	for _, n := range nasties() {
		t.Run(n.name, func(t *testing.T) {
			t.Parallel()
			for _, e := range n.examples() {
				i := 0
				for _, w := range []int{1, 2, 3, 5, 8, 13, 23, 24, 40, 79, 80, 99, 100, 104, 120, 131} {
					for _, h := range []int{1, 2, 3, 4, 6, 9, 24, 25, 28, 33, 40, 70} {
						check(t, n.name+" "+e.name, e.view, views.Frame{Width: w, Height: h, Theme: themes[i%3]})
						i++
					}
				}
			}
		})
	}
}

// FuzzText puts any text into the views that show what people and servers wrote.
func FuzzText(f *testing.F) {
	for _, n := range nasties() {
		f.Add(n.text, 3, 40)
	}
	f.Add("❤", 1, 2)
	f.Fuzz(func(t *testing.T, text string, cursor, width int) {
		if len(text) > 4096 {
			return
		}
		frame := views.Frame{Width: width % 200, Height: 3}
		check(t, "edit", views.Edit{Label: text, Text: text, Cursor: cursor % 5000, Error: text}, frame)
		check(t, "notes", views.Notes{{Text: text, Clock: text}, {Text: text, Warning: true}, {Text: text}}, frame)
		check(t, "strip", views.Strip{{Name: text, Value: text, Range: text}, {Name: text, Value: text, Focused: true}}, frame)
		side := views.Side{Name: text, Label: text, Load: text, Mark: text, Place: text, Server: text, Counts: text, Knobs: []views.Knob{{Name: text, Value: text, Focused: true}}}
		tall := views.Frame{Width: max(80, width%200), Height: 24 + cursor&15}
		check(t, "compare", views.Compare{Sides: []views.Side{side, {}, side}[:2+cursor&1], Metric: text, Server: text, Explained: text, Since: text, Rows: []views.CompareRow{{Label: text}}}, tall)
		check(t, "card", views.Card{Title: text, Rows: []views.CardRow{{Label: text, Value: text}}, Text: []string{text}}, frame)
	})
}
