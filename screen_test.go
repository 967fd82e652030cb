package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// window opens the program's screen in a tmux window on a server of the test.
func window(t *testing.T, server *redistest.Server, cols, rows int, more ...string) (w *ptytest.Window, dir string) {
	t.Helper()
	dir = t.TempDir()
	w = ptytest.Open(t, ptytest.Spec{
		Cols: cols, Rows: rows, Dir: dir, Env: environment(),
		Command: append([]string{program(t, plain), "-p", port(server)}, more...),
	})
	return w, dir
}

// row is a line of the percentile table as numbers, NaN-free: ok is false where
// the screen shows a dash.
type row [3]struct {
	value float64
	ok    bool
}

// table reads the line of that label. The columns are last 5 s, since the change
// and before the change.
func table(screen, label string) (r row, found bool) {
	for line := range strings.Lines(screen) {
		words := strings.Fields(line)
		if len(words) < 4 || words[0] != label || words[1] == "/" {
			continue
		}
		for i := range r {
			v, err := strconv.ParseFloat(strings.ReplaceAll(words[i+1], ",", ""), 64)
			r[i].value, r[i].ok = v, err == nil
		}
		return r, true
	}
	return r, false
}

const (
	last = iota
	since
	before
)

// measured waits until the table has a number of "since change" under pipeline p.
func measured(w *ptytest.Window, p int) (screen string) {
	return w.SeesThat(fmt.Sprintf("a measurement at pipeline %d", p), func(screen string) bool {
		r, found := table(screen, "ops/s")
		return found && r[since].ok && strings.Contains(screen, fmt.Sprintf("P=%d,", p))
	})
}

// counters are those of the server that tell whether pipelines arrive as such.
func counters(t *testing.T, s *redistest.Server) (commands, reads float64) {
	t.Helper()
	stats := s.Info(t, "stats")
	return number(t, stats["total_commands_processed"]), number(t, stats["total_reads_processed"])
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestTurningThePipeline is the program's main job, from the first second to the
// prompt: the load is on, four keys raise the pipeline from 1 to 16, the server
// reads batches, and the screen says what that did.
func TestTurningThePipeline(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ cols, rows int }{{80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size.cols, size.rows), func(t *testing.T) {
			server := redistest.Start(t)
			unchanged := strangers(t, server)
			program(t, plain) // building it is not its start
			begun, sets := time.Now(), server.Calls(t, "set")
			w, _ := window(t, server, size.cols, size.rows)
			ptytest.Await(t, "load on the server", func() bool { return server.Calls(t, "set") > sets }, w.Screen)
			loaded := time.Since(begun)
			t.Logf("load is running %v after the start", loaded.Round(time.Millisecond))
			if loaded > 10*time.Second {
				t.Errorf("load is running after %v, want about 2 s at most", loaded)
			}
			measured(w, 1)
			time.Sleep(time.Second) // a little more to compare with

			w.Keys("Tab")
			w.Sees(">[ 1 ]<")
			w.Keys("Right", "Right", "Right", "Right")
			w.Sees(">[ 16 ]<")
			measured(w, 16)
			commands, reads := counters(t, server)
			time.Sleep(time.Second)
			c, r := counters(t, server)
			if batch := (c - commands) / (r - reads); batch < 12 {
				t.Errorf("%.1f commands per read on the server, want about 16", batch)
			} else {
				t.Logf("%.1f commands per read on the server", batch)
			}
			screen := w.SeesThat("the marker of the change", marked)
			afterwards(t, screen)
			w.Keys("q")
			if code := w.Ends(); code != 0 {
				t.Errorf("exit code %d, want 0", code)
			}
			if err := w.Restored(); err != nil {
				t.Error(err)
			}
			summary(t, screen, w.Scrollback())
			unchanged()
		})
	}
}

// marked reports whether the chart carries a caret with what was changed there.
func marked(screen string) bool {
	return regexp.MustCompile(`\^ (P 1>16|pipeline 1 > 16)|(P 1>16|pipeline 1 > 16) \^`).MatchString(screen)
}

