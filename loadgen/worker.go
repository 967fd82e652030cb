package loadgen

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// worker drives one connection: it owns it, its generator and its batch record.
// Nothing in it is shared but the atomics.
type worker struct {
	id    int
	first *epoch // that it may serve
	run   *Runner

	post     *post // where it is connected, or tries to
	shard    *stats.Shard
	conn     *target.Conn
	epoch    *epoch
	source   *workload.Source // of commands
	commands *workload.Generator
	asked    []question    // what is in flight, in order
	latest   time.Duration // when the latest reply came
	batch    stats.Batch
	out, in  int64         // bytes of the connection already booked
	proven   bool          // the connection has brought a reply to the load
	doubtful bool          // others wait for what becomes of the batch
	kept     *claim        // to be sent on the next connection
	turn     time.Duration // how long it waited for requests the last time
	timer    *time.Timer   // for rests between two attempts to dial
	wake     chan struct{} // from the pacer

	awaiting atomic.Int64 // since when the next reply is awaited, 0 = none is
	stuck    atomic.Bool  // the connection was closed because none came
	live     atomic.Pointer[target.Conn]

	carried int64         // bytes that the connection had moved at the latest rescue; sampler only
	moved   time.Duration // when a rescue saw that last; sampler only
}

// question is what must be known of commands in flight to judge their replies:
// neighbours of the same row of the mix share one.
type question struct {
	n          int
	test       int32
	keys       int32
	reads      bool
	perElement bool
}

// First and longest pause before a lost connection is dialled again.
const (
	firstPause   = 20 * time.Millisecond
	longestPause = time.Second
)

// work dials, serves and redials until the worker is no longer wanted. ready is
// called once, when the first attempt to connect has ended either way.
func (w *worker) work(ctx context.Context, ready func()) {
	defer w.release()
	pause := firstPause
	for {
		err := w.connect(ctx)
		if ready != nil {
			ready()
			ready = nil
		}
		if err == nil {
			w.arrive()
			err = w.serve()
			w.disconnect()
			if w.proven {
				pause = firstPause
			} else if err != nil {
				w.run.fruitless.Store(int64(w.run.now()))
			}
		}
		if err == nil {
			return
		}
		if errors.Is(err, errBatchDone) || errors.Is(err, errMoved) {
			continue
		}
		w.report(err)
		if w.kept != nil && errors.Is(err, errIdle) {
			continue // nobody is in trouble, and there is a time to keep
		}
		if !w.rest(ctx, pause) {
			return
		}
		pause = min(2*pause, longestPause)
	}
}

// serve sends batch after batch until the worker is no longer wanted (nil) or
// the connection fails.
func (w *worker) serve() error {
	for {
		ep, err := w.next()
		if ep == nil {
			return err
		}
		breakDown(w.run)
		c, err := w.claim(ep)
		switch {
		case errors.Is(err, errSpent):
			w.run.spent()
			return nil
		case err != nil:
			return err
		case c.n == 0:
			continue
		}
		if err := w.fulfil(ep, c); err != nil {
			return err
		}
		if ep.plan.Reconnect {
			return errBatchDone
		}
	}
}

// errBatchDone ends a connection that was for one batch only (-k 0).
var errBatchDone = errors.New("one batch a connection")

// errMoved ends the connection of a client whose place is at another node now.
var errMoved = errors.New("moved to another node")

// next is the epoch to serve. It is nil when the worker is to leave, or with errMoved
// the node. It waits while the load is paused or the worker's first epoch is not yet in
// force.
func (w *worker) next() (*epoch, error) {
	for {
		ep := w.run.epoch.Load()
		switch {
		case ep == w.epoch:
			return ep, nil
		case ep.number < w.first.number:
			<-ep.over
		case w.id >= ep.plan.Clients:
			if w.run.crew.leave(w, ep) {
				return nil, nil
			}
		case ep.plan.Paused:
			if err := w.repose(ep); err != nil {
				return nil, err
			}
		case w.away(ep.seat(w.id)):
			return nil, errMoved
		default:
			w.adopt(ep)
		}
	}
}

