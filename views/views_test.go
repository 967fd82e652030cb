package views_test

import (
	"strings"
	"testing"
	"time"

	"fullbore/views"
)

// lines draws in bare ASCII and splits.
func lines(v view, width, height int) []string {
	out := v.Render(views.Frame{Width: width, Height: height, Theme: views.MonoTheme(views.ASCII)})
	return strings.Split(out, "\n")
}

// count is the number of lines that contain a text.
func count(lines []string, text string) int {
	n := 0
	for _, l := range lines {
		if strings.Contains(l, text) {
			n++
		}
	}
	return n
}

func TestChangeInWords(t *testing.T) {
	unknown := views.Duration{}
	for _, tt := range []struct {
		name string
		row  views.Row
		want string
	}{
		{"slower", timeRow("p50", 9, 0.231, 0.058), "x3.98 worse"},
		{"faster", timeRow("max", 9, 8.139, 16.263), "x0.50 better"},
		{"same", timeRow("p50", 9, 1.004, 1), "="},
		{"just not the same", timeRow("p50", 9, 1.006, 1), "x1.01 worse"},
		{"both zero", timeRow("p50", 9, 0, 0), "="},
		{"nothing before", timeRow("p50", 9, 1, 0), "-"},
		{"tenfold", timeRow("p50", 9, 12.34, 1), "x12.3 worse"},
		{"thousandfold", timeRow("p50", 9, 1500, 1), "x1.5k worse"},
		{"vanished", timeRow("p50", 9, 0.001, 1), "x<0.01 better"},
		{"unknown", views.Row{Label: "p50", IsTime: true, MoreIsBad: true, Times: [3]views.Duration{ms(1), ms(1), unknown}}, "-"},
		{"more is good", views.Row{Label: "ops/s", Numbers: [3]views.Number{number(1), number(6.77), number(1)}}, "x6.77 better"},
		{"less is bad", views.Row{Label: "ops/s", Numbers: [3]views.Number{number(1), number(1), number(2)}}, "x0.50 worse"},
		{"no direction", views.Row{Label: "hits", NoDirection: true, Numbers: [3]views.Number{number(1), number(3), number(2)}}, "x1.50"},
	} {
		got := lines(views.Table{Rows: []views.Row{tt.row}}, 80, 1)[0]
		if !strings.HasSuffix(got, "   "+tt.want) {
			t.Errorf("%s: %q, want it to end in %q", tt.name, got, tt.want)
		}
	}
}

// Unknown values are dashes, and numbers stand under their headings.
func TestTableColumns(t *testing.T) {
	tab := table()
	tab.Rows[0].Times[2] = views.Duration{}
	got := lines(tab, 80, 12)
	if want := "  p50           0.228          0.231               -   -"; got[2] != want {
		t.Errorf("got %q, want %q", got[2], want)
	}
	end := strings.Index(got[1], "last 5s") + len("last 5s")
	for _, l := range got[2:] {
		if l[end-1] == ' ' || l[end] != ' ' {
			t.Errorf("%q: the first number does not end below its heading", l)
		}
	}
}

func TestRowsLeaveInOrder(t *testing.T) {
	gone := []string{"p50 / P", "p75", "p99.99", "p90", "max", "p99.9 "}
	for n, label := range gone {
		got := lines(table(), 80, 2+9-n)
		if count(got, "  "+label) != 1 {
			t.Errorf("with %d rows %q is already gone:\n%s", 9-n, label, strings.Join(got, "\n"))
		}
		if got = lines(table(), 80, 2+9-n-1); count(got, "  "+label) != 0 {
			t.Errorf("with %d rows %q is still there", 9-n-1, label)
		}
	}
	tab := views.Table{Rows: []views.Row{{Label: "p50", Drop: 2}, {Label: "p75", Drop: 1}}}
	if got := lines(tab, 80, 1)[0]; !strings.Contains(got, "p75") {
		t.Errorf("Drop does not go before the label: %q", got)
	}
}

