package main_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// set is CONFIG SET as a row's before or during.
func set(pairs ...any) func(testing.TB, *redistest.Server) {
	return func(t testing.TB, s *redistest.Server) {
		t.Helper()
		s.Do(t, "CONFIG", append([]any{"SET"}, pairs...)...)
	}
}

// then does one after another.
func then(steps ...func(testing.TB, *redistest.Server)) func(testing.TB, *redistest.Server) {
	return func(t testing.TB, s *redistest.Server) {
		t.Helper()
		for _, step := range steps {
			step(t, s)
		}
	}
}

// wait is a step of then.
func wait(d time.Duration) func(testing.TB, *redistest.Server) {
	return func(testing.TB, *redistest.Server) { time.Sleep(d) }
}

// unsaved are options of a server that misconf is for.
var unsaved = []string{"--enable-protected-configs", "yes"}

// misconf makes a server refuse writes because it cannot save: its folder is gone.
func misconf(t testing.TB, s *redistest.Server) {
	t.Helper()
	dir := filepath.Join(s.Dir, "gone")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.Do(t, "CONFIG", "SET", "dir", dir)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	s.Do(t, "CONFIG", "SET", "save", "3600 1")
	s.Do(t, "BGSAVE")
	for deadline := time.Now().Add(5 * time.Second); s.Info(t, "persistence")["rdb_last_bgsave_status"] == "ok"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("BGSAVE does not fail")
		}
	}
}

func healed(t testing.TB, s *redistest.Server) {
	t.Helper()
	s.Do(t, "CONFIG", "SET", "save", "")
}

// busy has a script run for as long as the server does, or until SCRIPT KILL.
func busy(t testing.TB, s *redistest.Server) {
	t.Helper()
	s.Do(t, "CONFIG", "SET", "lua-time-limit", "10")
	go func() { _, _ = s.Try("EVAL", "while true do end", 0) }()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := s.Try("DBSIZE"); err != nil && strings.HasPrefix(err.Error(), "BUSY") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the script does not keep the server busy")
		}
	}
}

// free ends the script of busy, whenever that is.
func free(t testing.TB, s *redistest.Server) {
	t.Helper()
	s.Do(t, "SCRIPT", "KILL")
	ptytest.Await(t, "the end of the script", func() bool {
		_, err := s.Try("DBSIZE")
		return err == nil
	})
}

// slowLoader are options of a server that takes a millisecond to load each key.
var slowLoader = []string{"--enable-debug-command", "yes", "--key-load-delay", "1000", "--loading-process-events-interval-bytes", "1024"}

// reload has the server load n keys again, which takes it so many milliseconds.
func reload(n int) func(testing.TB, *redistest.Server) {
	return func(t testing.TB, s *redistest.Server) {
		t.Helper()
		s.Do(t, "DEBUG", "POPULATE", n, "other")
		go func() { _, _ = s.Try("DEBUG", "RELOAD") }()
		for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(2 * time.Millisecond) {
			if _, err := s.Try("DBSIZE"); err != nil && strings.HasPrefix(err.Error(), "LOADING") {
				return
			}
			if time.Now().After(deadline) {
				t.Fatal("the server loads nothing")
			}
		}
	}
}

// replicaOfNobody makes the server a replica whose master is gone.
func replicaOfNobody(t testing.TB, s *redistest.Server) {
	t.Helper()
	s.Do(t, "REPLICAOF", "127.0.0.1", idlePort(t))
}

// ofNobody makes it a master again.
func ofNobody(t testing.TB, s *redistest.Server) { t.Helper(); s.Do(t, "REPLICAOF", "NO", "ONE") }

// refusedAll: every reply is one, of this code.
func refusedAll(code string) func(testing.TB, *redistest.Server, result) {
	return func(t testing.TB, _ *redistest.Server, r result) {
		t.Helper()
		if r.Errors.Total == 0 || r.Errors.Total != r.Requests || r.Errors.ByCode[code] != r.Requests || r.RPS != nil || r.Lost != 0 {
			t.Errorf("requests %d, errors %+v, rps %s, lost %d; want %s alone, and no throughput", r.Requests, r.Errors, show(r.RPS), r.Lost, code)
		}
	}
}

