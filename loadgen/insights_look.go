package loadgen

import (
	"cmp"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
)

// observer makes an Insight of every look at the server and at this machine (M25,
// M26). It asks no server itself: the witness, to whose goroutine it belongs, and the
// nodes of a cluster bring what was told.
type observer struct {
	run    *Runner
	off    bool // nobody wants to know
	latest atomic.Pointer[Insight]

	system fs.FS // the root directory
	host   *insight.Host
	way    Way
	asked  int                         // commands that asked the server how it fares
	idle   insight.Told[time.Duration] // round trip before the load

	before  look
	since   look // where the present stretch began
	servers map[*node]*watched
	steady  insight.Steady

	held    []holding
	past    Insight // what is carried from look to look
	machine insight.Machine
}

// look is what was found at one moment, the server's word apart.
type look struct {
	at       time.Duration
	counted  time.Duration // when counters were
	asked    int           // of the server until then
	wall     time.Time
	host     insight.HostReading
	counters stats.Counters
	stretch  stretch
}

// stretch is a time under one load: that of a segment, without its pauses.
type stretch struct {
	after  int // epoch of the last segment before
	plan   string
	loaded bool
}

// watched is one server, and what it did.
type watched struct {
	reading insight.Reading
	told    bool
	delta   insight.Delta
	fresh   bool          // delta is that of the last second
	since   insight.Delta // of the present stretch
}

// holding is what held a segment back.
type holding struct {
	epoch   int // the newest that belongs to the segment
	stretch stretch
	limiter insight.Limiter
	length  time.Duration
}

// leastLook is how long a look must be from the one before to say anything, unless it is
// all there is.
const leastLook = 300 * time.Millisecond

// Bounds of what a run that lasts for days remembers of its server.
const (
	mostBeats  = 3600
	mostEvents = 200
)

func newObserver(r *Runner) *observer {
	return &observer{run: r, system: os.DirFS("/"), servers: map[*node]*watched{}}
}

// Insight is the latest look at the server and at this machine, about a second old at
// most; nil before the first, and free to call.
func (r *Runner) Insight() *Insight { return r.observer.latest.Load() }

// WithoutInsight keeps the run from asking the server how it fares: for whoever runs
// several at once and asks for all of them. To be called before Run.
func (r *Runner) WithoutInsight() { r.observer.off = true }

// heard takes a server's answer; n is nil for a server on its own.
func (o *observer) heard(n *node, r insight.Reading) {
	w := o.servers[n]
	if w == nil {
		w = &watched{}
		o.servers[n] = w
	}
	was, told := w.reading, w.told
	if told && r.At.Equal(was.At) {
		return // a node that was not asked since
	}
	w.reading, w.told, w.fresh = r, true, false
	if !told || r.Server.Process != was.Server.Process {
		o.watch(r.Server)
	}
	if !told {
		return
	}
	d, ok := insight.Between(was, r)
	if !ok {
		o.event(anew(was, r))
		return
	}
	w.delta, w.fresh = d, true
	w.since = w.since.Add(d)
	for _, text := range d.Events() {
		o.event(text)
	}
}

// told takes the INFO of a server on its own, as it has just come.
func (o *observer) told(text string) {
	if o.off || o.run.first.Cluster {
		return
	}
	o.asked += infoCommands
	r := insight.Parse(text)
	r.At = time.Now()
	o.heard(nil, r)
}

// hearNodes takes what the nodes of a cluster said of themselves.
func (o *observer) hearNodes() {
	if !o.run.first.Cluster {
		return
	}
	for _, n := range o.run.everyNode() {
		if r := n.reading.Load(); r != nil {
			o.heard(n, *r)
		} else if no := n.silent.Load(); no != nil {
			o.past.Silent = string(*no)
		}
	}
}

// anew is why two answers do not belong together.
func anew(was, is insight.Reading) string {
	if was.RunID != is.RunID || is.Server.Uptime.Value < was.Server.Uptime.Value {
		return "server restarted"
	}
	return "server counters reset"
}

// watch has the host look after a server that runs on it.
func (o *observer) watch(s insight.Server) {
	if o.way.Local && o.host != nil && !o.run.first.Cluster {
		o.host.Watch(s)
	}
}

