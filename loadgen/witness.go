package loadgen

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// witness asks the server what explains trouble of the load: once before it begins,
// once after its end, and at most once a second while there is trouble (M25). It has a
// connection of its own, the first of the run, so that a server which is full still
// answers it. One that does not tell is not asked again, and nothing is said of it.
type witness struct {
	run      *Runner
	control  *target.Control
	first    map[string]string // INFO before the load; nil = not told
	settings map[string]string // CONFIG GET, asked for once there are lost connections
	trouble  int64             // faults at the latest look
	warned   string            // of the latest plan
	seen     atomic.Pointer[evidence]

	stop     chan struct{}
	watching sync.WaitGroup
}

// Times that a witness takes, or waits.
const (
	witnessWithin = time.Second
	witnessEvery  = time.Second
	// lastQuestion is for the question after the load: the user waits for the result.
	lastQuestion = 300 * time.Millisecond
)

func newWitness(r *Runner) *witness {
	return &witness{run: r, stop: make(chan struct{})}
}

// begin makes the connection, takes the first look and judges the plan by it. A server
// that does not answer is left to the load, which tells the trouble.
func (w *witness) begin(ctx context.Context, p Plan) {
	ctx, cancel := context.WithTimeout(ctx, witnessWithin)
	defer cancel()
	c, err := w.run.target.Control(ctx)
	if err != nil {
		return
	}
	w.control = c
	if w.first = w.info(ctx); w.first == nil {
		w.hangUp()
		return
	}
	w.seen.Store(&evidence{before: w.first, now: w.first})
	w.judge(p)
	w.watching.Go(w.keep)
}

// judge warns of a plan whose data will not fit into the server's memory, once for each
// amount of data. Only the goroutine that puts plans into force calls it.
func (w *witness) judge(p Plan) {
	if w.first == nil {
		return
	}
	e := &evidence{now: w.first} // what was there before the load, which replaces its own
	if text := e.tight(p); text != w.warned {
		w.warned = text
		if text != "" {
			w.run.sampler.tell(stats.Note{At: w.run.now(), Warning: true, Text: text})
		}
	}
}

// info is one INFO as fields; nil when the server does not tell it.
func (w *witness) info(ctx context.Context) map[string]string {
	defer context.AfterFunc(ctx, w.control.Close)()
	text, err := target.Text(w.control.Do("INFO"))
	if err != nil {
		return nil
	}
	fields := make(map[string]string)
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[name] = value
		}
	}
	return fields
}

func (w *witness) hangUp() {
	if w.control != nil {
		w.control.Close()
	}
}

// keep looks again while there is trouble, until end.
func (w *witness) keep() {
	defer w.run.guard("witness")
	timer := time.NewTicker(witnessEvery)
	defer timer.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-timer.C:
		}
		if w.troubled() {
			w.look(witnessWithin)
		}
	}
}

// troubled reports whether faults were added since the last look, or reads miss.
func (w *witness) troubled() bool {
	s := w.run.Snapshot()
	var faults int64
	for _, f := range s.Faults {
		faults += f.Count
	}
	more := faults > w.trouble
	w.trouble = faults
	rate, ok := s.Current.Counters.HitRate()
	return more || ok && rate < lowHitRate
}

// look asks and publishes what has become of the server since the beginning.
func (w *witness) look(limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	now := w.info(ctx)
	if now == nil {
		// The connection is gone, as are perhaps those of the load; the next look makes
		// another one.
		w.control.Close()
		if c, err := w.run.target.Control(ctx); err == nil {
			w.control = c
			now = w.info(ctx)
		}
	}
	if now == nil {
		return
	}
	if w.settings == nil && len(w.run.Snapshot().Faults) > 0 {
		w.settings = ask(ctx, w.control)
	}
	w.seen.Store(&evidence{before: w.first, now: now, settings: w.settings})
}

// ask is the settings that make a server close connections; those that it tells.
func ask(ctx context.Context, c *target.Control) map[string]string {
	names := []string{"timeout", "proto-max-bulk-len", "client-query-buffer-limit", "client-output-buffer-limit"}
	settings := map[string]string{}
	defer context.AfterFunc(ctx, c.Close)()
	replies, err := c.Pipeline(len(names), func(i int) (string, []any) { return "CONFIG", []any{"GET", names[i]} })
	if err != nil {
		return settings
	}
	for _, r := range replies {
		if pair, err := target.Strings(r, nil); err == nil && len(pair) == 2 {
			settings[pair[0]] = pair[1]
		}
	}
	return settings
}

// blame adds to an error of preparing data what the server's settings have to do with
// it.
func (w *witness) blame(ctx context.Context, p Plan, err error) error {
	if w.first == nil || !strings.Contains(err.Error(), tooLong) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, witnessWithin)
	defer cancel()
	c, no := w.run.target.Control(ctx)
	if no != nil {
		return err
	}
	defer c.Close()
	e := &evidence{settings: ask(ctx, c)}
	if e.setting("proto-max-bulk-len") == 0 {
		return err
	}
	return fmt.Errorf("%w (%s)", err, e.bulk(p))
}

// end takes the last look, after the load, and joins keep, which may still be asking:
// for witnessWithin at most.
func (w *witness) end() {
	close(w.stop)
	w.watching.Wait()
	defer w.hangUp()
	// Whoever has not answered for a while does not begin now.
	latest := w.run.gaps.Latest()
	if w.first == nil || latest == 0 || w.run.now()-latest > w.run.stall {
		return
	}
	w.look(lastQuestion)
}

// evidence is what a server said of itself before the load and later.
type evidence struct {
	before, now, settings map[string]string
}

// number is a field of the later look; ok is false when it is missing or none.
func (e *evidence) number(field string) (n int64, ok bool) {
	n, err := strconv.ParseInt(e.now[field], 10, 64)
	return n, err == nil
}

// anew reports whether the server is not the one of before: what it counts began at
// zero.
func (e *evidence) anew() bool {
	return e.before["run_id"] != "" && e.now["run_id"] != "" && e.before["run_id"] != e.now["run_id"]
}

// more is by how much a counter grew.
func (e *evidence) more(field string) int64 {
	if e == nil {
		return 0
	}
	now, ok := e.number(field)
	if !ok {
		return 0
	}
	before, err := strconv.ParseInt(e.before[field], 10, 64)
	if err != nil || e.anew() || now < before {
		before = 0
	}
	return now - before
}

// setting is a number of CONFIG GET, 0 when it was not told.
func (e *evidence) setting(name string) int64 {
	n, err := strconv.ParseInt(e.settings[name], 10, 64)
	if err != nil {
		return 0
	}
	return n
}
