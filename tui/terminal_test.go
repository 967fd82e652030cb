package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
	"fullbore/views"
)

// fits checks that a frame stays inside its window: a frame that is too tall
// loses its top lines, and one that is too wide is cut.
func fits(t testing.TB, frame string, width, height int) {
	t.Helper()
	if frame == "" {
		return
	}
	lines := strings.Split(frame, "\n")
	if len(lines) > height {
		t.Errorf("%d lines in a window of %dx%d", len(lines), width, height)
	}
	for _, l := range lines {
		if w := ansi.StringWidth(l); w > width {
			t.Errorf("line of %d columns in a window of %dx%d: %q", w, width, height, l)
		}
	}
}

// roleVariable makes the test binary run as a program on a terminal.
const roleVariable = "FULLBORE_TUI_TEST_ROLE"

// helper is the program that the terminal tests drive. Its role is a list of
// words.
func helper(role string) {
	has := func(word string) bool { return strings.Contains(" "+role+" ", " "+word+" ") }
	switch {
	case has("hello"):
		fmt.Println("hello")
		return
	case has("shell"):
		os.Exit(jobControl(strings.Replace(role, "shell", "screen", 1)))
	}
	e := &fakeEngine{live: liveLoad, onApply: func(e *fakeEngine, p loadgen.Plan) {
		fmt.Fprintf(os.Stderr, "applied paused=%v clients=%d\n", p.Paused, p.Clients)
		if has("picking") {
			fmt.Fprintf(os.Stderr, "applied %s\n", p)
		}
	}}
	e.snap.Store(fixedSnapshot())
	o := options(e)
	o.Theme = views.MonoTheme(views.ASCII)
	if has("colour") {
		o.Theme = views.DefaultTheme(views.Block)
	}
	if has("configured") { // as main does it
		o.Theme, o.Facts.Server = configured(), "redis 7.0.15 caf\u00e9"
	}
	o.NeedsConsent = has("consent")
	if has("picking") {
		o.Intrudes = func(m workload.Mix) (lines []string) {
			for _, r := range m.Outside("fullbore:") {
				lines = append(lines, r.Command+" writes to "+strings.Join(r.Keys, " "))
			}
			return lines
		}
	}
	if has("comparing") {
		o = contending(o, e, has)
	}
	hold := make(chan struct{})
	if has("frozen") { // as behind a server that does not answer
		e.running = func(context.Context) (loadgen.Result, error) { <-hold; return loadgen.Result{}, nil }
	}
	if has("panic") {
		e.running = func(context.Context) (loadgen.Result, error) {
			time.Sleep(300 * time.Millisecond)
			panic("a worker broke")
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	r, err := Run(ctx, o)
	text := fmt.Sprint(err)
	if p := (*PanicError)(nil); errors.As(err, &p) {
		text = fmt.Sprint("panic: ", p.Value)
	}
	fmt.Fprintf(os.Stderr, "ended interrupted=%v stuck=%v notstarted=%v reason=%q error=%q\n",
		errors.Is(err, ErrInterrupted), errors.Is(err, ErrStuck), errors.Is(err, ErrNotStarted), r.Reason, text)
}

// liveLoad publishes a moving snapshot every 100 ms, as the sampler does.
func liveLoad(e *fakeEngine, ctx context.Context) {
	for i := int64(1); ctx.Err() == nil; i++ {
		time.Sleep(100 * time.Millisecond)
		s := *e.snap.Load()
		s.Elapsed += 100 * time.Millisecond
		plans := e.got()
		s.State = stats.Measuring
		if n := len(plans); n > 0 && plans[n-1].Paused {
			s.State = stats.Paused
		}
		p := s.Points[len(s.Points)-1]
		p.At, p.Paused, p.Replies = s.Elapsed, s.State == stats.Paused, 112_000+i*7919%4001
		s.Points = append(s.Points[1:len(s.Points):len(s.Points)], p)
		if s.State == stats.Measuring {
			s.Total.Replies += p.Replies
			s.Window.Counters.Replies = 5_600_000 + p.Replies
			s.Window.Latency = latencyWobble(i)
			s.Current.Counters.Replies += p.Replies
			s.Current.Measured += 100 * time.Millisecond
		}
		e.snap.Store(&s)
	}
}

func latencyWobble(i int64) stats.Latency {
	h := stats.NewHistogram()
	for j := range 2000 {
		h.Record(time.Duration(150_000 + 431*(i%17) + int64(j)*500))
	}
	return h.Summary(200_000)
}

// console is a terminal of a test: a helper process in a pseudo-terminal of its own.
type console struct {
	t      testing.TB
	master *os.File
	cmd    *exec.Cmd
	before term.State
	start  time.Time
	first  atomic.Int64 // ns until the first byte
	stall  atomic.Bool  // read nothing
	stderr *syncBuffer
	output *syncBuffer
	exited chan struct{}
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *syncBuffer) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Len()
}

// open starts the helper with a role, and variables of its environment ("NAME=value"),
// on a terminal of the given size that answers no query.
func open(t testing.TB, role string, cols, rows uint16, variables ...string) *console {
	t.Helper()
	c := &console{t: t, stderr: &syncBuffer{}, output: &syncBuffer{}, exited: make(chan struct{})}
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	if err := pty.Setsize(master, &pty.Winsize{Cols: cols, Rows: rows}); err != nil {
		t.Fatal(err)
	}
	c.master, c.before = master, termios(t, master)
	c.cmd = exec.Command(os.Args[0])
	c.cmd.Env = append(append(os.Environ(), roleVariable+"="+role, "TERM=xterm-256color"), variables...)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = slave, slave, c.stderr
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	c.start = time.Now()
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go c.read()
	go func() {
		defer close(c.exited)
		_ = c.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		<-c.exited
		_ = master.Close()
	})
	return c
}

