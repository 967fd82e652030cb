package tui

import (
	"bytes"
	"os"
	"sync"
	"time"
)

// outletLimit bounds what may wait for a terminal that is not being read. It
// holds several full frames of a large terminal.
const outletLimit = 64 << 10

// outlet stands between Bubble Tea and the terminal, so that nothing in the
// program ever waits for the terminal. The renderer writes under a mutex that
// the event loop needs too: with a plain file, a terminal that is not read (a
// stalled SSH line, a stopped pager) stops keys, signals and quitting.
//
// What does not fit is dropped by whole writes, which loses frames and no data
// (M18); the renderer then believes in lines that never arrived, so the screen
// asks recovered on every tick and repaints all of it.
//
// Its goroutine is owned by Run and ends with close. When the terminal never
// takes the bytes of a write in progress, that goroutine stays behind in the
// system call; nothing waits for it and it dies with the process.
type outlet struct {
	file *os.File
	wake chan struct{} // capacity 1: there is something to do

	mu      sync.Mutex
	idle    *sync.Cond // pending is empty and no write is in progress
	pending []byte
	busy    bool // a write is in progress
	lost    bool // something was dropped since the last full repaint
	closed  bool
	alt     bool // the last mode written was the alternate screen
}

// The modes that the outlet watches for, to know which screen it leaves behind.
const (
	enterAlt = "\x1b[?1049h"
	leaveAlt = "\x1b[?1049l"
)

func newOutlet(f *os.File) *outlet {
	o := &outlet{file: f, wake: make(chan struct{}, 1)}
	o.idle = sync.NewCond(&o.mu)
	go o.run()
	return o
}

// run feeds the terminal. It cannot panic by its own doing: it only writes.
func (o *outlet) run() {
	for range o.wake {
		for {
			b, more := o.take()
			if !more {
				break
			}
			// An error means that the terminal is gone; the way out is found by the
			// reader of its input, and bytes for it may be lost.
			_, _ = o.file.Write(b)
		}
	}
}

// take claims everything that is pending.
func (o *outlet) take() ([]byte, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	b := o.pending
	o.pending = nil
	o.busy = len(b) > 0
	if !o.busy {
		o.idle.Broadcast()
	}
	return b, o.busy
}

// Write queues b, or drops all of it when too much is waiting. It never blocks
// and never fails.
func (o *outlet) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.closed || len(b) == 0:
	case len(o.pending)+len(b) > outletLimit && len(o.pending) > 0:
		o.lost = true
	default:
		if bytes.Contains(b, []byte(enterAlt)) {
			o.alt = true
		} else if bytes.Contains(b, []byte(leaveAlt)) {
			o.alt = false
		}
		o.pending = append(o.pending, b...)
		o.poke()
	}
	return len(b), nil
}

func (o *outlet) poke() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// recovered reports, once, that bytes were dropped and the terminal has since
// taken everything that was kept: now a full repaint makes the screen right.
func (o *outlet) recovered() bool {
	if o == nil {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.lost || o.busy || len(o.pending) > 0 {
		return false
	}
	o.lost = false
	return true
}

// drain waits until the terminal has taken everything, at most for d.
func (o *outlet) drain(d time.Duration) bool {
	expired := false
	timer := time.AfterFunc(d, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		expired = true
		o.idle.Broadcast()
	})
	defer timer.Stop()
	o.mu.Lock()
	defer o.mu.Unlock()
	for (o.busy || len(o.pending) > 0) && !expired {
		o.idle.Wait()
	}
	return !o.busy && len(o.pending) == 0
}

// left reports that the alternate screen is not on, as far as bytes were kept.
func (o *outlet) left() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.alt
}

// discard forgets what is waiting.
func (o *outlet) discard() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pending = nil
}

// close ends the goroutine once the write in progress returns.
func (o *outlet) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.closed {
		o.closed = true
		close(o.wake)
	}
}

// Fd, Read and Close make the outlet a terminal in Bubble Tea's eyes, which asks
// Fd for the window's size. Close is Run's business, not the library's.
func (o *outlet) Fd() uintptr                { return o.file.Fd() }
func (o *outlet) Read(b []byte) (int, error) { return o.file.Read(b) }
func (o *outlet) Close() error               { return nil }

// inlet is the terminal's input, watched for its end: when the line drops,
// Bubble Tea stops reading and would wait for ever on a screen nobody has.
type inlet struct {
	*os.File
	gone func()
}

// Read reads keys and reports the end of the terminal.
func (i inlet) Read(b []byte) (int, error) {
	n, err := i.File.Read(b)
	if err != nil {
		i.gone()
	}
	return n, err
}
