package loadgen

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// scout asks the nodes of a cluster for its map whenever the load meets a sign that
// it has changed. What it finds is for the goroutine that leads the run.
type scout struct {
	run    *Runner
	doubt  chan struct{} // a sign was met
	found  chan struct{} // another map than before was told
	latest atomic.Pointer[target.Topology]
	turn   int // which node is asked first
}

// Pauses between two questions: errors may come a million times a second, and a
// failover takes seconds.
const (
	scoutSoonest = 100 * time.Millisecond
	scoutLatest  = time.Second
	scoutWithin  = time.Second // for an answer
	// scoutIdly is for what shows in no error, such as a replica that has come back.
	scoutIdly = 10 * time.Second
)

func newScout(r *Runner) *scout {
	return &scout{run: r, doubt: make(chan struct{}, 1), found: make(chan struct{}, 1)}
}

// wake says that a node was lost. It may be called on nil, and never waits.
func (s *scout) wake() {
	if s == nil {
		return
	}
	select {
	case s.doubt <- struct{}{}:
	default: // somebody has said so
	}
}

// heed looks at an error reply: some of them mean that slots are elsewhere. TRYAGAIN
// does not, it says that a slot's keys are on their way.
func (s *scout) heed(code string) {
	if s == nil {
		return
	}
	switch code {
	case string(target.Moved), string(target.Ask), "CLUSTERDOWN":
		s.wake()
	}
}

// keep looks whenever there is doubt, and now and then without, until ctx ends. It asks
// less and less often while the answer stays the same.
func (s *scout) keep(ctx context.Context) {
	defer s.run.guard("scout")
	pause, asked := scoutSoonest, s.run.now()
	idly := time.NewTicker(scoutIdly)
	defer idly.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.doubt:
		case <-idly.C:
		}
		if s.run.now()-asked > 2*scoutLatest {
			pause = scoutSoonest // a new matter
		}
		if !sleep(ctx, asked+pause-s.run.now()) {
			return
		}
		changed := s.look(ctx)
		if asked = s.run.now(); changed {
			pause = scoutSoonest
		} else {
			pause = min(2*pause, scoutLatest)
		}
	}
}

// sleep waits; false when ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// look asks once and reports whether the map is another one.
func (s *scout) look(ctx context.Context) bool {
	t, err := s.ask(ctx)
	if err != nil || len(t.Primaries()) == 0 || t.Equal(*s.latest.Load()) {
		return false // nobody knows better; the load's own trouble is counted as it is
	}
	s.latest.Store(&t)
	select {
	case s.found <- struct{}{}:
	default: // the one before was not looked at yet
	}
	return true
}

// ask has the first node answer that can, beginning with those that serve clients, and
// with another one every time: one of them may be behind the others.
func (s *scout) ask(ctx context.Context) (t target.Topology, err error) {
	nodes := s.run.everyNode()
	s.turn++
	var order []target.Target
	for i := range nodes {
		if n := nodes[(s.turn+i)%len(nodes)]; n.connected.Load() > 0 {
			order = append(order, n.target)
		}
	}
	for _, n := range s.latest.Load().Nodes {
		order = append(order, n.Target)
	}
	order = append(order, s.run.target)
	for i, to := range order {
		if slices.Contains(order[:i], to) {
			continue
		}
		within, cancel := context.WithTimeout(ctx, scoutWithin)
		t, err = to.Topology(within)
		cancel()
		if err == nil || ctx.Err() != nil {
			return t, err
		}
	}
	return t, err
}

// remapped tells when another map was found; never for a server on its own.
func (r *Runner) remapped() <-chan struct{} {
	if r.scout == nil {
		return nil
	}
	return r.scout.found
}

