package target_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

func TestPreflight(t *testing.T) {
	s := redistest.Start(t, "--unixsocket", "s.sock", "--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru")
	s.Do(t, "SET", "a", "1")
	s.Do(t, "SET", "b", "1")
	elsewhere := target.TCP(s.Host, s.Port)
	elsewhere.DB = 2
	for _, tt := range []struct {
		target target.Target
		keys   int64
	}{
		{target.TCP(s.Host, s.Port), 2},
		{elsewhere, 0},
		{target.Unix(filepath.Join(s.Dir, "s.sock")), 2},
	} {
		info, err := target.Preflight(t.Context(), tt.target)
		must(t, err)
		if info.Server == "" || info.Version == "" || info.Mode != "standalone" || info.Role != "master" || info.Loading {
			t.Errorf("%s: %+v", tt.target, info)
		}
		if info.Keys+info.Elsewhere != 2 {
			t.Errorf("%s: %d keys and %d elsewhere, want 2 in all", tt.target, info.Keys, info.Elsewhere)
		}
		if info.Keys != tt.keys || info.MemoryUsed < 100_000 || info.MemoryMax != 64<<20 || info.Policy != "allkeys-lru" {
			t.Errorf("%s: %+v", tt.target, info)
		}
		save, known := info.Config["save"]
		if save != "" || !known || info.Config["appendonly"] != "no" || info.RTT <= 0 || len(info.Hidden)+len(info.Notes) != 0 {
			t.Errorf("%s: %+v", tt.target, info)
		}
	}
}

// C22: with a password, the same line from every kind of connection.
func TestPasswords(t *testing.T) {
	locked := redistest.Start(t, "--requirepass", "hunter2")
	locked.Do(t, "ACL", "SETUSER", "bench", "on", ">walrus7", "~*", "+@all")
	open := redistest.Start(t)
	nameless := redistest.Start(t, "--rename-command", "AUTH", "")
	for _, tt := range []struct {
		server         *redistest.Server
		user, password string
		code, want     string // "" = let in
	}{
		{locked, "", "hunter2", "", ""},
		{locked, "default", "hunter2", "", ""},
		{locked, "bench", "walrus7", "", ""},
		{locked, "", "", "NOAUTH", "NOAUTH Authentication required. (give the password with -a, and --user for an ACL user, or in REDISCLI_AUTH)"},
		{locked, "", "walrus7", "WRONGPASS", "(check -a and --user, or REDISCLI_AUTH)"},
		{locked, "bench", "hunter2", "WRONGPASS", "WRONGPASS invalid username-password pair"},
		{locked, "bench", "", "WRONGPASS", "WRONGPASS"},
		{open, "", "hunter2", "ERR", "called without any password configured"},
		{open, "", "hunter2", "ERR", "leave out -a"},
		{nameless, "", "hunter2", "ERR", "unknown command 'AUTH'"},
	} {
		tg := target.TCP(tt.server.Host, tt.server.Port)
		tg.Username, tg.Password = tt.user, target.Secret(tt.password)
		_, preflight := target.Preflight(t.Context(), tg)
		c, dial := tg.Dial(t.Context(), time.Now())
		if dial == nil {
			dial = verify(c)
			c.Close()
		}
		for _, err := range []error{preflight, dial} {
			if target.ErrorCode(err) != tt.code {
				t.Errorf("user %q: %v, want %q", tt.user, err, tt.code)
				continue
			}
			if tt.code == "" {
				continue
			}
			text := err.Error()
			if !strings.Contains(text, tt.want) || !strings.Contains(text, tt.server.Addr) || strings.Contains(text, "\n") {
				t.Errorf("user %q: %v, want %q", tt.user, err, tt.want)
			}
			if strings.Contains(text, "hunter2") || strings.Contains(text, "walrus7") {
				t.Errorf("the password is in %q", text)
			}
		}
	}
}

// C23: the password arrives exactly as it was meant.
func TestStrangePassword(t *testing.T) {
	s := redistest.Start(t, "--requirepass", `p@:/#%?+= w%40`)
	tg, err := target.Parse("redis://:p%40%3A%2F%23%25%3F+=%20w%2540@" + s.Addr)
	must(t, err)
	_, err = target.Preflight(t.Context(), tg)
	must(t, err)
}

