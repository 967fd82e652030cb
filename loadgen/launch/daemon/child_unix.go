//go:build unix

package daemon

import "syscall"

// signal reaches the whole group of the child, because a wrapper may stand
// between it and the server. It is sent only while the child is not reaped, so
// that its number cannot belong to somebody else.
func (c *child) signal(sig syscall.Signal) error {
	if c.gone() {
		return syscall.ESRCH
	}
	return syscall.Kill(-c.cmd.Process.Pid, sig)
}

// terminate asks for the end; the SIGCONT lets a frozen process hear it.
func (c *child) terminate() {
	_ = c.signal(syscall.SIGTERM) // gone already is as good
	_ = c.signal(syscall.SIGCONT)
}

// kill works on frozen processes too.
func (c *child) kill() { _ = c.signal(syscall.SIGKILL) }

func (c *child) pause() error  { return c.signal(syscall.SIGSTOP) }
func (c *child) resume() error { return c.signal(syscall.SIGCONT) }
