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
	// A connection for one batch is verified by that batch.
	if ep := w.run.epoch.Load(); !ep.plan.Reconnect {
		if err := verify(ctx, conn); err != nil {
			conn.Close()
			return &dialError{err}
		}
	}
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

// sit takes the place that the newest epoch has for the worker, or that to come for
// which it was hired.
func (w *worker) sit() {
	ep := w.run.epoch.Load()
	if ep.number < w.first.number {
		ep = w.first
	}
	w.post = ep.seat(w.id)
	shards := w.post.node.shards
	w.shard = shards[w.id%len(shards)]
}

// verify has the server answer once. A frozen one does not hold up the end of ctx.
func verify(ctx context.Context, conn *target.Conn) error {
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	err := conn.Verify()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
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