// C20, C21, C26: what the server hides is no failure.
func TestHiddenCommands(t *testing.T) {
	for _, tt := range []struct {
		name   string
		args   []string
		hidden []string // beginnings
		check  func(target.Info) bool
	}{
		{"CONFIG renamed", []string{"--rename-command", "CONFIG", ""}, []string{"CONFIG: ERR unknown command 'CONFIG'"},
			func(i target.Info) bool { return i.Version != "" && i.Keys == 0 && len(i.Config) == 0 }},
		{"INFO renamed", []string{"--rename-command", "INFO", ""}, []string{"INFO: ERR unknown command 'INFO'"},
			func(i target.Info) bool {
				return i.Server == "" && i.Version == "" && i.MemoryUsed == -1 && i.Keys == 0 && len(i.Config) == 2
			}},
		{"HELLO renamed", []string{"--rename-command", "HELLO", ""}, nil,
			func(i target.Info) bool { return i.Version != "" }},
	} {
		s := redistest.Start(t, tt.args...)
		info, err := target.Preflight(t.Context(), target.TCP(s.Host, s.Port))
		if err != nil || !begin(info.Hidden, tt.hidden) || !tt.check(info) {
			t.Errorf("%s: %+v, %v; want hidden %q", tt.name, info, err, tt.hidden)
		}
	}
}

func TestTightUser(t *testing.T) {
	s := redistest.Start(t)
	s.Do(t, "SET", "a", "1")
	for _, tt := range []struct {
		rules  []any
		hidden []string
		keys   int64
	}{
		{[]any{"-@all", "+get", "+set", "+ping", "~bench:*"},
			[]string{"DBSIZE: NOPERM", "INFO: NOPERM", "CONFIG: NOPERM"}, -1},
		{[]any{"-@all", "+get", "~*"},
			[]string{"DBSIZE: NOPERM", "INFO: NOPERM", "CONFIG: NOPERM"}, -1},
		{[]any{"+@all", "-dbsize", "~*"}, []string{"DBSIZE: NOPERM"}, 1}, // INFO tells as well
	} {
		s.Do(t, "ACL", append([]any{"SETUSER", "tight", "reset", "on", ">pw"}, tt.rules...)...)
		tg := target.TCP(s.Host, s.Port)
		tg.Username, tg.Password = "tight", "pw"
		info, err := target.Preflight(t.Context(), tg)
		if err != nil || !begin(info.Hidden, tt.hidden) || info.Keys != tt.keys || info.RTT <= 0 {
			t.Errorf("%v: %+v, %v; want hidden %q", tt.rules, info, err, tt.hidden)
		}
	}
}

func TestNoInfoStub(t *testing.T) {
	stub := redistest.NoInfo(t)
	info, err := target.Preflight(t.Context(), target.TCP(stub.Host, stub.Port))
	if err != nil || info.Server != "" || !begin(info.Hidden[:1], []string{"INFO: ERR unknown command"}) {
		t.Errorf("%+v, %v", info, err)
	}
	if stub.Calls("INFO") != 1 || stub.Calls("SELECT") != 0 || stub.Calls("HELLO") != 0 {
		t.Errorf("asked INFO %d, SELECT %d, HELLO %d times", stub.Calls("INFO"), stub.Calls("SELECT"), stub.Calls("HELLO"))
	}
}

// begin reports whether each of got begins with its counterpart.
func begin(got, want []string) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if !strings.HasPrefix(got[i], want[i]) {
			return false
		}
	}
	return true
}

func TestPreflightFailures(t *testing.T) {
	raw := func(reply string) string { return redistest.Raw(t, []byte(reply)).Addr }
	for _, tt := range []struct {
		name, addr string
		code       string
		want       []string
	}{
		{"nobody", "127.0.0.1:1", "refused", []string{"dial 127.0.0.1:1: connection refused", "-h and -p"}},
		{"web server", raw("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n\r\n400"), "protocol",
			[]string{`not a Redis server: it answered "HTTP/1.1 400 Bad Request"`, "-p"}},
		{"TLS port", raw("\x15\x03\x01\x00\x02\x02\x46"), "protocol", []string{"TLS"}},
		{"noise", raw("\x00\x01\x02\xff"), "protocol", []string{`\x00\x01\x02\xff`}},
		{"mute", redistest.Mute(t, 0).Addr, "timeout", []string{"no answer within the time limit"}},
		{"protected", raw("-DENIED Redis is running in protected mode because protected mode is enabled\r\n"), "DENIED",
			[]string{"DENIED Redis is running", "loopback"}},
		{"full", raw("-ERR max number of clients reached\r\n"), "ERR", []string{"max number of clients", "-c"}},
		{"loading", always(t, "-LOADING Redis is loading the dataset in memory\r\n"), "LOADING", []string{"LOADING Redis", "try again"}},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err := target.Preflight(ctx, target.Target{Network: "tcp", Address: tt.addr})
		cancel()
		if target.ErrorCode(err) != tt.code {
			t.Errorf("%s: %v, want code %q", tt.name, err, tt.code)
			continue
		}
		for _, want := range append(tt.want, tt.addr) {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", tt.name, err, want)
			}
		}
		var told *target.Error
		if !errors.As(err, &told) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %#v", tt.name, err)
		}
	}
}

