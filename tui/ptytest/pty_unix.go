//go:build unix

package ptytest

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// session makes the terminal the controlling one of a session of its own, so that
// a hang-up reaches the program and nobody else.
func session() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true, Setctty: true} }

// patient lets reads wait in Go's poller again, out of which a close wakes them.
func patient(master *os.File) error {
	return control(master, func(fd uintptr) error { return unix.SetNonblock(int(fd), true) })
}

func setSize(master *os.File, cols, rows uint16) error {
	return control(master, func(fd uintptr) error {
		return unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Col: cols, Row: rows})
	})
}
