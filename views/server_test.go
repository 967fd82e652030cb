package views_test

import (
	"strings"
	"testing"
	"time"

	"fullbore/views"
)

func TestLimiterLine(t *testing.T) {
	inFlight := views.Limiter{Name: "in-flight", Title: "latency-bound", Advice: "raise pipeline or clients",
		Evidence: "50 x 1 in flight over 0.35 ms can give at most 143 k/s (round trip 0.3 ms, 0.1 ms of it simulated)"}
	for _, tt := range []struct {
		name  string
		l     views.Limiter
		width int
		want  string
	}{
		{"wide", limiter(), 130, "server main thread 97 % of a core, 5.2 % of it executing commands: use io-threads, sharding or fewer bytes"},
		{"advice before the rest", limiter(), 90, "server main thread 97 % of a core: use io-threads, sharding or fewer bytes"},
		{"without use", limiter(), 80, "server main thread 97 % of a core: io-threads, sharding or fewer bytes"},
		{"first advice", limiter(), 64, "server main thread 97 % of a core: use io-threads"},
		{"numbers alone", limiter(), 50, "server main thread 97 % of a core"},
		{"title alone", limiter(), 30, "server-bound"},
		{"title where the evidence has it not", inFlight, 130, "latency-bound, 50 x 1 in flight over 0.35 ms can give at most 143 k/s: raise pipeline or clients"},
		{"brackets are one clause", inFlight, 160, "latency-bound, " + inFlight.Evidence + ": raise pipeline or clients"},
		{"client", clientBound(), 80, "client 99 % of 2 cores (GOMAXPROCS): raise --threads"},
		{"no evidence", views.Limiter{Title: "limit unknown", Advice: "wait"}, 80, "limit unknown: wait"},
	} {
		if got := lines(tt.l, tt.width, 1)[0]; got != " limiter: "+tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := (views.Limiter{Evidence: "x"}).Render(views.Frame{Width: 80, Height: 1}); got != "" {
		t.Errorf("an unknown limiter draws %q", got)
	}
}

// At every size the live screen says the limiter once: in the server's section, or in
// place of the title of the notes.
func TestLiveSaysTheLimiterOnce(t *testing.T) {
	for _, l := range []views.Live{live(), held(clientBound(), views.ServerPanel{}), cluster(nodes(6)), open()} {
		l.Limiter = limiter()
		for _, width := range []int{80, 99, 120, 200} {
			for height := 24; height <= 60; height++ {
				got := lines(l, width, height)
				if count(got, "limiter: server main thread") != 1 {
					t.Fatalf("%dx%d:\n%s", width, height, strings.Join(got, "\n"))
				}
				if len(got) != height {
					t.Fatalf("%dx%d has %d lines", width, height, len(got))
				}
			}
		}
	}
	l := live()
	l.Limiter = views.Limiter{}
	if got := lines(l, 80, 24); count(got, "-- notes") != 1 || count(got, "limiter") != 0 {
		t.Errorf("without a limiter:\n%s", strings.Join(got, "\n"))
	}
}

// Drawing 3 has room for all that the server says of itself.
func TestServerPanelShowsEveryFact(t *testing.T) {
	got := lines(live(), 120, 40)
	for _, fact := range append(serverPanel().Facts, serverPanel().Share) {
		if count(got, fact) != 1 {
			t.Errorf("120x40 shows %q %d times", fact, count(got, fact))
		}
	}
	silent := held(limiter(), views.ServerPanel{Silent: "the server tells nothing: INFO: NOPERM"})
	if got := lines(silent, 120, 40); count(got, "tells nothing: INFO: NOPERM") != 1 {
		t.Errorf("a silent server is not explained:\n%s", strings.Join(got, "\n"))
	}
	none := lines(held(views.Limiter{}, views.ServerPanel{}), 120, 40)
	if count(none, "server INFO") != 0 {
		t.Error("a section about nothing")
	}
}

func TestFactsAreWhole(t *testing.T) {
	panel := serverPanel()
	for width := 30; width < 130; width++ {
		for _, line := range lines(panel, width, 3)[1:] {
			for _, fact := range strings.Split(strings.ReplaceAll(strings.TrimSpace(line), "   ", "  "), "  ") {
				if !strings.Contains(strings.Join(panel.Facts, "\n")+"\n", fact+"\n") {
					t.Fatalf("width %d: half a fact %q", width, fact)
				}
			}
		}
	}
}

// The page fills its frame, keeps every gauge at every size, and loses nothing as it
// grows.
func TestServerPage(t *testing.T) {
	for _, v := range []views.ServerPage{serverPage(), silentPage()} {
		for _, width := range []int{80, 120, 160} {
			before := 0
			for height := 24; height <= 60; height++ {
				got := lines(v, width, height)
				if len(got) != height || !strings.HasPrefix(got[height-1], " ? help") {
					t.Fatalf("%dx%d has %d lines, the last %q", width, height, len(got), got[len(got)-1])
				}
				for _, g := range v.Gauges {
					if count(got, g.Label+" ") == 0 || count(got, g.Value) == 0 {
						t.Errorf("%dx%d has no %s", width, height, g.Label)
					}
				}
				shown := 0
				for _, r := range v.Facts {
					shown += count(got, "  "+r.Label+" ")
				}
				for _, r := range v.Commands {
					shown += count(got, "  "+r.Name+" ")
				}
				if shown < before {
					t.Errorf("%dx%d shows %d rows, one line less %d", width, height, shown, before)
				}
				before = shown
			}
		}
	}
	all := strings.Join(lines(serverPage(), 120, 40), "\n")
	for _, want := range []string{limiter().Title, limiter().Evidence, limiter().Advice, "config|get", "RDB saved", "commands take 5.2 %", "both ends", "! 12 clients"} {
		if !strings.Contains(all, want) {
			t.Errorf("120x40 does not show %q", want)
		}
	}
	quiet := strings.Join(lines(silentPage(), 120, 40), "\n")
	for _, want := range []string{"tells nothing: INFO: NOPERM", "4 threads in place of 2", "client-bound"} {
		if !strings.Contains(quiet, want) {
			t.Errorf("a silent server's page does not show %q", want)
		}
	}
}

func TestServerPageTooSmall(t *testing.T) {
	v := serverPage()
	v.Small = views.TooSmall{Ops: number(1234), Running: true}
	if got := strings.Join(lines(v, 60, 20), "\n"); !strings.Contains(got, "1,234 ops/s") {
		t.Errorf("below the minimum:\n%s", got)
	}
	v.Limiter = views.Limiter{}
	if got := strings.Join(lines(v, 80, 24), "\n"); !strings.Contains(got, "not known yet") {
		t.Errorf("before the first look:\n%s", got)
	}
}

func TestGaugeBar(t *testing.T) {
	for share, want := range map[float64]string{0: "[..........]", .001: "[#.........]", .5: "[#####.....]", .97: "[#########.]", 1: "[##########]", 1.7: "[##########]", -1: "[..........]"} {
		got := lines(views.Gauge{Label: "cpu", Full: number(share)}, 80, 1)[0]
		if !strings.Contains(got, want) {
			t.Errorf("share %v: %q, want %s", share, got, want)
		}
	}
	if got := lines(views.Gauge{Label: "cpu", Value: "-"}, 80, 1)[0]; strings.Contains(got, "[") {
		t.Errorf("an unknown share has a bar: %q", got)
	}
}

// A share is drawn against all there is, not against its own highest.
func TestGaugeAgainstTheWhole(t *testing.T) {
	samples := series(.5, .5, .5, .5, .5, .5, .5, .5)
	half := lines(views.Gauge{Label: "cpu", Top: 1, Samples: samples}, 80, 4)
	if strings.Contains(half[0], "|") || !strings.Contains(half[3], "|") {
		t.Errorf("half of a share fills the chart:\n%s", strings.Join(half, "\n"))
	}
	over := lines(views.Gauge{Label: "cpu", Top: 1, Samples: series(1.02, 1.02, 1.02)}, 80, 2)
	if strings.Contains(strings.Join(over, ""), "^") {
		t.Errorf("a second measured a little long leaves the chart:\n%s", strings.Join(over, "\n"))
	}
}

// The page moves with the beats, once a second, and its time axis.
func TestServerPageTraffic(t *testing.T) {
	for _, g := range []views.Glyphs{views.ASCII, views.Block, views.Braille} {
		for _, size := range [][3]int{{80, 24, 10_000}, {120, 40, 20_000}} {
			var before []string
			bytes := 0
			for frame := range 41 { // twice a second
				v := serverPage()
				v.At += time.Duration(frame) * 500 * time.Millisecond
				for i := range v.Gauges {
					samples := v.Gauges[i].Samples
					for j := range samples {
						samples[j].Value *= 1 + .02*wave(frame/2+j)
						samples[j].Age += time.Duration(frame%2) * 500 * time.Millisecond
					}
					v.Gauges[i].Value = strings.Repeat("9", frame/2%7+1) + " MB/s"
				}
				now := strings.Split(v.Render(views.Frame{Width: size[0], Height: size[1], Theme: views.DefaultTheme(g)}), "\n")
				for i, line := range now {
					if frame > 0 && before[i] != line {
						bytes += len(line) + len("\r\n\x1b[K")
					}
				}
				before = now
			}
			if rate := bytes / 20; rate > size[2] {
				t.Errorf("%v at %dx%d: %d B/s", g, size[0], size[1], rate)
			}
		}
	}
}