// States that forbid some commands are notes, not failures (C31, C32).
func TestPreflightNotes(t *testing.T) {
	for _, text := range []string{"MISCONF Redis is configured to save RDB snapshots", "MASTERDOWN Link with MASTER is down", "BUSY Redis is busy"} {
		info, err := target.Preflight(t.Context(), target.Target{Network: "tcp", Address: always(t, "-"+text+"\r\n")})
		if err != nil || !begin(info.Notes, []string{text}) {
			t.Errorf("%s: %+v, %v", text, info, err)
		}
	}
	first := redistest.Start(t)
	replica := redistest.Start(t, "--replicaof", first.Host+" "+first.Addr[strings.LastIndexByte(first.Addr, ':')+1:])
	info, err := target.Preflight(t.Context(), target.TCP(replica.Host, replica.Port))
	if err != nil || info.Role != "slave" || len(info.Notes) == 0 || !strings.Contains(info.Notes[len(info.Notes)-1], "READONLY") {
		t.Errorf("%+v, %v", info, err)
	}
}

// C32: LOADING is an error with the progress beside it, for a caller that waits.
func TestLoading(t *testing.T) {
	s := redistest.Start(t, "--enable-debug-command", "yes", "--key-load-delay", "1000", "--loading-process-events-interval-bytes", "1024")
	s.Do(t, "DEBUG", "POPULATE", 1500, "key", 100)
	reloaded := make(chan error, 1)
	go func() {
		_, err := s.Try("DEBUG", "RELOAD")
		reloaded <- err
	}()
	seen := false
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		info, err := target.Preflight(t.Context(), target.TCP(s.Host, s.Port))
		if err == nil && !seen {
			continue // not begun yet
		}
		if err == nil {
			break
		}
		seen = true
		if target.ErrorCode(err) != "LOADING" || !info.Loading || info.Loaded < 0 || info.Loaded > 1 || info.Version == "" {
			t.Fatalf("%+v, %v", info, err)
		}
	}
	must(t, within(t, reloaded))
	info, err := target.Preflight(t.Context(), target.TCP(s.Host, s.Port))
	if !seen || err != nil || info.Loading || info.Keys != 1500 {
		t.Errorf("seen loading: %v; then %+v, %v", seen, info, err)
	}
}

// always is a server that gives every command the same reply.
func always(t *testing.T, reply string) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for lines := bufio.NewScanner(conn); lines.Scan(); {
					if strings.HasPrefix(lines.Text(), "*") {
						io.WriteString(conn, reply)
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

func TestDatabaseOutOfRange(t *testing.T) {
	s := redistest.Start(t)
	tg := target.TCP(s.Host, s.Port)
	tg.DB = 99
	_, err := target.Preflight(t.Context(), tg)
	if err == nil || !strings.Contains(err.Error(), "SELECT 99 at "+s.Addr+": ERR DB index is out of range (--dbnum") {
		t.Errorf("got %v", err)
	}
}

func TestNoSuchSocketOrHost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.sock")
	_, err := target.Preflight(t.Context(), target.Unix(path))
	if target.ErrorCode(err) != "missing" || !strings.Contains(err.Error(), "dial "+path+": no such socket (-s ") {
		t.Errorf("got %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for path, want := range map[string]string{
		"/" + strings.Repeat("long", 50): "no socket can have a path of this length (about 100 bytes",
		filepath.Join(file, "s"):         "no such socket (-s ",
	} {
		_, err := target.Preflight(t.Context(), target.Unix(path))
		if target.ErrorCode(err) != "missing" || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v", path, err)
		}
	}
	lookup := &net.DNSError{Err: "no such host", Name: "h", IsNotFound: true}
	if code := target.ErrorCode(&net.OpError{Op: "dial", Err: lookup}); code != "name" {
		t.Errorf("code %q", code)
	}
}
