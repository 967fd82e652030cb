package target

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"time"
)

// Limit is how long connecting, the handshake and each command of a Control may
// take.
const Limit = 5 * time.Second

// Dial makes a load connection: connect, AUTH when there is a user or a password,
// SELECT when DB is not 0, all within Limit or ctx. Stamps count from base. The
// error is an *Error that names the address and, where one may help, the flag.
func (t Target) Dial(ctx context.Context, base time.Time) (*Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	socket, err := t.connect(ctx)
	if err != nil {
		return nil, err
	}
	c := NewConn(socket, base)
	c.addr = t.String()
	if err := t.enter(ctx, socket, c.do); err != nil {
		c.Close()
		return nil, err
	}
	c.greeted = t.Username != "" || t.Password != "" || t.DB != 0
	return c, nil
}

// errLongPath is what the system's "invalid argument" means for a socket's path.
var errLongPath = errors.New("path too long")

// connect dials the socket and secures it, for every kind of connection. Go sets
// TCP_NODELAY by itself.
func (t Target) connect(ctx context.Context) (net.Conn, error) {
	if t.TLS != nil && t.Network == "unix" {
		return nil, trouble("dial", t.Address, errSocketTLS)
	}
	var dialer net.Dialer
	socket, err := dialer.DialContext(ctx, t.Network, t.Address)
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err() // the dialer words the same thing in several ways
		} else if t.Network == "unix" && errors.Is(err, syscall.EINVAL) {
			err = fmt.Errorf("%w: %w", errLongPath, err)
		}
		return nil, trouble("dial", t.Address, err)
	}
	if t.TLS != nil {
		return t.secure(ctx, socket)
	}
	return socket, nil
}

// enter sends AUTH and SELECT through do. The end of ctx cuts it short by way of
// the socket's deadline, which is clear again when enter returns nil.
func (t Target) enter(ctx context.Context, socket net.Conn, do func(name string, args ...any) error) error {
	release := guard(ctx, socket)
	err := t.greet(do)
	if cut := release(); cut != nil {
		err = trouble("dial", t.Address, cut)
	}
	return err
}

// guard makes the end of ctx fail whatever waits on socket. The function returned
// ends that, and tells whether ctx ended first.
func guard(ctx context.Context, socket net.Conn) (release func() error) {
	stop := context.AfterFunc(ctx, func() {
		_ = socket.SetDeadline(time.Unix(1, 0)) // fails only on a closed socket
	})
	return func() error {
		if stop() {
			return nil
		}
		return ctx.Err()
	}
}

func (t Target) greet(do func(name string, args ...any) error) error {
	if t.Username != "" || t.Password != "" {
		args := []any{string(t.Password)}
		if t.Username != "" {
			args = []any{t.Username, string(t.Password)}
		}
		if err := do("AUTH", args...); err != nil {
			return trouble("AUTH at", t.Address, t.discreet(err))
		}
	}
	if t.DB != 0 {
		if err := do("SELECT", t.DB); err != nil {
			return trouble(fmt.Sprintf("SELECT %d at", t.DB), t.Address, err)
		}
	}
	return nil
}

// discreet takes the password out of a refusal: a server that does not know AUTH
// repeats its arguments (M31).
func (t Target) discreet(err error) error {
	reply, ok := as[ReplyError](err)
	if !ok {
		return err
	}
	text, _, _ := strings.Cut(string(reply), ", with args beginning with")
	if len(t.Password) > 3 { // a shorter one may be part of any word
		text = strings.ReplaceAll(text, string(t.Password), t.Password.String())
	}
	return ReplyError(text)
}

// TurnedAway tells, without a byte sent, whether the server has refused the
// connection by itself, as one does that is full or in protected mode, or has hung up.
// It waits for about a millisecond, and nil says only that nothing has come so far.
//
// Redis accepts up to 1000 connections a turn of its event loop, so that a round trip
// on a connection served already, such as a Control, for every 1000 that were dialled
// brings all its refusals. Over TLS Redis refuses by leaving the handshake, so that Dial
// fails. Proxies and servers of several threads may be later: whatever was turned away
// then says so at the first Receive, see Refused.
func (c *Conn) TurnedAway() error {
	if c.greeted || c.pending > 0 {
		return nil
	}
	c.wire.drain()
	switch f := c.wire.skim.notes.front(); {
	case f != nil && f.reply.Kind == Failure:
		return trouble("dial", c.addr, ReplyError(f.reply.Err))
	case f != nil:
		return trouble("dial", c.addr, errUnasked)
	case c.wire.readErr != nil:
		return trouble("dial", c.addr, c.wire.readErr)
	}
	return nil
}

// errUnasked is a reply to nothing: every later one would be taken for the next
// command's.
var errUnasked = errors.New("the server sent a reply before it was asked")

// shut reports whether err means that the server will not serve the connection at
// all, as opposed to a refusal of the one command.
func shut(err error) bool {
	reply, ok := as[ReplyError](err)
	if !ok {
		return err != nil
	}
	switch Code(string(reply)) {
	case "NOAUTH", "WRONGPASS", "DENIED", "LOADING":
		return true
	}
	return strings.HasPrefix(string(reply), "ERR max number of clients")
}
