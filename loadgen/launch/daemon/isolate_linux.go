package daemon

import (
	"os/exec"
	"syscall"
)

// isolate gives the child a process group of its own, so that Ctrl-C in the
// terminal does not reach it, and has the kernel kill it when this process dies.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
