package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Host is the only address a daemon listens on.
const Host = "127.0.0.1"

// logName is the file in the daemon's folder that takes its output.
const logName = "server.log"

// portAttempts bounds how often a free port is looked for again because somebody
// took it between the look and the server's own bind.
const portAttempts = 5

// readyWithin is how long a server may take from its start to its first PONG.
const readyWithin = 5 * time.Second

// errPortTaken says that the server found its port in use.
var errPortTaken = errors.New("port already in use")

// Spec says what to start.
type Spec struct {
	Program string   // path or name of the program
	Args    []string // the user's arguments; they win, except for port, bind, dir and daemonize
	Dir     string   // working folder; "" makes a temporary one, which Stop removes
	Port    int      // loopback port; 0 picks a free one
}

// Daemon is a server that runs as a child of this process.
type Daemon struct {
	Port int
	Dir  string // the server's working folder, absolute
	PID  int

	child   *child
	ownsDir bool
	once    sync.Once // guards Stop
}

// Start starts the server and returns once it answers PING. The error of a
// server that ends early carries the last lines it wrote.
func Start(ctx context.Context, spec Spec) (*Daemon, error) {
	program, err := exec.LookPath(spec.Program)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", spec.Program, err)
	}
	spec.Program = program
	for range portAttempts {
		var d *Daemon
		if d, err = start(ctx, spec); err == nil {
			return d, nil
		}
		// A port that the caller fixed stays fixed: another one would be a surprise.
		if !errors.Is(err, errPortTaken) || spec.Port != 0 {
			break
		}
	}
	return nil, fmt.Errorf("start %s: %w", filepath.Base(spec.Program), err)
}

// start makes one attempt on one port.
func start(ctx context.Context, spec Spec) (*Daemon, error) {
	d := &Daemon{Port: spec.Port, Dir: spec.Dir}
	var err error
	if d.Port == 0 {
		if d.Port, err = freePort(); err != nil {
			return nil, err
		}
	}
	if d.Dir == "" {
		// Short, because a unix socket in it may have about 100 bytes of path.
		if d.Dir, err = os.MkdirTemp("", "fullbore-"); err != nil {
			return nil, err
		}
		d.ownsDir = true
	}
	if err = d.spawn(spec); err == nil {
		err = d.ready(ctx)
	}
	if err != nil {
		d.Stop(0)
		return nil, err
	}
	return d, nil
}

// spawn starts the child with its output in the log.
func (d *Daemon) spawn(spec Spec) error {
	log, err := os.OpenFile(filepath.Join(d.Dir, logName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() // the child has its own descriptor
	cmd := exec.Command(spec.Program, arguments(spec.Args, d.Port, d.Dir)...)
	cmd.Stdout, cmd.Stderr = log, log
	if d.child, err = run(cmd); err != nil {
		return err
	}
	d.PID = cmd.Process.Pid
	return nil
}

// Exited is closed when the server has ended, for whatever reason.
func (d *Daemon) Exited() <-chan struct{} { return d.child.exited }

// Stop ends the server: SIGTERM, and SIGKILL when it is still there after the
// grace. A frozen server is woken first, so that it can end by itself. Stop
// returns when the process is reaped and a temporary folder is removed.
func (d *Daemon) Stop(grace time.Duration) {
	d.once.Do(func() {
		if d.child != nil {
			d.child.stop(grace)
		}
		if d.ownsDir {
			_ = os.RemoveAll(d.Dir) // a leftover temporary folder is no reason to fail
		}
	})
}

// Kill ends the server with SIGKILL and returns when it is reaped; the folder stays.
func (d *Daemon) Kill() { d.child.stop(0) }

// Pause freezes the server (SIGSTOP): it keeps its sockets and answers nothing.
func (d *Daemon) Pause() error { return d.child.pause() }

// Resume wakes a frozen server (SIGCONT).
func (d *Daemon) Resume() error { return d.child.resume() }

// Log returns the last n lines that the server wrote, joined by newlines.
func (d *Daemon) Log(n int) string {
	text, err := os.ReadFile(filepath.Join(d.Dir, logName))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// arguments completes the user's arguments. Redis takes the last of two settings,
// so what must hold comes last. Defaults are appended only where the user said
// nothing, never put in front: the first word may be a configuration file, or
// the program may be a wrapper such as taskset.
func arguments(user []string, port int, dir string) []string {
	args := append([]string(nil), user...)
	if !hasConfigFile(user) {
		for _, option := range [][2]string{{"--save", ""}, {"--appendonly", "no"}} {
			if !contains(user, option[0]) {
				args = append(args, option[0], option[1])
			}
		}
	}
	return append(args, "--port", strconv.Itoa(port), "--bind", Host, "--dir", dir, "--daemonize", "no")
}

// hasConfigFile reports whether a configuration file is among the arguments; its
// persistence settings are then the user's choice.
func hasConfigFile(args []string) bool {
	for i, arg := range args {
		if strings.HasSuffix(arg, ".conf") && (i == 0 || !strings.HasPrefix(args[i-1], "--")) {
			return true
		}
	}
	return false
}

// contains reports whether an option is among the arguments.
func contains(args []string, option string) bool {
	for _, arg := range args {
		if strings.EqualFold(arg, option) {
			return true
		}
	}
	return false
}

// freePort asks the kernel for a loopback port that nobody uses at the moment.
func freePort() (int, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(Host, "0"))
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
