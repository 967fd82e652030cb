package main_test

import (
	"net"
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

func TestServersThatTakeNoLoad(t *testing.T) {
	t.Parallel()
	locked := redistest.Start(t, "--requirepass", "sesame")
	open := redistest.Start(t)
	http := redistest.Raw(t, []byte("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))
	loading := redistest.Raw(t, []byte("-LOADING Redis is loading the dataset in memory\r\n"))
	stub := func(s *redistest.StubServer) []string { return []string{"-p", strconv.Itoa(s.Port)} }
	idle := idlePort(t)
	for _, c := range []struct {
		name string
		args []string
		want []string // the address and the server's own words
	}{
		{"refused", []string{"-p", idle}, []string{"127.0.0.1:" + idle, "connection refused"}},
		{"no socket", []string{"-s", filepath.Join(t.TempDir(), "none.sock")}, []string{"none.sock", "no such socket"}},
		{"no password", []string{"-p", port(locked)}, []string{locked.Addr, "NOAUTH Authentication required"}},
		{"wrong password", []string{"-p", port(locked), "-a", "open barley"}, []string{locked.Addr, "WRONGPASS"}},
		{"unknown user", []string{"-p", port(locked), "--user", "ali", "-a", "sesame"}, []string{locked.Addr, "WRONGPASS"}},
		{"database out of range", []string{"-p", port(open), "--dbnum", "99"}, []string{open.Addr, "DB index is out of range"}},
		{"web server", stub(http), []string{http.Addr, "HTTP/1.1 400 Bad Request"}},
		{"loading", stub(loading), []string{loading.Addr, "LOADING Redis is loading the dataset in memory"}},
		{"unknown program", []string{"--server", "no-such-server"}, []string{"no-such-server", "not found"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sets := open.Calls(t, "set")
			// Whatever the output, nothing is printed on stdout. A server that loads
			// is waited for a little, which once is enough.
			formats := []string{"--json", "-q", "--csv"}
			if c.name == "loading" {
				formats = formats[:1]
			}
			for _, format := range formats {
				o := fullbore(t, append(c.args, "-t", "set", format)...).want(t, 1)
				if o.stdout != "" {
					t.Errorf("%s: stdout %q, want nothing", format, o.stdout)
				}
				if strings.Count(o.stderr, "\n") != 1 {
					t.Errorf("%s: stderr %q, want one line", format, o.stderr)
				}
				for _, want := range c.want {
					if !strings.Contains(o.stderr, want) {
						t.Errorf("%s: stderr %q lacks %q", format, o.stderr, want)
					}
				}
			}
			if n := open.Calls(t, "set") - sets; n != 0 {
				t.Errorf("load of %d commands", n)
			}
		})
	}
}

func TestServerCommandThatFails(t *testing.T) {
	t.Parallel()
	o := fullbore(t, "--server", "redis-server --no-such-option 1", "-t", "set", "-q").want(t, 1)
	if o.stdout != "" || !strings.HasPrefix(o.stderr, "fullbore: --server: start redis-server: ") || !strings.Contains(o.stderr, "no-such-option") {
		t.Errorf("stdout %q, stderr %q; want what the server wrote", o.stdout, o.stderr)
	}
}

func TestPasswordIsNeverShown(t *testing.T) {
	t.Parallel()
	const password = "s3same:@/%?"
	const escaped = "s3same%3A%40%2F%25%3F"
	server := redistest.Start(t, "--requirepass", password)
	load := []string{"-t", "set", "-n", "100", "--json"}
	for _, c := range []struct {
		name string
		env  []string
		args []string
		code int
	}{
		{"flag", nil, []string{"-p", port(server), "-a", password}, 0},
		{"environment", []string{"REDISCLI_AUTH=" + password}, []string{"-p", port(server)}, 0},
		{"uri", nil, []string{"-u", "redis://:" + escaped + "@" + server.Addr}, 0},
		{"uri with user", nil, []string{"-u", "redis://default:" + escaped + "@" + server.Addr + "/1"}, 0},
		{"private server", nil, []string{"--server", "redis-server --requirepass '" + password + "'"}, 0},
		{"wrong user", nil, []string{"-p", port(server), "-a", password, "--user", "ali"}, 1},
		{"refused", nil, []string{"-p", idlePort(t), "-a", password}, 1},
		{"raw uri", nil, []string{"-u", "redis://:" + password + "@" + server.Addr}, 2},
		{"uri as host", nil, []string{"-h", "redis://:" + password + "@" + server.Addr}, 2},
		{"broken port in a uri", nil, []string{"-u", "redis://:" + escaped + "@127.0.0.1:port"}, 2},
		{"private server that fails", nil, []string{"--server", "redis-server --requirepass '" + password + "' --nonsense"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := start(t, c.env, append(c.args, load...)...).wait(t).want(t, c.code)
			if all := o.stdout + o.stderr; strings.Contains(all, password) || strings.Contains(all, escaped) || strings.Contains(all, "s3same") {
				t.Errorf("the password is shown: %s", all)
			}
			if c.code == 0 && only(t, o.stdout).Requests != 100 {
				t.Errorf("want 100 requests: %s", o.stdout)
			}
		})
	}
}

func TestUnixSocketAndDatabase(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--unixsocket", "s.sock")
	sets := server.Calls(t, "set")
	o := fullbore(t, "-s", filepath.Join(server.Dir, "s.sock"), "--dbnum", "3", "-t", "set", "-n", "1003", "-P", "10", "-c", "7", "--keep-keys", "--json").want(t, 0)
	if r := only(t, o.stdout); r.Requests != 1003 || server.Calls(t, "set")-sets != 1003 {
		t.Errorf("%d requests, the server counted %d; want 1003", r.Requests, server.Calls(t, "set")-sets)
	}
	if space := server.Info(t, "keyspace"); space["db0"] != "" || space["db3"] == "" {
		t.Errorf("keys are in %v, want them in db3 only", space)
	}
}

// gone waits until a process and the port it listened on are free.
func gone(t *testing.T, pid int, address string) {
	t.Helper()
	ptytest.Await(t, "the end of the private server", func() bool {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			conn.Close()
			return false
		}
		return syscall.Kill(pid, 0) == syscall.ESRCH
	})
}

// private is the server that a run has started: its address from stderr, and its
// process id from the server itself.
func private(t *testing.T, p *process) (address string, pid int) {
	t.Helper()
	ptytest.Await(t, "a private server", func() bool {
		address = after(p.stderr.String(), "private redis-server at ")
		pid, _ = strconv.Atoi(info(address, "process_id"))
		return pid > 0
	}, p.stderr.String)
	if own := p.cmd.Process.Pid; pid == own {
		t.Fatalf("process %d is the program itself", pid)
	}
	return address, pid
}

func TestPrivateServerLivesAsLongAsTheRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		args   []string
		signal syscall.Signal
		code   int
	}{
		{"to its end", []string{"--server", "redis-server --io-threads 2", "--duration", "1500ms", "--warmup", "none"}, 0, 0},
		{"SIGTERM", []string{"--server", "redis-server", "--duration", "60s"}, syscall.SIGTERM, 143},
		{"SIGHUP", []string{"--server", "redis-server", "--duration", "60s"}, syscall.SIGHUP, 129},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, nil, append(c.args, "-t", "set", "--json")...)
			address, pid := private(t, p)
			if c.signal != 0 {
				if err := p.cmd.Process.Signal(c.signal); err != nil {
					t.Fatal(err)
				}
			}
			o := p.wait(t).want(t, c.code)
			gone(t, pid, address)
			if c.code == 0 {
				if d := parse(t, o.stdout); d.Server.Origin != "private redis-server" {
					t.Errorf("origin %q", d.Server.Origin)
				}
			}
		})
	}
}

