package ptytest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Window is a terminal of a tmux server that belongs to one test: it interprets
// what the program writes as the terminal of a person does.
type Window struct {
	t   testing.TB
	dir string // socket, configuration and what the shell reports
}

// Spec says what to run in a Window.
type Spec struct {
	Cols, Rows int
	Dir        string   // working folder; "" is the caller's
	Env        []string // environment of the program; nil is the caller's
	Command    []string
}

// conf keeps tmux out of sight: no status line, no waiting after an escape.
const conf = "set -g status off\nset -g escape-time 0\nset -g history-limit 5000\nset -g default-terminal screen-256color\n"

// script stands for the user's shell: it knows the terminal's modes before and
// after the program, and how it ended. The last move makes the report whole.
const script = `stty -g >"$0/before"; "$@"; code=$?; stty -g >"$0/after"; echo $code >"$0/code.part"; mv "$0/code.part" "$0/code"; exec sleep 3600`

// Open starts a command in a window of its own. Window and program end with the
// test. A missing tmux fails the test.
func Open(t testing.TB, s Spec) *Window {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Fatal("tmux not found in PATH: install it (apt-get install tmux)")
	}
	// Not t.TempDir: its path is too long for a socket.
	dir, err := os.MkdirTemp("", "ptytest-")
	if err != nil {
		t.Fatal(err)
	}
	w := &Window{t: t, dir: dir}
	t.Cleanup(w.close)
	if err := os.WriteFile(w.file("conf"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-u", "-f", w.file("conf"), "new-session", "-d", "-x", strconv.Itoa(s.Cols), "-y", strconv.Itoa(s.Rows)}
	if s.Dir != "" {
		args = append(args, "-c", s.Dir)
	}
	cmd := w.tmux(append(args, append([]string{"sh", "-c", script, dir}, s.Command...)...)...)
	cmd.Env = s.Env // the server that starts here hands it on
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = slices.DeleteFunc(slices.Clone(cmd.Env), func(v string) bool { return strings.HasPrefix(v, "TMUX") })
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tmux new-session: %v: %s", err, out)
	}
	return w
}

func (w *Window) file(name string) string { return filepath.Join(w.dir, name) }

func (w *Window) tmux(args ...string) *exec.Cmd {
	return exec.Command("tmux", append([]string{"-S", w.file("socket")}, args...)...)
}

func (w *Window) do(args ...string) string {
	w.t.Helper()
	out, err := w.tmux(args...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("tmux %s: %v: %s", args[0], err, out)
	}
	return string(out)
}

// close ends this window's own tmux server; what runs in it gets SIGHUP.
func (w *Window) close() {
	_ = w.tmux("kill-server").Run() // an error means that it never started
	if err := os.RemoveAll(w.dir); err != nil {
		w.t.Errorf("remove the window's folder: %v", err)
	}
}

// Keys presses keys by tmux's names: "Tab", "Right", "Space", "Enter", "C-c", or
// text as it is.
func (w *Window) Keys(keys ...string) {
	w.t.Helper()
	w.do(append([]string{"send-keys"}, keys...)...)
}

// Resize changes the size of the window.
func (w *Window) Resize(cols, rows int) {
	w.t.Helper()
	w.do("resize-window", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows))
}

// Screen is the text on the screen, a line for each row, blanks at line ends cut.
func (w *Window) Screen() string {
	w.t.Helper()
	return w.do("capture-pane", "-p")
}

// Scrollback is the text on the screen with what has scrolled off its top.
func (w *Window) Scrollback() string {
	w.t.Helper()
	return w.do("capture-pane", "-p", "-S", "-")
}

// Sees waits until the screen shows text, and returns that screen.
func (w *Window) Sees(text string) string {
	w.t.Helper()
	return w.SeesThat("on the screen: "+text, func(screen string) bool { return strings.Contains(screen, text) })
}

// SeesThat waits until the screen passes a check, and returns that screen.
func (w *Window) SeesThat(what string, ok func(screen string) bool) string {
	w.t.Helper()
	return w.SeesAtLast(Patience, what, ok)
}

// SeesAtLast is SeesThat for what takes its time by itself: d is how long it may be
// waited for.
func (w *Window) SeesAtLast(d time.Duration, what string, ok func(screen string) bool) string {
	w.t.Helper()
	screen := ""
	awaitFor(w.t, d, what, func() bool { screen = w.Screen(); return ok(screen) }, func() string { return screen })
	return screen
}

// Ends waits until the program has ended and returns its exit code.
func (w *Window) Ends() int {
	w.t.Helper()
	var text []byte
	Await(w.t, "the end of the program", func() (ok bool) {
		var err error
		text, err = os.ReadFile(w.file("code"))
		return err == nil
	}, w.Screen)
	code, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		w.t.Fatalf("exit code: %v", err)
	}
	return code
}

// Restored says what of the terminal is not as it was before the program; it is
// to be called after Ends.
func (w *Window) Restored() error {
	w.t.Helper()
	var errs []error
	before, err := os.ReadFile(w.file("before"))
	errs = append(errs, err)
	after, err := os.ReadFile(w.file("after"))
	errs = append(errs, err)
	if string(before) != string(after) {
		errs = append(errs, fmt.Errorf("modes by stty -g: %s after the program, %s before", after, before))
	}
	if state := strings.TrimSpace(w.do("display-message", "-p", "#{alternate_on} #{cursor_flag}")); state != "0 1" {
		errs = append(errs, fmt.Errorf("alternate screen on, cursor shown: %s; want 0 1", state))
	}
	return errors.Join(errs...)
}