// survey draws the first map of a cluster; without one there is no load.
func (r *Runner) survey(ctx context.Context) error {
	if !r.first.Cluster {
		return nil
	}
	t, err := r.target.Topology(ctx)
	if err != nil {
		return fmt.Errorf("--cluster: %w", err)
	}
	if len(t.Primaries()) == 0 {
		return fmt.Errorf("--cluster: %s: no node of the cluster serves any slot", r.target)
	}
	r.shardsEach = max(1, shardCount()/len(t.Primaries()))
	r.scout.latest.Store(&t)
	if r.chart, err = drawChart(t, nil, func(n target.Node) *node { return r.nodeAt(ctx, n) }); err != nil {
		return err
	}
	r.sampler.tell(stats.Note{At: r.now(), Text: "cluster: " + t.String()})
	for _, text := range t.Notes {
		r.sampler.tell(stats.Note{At: r.now(), Warning: true, Text: "cluster: " + text})
	}
	r.helpers.Go(func() { r.scout.keep(ctx) })
	return nil
}

// nodeAt is the run's node for a node of the cluster. A new one is looked after from
// now on.
func (r *Runner) nodeAt(ctx context.Context, at target.Node) *node {
	all := r.everyNode()
	if i := slices.IndexFunc(all, func(n *node) bool { return n.target == at.Target }); i >= 0 {
		all[i].id = at.ID
		return all[i]
	}
	n := newNode(r, at.Target, r.shardsEach)
	n.id, n.ledger = at.ID, newLedger()
	longer := append(slices.Clip(all), n)
	r.nodes.Store(&longer)
	r.helpers.Go(func() { n.stores.keep(r.stop) })
	r.helpers.Go(func() { r.listen(ctx, n) })
	return n
}

// remap puts another map of the cluster into force: clients move to where the slots
// are, and the segment goes on (M16 is about the user's changes, not the server's).
func (r *Runner) remap(ctx context.Context) {
	t := *r.scout.latest.Load()
	c, err := drawChart(t, r.chart, func(n target.Node) *node { return r.nodeAt(ctx, n) })
	if err != nil || len(c) == 0 || c.equal(r.chart) {
		return
	}
	before := r.chart
	r.chart = c
	r.crew.mu.Lock()
	old := r.epoch.Load()
	ep := old.edition()
	err = r.man(ep, old)
	r.openStocks(ep)
	r.epoch.Store(ep)
	close(old.over)
	r.crew.mu.Unlock()
	for _, h := range c.handovers(before) {
		r.sampler.announce(r.now(), h)
	}
	if len(c) != len(before) {
		r.sampler.tell(stats.Note{At: r.now(), Warning: true, Text: "cluster: " + primaries(len(c)) + ", before " + primaries(len(before))})
	}
	for _, text := range readerNotes(old.posts, ep.posts) {
		r.sampler.tell(stats.Note{At: r.now(), Warning: true, Text: text})
	}
	if err != nil {
		r.sampler.tell(stats.Note{At: r.now(), Warning: true, Text: err.Error()})
	}
}

// readerNotes says which replicas have begun or ceased to answer reads.
func readerNotes(before, now []*post) (texts []string) {
	apart := func(a, b []*post, format string) {
		for _, p := range a {
			if p.replica && !slices.ContainsFunc(b, func(q *post) bool { return q.node == p.node }) {
				texts = append(texts, fmt.Sprintf(format, p.node.target))
			}
		}
	}
	apart(before, now, "cluster: replica %s is gone, others answer its reads")
	apart(now, before, "cluster: replica %s answers reads")
	return texts
}

func primaries(n int) string {
	if n == 1 {
		return "1 primary"
	}
	return fmt.Sprintf("%d primaries", n)
}

// idleNodes warns of primaries that ep sends nothing to, "" when there are none: with
// fewer clients than nodes, or fewer keys.
func (r *Runner) idleNodes(ep *epoch) string {
	if !r.first.Cluster {
		return ""
	}
	silent := 0
	for _, of := range r.chart {
		busy := func(p *post) bool {
			return p.clients > 0 && (p.node == of.node || slices.Contains(of.replicas, p.node))
		}
		if !slices.ContainsFunc(ep.posts, busy) {
			silent++
		}
	}
	if silent == 0 {
		return ""
	}
	why := "the keys are on the others"
	if served := len(ep.keepers); ep.plan.Clients < served {
		why = fmt.Sprintf("-c %d is less than the nodes that have keys, %d", ep.plan.Clients, served)
	}
	return fmt.Sprintf("%d of %s get no load: %s", silent, primaries(len(r.chart)), why)
}
