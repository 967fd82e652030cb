package loadgen

import (
	"slices"
	"testing"

	"fullbore/loadgen/target"
)

func TestShares(t *testing.T) {
	for _, tt := range []struct {
		n       int
		weights []float64
		want    []int
	}{
		{50, []float64{5461, 5462, 5461}, []int{17, 17, 16}},
		{3, []float64{1, 1, 1}, []int{1, 1, 1}},
		{2, []float64{5461, 5462, 5461}, []int{1, 1, 0}},
		{1, []float64{1, 3}, []int{0, 1}},
		{7, []float64{1}, []int{7}},
		{10, []float64{0, 1, 1}, []int{0, 5, 5}},
		{4, []float64{1, 10_000, 1}, []int{1, 2, 1}}, // each that has keys gets one
		{2, []float64{1, 10_000, 1}, []int{1, 1, 0}},
		{10, []float64{1, 2, 7}, []int{1, 2, 7}},
		{100_000, []float64{1, 16383}, []int{6, 99_994}},
		{5, []float64{0, 0}, []int{0, 0}},
	} {
		got := shares(tt.n, tt.weights)
		if sum := got[0]; len(got) > 1 {
			for _, n := range got[1:] {
				sum += n
			}
			if sum != tt.n && tt.weights[0]+tt.weights[1] > 0 {
				t.Errorf("%d by %v: %v adds up to %d", tt.n, tt.weights, got, sum)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%d by %v: %v, want %v", tt.n, tt.weights, got, tt.want)
		}
	}
}

// postsOf makes posts, one for each letter.
func postsOf(nodes map[byte]*node, letters string) (all []*post) {
	for i := range len(letters) {
		n := nodes[letters[i]]
		if n == nil {
			n = &node{target: target.TCP("127.0.0.1", 7000+int(letters[i]))}
			nodes[letters[i]] = n
		}
		all = append(all, &post{node: n})
	}
	return all
}

func TestSeating(t *testing.T) {
	for _, tt := range []struct {
		name, posts string
		counts      []int
		before      string
		want        string
	}{
		{"dealt in turn", "abc", []int{2, 2, 2}, "", "abcabc"},
		{"by weight", "ab", []int{4, 2}, "", "abaaba"},
		{"fewer clients", "abc", []int{1, 1, 1}, "abcabc", "abc"},
		{"more clients", "abc", []int{2, 2, 2}, "abc", "abcabc"},
		{"b was lost to d", "adc", []int{2, 2, 2}, "abcabc", "adcadc"},
		{"a gives one up, the last", "ab", []int{2, 4}, "aaabbb", "aabbbb"},
		{"b is left", "a", []int{3}, "bab", "aaa"},
		{"a node without clients", "ab", []int{0, 2}, "ab", "bb"},
	} {
		nodes := map[byte]*node{}
		before := postsOf(nodes, tt.before)
		got := seating(postsOf(nodes, tt.posts), tt.counts, before)
		for id, want := range postsOf(nodes, tt.want) {
			if len(got) != len(tt.want) || got[id].node != want.node {
				t.Errorf("%s: client %d of %d sits at %s, want %s", tt.name, id, len(got), got[id].node.target, want.node.target)
			}
		}
	}
}

// topologyOf is a map: "a0-99 b100-16383".
func topologyOf(nodes ...target.Node) target.Topology { return target.Topology{Nodes: nodes} }

func primaryAt(id string, port, first, last int) target.Node {
	return target.Node{ID: id, Target: target.TCP("127.0.0.1", port), Slots: []target.SlotRange{{First: first, Last: last}}}
}

func TestReadersComeAndGo(t *testing.T) {
	nodes := map[byte]*node{}
	replicas := func(letters string) []*post {
		all := postsOf(nodes, letters)
		for _, p := range all {
			p.replica = p.node != nodes['p']
		}
		return all
	}
	postsOf(nodes, "p")
	name := func(letter byte) string { return nodes[letter].target.String() }
	if got := readerNotes(replicas("pab"), replicas("pab")); got != nil {
		t.Errorf("nothing changed: %q", got)
	}
	got := readerNotes(replicas("ab"), replicas("pbc"))
	want := []string{"cluster: replica " + name('a') + " is gone, others answer its reads", "cluster: replica " + name('c') + " answers reads"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What nobody serves stays with whom it was, until somebody does.
func TestChartsFollowTheCluster(t *testing.T) {
	nodes := map[string]*node{}
	at := func(n target.Node) *node {
		if nodes[n.ID] == nil {
			nodes[n.ID] = &node{target: n.Target, id: n.ID}
		}
		return nodes[n.ID]
	}
	draw := func(old chart, all ...target.Node) chart {
		c, err := drawChart(topologyOf(all...), old, at)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	texts := func(c, old chart) (all []string) {
		for _, h := range c.handovers(old) {
			all = append(all, h.String())
		}
		return all
	}
	a, b := primaryAt("a", 1, 0, 8191), primaryAt("b", 2, 8192, 16383)
	copyOfB := target.Node{ID: "c", Target: target.TCP("127.0.0.1", 3), Primary: "b"}
	first := draw(nil, a, b, copyOfB)
	if len(first) != 2 || first[0].slots.String() != "0-8191" || first[1].slots.String() != "8192-16383" || !slices.Equal(first[1].replicas, []*node{nodes["c"]}) {
		t.Fatalf("%+v", first)
	}
	if !first.equal(draw(first, a, b, copyOfB)) {
		t.Error("the same map is another one")
	}
	lost := draw(first, a)
	if len(lost) != 2 || lost[1].node != nodes["b"] || lost[1].slots.Count() != 8192 || len(lost.handovers(first)) != 0 {
		t.Errorf("b is gone: %+v", lost)
	}
	heir := draw(lost, a, primaryAt("c", 3, 8192, 16383))
	if got := texts(heir, lost); !slices.Equal(got, []string{"cluster: 127.0.0.1:3 took over 8192 slots of 127.0.0.1:2"}) || len(heir) != 2 {
		t.Errorf("c took over: %q", got)
	}
	moved := draw(heir, primaryAt("a", 1, 0, 8190), primaryAt("c", 3, 8191, 16383))
	if got := texts(moved, heir); !slices.Equal(got, []string{"cluster: 127.0.0.1:3 took over 1 slot of 127.0.0.1:1"}) {
		t.Errorf("a slot moved: %q", got)
	}
	if moved.equal(heir) {
		t.Error("a slot moved, and the map is the same")
	}
	part := draw(nil, primaryAt("a", 1, 5, 9))
	if got := texts(draw(part, primaryAt("a", 1, 5, 10)), part); !slices.Equal(got, []string{"cluster: 127.0.0.1:1 took over 1 slot"}) {
		t.Errorf("a slot that nobody had: %q", got)
	}
}
