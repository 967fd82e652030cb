package loadgen

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// timerfd is an alarm on a kernel timer whose file the runtime's poller watches:
// it rings when the kernel's high-resolution clock says so, not at the next whole
// millisecond (timerfd_create(2)).
type timerfd struct {
	fd   int
	file *os.File
}

// newAlarm falls back to the runtime's timers where the kernel refuses.
func newAlarm() alarm {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return newRuntimeAlarm()
	}
	return &timerfd{fd, os.NewFile(uintptr(fd), "timerfd")}
}

func (t *timerfd) set(in time.Duration) {
	in = max(in, 1) // zero would disarm it
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(in))}
	// Fails only on a closed file, when nobody waits any more.
	_ = unix.TimerfdSettime(t.fd, 0, &spec, nil)
}

func (t *timerfd) wait() bool {
	var count [8]byte
	_, err := t.file.Read(count[:])
	return err == nil
}

func (t *timerfd) stop() { t.file.Close() }
