package ptytest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// Patience is how long a test waits for something that has to happen. It is long
// because machines that run tests are busy; what is expected sooner is measured.
const Patience = 45 * time.Second

// Await polls until cond holds, and ends the test when it does not in time. The
// extra texts are told then, such as what a screen showed.
func Await(t testing.TB, what string, cond func() bool, show ...func() string) {
	t.Helper()
	awaitFor(t, Patience, what, cond, show...)
}

func awaitFor(t testing.TB, d time.Duration, what string, cond func() bool, show ...func() string) {
	t.Helper()
	for start := time.Now(); !cond(); time.Sleep(20 * time.Millisecond) {
		if time.Since(start) < d {
			continue
		}
		var told strings.Builder
		for _, text := range show {
			told.WriteString("\n" + text())
		}
		t.Fatalf("waited %v for: %s%s", d, what, told.String())
	}
}

// Console is a program on a pseudo-terminal that answers no query, as dumb as
// terminals come. Everything the program writes is kept and counted.
type Console struct {
	PID int

	t      testing.TB
	cmd    *exec.Cmd
	master *os.File
	before *term.State
	start  time.Time
	exited chan struct{}
	silent chan struct{} // closed when nobody can write to the terminal any more

	mu      sync.Mutex
	output  bytes.Buffer
	first   time.Duration // from the start to the first byte
	end     time.Duration // from the start to the exit
	reading sync.Mutex    // held while nobody reads the terminal
}

// Start starts cmd on a terminal of that size, in a session of its own. Streams
// that cmd does not name are the terminal. The program is killed with the test.
func Start(t testing.TB, cols, rows int, cmd *exec.Cmd) *Console {
	t.Helper()
	master, slave, err := pty.Open()
	if err == nil {
		err = patient(master)
	}
	if err != nil {
		t.Fatalf("open a pseudo-terminal: %v", err)
	}
	defer slave.Close()
	c := &Console{t: t, cmd: cmd, master: master, exited: make(chan struct{}), silent: make(chan struct{})}
	c.Resize(cols, rows)
	c.before = c.modes()
	attach(cmd, slave)
	c.start = time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", cmd.Path, err)
	}
	c.PID = cmd.Process.Pid
	go c.read()
	go func() {
		defer close(c.exited)
		_ = cmd.Wait() // how it ended is read from cmd.ProcessState
		c.mu.Lock()
		defer c.mu.Unlock()
		c.end = time.Since(c.start)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-c.exited
		_ = master.Close()
	})
	return c
}

func attach(cmd *exec.Cmd, slave *os.File) {
	if cmd.Stdin == nil {
		cmd.Stdin = slave
	}
	if cmd.Stdout == nil {
		cmd.Stdout = slave
	}
	if cmd.Stderr == nil {
		cmd.Stderr = slave
	}
	cmd.SysProcAttr = session()
}

func (c *Console) read() {
	defer close(c.silent)
	buf := make([]byte, 64<<10)
	for {
		c.reading.Lock()
		n, err := c.master.Read(buf)
		c.reading.Unlock()
		c.mu.Lock()
		if n > 0 && c.output.Len() == 0 {
			c.first = time.Since(c.start)
		}
		c.output.Write(buf[:n])
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Stall stops reading the terminal, as a hung line does, until resume is called.
// One read that was under way already may still deliver.
func (c *Console) Stall() (resume func()) {
	c.reading.Lock()
	return c.reading.Unlock
}

// Type sends keys as the terminal does.
func (c *Console) Type(keys string) {
	c.t.Helper()
	if _, err := c.master.WriteString(keys); err != nil {
		c.t.Fatalf("type %q: %v", keys, err)
	}
}

// Resize changes the size, of which the kernel tells the program.
func (c *Console) Resize(cols, rows int) {
	c.t.Helper()
	if err := setSize(c.master, uint16(cols), uint16(rows)); err != nil {
		c.t.Fatalf("resize to %dx%d: %v", cols, rows, err)
	}
}

// HangUp closes the terminal as a line that drops does; the kernel sends SIGHUP.
func (c *Console) HangUp() {
	c.t.Helper()
	if err := c.master.Close(); err != nil {
		c.t.Fatalf("hang up: %v", err)
	}
}

// Signal sends a signal to the program.
func (c *Console) Signal(s os.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.t.Fatalf("send %v: %v", s, err)
	}
}

// Output is everything that the program has written so far.
func (c *Console) Output() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.output.String()
}

