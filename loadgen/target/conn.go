package target

import (
	"errors"
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
	pending int  // commands sent and not yet answered
	greeted bool // AUTH or SELECT brought a reply
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

// Send adds a command to the batch. It allocates nothing when args hold []byte or
// string. An error ends the connection, as any error of Receive but a Reply's.
func (c *Conn) Send(name string, args []any) error {
	c.pending++
	if err := c.redis.Send(name, args...); err != nil {
		return trouble("write to", c.addr, err)
	}
	return nil
}

// SendInline adds a raw line, its CRLF included, to the batch.
func (c *Conn) SendInline(line []byte) error {
	c.pending++
	// redigo holds up to 4 KB back; they come first.
	err := c.redis.Flush()
	if err == nil {
		_, err = c.wire.Write(line)
	}
	if err != nil {
		return trouble("write to", c.addr, err)
	}
	return nil
}

// Flush sends the batch: one system call for up to 64 KB.
func (c *Conn) Flush() error {
	if err := c.redis.Flush(); err != nil {
		return trouble("write to", c.addr, err)
	}
	c.wire.flush()
	return nil
}

// Receive waits for the next reply. An error reply is a Reply like any other, with
// its text in Err; an error means that the connection is dead (M15). Its code is
// ErrorCode's.
func (c *Conn) Receive() (Reply, error) {
	_, err := c.redis.Receive()
	if err != nil {
		if _, refused := err.(redis.Error); !refused {
			return Reply{}, trouble("read from", c.addr, err)
		}
	}
	r, ok := c.wire.skim.notes.take()
	if !ok {
		return Reply{}, trouble("read from", c.addr, errors.New("a reply without a stamp: please report this"))
	}
	if c.pending--; c.pending <= 0 {
		c.wire.unanswered = 0
	}
	return r, nil
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
