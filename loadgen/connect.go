package loadgen

import (
	"context"

	"fullbore/loadgen/target"
)

// connect makes the worker's connection and verifies it.
func (w *worker) connect(ctx context.Context) error {
	release, err := w.run.crew.door.enter(ctx)
	if err != nil {
		return &dialError{err}
	}
	defer release()
	w.sit()
	conn, err := w.post.node.target.Dial(ctx, w.run.base)
	if err != nil {
		return &dialError{err}
	}
	// A connection for one batch is told by that batch whether the server takes it.
	if ep := w.run.epoch.Load(); !ep.plan.Reconnect {
		if err := conn.TurnedAway(); err != nil {
			conn.Close()
			return &dialError{err}
		}
	}
	if w.post.replica {
		if err := readOnly(ctx, conn); err != nil {
			conn.Close()
			return &dialError{err}
		}
	}
	w.proven = false
	w.conn = conn
	if w.commands != nil {
		w.commands.Rewind() // what the old connection began, such as MULTI, is gone
	}
	w.out, w.in = conn.BytesOut(), conn.BytesIn()
	w.live.Store(conn)
	w.run.connected.Add(1)
	w.post.node.connected.Add(1)
	return nil
}

// readOnly has a replica answer reads (READONLY in the Redis cluster specification). It
// is part of the handshake.
func readOnly(ctx context.Context, conn *target.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, target.Limit)
	defer cancel()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if err := conn.Send("READONLY", nil); err != nil {
		return err
	}
	if err := conn.Flush(); err != nil {
		return err
	}
	reply, err := conn.Receive()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && reply.Err != "" {
		return target.ReplyError(reply.Err)
	}
	return err
}

// place is where the newest epoch has the worker, or that to come for which it was
// hired.
func (w *worker) place() *post {
	ep := w.run.epoch.Load()
	if ep.number < w.first.number {
		ep = w.first
	}
	return ep.seat(w.id)
}

func (w *worker) sit() {
	w.post = w.place()
	shards := w.post.node.shards
	w.shard = shards[w.id%len(shards)]
}

// prove takes the first reply to the load on a connection for what verifies it: no
// command is sent that the user did not ask for (M11). An error says that the server
// does not serve the connection at all; what was sent on it is then no load.
func (w *worker) prove(reply target.Reply) error {
	if err := w.conn.Refused(reply); err != nil {
		return &dialError{err}
	}
	w.proven = true
	return nil
}

func (w *worker) disconnect() {
	w.live.Store(nil)
	w.conn.Close()
	w.run.connected.Add(-1)
	w.post.node.connected.Add(-1)
}

// dialError marks an error met while connecting.
type dialError struct{ err error }

func (e *dialError) Error() string { return e.err.Error() }
func (e *dialError) Unwrap() error { return e.err }
