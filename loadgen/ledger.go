package loadgen

import (
	"slices"
	"time"

	"fullbore/loadgen/stats"
)

// ledger is what was measured at one node of a cluster. Only the sampler touches it.
type ledger struct {
	recent [2]account // the window: what is full, and what is being filled
	seg    account    // the present segment
	whole  account    // the segments before

	window, current, total stats.Latency // as of the last refresh
	role                   string        // the last one it had
}

// account is a tally with the node's CPU time in it.
type account struct {
	tally    *stats.Tally
	measured time.Duration // of the window; elsewhere it is the sampler's to know
	cpu      cpuTime
}

// cpuTime is CPU time of the thread that runs commands, spent in so much wall time.
type cpuTime struct{ main, watched time.Duration }

func (c *cpuTime) add(o cpuTime) {
	c.main += o.main
	c.watched += o.watched
}

// share is the CPU time as a share of one core; negative when nothing is known.
func (c cpuTime) share() float64 {
	if c.watched <= 0 {
		return -1
	}
	return c.main.Seconds() / c.watched.Seconds()
}

func (a *account) reset() {
	a.tally.Reset()
	a.measured, a.cpu = 0, cpuTime{}
}

func (a *account) merge(o *account) {
	a.tally.Merge(o.tally, nil)
	a.measured += o.measured
	a.cpu.add(o.cpu)
}

func newLedger() *ledger {
	fresh := func() account { return account{tally: stats.NewTally()} }
	return &ledger{recent: [2]account{fresh(), fresh()}, seg: fresh(), whole: fresh()}
}

// book adds a recording that belongs to the window and, when it was measured, to the
// segment.
func (l *ledger) book(r *stats.Recording, measured bool, between func()) {
	l.recent[1].tally.AbsorbReplies(r, between)
	if measured {
		l.seg.tally.AbsorbReplies(r, between)
	}
}

// pass moves the window on by one interval; half of it is forgotten at a time.
func (l *ledger) pass(span, window time.Duration) {
	l.recent[1].measured += span
	if l.recent[1].measured >= window/2 {
		l.recent[0], l.recent[1] = l.recent[1], l.recent[0]
		l.recent[1].reset()
	}
}

// close begins a segment.
func (l *ledger) close() {
	l.whole.merge(&l.seg)
	for _, a := range []*account{&l.seg, &l.recent[0], &l.recent[1]} {
		a.reset()
	}
	l.window, l.current = stats.Latency{}, stats.Latency{}
}

// refresh recomputes what needs a walk over histograms. scratch is for summing up; between
// is that of Tally.Merge.
func (l *ledger) refresh(scratch *stats.Tally, between func()) {
	together := func(a, b *account) stats.Latency {
		scratch.Reset()
		scratch.Merge(a.tally, between)
		scratch.Merge(b.tally, between)
		return scratch.Latency()
	}
	l.current = l.seg.tally.Latency()
	l.window = together(&l.recent[0], &l.recent[1])
	l.total = l.current
	if l.whole.tally.Counters.Batches > 0 {
		l.total = together(&l.whole, &l.seg)
	}
}

// bookNode adds a recording to the figures of its node.
func (s *sampler) bookNode(p part) {
	l := p.node.ledger
	if l == nil {
		return
	}
	switch {
	case s.measuring(p.recording.Epoch):
		l.book(p.recording, true, s.breathe)
	case s.phase == stats.Settling && p.recording.Epoch == s.seg.epoch:
		l.book(p.recording, false, s.breathe)
	}
}

// ledgers calls f for the figures of every node of a cluster.
func (s *sampler) ledgers(f func(*ledger)) {
	for _, n := range s.run.everyNode() {
		if n.ledger != nil {
			f(n.ledger)
		}
	}
}

// watched books CPU time that a node has told of.
func (s *sampler) watched(l *ledger, c cpuTime) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.recent[1].cpu.add(c)
	if s.phase == stats.Measuring {
		l.seg.cpu.add(c)
	}
}

// The roles of nodes.
const (
	rolePrimary = "primary"
	roleReplica = "replica"
)

// nodes are the figures of all nodes of a cluster that have a part in the load:
// primaries, replicas, and those that had one before.
func (s *sampler) nodes() []stats.Node {
	if !s.run.first.Cluster {
		return nil
	}
	ep := s.run.epoch.Load()
	var primaries, replicas, idle []stats.Node
	for _, p := range ep.posts {
		n := s.figures(p.node)
		n.Slots, n.Clients, n.Role = p.workload.Slots.Count(), p.clients, rolePrimary
		if p.replica {
			n.Role = roleReplica
		}
		n.Window.Clients, n.Current.Clients, n.Whole.Clients = n.Clients, n.Clients, n.Clients
		if p.node.ledger.role = n.Role; p.replica {
			replicas = append(replicas, n)
		} else {
			primaries = append(primaries, n)
		}
	}
	for _, n := range s.run.everyNode() {
		here := slices.ContainsFunc(ep.posts, func(p *post) bool { return p.node == n })
		if f := s.figures(n); !here && f.Whole.Counters.Sent > 0 {
			if f.Role, f.Slots = ep.chart.part(n); f.Role == "" {
				f.Role, f.Gone = n.ledger.role, true
			}
			idle = append(idle, f)
		}
	}
	return slices.Concat(primaries, replicas, idle)
}

// figures is what was measured at n.
func (s *sampler) figures(n *node) stats.Node {
	l := n.ledger
	out := stats.Node{Address: n.target.String(), Connected: int(n.connected.Load()), CPU: -1}
	if s.run.standing.Load() >= 0 {
		out.Connected = int(n.standing.Load())
	}
	if s.seg == nil {
		return out
	}
	segment := s.seg.describe()
	segment.Plan, segment.Target, segment.Steady = "", 0, stats.Unjudged
	out.Window, out.Current, out.Whole = segment, segment, segment

	lately := l.recent[0].cpu
	lately.add(l.recent[1].cpu)
	out.CPU = lately.share()
	out.Window.Measured = l.recent[0].measured + l.recent[1].measured
	out.Window.Counters = l.recent[0].tally.Counters
	out.Window.Counters.Add(l.recent[1].tally.Counters)
	out.Window.Latency = l.window

	out.Current.Start, out.Current.Measured = s.seg.start, s.seg.measured
	out.Current.Counters, out.Current.Latency = l.seg.tally.Counters, l.current

	out.Whole.Measured = s.wholeFor + s.seg.measured
	out.Whole.Counters = l.whole.tally.Counters
	out.Whole.Counters.Add(l.seg.tally.Counters)
	out.Whole.Latency = l.total
	return out
}

// finished is nodes for a result, whose CPU is that of the last segment.
func (s *sampler) finished() []stats.Node {
	all := s.nodes()
	for i := range all {
		for _, n := range s.run.everyNode() {
			if n.target.String() == all[i].Address {
				all[i].CPU = n.ledger.seg.cpu.share()
			}
		}
	}
	return all
}
