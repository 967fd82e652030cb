package views_test

import (
	"strings"
	"testing"
	"time"

	"fullbore/views"

	"github.com/charmbracelet/x/ansi"
)

// rowsBetween counts the lines from one that contains a text to the next.
func rowsBetween(lines []string, from, to string) int {
	first := -1
	for i, l := range lines {
		switch {
		case first < 0 && strings.Contains(l, from):
			first = i
		case first >= 0 && strings.Contains(l, to):
			return i - first - 1
		}
	}
	return -1
}

// The live screen fills its frame, and the key line stands last at every size.
func TestLiveFillsTheFrame(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {80, 60}, {100, 30}, {120, 40}, {250, 80}} {
		for _, l := range []views.Live{live(), {Knobs: knobs(), Keys: keys()}, {Keys: keys(), Notes: notes(), Table: table()}} {
			got := lines(l, size[0], size[1])
			if len(got) != size[1] {
				t.Errorf("%v: %d lines", size, len(got))
			}
			if last := got[len(got)-1]; !strings.HasPrefix(last, " ? help") {
				t.Errorf("%v ends in %q", size, last)
			}
		}
	}
}

// Between drawing 1 and drawing 3: first a taller chart, then the latency chart,
// then the rest; nothing that came is lost again as height grows.
func TestHeightIsSpentInOrder(t *testing.T) {
	sections := []string{"p99.9 .", "p75", "1..10000", "server INFO"}
	seen := map[string]int{}
	for height := 24; height <= 60; height++ {
		got := lines(live(), 120, height)
		for _, s := range sections {
			switch n := count(got, s); {
			case n > 0 && seen[s] == 0:
				seen[s] = height
			case n == 0 && seen[s] > 0:
				t.Errorf("height %d lost %q, which %d had", height, s, seen[s])
			}
		}
		if seen["p99.9 ."] == 0 {
			continue
		}
		if rows := rowsBetween(got, "-- throughput", "+---"); rows < 8 {
			t.Errorf("height %d has a latency chart beside one of %d rows", height, rows)
		}
	}
	for i, s := range sections[1:] {
		if before := sections[i]; seen[s] <= seen[before] {
			t.Errorf("%q comes at %d, %q at %d", s, seen[s], before, seen[before])
		}
	}
	if seen["server INFO"] > 40 {
		t.Errorf("server INFO comes only at height %d", seen["server INFO"])
	}
}

// Beyond 40 lines everything goes to the charts.
func TestTallScreensGoToTheCharts(t *testing.T) {
	at40, at70 := lines(live(), 120, 40), lines(live(), 120, 70)
	var grown int
	for _, title := range []string{"-- throughput", "-- latency"} {
		more := rowsBetween(at70, title, "+---") - rowsBetween(at40, title, "+---")
		if more < 10 {
			t.Errorf("%q grows by %d of 30 lines", title, more)
		}
		grown += more
	}
	if grown != 30 {
		t.Errorf("charts take %d of 30 lines", grown)
	}
}

func TestWidthBringsTheDistribution(t *testing.T) {
	for width, want := range map[int]int{80: 0, 103: 0, 104: 1, 120: 1} {
		if got := count(lines(live(), width, 40), "distribution, last 5 s"); got != want {
			t.Errorf("width %d: %d distributions, want %d", width, got, want)
		}
	}
	// A narrow but tall screen has room for it below the table.
	if got := lines(live(), 80, 60); count(got, "-- distribution, last 5 s") != 1 || count(got, ">1.00 ms") != 1 {
		t.Errorf("80x60 without a distribution:\n%s", strings.Join(got, "\n"))
	}
}

// The drawings' essentials at the two sizes of SCREENS.md.
func TestDrawings(t *testing.T) {
	small := lines(live(), 80, 24)
	for _, want := range []string{">[ 16 ]<", "1,142,305 ops/s", "avg 1,129,870  peak 1,180,038  120s", "^ pipeline 1 > 16", "p99 last 60s", "p99.99", "x3.98 worse", "! client CPU"} {
		if count(small, want) != 1 {
			t.Errorf("80x24 shows %q %d times", want, count(small, want))
		}
	}
	if count(small, "p75") != 0 || count(small, "p50 / P") != 0 {
		t.Error("80x24 shows rows that drawing 1 has not")
	}
	big := lines(live(), 120, 40)
	for _, want := range []string{"ui 4Hz", "rtt 0.06 ms", "conn ok", "1 2 4 8 16", "102.9 MB/s", "y: zero", "log scale", "p75", "p50 / P", "<=0.10 ms", "server INFO"} {
		if count(big, want) != 1 {
			t.Errorf("120x40 shows %q %d times", want, count(big, want))
		}
	}
}

// The rule over the table gives each of its parts room in turn: the title always,
// then what the labels mean, then as much of the recent p99 as is worth drawing.
func TestTableRule(t *testing.T) {
	for _, tt := range []struct {
		title, legend string
		want          []string
		missing       string
	}{
		{"latency ms  (own reply, P=16)", "", []string{"p99 last 60s"}, "svc"},
		{"latency ms  (own reply, P=16, closed)  not steady", "", []string{"closed)  not steady ", "p99 60s"}, "p99 last"},
		{"latency ms  (from plan, P=1, open: 100% of 20,000/s)", "svc: service", []string{"svc: service"}, "p99 last"},
		{"latency ms  (from plan, P=1, open: 93.1% of 1,200,000/s)  not steady", "svc: service", []string{"not steady --"}, "svc"},
		{"latency ms  (from plan, P=16384, open: 93.1% of 1,200,000/s)  not steady  rate not kept", "", []string{"latency ms  (from plan, P=16384"}, "p99 last"},
	} {
		l := live()
		l.Table.Title, l.Table.Legend = tt.title, tt.legend
		got := lines(l, 80, 24)
		for _, want := range tt.want {
			if count(got, want) != 1 {
				t.Errorf("%s: no %q in\n%s", tt.title, want, strings.Join(got, "\n"))
			}
		}
		if count(got[11:12], tt.missing) != 0 {
			t.Errorf("%s: %q has no room in\n%s", tt.title, tt.missing, got[11])
		}
	}
}

