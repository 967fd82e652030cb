package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"fullbore/loadgen/embedded"
	"fullbore/loadgen/launch/daemon"
	"fullbore/loadgen/target"
)

// Kind says where a server came from.
type Kind string

// The kinds of servers, in the order in which Choose prefers them.
const (
	Given   Kind = "given"   // the user named its address
	Found   Kind = "found"   // it was running on the default address
	Private Kind = "private" // started for this run, ended with it
	Builtin Kind = "builtin" // the demo server inside this process
)

const (
	// defaultAddress is where a Redis runs when nobody chose otherwise.
	defaultAddress = "127.0.0.1:6379"
	// findWithin is how long the look for it may take.
	findWithin = 300 * time.Millisecond
	// stopGrace is how long a private server may take to end by itself.
	stopGrace = 300 * time.Millisecond
)

// Options say what the user asked for. The zero value asks for nothing: then the
// choice is a running server, a private one, or the built-in one.
type Options struct {
	Target *target.Target // the address that the user gave, or nil
	Server string         // "builtin", a command line such as "redis-server --io-threads 2", or ""

	Replicas int  // started beside the server of a command, 0 to MostReplicas
	Chained  bool // each replica follows the one before it, not the primary

	Default  string                       // where to look for a running server; "" = 127.0.0.1:6379
	LookPath func(string) (string, error) // finds programs; nil = exec.LookPath
}

// Server is the server that was chosen.
type Server struct {
	Kind   Kind
	Target target.Target
	PID    int    // of a private server, else 0
	Note   string // why a better choice was passed over, "" mostly; for people

	Command  string    // what a private server was started with, passwords left out (M31)
	Replicas []Replica // of a private server, in the order they were started

	name    string // program of a private server
	daemon  *daemon.Daemon
	builtin *embedded.Server
}

// Choose picks the server and starts it if need be. A given or found server is
// not judged here; that is the preflight's task. The errors of a server command
// carry the last lines that the server wrote. Replicas are in sync when Choose returns.
func Choose(ctx context.Context, o Options) (*Server, error) {
	if o.LookPath == nil {
		o.LookPath = exec.LookPath
	}
	if err := replicable(o); err != nil {
		return nil, err
	}
	switch {
	case o.Target != nil && o.Server != "":
		return nil, errors.New("--server and an address exclude each other: give one of them")
	case o.Target != nil:
		return &Server{Kind: Given, Target: *o.Target}, nil
	case builtinAsked(o.Server):
		return startBuiltin()
	case o.Server != "":
		return startCommand(ctx, o)
	}
	if s, ok := findRunning(ctx, cmp.Or(o.Default, defaultAddress)); ok {
		return s, nil
	}
	return startAny(ctx, o)
}

// builtinAsked reports whether the command asks for the demo server.
func builtinAsked(command string) bool {
	return strings.EqualFold(strings.TrimSpace(command), string(Builtin))
}

// findRunning takes whatever accepts a connection on the address.
func findRunning(ctx context.Context, address string) (*Server, bool) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, false
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, false
	}
	dialer := net.Dialer{Timeout: findWithin}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, false
	}
	conn.Close()
	return &Server{Kind: Found, Target: target.TCP(host, number)}, true
}

// startAny starts a private server if one is installed, else the built-in one. An
// installed server that does not start is passed over with a note, because the
// user asked for no particular one.
func startAny(ctx context.Context, o Options) (*Server, error) {
	var notes []string
	for _, name := range []string{"redis-server", "valkey-server"} {
		path, err := o.LookPath(name)
		if err != nil {
			continue
		}
		s, err := startPrivate(ctx, path, []string{name})
		if err == nil {
			return s, nil
		}
		if ctx.Err() != nil {
			return nil, err
		}
		notes = append(notes, err.Error())
	}
	s, err := startBuiltin()
	if err != nil {
		return nil, err
	}
	s.Note = strings.Join(notes, "; ")
	return s, nil
}

// startCommand starts a private server from the user's command line. Its errors
// name the program and never repeat the line, which may hold a password.
func startCommand(ctx context.Context, o Options) (*Server, error) {
	words, err := Split(o.Server)
	if err != nil {
		return nil, fmt.Errorf("--server: %w", err)
	}
	if len(words) == 0 {
		return nil, errors.New(`--server: empty, want "builtin" or a command such as "redis-server --io-threads 2"`)
	}
	path, err := o.LookPath(words[0])
	if err != nil {
		return nil, fmt.Errorf(`--server: program %q not found: %w (want "builtin" or a command such as "redis-server --io-threads 2")`, words[0], err)
	}
	s, err := startPrivate(ctx, path, words)
	if err != nil {
		return nil, fmt.Errorf("--server: %w", err)
	}
	if err := s.replicate(ctx, append([]string{path}, words[1:]...), o); err != nil {
		return nil, errors.Join(fmt.Errorf("--server: %w", err), s.Close())
	}
	return s, nil
}

// startPrivate starts a server of this run's own: the program that path leads to, with
// the words that the user gave, its name first.
func startPrivate(ctx context.Context, path string, words []string) (*Server, error) {
	d, err := daemon.Start(ctx, daemon.Spec{Program: path, Args: words[1:]})
	if err != nil {
		return nil, err
	}
	s := &Server{
		Kind: Private, Target: target.TCP(daemon.Host, d.Port), PID: d.PID, Command: masked(words),
		name: serverName(words), daemon: d,
	}
	// A password in the command is the password of the load.
	s.Target.Password = target.Secret(option(words, "--requirepass"))
	return s, nil
}

func startBuiltin() (*Server, error) {
	b, err := embedded.Start()
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(b.Addr())
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return &Server{Kind: Builtin, Target: target.TCP(host, number), builtin: b}, nil
}

// Origin says what was started: "private redis-server", "built-in demo server",
// or "" for a server that was there already.
func (s *Server) Origin() string {
	switch s.Kind {
	case Private:
		return "private " + s.name
	case Builtin:
		return "built-in demo server"
	default:
		return ""
	}
}

// Banner is what must stand beside every number from this server, or "".
func (s *Server) Banner() string {
	if s.Kind == Builtin {
		return "built-in demo server: its speed says nothing about Redis"
	}
	return ""
}

// Close ends what Choose started and returns when it is gone: within half a
// second also when the server is frozen. A second call does nothing.
func (s *Server) Close() error {
	if s.daemon != nil {
		s.stop()
	}
	if s.builtin != nil {
		return s.builtin.Close()
	}
	return nil
}

// stop ends the server and its replicas at the same time, as one after another would
// take too long: a primary that ends first waits for replicas that are behind.
func (s *Server) stop() {
	var ended sync.WaitGroup
	for _, r := range s.Replicas {
		ended.Go(func() {
			defer func() { _ = recover() }() // nothing in Stop panics; the others must end whatever happens
			r.daemon.Stop(stopGrace)
		})
	}
	s.daemon.Stop(stopGrace)
	ended.Wait()
}

// serverName is the server's program in a command that may start with a wrapper:
// "redis-server" in "taskset -c 1 /opt/redis/redis-server --io-threads 2".
func serverName(words []string) string {
	for _, word := range words {
		if name := strings.TrimSuffix(filepath.Base(word), ".exe"); strings.HasSuffix(name, "-server") {
			return name
		}
	}
	return strings.TrimSuffix(filepath.Base(words[0]), ".exe")
}

// option is the word after the last occurrence of an option, or "".
func option(words []string, name string) (value string) {
	for i := 0; i+1 < len(words); i++ {
		if strings.EqualFold(words[i], name) {
			value = words[i+1]
		}
	}
	return value
}
