//go:build !unix

package ptytest

import (
	"errors"
	"os"
	"syscall"
)

var errNoPty = errors.New("there are no pseudo-terminals on this system")

func session() *syscall.SysProcAttr { return nil }

func patient(*os.File) error { return errNoPty }

func setSize(*os.File, uint16, uint16) error { return errNoPty }
