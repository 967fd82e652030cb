package session

import (
	"errors"
	"fmt"
	"io"
	"syscall"
)

// Exit codes (M29); a signal gives 128 plus its number.
const (
	Complete    = 0
	Failure     = 1 // errors, lost connections, or no load at all
	Misuse      = 2
	Interrupted = 128 + int(syscall.SIGINT) // by ctrl+c
)

// ErrInterrupted says that the user ended the run by ctrl+c, which needs no telling.
var ErrInterrupted = errors.New("interrupted by ctrl+c")

// ExitCode is the code of what was done, whose error is told on w.
func ExitCode(w io.Writer, failed bool, err error) int {
	switch {
	case errors.Is(err, ErrInterrupted):
		return Interrupted
	case errors.Is(err, ErrRefused):
		return Complain(w, err, Misuse)
	case err != nil:
		return Complain(w, err, Failure)
	case failed:
		return Failure
	}
	return Complete
}

// Refuse tells on w what is wrong with a command line. A user who ended the question
// for a password by ctrl+c knows it.
func Refuse(w io.Writer, err error) int {
	if errors.Is(err, ErrInterrupted) {
		return Interrupted
	}
	return Complain(w, err, Misuse)
}

// Complain tells err on w and returns code.
func Complain(w io.Writer, err error, code int) int {
	fmt.Fprintf(w, "fullbore: %v\n", err)
	return code
}