// An axis that does not begin at zero says so at every width: it makes much of
// little.
func TestZoomedAxisIsNamed(t *testing.T) {
	for _, width := range []int{80, 120} {
		l := live()
		if width == 80 && count(lines(l, width, 24), "y: ") != 0 {
			t.Error("80 columns: the usual axis takes room for its name")
		}
		l.Throughput.Scale = views.ScaleAuto
		if got := lines(l, width, 24); count(got, "y: auto") != 1 {
			t.Errorf("%d columns: %s", width, got[3])
		}
	}
}

func TestBannerAndTextField(t *testing.T) {
	l := live()
	l.Banner = "built-in demo server: its speed says nothing about Redis"
	l.Edit = &views.Edit{Label: "pipeline", Text: "32", Cursor: 2}
	got := lines(l, 80, 24)
	if len(got) != 24 || got[1] != " ! "+l.Banner || got[23] != " pipeline: 32_" {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// At the minimum size a crowd of rows still leaves a chart, a note and the keys.
func TestCrowdedScreen(t *testing.T) {
	l := live()
	l.Banner = "b"
	for range 12 {
		l.Table.Rows = append(l.Table.Rows, timeRow("more", 1, 1, 1))
	}
	got := lines(l, 80, 24)
	if len(got) != 24 || count(got, "limiter:") != 1 || count(got, "? help") != 1 || rowsBetween(got, "-- throughput", "+---") < 2 {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// traffic is what the renderer sends for one second of a running screen: it resends
// every line that changed. Charts move four times a second, tables twice.
func traffic(width, height int, theme views.Theme) int {
	const seconds = 20
	var before []string
	bytes := 0
	for frame := range seconds*4 + 1 {
		// A sample comes every 100 ms, a frame draws what is there every 250 ms.
		have := 1200 + frame*5/2
		l := live()
		l.Throughput.Samples = opsSamples(1200 + seconds*10)[:have]
		l.Latency.Samples = latencySamples(1200 + seconds*10)[:have]
		age := l.Throughput.Samples[have-1].Age
		for i := range have {
			l.Throughput.Samples[i].Age -= age
			l.Latency.Samples[i].Age -= age
		}
		l.Throughput.At = time.Duration(have) * step
		l.Latency.At = l.Throughput.At
		l.Throughput.Marks = nil
		l.Throughput.Now = number(l.Throughput.Samples[have-1].Value)
		l.Header.Elapsed = time.Duration(frame) * 250 * time.Millisecond
		for i := range l.Table.Rows {
			l.Table.Rows[i].Times[0].Value += time.Duration(frame/2*1234) * time.Microsecond
		}
		l.Nodes = nodes(6)
		for i := range l.Nodes.List {
			l.Nodes.List[i].Ops.Value += float64(frame / 2 * 1234)
		}
		now := strings.Split(l.Render(views.Frame{Width: width, Height: height, Theme: theme}), "\n")
		for i, line := range now {
			switch {
			case frame == 0:
			case before[i] == line:
				bytes++
			default:
				bytes += len(line) + len("\r\n\x1b[K")
			}
		}
		before = now
	}
	return bytes / seconds
}

func TestTrafficBudget(t *testing.T) {
	for _, g := range []views.Glyphs{views.ASCII, views.Block, views.Braille} {
		small, big := traffic(80, 24, views.DefaultTheme(g)), traffic(120, 40, views.DefaultTheme(g))
		t.Logf("%v: %d B/s at 80x24, %d B/s at 120x40", g, small, big)
		if small > 10_000 || big > 20_000 {
			t.Errorf("%v: %d B/s at 80x24 (budget 10 kB/s), %d B/s at 120x40 (budget 20 kB/s)", g, small, big)
		}
	}
}

// The same moment drawn later moves as a whole: no cell of the past changes.
func TestThePastDoesNotShimmer(t *testing.T) {
	draw := func(at time.Duration) string {
		c := views.Throughput{Span: 60 * time.Second, At: at, Scale: views.ScaleZero}
		for i := range 1200 {
			moment := time.Duration(i) * step
			if moment <= at {
				c.Samples = append(c.Samples, views.Sample{Age: at - moment, Value: 100 + 50*wave(i)})
			}
		}
		row := strings.Split(c.Render(views.Frame{Width: 80, Height: 9, Theme: views.MonoTheme(views.Block)}), "\n")[2]
		return strings.TrimSpace(ansi.Strip(row))
	}
	// 72 columns of 833 ms: within one of them only the newest column may change.
	a, b := []rune(draw(100*time.Second+step)), []rune(draw(100*time.Second+7*step))
	if len(a) < 40 || string(a[:len(a)-1]) != string(b[:len(a)-1]) {
		t.Errorf("the past changed:\n%s\n%s", string(a), string(b))
	}
}
