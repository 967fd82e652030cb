package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/stats"
)

// nodeDoc is what the JSON says of nodes.
type nodeDoc struct {
	Nodes []struct {
		Address, Role   string
		Gone            bool
		Slots, Clients  int
		Requests        int64 `json:"measured_requests"`
		Errors, Lost    int64
		RPS, Share, CPU *float64
		Latency         map[string]*float64 `json:"latency_ms"`
	}
}

// nodesOf reads the nodes of a result back; raw is the document.
func nodesOf(t *testing.T, r loadgen.Result) (d nodeDoc, raw string) {
	t.Helper()
	var doc struct{ Results []nodeDoc }
	raw = print(t, "json", header(), map[string]loadgen.Result{"x": r})
	if err := json.Unmarshal([]byte(raw), &doc); err != nil || len(doc.Results) != 1 {
		t.Fatalf("%v in %s", err, raw)
	}
	return doc.Results[0], raw
}

// TestNodesJSON holds each number against the node it is of; what is not known is null.
func TestNodesJSON(t *testing.T) {
	r := clustered(t)
	d, _ := nodesOf(t, r)
	if len(d.Nodes) != 5 {
		t.Fatalf("%d nodes", len(d.Nodes))
	}
	sum := 0.
	for i, n := range d.Nodes {
		of := r.Nodes[i]
		if n.Address != of.Address || n.Role != of.Role || n.Gone != of.Gone || n.Slots != of.Slots || n.Clients != of.Clients || n.Errors != of.Whole.Counters.Errors || n.Lost != of.Whole.Counters.Lost {
			t.Errorf("%+v of %+v", n, of)
		}
		sum += *n.Share
	}
	if sum < .999999 || sum > 1.000001 {
		t.Errorf("shares sum up to %v", sum)
	}
	if n := d.Nodes[0]; *n.RPS != 700/.023 || *n.Share != .35 || *n.CPU != .974 || *n.Latency["max"] != 2 || n.Requests != 700 {
		t.Errorf("%+v", n)
	}
	if n := d.Nodes[3]; n.RPS != nil || n.Latency["p50"] != nil || n.Latency["max"] != nil || *n.CPU != .01 {
		t.Errorf("a replica without reads: %+v", n)
	}
	if d.Nodes[1].CPU != nil || d.Nodes[4].CPU != nil || !d.Nodes[4].Gone {
		t.Errorf("%+v, %+v", d.Nodes[1], d.Nodes[4])
	}
	// Percentiles of several plans do not add up; extremes and rates do.
	r.Segments = append(r.Segments, r.Segments[0])
	if d, _ := nodesOf(t, r); d.Nodes[0].Latency["p50"] != nil || *d.Nodes[0].Latency["max"] != 2 || *d.Nodes[0].RPS != 700/.023 {
		t.Errorf("two plans: %+v", d.Nodes[0])
	}
	if _, raw := nodesOf(t, clean(t)); strings.Contains(raw, `"nodes"`) {
		t.Errorf("a server alone has nodes: %s", raw)
	}
}

// TestNodesText holds the tables that people read.
func TestNodesText(t *testing.T) {
	results := map[string]loadgen.Result{"x": clustered(t), "y": clean(t)}
	for format, want := range map[string][]string{
		"text": {
			"  nodes (latencies in msec):\n    node                 role     slots  clients       rps  share    p50    p99    max  errors  CPU\n",
			"    127.0.0.1:7001       primary   5461       16  30434.78    35%  1.011  1.980  2.000       0  97%\n",
			"    127.0.0.1:7005       replica   5461        1       n/a     0%      -      -      -       0   1%\n",
			"    127.0.0.1:7002 gone  primary      0        0  10869.57    12%  1.008  1.985  2.000      36    -\n",
		},
		"markdown": {"\nNodes of x, latencies in ms:\n\n| node | role | slots |", "| 127.0.0.1:7002 gone | primary | 0 | 0 | 10869.57 | 12% |"},
	} {
		text := print(t, format, header(), results)
		for _, w := range want {
			if strings.Count(text, w) != 1 {
				t.Errorf("%s has %q %d times:\n%s", format, w, strings.Count(text, w), text)
			}
		}
	}
	if a, b := print(t, "csv", header(), map[string]loadgen.Result{"x": clustered(t)}), print(t, "csv", header(), map[string]loadgen.Result{"x": clean(t)}); a != b {
		t.Errorf("nodes change the CSV: %s, %s", a, b)
	}
}

// TestNodesSummary holds that many nodes with long names stay a page of 80 columns.
func TestNodesSummary(t *testing.T) {
	r := clustered(t)
	for i := range 30 {
		n := r.Nodes[0]
		n.Address = fmt.Sprintf("benchmarks-%04d.abcdef.clustercfg.euw1.cache.amazonaws.com:6379", i)
		r.Nodes = append(r.Nodes, n)
	}
	r.Nodes[0].Address = "\x1b[31mred\r\n:1"
	var b strings.Builder
	if err := report.Summary(&b, header(), r); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > 81 {
			t.Errorf("%d columns: %s", len(line)-1, line)
		}
	}
	for _, want := range []string{"clients", "ops/s", "and 19 more nodes\n", "benchmarks-0010.abcdef.clustercfg.euw1.cache.amazonaws.com:6379\n", "127.0.0.1:7002 gone", "36"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.ContainsAny(b.String(), "\x1b\r") {
		t.Errorf("an address steers the terminal: %q", b.String())
	}
}

// TestComparisonNodes holds that each arm's nodes stand in its document.
func TestComparisonNodes(t *testing.T) {
	s := duel(t)
	live := *s.Arms[1].Live
	live.Nodes = append([]stats.Node(nil), clustered(t).Nodes...)
	s.Arms[1].Live = &live
	var doc struct{ Arms []nodeDoc }
	if err := json.Unmarshal([]byte(compared(t, "json", s)), &doc); err != nil || len(doc.Arms) != 2 {
		t.Fatalf("%v, %d arms", err, len(doc.Arms))
	}
	if a, b := doc.Arms[0].Nodes, doc.Arms[1].Nodes; a != nil || len(b) != 5 || *b[0].RPS != 700/.023 || b[0].Latency["p50"] == nil {
		t.Errorf("nodes %+v and %+v", a, b)
	}
	if text := compared(t, "text", s); strings.Contains(text, "7002") {
		t.Errorf("nodes in the text: %s", text)
	}
}
