package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
)

// maxFPS bounds how often the renderer may send; ticks and keys decide how often
// there is something to send. It is also the delay of an answer to a key.
const maxFPS = 30

// Times on the way out, which together with stopTime stay below 1 s: the load's
// time runs beside the others.
const (
	programTime = 400 * time.Millisecond // for Bubble Tea to end
	quitTime    = 250 * time.Millisecond // of which it is asked before it is told
	drainTime   = 150 * time.Millisecond // for the terminal to take what was sent
	saveTime    = 200 * time.Millisecond // for a file that is being written
)

// Run shows the screen, runs the load behind it and returns what was measured. It
// returns when the user quits or ctx ends, within about 1 s even when the server
// does not answer and when nobody reads the terminal, and leaves the terminal as
// it was. Signals are the caller's: SIGINT, SIGTERM and SIGHUP should end ctx.
//
// The error is nil when the user quit or ctx ended, and otherwise ErrNotStarted,
// ErrInterrupted, ErrStuck, the run's own error, a *PanicError, or trouble with
// the terminal. The result is as complete as it can be in every case.
func Run(ctx context.Context, o Options) (result Outcome, err error) {
	o = o.withDefaults()
	ctx, lost := context.WithCancel(ctx)
	defer lost()
	run := newSupervisor(ctx, o)
	defer run.stop() // also when this function panics
	out := newOutlet(o.Out)
	defer out.close()
	tty := remember(o.In, out)
	defer tty.restore()
	hearSuspend(run.tstp)
	defer signal.Stop(run.tstp)

	last, err := show(ctx, o, screen{run, out, lost})
	run.stop()
	tty.restore()
	if last.keep {
		out.print(last.frame)
	}
	var hurry <-chan struct{}
	if ctx.Err() == nil {
		hurry = ctx.Done() // a second ctrl+c is a signal now that the screen is left
	}
	result, ended := run.wait(hurry)
	run.finishSaving(saveTime)
	return result, verdict(last, run.panicked(), errors.Join(err, ended))
}

// verdict chooses what Run's caller hears; a panic goes before everything.
func verdict(last model, crash *PanicError, err error) error {
	switch {
	case crash != nil:
		return crash
	case last.exit == interrupted && !errors.Is(err, ErrNotStarted):
		return errors.Join(ErrInterrupted, err)
	}
	return err
}

// screen is what the program on the terminal needs beside its options.
type screen struct {
	run  *supervisor
	out  *outlet
	lost func() // the terminal has gone
}

// show runs the Bubble Tea program and returns its last model. After ctx has ended or
// the load was stopped the program is asked to end, then told to, and in the end left
// behind.
func show(ctx context.Context, o Options, s screen) (model, error) {
	// The guard keeps the last model where it can be read when the program hangs.
	g := newGuarded(newModel(o, s.run, s.out))
	// Not WithContext: a program that its context kills closes its input while it is
	// still being read.
	p := tea.NewProgram(g,
		tea.WithInput(inlet{o.In, s.lost}), tea.WithOutput(s.out),
		tea.WithAltScreen(), tea.WithReportFocus(), tea.WithFPS(maxFPS),
		tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if v := recover(); v != nil {
				err = s.run.crashed(v)
			}
			done <- err
		}()
		_, err = p.Run()
	}()
	select {
	case err := <-done:
		return g.last(), trouble(ctx, err)
	case <-s.run.ctx.Done():
	}
	// Quit waits for the event loop, and nobody may wait for that without a limit. What
	// is stuck in it ends with the program.
	go p.Quit()
	for _, patience := range [...]time.Duration{quitTime, programTime - quitTime} {
		select {
		case err := <-done:
			return g.last(), trouble(ctx, err)
		case <-time.After(patience):
			p.Kill()
		}
	}
	return g.last(), errors.New("the screen did not end in time")
}

// trouble is err unless it only says that ctx ended the program, as asked.
func trouble(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("screen: %w", err)
}

// leaveScreen undoes every mode the screen uses: bracketed paste, focus reports,
// hidden cursor, alternate screen.
const leaveScreen = "\x1b[?2004l\x1b[?1004l\x1b[?25h\x1b[?1049l"

// terminal is the state to go back to.
type terminal struct {
	in    *os.File
	out   *outlet
	state *term.State // nil when in is not a terminal
	done  bool
}

func remember(in *os.File, out *outlet) *terminal {
	t := &terminal{in: in, out: out}
	if term.IsTerminal(in.Fd()) {
		t.state, _ = term.GetState(in.Fd())
	}
	return t
}

// restore brings the terminal back, once. Bubble Tea has done so already when it
// ended well; nothing is repeated then. When nobody reads the terminal, what the
// kernel still holds for it is thrown away to make room for the way out.
func (t *terminal) restore() {
	if t.done {
		return
	}
	t.done = true
	drained := t.out.drain(drainTime)
	if !drained {
		t.out.discard()
		flushOutput(t.out.file)
	}
	if t.state != nil {
		// Setting the modes also wakes a write that the kernel holds up.
		_ = term.Restore(t.in.Fd(), t.state)
	}
	if !drained || !t.out.left() {
		_, _ = io.WriteString(t.out, leaveScreen)
		t.out.drain(drainTime)
	}
}

// print puts text on the normal screen.
func (o *outlet) print(text string) {
	_, _ = io.WriteString(o, strings.ReplaceAll(text, "\n", "\r\n")+"\r\n")
	o.drain(drainTime)
}
