package tui

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/views"
)

// clustered is a run on three primaries, of which the second has failed: its replica
// has taken over, and another replica answers reads.
func clustered(s *stats.Snapshot) {
	span := func(replies int64, over time.Duration, scale int) stats.Segment {
		return stats.Segment{Measured: over, Counters: stats.Counters{Sent: replies, Replies: replies},
			Latency: latencyOf(time.Duration(scale)*time.Microsecond, 510)}
	}
	node := func(port int, role string, replies int64, cpu float64) stats.Node {
		return stats.Node{
			Address: fmt.Sprintf("127.0.0.1:%d", port), Role: role, Slots: 5461, Clients: 16, Connected: 16, CPU: cpu,
			Window: span(replies, 5*time.Second, port/100), Current: span(replies*8, 41*time.Second, port/100), Whole: span(replies*10, 100*time.Second, port/100),
		}
	}
	gone := node(7002, "primary", 1_500_000, -1)
	gone.Gone, gone.Slots, gone.Clients, gone.Connected = true, 0, 0, 0
	gone.Window, gone.Current = stats.Segment{Measured: 5 * time.Second}, stats.Segment{Measured: 41 * time.Second}
	gone.Whole.Counters.Errors, gone.Whole.Counters.Lost = 7, 17*16
	s.Nodes = []stats.Node{node(7001, "primary", 1_904_000, .97), node(7003, "primary", 1_890_000, .951),
		node(7005, "primary", 1_917_525, -1), node(7006, "replica", 0, .02), gone}
	s.Nodes[2].Connected = 15
}

func TestNodes(t *testing.T) {
	s := fixedSnapshot()
	c := sceneOf(s)
	if got := c.live(); len(got.Nodes.List) != 0 || got.Header.Cluster != "" {
		t.Errorf("a server alone has nodes: %+v, %q", got.Nodes, got.Header.Cluster)
	}
	clustered(s)
	got := c.live()
	if got.Nodes.Title != "nodes, last 5s" || got.Header.Cluster != "cluster 3 primaries" || len(got.Nodes.List) != 5 {
		t.Fatalf("%q, %q, %d nodes", got.Nodes.Title, got.Header.Cluster, len(got.Nodes.List))
	}
	first, third, gone := got.Nodes.List[0], got.Nodes.List[2], got.Nodes.List[4]
	p99, _ := s.Nodes[0].Window.Latency.Quantile(.99)
	if first.Ops != (views.Number{Value: 380_800, OK: true}) || first.P99 != (views.Duration{Value: p99, OK: true}) || first.CPU != (views.Number{Value: .97, OK: true}) || math.Abs(first.Share.Value-.3334) > .001 {
		t.Errorf("the first node is %+v", first)
	}
	if third.CPU.OK || third.Connected != 15 || third.Clients != 16 || third.Slots != 5461 {
		t.Errorf("the third node is %+v", third)
	}
	if gone.Address != "127.0.0.1:7002" || !gone.Gone || gone.Ops.OK || gone.P99.OK || gone.CPU.OK || gone.Errors != 7+17*16 {
		t.Errorf("the node that has gone is %+v", gone)
	}
	if c.whole = true; c.live().Nodes.List[4].Ops.Value != 150_000 || c.live().Nodes.Title != "nodes, whole run" {
		t.Errorf("over the whole run %+v", c.live().Nodes)
	}
}

// Primaries stand first, in the order given, and what has gone last; the header
// counts those that serve.
func TestNodesInOrder(t *testing.T) {
	s := fixedSnapshot()
	s.Nodes = []stats.Node{{Address: "r", Role: "replica"}, {Address: "g", Role: "primary", Gone: true}, {Address: "b", Role: "primary"}, {Address: "a", Role: "primary"}}
	c := sceneOf(s)
	c.facts.Server = "redis 7.0.15 cluster"
	var order []string
	for _, n := range c.live().Nodes.List {
		order = append(order, n.Address)
	}
	if got := strings.Join(order, " "); got != "b a r g" || c.live().Header.Cluster != "2 primaries" {
		t.Errorf("order %s, %q", got, c.live().Header.Cluster)
	}
	if s.Nodes = s.Nodes[3:]; c.live().Header.Cluster != "1 primary" {
		t.Errorf("one node: %q", c.live().Header.Cluster)
	}
}
