package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// farEnough is a round trip with which a deeper pipeline is faster on every machine: a
// busy one has the time for so little load, and the load generator is not the limit.
const farEnough = "5ms"

// verdictTime is how long a comparison of the usual rounds may be on its way: eight
// pairs and their twins are half a minute, and a busy machine gives some of them up.
const verdictTime = 3 * time.Minute

// faster reports whether the verdict says in words that B is.
func faster(screen string) bool {
	return regexp.MustCompile(`(?m)^ B faster: x \d+(\.\d+)? \[`).MatchString(screen)
}

// sideLine is the line of a side in the strip of knobs.
func sideLine(screen, side string) string {
	line := regexp.MustCompile(`(?m)^ [> ] ` + side + `[ >].*$`).FindString(screen)
	return line
}

// quit leaves the screen and checks how: with the prompt within about a second, the
// terminal as it was and no key left on the server.
func quit(t *testing.T, w *ptytest.Window, server *redistest.Server) (scrollback string) {
	t.Helper()
	begun := time.Now()
	w.Keys("q")
	if code := w.Ends(); code != 0 {
		t.Errorf("exit code %d, want 0:\n%s", code, w.Scrollback())
	}
	left := time.Since(begun)
	t.Logf("gone %v after q", left.Round(time.Millisecond))
	if left > hangs {
		t.Errorf("gone %v after q, want about 1 s", left)
	}
	if err := w.Restored(); err != nil {
		t.Error(err)
	}
	scrollback = w.Scrollback()
	if !strings.Contains(scrollback, `keys under "fullbore:" removed`) {
		t.Errorf("nothing tells of removed keys:\n%s", scrollback)
	}
	return scrollback
}

// TestComparingByKeysAlone is the way from the live screen to a verdict: two sides are
// made of the present setting, four keys raise the pipeline of one, and half a minute
// later the screen says which is faster, in words that need no colour. Then the live
// run goes on with that side's setting.
func TestComparingByKeysAlone(t *testing.T) {
	t.Parallel()
	for _, size := range []struct {
		cols, rows int
		theme      string
	}{{80, 24, "mono"}, {120, 40, "default"}} {
		t.Run(fmt.Sprintf("%dx%d", size.cols, size.rows), func(t *testing.T) {
			t.Parallel()
			server := redistest.Start(t)
			unchanged := strangers(t, server)
			w, _ := window(t, server, size.cols, size.rows, "--theme", size.theme, "-c", "8", "--rtt", farEnough)
			measured(w, 1)
			w.Keys("c")
			w.Sees("fullbore A/B")
			w.Keys("2", "Tab", "l", "l", "l", "l")
			screen := w.SeesThat("B at P=16, and A at P=1", func(s string) bool {
				return strings.Contains(sideLine(s, "B"), ">[ 16 ]<") && strings.HasPrefix(sideLine(s, "B"), " > B")
			})
			if a := strings.Fields(sideLine(screen, "A")); len(a) < 3 || a[1] != "8" || a[2] != "1" {
				t.Errorf("A stands at %q", a)
			}
			screen = w.SeesAtLast(verdictTime, "a verdict in words", faster)
			for _, want := range []string{"A C=8 P=1", "B C=8 P=16", "noise floor", "pairs", "better", "worse", "us/command"} {
				if !strings.Contains(screen, want) {
					t.Errorf("beside the verdict there is no %q:\n%s", want, screen)
				}
			}
			w.Keys("c")
			w.Sees("live with the setting of B")
			screen = measured(w, 16)
			if !strings.Contains(screen, "RUN") && !strings.Contains(screen, "SETTLING") {
				t.Errorf("the live run does not go on:\n%s", screen)
			}
			told := quit(t, w, server)
			for _, want := range []string{"B against A: ", "faster", "P=16"} {
				if !strings.Contains(told, want) {
					t.Errorf("the summary has no %q:\n%s", want, told)
				}
			}
			unchanged()
		})
	}
}