func TestKeyLine(t *testing.T) {
	mixed := views.KeyLine{{Keys: "tab", Does: "next"}, {Keys: "q", Does: "quit"}, {Keys: "?", Does: "help"}}
	if got, want := lines(mixed, 80, 1)[0], " ? help  q quit  tab next"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for width, want := range map[int]string{24: " ? help  q quit", 25: " ? help  q quit  tab next", 14: " ? help", 7: " ? help"} {
		if got := lines(mixed, width, 1)[0]; got != want {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
	}
}

func TestNotesOrder(t *testing.T) {
	n := views.Notes{{Clock: "1", Text: "old"}, {Warning: true, Text: "first"}, {Clock: "2", Text: "new"}, {Warning: true, Text: "second"}}
	for height, want := range map[int]string{
		1: " ! second",
		3: "! second\n 2 new   1 old",
		4: "! second\n ! first\n 2 new   1 old",
	} {
		if got := strings.Join(lines(n, 40, height), "\n"); !strings.HasSuffix(got, want) {
			t.Errorf("height %d:\n%s\nwant at the end\n%s", height, got, want)
		}
	}
}

func TestEditShowsTheCursor(t *testing.T) {
	for _, tt := range []struct {
		e     views.Edit
		width int
		want  string
	}{
		{views.Edit{Label: "size", Text: "64", Cursor: 2, Hint: "1..512m"}, 80, " size: 64_   1..512m"},
		{views.Edit{Label: "size", Text: "64", Cursor: 0}, 80, " size: |64"},
		{views.Edit{Label: "size", Text: "6x", Cursor: 1, Error: "not a size", Hint: "1..512m"}, 80, " size: 6|x   ! not a size"},
		{views.Edit{Label: "size", Text: "漢字", Cursor: 1}, 80, " size: ??|??"},
		{views.Edit{Label: "size", Text: "", Cursor: -3}, 80, " size: _"},
		{views.Edit{Label: "size", Text: strings.Repeat("9", 90) + "7", Cursor: 99}, 24, " size: 999999999999997_"},
		{views.Edit{Label: "size", Text: "1" + strings.Repeat("9", 90), Cursor: 0}, 24, " size: |19999999999999"},
	} {
		if got := lines(tt.e, tt.width, 1)[0]; got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.e, got, tt.want)
		}
	}
}

func TestHeaderGivesWay(t *testing.T) {
	h := header()
	h.Errors, h.Origin = 3, "private server"
	for width, want := range map[int]string{
		110: " fullbore   127.0.0.1:6379   redis 7.0.15 standalone   private server       RUN   0:01:42   err 3   ui 4Hz",
		80:  " fullbore  127.0.0.1:6379  redis 7.0.15 standalone     RUN  0:01:42  err 3  4Hz",
		60:  " fullbore  127.0.0.1:6379          RUN  0:01:42  err 3  4Hz",
		50:  " fullbore  127.0.0.1:6379     RUN  0:01:42  err 3",
		30:  " 127.0.0.1:6379    RUN  err 3",
		20:  "     RUN  err 3",
		12:  " RUN  err 3",
	} {
		got := lines(h, width, 1)[0]
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
	}
	h.Connected = 12
	if got := lines(h, 80, 1)[0]; !strings.Contains(got, "127.0.0.1:6379  conn 12/50") {
		t.Errorf("missing connections do not come first: %q", got)
	}
}

func TestStripKeepsTheFocusInSight(t *testing.T) {
	var s views.Strip
	for _, name := range strings.Fields("one two three four five six seven eight nine ten") {
		s = append(s, views.Knob{Name: name, Value: "value-of-" + name})
	}
	for i := range s {
		s[i].Focused = true
		for _, width := range []int{24, 40, 80, 120} {
			got := lines(s, width, 2)
			if !strings.Contains(got[1], ">[ value") || !strings.Contains(got[0], s[i].Name) {
				t.Errorf("knob %d at %d:\n%s", i, width, strings.Join(got, "\n"))
			}
		}
		s[i].Focused = false
	}
}