// refusedSome: replies of both kinds.
func refusedSome(code string) func(testing.TB, *redistest.Server, result) {
	return func(t testing.TB, _ *redistest.Server, r result) {
		t.Helper()
		if n := r.Errors.ByCode[code]; n == 0 || n == r.Requests || n != r.Errors.Total {
			t.Errorf("requests %d, errors %+v; want some of %s and others answered", r.Requests, r.Errors, code)
		}
	}
}

func hits(least, most float64) func(testing.TB, *redistest.Server, result) {
	return func(t testing.TB, _ *redistest.Server, r result) {
		t.Helper()
		if r.HitRate == nil || *r.HitRate < least || *r.HitRate > most {
			t.Errorf("hit rate %s, want %v to %v", show(r.HitRate), least, most)
		}
	}
}

// TestStates: CASES C30 to C32. A server that refuses is named, its refusals are counted
// by code and are never throughput.
func TestStates(t *testing.T) {
	noeviction := []string{"--maxmemory", "5mb", "--maxmemory-policy", "noeviction"}
	lru := []string{"--maxmemory", "5mb", "--maxmemory-policy", "allkeys-lru"}
	large := []string{"-d", "4k", "-r", "10k", "-n", "20003", "-c", "5", "-P", "5"}
	load := func(test string) []string { return append([]string{"-t", test}, large...) }
	scenes(t, []scene{
		{name: "C30 noeviction", server: noeviction, args: load("set"), code: 1, command: "set", check: refusedSome("OOM"),
			says: []string{"will not fit", "maxmemory", "noeviction", "errors OOM"}},
		{name: "C30 noeviction, and reads", server: noeviction, args: load("get"), code: 0, command: "get", check: hits(0, .9),
			says: []string{"will not fit", "OOM", "reads go on"}},
		{name: "C30 allkeys-lru", server: lru, args: load("get"), code: 0, command: "get", check: hits(0, .9),
			says: []string{"will not fit", "evicted"}},
		{name: "C30 data that fits", server: []string{"--maxmemory", "100mb"}, args: []string{"-t", "get", "-r", "1000", "-n", "2003"}, command: "get", check: hits(1, 1), silent: []string{"will not fit", "evicted"}},
		{name: "C30 volatile-lru without a key that expires", server: []string{"--maxmemory", "5mb", "--maxmemory-policy", "volatile-lru"}, args: load("set"), code: 1, command: "set", check: refusedSome("OOM"), says: []string{"will not fit"}},
		{name: "C30 maxmemory lowered meanwhile", args: lasting("set", "2s", "-d", "1k"), code: 1, command: "set", check: refusedSome("OOM"),
			during: later("set", 0, set("maxmemory", "1mb"))},
		{name: "C31 writes", server: unsaved, before: misconf, args: few("set"), code: 1, command: "set", check: refusedAll("MISCONF"), says: []string{"MISCONF Redis is configured to save RDB snapshots", "rdb_last_bgsave_status"}},
		{name: "C31 reads go on", server: unsaved, before: misconf, args: few("get"), code: 0, command: "get", says: []string{"MISCONF", "reads go on"}, check: counts(1003, 0, 0)},
		{name: "C31 PING is refused too", server: unsaved, before: misconf, args: few("ping_mbulk"), code: 1, command: "ping", check: refusedAll("MISCONF")},
		{name: "C31 healed meanwhile", server: unsaved, before: misconf, args: lasting("set", "2s"), code: 1, command: "set", check: refusedSome("MISCONF"),
			during: func(t testing.TB, s *redistest.Server, _ *process) { time.Sleep(time.Second); healed(t, s) }},
		{name: "C32 READONLY, writes", before: replicaOfNobody, args: few("set"), code: 1, command: "set", check: refusedAll("READONLY"), says: []string{"replica", "READONLY"}},
		{name: "C32 READONLY, reads", before: replicaOfNobody, args: few("get"), command: "get", check: counts(1003, 0, 0), says: []string{"READONLY", "reads go on"}},
		{name: "C32 READONLY from the middle on", args: lasting("set", "2s"), code: 1, command: "set", check: refusedSome("READONLY"), keeps: 1000,
			during: later("set", 0, replicaOfNobody), says: []string{"may be left", "READONLY"}},
		{name: "C32 MASTERDOWN", server: []string{"--replica-serve-stale-data", "no"}, before: replicaOfNobody, after: ofNobody, blind: true, args: few("get"), code: 1, command: "get",
			check: refusedAll("MASTERDOWN"), says: []string{"MASTERDOWN Link with MASTER is down"}},
		{name: "C32 BUSY", before: busy, args: few("get"), code: 1, check: refusedAll("BUSY"), says: []string{"BUSY Redis is busy running a script"}, blind: true, command: "get", after: free},
		{name: "C32 BUSY for a while", args: lasting("set", "3s"), code: 1, command: "set", check: refusedSome("BUSY"), during: later("set", 0, then(busy, wait(300*time.Millisecond), free))},
		{name: "C32 NOREPLICAS", server: []string{"--min-replicas-to-write", "1"}, args: few("set"), code: 1, command: "set", check: refusedAll("NOREPLICAS"), says: []string{"NOREPLICAS Not enough good replicas"}},
		{name: "C32 NOREPLICAS, reads", server: []string{"--min-replicas-to-write", "1"}, args: few("get"), command: "get", check: counts(1003, 0, 0), says: []string{"NOREPLICAS", "reads go on"}},
		{name: "C32 LOADING", server: slowLoader, before: reload(1500), blind: true, keeps: 1500, args: few("set"), command: "set", check: counts(1003, 0, 0), says: []string{"is loading its data", "%"}},
		{name: "C32 LOADING longer than --timeout, moving", server: slowLoader, before: reload(2500), blind: true, keeps: 2500, args: few("set", "--timeout", "600ms"), command: "set", check: counts(1003, 0, 0), says: []string{"is loading its data"}},
		{name: "C32 LOADING for ever", stub: func(t testing.TB) *redistest.StubServer {
			return redistest.Always(t, "-LOADING Redis is loading the dataset in memory\r\n")
		}, args: few("set", "--timeout", "500ms"), code: 1, says: []string{"LOADING", "--timeout"}, idle: true},
		{name: "C32 LOADING in the middle", server: slowLoader, args: lasting("set", "3s"), code: 1, command: "set", keeps: 1000, check: refusedSome("LOADING"), during: later("set", 0, reload(1000))},
	})
}

