package main_test

import (
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

// TestChaosInACluster is TestChaos against three primaries: one of them fails at a time,
// or a slot moves while load lies on it. Without replicas nobody takes over, and what
// all of them count is what the run counts.
func TestChaosInACluster(t *testing.T) {
	length, seed := chaosSettings(t, 6*time.Second)
	cluster := redistest.StartCluster(t, 3, 0)
	var servers []*redistest.Server
	for _, n := range cluster.Nodes {
		servers = append(servers, n.Server)
	}
	c := newChaos(t, seed, servers...)
	c.loads = []string{"get", "incr", "ping_mbulk", "hset", "mset", "get=5,incr=1,hset=1"}
	move := disaster{"move a slot", func() { c.move(cluster) }, false}
	c.more = []disaster{move, move, move}
	c.run(length)
}

// move has another node take the slot of a key of the node whose turn it is.
func (c *chaos) move(cluster *redistest.Cluster) {
	c.t.Helper()
	server := c.server
	c.heal()
	cluster.WaitOK(c.t)
	key, err := target.Text(server.Do(c.t, "RANDOMKEY"), nil)
	if err != nil {
		return // it has none
	}
	slot, err := target.Int64(server.Do(c.t, "CLUSTER", "KEYSLOT", key), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	owner := cluster.Owner(c.t, int(slot))
	for from, n := range cluster.Nodes {
		if n == owner {
			cluster.Migrate(c.t, from, (from+1+c.random.IntN(len(cluster.Nodes)-1))%len(cluster.Nodes), int(slot))
			return
		}
	}
}
