//go:build !unix

package tui

import (
	"errors"
	"io"
	"os"
)

// suspension does nothing where there is no job control.
type suspension struct {
	quit <-chan struct{}
}

// Run says so.
func (*suspension) Run() error { return errors.New("cannot suspend: no job control on this system") }

// SetStdin, SetStdout and SetStderr complete tea.ExecCommand.
func (*suspension) SetStdin(io.Reader)  {}
func (*suspension) SetStdout(io.Writer) {}
func (*suspension) SetStderr(io.Writer) {}

func hearSuspend(chan os.Signal) {}
