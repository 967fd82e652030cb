//go:build unix

package loadgen

import (
	"math"
	"os"
	"syscall"
)

// descriptors are how many files this process may have open, and how many it has; 0
// for what is not known. The os package raises the soft limit at start; where it did
// not, or somebody lowered it since, that is done here.
func descriptors() (most, open int) {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0, 0
	}
	if limit.Cur < limit.Max {
		raised := syscall.Rlimit{Cur: limit.Max, Max: limit.Max}
		if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &raised) == nil {
			limit = raised
		}
	}
	most = int(min(uint64(limit.Cur), math.MaxInt32))
	// The folder itself is open while it is read.
	if names, err := os.ReadDir("/dev/fd"); err == nil {
		open = len(names) - 1
	}
	return most, open
}
