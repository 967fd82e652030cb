package session

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// Signals listens for SIGINT, SIGTERM and SIGHUP. The first one ends work: the
// load stops, results are printed, keys are removed. The second one ends patience
// too: cleaning stops where it is. Nothing is ever killed in the middle.
//
// signalled turns an exit code into the one that names the first signal, if there
// was one.
//
// SIGPIPE is ignored, so that a reader who goes away (`fullbore -q | head -1`)
// gives a write error and not a process that dies with its keys on the server.
func Signals() (work, patience context.Context, signalled func(code int) int) {
	work, stop := context.WithCancel(context.Background())
	patience, lose := context.WithCancel(context.Background())
	var first atomic.Int64
	caught := make(chan os.Signal, 4)
	signal.Notify(caught, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE)
	go func() { // lives as long as the process
		for s := range caught {
			if number, ok := s.(syscall.Signal); ok && first.CompareAndSwap(0, int64(number)) {
				stop()
				continue
			}
			lose()
		}
	}()
	return work, patience, func(code int) int {
		if n := first.Load(); n != 0 {
			return 128 + int(n)
		}
		return code
	}
}
