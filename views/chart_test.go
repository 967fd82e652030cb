package views_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"fullbore/views"
)

// series makes samples a second apart, the last one now.
func series(values ...float64) []views.Sample {
	out := make([]views.Sample, len(values))
	for i, v := range values {
		out[i] = views.Sample{Age: time.Duration(len(values)-1-i) * time.Second, Value: v}
	}
	return out
}

// chart draws samples over as many seconds as there are cells, without an axis.
func chart(samples []views.Sample, width, rows int, g views.Glyphs) []string {
	if width >= 24 {
		panic("wide enough for an axis")
	}
	t := views.Throughput{Samples: samples, Span: time.Duration(width) * time.Second, Scale: views.ScaleZero}
	out := t.Render(views.Frame{Width: width + 1, Height: rows + 1, Theme: views.MonoTheme(g)})
	return strings.Split(out, "\n")[1:]
}

func TestBars(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name   string
		glyphs views.Glyphs
		values []float64
		want   []string
	}{
		{"ascii", views.ASCII, []float64{0, 1, 2, 3, 4, 5, 6}, []string{"    .:|", " .:||||"}},
		{"a hole is empty", views.ASCII, []float64{6, nan, 6, nan, nan, 6, 6}, []string{"| |  ||", "| |  ||"}},
		{"no data", views.ASCII, []float64{nan, nan}, []string{"", ""}},
		{"zeros", views.Block, []float64{0, 0, 0}, []string{"", ""}},
		{"next to nothing shows", views.ASCII, []float64{1e-9, 6, 1e-9}, []string{"     | ", "    .|."}},
	} {
		got := chart(series(tt.values...), 7, 2, tt.glyphs)
		for i := range got {
			if strings.TrimSpace(got[i]) != strings.TrimSpace(tt.want[i]) {
				t.Errorf("%s row %d: %q, want %q", tt.name, i, got[i], tt.want[i])
			}
		}
	}
	if got := chart(series(0, 1, 2, 3, 4, 5, 6, 7, 8), 9, 1, views.Block)[0]; got != " ▁▂▃▄▅▆▇█" {
		t.Errorf("eight levels: %q", got)
	}
}

func TestBrailleHasTwoColumnsAndFourLevels(t *testing.T) {
	var samples []views.Sample
	for i := range 8 {
		samples = append(samples, views.Sample{Age: time.Duration(7-i) * 500 * time.Millisecond, Value: float64(i + 1)})
	}
	got := chart(samples, 4, 2, views.Braille)
	if want := []string{"  ⣠⣾", "⣠⣾⣿⣿"}; got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSpikeIsMarked(t *testing.T) {
	values := make([]float64, 22)
	for i := range values {
		values[i] = 100 + float64(i%3)
	}
	values[15] = 1e6
	for _, g := range []views.Glyphs{views.ASCII, views.Block, views.Braille} {
		got := chart(series(values...), 22, 4, g)
		if n := strings.Count(got[0], "^"); n < 1 || n > 2 {
			t.Errorf("%v: top row %q, want the spike marked", g, got[0])
		}
		if n := len([]rune(got[3])); n != 22 {
			t.Errorf("%v: the others are flattened: %q", g, got[3])
		}
	}
}

func TestMarks(t *testing.T) {
	at := func(age int, text string) views.Mark {
		return views.Mark{Age: time.Duration(age) * time.Second, Text: text}
	}
	for _, tt := range []struct {
		name  string
		marks []views.Mark
		want  string
	}{
		{"none", nil, "-72s                                                 -18s            now"},
		{"one", []views.Mark{at(50, "P 1>16")}, "-72s                 ^ P 1>16                        -18s            now"},
		{"later wins", []views.Mark{at(52, "pipeline 1 > 4"), at(48, "pipeline 4 > 16")}, "-72s               ^   ^ pipeline 4 > 16             -18s            now"},
		{"both fit", []views.Mark{at(60, "P 1>4"), at(48, "P 4>16")}, "-72s       ^ P 1>4     ^ P 4>16                      -18s            now"},
		{"at the edge", []views.Mark{at(0, "P 1>16")}, "-72s                                                 -18s       P 1>16 ^"},
		{"out of sight", []views.Mark{at(73, "P 1>16")}, "-72s                                                 -18s            now"},
		{"no text", []views.Mark{at(50, "")}, "-72s                 ^                               -18s            now"},
		{"too long", []views.Mark{at(36, strings.Repeat("x", 50))}, "-72s                               ^                 -18s            now"},
	} {
		c := views.Throughput{Span: 72 * time.Second, Marks: tt.marks}
		got := lines(c, 80, 10)[9]
		if got != "       "+tt.want {
			t.Errorf("%s:\n%q, want\n%q", tt.name, got, "       "+tt.want)
		}
	}
}

// Every mark keeps its caret, however many there are.
func TestManyMarksKeepTheirCarets(t *testing.T) {
	c := views.Throughput{Span: 72 * time.Second}
	for i := 70; i > 0; i -= 7 {
		c.Marks = append(c.Marks, views.Mark{Age: time.Duration(i) * time.Second, Text: "pipeline 1 > 16"})
	}
	got := lines(c, 80, 10)[9]
	if n := strings.Count(got, "^"); n != 10 {
		t.Errorf("%d carets, want 10: %q", n, got)
	}
	if !strings.Contains(got, "^ pipeline") && !strings.Contains(got, "16 ^") && strings.Contains(got, "pipeline") {
		t.Errorf("a text stands apart from its caret: %q", got)
	}
}

// Legend, then axis, then all but one line, then nothing.
func TestChartsDegradeInOrder(t *testing.T) {
	has := func(lines []string, text string) bool { return count(lines, text) > 0 }
	for height := 1; height <= 12; height++ {
		got := lines(throughput(), 80, height)
		if len(got) != height {
			t.Errorf("throughput in %d lines draws %d", height, len(got))
		}
		if !has(got, "1,142,305 ops/s") {
			t.Errorf("throughput in %d lines does not say how much", height)
		}
		if times, axis := has(got, "now"), has(got, "+---"); times != (height >= 6) || axis != (height >= 5) {
			t.Errorf("throughput in %d lines: times %v, axis %v", height, times, axis)
		}
		got = lines(latencyChart(), 80, height)
		if legend, axis := has(got, "p99.9 ."), has(got, "+---"); legend != (height > 1) || axis != (height >= 5) {
			t.Errorf("latency in %d lines: legend %v, axis %v", height, legend, axis)
		}
	}
	if got := lines(throughput(), 6, 1)[0]; got != "1.14M" {
		t.Errorf("six cells show %q", got)
	}
	if got := lines(throughput(), 3, 1)[0]; got != "" {
		t.Errorf("three cells show %q, and half a number is a wrong one", got)
	}
}

func TestLatencyLayers(t *testing.T) {
	l := views.LatencyChart{Span: 20 * time.Second}
	for i := range 20 {
		l.Samples = append(l.Samples, views.LatencySample{
			Age: time.Duration(i) * time.Second, P50: 500 * time.Microsecond, P99: 5 * time.Millisecond, P999: 50 * time.Millisecond,
		})
	}
	got := lines(l, 21, 7)
	for i, want := range []string{"", ".", ".", ":", ":", "|"} {
		if got[1+i] != strings.Repeat(want, 20) {
			t.Errorf("row %d: %q, want a line of %q", i, got[1+i], want)
		}
	}
}