// afterwards checks what the screen says about the change from P=1 to P=16.
func afterwards(t *testing.T, screen string) {
	t.Helper()
	ops, _ := table(screen, "ops/s")
	if !ops[before].ok || !ops[since].ok || ops[since].value < 2*ops[before].value {
		t.Errorf("ops/s %v since the change and %v before it, want several times as much:\n%s", ops[since], ops[before], screen)
	}
	t.Logf("ops/s x%.2f", ops[since].value/ops[before].value)
	if p50, found := table(screen, "p50"); !found || !p50[before].ok || !p50[since].ok {
		t.Errorf("no p50 before or since the change:\n%s", screen)
	}
	change := regexp.MustCompile(`ops/s .* x\d+(\.\d+)? better`)
	if !change.MatchString(screen) {
		t.Errorf("the change is not called better in words:\n%s", screen)
	}
}

// summary checks what stays in the scrollback: both plans, and that the figures of
// P=1 are those that the table showed as "before change".
func summary(t *testing.T, screen, scrollback string) {
	t.Helper()
	// The plan, seconds, ops/s and p50; a plan that never came to rest says so.
	line := regexp.MustCompile(`(?m)^P=(\d+)\s+(?:\(not steady\)\s+)?[\d.]+\s+([\d,]+)\s+([\d.]+)`)
	rows := map[string][]string{}
	for _, m := range line.FindAllStringSubmatch(scrollback, -1) {
		rows[m[1]] = m
	}
	if rows["1"] == nil || rows["16"] == nil {
		t.Fatalf("the summary has no row for P=1 or P=16:\n%s", scrollback)
	}
	ops, _ := table(screen, "ops/s")
	if got := number(t, rows["1"][2]); got != ops[before].value {
		t.Errorf(`P=1 made %v ops/s, "before change" showed %v`, got, ops[before].value)
	}
	p50, _ := table(screen, "p50")
	if got := number(t, rows["1"][3]); got != p50[before].value {
		t.Errorf(`P=1 had a p50 of %v, "before change" showed %v`, got, p50[before].value)
	}
	if !strings.Contains(scrollback, "0 errors") || !strings.Contains(scrollback, `keys under "fullbore:" removed`) {
		t.Errorf("the summary tells no errors or no removed keys:\n%s", scrollback)
	}
}

// still reports whether the server executes nothing of the load for a while.
func still(t *testing.T, server *redistest.Server, command string) bool {
	n := server.Calls(t, command)
	time.Sleep(700 * time.Millisecond)
	return server.Calls(t, command) == n
}

