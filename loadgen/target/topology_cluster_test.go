package target_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

// at is a node of a test's cluster as a target.
func at(n *redistest.ClusterNode) target.Target { return target.TCP(n.Host, n.Port) }

// topology is what a node says of its cluster.
func topology(t *testing.T, n *redistest.ClusterNode) target.Topology {
	t.Helper()
	p, err := at(n).Topology(t.Context())
	must(t, err)
	return p
}

// Six real nodes: all of them say the same, each way of asking finds the same, a slot on
// the move still belongs to the node that it leaves, and the death of a primary shows.
func TestTopologyOfCluster(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 3, 3)
	p := topology(t, c.Nodes[0])
	if p.String() != "3 primaries, 3 replicas, 16384 slots" || len(p.Notes) > 0 {
		t.Fatalf("%s %q", p, p.Notes)
	}
	for i, n := range c.Nodes {
		if q := topology(t, n); !q.Equal(p) {
			t.Errorf("%s says\n%s\nthe first one\n%s", n.Addr, sketch(q), sketch(p))
		}
		found, ok := p.Node(n.Addr)
		if !ok || found.ID != n.ID || found.Replica() != (i >= 3) || found.Replica() && found.Primary != c.Nodes[i-3].ID {
			t.Errorf("%s is %+v", n.Addr, found)
		}
		if replicas := p.Replicas(n.ID); (len(replicas) == 1) != (i < 3) {
			t.Errorf("%s has the replicas %v", n.Addr, replicas)
		}
	}
	for slot, want := range map[int]int{0: 0, 5460: 0, 5461: 1, 10921: 1, 10922: 2, 16383: 2} {
		if owner, ok := p.Owner(slot); !ok || owner.ID != c.Nodes[want].ID {
			t.Errorf("slot %d is at %s", slot, owner.Target)
		}
	}
	for _, slot := range []int{-1, 16384} {
		if owner, ok := p.Owner(slot); ok {
			t.Errorf("slot %d is at %s", slot, owner.Target)
		}
	}
	otherWays(t, c, p)
	migration(t, c, p)
	failover(t, c, p)
}

// otherWays denies what comes first, so that NODES and then SHARDS is asked.
func otherWays(t *testing.T, c *redistest.Cluster, want target.Topology) {
	t.Helper()
	n := c.Nodes[0]
	for _, rule := range []string{"-cluster|slots", "-cluster|nodes"} {
		n.Do(t, "ACL", "SETUSER", "u", "reset", "on", ">p", "+@all", "-cluster|slots", rule)
		user := at(n)
		user.Username, user.Password = "u", "p"
		got, err := user.Topology(t.Context())
		must(t, err)
		for i := range got.Nodes {
			if got.Nodes[i].Target.Username != "u" {
				t.Errorf("%s: reached as %#v", rule, got.Nodes[i].Target)
			}
			got.Nodes[i].Target = at(n).At(got.Nodes[i].Target.Address)
		}
		if !got.Equal(want) {
			t.Errorf("%s:\n got %s\nwant %s", rule, sketch(got), sketch(want))
		}
	}
}

// migration looks while a slot is on the move, and when it has arrived.
func migration(t *testing.T, c *redistest.Cluster, before target.Topology) {
	t.Helper()
	const slot = 3300 // of the key "b"
	c.Open(t, 0, 1, slot)
	if p := topology(t, c.Nodes[0]); !p.Equal(before) {
		t.Errorf("a slot on the move: %s", sketch(p))
	}
	_, err := c.Nodes[0].Try("GET", "b")
	r, ok := target.ParseRedirect(fmt.Sprint(err))
	if want := (target.Redirect{Kind: target.Ask, Slot: slot, Address: c.Nodes[1].Addr}); !ok || r != want {
		t.Errorf("redirect %+v of %v, want %+v", r, err, want)
	}
	c.Carry(t, 0, 1, slot)
	c.Settle(t, 0, 1, slot)
	c.WaitOK(t)
	after := topology(t, c.Nodes[2])
	owner, _ := after.Owner(slot)
	if owner.ID != c.Nodes[1].ID || after.Equal(before) || after.Covered != 16384 || owner.Owned() != 5462 {
		t.Errorf("after the move: %s", sketch(after))
	}
	_, err = c.Nodes[0].Try("GET", "b")
	r, ok = target.ParseRedirect(fmt.Sprint(err))
	if node, known := after.Node(r.Address); !ok || r.Kind != target.Moved || !known || node.ID != owner.ID {
		t.Errorf("redirect %+v of %v", r, err)
	}
}

