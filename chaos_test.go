package main_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
	"fullbore/tui/ptytest"
)

// chaos is a run whose server fails in every way while its knobs are turned.
type chaos struct {
	t         *testing.T
	seed      uint64
	random    *rand.Rand // of the faults
	nodes     []chaosNode
	chaosNode // of those, whose turn it is
	runner    *loadgen.Runner
	loads     []string
	more      []disaster // beside those that may befall any server

	knobs   sync.Mutex // held while no knob is to be turned
	plan    loadgen.Plan
	changes int
	tight   bool // maxmemory was small since the latest rest
	multi   bool // there were transactions

	base   rest // the latest one
	tally  map[string]int
	agreed int // stretches that the server survived and counted as the run did
	unsure int64
	heap   uint64
}

// chaosNode is one server, of a cluster or on its own.
type chaosNode struct {
	server  *redistest.Server
	control *target.Control // keeps its place in a server that is full
}

// rest is a moment at which nothing is in flight.
type rest struct {
	total stats.Counters
	serverCounts
}

// serverCounts are what the server counted of the load's commands.
type serverCounts struct {
	id                   string // of the server's process; "" = not asked yet
	done, refused, pings int64
}

// chaosSettings are CHAOS, how long it goes on, and CHAOS_SEED, with which it takes the
// same turns again.
func chaosSettings(t *testing.T, length time.Duration) (time.Duration, uint64) {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("CHAOS"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil || d < time.Second {
			t.Fatalf("CHAOS=%s: a time such as 60s", text)
		}
		length = d
	}
	if text := os.Getenv("CHAOS_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("CHAOS_SEED=%s: a number", text)
		}
		seed = n
	}
	t.Logf("%v of chaos; CHAOS_SEED=%d takes the same turns", length, seed)
	return length, seed
}

// TestChaos holds what must be true whatever the server does and whatever is turned
// meanwhile: all that was sent is a success, an error or lost, to the request; a server
// that survived counted the same, with nothing but what was lost as slack; a stall is
// seen; the end comes in time and leaves nothing behind. `make chaos` is the long one.
func TestChaos(t *testing.T) {
	length, seed := chaosSettings(t, 12*time.Second)
	c := newChaos(t, seed, redistest.Start(t))
	c.more = []disaster{
		{"seen stop", func() { c.seen(c.server.Pause, c.server.Resume) }, false},
		{"seen kill", func() { c.seen(c.server.Kill, func() { c.server.Restart(t) }) }, true},
	}
	c.run(length)
}

// run is the whole of it.
func (c *chaos) run(length time.Duration) {
	t := c.t
	t.Helper()
	goroutines, files := runtime.NumGoroutine(), loadgen.Probe().Open
	stop := c.start()
	defer stop()
	c.until("load", func() bool { return c.runner.Snapshot().Total.Replies > 0 })
	halt := make(chan struct{})
	var others sync.WaitGroup
	others.Go(func() { c.watch(halt) })
	others.Go(func() { c.turn(halt) })
	still := sync.OnceFunc(func() { close(halt); others.Wait() })
	defer still()
	c.rest()
	for begin := time.Now(); time.Since(begin) < length; {
		for range 1 + c.random.IntN(3) {
			c.fault()
		}
		c.rest()
	}
	c.fault()
	state := c.last()
	still()
	asked := time.Now()
	res := stop()
	took := time.Since(asked)
	if took > 5*time.Second {
		t.Errorf("%v from stop to the end", took)
	}
	c.judge(res)
	c.after(state, goroutines, files)
	t.Logf("%d changes, faults %v, then stopped while %s: gone in %v", c.changes, c.tally, state, took.Round(time.Millisecond))
	t.Logf("%d sent = %d successes + %d errors + %d lost; %d stretches agree with the server, whose counts use %d of what was lost",
		res.Total.Sent, res.Total.Replies, res.Total.Errors, res.Total.Lost, c.agreed, c.unsure)
	t.Logf("%d segments, %d gaps of %v in all, the longest %v; heap %d MB at most", len(res.Segments), res.Gaps.Count,
		res.Gaps.Total.Round(time.Millisecond), res.Gaps.Longest.Round(time.Millisecond), c.heap>>20)
}