func TestKeysOfTheScreen(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	w, dir := window(t, server, 80, 24, "-c", "8", "--warmup", "500ms")
	measured(w, 1)

	// An exact value, a wrong one, and a change of mind.
	w.Keys("Tab", "Enter")
	w.Sees("esc cancel")
	w.Keys("2", "0", "Enter")
	w.Sees(">[ 20 ]<")
	measured(w, 20)
	w.Keys("Enter", "a", "b", "c", "Enter")
	w.SeesThat("why abc is refused", func(s string) bool {
		return strings.Contains(s, "abc") && strings.Contains(s, "1 to 100000")
	})
	w.Keys("Escape")
	w.SeesThat("the old value", func(s string) bool {
		return strings.Contains(s, ">[ 20 ]<") && strings.Contains(s, "q quit")
	})
	w.Keys("Enter", "9")
	w.Sees("pipeline: 9") // or esc could come before the field, and take the next key along
	w.Keys("Escape")
	w.SeesThat("the old value", func(s string) bool {
		return strings.Contains(s, ">[ 20 ]<") && strings.Contains(s, "q quit")
	})

	w.Keys("?")
	help := w.Sees("pause or resume load")
	for _, key := range []string{"ctrl+c", "ctrl+z", "ctrl+l", "esc", "tab", "shift+tab", "left", "right", "enter", "space", "q", "Q", "r", "s", "w", "f", "y", "t", "[", "]", "+", "-"} {
		if !strings.Contains(help, key) {
			t.Errorf("the help does not name %s:\n%s", key, help)
		}
	}
	w.Keys("Escape")
	w.Sees("RUN")

	w.Keys("Space")
	w.Sees("PAUSED")
	ptytest.Await(t, "a load that rests", func() bool { return still(t, server, "set") }, w.Screen)
	w.Keys("Space")
	w.Sees("RUN")
	ptytest.Await(t, "a load that goes on", func() bool { return !still(t, server, "set") }, w.Screen)

	w.Keys("f")
	w.Sees("FROZEN")
	time.Sleep(300 * time.Millisecond) // the frame is out as a whole
	frozen := w.Screen()
	if still(t, server, "set") {
		t.Error("freezing the display stopped the load")
	}
	time.Sleep(1200 * time.Millisecond)
	if now := w.Screen(); now != frozen {
		t.Errorf("the frozen display moved from\n%sto\n%s", frozen, now)
	}
	w.Keys("f")
	w.Sees("RUN")

	// After a reset the segment of the same plan begins anew.
	w.Keys("r")
	w.SeesThat("a fresh segment", func(s string) bool { r, _ := table(s, "ops/s"); return !r[since].ok })
	measured(w, 20)

	w.Keys("w")
	saved(t, w, dir)
	w.Keys("Q")
	if code := w.Ends(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if err := w.Restored(); err != nil {
		t.Error(err)
	}
	// Below what scrolled away: the last frame, then the summary.
	text := w.Scrollback()
	frame, rest, ok := strings.Cut(text, "q quit")
	if !ok || !strings.Contains(frame, server.Addr) || !strings.Contains(frame, "p99.9") || !strings.Contains(rest, "total: ") {
		t.Errorf("Q left no last frame before the summary:\n%s", text)
	}
	if n := server.DBSize(t); n != 0 {
		t.Errorf("%d keys left", n)
	}
}

// saved checks the files that w wrote and the note that names them.
func saved(t *testing.T, w *ptytest.Window, dir string) {
	t.Helper()
	var files []string
	ptytest.Await(t, "a JSON and a text file", func() bool {
		files, _ = filepath.Glob(filepath.Join(dir, "fullbore-*"))
		return len(files) == 2
	}, w.Screen)
	w.SeesThat("a note of the file", func(s string) bool {
		return strings.Contains(s, "saved to") && strings.Contains(s, filepath.Base(files[0])[:len("fullbore-20260102")])
	})
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	r := only(t, string(text))
	var plans []string
	for _, s := range r.Segments {
		plans = append(plans, s.Plan)
	}
	n := len(r.Segments)
	if n < 3 || r.Segments[0].Pipeline != 1 || r.Segments[n-1].Pipeline != 20 || plans[n-1] != plans[n-2] {
		t.Errorf("segments %q, want P=1, then P=20 before and after the reset", plans)
	}
}

func TestBelowTheMinimumTheLoadGoesOn(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	w, _ := window(t, server, 80, 24, "-c", "8", "--warmup", "500ms")
	measured(w, 1)
	w.Resize(60, 20)
	w.Sees("terminal is 60 x 20; need 80 x 24")
	w.Sees("load is still running")
	if still(t, server, "set") {
		t.Error("the load stopped with the size")
	}
	w.Keys("Space")
	w.Sees("load is not running")
	w.Keys("Space")
	w.Sees("load is still running")
	w.Resize(120, 40)
	w.Sees("p99.99")
	w.Resize(60, 20)
	w.Sees("need 80 x 24")
	w.Keys("q")
	if code := w.Ends(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if err := w.Restored(); err != nil {
		t.Error(err)
	}
}

func TestResizeStorm(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	w, _ := window(t, server, 80, 24, "-c", "8", "--warmup", "500ms")
	measured(w, 1)
	sizes := [][2]int{{80, 24}, {1, 1}, {120, 40}, {10, 3}, {79, 24}, {80, 23}, {200, 60}, {400, 100}, {81, 25}, {40, 12}}
	tick := time.NewTicker(40 * time.Millisecond) // 50 in 2 s
	defer tick.Stop()
	for i := range 50 {
		w.Resize(sizes[i%len(sizes)][0], sizes[i%len(sizes)][1])
		<-tick.C
	}
	w.Resize(80, 24)
	screen := w.SeesThat("a whole screen", func(s string) bool {
		lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
		return len(lines) == 24 && strings.Contains(lines[0], server.Addr) && strings.Contains(lines[23], "q quit")
	})
	if n := strings.Count(screen, "clients "); n != 1 {
		t.Errorf("the knobs are there %d times:\n%s", n, screen)
	}
	if still(t, server, "set") {
		t.Error("the load stopped")
	}
	w.Keys("q")
	if code := w.Ends(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}
