package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// console opens the screen on a raw terminal of 80x24, with the environment and the
// arguments of a test.
func console(t testing.TB, build func() (string, error), env []string, args ...string) *ptytest.Console {
	t.Helper()
	return consoleIn(t, t.TempDir(), build, env, args...)
}

// consoleIn is console with a working folder to look into.
func consoleIn(t testing.TB, dir string, build func() (string, error), env []string, args ...string) *ptytest.Console {
	t.Helper()
	cmd := exec.Command(program(t, build), args...)
	cmd.Env, cmd.Dir = environment(env...), dir
	return ptytest.Start(t, 80, 24, cmd)
}

// way is one way to end the program, and the exit code that names it (M29).
type way struct {
	name  string
	leave func(*ptytest.Console)
	code  int
	drops bool // the terminal is gone afterwards
}

func types(keys string) func(*ptytest.Console)      { return func(c *ptytest.Console) { c.Type(keys) } }
func sends(s syscall.Signal) func(*ptytest.Console) { return func(c *ptytest.Console) { c.Signal(s) } }

func ways() []way {
	return []way{
		{"q", types("q"), 0, false},
		{"ctrl+c", types("\x03"), 130, false},
		{"SIGINT", sends(syscall.SIGINT), 130, false},
		{"SIGTERM", sends(syscall.SIGTERM), 143, false},
		{"SIGHUP", sends(syscall.SIGHUP), 129, false},
		{"the line drops", (*ptytest.Console).HangUp, 129, true},
	}
}

// end leaves in that way and checks what every way owes: the exit code, a process
// gone soon, the terminal as it was. It returns what the terminal was told.
func (w way) end(t *testing.T, c *ptytest.Console, code int) string {
	t.Helper()
	asked := c.Since()
	w.leave(c)
	got, at := c.Ends()
	t.Logf("gone %v after %s", (at - asked).Round(time.Millisecond), w.name)
	if took := at - asked; took > hangs {
		t.Errorf("gone after %v, want about 1 s at most", took)
	}
	if got != code {
		t.Errorf("exit code %d, want %d; after the screen: %s", got, code, c.AfterScreen())
	}
	if !w.drops {
		if err := c.Restored(); err != nil {
			t.Error(err)
		}
	}
	return c.AfterScreen()
}

// cleaned checks that the server has the keys it had before.
func cleaned(t *testing.T, server *redistest.Server, keys int64) {
	t.Helper()
	if n := server.DBSize(t); n != keys {
		t.Errorf("%d keys, want the %d of before", n, keys)
	}
}

func TestEveryWayOut(t *testing.T) {
	t.Parallel()
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			server := redistest.Start(t)
			unchanged := strangers(t, server)
			keys, sets, dir := server.DBSize(t), server.Calls(t, "set"), t.TempDir()
			c := consoleIn(t, dir, plain, nil, "-p", port(server))
			c.Sees(0, " quit")
			running(t, server, "set")
			text := w.end(t, c, w.code)
			cleaned(t, server, keys)
			unchanged()
			if w.drops {
				kept(t, dir)
				return
			}
			if !strings.Contains(text, `keys under "fullbore:" removed`) {
				t.Errorf("no count of removed keys: %q", text)
			}
			requests, lost := totals(t, text)
			if counted := server.Calls(t, "set") - sets; counted < requests || counted > requests+lost {
				t.Errorf("%d requests and %d lost, the server counted %d", requests, lost, counted)
			}
		})
	}
}

// kept checks that the result of a screen whose terminal has gone is in a file.
func kept(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "fullbore-*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v (%v), want the result in one", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if r := only(t, string(text)); r.Requests == 0 {
		t.Errorf("the file has no requests: %s", text)
	}
}

func TestEveryWayOutWithAPrivateServer(t *testing.T) {
	t.Parallel()
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			c := console(t, plain, nil, "--server", "redis-server", "--glyphs", "ascii")
			address, pid := privateOf(t, c)
			w.end(t, c, w.code)
			gone(t, pid, address)
		})
	}
}

// privateOf is the private server whose address the header shows.
func privateOf(t *testing.T, c *ptytest.Console) (address string, pid int) {
	t.Helper()
	ptytest.Await(t, "a private server", func() bool {
		_, rest, _ := strings.Cut(c.Output(), "127.0.0.1:")
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		address = "127.0.0.1:" + digits
		pid, _ = strconv.Atoi(info(address, "process_id"))
		return pid > 0
	}, c.Output)
	return address, pid
}

func TestEveryWayOutWhileTheServerIsFrozen(t *testing.T) {
	t.Parallel()
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			server := redistest.Start(t)
			c := console(t, plain, nil, "-p", port(server))
			c.Sees(0, " quit")
			running(t, server, "set")
			server.Pause()
			time.Sleep(300 * time.Millisecond) // every client now waits for a reply that does not come
			code := max(w.code, 1)             // what was in flight is lost, and keys are left
			text := w.end(t, c, code)
			if !w.drops && !strings.Contains(text, "may be left") {
				t.Errorf("nothing says that keys may be left: %q", text)
			}
			server.Resume()
		})
	}
}

