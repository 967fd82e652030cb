package loadgen

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// stockroom writes the data that a workload's commands need before they can hit
// what is on a node, and keeps collections that are drained or grown without end between their
// marks while load runs. It has a connection of its own.
type stockroom struct {
	run     *Runner
	target  target.Target
	active  atomic.Pointer[[]workload.Stock] // of the plan in force
	advance atomic.Pointer[stats.Progress]   // of the preparation under way

	dial    sync.Mutex                     // one connection
	mu      sync.Mutex                     // one conversation at a time
	control atomic.Pointer[target.Control] // atomic, so that hangUp can end a conversation
	there   map[string]workload.Fixture    // by family: what is already written
	pushed  map[string]int64               // items ever pushed, by stock: members stay new
}

func newStockroom(r *Runner, t target.Target) *stockroom {
	return &stockroom{run: r, target: t, there: map[string]workload.Fixture{}, pushed: map[string]int64{}}
}

// Sizes of one pipeline of preparing commands, and the pace of looking after
// stocks: at a million pops a second a stock of half a million lasts fifty looks.
const (
	pushAtOnce   = 20
	lookEvery    = 10 * time.Millisecond
	idleEvery    = 50 * time.Millisecond // soon enough for a load that begins; a comparison has several runs that pause
	trimsAtOnce  = 100
	lookAgainOff = 500 * time.Millisecond // after trouble
)

var errSuperseded = errors.New("preparation given up for a newer plan")

func superseded(err error) bool { return errors.Is(err, errSuperseded) }

// prepare writes what w needs and is not there yet. It gives up between two
// pipelines when ctx ends or interrupted says that a newer plan waits.
func (s *stockroom) prepare(ctx context.Context, w workload.Workload, interrupted func() bool) error {
	defer context.AfterFunc(ctx, s.hangUp)() // a frozen server must not hold up the end
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.advance.Store(nil)
	s.forget(w)
	halt := func() error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case interrupted():
			return errSuperseded
		}
		return nil
	}
	for _, f := range w.Fixtures() {
		if s.there[f.Family].ID == f.ID {
			continue
		}
		delete(s.there, f.Family)
		err := error(nil)
		if filling, ok := w.Filling(f); ok {
			err = s.pour(ctx, filling, f, halt)
		} else {
			err = s.write(ctx, f, halt)
		}
		if err != nil {
			return err
		}
		s.there[f.Family] = f
	}
	for _, st := range w.Stocks() {
		if st.Low == 0 {
			continue
		}
		if err := s.fill(ctx, st, halt); err != nil {
			return err
		}
	}
	return nil
}

func (s *stockroom) write(ctx context.Context, f workload.Fixture, halt func() error) error {
	if err := s.send(ctx, f.Reset); err != nil {
		return fmt.Errorf("prepare %s: %w", f.What, err)
	}
	for from := int64(0); from < f.Items; {
		if err := halt(); err != nil {
			return err
		}
		s.advance.Store(&stats.Progress{What: "writing " + f.What, Done: from, Total: f.Items})
		n := min(f.Chunk(), f.Items-from)
		if err := s.send(ctx, f.Write(from, int(n))); err != nil {
			return fmt.Errorf("prepare %s: %w", f.What, err)
		}
		from += n
	}
	return nil
}

// fill brings a stock up to its level before load begins. A server that takes the
// items and has no more of them afterwards (evicting, say) ends it with an error.
func (s *stockroom) fill(ctx context.Context, st workload.Stock, halt func() error) error {
	for before := int64(-1); ; {
		have, err := s.length(ctx, st)
		if err != nil {
			return fmt.Errorf("prepare %s: %w", st.Key, err)
		}
		if have >= st.Fill {
			return nil
		}
		if have <= before {
			return fmt.Errorf("prepare %s: it stays at %d of %d items: does the server evict keys?", st.Key, have, st.Fill)
		}
		before = have
		if err := halt(); err != nil {
			return err
		}
		s.advance.Store(&stats.Progress{What: "stocking " + st.Key, Done: have, Total: st.Fill})
		if err := s.push(ctx, st, st.Fill-have); err != nil {
			return fmt.Errorf("prepare %s: %w", st.Key, err)
		}
	}
}

