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

	"fullbore/loadgen/insight"
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
	refusal  string            // of INFO, in the server's words; "" = it tells
	warned   string            // of the latest plan
	seen     atomic.Pointer[evidence]

	loaded   chan struct{}   // the first plan is in force
	asking   context.Context // over when the load is
	stop     context.CancelFunc
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
	w := &witness{run: r, loaded: make(chan struct{}, 1)}
	w.asking, w.stop = context.WithCancel(context.Background())
	return w
}

// begin makes the connection, takes the first look and judges the plan by it. A server
// that does not answer is left to the load, which tells the trouble.
func (w *witness) begin(ctx context.Context, p Plan) {
	ctx, cancel := context.WithTimeout(ctx, witnessWithin)
	defer cancel()
	o := w.run.observer
	defer func() {
		if !o.off {
			o.see() // what a very short run is held against
		}
		if w.first != nil || !o.off {
			w.watching.Go(w.keep)
		}
	}()
	c, err := w.run.target.Control(ctx)
	if err != nil {
		return
	}
	w.control = c
	text, err := w.info(ctx)
	if w.first = fields(text, err); w.first == nil {
		w.hangUp()
		return
	}
	w.seen.Store(&evidence{before: w.first, now: w.first})
	w.judge(p)
	if !o.off {
		o.idle = w.knock(ctx)
		o.told(text)
	}
}

// knocks is how many round trips tell how long one takes while there is no load.
const knocks = 3

// knock is the shortest of a few round trips of a command that no test sends.
func (w *witness) knock(ctx context.Context) (shortest insight.Told[time.Duration]) {
	defer context.AfterFunc(ctx, w.control.Close)()
	for range knocks {
		began := time.Now()
		_, err := w.control.Do("DBSIZE")
		if took := time.Since(began); err == nil && (!shortest.Known || took < shortest.Value) {
			shortest = insight.Tell(took)
		}
		if err != nil {
			break // one refusal is enough
		}
	}
	return shortest
}

// begun says that the first plan is in force, from where on looks count.
func (w *witness) begun() { w.loaded <- struct{}{} }

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

// info is one INFO. A refusal is kept, so that nobody asks again.
func (w *witness) info(ctx context.Context) (string, error) {
	defer context.AfterFunc(ctx, w.control.Close)()
	text, err := infoOf(w.control)
	var no target.ReplyError
	if errors.As(err, &no) {
		w.refusal = string(no)
	}
	return text, err
}

// infoCommands is how many commands infoOf sends.
const infoCommands = 2

// infoOf is what a server says of itself: its usual INFO, and then that of its commands,
// which many leave out of it. One that tells no more is content with the first.
func infoOf(c *target.Control) (string, error) {
	text, err := target.Text(c.Do("INFO"))
	if err != nil {
		return "", err
	}
	more, err := target.Text(c.Do("INFO", "commandstats"))
	var no target.ReplyError
	if err != nil && !errors.As(err, &no) {
		return "", err
	}
	return text + "\r\n" + more, nil
}

// fields is an INFO by its names; nil when there is none.
func fields(text string, err error) map[string]string {
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

// keep looks once a second, or where nobody wants to know how the server fares while
// there is trouble only, until end.
func (w *witness) keep() {
	defer w.run.guard("witness")
	timer := time.NewTicker(witnessEvery)
	defer timer.Stop()
	for {
		select {
		case <-w.asking.Done():
			return
		case <-w.loaded:
			timer.Reset(witnessEvery)
		case <-timer.C:
		}
		w.turn(w.asking, witnessWithin)
	}
}

// turn is one look, if there is a reason for it.
func (w *witness) turn(ctx context.Context, limit time.Duration) {
	o, troubled := w.run.observer, w.first != nil && w.troubled()
	if troubled || !o.off && w.refusal == "" && !w.run.first.Cluster {
		w.look(ctx, limit)
	}
	if !o.off {
		o.see()
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
func (w *witness) look(ctx context.Context, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	text, err := "", errNoControl
	if w.control != nil {
		text, err = w.info(ctx)
	}
	if err != nil && w.refusal == "" && ctx.Err() == nil {
		// The connection is gone, as are perhaps those of the load; the next look makes
		// another one.
		w.hangUp()
		if c, no := w.run.target.Control(ctx); no == nil {
			w.control = c
			text, err = w.info(ctx)
		}
	}
	if err != nil {
		return
	}
	w.run.observer.told(text)
	if w.first == nil {
		return // explanations need a look from before the load
	}
	if w.settings == nil && len(w.run.Snapshot().Faults) > 0 {
		w.settings = ask(ctx, w.control)
	}
	w.seen.Store(&evidence{before: w.first, now: fields(text, nil), settings: w.settings})
}

// errNoControl says that there is no connection to ask on.
var errNoControl = errors.New("no control connection")

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

// end takes the last look, after the load, and joins keep, which it interrupts.
func (w *witness) end() {
	w.stop()
	w.watching.Wait()
	defer w.hangUp()
	// Whoever has not answered for a while does not begin now.
	latest := w.run.gaps.Latest()
	if alive := latest > 0 && w.run.now()-latest <= w.run.stall; alive && w.refusal == "" && (w.first != nil || w.control != nil) {
		w.look(context.Background(), lastQuestion)
	}
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