// TestCompareOpensTheScreen holds what keys do to a comparison that the command line
// asks for, and that every way out of it is clean.
func TestCompareOpensTheScreen(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	w, dir := window(t, server, 120, 40, short("--pairs", "30", "--rtt", farEnough, "P=1", "P=16")...)
	w.Sees("fullbore A/B")
	w.SeesAtLast(verdictTime, "a verdict in words", faster)

	w.Keys("Space")
	w.Sees("PAUSED")
	ptytest.Await(t, "a load that rests", func() bool { return still(t, server, "set") }, w.Screen)
	w.Keys("Space", "i")
	w.Sees("COMPETING")
	w.Sees("no verdict")
	ptytest.Await(t, "both under load", func() bool { return !still(t, server, "set") }, w.Screen)
	w.Keys("i", "x")
	w.SeesThat("the verdict the other way round", func(s string) bool { return strings.Contains(s, "B slower: x 0.") })
	w.Keys("x")
	w.SeesThat("the verdict as before", faster)

	w.Keys("w")
	w.Sees("saved to fullbore-compare-")
	files, err := filepath.Glob(filepath.Join(dir, "fullbore-compare-*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("files %v, %v; want JSON and text", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if c := contest(t, string(text)); len(c.Comparisons) != 1 || c.Comparisons[0].Verdict.Kind != "faster" || c.Arms[1].Label != "P=16" {
		t.Errorf("saved: %+v", c.Comparisons)
	}

	// Another setting begins the pairs anew and keeps what was seen.
	w.Keys("Tab", "h")
	w.Sees("pipeline 16 > 8; the pairs begin anew")
	w.SeesThat("pairs under the new setting", func(s string) bool { return strings.Contains(s, "P=16 > P=8") || strings.Contains(s, "P 16>8") })

	w.Keys("?")
	help := w.Sees("keys of a comparison")
	for _, what := range []string{"1..6", "swap A and B", "all at once", "other side the same", "compare, and back"} {
		if !strings.Contains(help, what) {
			t.Errorf("the help has no %q:\n%s", what, help)
		}
	}
	w.Keys("?", "c")
	w.Sees("live with the setting of B")
	measured(w, 8)
	quit(t, w, server)
	if n := server.DBSize(t); n != 0 {
		t.Errorf("%d keys left", n)
	}
}

// TestComparisonInAResizeStorm holds that a comparison survives every size, and says
// below the minimum that it goes on.
func TestComparisonInAResizeStorm(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	w, _ := window(t, server, 80, 24, short("-t", "set,get", "P=1", "P=4", "P=16")...)
	w.Sees("fullbore A..C")
	sizes := [][2]int{{80, 24}, {1, 1}, {120, 40}, {10, 3}, {79, 24}, {80, 23}, {200, 60}, {400, 100}, {81, 25}, {40, 12}}
	tick := time.NewTicker(40 * time.Millisecond) // 50 in 2 s
	defer tick.Stop()
	for i := range 50 {
		w.Resize(sizes[i%len(sizes)][0], sizes[i%len(sizes)][1])
		<-tick.C
	}
	w.Resize(60, 20)
	w.Sees("need 80 x 24")
	w.Sees("load is still running")
	w.Resize(80, 24)
	screen := w.SeesThat("a whole screen", func(s string) bool {
		lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
		return len(lines) == 24 && strings.Contains(lines[0], server.Addr) && strings.Contains(lines[23], "q quit")
	})
	if n := strings.Count(screen, "clients "); n != 1 {
		t.Errorf("the knobs are there %d times:\n%s", n, screen)
	}
	quit(t, w, server)
}

// TestComparisonOfPrivateServers holds that the screen says which servers it compares,
// and that they are gone with it.
func TestComparisonOfPrivateServers(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "alone-") // short, for sockets
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	w := ptytest.Open(t, ptytest.Spec{
		Cols: 80, Rows: 24, Dir: t.TempDir(), Env: environment("TMPDIR=" + dir),
		Command: append([]string{program(t, plain)}, short("-t", "set", "server=redis-server", "server='redis-server --io-threads 2'")...),
	})
	w.Sees("2 servers")
	w.SeesThat("the second server's options", func(s string) bool { return strings.Contains(s, "--io-threads 2") })
	w.Keys("c") // live on the second one
	w.Sees("live with the setting of B")
	w.Sees("RUN")
	w.Keys("q")
	if code := w.Ends(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestTrafficOfAComparison holds the budgets of the line to the user, with two charts
// live: 10 kB/s at 80x24 and 20 kB/s at 120x40, and nothing while paused. NO_COLOR
// leaves no colour in it.
func TestTrafficOfAComparison(t *testing.T) {
	t.Parallel()
	for _, size := range []struct {
		cols, rows int
		most       float64
	}{{80, 24, 10_000}, {120, 40, 20_000}} {
		t.Run(fmt.Sprintf("%dx%d", size.cols, size.rows), func(t *testing.T) {
			t.Parallel()
			server := redistest.Start(t)
			args := append(short("P=1", "P=16"), "-p", port(server), "--pairs", "30", "--practical", "0.1%")
			cmd := exec.Command(program(t, plain), args...)
			cmd.Env, cmd.Dir = environment("NO_COLOR=1"), t.TempDir()
			c := ptytest.Start(t, size.cols, size.rows, cmd)
			c.Sees(0, "running")
			rate := traffic(c, 5*time.Second)
			t.Logf("%.0f B/s", rate)
			if rate > size.most || rate == 0 {
				t.Errorf("%.0f B/s, want at most %.0f", rate, size.most)
			}
			from := c.Written()
			c.Type(" ")
			c.Sees(from, "PAUSED")
			time.Sleep(1500 * time.Millisecond)
			if rate := traffic(c, 2*time.Second); rate != 0 {
				t.Errorf("%.0f B/s while paused", rate)
			}
			if colour := regexp.MustCompile(`\x1b\[[0-9;]*\b(3[0-7]|9[0-7]|38|48)\b[0-9;]*m`).FindString(c.Output()); colour != "" {
				t.Errorf("a colour although NO_COLOR is set: %q", colour)
			}
			c.Type("q")
			if code, _ := c.Ends(); code != 0 {
				t.Errorf("exit code %d, want 0:\n%s", code, c.AfterScreen())
			}
			if err := c.Restored(); err != nil {
				t.Error(err)
			}
		})
	}
}
