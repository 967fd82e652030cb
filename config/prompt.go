package config

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"fullbore/loadgen/session"

	"golang.org/x/term"
)

// readSecret reads a line from a terminal that does not show it. Whoever ends the
// program meanwhile gets back a terminal that shows what is typed.
func readSecret(in *os.File) (string, error) {
	fd := int(in.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("the terminal: %w", err)
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(caught)
	type answer struct {
		line string
		err  error
	}
	read := make(chan answer, 1)
	go func() { // ends with the line, or with the process where none comes
		defer func() {
			if p := recover(); p != nil {
				read <- answer{err: fmt.Errorf("the terminal: %v", p)}
			}
		}()
		line, err := term.ReadPassword(fd)
		read <- answer{string(line), err}
	}()
	select {
	case a := <-read:
		return a.line, a.err
	case <-caught:
		return "", errors.Join(session.ErrInterrupted, term.Restore(fd, before))
	}
}

// readByOthers tells whether anybody on the machine can read a file; its group is
// somebody's choice. Windows has other means than these bits.
func readByOthers(mode os.FileMode) bool {
	return runtime.GOOS != "windows" && mode&0o004 != 0
}
