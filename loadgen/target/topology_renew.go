package target

import (
	"context"
	"time"
)

// renewLimit is how long each node may take to answer Renew: a frozen one must not keep
// the others from being asked.
const renewLimit = time.Second

// Renew asks the nodes of p for the present topology, one after the other in their
// order, until one answers. The target asked first of all may be the very node that is
// gone. The error is that of the last one.
func (p Topology) Renew(ctx context.Context) (Topology, error) {
	var failed error = &Error{Op: "renew", Addr: "the map of the cluster", Text: "it has no nodes", Err: ErrNoCluster}
	for _, n := range p.Nodes {
		within, cancel := context.WithTimeout(ctx, renewLimit)
		fresh, err := n.Target.Topology(within)
		cancel()
		if err == nil {
			return fresh, nil
		}
		if failed = err; ctx.Err() != nil {
			break
		}
	}
	return Topology{}, failed
}

// Cluster is the topology of the cluster that a preflight met, for offering --cluster
// to somebody who goes at one node of it. It asks t only when i says that it is part of
// a cluster, or when the server hides INFO. Whatever fails means false: an offer is not
// worth an error.
func (i Info) Cluster(ctx context.Context, t Target) (Topology, bool) {
	if i.Mode != "cluster" && i.Mode != "" {
		return Topology{}, false
	}
	p, err := t.Topology(ctx)
	return p, err == nil && p.Covered > 0
}

// Offer is a line for somebody who goes at one node of p without --cluster.
func (p Topology) Offer() string {
	if len(p.Primaries()) == 1 {
		return "this is a cluster with one primary: --cluster keeps the keys of each command in one slot, so that commands with several keys work"
	}
	return "this is a node of a cluster (" + p.String() + "): --cluster spreads the load, without it keys of the other nodes are refused with MOVED"
}
