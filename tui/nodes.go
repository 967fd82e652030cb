package tui

import (
	"fmt"
	"slices"
	"strings"

	"fullbore/loadgen/stats"
	"fullbore/views"
)

// nodes are those of a cluster over what the first column of the table is of. Their
// errors are those of the run, as in the header: a few seconds would soon show none.
func (c scene) nodes() views.Nodes {
	if len(c.slow.Nodes) == 0 {
		return views.Nodes{}
	}
	over, when := func(n stats.Node) stats.Segment { return n.Window }, c.lastWords()
	if c.whole {
		over, when = func(n stats.Node) stats.Segment { return n.Whole }, "whole run"
	}
	var all float64
	for _, n := range c.slow.Nodes {
		v, _ := over(n).Throughput()
		all += v
	}
	out := views.Nodes{Title: "nodes, " + when, Legend: "errors of the whole run"}
	for _, n := range c.slow.Nodes {
		ops, known := over(n).Throughput()
		p99, timed := over(n).Latency.Quantile(.99)
		out.List = append(out.List, views.Node{
			Address: n.Address, Role: n.Role, Slots: n.Slots, Clients: n.Clients, Connected: n.Connected,
			// Zeros of a node that nobody asks are no measurement.
			Ops: number(ops, known && (!n.Gone || ops > 0)), Share: number(ops/max(all, 1), known && all > 0),
			P99:    views.Duration{Value: p99, OK: timed},
			Errors: n.Whole.Counters.Errors + n.Whole.Counters.Lost,
			CPU:    number(n.CPU, n.CPU >= 0 && !n.Gone), Gone: n.Gone,
		})
	}
	slices.SortStableFunc(out.List, func(a, b views.Node) int { return rank(a) - rank(b) })
	return out
}

// rank puts primaries first, and replicas before what serves no more.
func rank(n views.Node) int {
	switch {
	case n.Gone:
		return 2
	case n.Role == "replica":
		return 1
	}
	return 0
}

// cluster is what the header says of a cluster: "3 primaries", or with the word
// itself where the server's own words have it not.
func (c scene) cluster() string {
	if len(c.fast.Nodes) == 0 {
		return ""
	}
	primaries := 0
	for _, n := range c.fast.Nodes {
		if n.Role != "replica" && !n.Gone {
			primaries++
		}
	}
	words := fmt.Sprintf("%d primaries", primaries)
	if primaries == 1 {
		words = "1 primary"
	}
	if !strings.Contains(c.facts.Server, "cluster") {
		words = "cluster " + words
	}
	return words
}
