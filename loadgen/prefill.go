package loadgen

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// Prefill is data to write before any load, so that a test meets a full server
// (RECIPES.md R8): strings of the payload's size under the prefix, numbered from
// zero, to a number of keys or until the server's memory has grown by so much. The
// zero value writes nothing.
type Prefill struct {
	Keys  int64
	Bytes int64 // growth of used_memory; only when Keys is 0
}

// fillers is how many connections write at once: enough to keep a server busy,
// few enough that its replies come soon.
const fillers = 8

// filler writes a node's part of a Prefill over several connections.
type filler struct {
	run   *Runner
	node  *node
	want  Prefill
	data  workload.Fixture
	begun time.Duration
	base  int64       // used_memory at the start
	stop  func() bool // another node has failed

	next atomic.Int64 // first number not yet taken
	done atomic.Int64 // keys written
	full atomic.Bool
}

// prefill writes what p asks for, to every primary of a cluster what its slots are of
// the whole. The error says how far it came.
func (r *Runner) prefill(ctx context.Context, p Plan) error {
	if p.Prefill == (Prefill{}) {
		return nil
	}
	if !r.first.Cluster {
		f := &filler{run: r, node: r.everyNode()[0], begun: r.now(), stop: func() bool { return false }}
		return f.fill(ctx, p)
	}
	return r.atOnce(len(r.chart), func(i int, stop func() bool) error {
		of, part := r.chart[i], p
		part.Workload.Slots = of.slots
		part.Prefill.Bytes = int64(float64(p.Prefill.Bytes) * float64(of.slots.Count()) / workload.SlotCount)
		f := &filler{run: r, node: of.node, begun: r.now(), stop: stop}
		if err := f.fill(ctx, part); err != nil {
			return fmt.Errorf("%s: %w", of.node.target, err)
		}
		return nil
	})
}

func (f *filler) fill(ctx context.Context, p Plan) error {
	defer f.node.stores.advance.Store(nil)
	data, some := fillData(p)
	if !some {
		return nil
	}
	f.want, f.data = p.Prefill, data
	if p.Prefill.Keys > 0 {
		f.want.Keys = data.Items
	} else {
		c, err := f.node.target.Control(ctx)
		if err != nil {
			return err
		}
		defer c.Close()
		if f.base, err = usedMemory(c); err != nil {
			return fmt.Errorf("prefill to a memory size: %w", err)
		}
	}
	var all sync.WaitGroup
	errs := make([]error, fillers)
	for i := range fillers {
		all.Go(func() {
			defer f.run.guard("prefill")
			if errs[i] = f.work(ctx); errs[i] != nil {
				f.full.Store(true) // the others need not go on
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n") // all of them met the same server
		return fmt.Errorf("prefill stopped after %d keys: %s", f.done.Load(), first)
	}
	return nil
}

// fillData is the fixture that numbers the keys: that of GET, which is what most
// tests read afterwards. It is false when a node has no key of them.
func fillData(p Plan) (data workload.Fixture, some bool) {
	w := p.Workload
	w.Keys.Size = p.Prefill.Keys
	if w.Keys.Size == 0 {
		w.Keys.Size = workload.MaxKeys
	}
	get, err := workload.ParseMix("get")
	if err != nil {
		panic(err) // the catalogue has no GET: a program error
	}
	w.Mix = get
	all := w.Fixtures()
	if len(all) == 0 {
		return data, false
	}
	return all[0], true
}

func (f *filler) work(ctx context.Context) error {
	c, err := f.node.target.Control(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, c.Close)()
	chunk := f.data.Chunk()
	for !f.full.Load() && !f.stop() && ctx.Err() == nil {
		from := f.next.Add(chunk) - chunk
		n := min(chunk, f.data.Items-from)
		if n <= 0 {
			return nil
		}
		if err := f.write(c, f.data.Write(from, int(n))); err != nil {
			return err
		}
		f.done.Add(n)
		if err := f.look(c); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (f *filler) write(c *target.Control, ops []workload.Op) error {
	replies, err := c.Pipeline(len(ops), func(i int) (string, []any) { return ops[i].Name, ops[i].Args })
	if err != nil {
		return err
	}
	for _, r := range replies {
		if refused, ok := r.(target.ReplyError); ok {
			return refused
		}
	}
	f.run.setup.Add(int64(len(ops)))
	return nil
}

// look tells how far it is, and whether the memory is reached.
func (f *filler) look(c *target.Control) error {
	done, total := f.done.Load(), f.want.Keys
	what := "filling"
	if rate, ok := stats.Rate(done, f.run.now()-f.begun); ok {
		what = fmt.Sprintf("filling, %d keys at %.0f/s", done, rate)
	}
	if total == 0 {
		used, err := usedMemory(c)
		if err != nil {
			return err
		}
		done, total = max(0, used-f.base), f.want.Bytes
		if done >= total {
			f.full.Store(true)
		}
	}
	f.node.stores.advance.Store(&stats.Progress{What: what, Done: done, Total: total})
	return nil
}

// usedMemory asks the server for its used_memory.
func usedMemory(c *target.Control) (int64, error) {
	text, err := target.Text(c.Do("INFO", "memory"))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, "used_memory:"); ok {
			return strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		}
	}
	return 0, errors.New("the server does not tell its used_memory: give a number of keys instead")
}