// away tells whether the worker's connection is of no use at p.
func (w *worker) away(p *post) bool {
	return p.node != w.post.node || p.replica && !w.post.replica
}

func (w *worker) adopt(ep *epoch) {
	w.post = ep.seat(w.id)
	if w.source != w.post.source {
		w.source, w.commands = w.post.source, w.post.source.Generator(w.id)
	}
	w.epoch = ep
}

// exchange sends up to n commands as one batch, receives their replies and
// commits what it measured. It returns how many it sent: fewer than n where the
// cap on bytes in flight ended the batch early (M13).
func (w *worker) exchange(ep *epoch, n int, planned time.Duration) (int, error) {
	w.batch.Reset(ep.number)
	sent := w.conn.Now()
	from := sent
	if ep.every > 0 {
		from = planned
		w.batch.Lag = max(1, sent-planned)
	}
	w.awaiting.Store(int64(sent))
	n, err := w.send(ep, n)
	answered := 0
	switch {
	case err != nil:
	case ep.multi:
		answered, err = w.receiveMulti(from, sent)
	default:
		answered, err = w.receive(from, sent)
	}
	w.awaiting.Store(0)
	if ep.plan.RTT > 0 && err == nil {
		w.hold(ep, w.latest+ep.plan.RTT)
	}
	if _, refused := err.(*dialError); refused {
		w.commit(0) // the server never took the connection: nothing was sent to it
		return 0, err
	}
	w.commit(n - answered)
	return n, err
}

// hold keeps a worker from acting on replies before a simulated round trip has
// brought them. Replies are read as they arrive and only then waited for together:
// waiting for one would have the next one stamped late.
func (w *worker) hold(ep *epoch, until time.Duration) {
	for until-w.conn.Now() > soon {
		w.run.pacer.rouse(until, w.wake)
		select {
		case <-w.wake:
		case <-ep.over:
			return // the plan has changed: nothing of the next one is to wait for this
		}
	}
}

// arrive has a connection for one batch (-k 0) pay a simulated round trip for being
// made, as it would on the way there.
func (w *worker) arrive() {
	if ep := w.run.epoch.Load(); ep.plan.Reconnect && ep.plan.RTT > 0 {
		w.hold(ep, w.conn.Now()+ep.plan.RTT)
	}
}

// send writes up to n commands and flushes them. With an error, all it returns
// count as sent: how far they came is not known.
func (w *worker) send(ep *epoch, n int) (int, error) {
	w.asked = w.asked[:0]
	if ep.multi {
		w.commands.Unite(n)
		if err := w.conn.SendPrepared(w.run.multi.begin, nil); err != nil {
			return 0, err
		}
	}
	for i := range n {
		c := w.commands.Next()
		w.ask(c)
		if err := w.post.wires.send(w.conn, c); err != nil {
			return i + 1, err
		}
		if w.conn.Buffered() >= inFlightCap && i+1 < n {
			w.run.capped.Store(int64(i + 1))
			n = i + 1
			break
		}
	}
	if ep.multi {
		if err := w.conn.SendPrepared(w.run.multi.end, nil); err != nil {
			return n, err
		}
	}
	return n, w.conn.Flush()
}

func (w *worker) ask(c *workload.Command) {
	if last := len(w.asked) - 1; last >= 0 && w.asked[last].test == int32(c.Test) {
		w.asked[last].n++
		return
	}
	w.asked = append(w.asked, question{
		n: 1, test: int32(c.Test), keys: int32(c.Keys), reads: c.Reads, perElement: c.PerElement,
	})
}

// inFlightCap bounds the request bytes sent before replies are read. The connection
// itself reads beside a write that makes no progress, so nothing hangs (M13); the
// cap keeps a server from holding the replies of a huge batch in its memory. One
// command larger than the cap still goes out, alone.
const inFlightCap = 16 << 20