// TestScreenWaitsForAServerThatLoads: the same before there is a screen.
func TestScreenWaitsForAServerThatLoads(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, slowLoader...)
	reload(1500)(t, s)
	c := console(t, plain, nil, "-p", port(s))
	c.Sees(0, "is loading its data")
	c.Sees(0, "RUN")
	running(t, s, "set")
	text := way{name: "q", leave: types("q")}.end(t, c, 0)
	if n := s.DBSize(t); n != 1500 || !strings.Contains(text, "removed") {
		t.Errorf("%d keys, want the 1500 of before; told %q", n, text)
	}
}

// TestIdleClientsOnAFullServer: connections that hold nothing but their place are
// turned away like others, and are counted.
func TestIdleClientsOnAFullServer(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "CONFIG", "SET", "maxclients", 10)
	p := start(t, nil, "-p", port(s), "-I", "-c", "30", "--duration", "1s")
	o := p.wait(t).want(t, 1)
	if !strings.Contains(o.stderr, "max number of clients reached") || strings.Contains(o.stderr, "clients: 30") {
		t.Errorf("told %q", o.stderr)
	}
}

// squeeze has the server close all connections and take six, and after a while all
// again. One connection does that, as a new one may not be let in.
func squeeze(t testing.TB, s *redistest.Server) {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	answers := bufio.NewReader(c)
	for _, line := range []string{"CONFIG SET maxclients 6", "CLIENT KILL TYPE normal SKIPME yes", "", "CONFIG SET maxclients 1000"} {
		if line == "" {
			time.Sleep(700 * time.Millisecond)
			continue
		}
		if _, err := fmt.Fprintf(c, "%s\r\n", line); err != nil {
			t.Fatal(err)
		}
		if answer, err := answers.ReadString('\n'); err != nil || strings.HasPrefix(answer, "-") {
			t.Fatalf("%s: %q, %v", line, answer, err)
		}
	}
}