// start starts the run; stop ends it and may be called again.
func (c *chaos) start() (stop func() loadgen.Result) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan loadgen.Result, 1)
	go func() {
		res, err := c.runner.Run(ctx)
		if err != nil {
			c.t.Errorf("run: %v", err)
		}
		done <- res
	}()
	return sync.OnceValue(func() loadgen.Result {
		cancel()
		return <-done
	})
}

func newChaos(t *testing.T, seed uint64, servers ...*redistest.Server) *chaos {
	t.Helper()
	c := &chaos{t: t, seed: seed, random: rand.New(rand.NewPCG(seed, 1)), tally: map[string]int{}, loads: chaosLoads()}
	for _, s := range servers {
		control, err := target.TCP(s.Host, s.Port).Control(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(control.Close)
		c.nodes = append(c.nodes, chaosNode{s, control})
	}
	c.chaosNode = c.nodes[0]
	c.plan = loadgen.Plan{
		Clients: 20, Pipeline: 4, Stall: time.Second, Cluster: len(servers) > 1,
		Workload: workload.Workload{Mix: c.mix("get"), Payload: 16, Keys: workload.KeySpace{Prefix: "fullbore:", Size: 200}},
	}
	c.runner = loadgen.New(target.TCP(servers[0].Host, servers[0].Port), c.plan)
	return c
}

// chaosLoads are loads whose commands nothing but the load sends: SET and RPUSH, which
// prepare data, are not among them.
func chaosLoads() []string {
	return []string{
		"get", "incr", "ping_mbulk", "ping_inline", "hset", "lpush=1,lpop=1", "lrange_100", "mset", "get=5,incr=1,hset=1",
		"> SETEX fullbore:k:__rand_int__ 100 __data__", "> GETSET fullbore:k:__rand_int__ __data__ ; GET fullbore:k:__rand_int__ ; PING",
	}
}

// chaosCommands are the commands of chaosLoads as commandstats names them.
func chaosCommands() []string {
	return []string{"get", "incr", "ping", "hset", "lpush", "lpop", "lrange", "mset", "setex", "getset"}
}

func (c *chaos) mix(text string) workload.Mix {
	c.t.Helper()
	parse := workload.ParseMix
	if line, custom := strings.CutPrefix(text, "> "); custom {
		text, parse = line, workload.ParseLine
	}
	m, err := parse(text)
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

// turn turns knobs until halt.
func (c *chaos) turn(halt <-chan struct{}) {
	random := rand.New(rand.NewPCG(c.seed, 2))
	pick := func(of ...int) int { return of[random.IntN(len(of))] }
	for {
		select {
		case <-halt:
			return
		case <-time.After(time.Duration(pick(1, 20, 100, 400)) * time.Millisecond):
		}
		c.knobs.Lock()
		p := &c.plan
		for range pick(1, 1, 3) {
			switch random.IntN(9) {
			case 0:
				p.Clients = pick(1, 5, 20, 60)
			case 1:
				p.Pipeline = pick(1, 3, 16, 100)
			case 2:
				p.Workload.Payload = pick(1, 64, 3000)
			case 3, 4:
				p.Workload.Mix = c.mix(c.loads[random.IntN(len(c.loads))])
			case 5:
				p.Rate = float64(pick(0, 0, 0, 50, 5000))
			case 6:
				p.RTT = time.Duration(pick(0, 0, 1, 20)) * time.Millisecond
			case 7:
				p.Batch = []workload.Batch{workload.Pipelined, workload.Pipelined, workload.Multi, workload.Unbatched}[random.IntN(4)]
			case 8:
				p.Reconnect = random.IntN(6) == 0
			}
		}
		p.Paused = random.IntN(10) == 0
		p.Warmup.Time = time.Duration(pick(0, 50)) * time.Millisecond
		c.apply(*p)
		c.knobs.Unlock()
	}
}

// apply is for whoever holds the knobs.
func (c *chaos) apply(p loadgen.Plan) {
	if err := c.runner.Apply(p); err != nil {
		c.t.Error(err)
	}
	c.changes++
	c.multi = c.multi || p.Batch == workload.Multi
}

// watch holds what every snapshot owes.
func (c *chaos) watch(halt <-chan struct{}) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	before := c.runner.Snapshot()
	for {
		select {
		case <-halt:
			return
		case <-tick.C:
		}
		s := c.runner.Snapshot()
		if s == before {
			continue
		}
		step := less(s.Total, before.Total)
		for _, n := range []struct {
			what string
			stats.Counters
		}{{"total", s.Total}, {"since the snapshot before", step}, {"window", s.Window.Counters}, {"current", s.Current.Counters}, {"whole", s.Whole.Counters}} {
			if text := unsound(n.Counters); text != "" {
				c.t.Errorf("%s at %v: %s: %+v", n.what, s.Elapsed, text, n.Counters)
				return
			}
		}
		if s.Elapsed < before.Elapsed || s.Connected < 0 || s.Current.Measured < 0 || s.Gaps.Total < 0 {
			c.t.Errorf("snapshot at %v after %v: %d connected, %v measured, gaps %+v", s.Elapsed, before.Elapsed, s.Connected, s.Current.Measured, s.Gaps)
			return
		}
		before = s
	}
}

// less is a - b.
func less(a, b stats.Counters) stats.Counters {
	return stats.Counters{
		Sent: a.Sent - b.Sent, Replies: a.Replies - b.Replies, Errors: a.Errors - b.Errors, Lost: a.Lost - b.Lost, Batches: a.Batches - b.Batches,
		Keys: a.Keys - b.Keys, Hits: a.Hits - b.Hits, Misses: a.Misses - b.Misses, BytesOut: a.BytesOut - b.BytesOut, BytesIn: a.BytesIn - b.BytesIn,
	}
}

// unsound says what is wrong with n, "" when nothing is.
func unsound(n stats.Counters) string {
	if n.Sent != n.Replies+n.Errors+n.Lost {
		return "not all that was sent is a success, an error or lost"
	}
	if min(n.Sent, n.Replies, n.Errors, n.Lost, n.Batches, n.Keys, n.Hits, n.Misses, n.BytesOut, n.BytesIn) < 0 {
		return "a negative count"
	}
	return ""
}

func (c *chaos) until(what string, cond func() bool) {
	c.t.Helper()
	for end := time.Now().Add(30 * time.Second); !cond(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s := c.runner.Snapshot()
			c.t.Fatalf("never happened: %s; %s, total %+v, %d of %d connected, faults %+v", what, s.State, s.Total, s.Connected, s.Clients, s.Faults)
		}
	}
}

