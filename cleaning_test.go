package main_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// killed is a run that was ended by SIGKILL and has left n keys at least.
func killed(t *testing.T, s *redistest.Server, n int64, more ...string) {
	t.Helper()
	p := start(t, nil, append([]string{"-p", port(s), "-t", "set", "-r", "5000", "--duration", "60s"}, more...)...)
	ptytest.Await(t, "keys", func() bool { return s.DBSize(t) >= n })
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-p.done
	if s.DBSize(t) < n {
		t.Fatalf("%d keys are left of a run that was killed", s.DBSize(t))
	}
	ptytest.Await(t, "the end of its connections", func() bool { return s.Info(t, "clients")["connected_clients"] == "1" })
}

// TestKeysOfAKilledRun: the next run removes them, or clean does, only ever under the
// prefix; what else is there stays, and a restart of the server is no error.
func TestKeysOfAKilledRun(t *testing.T) {
	t.Parallel()
	clean := func(t *testing.T, s *redistest.Server, more ...string) outcome {
		t.Helper()
		return fullbore(t, append([]string{"clean", "-p", port(s)}, more...)...)
	}
	next := func(t *testing.T, s *redistest.Server, more ...string) outcome {
		t.Helper()
		return fullbore(t, append([]string{"-p", port(s), "-t", "ping", "-n", "100", "-q"}, more...)...)
	}
	for _, c := range []struct {
		name    string
		options []string
		prefix  []string
		between func(testing.TB, *redistest.Server)
		remove  func(*testing.T, *redistest.Server, ...string) outcome
		removed string // of what is told; "" = any number
	}{
		{"the next run", nil, nil, nil, next, ""},
		{"clean", nil, nil, nil, clean, ""},
		{"clean, under another prefix", nil, []string{"--key-prefix", "bench:", "--yes"}, nil, clean, ""},
		{"clean, restarted empty meanwhile", nil, nil, restart, clean, "0 keys"},
		{"the next run, restarted with its data meanwhile", []string{"--appendonly", "yes"}, nil, restart, next, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := redistest.Start(t, c.options...)
			unchanged := strangers(t, s)
			keys := s.DBSize(t)
			killed(t, s, keys+1000, c.prefix...)
			if c.between != nil {
				c.between(t, s)
			}
			o := c.remove(t, s, c.prefix...).want(t, 0)
			if all := o.stdout + o.stderr; !strings.Contains(all, c.removed) || !strings.Contains(all, "removed") || c.removed == "" && strings.Contains(all, " 0 keys") {
				t.Errorf("told %q", all)
			}
			if c.removed != "" {
				keys = 0
			} else {
				unchanged()
			}
			if n := s.DBSize(t); n != keys {
				t.Errorf("%d keys, want %d", n, keys)
			}
		})
	}
}

// TestServerRestartsWhileItIsLeft: cleaning goes on with the server that is there then.
func TestServerRestartsWhileItIsLeft(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, "--appendonly", "yes")
	p := start(t, nil, "-p", port(s), "-t", "set", "-r", "100k", "-n", "300k", "-P", "16", "--json")
	running(t, s, "set")
	ptytest.Await(t, "keys", func() bool { return s.DBSize(t) > 1000 })
	s.Restart(t)
	o := p.wait(t).want(t, 1)
	r := only(t, o.stdout)
	if r.Requests+r.Lost != 300_000 || r.Lost == 0 {
		t.Errorf("requests %d, lost %d; want 300000 together", r.Requests, r.Lost)
	}
	if n := s.DBSize(t); n != 0 || !strings.Contains(o.stderr, "removed") {
		t.Errorf("%d keys are left; told %q", n, o.stderr)
	}
}

// TestNoProcessIsLeft: whatever becomes of the run, nothing of it goes on.
func TestNoProcessIsLeft(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	p := start(t, nil, "-p", port(s), "-t", "set", "--duration", "60s", "-q")
	running(t, s, "set")
	s.Pause()
	time.Sleep(200 * time.Millisecond)
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.wait(t).want(t, 143)
	s.Resume()
	ptytest.Await(t, "the end of its connections", func() bool { return s.Info(t, "clients")["connected_clients"] == "1" })
	if err := syscall.Kill(p.cmd.Process.Pid, 0); err != syscall.ESRCH {
		t.Errorf("process %d: %v", p.cmd.Process.Pid, err)
	}
}
