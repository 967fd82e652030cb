package redistest

import (
	"context"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/launch/daemon"
)

// stopGrace is how long a server may take to end by itself after a test.
const stopGrace = 2 * time.Second

// Server is a real server that belongs to one test.
type Server struct {
	Addr string // "127.0.0.1:PORT"
	Host string // "127.0.0.1"
	Port int
	Dir  string // its working folder; a relative --unixsocket is created here
	PID  int    // changes with Restart

	TLSPort int // of a server that StartTLS started

	program, password string
	args              []string
	daemon            *daemon.Daemon
	t                 testing.TB
}

// Start starts a redis-server (or a valkey-server, where that is what PATH has)
// without persistence and returns once it answers PING. The arguments are the
// server's own, such as "--requirepass", "secret". The server ends with the test,
// and on Linux also when the test process is killed.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	s := &Server{t: t, program: program(t), args: args, password: option(args, "--requirepass")}
	// Not t.TempDir: its path is too long for a unix socket.
	dir, err := os.MkdirTemp("", "redistest-")
	if err != nil {
		t.Fatal(err)
	}
	s.Dir = dir
	t.Cleanup(func() {
		if s.daemon != nil {
			s.daemon.Stop(stopGrace)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("remove the server's folder: %v", err)
		}
	})
	s.start(t)
	return s
}

// start starts the process on s.Port, or on a free port when that is 0.
func (s *Server) start(t testing.TB) {
	t.Helper()
	d, err := daemon.Start(context.Background(), daemon.Spec{Program: s.program, Args: s.args, Dir: s.Dir, Port: s.Port})
	if err != nil {
		t.Fatal(err)
	}
	s.daemon, s.PID, s.Host, s.Port = d, d.PID, daemon.Host, d.Port
	s.Addr = net.JoinHostPort(s.Host, strconv.Itoa(s.Port))
}

// program finds the server's program.
func program(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("redis-server not found in PATH: install it (apt-get install redis-server)")
	return ""
}

// option is the word after the named option, or "".
func option(args []string, name string) string {
	for i := 0; i+1 < len(args); i++ {
		if strings.EqualFold(args[i], name) {
			return args[i+1]
		}
	}
	return ""
}

// Pause freezes the server (SIGSTOP): it keeps its sockets and answers nothing.
func (s *Server) Pause() {
	s.t.Helper()
	if err := s.daemon.Pause(); err != nil {
		s.t.Errorf("pause the server: %v", err)
	}
}

// Resume wakes a frozen server (SIGCONT).
func (s *Server) Resume() {
	s.t.Helper()
	if err := s.daemon.Resume(); err != nil {
		s.t.Errorf("resume the server: %v", err)
	}
}

// Kill ends the server at once (SIGKILL); its connections are reset.
func (s *Server) Kill() { s.daemon.Kill() }

// Restart ends the server if it runs and starts it again on the same port, in
// the same folder, with the same arguments.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.daemon.Stop(stopGrace)
	s.start(t)
}

// Log returns the last n lines that the server wrote.
func (s *Server) Log(n int) string { return s.daemon.Log(n) }
