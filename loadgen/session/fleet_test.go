package session_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/launch"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/session"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// at names a test's server.
func at(server *redistest.Server) session.Options {
	named := target.TCP("127.0.0.1", server.Port)
	return session.Options{Launch: launch.Options{Target: &named}}
}

// side is an arm with keys under that prefix, on the server of the command line.
func side(label, prefix string) session.Side {
	s := session.Side{Label: label, Plan: loadgen.Plan{Clients: 1, Pipeline: 1}}
	s.Plan.Workload.Keys.Prefix = prefix
	return s
}

// on is side with a server that it names.
func on(label string, named session.Options) session.Side {
	s := side(label, "fullbore:")
	s.Own, s.Target = true, named.Launch.Target
	return s
}

// starts is side with a server that it starts.
func starts(label, command string, replicas int) session.Side {
	s := side(label, "fullbore:")
	s.Own, s.Server, s.Replicas = true, command, replicas
	return s
}

func fleet(t *testing.T, base session.Options, sides ...session.Side) *session.Fleet {
	t.Helper()
	f, err := session.OpenFleet(t.Context(), base, sides)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// unreachable is a server that nobody may open.
var unreachable = session.Options{Launch: launch.Options{Server: "no-such-redis-server"}}

func TestFleetSharesAServer(t *testing.T) {
	server := redistest.Start(t)
	f := fleet(t, at(server), side("P=1", "fullbore:"), side("P=16", "fullbore:"), side("mine", "mine:"), on("again", at(server)))
	if n := len(f.Sessions()); n != 3 { // two prefixes, and one that was named once more
		t.Errorf("%d sessions, want 3", n)
	}
	for i, label := range []string{"P=1", "P=16", "mine", "again"} {
		a := f.Arms[i]
		if a.Label != label || a.Place.Target.Address != server.Addr || a.Place.Info.Version == "" || a.Place.Origin != "" || a.Place.Command != "" {
			t.Errorf("arm %d: %+v", i, a)
		}
	}
	for _, key := range []string{"fullbore:a", "fullbore:b", "mine:a", "theirs"} {
		server.Do(t, "SET", key, "1")
	}
	var told bytes.Buffer
	if !f.Leave(t.Context(), false, &told) {
		t.Error("the server is not as it was")
	}
	want := "fullbore: 2 keys under \"fullbore:\" removed on " + server.Addr + "\nfullbore: 1 key under \"mine:\" removed on " + server.Addr + "\n"
	if told.String() != want {
		t.Errorf("told %q, want %q", told.String(), want)
	}
	if n := server.DBSize(t); n != 1 {
		t.Errorf("%d keys left, want 1", n)
	}
}

// TestFleetOfPrivateServers holds that a base which nobody asks for is not opened, and
// that each arm's server is told of and stopped.
func TestFleetOfPrivateServers(t *testing.T) {
	f := fleet(t, unreachable,
		starts("one", "redis-server --io-threads 1 --requirepass hunter2", 0),
		starts("two", "redis-server --io-threads 2", 1), starts("three", "builtin", 0))
	var told bytes.Buffer
	f.Introduce(&told)
	for i, want := range []string{
		"private redis-server at " + f.Arms[0].Place.Target.Address + " (redis-server --io-threads 1 --requirepass ***)\n",
		"private redis-server at " + f.Arms[1].Place.Target.Address + " (redis-server --io-threads 2, 1 replica)\n",
		"built-in demo server at " + f.Arms[2].Place.Target.Address + "\n",
	} {
		if !strings.Contains(told.String(), "fullbore: "+want) {
			t.Errorf("arm %d: told %q, want %q in it", i, told.String(), want)
		}
	}
	if p := f.Arms[1].Place; p.Replicas != 1 || p.Origin != "private redis-server" || p.Command != "redis-server --io-threads 2" || p.Info.Version == "" {
		t.Errorf("place %+v", p)
	}
	set := 0
	if f.Threads(2, func(n int) { set = n }); set != 0 {
		t.Error("the demo server was left without its thread")
	}
	if fleet(t, unreachable, starts("", "redis-server", 0)).Threads(2, func(n int) { set = n }); set != 2 {
		t.Errorf("%d threads, want 2", set)
	}
	told.Reset()
	if !f.Leave(t.Context(), false, &told) || told.Len() > 0 {
		t.Errorf("servers of ours: told %q", told.String())
	}
	for _, a := range f.Arms {
		if _, err := target.Preflight(t.Context(), a.Place.Target); err == nil {
			t.Errorf("the server of %q is still there", a.Label)
		}
	}
}

func TestFleetErrors(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	_, err := session.OpenFleet(t.Context(), unreachable, []session.Side{starts("one", "redis-server", 0), starts("two", "no-such-redis-server", 0)})
	if err == nil || !strings.Contains(err.Error(), "arm 2 \"two\": ") || !strings.Contains(err.Error(), "no-such-redis-server") {
		t.Errorf("error %v, want that of arm 2", err)
	}
	_, err = session.OpenFleet(t.Context(), unreachable, []session.Side{starts("one", "redis-server", 0), side("two", "")})
	if err == nil || strings.Contains(err.Error(), "arm") {
		t.Errorf("error %v, want that of the command line's server", err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = session.OpenFleet(ctx, unreachable, []session.Side{starts("one", "redis-server", 0)}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestFleetConsent holds that each server is asked about once, for what its own arms
// send.
func TestFleetConsent(t *testing.T) {
	one, two := redistest.Start(t), redistest.Start(t)
	one.Do(t, "SET", "theirs", "1")
	two.Do(t, "SET", "theirs", "1")
	a, b, c := side("a", "fullbore:"), side("b", "fullbore:"), on("c", at(two))
	a.Plan.Workload.Mix, b.Plan.Workload.Mix, c.Plan.Workload.Mix = line(t, "SET theirs 2"), line(t, "SET theirs 2"), line(t, "GET theirs")
	f := fleet(t, at(one), a, b, c)
	var asked bytes.Buffer
	own := []experiment.Case{{Mix: nil}}
	if err := f.Consent(t.Context(), own, strings.NewReader("y\n"), &asked); err != nil || strings.Count(asked.String(), "Go on?") != 1 || strings.Count(asked.String(), "SET theirs 2 writes") != 1 {
		t.Errorf("%v, asked %q", err, asked.String())
	}
	if err := f.Consent(t.Context(), own, nil, io.Discard); !errors.Is(err, session.ErrRefused) {
		t.Errorf("nobody to ask: %v", err)
	}
	read := []experiment.Case{{Mix: line(t, "GET theirs")}}
	if err := f.Consent(t.Context(), read, nil, io.Discard); err != nil {
		t.Errorf("commands that only read: %v", err)
	}
	mix, err := workload.ParseMix("set=1,lpush=2")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Consent(t.Context(), []experiment.Case{{Mix: mix}}, nil, io.Discard); err != nil {
		t.Errorf("the catalogue's own: %v", err)
	}
}

// TestFleetToldTheFrozenFromTheBusy: a server that answered all of the load is waited
// for, another one keeps nobody from the prompt.
func TestFleetToldTheFrozenFromTheBusy(t *testing.T) {
	for _, answered := range []bool{true, false} {
		server := redistest.Start(t)
		f := fleet(t, at(server), side("P=1", "fullbore:"), side("P=4", "fullbore:"))
		f.Answered = answered
		server.Do(t, "SET", "fullbore:a", "1")
		server.Pause()
		resume := time.AfterFunc(1200*time.Millisecond, server.Resume) // longer than a frozen one is waited for
		var told bytes.Buffer
		clean := f.Leave(t.Context(), false, &told)
		if clean != answered || strings.Contains(told.String(), "may be left") == answered {
			t.Errorf("answered %v: clean %v, told %q", answered, clean, told.String())
		}
		if resume.Stop() {
			server.Resume()
		}
	}
}