// do is a command of the control connection, which has to succeed. The first one after
// a restart finds the connection closed.
func (c *chaos) do(command string, args ...any) (reply any) {
	c.t.Helper()
	var err error
	for range 3 {
		if reply, err = c.control.Do(command, args...); err == nil {
			return reply
		}
	}
	c.t.Fatalf("%s: %v", command, err)
	return nil
}

// disaster is one turn for the worse, and its end. What stands on until the next rest
// is maxmemory.
type disaster struct {
	name string
	f    func()
	anew bool // the server begins anew, and with it its counts
}

func (c *chaos) disasters() []disaster {
	pause := time.Duration(10+c.random.IntN(400)) * time.Millisecond
	return []disaster{
		{"kill", func() { c.server.Kill(); time.Sleep(pause); c.server.Restart(c.t) }, true},
		{"restart", func() { c.do("SAVE"); c.server.Kill(); c.server.Restart(c.t) }, true},
		{"restart empty", func() {
			_ = os.Remove(filepath.Join(c.server.Dir, "dump.rdb")) // there may be none
			c.server.Restart(c.t)
		}, true},
		{"stop", func() { c.server.Pause(); time.Sleep(pause); c.server.Resume() }, false},
		{"long stop", func() { c.server.Pause(); time.Sleep(1300 * time.Millisecond); c.server.Resume() }, false},
		{"client kill", func() { c.killClients(); time.Sleep(pause / 8) }, false},
		{"maxmemory", func() { c.memory("1mb"); time.Sleep(pause) }, false},
		{"maxmemory 0", func() { c.memory("0") }, false},
		{"maxclients", func() {
			c.do("CONFIG", "SET", "maxclients", "10")
			if c.random.IntN(2) == 0 {
				c.killClients()
			}
			time.Sleep(pause)
			c.do("CONFIG", "SET", "maxclients", "10000")
		}, false},
		{"timeout", func() {
			c.do("CONFIG", "SET", "timeout", "1")
			time.Sleep(3 * pause)
			c.do("CONFIG", "SET", "timeout", "0")
		}, false},
		{"client pause", func() {
			c.do("CLIENT", "PAUSE", pause.Milliseconds(), []string{"WRITE", "ALL"}[c.random.IntN(2)])
		}, false},
		{"sleep", func() { c.sleep(pause) }, false},
	}
}

