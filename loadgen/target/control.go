package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gomodule/redigo/redis"
)

// pipelineBytes is how much of a Pipeline is sent before its replies are read: it
// fits into the sockets' own buffers, so that neither side waits for the other.
const pipelineBytes = 32 << 10

// Control is a connection for everything beside the load: looking, preparing,
// cleaning up. Every command has a deadline. After a transport error the next
// command dials again, once. Its methods may be called from several goroutines and
// take turns; Close also ends the command that is under way.
type Control struct {
	target Target
	done   context.CancelFunc // ends a dial in progress
	ctx    context.Context    // over when the Control is closed

	turn sync.Mutex // held by the command under way

	mu   sync.Mutex // guards the field below
	link *link      // nil when the next command has to dial
}

// link is one connection of a Control.
type link struct {
	redis redis.Conn
	tap   *tap
}

// Control makes a control connection, with AUTH and SELECT as Dial does them. ctx
// bounds this first connecting only.
func (t Target) Control(ctx context.Context) (*Control, error) {
	l, err := t.link(ctx)
	if err != nil {
		return nil, err
	}
	c := &Control{target: t, link: l}
	c.ctx, c.done = context.WithCancel(context.WithoutCancel(ctx))
	return c, nil
}

func (t Target) link(ctx context.Context) (*link, error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	socket, err := t.connect(ctx)
	if err != nil {
		return nil, err
	}
	l := &link{tap: &tap{Conn: socket, passive: true}}
	l.redis = redis.NewConn(l.tap, 0, 0)
	err = t.enter(ctx, socket, func(name string, args ...any) error {
		_, err := l.redis.Do(name, args...)
		return l.fault(err)
	})
	if err != nil {
		l.redis.Close()
		return nil, err
	}
	l.tap.passive = false
	return l, nil
}

// Do sends one command and waits for its reply, up to Limit. The reply is nil, an
// int64, a string (status), a []byte, or a []any of these; Int64, Text, Strings and
// Scan read it. An error reply is an error of type ReplyError; any other error is
// an *Error that names the address.
func (c *Control) Do(cmd string, args ...any) (any, error) {
	c.turn.Lock()
	defer c.turn.Unlock()
	l, err := c.ready()
	if err != nil {
		return nil, err
	}
	reply, err := redis.DoWithTimeout(l.redis, Limit, cmd, args...)
	if err != nil {
		return nil, c.failed(l, cmd, err)
	}
	return plain(reply), nil
}

// Pipeline sends n commands, the i-th being cmd(i), and returns their n replies in
// order. Error replies come as values of type ReplyError in the slice; the error is
// the transport's, and with it the replies so far. Each reply has up to Limit.
func (c *Control) Pipeline(n int, cmd func(i int) (string, []any)) ([]any, error) {
	c.turn.Lock()
	defer c.turn.Unlock()
	l, err := c.ready()
	if err != nil {
		return nil, err
	}
	replies := make([]any, 0, n)
	for sent := 0; sent < n; {
		size := 0
		first := sent
		for ; sent < n && size < pipelineBytes; sent++ {
			name, args := cmd(sent)
			size += weight(name, args)
			if err := l.redis.Send(name, args...); err != nil {
				return replies, c.failed(l, name, err)
			}
		}
		if err := l.redis.Flush(); err != nil {
			return replies, c.failed(l, "a pipeline", err)
		}
		for range sent - first {
			reply, err := redis.ReceiveWithTimeout(l.redis, Limit)
			if refused, ok := err.(redis.Error); ok {
				reply, err = refused, nil
			}
			if err != nil {
				return replies, c.failed(l, "a pipeline", err)
			}
			replies = append(replies, plain(reply))
		}
	}
	return replies, nil
}

// weight is about the number of bytes that a command takes on the wire.
func weight(name string, args []any) int {
	n := 16 + len(name)
	for _, a := range args {
		n += 8
		switch v := a.(type) {
		case []byte:
			n += len(v)
		case string:
			n += len(v)
		default:
			n += 20 // a number
		}
	}
	return n
}

// Close ends the connection and whatever waits on it; commands fail from now on.
func (c *Control) Close() {
	c.done()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link != nil {
		c.link.redis.Close()
		c.link = nil
	}
}

// protocol is how the present connection is secured, "" for none.
func (c *Control) protocol() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link == nil {
		return ""
	}
	s, ok := c.link.tap.Conn.(*secured)
	if !ok {
		return ""
	}
	return s.protocol(c.target.TLS.options)
}