func termios(t testing.TB, f *os.File) term.State {
	t.Helper()
	s, err := term.GetState(f.Fd())
	if err != nil {
		t.Fatal(err)
	}
	return *s
}

func (c *console) read() {
	buf := make([]byte, 32<<10)
	for {
		for c.stall.Load() {
			time.Sleep(time.Millisecond)
		}
		n, err := c.master.Read(buf)
		if n > 0 && c.first.Load() == 0 {
			c.first.Store(int64(time.Since(c.start)))
		}
		_, _ = c.output.Write(buf[:n])
		if err != nil {
			return
		}
	}
}

func (c *console) sees(text string) {
	c.t.Helper()
	eventually(c.t, "on the screen: "+text, func() bool { return strings.Contains(c.output.String(), text) })
}

func (c *console) types(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.master, text); err != nil {
		c.t.Fatal(err)
	}
}

// ends waits for the helper, and checks that the terminal is as before. It
// returns the helper's last line.
func (c *console) ends() string {
	c.t.Helper()
	asked := time.Now()
	select {
	case <-c.exited:
	case <-time.After(10 * time.Second):
		c.t.Fatalf("still there after 10 s; stderr %q", c.stderr.String())
	}
	if took := time.Since(asked); took > 5*time.Second {
		c.t.Errorf("gone after %v, want about 1 s at most", took)
	}
	if after := termios(c.t, c.master); after != c.before {
		c.t.Errorf("terminal modes %+v, want %+v", after, c.before)
	}
	lines := strings.Split(strings.TrimSpace(c.stderr.String()), "\n")
	return lines[len(lines)-1]
}

// leftScreen checks that every mode the screen used was taken back.
func (c *console) leftScreen() {
	c.t.Helper()
	for _, m := range []struct{ on, off, name string }{
		{enterAlt, leaveAlt, "alternate screen"}, {"\x1b[?25l", "\x1b[?25h", "hidden cursor"},
		{"\x1b[?2004h", "\x1b[?2004l", "bracketed paste"}, {"\x1b[?1004h", "\x1b[?1004l", "focus reports"},
	} {
		off := func() bool {
			out := c.output.String()
			return strings.LastIndex(out, m.off) > strings.LastIndex(out, m.on)
		}
		eventually(c.t, m.name+" off", off)
	}
}