// Written is the number of bytes that the program has written so far.
func (c *Console) Written() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.output.Len()
}

// Sees waits until text was written at or after byte from.
func (c *Console) Sees(from int, text string) {
	c.t.Helper()
	Await(c.t, "on the terminal: "+text, func() bool { return strings.Contains(c.Output()[from:], text) },
		func() string { return c.Output()[from:] })
}

// First is the time from the start to the first byte; zero before that.
func (c *Console) First() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.first
}

// Since is the time from the start of the program.
func (c *Console) Since() time.Duration { return time.Since(c.start) }

// Exited reports whether the program has ended.
func (c *Console) Exited() bool {
	select {
	case <-c.exited:
		return true
	default:
		return false
	}
}

// lastWords is how long Ends waits for bytes that were written before the end. A
// terminal that is stalled, or that a child has inherited, gives no sign of them.
const lastWords = time.Second

// Ends waits for the program's end and returns its exit code, and when that was,
// counted from its start. A program that a signal killed has the code -1.
func (c *Console) Ends() (code int, at time.Duration) {
	c.t.Helper()
	Await(c.t, "the end of the program", c.Exited, c.Output)
	select {
	case <-c.silent:
	case <-time.After(lastWords):
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cmd.ProcessState.ExitCode(), c.end
}

// control calls f with a file's descriptor. File.Fd would do, but makes reads block
// so that HangUp would wait for the next byte.
func control(file *os.File, f func(fd uintptr) error) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var told error
	err = raw.Control(func(fd uintptr) { told = f(fd) })
	return errors.Join(err, told)
}

// modes reads the line discipline's.
func (c *Console) modes() (s *term.State) {
	c.t.Helper()
	err := control(c.master, func(fd uintptr) (err error) {
		s, err = term.GetState(fd)
		return err
	})
	if err != nil {
		c.t.Fatalf("read the terminal's modes: %v", err)
	}
	return s
}

// Restored says what of the terminal is not as it was before the program: the
// line discipline's modes, and what escape sequences turned on. It waits for
// bytes that are still on their way.
func (c *Console) Restored() error {
	c.t.Helper()
	var errs []error
	if !reflect.DeepEqual(c.modes(), c.before) {
		errs = append(errs, errors.New("the terminal's modes are not as before"))
	}
	left := func() (on []error) {
		out := c.Output()
		for _, m := range []struct{ set, undo, name string }{
			{"\x1b[?1049h", "\x1b[?1049l", "the alternate screen is on"},
			{"\x1b[?25l", "\x1b[?25h", "the cursor is hidden"},
			{"\x1b[?2004h", "\x1b[?2004l", "bracketed paste is on"},
			{"\x1b[?1004h", "\x1b[?1004l", "focus reports are on"},
		} {
			if strings.LastIndex(out, m.set) > strings.LastIndex(out, m.undo) {
				on = append(on, errors.New(m.name))
			}
		}
		return on
	}
	for start := time.Now(); len(left()) > 0 && time.Since(start) < time.Second; {
		time.Sleep(10 * time.Millisecond)
	}
	return errors.Join(append(errs, left()...)...)
}

// AfterScreen is what was written since the alternate screen was last left: what
// stays in the scrollback.
func (c *Console) AfterScreen() string {
	out := c.Output()
	const leave = "\x1b[?1049l"
	if i := strings.LastIndex(out, leave); i >= 0 {
		return out[i+len(leave):]
	}
	return ""
}
