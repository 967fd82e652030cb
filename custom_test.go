package main_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// TestSequenceCountsEachCommand holds that a sequence has figures for each of its
// commands, and that all together are exactly -n.
func TestSequenceCountsEachCommand(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	o := fullbore(t, "-p", port(server), "-n", "5000", "-P", "10", "-r", "100", "--json",
		"SET", "fullbore:key:__rand_int__", "__data__", ";", "4", "GET", "fullbore:key:__rand_int__").want(t, 0)
	r := only(t, o.stdout)
	if r.Test != "SET fullbore:key:__rand_int__ __data__ ; 4 GET fullbore:key:__rand_int__" || r.Requests != 5000 || len(r.Commands) != 2 {
		t.Fatalf("%q: %d requests, commands %v", r.Test, r.Requests, r.Commands)
	}
	sets, gets := server.Calls(t, "set"), server.Calls(t, "get")
	if sets+gets != 5000 || r.Commands[0].Requests != sets || r.Commands[1].Requests != gets || gets < 3*sets {
		t.Errorf("the server counts %d SET and %d GET, the report %v", sets, gets, r.Commands)
	}
	if n := server.DBSize(t); n != 0 {
		t.Errorf("%d keys are left under the prefix", n)
	}
}

// TestLastArgumentFromStdin holds that -x is binary safe on its whole way.
func TestLastArgumentFromStdin(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	const value = "a\x00\xff\r\n'\" b\n"
	cmd := exec.Command(program(t, plain), "-p", port(server), "-q", "-n", "10", "-x", "SET", "foo")
	cmd.Env, cmd.Stdin = environment(), strings.NewReader(value)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := server.Do(t, "GET", "foo").([]byte); string(got) != value {
		t.Errorf("the value is %q, want %q", got, value)
	}
}

// TestForeignKeysNeedConsent holds that a script cannot change what it did not say
// it would.
func TestForeignKeysNeedConsent(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	unchanged := strangers(t, server)
	for _, command := range []string{"SET mylist 1", "FLUSHALL", "DEL fullbore:a mylist", "NOSUCH a", "HSET fullbore:h f v ; LPUSH mylist x"} {
		args := append([]string{"-p", port(server), "-q", "-n", "10"}, strings.Fields(command)...)
		o := fullbore(t, args...).want(t, 2)
		if !strings.Contains(o.stderr, "--yes consents") || o.stdout != "" {
			t.Errorf("%s: %s%s", command, o.stdout, o.stderr)
		}
	}
	fullbore(t, "-p", port(server), "-q", "-n", "10", "GET", "fullbore").want(t, 0)
	fullbore(t, "-p", port(server), "-q", "-n", "10", "SADD", "fullbore:s", "__rand_int__").want(t, 0)
	unchanged()
	fullbore(t, "-p", port(server), "-q", "-n", "10", "--yes", "APPEND", "fullbore", "8").want(t, 0)
	if got := server.Do(t, "GET", "fullbore").([]byte); string(got) != "178888888888" {
		t.Errorf("with --yes: %q", got)
	}
}

// TestConsentOnTheTerminal holds that the question is asked where somebody sits.
func TestConsentOnTheTerminal(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	server.Do(t, "SET", "foo", "17")
	for answer, code := range map[string]int{"y\r": 0, "n\r": 2, "\x03": 130} {
		c := console(t, plain, nil, "-p", port(server), "-q", "-n", "10", "APPEND", "foo", "")
		c.Sees(0, "Go on? [y/N]")
		c.Type(answer)
		got, _ := c.Ends()
		if got != code || strings.Contains(c.Output(), "requests per second, p50") != (code == 0) {
			t.Errorf("answer %q: exit code %d, want %d\n%s", answer, got, code, c.Output())
		}
	}
}