// TestLimits: C33 and what the issue adds: the server closes connections, and why is told
// where it tells.
func TestLimits(t *testing.T) {
	full := func(n int) func(testing.TB, *redistest.Server) { return set("maxclients", n) }
	lost := func(t testing.TB, _ *redistest.Server, r result) {
		t.Helper()
		if len(r.Faults) == 0 {
			t.Error("no connection was closed")
		}
	}
	scenes(t, []scene{
		{name: "C33 maxclients 10", before: full(10), args: []string{"-t", "set", "-n", "20003", "-c", "50", "-P", "3"}, code: 1, command: "set",
			check: counts(20003, 0, 0), says: []string{"of 50", "connected", "max number of clients reached", "maxclients"}},
		{name: "C33 maxclients 10, with a password", server: []string{"--requirepass", "secret", "--maxclients", "10"}, args: []string{"-a", "secret", "-t", "get", "-r", "100", "-n", "5003", "-c", "30"}, code: 1, command: "get",
			check: counts(5003, 0, 0), says: []string{"of 30", "connected", "maxclients"}},
		{name: "C33 maxclients 10, a new connection for each batch", before: full(10), args: []string{"-t", "set", "-n", "203", "-c", "30", "-k", "0"}, code: 1, command: "set",
			check: counts(203, 0, 0), says: []string{"max number of clients reached"}},
		{name: "C33 maxclients lowered meanwhile", args: lasting("set", "2s"), code: 1, command: "set", says: []string{"max number of clients reached"},
			during: later("set", 0, squeeze)},
		{name: "client-output-buffer-limit", server: []string{"--client-output-buffer-limit", "normal 300kb 0 0"}, args: []string{"-t", "get", "-d", "100k", "-P", "50", "-c", "3", "--duration", "2s", "--warmup", "none"}, code: 1, command: "get",
			check: lost, says: []string{"client-output-buffer-limit"}},
		{name: "client-query-buffer-limit", server: []string{"--client-query-buffer-limit", "1mb"}, args: []string{"-t", "set", "-d", "2m", "-c", "3", "--duration", "2s", "--warmup", "none"}, code: 1, command: "set",
			check: lost, says: []string{"client-query-buffer-limit"}},
		{name: "proto-max-bulk-len", server: []string{"--proto-max-bulk-len", "1mb"}, args: []string{"-t", "set", "-d", "2m", "-c", "3", "--duration", "2s", "--warmup", "none"}, code: 1, // no command comes of it that the server would count
			says: []string{"invalid bulk length", "proto-max-bulk-len"}},
		{name: "proto-max-bulk-len, the prefill", server: []string{"--proto-max-bulk-len", "1mb"}, args: []string{"-t", "get", "-d", "2m", "-c", "3", "-n", "30"}, code: 1,
			says: []string{"invalid bulk length", "proto-max-bulk-len"}},
		{name: "timeout", server: []string{"--timeout", "1"}, args: []string{"-t", "set", "--rate", "4", "-c", "10", "--duration", "6s", "--warmup", "none"}, code: 1, command: "set",
			check: func(t testing.TB, _ *redistest.Server, r result) {
				if r.Requests < 20 || r.Lost > 2 {
					t.Errorf("requests %d, lost %d of 24: a connection that was closed while idle loses nothing", r.Requests, r.Lost)
				}
			}, says: []string{"timeout 1", "idle"}},
	})
	t.Run("C33 a server that is full", func(t *testing.T) {
		s := redistest.Start(t)
		holders := fillUp(t, s)
		o := fullbore(t, append(few("set", "--json"), "-p", port(s))...).want(t, 1)
		if o.stdout != "" || !strings.Contains(o.stderr, "max number of clients reached") || !strings.Contains(o.stderr, "raise maxclients") {
			t.Errorf("stdout %q, stderr %q", o.stdout, o.stderr)
		}
		for _, h := range holders {
			h.Close()
		}
	})
	t.Run("C33 ulimit -n 40", func(t *testing.T) {
		s := redistest.Start(t)
		script := fmt.Sprintf("ulimit -n 40; exec %s -p %s -t set -n 20003 -c 50 --json", program(t, plain), port(s))
		cmd := exec.Command("sh", "-c", script)
		cmd.Env, cmd.Dir = environment(), t.TempDir()
		var out, side stream
		cmd.Stdout, cmd.Stderr = &out, &side
		if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v: %s %s", err, out.String(), side.String())
		}
		if all := out.String() + side.String(); !strings.Contains(all, "ulimit -n") {
			t.Errorf("ulimit is not named: %s", brief(all))
		}
		if n := s.DBSize(t); n != 0 {
			t.Errorf("%d keys left", n)
		}
	})
}
