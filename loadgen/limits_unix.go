//go:build unix

package loadgen

import (
	"math"
	"os"
	"strconv"
	"syscall"
)

// descriptors are how many files this process may have open, how many it has (0 for
// what is not known), and the TCP ports it listens on. The os package raises the soft limit at start; where it did
// not, or somebody lowered it since, that is done here.
func descriptors() (most, open int, served []int) {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0, 0, nil
	}
	if limit.Cur < limit.Max {
		raised := syscall.Rlimit{Cur: limit.Max, Max: limit.Max}
		if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &raised) == nil {
			limit = raised
		}
	}
	most = int(min(uint64(limit.Cur), math.MaxInt32))
	// The folder itself is open while it is read.
	names, err := os.ReadDir("/dev/fd")
	if err != nil {
		return most, 0, nil
	}
	for _, name := range names {
		if fd, err := strconv.Atoi(name.Name()); err == nil {
			if port, ok := listens(fd); ok {
				served = append(served, port)
			}
		}
	}
	return most, len(names) - 1, served
}

// listens tells whether a descriptor is a listening TCP socket, and its port.
func listens(fd int) (port int, ok bool) {
	if yes, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ACCEPTCONN); err != nil || yes == 0 {
		return 0, false
	}
	place, err := syscall.Getsockname(fd)
	if err != nil {
		return 0, false
	}
	switch at := place.(type) {
	case *syscall.SockaddrInet4:
		return at.Port, true
	case *syscall.SockaddrInet6:
		return at.Port, true
	}
	return 0, false
}
