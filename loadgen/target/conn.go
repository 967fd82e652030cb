package target

import (
	"net"
	"time"

	"github.com/gomodule/redigo/redis"
)

// Conn is a load connection. One goroutine sends and receives; Close may come
// from any other. Between Send and Receive of one command nothing is allocated.
//
// Sending a batch of any size before the first Receive cannot hang: replies that
// arrive while the socket takes no more bytes are read and stamped meanwhile
// (M13). What the guard cannot do is keep the server from holding the replies of
// a huge batch in its memory; a worker that wants a bound checks Buffered after
// each Send and, above its cap, flushes and receives what is outstanding before it
// sends on.
type Conn struct {
	wire    *wire
	redis   redis.Conn
	addr    string
	pending int // commands sent and not yet answered
	// formatting is true while redigo may hold bytes of the batch back.
	formatting bool
	greeted    bool // AUTH or SELECT brought a reply
}

// NewConn makes a load connection of a socket that is already connected and let
// in. Stamps count from base.
func NewConn(socket net.Conn, base time.Time) *Conn {
	w := newWire(socket, base)
	c := &Conn{wire: w, redis: redis.NewConn(w, 0, 0)}
	if a := socket.RemoteAddr(); a != nil {
		c.addr = a.String()
	}
	return c
}

// Send adds a command to the batch; redigo formats it. It allocates nothing when
// args hold []byte or string. An error ends the connection, as any error of
// Receive but a Reply's.
func (c *Conn) Send(name string, args []any) error {
	c.pending++
	c.formatting = true
	if err := c.redis.Send(name, args...); err != nil {
		return trouble("write to", c.addr, err)
	}
	return nil
}

// SendPrepared adds a prepared command with its changing arguments taken from
// args, which are those it was prepared with.
func (c *Conn) SendPrepared(p *Prepared, args []any) error {
	if c.formatting { // redigo holds up to 4 KB back; they come first
		c.formatting = false
		if err := c.redis.Flush(); err != nil {
			return trouble("write to", c.addr, err)
		}
	}
	c.pending++
	c.wire.replay(p, args)
	return nil
}

// Flush sends the batch: one system call for up to 64 KB.
func (c *Conn) Flush() error {
	if c.formatting {
		c.formatting = false
		if err := c.redis.Flush(); err != nil {
			return trouble("write to", c.addr, err)
		}
	}
	c.wire.flush()
	return nil
}

// Receive waits for the next reply. An error reply is a Reply like any other, with
// its text in Err; an error means that the connection is dead (M15). Its code is
// ErrorCode's.
func (c *Conn) Receive() (Reply, error) {
	r, _, err := c.ReceiveRun(1)
	return r, err
}

// ReceiveRun is Receive for up to most replies at once, as far as they are equal
// and the same socket read completed them, so that they share their stamp. It
// returns one of them and their number, at least 1.
//
// Successes were read past as they arrived and carry nothing that a body would be
// needed for. Errors are for redigo to read.
func (c *Conn) ReceiveRun(most int) (Reply, int, error) {
	front, err := c.wire.await()
	if err != nil {
		return Reply{}, 0, trouble("read from", c.addr, err)
	}
	if front.reply.Kind == Failure {
		if _, err := c.redis.Receive(); !isRefusal(err) {
			return Reply{}, 0, trouble("read from", c.addr, err)
		}
	}
	r, n := c.wire.skim.notes.take(most)
	if c.pending -= n; c.pending <= 0 {
		c.wire.unanswered = 0
	}
	return r, n, nil
}

func isRefusal(err error) bool {
	_, ok := err.(redis.Error)
	return ok
}

// Buffered is how many bytes of requests were sent since the last moment at which
// every command was answered, give or take the 4 KB that redigo holds back.
func (c *Conn) Buffered() int { return c.wire.unanswered }

// Now is the time since base on the clock that stamps the replies.
func (c *Conn) Now() time.Duration { return c.wire.now() }

// BytesOut is the number of bytes that went to the socket, those of AUTH and
// SELECT included. Any goroutine may ask.
func (c *Conn) BytesOut() int64 { return c.wire.bytesOut.Load() }

// BytesIn is the number of bytes that came from the socket.
func (c *Conn) BytesIn() int64 { return c.wire.bytesIn.Load() }

// Close ends the connection and whatever waits on it. Any goroutine may call it,
// more than once.
func (c *Conn) Close() error { return c.wire.Close() }

// do is one command and its reply, for the handshake.
func (c *Conn) do(name string, args ...any) error {
	if err := c.Send(name, args); err != nil {
		return err
	}
	if err := c.Flush(); err != nil {
		return err
	}
	r, err := c.Receive()
	if err != nil {
		return err
	}
	if r.Kind == Failure {
		return ReplyError(r.Err)
	}
	return nil
}
