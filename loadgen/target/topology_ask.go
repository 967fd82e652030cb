package target

import (
	"context"
	"errors"
	"strings"
)

// ErrNoCluster is what Topology wraps for a server that is on its own: its keys are all
// in one place, and it is to be used without --cluster.
var ErrNoCluster = errors.New("the server is no part of a cluster")

// hintAlone is for --cluster against a server on its own.
const hintAlone = "leave out --cluster"

// Topology asks the server which nodes its cluster has and who serves which slot, over
// a control connection of its own. The error names the address; one that wraps
// ErrNoCluster says that there is no cluster. Slots that nobody serves are a note.
func (t Target) Topology(ctx context.Context) (Topology, error) {
	c, err := t.Control(ctx)
	if err != nil {
		return Topology{}, err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, c.Close)
	defer stop()
	p, err := c.Topology()
	if err != nil && ctx.Err() != nil && ErrorCode(err) == "closed" {
		err = trouble("look at", t.Address, ctx.Err())
	}
	return p, err
}

// Topology is Target.Topology over a connection that is there already.
func (c *Control) Topology() (Topology, error) {
	var refusal error
	for _, q := range maps() {
		reply, err := c.Do("CLUSTER", q.sub)
		var refused ReplyError
		switch {
		case errors.As(err, &refused) && alone(string(refused)):
			return Topology{}, &Error{"CLUSTER at", c.target.Address, string(refused), hintAlone, errors.Join(ErrNoCluster, refused)}
		case errors.As(err, &refused) && shut(err):
			return Topology{}, trouble("CLUSTER at", c.target.Address, err)
		case err != nil && refused == "":
			return Topology{}, err
		}
		if err == nil {
			a := newAtlas(c.target)
			if err = q.read(a, reply); err == nil && (len(a.nodes) > 0 || q.last) {
				return a.topology(), nil
			}
		}
		if refusal == nil && err != nil {
			refusal = trouble("CLUSTER "+q.sub+" at", c.target.Address, err)
		}
	}
	return Topology{}, refusal
}

// mapping is one way to ask for the map of a cluster.
type mapping struct {
	sub  string
	read func(a *atlas, reply any) error
	last bool // no node in it means that there is none
}

// maps is the ways to ask, best first. SLOTS is the oldest, all relatives of Redis know
// it, and it alone gives the names that the nodes want to be called by clients.
func maps() []mapping {
	return []mapping{
		{sub: "SLOTS", read: (*atlas).readSlots},
		{sub: "NODES", read: (*atlas).readNodes},
		{sub: "SHARDS", read: (*atlas).readShards, last: true},
	}
}

// alone tells whether a refusal of CLUSTER means that there is no cluster, in the words
// of Redis and Garnet, Dragonfly, and Kvrocks.
func alone(refusal string) bool {
	text := strings.ToLower(refusal)
	for _, words := range []string{"cluster support disabled", "cluster is disabled", "cluster mode is not enabled", "not in cluster mode"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
