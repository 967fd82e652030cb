//go:build unix

package insight

import (
	"syscall"
	"time"
)

// OwnCPU is the CPU time of this process so far, user and system, all threads.
func OwnCPU() Told[time.Duration] {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return Told[time.Duration]{}
	}
	return Tell(time.Duration(u.Utime.Nano() + u.Stime.Nano()))
}