// ready is the connection for the next command; it dials after a failure.
func (c *Control) ready() (*link, error) {
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	if err := c.ctx.Err(); err != nil {
		return nil, trouble("use", c.target.Address, net.ErrClosed)
	}
	if l != nil {
		return l, nil
	}
	l, err := c.target.link(c.ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil { // closed while dialling
		l.redis.Close()
		return nil, trouble("use", c.target.Address, net.ErrClosed)
	}
	c.link = l
	return l, nil
}

// failed sorts an error of redigo: a refusal leaves the connection as it is,
// anything else has ended it.
func (c *Control) failed(l *link, cmd string, err error) error {
	err = l.fault(err)
	if refused, ok := err.(ReplyError); ok {
		return refused
	}
	c.mu.Lock()
	if c.link == l {
		c.link = nil
	}
	c.mu.Unlock()
	l.redis.Close()
	if c.ctx.Err() != nil {
		err = net.ErrClosed
	}
	return trouble(cmd+" at", c.target.Address, err)
}

// fault turns redigo's errors into this package's.
func (l *link) fault(err error) error {
	if err == nil {
		return nil
	}
	if refused, ok := err.(redis.Error); ok {
		return ReplyError(refused)
	}
	// redigo's type for this is its own secret.
	if strings.HasPrefix(err.Error(), "redigo: ") && strings.Contains(err.Error(), "possible server error") {
		return &ProtocolError{Got: excerpt(l.tap.seen)}
	}
	return err
}

// errHalf is a wait in the middle of a reply.
var errHalf = errors.New("half a reply")

// tap is the net.Conn under a Control's redigo. It remembers how the latest answer
// began, to show it when it is no reply, and bounds every write by its own progress.
type tap struct {
	net.Conn
	seen    []byte // the first bytes that came after the latest write
	last    byte   // the last of them
	spoke   bool   // something that begins like a reply has come before
	passive bool   // leave the deadlines to enter, which bounds the whole handshake
	broken  error  // a write failed; see wire.send for why that is not the end
	bounds  bounds // keeps what no memory can hold from redigo
}

// Write gives each 256 KB up to Limit, so that a large value over a slow line is
// not cut off while it moves.
func (t *tap) Write(p []byte) (int, error) {
	t.seen = t.seen[:0]
	for rest := p; len(rest) > 0 && t.broken == nil; {
		if !t.passive {
			t.broken = t.Conn.SetWriteDeadline(time.Now().Add(Limit))
		}
		n, err := t.Conn.Write(rest[:min(len(rest), 256<<10)])
		rest = rest[n:]
		if err != nil {
			t.broken = err
		}
	}
	return len(p), nil
}

// Read passes bytes on and keeps the first few. An answer that does not begin like
// a reply is told at once: redigo would wait for its line to end, which it may never.
func (t *tap) Read(p []byte) (int, error) {
	if t.broken != nil {
		_ = t.Conn.SetReadDeadline(time.Now().Add(lastWords))
	}
	n, err := t.Conn.Read(p)
	if n > 0 && len(t.seen) == 0 && !begins(p[0]) {
		return 0, &ProtocolError{Got: excerpt(p[:n]), First: !t.spoke}
	}
	if !t.bounds.within(p[:n]) {
		return 0, &ProtocolError{Got: excerpt(p[:n]), First: !t.spoke}
	}
	if room := excerptMax - len(t.seen); room > 0 && n > 0 {
		t.seen = append(t.seen, p[:min(n, room)]...)
		t.spoke = true
	}
	if n > 0 {
		t.last = p[n-1]
	}
	if n == 0 && len(t.seen) > 0 && t.last != '\n' { // a reply ends in a line feed
		switch {
		case err == io.EOF:
			err = io.ErrUnexpectedEOF
		case errors.Is(err, os.ErrDeadlineExceeded):
			err = fmt.Errorf("%w: %w", errHalf, err)
		}
	}
	if err != nil && t.broken != nil {
		err = fmt.Errorf("%w, after %w", err, t.broken)
	}
	return n, err
}

// SetReadDeadline leaves the socket alone while tap is passive. redigo calls it
// before every reply, and knows no other deadline here.
func (t *tap) SetReadDeadline(at time.Time) error {
	if t.passive {
		return nil
	}
	return t.Conn.SetReadDeadline(at)
}
