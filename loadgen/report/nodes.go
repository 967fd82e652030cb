package report

import (
	"fmt"
	"strconv"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// jsonNode is one node of a cluster, over all the measured time; its CPU is that of the
// last plan. A pointer is null when the number is not known.
type jsonNode struct {
	Address  string      `json:"address"`
	Role     string      `json:"role"`
	Gone     bool        `json:"gone"` // no longer part of the cluster
	Slots    int         `json:"slots"`
	Clients  int         `json:"clients"`
	Measured int64       `json:"measured_requests"` // answered in this time, well or badly
	RPS      *float64    `json:"rps"`
	Share    *float64    `json:"share"` // of what all nodes answered well, 0 to 1
	Errors   int64       `json:"errors"`
	Lost     int64       `json:"lost"`
	Latency  jsonLatency `json:"latency_ms"`
	CPU      *float64    `json:"cpu"` // of one core, 0 to 1: the thread that runs commands
}

// jsonNodes are nil for a server alone.
func jsonNodes(nodes []stats.Node, plans int) []jsonNode {
	var out []jsonNode
	all := answered(nodes)
	for _, n := range nodes {
		w := nodeWhole(n, plans)
		out = append(out, jsonNode{
			Address: n.Address, Role: n.Role, Gone: n.Gone, Slots: n.Slots, Clients: n.Clients,
			Measured: requests(w.Counters), RPS: maybe(w.Throughput()), Share: maybe(nodeShare(w, all)),
			Errors: w.Counters.Errors, Lost: w.Counters.Lost, Latency: newJSONLatency(w.Latency), CPU: maybe(nodeCPU(n)),
		})
	}
	return out
}

// answered is how many commands all nodes answered well.
func answered(nodes []stats.Node) (sum int64) {
	for _, n := range nodes {
		sum += n.Whole.Counters.Replies
	}
	return sum
}

// nodeWhole is what was measured at a node in all. Like whole it withholds the quantiles
// of several plans, which do not add up (M3).
func nodeWhole(n stats.Node, plans int) stats.Segment {
	w := n.Whole
	if plans > 1 {
		w.Latency.Batches = 0
	}
	return w
}

func nodeShare(w stats.Segment, all int64) (float64, bool) {
	return float64(w.Counters.Replies) / float64(all), all > 0
}

func nodeCPU(n stats.Node) (float64, bool) { return n.CPU, n.CPU >= 0 && !n.Gone }

// nodeGrid is the table of a result's nodes; nil for a server alone.
func nodeGrid(r loadgen.Result) *grid {
	if len(r.Nodes) == 0 {
		return nil
	}
	g := &grid{names: []string{"node", "role", "slots", "clients", "rps", "share", "p50", "p99", "max", "errors", "CPU"}, left: map[int]bool{1: true}}
	all := answered(r.Nodes)
	for _, n := range r.Nodes {
		w, address := nodeWhole(n, len(r.Segments)), n.Address
		if n.Gone {
			address += " gone"
		}
		p50, has50 := w.Latency.Quantile(.50)
		p99, has99 := w.Latency.Quantile(.99)
		g.add(clean(address), clean(n.Role), strconv.Itoa(n.Slots), strconv.Itoa(n.Clients), throughput(w, absent), perCent(nodeShare(w, all)),
			short(p50, has50), short(p99, has99), short(highest(w.Latency)), grouped(float64(w.Counters.Errors+w.Counters.Lost)), perCent(nodeCPU(n)))
	}
	return g
}

// perCent is a share in whole per cent; a dash when it is not known.
func perCent(share float64, ok bool) string {
	if !ok || !finite(share) {
		return dash
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// nodes prints them below a test, each under its whole address.
func nodes(b *strings.Builder, r loadgen.Result) {
	g := nodeGrid(r)
	if g == nil {
		return
	}
	fmt.Fprintln(b, "  nodes (latencies in msec):")
	var t strings.Builder
	g.text(&t)
	for line := range strings.Lines(t.String()) {
		b.WriteString("    " + line)
	}
}

// summaryNodes is how many nodes a summary shows, which is to stay one page.
const summaryNodes = 16

// nodeTable is the table of nodes in a summary.
func nodeTable(b *strings.Builder, r loadgen.Result, most int) {
	g := nodeGrid(r)
	if g == nil {
		return
	}
	var rows [][]string
	g.names[4] = "ops/s" // as in the table of plans, and without decimals
	for i, n := range r.Nodes {
		g.rows[i][4] = shortRate(n.Whole.Throughput())
	}
	for _, row := range append([][]string{g.names}, g.rows[:min(most, len(g.rows))]...) {
		// Without roles and slots, the median and the maximum.
		rows = append(rows, []string{row[0], row[3], row[4], row[5], row[7], row[9], row[10]})
	}
	align(b, rows)
	if more := len(g.rows) - most; more > 0 {
		fmt.Fprintf(b, "and %d more nodes\n", more)
	}
}