func (o *observer) event(text string) {
	list := o.past.Events
	if len(list) >= mostEvents {
		list = slices.Clone(list[mostEvents/10:])
	}
	o.past.Events = append(slices.Clip(list), stats.Mark{At: o.run.now(), Text: text})
}

// see takes a look at everything but the server, and makes an Insight of it and of what
// was heard.
func (o *observer) see() {
	if o.host == nil {
		o.settleIn()
	}
	o.hearNodes()
	o.past.Silent = cmp.Or(o.past.Silent, o.run.witness.refusal)
	snap := o.run.Snapshot()
	now := o.look(snap)
	before := o.before
	o.before = now
	host, timed := insight.HostBetween(before.host, now.host)
	timed = timed && !before.wall.IsZero()
	fresh := now.stretch != before.stretch || o.since.wall.IsZero()
	if fresh {
		o.begin(now)
	}
	in := o.past
	in.At, in.Machine = now.at, o.machine
	server, known := o.busiest(func(w *watched) (insight.Delta, bool) { return w.delta, w.fresh })
	if known != nil {
		in.Reading, in.Delta = known.reading, server
		if !fresh {
			in.Since = known.since
		}
	} else if w := o.servers[nil]; w != nil {
		in.Reading = w.reading
	}
	if timed {
		in.Host = host
	}
	if now.stretch.loaded && timed {
		o.judge(&in, snap, before)
	} else {
		in.Limiter = o.steady.Shown()
	}
	if timed && now.at-before.at >= leastLook {
		o.beat(&in, known)
	}
	in.held = slices.Clone(o.held)
	o.past = in
	o.latest.Store(&in)
	for _, w := range o.servers {
		w.fresh = false
	}
}

// look is the present moment.
func (o *observer) look(snap *stats.Snapshot) look {
	l := look{at: o.run.now(), counted: snap.Elapsed, asked: o.asked, wall: time.Now(), counters: snap.Total}
	l.host = o.host.Read(l.wall, insight.OwnCPU())
	l.stretch = stretch{plan: snap.Current.Plan}
	if n := len(snap.History); n > 0 {
		l.stretch.after = snap.History[n-1].Epoch
	}
	switch snap.State {
	case stats.Settling, stats.Measuring, stats.Draining, stats.Done:
		l.stretch.loaded = true
	}
	return l
}

// begin opens a stretch: what was seen before it has no say any more.
func (o *observer) begin(now look) {
	o.since = now
	o.past.Since, o.past.HostAll, o.past.Notes = insight.Delta{}, insight.HostDelta{}, nil
	if now.stretch.loaded {
		o.steady = insight.Steady{}
	}
	for _, w := range o.servers {
		w.since = insight.Delta{}
	}
}

// busiest is the server that decides what the load can do, by what of tells of each.
func (o *observer) busiest(of func(*watched) (insight.Delta, bool)) (insight.Delta, *watched) {
	var all []insight.Delta
	var whose []*watched
	for _, w := range o.servers {
		if d, ok := of(w); ok {
			all, whose = append(all, d), append(whose, w)
		}
	}
	b, ok := insight.Busiest(all)
	if !ok {
		return b, nil
	}
	i := slices.IndexFunc(all, func(d insight.Delta) bool {
		return d.Elapsed == b.Elapsed && d.Commands == b.Commands && d.Main == b.Main
	})
	return b, whose[i]
}

// judge names the limiter of the last second for the screen, and that of the stretch
// for the result.
func (o *observer) judge(in *Insight, snap *stats.Snapshot, before look) {
	now := o.before
	second := o.evidence(snap, before, now)
	second.Host = insight.Tell(in.Host)
	if in.Delta.Elapsed > 0 {
		second.Server = insight.Tell(in.Delta)
	}
	l, length := o.decide(second), now.at-before.at
	if length >= leastLook || o.steady.Shown().Name == "" {
		o.steady = o.steady.Next(now.wall, l)
	}
	in.Limiter = o.steady.Shown()
	if all, ok := insight.HostBetween(o.since.host, now.host); ok {
		in.HostAll, length = all, now.at-o.since.at
		whole := o.evidence(snap, o.since, now)
		whole.Host = insight.Tell(all)
		if d, w := o.busiest(func(w *watched) (insight.Delta, bool) { return w.since, w.since.Elapsed > 0 }); w != nil {
			whole.Server = insight.Tell(d)
			in.Since = d
			in.Notes = d.Notes(o.sent(whole, now), whole.Pipeline)
		}
		l = o.decide(whole)
	}
	if o.aside(in.Reading) {
		in.Notes = append(slices.Clip(in.Notes), sharedProcess)
	}
	o.hold(holding{epoch: snap.Epoch, stretch: now.stretch, limiter: l, length: length})
}