func TestMuteTerminalCostsNothing(t *testing.T) {
	c := open(t, "hello", 80, 24)
	c.sees("hello")
	if strings.Contains(c.output.String(), "\x1b") {
		t.Errorf("importing the screen asks the terminal: %q", c.output.String())
	}
	if first := time.Duration(c.first.Load()); first > 3*time.Second {
		t.Errorf("first byte after %v: something waited for an answer", first)
	}
	c.ends()
}

func TestScreenAsksTheTerminalNothing(t *testing.T) {
	c := open(t, "screen", 80, 24)
	c.sees("q quit")
	for _, query := range []string{"\x1b]11", "\x1b]10", "\x1b[6n", "\x1b[c", "\x1b[>c", "\x1bP", "\x1b[?u"} {
		if strings.Contains(c.output.String(), query) {
			t.Errorf("the terminal is asked %q", query)
		}
	}
	c.types("q")
	c.ends()
}

func TestEveryWayOutRestoresTheTerminal(t *testing.T) {
	for _, c := range []struct {
		name, role string
		leave      func(*console)
		want       string
	}{
		{"q", "screen", func(c *console) { c.types("q") }, `interrupted=false stuck=false notstarted=false reason="stopped"`},
		{"Q", "screen", func(c *console) { c.types("Q") }, `reason="stopped" error="<nil>"`},
		{"ctrl+c", "screen", func(c *console) { c.types("\x03") }, `interrupted=true stuck=false`},
		{"ctrl+c twice", "screen frozen", func(c *console) { c.types("\x03\x03") }, `interrupted=true stuck=true`},
		{"ctrl+c in a text field", "screen", func(c *console) { c.types("\r"); c.sees("esc cancel"); c.types("12\x03") }, `interrupted=true`},
		{"q on the card", "screen consent", func(c *console) { c.types("q") }, `notstarted=true`},
		{"SIGTERM", "screen", func(c *console) { c.signals(syscall.SIGTERM) }, `error="<nil>"`},
		{"SIGHUP", "screen", func(c *console) { c.signals(syscall.SIGHUP) }, `error="<nil>"`},
		{"q, frozen server", "screen frozen", func(c *console) { c.types("q") }, `stuck=true notstarted=false reason="the load did not stop in time"`},
		{"SIGTERM, frozen server", "screen frozen", func(c *console) { c.signals(syscall.SIGTERM) }, `stuck=true`},
		{"q in a comparison", "screen comparing", versus("q"), `interrupted=false stuck=false notstarted=false reason="stopped"`},
		{"ctrl+c in a comparison", "screen comparing", versus("\x03"), `interrupted=true stuck=false`},
		{"SIGTERM in a comparison", "screen comparing", func(c *console) { versus("")(c); c.signals(syscall.SIGTERM) }, `reason="stopped" error="<nil>"`},
		{"q, frozen comparison", "screen comparing hanging", versus("q"), `stuck=true notstarted=false`},
		{"panic in a comparison", "screen comparing breaking", func(c *console) { c.types("c") }, `error="panic: an arm broke"`},
		{"panic in the run", "screen panic", func(*console) {}, `error="panic: a worker broke"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := open(t, c.role, 80, 24)
			x.sees("q quit")
			c.leave(x)
			if got := x.ends(); !strings.Contains(got, c.want) {
				t.Errorf("ended with %s, want %s", got, c.want)
			}
			x.leftScreen()
		})
	}
}

func (c *console) signals(s syscall.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.t.Fatal(err)
	}
}

func TestQLeavesTheLastScreen(t *testing.T) {
	c := open(t, "screen", 80, 24)
	c.sees("q quit")
	c.types("Q")
	c.ends()
	c.leftScreen()
	eventually(t, "the last frame", func() bool {
		out := c.output.String()
		rest := out[strings.LastIndex(out, leaveAlt):]
		return strings.Contains(rest, "127.0.0.1:6379") && strings.Contains(rest, "p99.9") && strings.Contains(rest, "quit")
	})
}

// A terminal that nobody reads takes no keys from us and no bytes from the
// program; the way out must not depend on it.
func TestStalledTerminal(t *testing.T) {
	for _, c := range []struct {
		name  string
		leave func(*console)
		want  string
	}{
		{"SIGTERM", func(c *console) { c.signals(syscall.SIGTERM) }, `error="<nil>"`},
		{"q", func(c *console) { c.types("q") }, `interrupted=false`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := open(t, "screen", 200, 60)
			x.sees("q quit")
			x.stall.Store(true)
			// The help comes and goes, a full frame each, until the kernel's buffers
			// and the outlet's hold no more.
			for range 60 {
				x.types("?")
				time.Sleep(40 * time.Millisecond) // more than a frame at maxFPS
			}
			c.leave(x)
			if got := x.ends(); !strings.Contains(got, c.want) {
				t.Errorf("ended with %s, want %s", got, c.want)
			}
			x.stall.Store(false)
			x.leftScreen()
		})
	}
}

func TestALineThatDropsEndsTheProgram(t *testing.T) {
	c := open(t, "screen", 80, 24)
	c.sees("q quit")
	// The kernel sends SIGHUP and every read and write fails from now on.
	if err := c.master.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c.exited:
	case <-time.After(10 * time.Second):
		t.Fatal("the program stays on a terminal that has gone")
	}
	if got := c.stderr.String(); !strings.Contains(got, `reason="stopped"`) {
		t.Errorf("the result is lost: %s", got)
	}
}

func TestFiftyResizes(t *testing.T) {
	c := open(t, "screen", 80, 24)
	c.sees("RUN")
	sizes := []pty.Winsize{{Cols: 1, Rows: 1}, {Cols: 10, Rows: 3}, {Cols: 80, Rows: 24}, {Cols: 400, Rows: 100}, {Cols: 119, Rows: 40}}
	for i := range 50 {
		if err := pty.Setsize(c.master, &sizes[i%len(sizes)]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := pty.Setsize(c.master, &pty.Winsize{Cols: 52, Rows: 14}); err != nil {
		t.Fatal(err)
	}
	c.sees("terminal is 52 x 14")
	c.types("q")
	if got := c.ends(); !strings.Contains(got, `error="<nil>"`) {
		t.Errorf("ended with %s", got)
	}
	c.leftScreen()
}

// silent waits for a stretch without one byte that is longer than the header's
// clock and every tick.
func (c *console) silent(what string) {
	c.t.Helper()
	last, since := c.output.Len(), time.Now()
	eventually(c.t, "silence while "+what, func() bool {
		if n := c.output.Len(); n != last {
			last, since = n, time.Now()
		}
		return time.Since(since) > 1500*time.Millisecond
	})
}

func TestNoBytesWhilePausedOrFrozen(t *testing.T) {
	c := open(t, "screen", 80, 24)
	c.sees("RUN")
	c.types("f")
	c.sees("FROZEN")
	c.silent("frozen")
	c.types("f ")
	c.sees("PAUSED")
	c.silent("paused")
	before := c.output.Len()
	c.types(" ")
	eventually(t, "the display moves again", func() bool { return c.output.Len() > before+2000 })
	c.types("q")
	c.ends()
}

func TestSuspendWithoutAShellGoesOn(t *testing.T) {
	c := open(t, "screen", 80, 24) // the leader of a session: nobody could continue it
	c.sees("RUN")
	c.types("\x1a")
	c.sees("cannot suspend")
	if got := c.stderr.String(); strings.Count(got, "paused=true") != 1 || strings.Count(got, "paused=false") != 1 {
		t.Errorf("pause and resume: %s", got)
	}
	c.types("q")
	c.ends()
	c.leftScreen()
}

// jobControl is a shell with one job: it says when the job has stopped, waits for
// a key, continues it in the foreground, and says how it ended.
func jobControl(role string) int {
	signal.Ignore(syscall.SIGTTOU) // a shell moves itself to the foreground
	job := exec.Command(os.Args[0])
	job.Env = append(os.Environ(), roleVariable+"="+role)
	job.Stdin, job.Stdout, job.Stderr = os.Stdin, os.Stdout, os.Stderr
	job.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: 0}
	if err := job.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	pid := job.Process.Pid
	for {
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if !status.Stopped() {
			return status.ExitStatus()
		}
		fmt.Fprintln(os.Stderr, "stopped")
		_ = unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, os.Getpid())
		_, _ = os.Stdin.Read(make([]byte, 1))
		_ = unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, pid)
		_ = syscall.Kill(-pid, syscall.SIGCONT)
	}
}

func TestSuspendAndForeground(t *testing.T) {
	for _, c := range []struct {
		name string
		stop func(c *console)
	}{
		{"ctrl+z", func(c *console) { c.types("\x1a") }},
		{"SIGTSTP", func(c *console) { c.toJob(syscall.SIGTSTP) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := open(t, "shell", 80, 24)
			x.sees("RUN")
			x.applied() // the screen is up and nothing was applied
			c.stop(x)
			eventually(t, "a stop", func() bool { return strings.Contains(x.stderr.String(), "stopped\n") })
			if got := x.stderr.String(); !strings.Contains(got, "paused=true clients=50\nstopped") {
				t.Errorf("the load was not paused first: %s", got)
			}
			if now := termios(t, x.master); now != x.before {
				t.Error("the shell gets a raw terminal")
			}
			x.leftScreen()
			x.types("\n")
			eventually(t, "the load goes on", func() bool { return strings.Contains(x.stderr.String(), "stopped\napplied paused=false clients=50\n") })
			mark := x.output.Len()
			eventually(t, "the screen is back", func() bool { return strings.Contains(x.output.String()[mark-min(mark, 20000):], enterAlt) })
			x.types("q")
			if got := x.ends(); !strings.Contains(got, `error="<nil>"`) {
				t.Errorf("ended with %s", got)
			}
			x.leftScreen()
		})
	}
}

func (c *console) applied() {
	c.t.Helper()
	if got := c.stderr.String(); got != "" {
		c.t.Fatalf("unexpected: %s", got)
	}
}

// toJob signals the process group in the foreground of the terminal.
func (c *console) toJob(s syscall.Signal) {
	c.t.Helper()
	group, err := unix.IoctlGetInt(int(c.master.Fd()), unix.TIOCGPGRP)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := syscall.Kill(group, s); err != nil {
		c.t.Fatal(err)
	}
}

// BenchmarkScreenBytes measures what the moving screen sends (SCREENS.md allows
// 10 kB/s at 80x24 and 20 kB/s at 120x40).
func BenchmarkScreenBytes(b *testing.B) {
	for _, size := range []struct{ cols, rows uint16 }{{80, 24}, {120, 40}} {
		for _, role := range []string{"screen", "screen colour"} {
			b.Run(fmt.Sprintf("%dx%d/%s", size.cols, size.rows, strings.ReplaceAll(role, " ", "-")), func(b *testing.B) {
				var sent int
				var over time.Duration
				for b.Loop() {
					c := open(b, role, size.cols, size.rows)
					c.sees("RUN")
					from, start := c.output.Len(), time.Now()
					time.Sleep(5 * time.Second)
					sent, over = sent+c.output.Len()-from, over+time.Since(start)
					c.types("q")
					c.ends()
				}
				b.ReportMetric(float64(sent)/over.Seconds(), "B/s")
			})
		}
	}
}
