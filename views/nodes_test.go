package views_test

import (
	"strings"
	"testing"

	"fullbore/views"
)

// The columns leave one after the other; the rate and the p99 of each node stay.
func TestNodesLoseColumns(t *testing.T) {
	for _, tt := range []struct {
		width int
		heads string
	}{
		{120, "node role slots clients ops/s share p99 ms errors CPU"},
		{95, "node role slots clients ops/s share p99 ms errors CPU"},
		{88, "node role clients ops/s share p99 ms errors CPU"},
		{80, "node role clients ops/s p99 ms errors CPU"},
		{72, "node clients ops/s p99 ms errors CPU"},
		{60, "node ops/s p99 ms errors CPU"},
		{54, "node ops/s p99 ms errors"},
		{46, "node ops/s p99 ms"},
		{40, "node ops/s p99 ms"},
	} {
		got := lines(failing(3), tt.width, 12)
		if heads := strings.Join(strings.Fields(got[1]), " "); heads != tt.heads {
			t.Errorf("width %d has %q, want %q", tt.width, heads, tt.heads)
		}
		if tt.width >= 46 && (!strings.HasPrefix(got[3], "  127.0.0.1:7002 gone ")) {
			t.Errorf("width %d:\n%s", tt.width, strings.Join(got, "\n"))
		}
		if count(got, "7003") != 1 || count(got, "0.692") != 1 {
			t.Errorf("width %d hides a port or a time:\n%s", tt.width, strings.Join(got, "\n"))
		}
	}
}

// As height shrinks the last nodes are summed up, then all of them.
func TestNodesSummedUp(t *testing.T) {
	all := nodes(20)
	all.List[18].Gone, all.List[18].Errors = true, 7
	for _, tt := range []struct {
		height int
		last   string
	}{
		{22, "  127.0.0.1:7020 "},
		{21, "  and 2 more nodes   ops/s 107k   p99 0.838 ms   7019 gone   errors 7   CPU 88%"},
		{3, "  20 nodes   ops/s 99.9k..121k   p99 0.623..0.891 ms   7019 gone   errors 7   CPU 82%..99%"},
		{2, "  20 nodes   ops/s 99.9k..121k   p99 0.623..0.891 ms   7019 gone   errors 7   CPU 82%..99%"},
		{1, "  20 nodes   ops/s 99.9k..121k   p99 0.623..0.891 ms   7019 gone   errors 7   CPU 82%..99%"},
	} {
		got := lines(all, 120, tt.height)
		if last := got[len(got)-1]; !strings.HasPrefix(last, tt.last) {
			t.Errorf("height %d ends in %q, want %q", tt.height, last, tt.last)
		}
	}
	if out := (views.Nodes{Title: "nodes"}).Render(views.Frame{Width: 80, Height: 24}); out != "" {
		t.Errorf("no nodes: %q", out)
	}
}

// What is unknown is a dash in a row and left out of a sum; who is gone is named by
// what tells it from the others.
func TestNodesUnknown(t *testing.T) {
	blank := views.Nodes{List: []views.Node{{Address: "a:1", Clients: 3, Connected: 3}, {Address: "b:1", Gone: true}}}
	if got := lines(blank, 80, 1); got[0] != "  2 nodes  b:1 gone" {
		t.Errorf("%q", got[0])
	}
	if got := lines(blank, 80, 9); strings.Join(strings.Fields(got[2]), " ") != "a:1 3 - - 0 -" {
		t.Errorf("%q", got[2])
	}
	blank.List[1].Address = "a:2"
	if got := lines(blank, 80, 1); got[0] != "  2 nodes  2 gone" {
		t.Errorf("%q", got[0])
	}
	blank.List = append(blank.List, blank.List[1], blank.List[1])
	if got := lines(blank, 80, 1); got[0] != "  4 nodes  3 gone" {
		t.Errorf("%q", got[0])
	}
}

// One that answers nothing while others do is in no range, and is named.
func TestSilentNode(t *testing.T) {
	all := nodes(3)
	all.List[2].Ops, all.List[2].P99 = views.Number{}, views.Duration{}
	if got := lines(all, 80, 1)[0]; got != "  3 nodes  ops/s 106k..110k  p99 0.623..0.891 ms  7003 silent  CPU 84%..99%" {
		t.Errorf("%q", got)
	}
	all.List[0].Ops, all.List[1].Ops = views.Number{}, views.Number{}
	if got := lines(all, 80, 1)[0]; strings.Contains(got, "silent") {
		t.Errorf("all of them: %q", got)
	}
}

// A cluster's nodes take the place of the least important row on the smallest screen,
// and come as a table with height; nothing that came is lost again.
func TestLiveShowsNodes(t *testing.T) {
	small := cluster(failing(3))
	small.Banner = "private server"
	got := lines(small, 80, 24)
	if count(got, "  4 nodes  ops/s 110k..121k") != 1 || count(got, "p99.99") != 0 || count(got, "p99.9 ") != 1 || count(got, "-- nodes") != 0 {
		t.Errorf("80x24:\n%s", strings.Join(got, "\n"))
	}
	if got := lines(cluster(nodes(1)), 80, 24); count(got, "1 node") != 0 {
		t.Errorf("one node has a line at 80x24:\n%s", strings.Join(got, "\n"))
	}
	for _, tt := range []struct {
		nodes views.Nodes
		rows  int
	}{{nodes(1), 1}, {nodes(3), 3}, {failing(5), 6}, {failing(20), 7}} {
		most := 0
		for height := 24; height <= 60; height++ {
			got := lines(cluster(tt.nodes), 120, height)
			rows := count(got, "  127.0.0.1:7") + count(got, "more nodes")
			if len(got) != height || rows < most {
				t.Errorf("%d nodes: %d rows of %d lines at height %d, %d before", len(tt.nodes.List), rows, len(got), height, most)
			}
			if most = rows; height == 40 && most < min(tt.rows, 6) {
				t.Errorf("%d nodes: %d rows at height 40", len(tt.nodes.List), most)
			}
		}
		if most != tt.rows {
			t.Errorf("%d nodes: %d rows at last, want %d", len(tt.nodes.List), most, tt.rows)
		}
	}
}

// A long tail of the server's words goes before the words.
func TestHeaderShortensTheServer(t *testing.T) {
	h := header()
	h.Server = "redis 7.0.15 standalone, TLS 1.3"
	for width, want := range map[int]string{120: "standalone, TLS 1.3 conn ok", 90: "standalone, TLS 1.3 RUN", 80: "redis 7.0.15 standalone RUN", 70: "127.0.0.1:6379 RUN"} {
		if got := strings.Join(strings.Fields(lines(h, width, 1)[0]), " "); !strings.Contains(got, want) {
			t.Errorf("width %d: %q has no %q", width, got, want)
		}
	}
}

func TestHeaderOfACluster(t *testing.T) {
	h := cluster(nodes(3)).Header
	for width, want := range map[int]string{120: "redis 7.0.15 cluster 3 primaries conn ok", 90: "redis 7.0.15 cluster 3 primaries RUN", 80: "redis 7.0.15 cluster RUN"} {
		if got := strings.Join(strings.Fields(lines(h, width, 1)[0]), " "); !strings.Contains(got, want) {
			t.Errorf("width %d: %q has no %q", width, got, want)
		}
	}
}
