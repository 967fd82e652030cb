package config

import (
	"os"

	"github.com/mattn/go-isatty"
)

// Process is the Env of this process.
func Process() Env {
	return Env{
		ReadSecret: func() (string, error) { return readSecret(os.Stdin) },
		Getenv:     os.Getenv, ReadFile: os.ReadFile, In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InIsTerminal:  isatty.IsTerminal(os.Stdin.Fd()),
		OutIsTerminal: isatty.IsTerminal(os.Stdout.Fd()),
		ErrIsTerminal: isatty.IsTerminal(os.Stderr.Fd()),
	}
}
