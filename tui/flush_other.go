//go:build !linux

package tui

import "os"

// flushOutput is only known for Linux; elsewhere a terminal that is not read keeps
// the alternate screen.
func flushOutput(*os.File) {}