// sent is how many commands were sent in a stretch, questions included; -1 where it is one of several
// servers that got them.
func (o *observer) sent(e insight.Evidence, now look) int64 {
	if o.run.first.Cluster {
		return -1
	}
	return now.counters.Sent - o.since.counters.Sent + int64(now.asked-o.since.asked)
}

// evidence is what the load itself did between two looks.
func (o *observer) evidence(snap *stats.Snapshot, a, b look) insight.Evidence {
	ep := o.run.epoch.Load()
	e := insight.Evidence{
		Elapsed: b.counted - a.counted, Clients: ep.plan.Clients, Pipeline: ep.depth, Paced: ep.plan.Rate,
		Replies: b.counters.Replies - a.counters.Replies, Errors: b.counters.Errors - a.counters.Errors,
		In: b.counters.BytesIn - a.counters.BytesIn, Out: b.counters.BytesOut - a.counters.BytesOut,
		Simulated: ep.plan.RTT, RoundTrip: o.idle,
		Link: o.way.Link, Interface: o.way.Interface, Local: o.way.Local,
	}
	if e.RoundTrip.Known || e.Simulated > 0 {
		e.RoundTrip = insight.Tell(e.RoundTrip.Value + e.Simulated)
	}
	e.Latency = service(snap)
	if up := o.up(snap); !ep.plan.Reconnect && up < e.Clients {
		e.Missing = e.Clients - up
	}
	for _, f := range snap.Faults {
		if f.Class == stats.ReplyFault && e.Errors > 0 {
			e.FirstError = f.Text
			break
		}
	}
	return e
}

// up is how many clients are connected, or were when the load ended.
func (o *observer) up(snap *stats.Snapshot) int {
	if n := o.run.standing.Load(); n >= 0 {
		return int(n)
	}
	return snap.Connected
}

// service is the mean time that batches took, waiting for their planned moment left out.
func service(snap *stats.Snapshot) time.Duration {
	for _, s := range []stats.Segment{snap.Window, snap.Current} {
		took := s.Latency
		if s.Target > 0 {
			took = s.Service
		}
		if mean, ok := took.Mean(); ok {
			return mean
		}
	}
	return 0
}

// sharedProcess is what is to be known of a server in the process of the load.
const sharedProcess = "the built-in server runs in this process: client and server share its CPU time, so that neither can be named as the limit"

// aside reports whether the server is a part of this process.
func (o *observer) aside(r insight.Reading) bool {
	return o.way.Local && r.Server.Process == insight.Tell(int64(os.Getpid()))
}

// decide names the limiter. The CPU time of a process that is client and server at once
// says of neither that it is the limit.
func (o *observer) decide(e insight.Evidence) insight.Limiter {
	w := o.servers[nil]
	if w == nil || !o.aside(w.reading) {
		return insight.Decide(e)
	}
	load, known := e.Host.Value.Client()
	e.Host.Value.CPU = insight.Told[time.Duration]{}
	l := insight.Decide(e)
	if known && load.Share >= processFull && l.Name != insight.ByErrors && l.Name != insight.ByHost {
		return insight.Limiter{
			Name: insight.ByUnknown, Evidence: "client and built-in server in one process: " + load.Words,
			Advice: "measure a server of its own to learn which of the two is the limit",
		}
	}
	return l
}

// processFull is M26's share of the process's CPU from which on it is the limit.
const processFull = 0.85

// hold keeps what holds the present segment back, in place of what was said before.
func (o *observer) hold(h holding) {
	if n := len(o.held); n > 0 && o.held[n-1].stretch == h.stretch {
		o.held[n-1] = h
		return
	}
	if len(o.held) >= mostSegments {
		o.held = slices.Clone(o.held[mostSegments/10:])
	}
	o.held = append(o.held, h)
}
