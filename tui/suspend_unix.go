//go:build unix

package tui

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// suspension stops the process group as the shell's ctrl+z does; Bubble Tea has
// given the terminal back when Run is called and takes it again afterwards.
//
// Bubble Tea's own Suspend waits for SIGCONT without end. A program that no shell
// with job control waits for (a container's first process, ssh -t host fullbore)
// is never stopped by SIGTSTP and so never continued, and would hang there.
type suspension struct {
	quit <-chan struct{}
}

// stopGrace is how long to wait for a stop that does not come.
const stopGrace = 300 * time.Millisecond

var errNoShell = errors.New("cannot suspend: no shell with job control waits for this program")

// Run returns when the process was continued.
func (s *suspension) Run() error {
	cont := make(chan os.Signal, 1)
	signal.Notify(cont, syscall.SIGCONT)
	defer signal.Stop(cont)
	// SIGTTIN stops exactly where SIGTSTP does, and not where nobody could continue
	// us, as SIGSTOP would. SIGTSTP itself no longer stops a Go program that has
	// once asked to hear of it: Reset leaves the runtime's handler in place.
	if err := syscall.Kill(0, syscall.SIGTTIN); err != nil {
		return err
	}
	timer := time.NewTimer(stopGrace)
	defer timer.Stop()
	select {
	case <-cont:
		return nil
	case <-s.quit:
		return nil
	case <-timer.C:
	}
	// After a stop both may be ready at once; the continuation is the truth.
	select {
	case <-cont:
		return nil
	default:
		return errNoShell
	}
}

// SetStdin, SetStdout and SetStderr complete tea.ExecCommand; nothing is read or
// written while suspended.
func (*suspension) SetStdin(io.Reader)  {}
func (*suspension) SetStdout(io.Writer) {}
func (*suspension) SetStderr(io.Writer) {}

// hearSuspend takes a SIGTSTP from outside, which would stop the process with the
// terminal raw and the load on; the screen looks for it on every tick and then
// does what ctrl+z does.
func hearSuspend(sig chan os.Signal) { signal.Notify(sig, syscall.SIGTSTP) }
