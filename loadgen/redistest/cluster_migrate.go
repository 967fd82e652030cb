package redistest

import (
	"testing"

	"github.com/gomodule/redigo/redis"
)

// moveAtOnce is how many keys one MIGRATE takes along.
const moveAtOnce = 100

// Migrate moves slots with their keys from one node to another, both given by their
// places, one slot after the other and each as Open, Carry and Settle do.
func (c *Cluster) Migrate(t testing.TB, from, to int, slots ...int) {
	t.Helper()
	for _, slot := range slots {
		c.Open(t, from, to, slot)
		c.Carry(t, from, to, slot)
		c.Settle(t, from, to, slot)
	}
}

// Open begins to move a slot: from answers for the keys that it still has and sends
// clients on with ASK for those that it has not.
func (c *Cluster) Open(t testing.TB, from, to, slot int) {
	t.Helper()
	// In this order: otherwise to would send back with MOVED whom from sends with ASK.
	c.Nodes[to].Do(t, "CLUSTER", "SETSLOT", slot, "IMPORTING", c.Nodes[from].ID)
	c.Nodes[from].Do(t, "CLUSTER", "SETSLOT", slot, "MIGRATING", c.Nodes[to].ID)
}

// Carry moves all keys of a slot that Open has opened and returns how many they were.
func (c *Cluster) Carry(t testing.TB, from, to, slot int) (moved int) {
	t.Helper()
	for {
		n := c.CarrySome(t, from, to, slot)
		if n == 0 {
			return moved
		}
		moved += n
	}
}

// CarrySome moves up to a hundred keys of a slot.
func (c *Cluster) CarrySome(t testing.TB, from, to, slot int) int {
	t.Helper()
	source, goal := c.Nodes[from], c.Nodes[to]
	keys, err := redis.Values(source.Do(t, "CLUSTER", "GETKEYSINSLOT", slot, moveAtOnce), nil)
	if err != nil {
		t.Fatalf("keys of slot %d on %s: %v", slot, source.Addr, err)
	}
	if len(keys) == 0 {
		return 0
	}
	args := []any{goal.Host, goal.member(), "", 0, controlTimeout.Milliseconds()}
	if goal.password != "" {
		args = append(args, "AUTH", goal.password)
	}
	source.Do(t, "MIGRATE", append(append(args, "KEYS"), keys...)...)
	return len(keys)
}

// Settle ends the move of a slot that has no keys left at from. The two nodes know it
// at once, the others soon: WaitOK waits for them.
func (c *Cluster) Settle(t testing.TB, from, to, slot int) {
	t.Helper()
	c.Nodes[to].Do(t, "CLUSTER", "SETSLOT", slot, "NODE", c.Nodes[to].ID)
	c.Nodes[from].Do(t, "CLUSTER", "SETSLOT", slot, "NODE", c.Nodes[to].ID)
}