func (c *chaos) killClients() { c.do("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes") }

// fault has one of all happen.
func (c *chaos) fault() {
	c.befall(append(c.disasters(), c.more...))
}

func (c *chaos) befall(all []disaster) {
	c.chaosNode = c.nodes[c.random.IntN(len(c.nodes))]
	d := all[c.random.IntN(len(all))]
	c.tally[d.name]++
	d.f()
}

func (c *chaos) memory(most string) {
	c.tight = c.tight || most != "0"
	c.do("CONFIG", "SET", "maxmemory", most)
}

// sleep has the server do nothing else for a while: DEBUG SLEEP where that is allowed.
func (c *chaos) sleep(d time.Duration) {
	if _, err := c.control.Do("DEBUG", "SLEEP", fmt.Sprintf("%.3f", d.Seconds())); err == nil {
		return
	}
	c.do("EVAL", "local n = 0; for i = 1, ARGV[1] do n = n + i % 7 end; return n", 0, d.Milliseconds()*10_000)
}

// seen makes an outage under a load that wants everything, and holds that it is on the
// time line and among the gaps, as long as it was (M8).
func (c *chaos) seen(begin, end func()) {
	c.t.Helper()
	c.knobs.Lock()
	defer c.knobs.Unlock()
	c.heal()
	p := c.plan
	p.Paused, p.Rate, p.RTT, p.Workload.Mix = false, 0, 0, c.mix("ping_mbulk")
	epoch := c.runner.Snapshot().Epoch
	c.apply(p)
	flows := func() bool {
		s := c.runner.Snapshot()
		n := len(s.Points)
		return s.Epoch > epoch && s.State == stats.Measuring && n > 0 && s.Points[n-1].Replies > 0
	}
	c.until("a load before an outage", flows)
	length := time.Duration(700+c.random.IntN(500)) * time.Millisecond
	before := c.runner.Snapshot()
	begin()
	down := time.Now()
	time.Sleep(length)
	length = time.Since(down)
	end()
	// The next points may have been under way when it ended.
	now := c.runner.Snapshot().Elapsed
	c.until("a load after an outage", func() bool { return flows() && c.runner.Snapshot().Elapsed > now+200*time.Millisecond })
	after := c.runner.Snapshot()
	var empty, slowest time.Duration
	for _, p := range after.Points[len(before.Points):] {
		slowest = max(slowest, p.Span)
		if p.Replies == 0 {
			empty += p.Span
		}
	}
	// Replies may come in late, and intervals be long, where this process had to wait
	// for its turn.
	least := length - 2*slowest
	if got := after.Gaps.Total - before.Gaps.Total; got < least || empty < least-slowest {
		c.t.Errorf("an outage of %v: gaps grew by %v, the longest is %v, and %v of the time line is empty; intervals of up to %v",
			length, got, after.Gaps.Longest, empty, slowest)
	}
}

