//go:build unix && !linux

package daemon

import (
	"os/exec"
	"syscall"
)

// isolate gives the child a process group of its own, so that Ctrl-C in the
// terminal does not reach it. Only Linux can also tie its life to ours.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
