package loadgen

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// node is one server of a run, known by its address for as long as the run lasts. A
// server on its own is the only node of its run.
type node struct {
	target    target.Target
	id        string // the cluster's name for it
	shards    []*stats.Shard
	stores    *stockroom
	connected atomic.Int64
	standing  atomic.Int64                      // connected when the load ended
	reading   atomic.Pointer[insight.Reading]   // of a cluster: its latest word of itself
	silent    atomic.Pointer[target.ReplyError] // why it has none; nil = it has
	ledger    *ledger                           // its own figures; nil where there is one server only
}

// newNode makes a node with so many shards.
func newNode(r *Runner, t target.Target, shards int) *node {
	n := &node{target: t}
	for range shards {
		n.shards = append(n.shards, &stats.Shard{})
	}
	n.stores = newStockroom(r, t)
	return n
}

// shardCount is how many shards all clients of a run share. Where threads compete,
// two for each keep a lock free nearly always; a single thread has nobody to wait
// for, and every shard costs a merge.
func shardCount() int { return 2*runtime.GOMAXPROCS(0) - 1 }

// everyNode is the nodes met so far. The list is only ever replaced, so that the
// sampler may walk through it at any time.
func (r *Runner) everyNode() []*node { return *r.nodes.Load() }

// post is what one node is sent under an epoch, and by whom.
type post struct {
	node     *node
	workload workload.Workload // only what lies in the node's slots
	source   *workload.Source  // what all its workers draw from: one payload for all
	wires    *wires            // the commands as bytes, shared in the same way
	replica  bool              // its connections begin with READONLY
	clients  int               // how many belong here; in a cluster only
}

// newPost makes the post after old, which may be nil. Equal workloads share their
// source, so that turning another knob rebuilds no payload and restarts no sequence
// of keys.
func newPost(old *post, n *node, w workload.Workload) *post {
	p := &post{node: n, workload: w}
	if old != nil && old.workload.Same(w) {
		p.source, p.wires = old.source, old.wires
		return p
	}
	p.source = w.Source()
	p.wires = &wires{forms: make([]atomic.Pointer[target.Prepared], p.source.Forms())}
	return p
}

// seat is where the worker numbered id has its place under e.
func (e *epoch) seat(id int) *post {
	if len(e.seats) == 0 {
		return e.posts[0]
	}
	return e.seats[id%len(e.seats)]
}

// keeper is the post at whose node old's data for n is, nil when there is none.
func (e *epoch) keeper(n *node) *post {
	if e == nil {
		return nil
	}
	if i := slices.IndexFunc(e.keepers, func(p *post) bool { return p.node == n }); i >= 0 {
		return e.keepers[i]
	}
	return nil
}

// man gives ep its posts and, in a cluster, each client its place; old is the epoch
// before. The error says that no node can be sent ep's commands; ep is manned all the
// same.
func (r *Runner) man(ep, old *epoch) error {
	if !r.first.Cluster {
		n := r.everyNode()[0]
		ep.posts = []*post{newPost(old.keeper(n), n, ep.plan.Workload)}
		ep.keepers = ep.posts
		return nil
	}
	ep.chart = r.chart
	var weights []float64
	for _, of := range ep.chart {
		w := ep.plan.Workload
		w.Slots = of.slots
		if w.KeysHere() == 0 {
			continue
		}
		home := newPost(old.keeper(of.node), of.node, w)
		ep.keepers = append(ep.keepers, home)
		readers := of.readers(ep.plan, home)
		for _, p := range readers {
			ep.posts = append(ep.posts, p)
			weights = append(weights, float64(of.slots.Count())/float64(len(readers)))
		}
	}
	if len(ep.posts) == 0 {
		of := r.chart[0]
		w := ep.plan.Workload
		w.Slots = of.slots
		ep.posts = []*post{newPost(nil, of.node, w)}
		ep.keepers = ep.posts
		return fmt.Errorf("command %s: no node of the cluster has all of its keys: put the same {tag} into each of them", ep.plan.Workload.Mix)
	}
	counts := shares(ep.plan.Clients, weights)
	for i, p := range ep.posts {
		p.clients = counts[i]
	}
	ep.seats = seating(ep.posts, counts, old.places())
	return nil
}

func (e *epoch) places() []*post {
	if e == nil {
		return nil
	}
	return e.seats
}

// readers are the posts of those who answer p: the primary, whose post is home, its
// replicas, or both.
func (t territory) readers(p Plan, home *post) []*post {
	replicas, primaries := p.readers()
	if !replicas || len(t.replicas) == 0 {
		return []*post{home}
	}
	var all []*post
	if primaries {
		all = append(all, home)
	}
	for _, n := range t.replicas {
		copied := *home
		copied.node, copied.replica = n, true
		all = append(all, &copied)
	}
	return all
}

// edition is e with new posts after a change of the cluster: the same plan under the
// same number, so that everything measured stays in one segment, and the same
// schedule.
func (e *epoch) edition() *epoch {
	return &epoch{
		number: e.number, plan: e.plan, over: make(chan struct{}), depth: e.depth, multi: e.multi,
		counted: e.counted, start: e.start, batches: e.batches, every: e.every,
	}
}

// prepare writes what the plan's commands need.
func (r *Runner) prepare(ctx context.Context, p Plan) error {
	ep := newEpoch(nil, p, 0)
	if err := r.man(ep, r.epoch.Load()); err != nil {
		return err
	}
	return r.atOnce(len(ep.keepers), func(i int, stop func() bool) error {
		post := ep.keepers[i]
		return post.node.stores.prepare(ctx, post.workload, func() bool { return stop() || r.interrupted() })
	})
}

// nodesAtOnce is how many nodes are prepared at the same time.
const nodesAtOnce = 8

// atOnce does something for each of n nodes, several at a time, and joins them. The
// error is the first; stop then has the others end before they are done.
func (r *Runner) atOnce(n int, do func(i int, stop func() bool) error) error {
	if n == 1 {
		return do(0, func() bool { return false })
	}
	var all sync.WaitGroup
	var failed atomic.Pointer[error]
	stop := func() bool { return failed.Load() != nil }
	next := make(chan struct{}, nodesAtOnce)
	for i := range n {
		next <- struct{}{}
		all.Go(func() {
			defer r.guard("preparation")
			defer func() { <-next }()
			if err := do(i, stop); err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}