// receive takes the replies to all that was asked and returns how many came.
func (w *worker) receive(from, sent time.Duration) (answered int, err error) {
	last := sent
	for i := range w.asked {
		q := &w.asked[i]
		for q.n > 0 {
			reply, n, err := w.conn.ReceiveRun(q.n)
			if err != nil {
				return answered, err
			}
			if !w.proven {
				if err := w.prove(reply); err != nil {
					return answered, err
				}
			}
			if reply.At != last { // a socket read, not a reply, costs these
				last, w.latest = reply.At, reply.At
				w.awaiting.Store(int64(last))
				w.run.gaps.Arrived(last)
			}
			q.n -= n
			answered += n
			w.sample(q, reply, n, from, sent)
		}
	}
	return answered, nil
}

// sample books n equal replies to q.
func (w *worker) sample(q *question, reply target.Reply, n int, from, sent time.Duration) {
	came := reply.At + w.epoch.plan.RTT
	s := stats.Sample{N: int32(n), Test: q.test, Keys: q.keys, Response: came - from}
	if from != sent {
		s.Service = came - sent
	}
	if reply.Err != "" {
		s.Failed = true
		w.noted(reply, n)
	} else if q.reads {
		s.Hits, s.Misses = judge(reply, q.perElement)
	}
	w.batch.Samples = append(w.batch.Samples, s)
}

// judge tells what a read found: each element for itself (MGET), or something
// against nothing.
func judge(r target.Reply, perElement bool) (hits, misses int32) {
	switch {
	case perElement && r.Kind == target.Array:
		return int32(r.Elements - r.Nils), int32(r.Nils)
	case r.Kind == target.Nil || r.Kind == target.Array && r.Elements == 0:
		return 0, 1
	}
	return 1, 0
}

func (w *worker) commit(lost int) {
	w.batch.Lost = int64(lost)
	out, in := w.conn.BytesOut(), w.conn.BytesIn()
	w.batch.BytesOut, w.batch.BytesIn = out-w.out, in-w.in
	w.out, w.in = out, in
	w.shard.Commit(&w.batch)
}

// report books the loss of the connection, or of the attempt to get one.
func (w *worker) report(err error) {
	f := stats.Fault{Class: stats.LostFault, Code: target.ErrorCode(err), Text: err.Error(), Count: 1, Last: w.run.now()}
	var dial *dialError
	switch {
	case errors.As(err, &dial) && (w.run.ending() || errors.Is(err, context.Canceled)):
		return // not wanted any more: no fault of anybody
	case w.run.ending():
		f.Code, f.Text = "unanswered", "no reply before the run ended"
	case w.stuck.Swap(false):
		f.Class, f.Code = stats.TimeoutFault, "timeout"
		f.Text = fmt.Sprintf("no reply for %v, connection replaced", w.run.stall)
	case errors.As(err, &dial):
		f.Class = stats.DialFault
	}
	w.run.scout.wake()
	w.batch.Reset(w.run.epoch.Load().number)
	w.batch.Fault(f)
	w.shard.Commit(&w.batch)
}

// rest waits before the next attempt; false when the worker is not wanted any more.
func (w *worker) rest(ctx context.Context, pause time.Duration) bool {
	if w.run.scout != nil {
		w.release() // other nodes can still send it
	}
	w.timer.Reset(pause)
	defer w.timer.Stop()
	for {
		ep := w.run.epoch.Load()
		if ep.number >= w.first.number && w.id >= ep.plan.Clients && w.run.crew.leave(w, ep) {
			return false
		}
		if ep.counted && w.run.budget.limited && w.run.budget.spent() {
			w.run.spent() // a lost node must not hold up the end
			return false
		}
		select {
		case <-ctx.Done():
			return false
		case <-w.timer.C:
			return true
		case <-ep.over:
			if w.away(w.place()) {
				return true // at the new node nothing has failed yet
			}
		}
	}
}
