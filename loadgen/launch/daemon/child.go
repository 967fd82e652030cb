package daemon

import (
	"fmt"
	"os/exec"
	"runtime"
	"time"
)

// child is a process with the goroutine that started it and reaps it.
type child struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed after the process is reaped
	err    error         // of Wait; read it after exited is closed
}

// run starts the command in a process group of its own.
//
// The death signal of Linux fires when the *thread* that started the child ends,
// not the process. Hence the goroutine stays locked to its thread until the
// child is gone.
func run(cmd *exec.Cmd) (*child, error) {
	isolate(cmd)
	c := &child{cmd: cmd, exited: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		defer close(c.exited)
		defer func() {
			if p := recover(); p != nil {
				c.err = fmt.Errorf("panic: %v", p)
			}
		}()
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			c.err = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		<-c.exited
		return nil, err
	}
	return c, nil
}

// state says how the process ended: "exit status 1", "signal: killed".
func (c *child) state() string {
	<-c.exited
	if c.err != nil {
		return c.err.Error()
	}
	return "exit status 0"
}

// gone reports whether the process is reaped.
func (c *child) gone() bool {
	select {
	case <-c.exited:
		return true
	default:
		return false
	}
}

// stop ends the process politely within the grace, then by force, and reaps it.
func (c *child) stop(grace time.Duration) {
	if c.gone() {
		return
	}
	if grace > 0 {
		c.terminate()
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-c.exited:
			return
		case <-timer.C:
		}
	}
	c.kill()
	<-c.exited
}
