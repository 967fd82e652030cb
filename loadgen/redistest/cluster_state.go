package redistest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gomodule/redigo/redis"
)

// running tells whether the node's process is there; a frozen one is.
func (n *ClusterNode) running() bool {
	select {
	case <-n.daemon.Exited():
		return false
	default:
		return true
	}
}

// Running are the nodes whose processes run, in their places' order.
func (c *Cluster) Running() []*ClusterNode {
	return slices.DeleteFunc(slices.Clone(c.Nodes), func(n *ClusterNode) bool { return !n.running() })
}

// Kill ends the i-th node at once (SIGKILL). Restart of the node brings it back, with
// its ID and without data; it follows whoever has taken over from it.
func (c *Cluster) Kill(i int) { c.Nodes[i].Kill() }

// Primaries are the running nodes that are primaries by their own word at the moment.
func (c *Cluster) Primaries(t testing.TB) []*ClusterNode {
	t.Helper()
	var all []*ClusterNode
	for _, n := range c.Running() {
		if n.Info(t, "replication")["role"] == "master" {
			all = append(all, n)
		}
	}
	return all
}

// Owner is the running primary that serves slot, by its own word.
func (c *Cluster) Owner(t testing.TB, slot int) *ClusterNode {
	t.Helper()
	for _, n := range c.Primaries(t) {
		ranges, err := redis.Values(n.Do(t, "CLUSTER", "SLOTS"), nil)
		if err != nil {
			t.Fatalf("CLUSTER SLOTS on %s: %v", n.Addr, err)
		}
		for _, r := range ranges {
			first, last, id := slotRange(r)
			if first <= int64(slot) && int64(slot) <= last && id == n.ID {
				return n
			}
		}
	}
	t.Fatalf("slot %d: no running node serves it", slot)
	return nil
}

// slotRange reads the beginning of an entry of CLUSTER SLOTS.
func slotRange(entry any) (first, last int64, id string) {
	parts, _ := entry.([]any)
	if len(parts) < 3 {
		return 0, -1, ""
	}
	first, _ = parts[0].(int64)
	last, _ = parts[1].(int64)
	if primary, _ := parts[2].([]any); len(primary) > 2 {
		name, _ := primary[2].([]byte)
		id = string(name)
	}
	return first, last, id
}

// Calls is how often the running primaries together executed a command; see
// Server.Calls. Replicas stay out, since they execute the writes of their primaries once
// more: what one served by itself is its own Calls. A replica that has taken over brings
// along what it had copied, so that the writes of a primary that was killed still count.
func (c *Cluster) Calls(t testing.TB, command string) int64 {
	t.Helper()
	var sum int64
	for _, n := range c.Primaries(t) {
		sum += n.Calls(t, command)
	}
	return sum
}

// DBSize is how many keys the running primaries have together.
func (c *Cluster) DBSize(t testing.TB) int64 {
	t.Helper()
	var sum int64
	for _, n := range c.Primaries(t) {
		sum += n.DBSize(t)
	}
	return sum
}

// WaitOK waits until the cluster is at rest: every running node serves, knows the same
// nodes in the same parts with the same slots, all slots have an owner that runs,
// whoever does not run counts as failed, and every replica is in line.
func (c *Cluster) WaitOK(t testing.TB) {
	t.Helper()
	poll(t, "the cluster to be at rest", func() error {
		first := ""
		for _, n := range c.Running() {
			view, err := c.view(n)
			if err != nil {
				return fmt.Errorf("%s: %w", n.Addr, err)
			}
			if first == "" {
				first = view
			}
			if view != first {
				return fmt.Errorf("%s sees\n%s\nand another node\n%s", n.Addr, view, first)
			}
		}
		return nil
	})
}

// view is the cluster as one node sees it, in a form that is the same at all nodes; an
// error tells that it is not at rest.
func (c *Cluster) view(n *ClusterNode) (string, error) {
	info, err := redis.String(n.Try("CLUSTER", "INFO"))
	if err != nil {
		return "", err
	}
	if !strings.Contains(info, "cluster_state:ok") {
		return "", errors.New("cluster_state is not ok")
	}
	replication, err := redis.String(n.Try("INFO", "replication"))
	if err != nil {
		return "", err
	}
	if strings.Contains(replication, "role:slave") && !strings.Contains(replication, "master_link_status:up") {
		return "", errors.New("the replica is not in line")
	}
	nodes, err := redis.String(n.Try("CLUSTER", "NODES"))
	if err != nil {
		return "", err
	}
	slots, err := n.Try("CLUSTER", "SLOTS")
	if err != nil {
		return "", err
	}
	shown := fmt.Sprintf("%s", slots)
	var lines []string
	for line := range strings.Lines(nodes) {
		fields := strings.Fields(line)
		if len(fields) < 8 {
			return "", fmt.Errorf("CLUSTER NODES has the line %q", line)
		}
		part, err := c.part(fields)
		if err != nil {
			return "", err
		}
		if part == "" {
			continue
		}
		if fields[3] != "-" && !strings.Contains(shown, fields[0]) {
			return "", fmt.Errorf("the replica %s is not yet shown to clients", fields[0])
		}
		lines = append(lines, part)
	}
	if running := len(c.Running()); len(lines) != running {
		return "", fmt.Errorf("%d of %d nodes are known", len(lines), running)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

// part is a line of CLUSTER NODES without what differs between nodes; "" for a node
// that has failed, as it should.
func (c *Cluster) part(fields []string) (string, error) {
	id, primary, slots := fields[0], fields[3], fields[8:]
	i := slices.IndexFunc(c.Nodes, func(n *ClusterNode) bool { return n.ID == id })
	if i < 0 {
		return "", fmt.Errorf("the node %s is a stranger", id)
	}
	flags := strings.Split(strings.TrimPrefix(fields[2], "myself,"), ",")
	sick := slices.ContainsFunc(flags, func(f string) bool { return f != "master" && f != "slave" && f != "nofailover" })
	if !c.Nodes[i].running() {
		if !slices.Contains(flags, "fail") || len(slots) > 0 {
			return "", fmt.Errorf("%s does not run and is still in its place", c.Nodes[i].Addr)
		}
		return "", nil
	}
	if sick {
		return "", fmt.Errorf("%s is seen as %s", c.Nodes[i].Addr, fields[2])
	}
	// Only the node itself shows the slots that it has on the move.
	slots = slices.DeleteFunc(slots, func(s string) bool { return strings.HasPrefix(s, "[") })
	return id + " " + flags[0] + " " + primary + " " + strings.Join(slots, " "), nil
}

// Failover makes the i-th node, a replica, take over from its primary, which goes on as
// its replica; no write is lost. It returns when the cluster is at rest again.
func (c *Cluster) Failover(t testing.TB, i int) {
	t.Helper()
	n := c.Nodes[i]
	n.Do(t, "CLUSTER", "FAILOVER")
	poll(t, n.Addr+" to take over", func() error {
		if role := n.Info(t, "replication")["role"]; role != "master" {
			return errors.New("its role is " + role)
		}
		return nil
	})
	c.WaitOK(t)
}