// heal makes all servers as they were.
func (c *chaos) heal() {
	c.t.Helper()
	for _, c.chaosNode = range c.nodes {
		c.until("a server that answers", func() bool { _, err := c.control.Do("CLIENT", "UNPAUSE"); return err == nil })
		for _, pair := range [][2]string{{"maxmemory", "0"}, {"maxclients", "10000"}, {"timeout", "0"}} {
			c.do("CONFIG", "SET", pair[0], pair[1])
		}
	}
}

// rest pauses the load, waits until nothing is in flight and compares the counts.
func (c *chaos) rest() {
	c.t.Helper()
	c.knobs.Lock()
	defer c.knobs.Unlock()
	c.heal()
	p := c.plan
	p.Paused = true
	c.apply(p)
	c.until("a pause", func() bool {
		s := c.runner.Snapshot()
		return s.State == stats.Paused && !s.Pending
	})
	now := c.settled()
	c.compare(now)
	c.base, c.tight, c.multi = now, false, false // the next plan is applied below
	var mem runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&mem)
	if c.heap = max(c.heap, mem.HeapAlloc); mem.HeapAlloc > 200<<20 {
		c.t.Errorf("the heap has %d MB", mem.HeapAlloc>>20)
	}
	c.apply(c.plan)
}

// settled are the counts when they have stayed the same for a while, on the server and
// over several snapshots.
func (c *chaos) settled() rest {
	c.t.Helper()
	now, seen, same := c.counts(), c.runner.Snapshot(), 0
	c.until("counts that stay", func() bool {
		time.Sleep(100 * time.Millisecond)
		s := c.runner.Snapshot()
		if s == seen {
			return false // this process has to wait for its turn
		}
		seen = s
		if next := c.counts(); next != now {
			now, same = next, 0
		} else {
			same++
		}
		return same >= 4
	})
	return now
}

// counts are both sides' at this moment.
func (c *chaos) counts() rest {
	c.t.Helper()
	r := rest{total: c.runner.Snapshot().Total}
	for _, c.chaosNode = range c.nodes {
		n := c.serverCounts(chaosCommands()...)
		r.id += n.id
		r.done, r.refused, r.pings = r.done+n.done, r.refused+n.refused, r.pings+n.pings
	}
	return r
}

func (c *chaos) serverCounts(commands ...string) (n serverCounts) {
	c.t.Helper()
	fields := map[string]string{}
	for _, section := range []string{"server", "commandstats"} {
		text, err := target.Text(c.do("INFO", section), nil)
		if err != nil {
			c.t.Fatal(err)
		}
		for line := range strings.Lines(text) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			fields[name] = value
		}
	}
	n.id = fields["run_id"]
	for _, command := range commands {
		counted := map[string]int64{}
		for field := range strings.SplitSeq(fields["cmdstat_"+command], ",") {
			name, value, _ := strings.Cut(field, "=")
			counted[name], _ = strconv.ParseInt(value, 10, 64) // times are no whole numbers
		}
		n.done += counted["calls"] - counted["failed_calls"]
		n.refused += counted["rejected_calls"] + counted["failed_calls"]
		if command == "ping" {
			n.pings = counted["calls"]
		}
	}
	return n
}