// TestBareMachine has no server in reach: nothing in PATH, nobody on 6379.
func TestBareMachine(t *testing.T) {
	empty := t.TempDir()
	args := []string{"-t", "set,get", "-n", "1000", "-q"}
	if conn, err := net.DialTimeout("tcp", "127.0.0.1:6379", time.Second); err == nil {
		conn.Close()
		t.Log("something listens on 6379: the built-in server is asked for by its flag")
		args = append(args, "--server", "builtin")
	}
	o := start(t, []string{"PATH=" + empty}, args...).wait(t).want(t, 0)
	if !strings.Contains(o.stderr, "built-in demo server: its speed says nothing about Redis") {
		t.Errorf("no banner: %s", o.stderr)
	}
	if !strings.HasPrefix(o.stdout, "SET: ") || !strings.Contains(o.stdout, "GET: ") {
		t.Errorf("stdout %q, want a line for SET and one for GET", o.stdout)
	}
}

// TestInstalledServerIsPreferred: with a server in PATH and nobody on 6379, a
// private one is started and gone afterwards.
func TestInstalledServerIsPreferred(t *testing.T) {
	if conn, err := net.DialTimeout("tcp", "127.0.0.1:6379", time.Second); err == nil {
		conn.Close()
		o := fullbore(t, "-t", "ping", "-n", "100", "-q").want(t, 0)
		if strings.Contains(o.stderr, "private") || strings.Contains(o.stderr, "built-in") {
			t.Errorf("a server runs on 6379 and another one was started: %s", o.stderr)
		}
		return
	}
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("redis-server not found in PATH: install it (apt-get install redis-server)")
	}
	dir := t.TempDir() // a PATH with this server and nothing else
	if err := os.Symlink(path, filepath.Join(dir, "redis-server")); err != nil {
		t.Fatal(err)
	}
	o := start(t, []string{"PATH=" + dir}, "-t", "ping", "-n", "100", "-q").wait(t).want(t, 0)
	address := after(o.stderr, "private redis-server at ")
	if address == "" {
		t.Fatalf("no private server was started: %s", o.stderr)
	}
	if conn, err := net.DialTimeout("tcp", address, time.Second); err == nil {
		conn.Close()
		t.Errorf("%s still listens", address)
	}
}
