package tui

import (
	"os"

	"golang.org/x/sys/unix"
)

// flushOutput throws away what the kernel holds for a terminal that is not read,
// so that the few bytes that restore it find room.
func flushOutput(f *os.File) { _ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCOFLUSH) }
