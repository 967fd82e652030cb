package ptytest_test

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"fullbore/tui/ptytest"
)

func shell(script string) *exec.Cmd { return exec.Command("sh", "-c", script) }

func TestConsole(t *testing.T) {
	c := ptytest.Start(t, 80, 24, shell(`stty size; read line; echo "got $line"; stty size; exit 7`))
	c.Sees(0, "24 80")
	if first := c.First(); first <= 0 || first > c.Since() {
		t.Errorf("first byte after %v", first)
	}
	mark := c.Written()
	c.Resize(120, 40)
	c.Type("hello\n")
	c.Sees(mark, "got hello")
	c.Sees(mark, "40 120")
	if code, at := c.Ends(); code != 7 || at <= 0 {
		t.Errorf("exit code %d after %v, want 7", code, at)
	}
	if err := c.Restored(); err != nil {
		t.Errorf("nothing was changed, but: %v", err)
	}
}

func TestConsoleTellsWhatIsLeftBehind(t *testing.T) {
	c := ptytest.Start(t, 80, 24, shell(`stty -echo; printf '\033[?1049h\033[?25lscreen\033[?1049lafter'`))
	c.Ends()
	err := c.Restored()
	if err == nil || !strings.Contains(err.Error(), "modes") || !strings.Contains(err.Error(), "cursor") {
		t.Errorf("modes and cursor were left changed; told: %v", err)
	}
	if strings.Contains(err.Error(), "alternate") {
		t.Errorf("the alternate screen was left; told: %v", err)
	}
	if got := c.AfterScreen(); got != "after" {
		t.Errorf("after the screen %q, want %q", got, "after")
	}
}

func TestConsoleHangsUpWhileNothingIsWritten(t *testing.T) {
	c := ptytest.Start(t, 80, 24, shell(`echo ready; exec sleep 60`))
	c.Sees(0, "ready")
	c.HangUp()
	if code, _ := c.Ends(); code != -1 {
		t.Errorf("exit code %d, want death by SIGHUP", code)
	}
}

func TestConsoleStall(t *testing.T) {
	c := ptytest.Start(t, 80, 24, shell(`while :; do echo line; done`))
	c.Sees(0, "line")
	resume := c.Stall()
	before := c.Written()
	time.Sleep(100 * time.Millisecond)
	if now := c.Written(); now-before > 1<<16 { // the read under way when it began
		t.Errorf("%d bytes were read while nobody reads", now-before)
	}
	resume()
	before = c.Written()
	ptytest.Await(t, "more bytes", func() bool { return c.Written() > before })
	c.Signal(syscall.SIGKILL)
	c.Ends()
}

func TestWindow(t *testing.T) {
	w := ptytest.Open(t, ptytest.Spec{
		Cols: 80, Rows: 24, Dir: t.TempDir(), Env: []string{"PATH=/usr/bin:/bin", "SECRET=known"},
		Command: []string{"sh", "-c", `stty size; read line; printf '\033[5;10H%s %s' "$SECRET" "$line"; read line; stty size; exit 3`},
	})
	w.Sees("24 80")
	w.Keys("hello", "Enter")
	screen := w.Sees("known hello")
	if row := strings.Split(screen, "\n")[4]; row != "         known hello" {
		t.Errorf("fifth row %q", row)
	}
	w.Resize(100, 30)
	w.Keys("Enter")
	w.Sees("30 100")
	if code := w.Ends(); code != 3 {
		t.Errorf("exit code %d, want 3", code)
	}
	if err := w.Restored(); err != nil {
		t.Error(err)
	}
}

func TestWindowTellsWhatIsLeftBehind(t *testing.T) {
	w := ptytest.Open(t, ptytest.Spec{Cols: 80, Rows: 24, Command: []string{"sh", "-c", `stty -echo; printf '\033[?1049h'`}})
	w.Ends()
	err := w.Restored()
	if err == nil || !strings.Contains(err.Error(), "stty") || !strings.Contains(err.Error(), "alternate") {
		t.Errorf("modes and alternate screen were left changed; told: %v", err)
	}
}
