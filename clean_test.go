package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// odd is a password with all that a URI gives a meaning to (C23).
const odd = "p@:/#%?+= w%40"

// litter leaves n keys under prefix on a server, and one key of somebody else's.
func litter(t *testing.T, s *redistest.Server, prefix string, n int) {
	t.Helper()
	s.Do(t, "EVAL", "for i = 1, ARGV[1] do redis.call('SET', ARGV[2] .. i, 'x') end", 0, n, prefix)
	s.Do(t, "SET", "theirs", "1")
}

// TestClean holds that what a killed run left is removed, and nothing else.
func TestClean(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	p := start(t, nil, "-p", port(server), "-t", "set", "-r", "5000", "-n", "100m")
	ptytest.Await(t, "keys on the server", func() bool { return server.DBSize(t) > 1000 })
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-p.done
	ptytest.Await(t, "the end of the load", func() bool { return server.Info(t, "clients")["connected_clients"] == "1" })
	left := server.DBSize(t)
	for _, key := range []string{"theirs", "fullbor", "Fullbore:1", "xfullbore:1"} {
		server.Do(t, "SET", key, "1")
	}
	o := fullbore(t, "clean", "-p", port(server)).want(t, 0)
	if want := fmt.Sprintf("fullbore: %d keys under \"fullbore:\" removed\n", left); o.stdout != want || o.stderr != "" {
		t.Errorf("stdout %q, stderr %q; want %q", o.stdout, o.stderr, want)
	}
	if n := server.DBSize(t); n != 4 {
		t.Errorf("%d keys are left, want the four of others", n)
	}
	if n := server.Calls(t, "flushall") + server.Calls(t, "flushdb") + server.Calls(t, "keys"); n != 0 {
		t.Errorf("%d times FLUSHALL, FLUSHDB or KEYS", n)
	}
	// Once more there is nothing, which is no error; nor is a server that began anew.
	for range 2 {
		o = fullbore(t, "clean", "-p", port(server)).want(t, 0)
		if o.stdout != "fullbore: 0 keys under \"fullbore:\" removed\n" {
			t.Errorf("stdout %q, stderr %q", o.stdout, o.stderr)
		}
		server.Restart(t)
	}
}

// TestCleanConsent: keys under a prefix that is not fullbore's own may be somebody's.
func TestCleanConsent(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	at := []string{"clean", "-p", port(server)}
	litter(t, server, "bench:", 10)
	for _, c := range []struct {
		prefix string
		more   []string
		code   int
		says   string
		left   int64
	}{
		{"", nil, 2, "without a prefix", 11},
		{"", []string{"--yes"}, 2, "without a prefix", 11},
		{"b", nil, 2, "so short a prefix", 11},
		{"*", []string{"--yes"}, 2, "takes plain text", 11},
		{"bench:", nil, 2, `nothing was sent: every key under "bench:" goes from 127.0.0.1:` + port(server) + ", which holds 11 keys: --yes consents", 11},
		{"bench:", []string{"--yes"}, 0, `10 keys under "bench:" removed`, 1},
		{"t", []string{"--yes"}, 0, `1 key under "t" removed`, 0},
	} {
		o := fullbore(t, append(append(at[:3:3], "--key-prefix", c.prefix), c.more...)...).want(t, c.code)
		if all := o.stdout + o.stderr; !strings.Contains(all, c.says) || strings.Count(all, "\n") != 1 || (o.stdout == "") != (c.code != 0) {
			t.Errorf("%q %v: %s", c.prefix, c.more, all)
		}
		if n := server.DBSize(t); n != c.left {
			t.Errorf("%q %v: %d keys are left, want %d", c.prefix, c.more, n, c.left)
		}
	}
	if n := server.Calls(t, "set"); n != 11 { // those of the test
		t.Errorf("%d SET: clean sends no load", n-11)
	}
}

