package launch_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/launch"
	"fullbore/loadgen/target"
)

// nowhere is an address where nothing listens: the port was free a moment ago.
func nowhere(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// redisServer is the real server's path; without it these tests would test nothing.
func redisServer(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("redis-server not found in PATH: install it (apt-get install redis-server)")
	return ""
}

// lookPath is a PATH that holds only the given programs.
func lookPath(programs map[string]string) func(string) (string, error) {
	return func(name string) (string, error) {
		if path, ok := programs[name]; ok {
			return path, nil
		}
		return "", exec.ErrNotFound
	}
}

// choose chooses, and closes after the test.
func choose(t *testing.T, o launch.Options) *launch.Server {
	t.Helper()
	s, err := launch.Choose(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// ask sends inline commands and returns the first bytes of the answers.
func ask(t *testing.T, address, commands string, lines int) string {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	io.WriteString(conn, commands)
	r := bufio.NewReader(conn)
	var b strings.Builder
	for range lines {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("%q: %v", commands, err)
		}
		b.WriteString(line)
	}
	return b.String()
}

// configOf is a setting as the server tells it.
func configOf(t *testing.T, address, name string) string {
	t.Helper()
	lines := strings.Split(ask(t, address, "CONFIG GET "+name+"\r\n", 5), "\r\n")
	return lines[4]
}

func TestChoose(t *testing.T) {
	real := redisServer(t)
	running := choose(t, launch.Options{Server: "builtin"}).Target
	broken := filepath.Join(t.TempDir(), "redis-server")
	if err := os.WriteFile(broken, []byte("#!/bin/sh\necho cannot run here\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	both := map[string]string{"redis-server": real, "valkey-server": real}
	given := target.TCP("192.0.2.1", 7000)
	for _, tc := range []struct {
		name     string
		options  launch.Options
		kind     launch.Kind
		origin   string
		banner   bool
		noteHas  string
		answered bool
	}{
		{"given", launch.Options{Target: &given, Default: running.Address}, launch.Given, "", false, "", false},
		{"builtin", launch.Options{Server: "Builtin ", Default: running.Address}, launch.Builtin, "built-in demo server", true, "", true},
		{"found", launch.Options{Default: running.Address, LookPath: lookPath(both)}, launch.Found, "", false, "", true},
		{"private", launch.Options{Default: nowhere(t), LookPath: lookPath(both)}, launch.Private, "private " + filepath.Base(real), false, "", true},
		{"valkey", launch.Options{Default: nowhere(t), LookPath: lookPath(map[string]string{"valkey-server": real})}, launch.Private, "private ", false, "", true},
		{"nothing installed", launch.Options{Default: nowhere(t), LookPath: lookPath(nil)}, launch.Builtin, "built-in demo server", true, "", true},
		{"broken server", launch.Options{Default: nowhere(t), LookPath: lookPath(map[string]string{"redis-server": broken})},
			launch.Builtin, "built-in demo server", true, "cannot run here", true},
		{"command", launch.Options{Server: "redis-server --io-threads 2", LookPath: lookPath(both)}, launch.Private, "private ", false, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := choose(t, tc.options)
			if s.Kind != tc.kind || !strings.HasPrefix(s.Origin(), tc.origin) || (s.Banner() != "") != tc.banner {
				t.Errorf("kind %q, origin %q, banner %q; want %q, %q, %v", s.Kind, s.Origin(), s.Banner(), tc.kind, tc.origin, tc.banner)
			}
			if !strings.Contains(s.Note, tc.noteHas) || tc.noteHas == "" && s.Note != "" {
				t.Errorf("note %q, want %q in it", s.Note, tc.noteHas)
			}
			if tc.answered {
				if got := ask(t, s.Target.Address, "PING\r\n", 1); got != "+PONG\r\n" {
					t.Errorf("PING = %q", got)
				}
			}
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Errorf("second Close: %v", err)
			}
		})
	}
	if got := ask(t, running.Address, "PING\r\n", 1); got != "+PONG\r\n" {
		t.Errorf("a found server does not survive: %q", got)
	}
}

func TestCommandArguments(t *testing.T) {
	real := redisServer(t)
	command := "'" + real + "' --io-threads 2 --maxmemory 12mb --port 1 --bind 192.0.2.1 --daemonize yes --dir /"
	s := choose(t, launch.Options{Server: command})
	for name, want := range map[string]string{
		"io-threads": "2", "maxmemory": "12582912", "save": "", "appendonly": "no", "daemonize": "no", "bind": "127.0.0.1",
	} {
		if got := configOf(t, s.Target.Address, name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if dir := configOf(t, s.Target.Address, "dir"); dir == "/" || !strings.Contains(dir, "fullbore-") {
		t.Errorf("dir = %q, want a folder of its own", dir)
	}
}

// The user's persistence wins, and his password is the load's.
func TestCommandWins(t *testing.T) {
	s := choose(t, launch.Options{Server: redisServer(t) + ` --appendonly yes --save "3600 1" --requirepass "s3 cret"`})
	if s.Target.Password != "s3 cret" {
		t.Errorf("password %q, want that of the command", string(s.Target.Password))
	}
	lines := ask(t, s.Target.Address, "AUTH \"s3 cret\"\r\nCONFIG GET appendonly\r\nCONFIG GET save\r\n", 11)
	if !strings.Contains(lines, "yes") || !strings.Contains(lines, "3600 1") {
		t.Errorf("the command's settings are gone: %q", lines)
	}
}

func TestWrapper(t *testing.T) {
	s := choose(t, launch.Options{Server: "env A=1 " + redisServer(t) + " --maxmemory 12mb"})
	if got := configOf(t, s.Target.Address, "maxmemory"); got != "12582912" {
		t.Errorf("maxmemory = %q, want 12582912", got)
	}
	if got := s.Origin(); got != "private "+filepath.Base(redisServer(t)) {
		t.Errorf("origin = %q", got)
	}
}

func TestConfigFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.conf")
	if err := os.WriteFile(file, []byte("appendonly yes\nmaxmemory 12mb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := choose(t, launch.Options{Server: redisServer(t) + " " + file + " --maxclients 99"})
	for name, want := range map[string]string{"appendonly": "yes", "maxmemory": "12582912", "maxclients": "99"} {
		if got := configOf(t, s.Target.Address, name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestChooseErrors(t *testing.T) {
	real := redisServer(t)
	given := target.TCP("127.0.0.1", 1)
	for _, tc := range []struct {
		name    string
		options launch.Options
		want    []string
		not     string
	}{
		{"both", launch.Options{Target: &given, Server: "builtin"}, []string{"--server", "exclude"}, ""},
		{"unknown program", launch.Options{Server: "no-such-redis --x"}, []string{"--server", `"no-such-redis"`, "not found", "redis-server --io-threads 2"}, ""},
		{"blank", launch.Options{Server: "  "}, []string{"--server", "builtin"}, ""},
		{"quote", launch.Options{Server: "redis-server --save '"}, []string{"--server", "quote is not closed"}, ""},
		{"ends early", launch.Options{Server: real + " --no-such-option 1"}, []string{"--server", "ended before it was ready", "exit status 1", "no-such-option"}, ""},
		{"prints and ends", launch.Options{Server: real + " --version"}, []string{"--server", "exit status 0", "v="}, ""},
		{"password", launch.Options{Server: real + " --requirepass hunter2 again"}, []string{"--server", "a line with a password"}, "hunter2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := launch.Choose(context.Background(), tc.options)
			if err == nil {
				s.Close()
				t.Fatal("no error")
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, want %q in it", err, want)
				}
			}
			if tc.not != "" && strings.Contains(err.Error(), tc.not) {
				t.Errorf("error %q tells %q", err, tc.not)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := launch.Choose(ctx, launch.Options{Server: redisServer(t)})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestSplit(t *testing.T) {
	for _, tc := range []struct {
		line string
		want []string
	}{
		{"", nil},
		{" \t ", nil},
		{"redis-server --io-threads 2", []string{"redis-server", "--io-threads", "2"}},
		{`a "" b`, []string{"a", "", "b"}},
		{`--save "3600 1" ''`, []string{"--save", "3600 1", ""}},
		{`'a "b" \' c`, []string{`a "b" \`, "c"}},
		{`"a \"b\" \\ \n"`, []string{`a "b" \ \n`}},
		{`a\ b\"c`, []string{`a b"c`}},
		{`pre"mid dle"post`, []string{"premid dlepost"}},
		{"a\nb\r\nc", []string{"a", "b", "c"}},
		{"ünï 'cö dé'", []string{"ünï", "cö dé"}},
	} {
		got, err := launch.Split(tc.line)
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%q: %q, %v, want %q", tc.line, got, err, tc.want)
		}
	}
	for _, line := range []string{`"`, `a 'b`, `a\`, `"\`} {
		if got, err := launch.Split(line); err == nil {
			t.Errorf("%q: %q, want an error", line, got)
		}
	}
}

// Words that are quoted and joined are the same words after Split.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"redis-server --save ''", `a"b c\"d"`, "'", `\`, "\x00 é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, err := launch.Split(line)
		if err != nil {
			return
		}
		var quoted []string
		for _, word := range words {
			quoted = append(quoted, "'"+strings.ReplaceAll(word, "'", `'\''`)+"'")
		}
		again, err := launch.Split(strings.Join(quoted, " "))
		if err != nil || !slices.Equal(again, words) {
			t.Errorf("%q: %q, then %q, %v", line, words, again, err)
		}
	})
}