// push adds up to n items in one pipeline of bounded size.
func (s *stockroom) push(ctx context.Context, st workload.Stock, n int64) error {
	var ops []workload.Op
	for len(ops) < pushAtOnce && n > 0 {
		chunk := min(n, int64(st.Chunk))
		ops = append(ops, st.Push(s.pushed[st.ID], int(chunk)))
		s.pushed[st.ID] += chunk
		n -= chunk
	}
	return s.send(ctx, ops)
}

// openStocks makes the stocks of ep the ones that are looked after.
func (r *Runner) openStocks(ep *epoch) {
	for _, n := range r.everyNode() {
		if p := ep.keeper(n); p != nil {
			n.stores.open(p.source.Stocks())
		} else {
			n.stores.open(nil)
		}
	}
}

func (s *stockroom) open(stocks []workload.Stock) {
	if s.run.first.Requests > 0 {
		// A counted run asked for exactly its requests: nothing is trimmed.
		for i := range stocks {
			stocks[i].High = 0
		}
	}
	s.active.Store(&stocks)
}

// keep looks after the active stocks until stop is closed.
func (s *stockroom) keep(stop <-chan struct{}) {
	defer s.run.guard("stockroom")
	timer := time.NewTimer(lookEvery)
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return
		case <-timer.C:
		}
		next := lookEvery
		switch {
		case s.idle():
			next = idleEvery
		case s.look() != nil:
			next = lookAgainOff // the load meets the same trouble and reports it
		}
		timer.Reset(next)
	}
}

// idle reports whether there is nothing to look after.
func (s *stockroom) idle() bool {
	stocks := s.active.Load()
	return stocks == nil || len(*stocks) == 0 || s.run.epoch.Load().plan.Paused
}

// look tops up and trims once.
func (s *stockroom) look() error {
	if !s.mu.TryLock() {
		return nil // a preparation is at it
	}
	stocks := s.active.Load()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, st := range *stocks {
		have, err := s.length(ctx, st)
		if err != nil {
			return err
		}
		switch {
		case st.Low > 0 && have < st.Low:
			err = s.push(ctx, st, st.Fill-have)
		case st.High > 0 && have > st.High:
			err = s.trim(ctx, st, have)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *stockroom) trim(ctx context.Context, st workload.Stock, have int64) error {
	for range trimsAtOnce {
		if have <= st.High/2 {
			return nil
		}
		if err := s.send(ctx, []workload.Op{st.Trim(have, st.High/2)}); err != nil {
			return err
		}
		var err error
		if have, err = s.length(ctx, st); err != nil {
			return err
		}
	}
	return nil
}

func (s *stockroom) length(ctx context.Context, st workload.Stock) (int64, error) {
	c, err := s.connection(ctx)
	if err != nil {
		return 0, err
	}
	s.run.setup.Add(1)
	return target.Int64(c.Do(st.Length.Name, st.Length.Args...))
}

// send pipelines ops; the first error reply becomes the error.
func (s *stockroom) send(ctx context.Context, ops []workload.Op) error {
	c, err := s.connection(ctx)
	if err != nil {
		return err
	}
	s.run.setup.Add(int64(len(ops)))
	replies, err := c.Pipeline(len(ops), func(i int) (string, []any) { return ops[i].Name, ops[i].Args })
	if err != nil {
		return err
	}
	for _, r := range replies {
		if failed, ok := r.(target.ReplyError); ok {
			return failed
		}
	}
	return nil
}

func (s *stockroom) connection(ctx context.Context) (*target.Control, error) {
	s.dial.Lock()
	defer s.dial.Unlock()
	if c := s.control.Load(); c != nil {
		return c, nil
	}
	c, err := s.target.Control(ctx)
	if err != nil {
		return nil, err
	}
	s.control.Store(c)
	return c, nil
}

// hangUp closes the connection, which ends a conversation that is under way.
func (s *stockroom) hangUp() {
	if c := s.control.Load(); c != nil {
		c.Close()
	}
}

// forget strikes off what w's writes leave in another shape than it was written
// in, so that a later plan writes it again.
func (s *stockroom) forget(w workload.Workload) {
	for family, f := range s.there {
		if w.Spoils(f) {
			delete(s.there, family)
		}
	}
}
