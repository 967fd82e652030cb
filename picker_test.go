package main_test

import (
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// TestScreenPicksTests chooses a mix and a command by hand, and asks the server
// whether that is what arrives.
func TestScreenPicksTests(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	server.Do(t, "SET", "theirs", "1") // so that there is something to lose
	w, _ := window(t, server, 80, 24, "-c", "4", "--warmup", "200ms")
	measured(w, 1)

	w.Keys("Tab", "Tab", "Tab", "Enter")
	w.Sees("21 of 21")
	w.Keys("g", "e", "t")
	w.Sees("filter: get_")
	w.Keys("Space", "+", "+")
	w.Sees("enter sends: set=1,get=3")
	w.Keys("Enter")
	w.Sees(">[ SET=1,GET=3 ]<")
	ptytest.Await(t, "three GET for a SET", func() bool {
		// From moment to moment: the keys to be read are written by SET, once.
		gets, sets := server.Calls(t, "get"), server.Calls(t, "set")
		time.Sleep(200 * time.Millisecond)
		g, s := server.Calls(t, "get")-gets, server.Calls(t, "set")-sets
		return s > 100 && g > 2*s && g < 4*s
	}, w.Screen)

	// What writes to keys of others waits for a second enter; esc is a no.
	w.Keys("Enter", ":", "INCR theirs", "Enter")
	w.Sees("! INCR theirs writes to theirs")
	w.Keys("Escape")
	w.Sees(">[ SET=1,GET=3 ]<")
	w.Keys("Enter", ":", "HSET fullbore:h:__rand_int__ name __data__", "Enter")
	w.Sees(">[ HSET fullbore")
	hashes := server.Calls(t, "hset")
	ptytest.Await(t, "the command on the server", func() bool { return server.Calls(t, "hset") > hashes+1000 }, w.Screen)
	if n := server.Calls(t, "incr"); n != 0 {
		t.Errorf("INCR was sent %d times without a yes", n)
	}
	w.Keys("q")
	if code := w.Ends(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if n := server.DBSize(t); n != 1 {
		t.Errorf("%d keys are left, want the one that was there", n)
	}
}

// TestScreenTurnsTheShape turns the knobs of sizes, distribution and batch mode.
func TestScreenTurnsTheShape(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	w, _ := window(t, server, 80, 24, "-c", "4", "-P", "8", "--warmup", "200ms")
	measured(w, 8)

	w.Keys("Tab", "Tab", "Enter", "10-4k", "Enter")
	w.Sees(">[ 10-4k ]<")
	w.Keys("Tab", "Tab", "Tab", "Tab", "Enter", "zipf:0.99", "Enter")
	w.Sees(">[ zipf:0.99 ]<")
	w.Keys("Tab", "Right")
	w.Sees(">[ multi ]<")
	w.Sees("P=8, batch multi, closed)")
	if n := server.Calls(t, "exec"); n == 0 {
		t.Error("no EXEC arrives")
	}
	w.Keys("Right")
	w.Sees("batch none, closed)")
	time.Sleep(500 * time.Millisecond) // the last of the older batches is through
	execs := server.Calls(t, "exec")
	time.Sleep(500 * time.Millisecond)
	if now := server.Calls(t, "exec"); now != execs {
		t.Errorf("%d EXEC more after the change", now-execs)
	}
	screen := w.Screen()
	if !strings.Contains(screen, "‹  keys") || !strings.Contains(screen, "err 0") {
		t.Errorf("the screen is\n%s", screen)
	}
	w.Keys("q")
	if code := w.Ends(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if n := server.DBSize(t); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}
