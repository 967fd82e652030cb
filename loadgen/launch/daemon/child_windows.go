package daemon

import (
	"errors"
	"os/exec"
	"syscall"
)

// isolate gives the child a process group of its own, so that Ctrl-C in the
// console does not reach it.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// terminate is kill: there is no signal to ask with.
func (c *child) terminate() { c.kill() }

func (c *child) kill() { _ = c.cmd.Process.Kill() } // gone already is as good

func (c *child) pause() error  { return errors.New("pause: not supported on Windows") }
func (c *child) resume() error { return errors.New("resume: not supported on Windows") }
