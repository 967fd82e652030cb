package target

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// sender writes for a wire under TLS, on a goroutine of its own that lives as long
// as one send.
type sender struct {
	done  chan error // what ended the write; one for each send
	timer *time.Timer
}

// sendBeside is send's deadlock guard for TLS (M13): another goroutine writes, and
// this one reads whenever the write moves nothing for a while. The goroutine ends
// with the write, which Close ends as well, and sendBeside waits for it.
func (w *wire) sendBeside(b []byte) {
	if w.sender == nil {
		w.sender = &sender{done: make(chan error, 1), timer: time.NewTimer(time.Hour)}
	}
	s := w.sender
	go func() {
		err := errors.New("write did not return")
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic in a write: %v", p)
			}
			s.done <- err
		}()
		err = w.push(b)
	}()
	wait, sent := stallWait, w.bytesOut.Load()
	for {
		s.timer.Reset(wait)
		select {
		case err := <-s.done:
			w.wrote(0, err)
			return
		case <-s.timer.C:
		}
		moved := w.drain()
		if now := w.bytesOut.Load(); moved || now > sent {
			wait, sent = stallWait, now
		} else {
			wait = min(2*wait, slowWait)
		}
		if w.readErr != nil { // the server is gone: the write would wait for ever
			_ = w.Conn.SetWriteDeadline(time.Unix(1, 0)) // fails only on a closed socket
			err := <-s.done
			if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
				err = w.readErr
			}
			w.wrote(0, err)
			return
		}
	}
}

// pushMax is how much is written between two looks of a watchdog at BytesOut.
const pushMax = 64 << 10

// push writes b and counts what went. Of the wire it touches only what any goroutine
// may.
func (w *wire) push(b []byte) error {
	for len(b) > 0 {
		n, err := w.Conn.Write(b[:min(len(b), pushMax)])
		w.bytesOut.Add(int64(n))
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