func TestFrozenPrivateServerIsStoppedAllTheSame(t *testing.T) {
	t.Parallel()
	c := console(t, plain, nil, "--server", "redis-server", "--glyphs", "ascii")
	address, pid := privateOf(t, c)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	w := way{name: "SIGTERM", leave: sends(syscall.SIGTERM), code: 143}
	w.end(t, c, w.code)
	gone(t, pid, address)
}

// TestPanicOfAWorker: the program's own failure ends it, with the terminal as it
// was and with what to report readable on it.
func TestPanicOfAWorker(t *testing.T) {
	t.Parallel()
	fault := []string{"FULLBORE_FAULT=worker-panic"}
	t.Run("screen", func(t *testing.T) {
		server := redistest.Start(t)
		c := console(t, checked, fault, "-p", port(server))
		code, at := c.Ends()
		t.Logf("gone %v after the start", at.Round(time.Millisecond))
		if err := c.Restored(); err != nil {
			t.Error(err)
		}
		text := c.AfterScreen()
		if code != 1 || !strings.Contains(text, "panic in worker: worker-panic was asked for") || !strings.Contains(text, "loadgen.(*worker).serve") {
			t.Errorf("exit code %d, want 1 and the panic with its stack: %q", code, text)
		}
		cleaned(t, server, 0)
	})
	t.Run("private server", func(t *testing.T) {
		c := console(t, checked, fault, "--server", "redis-server", "--glyphs", "ascii")
		address, pid := privateOf(t, c)
		c.Ends()
		gone(t, pid, address)
		if err := c.Restored(); err != nil {
			t.Error(err)
		}
	})
	t.Run("headless", func(t *testing.T) {
		server := redistest.Start(t)
		p := startBuild(t, checked, fault, "-p", port(server), "-t", "set", "--duration", "30s", "--json")
		o := p.wait(t).want(t, 1)
		if r := only(t, o.stdout); !r.Partial || r.Requests == 0 {
			t.Errorf("partial %v, requests %d; want what was measured until then", r.Partial, r.Requests)
		}
		if !strings.Contains(o.stderr, "panic in worker: worker-panic was asked for") {
			t.Errorf("no panic on stderr: %s", o.stderr)
		}
		cleaned(t, server, 0)
	})
}

// TestTerminalThatNobodyReads: the load does not slow down for it, and the program
// still ends when told to.
func TestTerminalThatNobodyReads(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	c := console(t, plain, nil, "-p", port(server), "--hz", "10")
	c.Sees(0, "RUN")
	running(t, server, "set")
	rate := func() int64 {
		n := server.Calls(t, "set")
		time.Sleep(time.Second)
		return server.Calls(t, "set") - n
	}
	read := rate()
	resume := c.Stall()
	for range 60 {
		c.Type("?") // a full frame each time, until nothing holds any more
		time.Sleep(40 * time.Millisecond)
	}
	stalled := rate()
	t.Logf("%d commands in a second while read, %d while stalled", read, stalled)
	if stalled < read/20 { // a load that waited for the terminal would rest
		t.Errorf("%d commands in a second while the terminal is stalled, %d before", stalled, read)
	}
	asked := c.Since()
	c.Signal(syscall.SIGTERM)
	code, at := c.Ends()
	t.Logf("gone %v after SIGTERM", (at - asked).Round(time.Millisecond))
	if at-asked > hangs || code != 143 {
		t.Errorf("exit code %d after %v, want 143 after about 1 s at most", code, at-asked)
	}
	resume()
	if err := c.Restored(); err != nil {
		t.Error(err)
	}
	cleaned(t, server, 0)
}

// TestLeavingBeforeTheLoad: what was written for reads that never came goes too.
func TestLeavingBeforeTheLoad(t *testing.T) {
	t.Parallel()
	args := func(s *redistest.Server) []string { return []string{"-p", port(s), "-t", "get", "-r", "3M"} }
	written := func(t *testing.T, s *redistest.Server) {
		t.Helper()
		ptytest.Await(t, "prefill", func() bool { return s.DBSize(t) > 1000 })
	}
	t.Run("screen", func(t *testing.T) {
		server := redistest.Start(t)
		c := console(t, plain, nil, args(server)...)
		c.Sees(0, "PREPARING")
		written(t, server)
		way{name: "ctrl+c", leave: types("\x03")}.end(t, c, 130)
		cleaned(t, server, 0)
	})
	t.Run("headless", func(t *testing.T) {
		server := redistest.Start(t)
		p := start(t, nil, append(args(server), "--json")...)
		written(t, server)
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		r := only(t, p.wait(t).want(t, 143).stdout)
		if !r.Partial || r.Requests != 0 || r.RPS != nil || r.Latency["p50"] != nil {
			t.Errorf("partial %v, requests %d, rps %s; want a partial result with nothing in it", r.Partial, r.Requests, show(r.RPS))
		}
		if n := server.Calls(t, "get"); n != 0 {
			t.Errorf("load of %d commands", n)
		}
		cleaned(t, server, 0)
	})
}