// failover kills the primary that was asked first and asks on.
func failover(t *testing.T, c *redistest.Cluster, before target.Topology) {
	t.Helper()
	c.Kill(0)
	var p target.Topology
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var err error
		p, err = before.Renew(t.Context())
		must(t, err)
		if owner, ok := p.Owner(0); ok && owner.ID == c.Nodes[3].ID {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("nobody took over: %s", sketch(p))
		}
	}
	if p.String() != "3 primaries, 2 replicas, 16384 slots" {
		t.Errorf("after the failover: %s", p)
	}
	if _, ok := p.Node(c.Nodes[0].Addr); ok {
		t.Errorf("the dead one is there: %s", sketch(p))
	}
	if owner, _ := p.Owner(0); owner.Target != at(c.Nodes[3]) || owner.Replica() {
		t.Errorf("slot 0 is at %+v", owner)
	}
	for i := range c.Nodes {
		c.Kill(i)
	}
	if _, err := before.Renew(t.Context()); target.ErrorCode(err) != "refused" {
		t.Errorf("all are dead: %v", err)
	}
	if _, err := (target.Topology{}).Renew(t.Context()); err == nil {
		t.Error("a map without nodes was renewed")
	}
}

func TestTopologyOfOneNode(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 1, 0, "--unixsocket", "s.sock")
	n := c.Nodes[0]
	p := topology(t, n)
	if len(p.Nodes) != 1 || p.Nodes[0].Target != at(n) || p.Nodes[0].ID != n.ID || p.String() != "1 primary, 16384 slots" || p.Nodes[0].Owned() != 16384 {
		t.Errorf("%s: %+v", p, p)
	}
	info, err := target.Preflight(t.Context(), at(n))
	must(t, err)
	if q, ok := info.Cluster(t.Context(), at(n)); info.Mode != "cluster" || !ok || !q.Equal(p) {
		t.Errorf("mode %q, %s", info.Mode, q)
	}
	socket := target.Unix(n.Dir + "/s.sock")
	q, err := socket.Topology(t.Context())
	must(t, err)
	if q.Nodes[0].Target != socket {
		t.Errorf("over the socket: %s", sketch(q))
	}
	n.Do(t, "CLUSTER", "DELSLOTSRANGE", 100, 199)
	p = topology(t, n)
	if _, ok := p.Owner(150); ok || p.Covered != 16284 || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "16284 of 16384") {
		t.Errorf("without some slots: %s %q", p, p.Notes)
	}
	n.Do(t, "CLUSTER", "FLUSHSLOTS")
	if p = topology(t, n); p.String() != "0 primaries, 0 slots" || len(p.Nodes) != 1 || len(p.Notes) != 1 {
		t.Errorf("without slots: %+v", p)
	}
}

func TestTopologyOverTLS(t *testing.T) {
	t.Parallel()
	a := redistest.Certify(t, "a")
	c := redistest.StartTLSCluster(t, a, a.Issue(t, "leaf", redistest.Leaf{IPs: []string{"127.0.0.1"}}), 2)
	first, err := target.TCP(c.Nodes[0].Host, c.Nodes[0].TLSPort).Secure(target.TLSOptions{CAFile: a.File})
	must(t, err)
	p, err := first.Topology(t.Context())
	must(t, err)
	if p.String() != "2 primaries, 16384 slots" {
		t.Fatalf("%s", sketch(p))
	}
	for i, n := range p.Nodes {
		if want := fmt.Sprintf("127.0.0.1:%d", c.Nodes[i].TLSPort); n.Target.Address != want || n.Target.TLS != first.TLS {
			t.Errorf("node %d: %#v, want %s", i, n.Target, want)
		}
		q, err := n.Target.Topology(t.Context())
		must(t, err)
		if !q.Equal(p) {
			t.Errorf("node %d says %s", i, sketch(q))
		}
	}
	plain := topology(t, c.Nodes[1])
	if _, ok := plain.Node(c.Nodes[0].Addr); !ok {
		t.Errorf("in plain: %s", sketch(plain))
	}
	endpoints(t, c, plain)
}

// endpoints makes a node tell the whereabouts of the others in every way there is.
func endpoints(t *testing.T, c *redistest.Cluster, want target.Topology) {
	t.Helper()
	n := c.Nodes[0]
	for _, tt := range []struct{ option, value, host string }{
		{"cluster-preferred-endpoint-type", "unknown-endpoint", ""}, // NULL: the host that was asked
		{"cluster-preferred-endpoint-type", "hostname", ""},         // "?": nobody has a name yet
		{"cluster-announce-hostname", "localhost", "localhost"},
	} {
		n.Do(t, "CONFIG", "SET", tt.option, tt.value)
		p := topology(t, n)
		if got, _ := p.Owner(0); tt.host != "" {
			if got.Target.Address != fmt.Sprintf("%s:%d", tt.host, n.Port) {
				t.Errorf("%s %s: %s", tt.option, tt.value, sketch(p))
			}
		} else if !p.Equal(want) {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.option, tt.value, sketch(p), sketch(want))
		}
		_, err := n.Try("GET", "a") // in slot 15495, the other node's
		r, ok := target.ParseRedirect(fmt.Sprint(err))
		if to := at(n).At(r.Address); !ok || to != at(c.Nodes[1]) {
			t.Errorf("%s %s: %v leads to %v", tt.option, tt.value, err, to)
		}
	}
}
