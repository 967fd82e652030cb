package loadgen

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// node is one server of a run, known by its address for as long as the run lasts. A
// server on its own is the only node of its run.
type node struct {
	target    target.Target
	shards    []*stats.Shard
	stores    *stockroom
	connected atomic.Int64
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

// admit takes n in and begins to look after its stocks.
func (r *Runner) admit(n *node) {
	all := append(slices.Clip(r.everyNode()), n)
	r.nodes.Store(&all)
	r.helpers.Go(func() { n.stores.keep(r.stop) })
}

// post is what one node is sent under an epoch, and by whom.
type post struct {
	node     *node
	workload workload.Workload // only what lies in the node's slots
	source   *workload.Source  // what all its workers draw from: one payload for all
	wires    *wires            // the commands as bytes, shared in the same way
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
func (e *epoch) seat(id int) *post { return e.posts[0] }

// post is where n is under e, nil when it has no part in it.
func (e *epoch) post(n *node) *post {
	if e == nil {
		return nil
	}
	if i := slices.IndexFunc(e.posts, func(p *post) bool { return p.node == n }); i >= 0 {
		return e.posts[i]
	}
	return nil
}

// man gives ep its posts; old is the epoch before.
func (r *Runner) man(ep, old *epoch) {
	n := r.everyNode()[0]
	ep.posts = []*post{newPost(old.post(n), n, ep.plan.Workload)}
}

// prepare writes what the plan's commands need, node after node.
func (r *Runner) prepare(ctx context.Context, p Plan) error {
	ep := newEpoch(nil, p, 0)
	r.man(ep, r.epoch.Load())
	for _, post := range ep.posts {
		if err := post.node.stores.prepare(ctx, post.workload, r.interrupted); err != nil {
			return err
		}
	}
	return nil
}