// TestCleanOnATerminal asks, and shows how far it is.
func TestCleanOnATerminal(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--requirepass", odd)
	for _, answer := range []string{"n", "y"} { // in this order: the second removes what the first left
		code := map[string]int{"n": 2, "y": 0}[answer]
		litter(t, server, "bench:", 20_000)
		c := console(t, plain, []string{"REDISCLI_AUTH=" + odd}, "clean", "-p", port(server), "--key-prefix", "bench:")
		c.Sees(0, "Go on? [y/N]")
		c.Type(answer + "\r")
		if got, _ := c.Ends(); got != code {
			t.Errorf("answer %s: exit code %d, want %d\n%s", answer, got, code, c.Output())
		}
		if code == 0 && (!strings.Contains(c.Output(), "% of all looked at") || !strings.Contains(c.Output(), `20000 keys under "bench:" removed`)) {
			t.Errorf("no progress or no count: %q", c.Output())
		}
	}
	if n := server.DBSize(t); n != 1 {
		t.Errorf("%d keys are left, want somebody's one", n)
	}
}

// TestCleanFaults: what stops it is told in a line, with exit code 1.
func TestCleanFaults(t *testing.T) {
	t.Parallel()
	locked := redistest.Start(t, "--requirepass", odd)
	denied := redistest.Start(t)
	denied.Do(t, "ACL", "SETUSER", "default", "-scan")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"nobody":      {[]string{"-p", idlePort(t)}, "connection refused"},
		"no password": {[]string{"-p", port(locked)}, "NOAUTH"},
		"no SCAN":     {[]string{"-p", port(denied)}, `0 keys removed, others under "fullbore:" may be left: remove keys under "fullbore:": `},
	} {
		o := fullbore(t, append([]string{"clean"}, c.args...)...).want(t, 1)
		if o.stdout != "" || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%s: stdout %q, stderr %q; want %q", name, o.stdout, o.stderr, c.want)
		}
	}
}

// TestPasswordWays holds that a password reaches the server by each way of giving it
// (C22, C23), the terminal included, on which it is never seen.
func TestPasswordWays(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--requirepass", odd)
	server.Do(t, "ACL", "SETUSER", "joe", "on", ">"+odd, "~*", "+@all")
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte(odd+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	load := []string{"-p", port(server), "-t", "set", "-n", "50", "--json"}
	for name, c := range map[string]struct {
		args []string
		env  []string
	}{
		"file":             {args: []string{"--pass-file", file}},
		"file and user":    {args: []string{"--pass-file", file, "--user", "joe"}},
		"flag and user":    {args: []string{"-a", odd, "--user", "joe"}},
		"environment":      {env: []string{"FULLBORE_PASS=" + odd, "REDISCLI_AUTH=wrong"}},
		"user, both there": {env: []string{"FULLBORE_USER=joe", "REDISCLI_AUTH=" + odd}},
	} {
		o := start(t, c.env, append(c.args, load...)...).wait(t).want(t, 0)
		if only(t, o.stdout).Requests != 50 || strings.Contains(o.stdout+o.stderr, odd) {
			t.Errorf("%s: %s%s", name, o.stdout, o.stderr)
		}
	}
	if o := fullbore(t, append(load, "--askpass")...).want(t, 2); !strings.Contains(o.stderr, "stdin is no terminal to ask on: give --pass-file FILE, or set REDISCLI_AUTH") {
		t.Errorf("nobody to ask: %s", o.stderr)
	}
	for typed, code := range map[string]int{odd + "\r": 0, "wrong\r": 1, "\r": 2, "\x03": 130} {
		c := console(t, plain, nil, append(load, "--askpass", "--user", "joe")...)
		c.Sees(0, "Password: ")
		quiet(t, c)
		c.Type(typed)
		if got, _ := c.Ends(); got != code {
			t.Errorf("typed %q: exit code %d, want %d\n%s", typed, got, code, c.Output())
		}
		if strings.Contains(c.Output(), odd) || code == 130 && strings.Contains(c.Output(), "fullbore:") {
			t.Errorf("typed %q: %s", typed, c.Output())
		}
		if err := c.Restored(); err != nil {
			t.Errorf("typed %q: %v", typed, err)
		}
	}
}

// quiet waits until the terminal shows nothing of what is typed.
func quiet(t *testing.T, c *ptytest.Console) {
	t.Helper()
	ptytest.Await(t, "a terminal without echo", func() bool {
		out, err := exec.Command("sh", "-c", fmt.Sprintf("stty -a < /proc/%d/fd/0", c.PID)).CombinedOutput()
		return err == nil && strings.Contains(string(out), "-echo ")
	}, c.Output)
}
