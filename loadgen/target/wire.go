package target

import (
	"errors"
	"io"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// Sizes of the wrapper's buffers. Both start small and grow with use, so that
// thousands of connections at P=1 do not hold 128 KB each.
const (
	firstRead = 4 << 10
	maxRead   = 64 << 10
	maxWrite  = 64 << 10
)

// Times of the deadlock guard, see send.
const (
	// safeWrite is how many unanswered request bytes any pair of sockets takes
	// up even while the server reads nothing: Linux gives a TCP socket 16 KB to
	// begin with, and more to a unix socket.
	safeWrite = 16 << 10
	stallWait = 2 * time.Millisecond   // a write that moves nothing for so long makes room for reading
	quietWait = time.Millisecond       // reading goes on until nothing came for so long
	slowWait  = 100 * time.Millisecond // the longest stallWait grows to while nothing moves at all
	burstMax  = 32                     // socket reads before writing gets its next turn
)

// lastWords is how long a reading goes on after a failed write.
const lastWords = time.Second

// wire is the net.Conn that a load connection's redigo writes to and reads from.
//
// Writing: bytes are collected, and leave by flush (of which Conn.Flush is one
// caller and a Read that finds bytes waiting the other) or when 64 KB are full, so
// that a batch is one system call (M14).
//
// Reading: a socket Read fills the buffer, one clock read stamps it, and the
// skimmer notes each reply that it completed (M2). redigo gets "+OK" or the
// server's error in place of a reply, where it is asked to read one.
//
// Deadlines are ignored: redigo sets one at every call, which costs more than the
// call itself (M14). One goroutine owns a wire; Close is for any.
type wire struct {
	net.Conn         // the socket, or TLS over it
	floor    *floor  // the socket beneath TLS; nil without
	sender   *sender // writes beside the reader under TLS; nil until there is a need
	base     time.Time
	skim     skimmer
	in       []byte // where the socket reads to; all of it is skimmed at once
	out      []byte // written by redigo, not yet sent
	line     string // rest of the line that redigo is reading
	readErr  error  // sticky: what reading met
	writeErr error  // sticky: what writing met, told once reading ends as well

	unanswered int // request bytes accepted since the last moment nothing was in flight
	bytesIn    atomic.Int64
	bytesOut   atomic.Int64
	closed     atomic.Bool
}

func newWire(socket net.Conn, base time.Time) *wire {
	w := &wire{Conn: socket, base: base, in: make([]byte, firstRead)}
	if s, ok := socket.(*secured); ok {
		w.floor = s.floor
	}
	return w
}

// Write takes p over and never fails: see send for why.
func (w *wire) Write(p []byte) (int, error) {
	w.unanswered += len(p)
	if len(w.out)+len(p) > maxWrite {
		w.flush()
	}
	if len(p) >= maxWrite {
		w.send(p) // no point in copying what fills the buffer by itself
		return len(p), nil
	}
	w.out = append(w.out, p...)
	return len(p), nil
}

// replay adds a prepared command with its changing arguments.
func (w *wire) replay(p *Prepared, args []any) {
	w.unanswered += len(p.wire)
	if len(w.out)+len(p.wire) > maxWrite {
		w.flush()
	}
	at := len(w.out)
	w.out = append(w.out, p.wire...)
	for _, s := range p.spots {
		copy(w.out[at+s.offset:], args[s.arg].([]byte))
	}
}

// flush sends what is waiting.
func (w *wire) flush() {
	if len(w.out) > 0 {
		w.send(w.out)
		w.out = w.out[:0]
	}
}

// send writes b to the socket.
//
// A failure is kept, not returned: a server that turns a client away says why and
// closes, and the reason would be lost if the failed write ended everything. So
// reading goes on until it ends by itself, which it does soon on a broken socket.
//
// A batch that is larger than all buffers between here and the server can hang
// both sides, each waiting for the other to read (M13). Above safeWrite therefore
// a write that makes no progress takes turns with reading, on this goroutine; under
// TLS, which does not survive a write that was cut short, see sendBeside.
func (w *wire) send(b []byte) {
	if w.writeErr != nil {
		return
	}
	if w.unanswered <= safeWrite {
		n, err := w.Conn.Write(b)
		w.wrote(n, err)
		return
	}
	if w.floor != nil {
		w.sendBeside(b)
		return
	}
	for wait := stallWait; ; {
		if err := w.Conn.SetWriteDeadline(time.Now().Add(wait)); err != nil {
			w.wrote(0, err)
			return
		}
		n, err := w.Conn.Write(b)
		if b = b[n:]; !errors.Is(err, os.ErrDeadlineExceeded) {
			w.wrote(n, err)
			break
		}
		w.wrote(n, nil)
		if moved := w.drain(); moved || n > 0 {
			wait = stallWait
		} else {
			wait = min(2*wait, slowWait)
		}
		if w.readErr != nil {
			w.wrote(0, w.readErr) // the server is gone: no more turns
			break
		}
	}
	_ = w.Conn.SetWriteDeadline(time.Time{}) // fails only on a closed socket, which the next call tells
}

// wrote counts n bytes and keeps a failure.
func (w *wire) wrote(n int, err error) {
	w.bytesOut.Add(int64(n))
	if err != nil {
		w.writeErr = err
		_ = w.Conn.SetReadDeadline(time.Now().Add(lastWords))
	}
}

// drain reads what the server has ready and reports whether there was anything.
func (w *wire) drain() (moved bool) {
	for range burstMax {
		if w.readErr != nil || w.Conn.SetReadDeadline(time.Now().Add(quietWait)) != nil {
			break
		}
		n, err := w.receive()
		moved = moved || n > 0
		if errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		w.readErr = err
	}
	_ = w.Conn.SetReadDeadline(time.Time{})
	return moved
}

// okLine stands for a successful reply where redigo asks for one.
const okLine = "+OK\r\n"

// await returns the oldest reply that is not yet taken, and waits for the socket
// only when there is none.
func (w *wire) await() (*run, error) {
	for {
		if f := w.skim.notes.front(); f != nil {
			return f, nil
		}
		if w.readErr != nil {
			return nil, w.readErr
		}
		w.flush()
		_, err := w.receive()
		if w.writeErr != nil && errors.Is(err, os.ErrDeadlineExceeded) {
			err = w.writeErr
		}
		w.readErr = err
	}
}

// Read gives redigo one line: the oldest reply, which Conn takes off the ring when
// redigo has read it. An error is as the server wrote it.
func (w *wire) Read(p []byte) (int, error) {
	if w.line == "" {
		f, err := w.await()
		if err != nil {
			return 0, err
		}
		w.line = okLine
		if f.reply.Kind == Failure {
			w.line = "-" + f.reply.Err + "\r\n"
		}
	}
	n := copy(p, w.line)
	w.line = w.line[n:]
	return n, nil
}

// receive is one socket Read: bytes, stamp, notes.
func (w *wire) receive() (int, error) {
	n, err := w.Conn.Read(w.in)
	if n > 0 {
		at := w.now()
		if w.floor != nil {
			at = w.floor.at.Sub(w.base) // several records may have come in one socket Read
		}
		w.bytesIn.Add(int64(n))
		if nonsense := w.skim.feed(w.in[:n], at); nonsense != nil {
			return n, nonsense
		}
		if n == len(w.in) && n < maxRead {
			w.in = make([]byte, 2*n) // a burst: take more of it at once from now on
		}
	}
	if err == io.EOF && w.skim.inside() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// now is the time since base on the monotonic clock (M7).
func (w *wire) now() time.Duration { return time.Since(w.base) }

// Close closes the socket, which ends a Read or a Write in progress.
func (w *wire) Close() error {
	if w.closed.Swap(true) {
		return nil
	}
	return w.Conn.Close()
}

// SetDeadline does nothing (M14); the socket's own deadlines are this package's.
func (w *wire) SetDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing (M14).
func (w *wire) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing (M14).
func (w *wire) SetWriteDeadline(time.Time) error { return nil }