// Moving the focus moves nothing else.
func TestStripStandsStill(t *testing.T) {
	knobs := knobs()
	want := lines(views.Strip(knobs), 80, 2)[0]
	for i := range knobs {
		for j := range knobs {
			knobs[j].Focused = i == j
		}
		if got := lines(views.Strip(knobs), 80, 2)[0]; got != want {
			t.Errorf("focus on %d moves the names:\n%s\n%s", i, want, got)
		}
	}
}

func TestDistribution(t *testing.T) {
	got := lines(views.Distribution{Title: "d", Bars: bars()}, 60, 9)
	if len(got) != 9 || !strings.Contains(got[1], "<=0.10 ms #") || !strings.HasSuffix(got[8], "<1%") || !strings.Contains(got[8], ">1.00 ms .") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	// With fewer lines the slow end is folded, and no share is lost.
	got = lines(views.Distribution{Title: "d", Bars: bars()}, 60, 4)
	if len(got) != 4 || !strings.Contains(got[3], ">0.15 ms") || !strings.HasSuffix(got[3], " 87%") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestHelpShowsEveryKey(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 24}, {120, 40}, {80, 40}} {
		got := strings.Join(lines(help(), size[0], size[1]), "\n")
		for _, g := range help().Groups {
			for _, k := range g.Keys {
				if !strings.Contains(got, k.Keys+" ") {
					t.Errorf("%v: %q is missing", size, k.Keys)
				}
			}
		}
	}
	if got := lines(help(), 40, 12); !strings.Contains(got[0], "+13 more") {
		t.Errorf("what is hidden is not counted: %q", got[0])
	}
}

func TestCardKeepsItsKeys(t *testing.T) {
	for height := 1; height < 20; height++ {
		got := lines(card(), 80, height)
		if last := got[len(got)-1]; last != " ? help  q quit  enter start" {
			t.Errorf("height %d ends in %q", height, last)
		}
	}
}

func TestTooSmallSaysWhatMatters(t *testing.T) {
	l := live()
	l.Header.Errors = 2
	got := strings.Join(lines(l, 52, 14), "\n")
	for _, want := range []string{"terminal is 52 x 14; need 80 x 24", "1,142,305 ops/s   p50 0.228   p99 0.645   err 2", "load is still running", "q quit  space pause"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	// Whether load is sent is a fact of its own: a frozen display tells neither way.
	l.Header.State = "FROZEN"
	for running, want := range map[bool]string{true: "load is still running", false: "load is not running"} {
		l.Header.Running = running
		if got := strings.Join(lines(l, 79, 40), "\n"); !strings.Contains(got, want) {
			t.Errorf("running %v: %q is missing", running, want)
		}
	}
	if got := lines(l, 30, 3); len(got) != 3 || !strings.Contains(got[2], "q quit") {
		t.Errorf("three lines without the way out: %q", got)
	}
}

func TestTextsAreMadeSafe(t *testing.T) {
	n := views.Notes{{Text: "ERR \x1b[2Jbad\nnews\x07 caf\u00e9"}}
	for glyphs, want := range map[views.Glyphs]string{views.ASCII: " ERR [2Jbad news caf?", views.Block: " ERR [2Jbad news caf\u00e9"} {
		if got := n.Render(views.Frame{Width: 80, Height: 1, Theme: views.MonoTheme(glyphs)}); got != want {
			t.Errorf("%v: got %q, want %q", glyphs, got, want)
		}
	}
}

func TestSpans(t *testing.T) {
	for span, want := range map[time.Duration]string{120 * time.Second: "-120s", 300 * time.Second: "-5m", 7500 * time.Millisecond: "-7.5s"} {
		c := throughput()
		c.Span, c.Marks = span, nil
		if got := lines(c, 80, 12); !strings.Contains(got[11], want) || !strings.HasSuffix(got[11], "now") {
			t.Errorf("%v: %q", span, got[11])
		}
	}
}