// TestConsentOnTheScreen holds that the card shows what a command changes, and that
// nothing is sent before the user agrees.
func TestConsentOnTheScreen(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	server.Do(t, "SET", "foo", "17")
	w, _ := window(t, server, 80, 24, "APPEND", "foo", "x")
	w.Sees("changes what is not fullbore's own")
	w.Sees("nobody brings back: APPEND foo x")
	if n := server.Calls(t, "append"); n != 0 {
		t.Errorf("%d commands before the user agreed", n)
	}
	w.Keys("Enter")
	ptytest.Await(t, "load", func() bool { return server.Calls(t, "append") > 100 }, w.Screen)
	w.Keys("q")
	if code := w.Ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestReportInAFile holds that -o leaves standard output empty, replaces the file
// only with a whole report, and keeps what was measured before an interrupt.
func TestReportInAFile(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	path := filepath.Join(t.TempDir(), "report.json")
	read := func() string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	o := fullbore(t, "-p", port(server), "-n", "1000", "-t", "set,get", "--count", "2", "--json", "-o", path).want(t, 0)
	if d := parse(t, read()); o.stdout != "" || len(d.Results) != 4 {
		t.Errorf("stdout %q, %d results; want 4 in the file", o.stdout, len(d.Results))
	}
	before := read()
	fullbore(t, "-p", idlePort(t), "-t", "set", "--json", "-o", path).want(t, 1)
	if after := read(); after != before {
		t.Error("a run that could not begin has replaced the report")
	}
	p := start(t, nil, "-p", port(server), "--duration", "60", "--warmup", "none", "-t", "set", "--json", "-o", path)
	ptytest.Await(t, "load", func() bool { return server.Calls(t, "set") > 5000 }, p.stderr.String)
	interrupt(t, p)
	p.wait(t).want(t, 130)
	if r := only(t, read()); !r.Partial || r.Requests == 0 {
		t.Errorf("after an interrupt: %d requests, partial %v", r.Requests, r.Partial)
	}
	o = fullbore(t, "-p", port(server), "-t", "set", "-o", filepath.Join(path, "below")).want(t, 2)
	if !strings.HasPrefix(o.stderr, "fullbore: -o: ") {
		t.Errorf("a path that cannot be: %s", o.stderr)
	}
}

// TestProfile holds that a profile is found by XDG and that all else wins over it.
func TestProfile(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "fullbore"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "# for tests\n-p " + port(server) + "\n--clients 7\n--pipeline 3\n--data-size 9\n--json\n-t incr\n-n 500\n"
	if err := os.WriteFile(filepath.Join(home, "fullbore", "small.conf"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"XDG_CONFIG_HOME=" + home, "FULLBORE_PIPELINE=4", "FULLBORE_DATA_SIZE=10"}
	r := only(t, start(t, env, "--profile", "small", "-d", "11").wait(t).want(t, 0).stdout)
	if r.Test != "INCR" || r.Clients != 7 || r.Pipeline != 4 || r.DataSize != 11 || r.Requests != 500 {
		t.Errorf("%+v", r)
	}
	o := start(t, append(env, "FULLBORE_CLIENTS=none"), "--profile", "small").wait(t).want(t, 2)
	if !strings.HasPrefix(o.stderr, `fullbore: FULLBORE_CLIENTS: clients "none": -c takes`) {
		t.Errorf("a variable that is wrong: %s", o.stderr)
	}
}

// TestBareKeyNames holds that an empty prefix gives redis-benchmark's own names.
func TestBareKeyNames(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	o := fullbore(t, "-p", port(server), "-q", "-n", "100", "-t", "set", "--key-prefix", "").want(t, 0)
	if n := server.Do(t, "EXISTS", "key:000000000000"); n != int64(1) || !strings.Contains(o.stderr, "keys are left on the server") {
		t.Errorf("EXISTS %v: %s", n, o.stderr)
	}
}

// TestSeedRepeatsTheLoad holds that the same seed leaves the same data.
func TestSeedRepeatsTheLoad(t *testing.T) {
	t.Parallel()
	load := func(seed string) map[string]string {
		server := redistest.Start(t)
		fullbore(t, "-p", port(server), "-q", "-n", "2000", "-c", "1", "-r", "300", "-t", "set", "--random-data", "-d", "10-40",
			"--key-dist", "zipf", "--seed", seed, "--keep-keys").want(t, 0)
		data := map[string]string{}
		for _, key := range server.Do(t, "KEYS", "*").([]any) {
			name := string(key.([]byte))
			data[name] = string(server.Do(t, "GET", name).([]byte))
		}
		return data
	}
	first, again, other := load("7"), load("7"), load("8")
	if len(first) < 50 || !maps.Equal(first, again) || maps.Equal(first, other) {
		t.Errorf("%d and %d keys with one seed, %d with another: the first two must hold the same, the last other data", len(first), len(again), len(other))
	}
}