// compare holds the server's counts since the rest before against the run's. What was
// lost may have been executed or not. Commands of a transaction that was given up are
// errors here, and the server counts those of them only that it refused one by one.
func (c *chaos) compare(now rest) {
	c.t.Helper()
	got := less(now.total, c.base.total)
	if now.id != c.base.id {
		// Some of it went to a server that is no more; the new one was pinged until it
		// answered. What it refused while it was loading was no load.
		if c.base.id != "" && !c.plan.Cluster && now.done-now.pings > got.Sent-got.Errors {
			c.t.Errorf("a new server counts %d, the run since before %+v", now.done, got)
		}
		return
	}
	done, refused := now.done-c.base.done, now.refused-c.base.refused
	least := got.Errors
	if (c.tight || c.plan.Cluster) && c.multi { // in a cluster, slots may be elsewhere
		least = 0
	}
	if done < got.Replies || done > got.Replies+got.Lost || refused < least || refused > got.Errors+got.Lost || done+refused > got.Sent {
		c.t.Errorf("the server counts %d and %d refused, the run %d successes, %d errors and %d lost (faults so far %v)",
			done, refused, got.Replies, got.Errors, got.Lost, c.tally)
	}
	c.agreed++
	c.unsure += done - got.Replies
}

// The states of a server in which a run is to end.
const (
	serves  = "it serves"
	frozen  = "it is frozen"
	dead    = "it is dead"
	hangsUp = "it hangs up"
)

func (c *chaos) last() (state string) {
	c.heal()
	state = []string{serves, frozen, dead, hangsUp}[c.random.IntN(4)]
	switch state {
	case frozen:
		c.server.Pause()
	case dead:
		c.server.Kill()
	case hangsUp:
		c.killClients()
	}
	return state
}

// judge holds what a result owes.
func (c *chaos) judge(res loadgen.Result) {
	c.t.Helper()
	if text := unsound(res.Total); text != "" {
		c.t.Errorf("total: %s: %+v", text, res.Total)
	}
	var sum stats.Counters
	for _, g := range res.Segments {
		sum.Add(g.Counters)
		c.segment(g)
	}
	if text := unsound(less(res.Total, sum)); text != "" {
		c.t.Errorf("total less all segments: %s: %+v, %+v", text, res.Total, sum)
	}
	var replies, errors int64
	for _, p := range res.Points {
		replies += p.Replies
		errors += p.Errors
	}
	if replies != res.Total.Replies || errors != res.Total.Errors {
		c.t.Errorf("the time line has %d successes and %d errors, the run %d and %d", replies, errors, res.Total.Replies, res.Total.Errors)
	}
	told := int64(0)
	for _, f := range res.Faults {
		if f.Class == stats.ReplyFault {
			told += f.Count
		}
	}
	if told != res.Total.Errors {
		c.t.Errorf("%d errors by code, %d in all: %+v", told, res.Total.Errors, res.Faults)
	}
}

// segment holds that what was measured under one plan adds up, and that there is a
// latency for each success and for nothing else (M30).
func (c *chaos) segment(g stats.Segment) {
	c.t.Helper()
	if text := unsound(g.Counters); text != "" || g.Measured <= 0 || g.Gaps.Total < 0 || g.Gaps.Longest > g.Measured+time.Second {
		c.t.Errorf("segment %s: %s: %+v in %v, gaps %+v", g.Plan, text, g.Counters, g.Measured, g.Gaps)
	}
	if g.Latency.Count != g.Counters.Replies || g.Latency.Bugs != 0 || g.Distribution.Count() != g.Counters.Replies {
		c.t.Errorf("segment %s: %d latencies, %d in the distribution, %d impossible ones; %d successes",
			g.Plan, g.Latency.Count, g.Distribution.Count(), g.Latency.Bugs, g.Counters.Replies)
	}
	if len(g.Commands) == 0 {
		return
	}
	var rows stats.Counters
	for _, row := range g.Commands {
		rows.Add(row.Counters)
		if text := unsound(row.Counters); text != "" || row.Latency.Count != row.Counters.Replies {
			c.t.Errorf("segment %s, %s: %s: %+v with %d latencies", g.Plan, row.Title, text, row.Counters, row.Latency.Count)
		}
	}
	if rows.Replies != g.Counters.Replies || rows.Errors != g.Counters.Errors {
		c.t.Errorf("segment %s: its rows add up to %+v: %+v", g.Plan, rows, g.Counters)
	}
}

// after holds that nothing is left: no connection, no goroutine, no file.
func (c *chaos) after(state string, goroutines, files int) {
	c.t.Helper()
	switch state {
	case frozen:
		c.server.Resume()
	case dead:
		c.server.Restart(c.t)
	}
	for _, n := range c.nodes {
		n.control.Close()
	}
	c.until("nothing left", func() bool {
		alone := true
		for _, n := range c.nodes {
			alone = alone && n.server.Info(c.t, "clients")["connected_clients"] == "1"
		}
		return alone && runtime.NumGoroutine() <= goroutines && loadgen.Probe().Open <= files
	})
}

// TestChaosOnTheScreen is the same through the keys of the real program: the server
// fails while knobs are turned, the screen stays and leaves the terminal as it was, and
// the summary counts what the server counted.
func TestChaosOnTheScreen(t *testing.T) {
	length, seed := chaosSettings(t, 6*time.Second)
	c := newChaos(t, seed, redistest.Start(t)) // its runner is not run
	c.base.serverCounts = c.serverCounts("set", "ping")
	races := filepath.Join(t.TempDir(), "race")
	screen := console(t, checked, []string{"GORACE=log_path=" + races}, "-p", port(c.server), "-c", "64", "--timeout", "1s")
	screen.Sees(0, "RUN")
	// A server that begins anew forgets what it counted: half of the runs have none.
	survives := seed%2 == 0
	keys := player{random: rand.New(rand.NewPCG(seed, 4))}
	for end := screen.Since() + length; screen.Since() < end; {
		for range 1 + c.random.IntN(4) {
			screen.Type(keys.next())
			time.Sleep(150 * time.Millisecond) // the load's turn; nothing depends on its length
		}
		c.befall(slices.DeleteFunc(c.disasters(), func(d disaster) bool { return d.anew && survives }))
	}
	c.heal()
	if !keys.paused {
		screen.Type(" ")
	}
	ptytest.Await(t, "a load that rests", func() bool { return still(t, c.server, "set") && still(t, c.server, "ping") })
	screen.Type("q")
	code, _ := screen.Ends()
	if found, _ := filepath.Glob(races + "*"); len(found) > 0 || strings.Contains(screen.Output(), "DATA RACE") {
		t.Errorf("a data race, told in %v: %s", found, screen.AfterScreen())
	}
	if err := screen.Restored(); err != nil {
		t.Error(err)
	}
	c.summary(screen.AfterScreen(), code, survives)
	cleaned(t, c.server, 0)
	ptytest.Await(t, "no client but those that ask", func() bool { return c.server.Info(t, "clients")["connected_clients"] == "2" })
}

// summary holds the counts that the program printed against the server's.
func (c *chaos) summary(text string, code int, survived bool) {
	c.t.Helper()
	total := regexp.MustCompile(`(?s)total:\s+([\d,]+)\s+requests\s+in\s+\S+\s+s,\s+([\d,]+)\s+errors.*?,\s+([\d,]+)\s+lost`).FindStringSubmatch(text)
	if total == nil {
		c.t.Fatalf("no total in the summary: %s", text)
	}
	requests, errors, lost := int64(number(c.t, total[1])), int64(number(c.t, total[2])), int64(number(c.t, total[3]))
	c.t.Logf("faults %v: %d requests, %d of them errors, %d lost; exit code %d", c.tally, requests, errors, lost, code)
	if code > 1 || code == 0 && errors+lost > 0 {
		c.t.Errorf("exit code %d with %d errors and %d lost: %s", code, errors, lost, text)
	}
	now := c.serverCounts("set", "ping")
	if survived {
		now.done -= c.base.done
	}
	counted := now.done + now.refused
	switch {
	case !survived:
		if counted-now.pings > requests+lost {
			c.t.Errorf("the last server alone counted %d: %s", counted-now.pings, text)
		}
	case now.done < requests-errors || now.done > requests-errors+lost || counted > requests+lost:
		// Commands of transactions that are given up are counted by nobody but the client.
		c.t.Errorf("the server counted %d and %d refused: %s", now.done, now.refused, text)
	}
}
