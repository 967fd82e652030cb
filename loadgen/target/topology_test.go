package target_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

// sketch is a topology in a line for each node: ID, address, primary, slots.
func sketch(p target.Topology) string {
	var lines []string
	for _, n := range p.Nodes {
		line := n.ID + " " + n.Target.Address
		if n.Replica() {
			line += " of " + n.Primary
		}
		for _, r := range n.Slots {
			line += fmt.Sprintf(" %d-%d", r.First, r.Last)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

// array is a RESP array of the parts, each an int, a string, nil, or an array already.
func array(parts ...any) resp {
	s := fmt.Sprintf("*%d\r\n", len(parts))
	for _, p := range parts {
		switch v := p.(type) {
		case resp:
			s += string(v)
		case int:
			s += fmt.Sprintf(":%d\r\n", v)
		case string:
			s += string(text(v))
		case nil:
			s += "$-1\r\n"
		}
	}
	return resp(s)
}

// resp is bytes of the protocol.
type resp string

func text(s string) resp { return resp(fmt.Sprintf("$%d\r\n%s\r\n", len(s), s)) }

// asked is the topology that a stub with such a reply gives.
func asked(t *testing.T, sub string, reply resp) (target.Topology, *redistest.StubServer, error) {
	t.Helper()
	s := redistest.Mapped(t, map[string]string{sub: string(reply)})
	p, err := target.TCP(s.Host, s.Port).Topology(t.Context())
	return p, s, err
}

func TestTopologyReplies(t *testing.T) {
	const whole = "16384 slots"
	node := func(host any, port int, id string, more ...any) resp {
		return array(append([]any{host, port, id}, more...)...)
	}
	for _, tt := range []struct {
		name, sub string
		reply     resp
		want      string // of sketch; HOST is the stub's own host
		counts    string // of String
		notes     int
	}{
		{"Redis 3 without IDs", "SLOTS", array(array(0, 99, array("10.0.0.1", 7000), array("10.0.0.2", 7000)), array(100, 16383, array("10.0.0.3", 7000))),
			"10.0.0.1:7000 10.0.0.1:7000 0-99; 10.0.0.3:7000 10.0.0.3:7000 100-16383; 10.0.0.2:7000 10.0.0.2:7000 of 10.0.0.1:7000", "2 primaries, 1 replica, " + whole, 0},
		{"in any order", "SLOTS", array(array(200, 16383, node("b", 1, "B")), array(100, 199, node("a", 1, "A")), array(0, 99, node("b", 1, "B"))),
			"B b:1 0-99 200-16383; A a:1 100-199", "2 primaries, " + whole, 0},
		{"IPv6 and host names", "SLOTS", array(array(0, 99, node("::1", 1, "A", array("hostname", "a.example.com"))), array(100, 16383, node("b.example.com", 2, "B", array("ip", "10.0.0.2")))),
			"A [::1]:1 0-99; B b.example.com:2 100-16383", "2 primaries, " + whole, 0},
		{"unknown hosts", "SLOTS", array(array(0, 9, node(nil, 1, "A")), array(10, 19, node("", 2, "B")), array(20, 29, node("?", 3, "C")), array(30, 16383, node("?", 4, "D", array("ip", "10.0.0.4")))),
			"A HOST:1 0-9; B HOST:2 10-19; C HOST:3 20-29; D 10.0.0.4:4 30-16383", "4 primaries, " + whole, 0},
		{"one node, wherever it says it is", "SLOTS", array(array(0, 16383, node("172.17.0.2", 6379, "A"))), "A SELF 0-16383", "1 primary, " + whole, 0},
		{"slots without owner", "SLOTS", array(array(0, 99, node("a", 1, "A")), array(101, 101, node("b", 1, "B"))), "A a:1 0-99; B b:1 101-101", "2 primaries, 101 slots", 1},
		{"claims of two", "SLOTS", array(array(0, 16383, node("a", 1, "A")), array(5, 5, node("b", 1, "B"))), "A a:1 0-16383; B b:1", "1 primary, " + whole, 0},
		{"nonsense in between", "SLOTS", array(array(0, 16383, node("a", 1, "A"), array("b"), array("c", 0, "C"), array("d d", 1, "D")), array(0), 7, nil, array(-1, 5, node("e", 1, "E")), array(3, 16384, node("e", 1, "E"))),
			"A a:1 0-16383; E e:1", "1 primary, " + whole, 1},
		{"lines", "NODES", text("B 10.0.0.2:7001@17001,b.example.com,shard-id=x slave A 0 1 1 connected\n" +
			"A 10.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-98 99 [77-<-C] [93->-C]\n" +
			"C ::1:7002@17002 master,fail? - 0 0 2 connected 100-16383\n\n" +
			"D :7003@17003,,tls-port=0,shard-id=y slave C 0 0 2 connected\n" +
			"E 10.0.0.5:7004@17004 master,fail - 0 0 3 disconnected 5\n" +
			"F :0@0 master,noaddr - 0 0 3 disconnected\nG 10.0.0.7:7@8 handshake - 0 0 0 connected\n" +
			"H 10.0.0.8:7 master - 0 0 0 connected\n"),
			"A 10.0.0.1:7000 0-99; C [::1]:7002 100-16383; H 10.0.0.8:7; B 10.0.0.2:7001 of A; D HOST:7003 of C", "2 primaries, 2 replicas, " + whole, 0},
		{"broken lines", "NODES", text("A a:1@2 master - 0 0 1 connected 0-16383 x 5-3 9-99999\nB\nC nowhere master -\nD d:70000@1 master -\n"), "A SELF 0-16383", "1 primary, " + whole, 1},
		{"shards", "SHARDS", array(
			array("slots", array(0, 99, 200, 16383), "nodes", array(
				array("id", "A", "port", 1, "ip", "10.0.0.1", "endpoint", "a.example.com", "role", "master", "health", "online"),
				array("id", "B", "port", 2, "tls-port", 3, "ip", "10.0.0.2", "endpoint", "?", "role", "replica", "health", "loading"),
				array("id", "C", "port", 2, "ip", "10.0.0.3", "endpoint", nil, "role", "replica", "health", "failed"))),
			array("slots", array(100, 199), "nodes", array(
				array("id", "E", "port", 2, "endpoint", "", "role", "master", "health", "fail"),
				array("id", "D", "port", 2, "endpoint", nil, "role", "master", "health", "online")))),
			"A a.example.com:1 0-99 200-16383; D HOST:2 100-199; B 10.0.0.2:2 of A", "2 primaries, 1 replica, " + whole, 0},
		{"nobody", "SHARDS", array(), "", "0 primaries, 0 slots", 1},
	} {
		p, s, err := asked(t, tt.sub, tt.reply)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		want := strings.NewReplacer("HOST", s.Host, "SELF", s.Addr).Replace(tt.want)
		if got := sketch(p); got != want || p.String() != tt.counts || len(p.Notes) != tt.notes {
			t.Errorf("%s:\n got %s (%s) %q\nwant %s (%s), %d notes", tt.name, got, p, p.Notes, want, tt.counts, tt.notes)
		}
	}
}

func TestTopologyRefused(t *testing.T) {
	for _, tt := range []struct {
		replies map[string]string
		want    string
		alone   bool
	}{
		{map[string]string{"SLOTS": "-ERR This instance has cluster support disabled\r\n"}, "CLUSTER at SELF: ERR This instance has cluster support disabled (leave out --cluster)", true},
		{map[string]string{"SLOTS": "-ERR Cluster is disabled. Enabled via passing --cluster_mode=emulated|yes.\r\n"}, "leave out --cluster", true},
		{map[string]string{"NODES": "-ERR Cluster mode is not enabled\r\n"}, "leave out --cluster", true},
		{nil, "CLUSTER SLOTS at SELF: NOPERM this user has no permissions to run the 'cluster|slots' command (the ACL user may", false},
		{map[string]string{"SLOTS": "+OK\r\n", "NODES": "$0\r\n\r\n"}, "CLUSTER SLOTS at SELF: the reply is no map of a cluster", false},
		{map[string]string{"SLOTS": "*1\r\n:1\r\n"}, "CLUSTER SLOTS at SELF: the reply is no map of a cluster", false},
		{map[string]string{"SHARDS": "*1\r\n*0\r\n", "NODES": "$2\r\nxy\r\n"}, "CLUSTER SLOTS at SELF: NOPERM", false},
		{map[string]string{"SLOTS": "-NOAUTH Authentication required.\r\n"}, "CLUSTER at SELF: NOAUTH Authentication required. (give the password with -a", false},
		{map[string]string{"SLOTS": "HTTP/1.1 400\r\n"}, "not a Redis server", false},
	} {
		s := redistest.Mapped(t, tt.replies)
		_, err := target.TCP(s.Host, s.Port).Topology(t.Context())
		want := strings.ReplaceAll(tt.want, "SELF", s.Addr)
		if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, target.ErrNoCluster) != tt.alone {
			t.Errorf("%q: %v, want %s", tt.replies, err, want)
		}
	}
	s := redistest.Start(t)
	p, err := target.TCP(s.Host, s.Port).Topology(t.Context())
	if !errors.Is(err, target.ErrNoCluster) || target.ErrorCode(err) != "ERR" {
		t.Errorf("a server on its own: %v, %v", p, err)
	}
	mute := redistest.Mute(t, 0)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := target.TCP(mute.Host, mute.Port).Topology(ctx); target.ErrorCode(err) != "timeout" {
		t.Errorf("a mute server: %v", err)
	}
}

// The nodes are reached as the target asked was: with its user, its password, its TLS.
func TestTopologyKeepsCredentials(t *testing.T) {
	s := redistest.Mapped(t, map[string]string{"NODES": "$120\r\n" + fmt.Sprintf("%-120s", "A a:1@2 master - 0 0 1 connected 0-99\nB :2@2 slave A 0 0 1 connected\n") + "\r\n"})
	asked := target.TCP(s.Host, s.Port)
	asked.Username, asked.Password = "u", "p"
	p, err := asked.Topology(t.Context())
	must(t, err)
	for _, n := range p.Nodes {
		if n.Target.Username != "u" || n.Target.Password != "p" || n.Target.Address == s.Addr {
			t.Errorf("%#v", n.Target)
		}
	}
	if len(p.Nodes) != 2 {
		t.Errorf("%s", sketch(p))
	}
}

func TestTopologyEqual(t *testing.T) {
	read := func(slots resp) target.Topology {
		p, _, err := asked(t, "SLOTS", slots)
		must(t, err)
		return p
	}
	a, b := array("a", 1, "A"), array("b", 1, "B")
	base := read(array(array(0, 99, a), array(100, 16383, b)))
	for _, tt := range []struct {
		name  string
		other resp
		equal bool
	}{
		{"the same in another order", array(array(100, 16383, b), array(0, 50, a), array(51, 99, a)), true},
		{"a slot has moved", array(array(0, 98, a), array(99, 16383, b)), false},
		{"a replica more", array(array(0, 99, a, array("c", 1, "C")), array(100, 16383, b)), false},
		{"another address", array(array(0, 99, array("a", 2, "A")), array(100, 16383, b)), false},
		{"another node there", array(array(0, 99, array("a", 1, "Z")), array(100, 16383, b)), false},
		{"parts changed", array(array(0, 99, a, b)), false},
	} {
		if other := read(tt.other); base.Equal(other) != tt.equal || other.Equal(base) != tt.equal {
			t.Errorf("%s: equal is %v", tt.name, !tt.equal)
		}
	}
}

func TestOffer(t *testing.T) {
	s := redistest.Astray(t, redistest.MovedToSelf, 1)
	at := target.TCP(s.Host, s.Port)
	info, err := target.Preflight(t.Context(), at)
	must(t, err)
	p, ok := info.Cluster(t.Context(), at)
	if !ok || !strings.Contains(p.Offer(), "one primary: --cluster keeps") || s.Calls("CLUSTER") != 1 {
		t.Errorf("%v, %q", ok, p.Offer())
	}
	info.Mode = "standalone"
	if _, ok := info.Cluster(t.Context(), at); ok || s.Calls("CLUSTER") != 1 {
		t.Error("a server on its own was asked for its cluster")
	}
	hidden := redistest.NoInfo(t)
	at = target.TCP(hidden.Host, hidden.Port)
	info, err = target.Preflight(t.Context(), at)
	must(t, err)
	if p, ok := info.Cluster(t.Context(), at); ok || hidden.Calls("CLUSTER") == 0 {
		t.Errorf("a server that tells nothing is %v", p)
	}
	many, _, err := asked(t, "SLOTS", array(array(0, 99, array("a", 1, "A")), array(100, 16383, array("b", 1, "B"))))
	must(t, err)
	if want := "this is a node of a cluster (2 primaries, 16384 slots): --cluster spreads the load"; !strings.Contains(many.Offer(), want) {
		t.Errorf("%q", many.Offer())
	}
}

// A node that has stopped answering holds the others up for a second, one that is gone
// not at all.
func TestRenew(t *testing.T) {
	mute := redistest.Mute(t, 0)
	want, s, err := asked(t, "SLOTS", array(array(0, 99, array("a", 1, "A")), array(100, 16383, array("b", 1, "B"))))
	must(t, err)
	known := target.Topology{Nodes: []target.Node{
		{ID: "gone", Target: target.TCP("127.0.0.1", 1)},
		{ID: "mute", Target: target.TCP(mute.Host, mute.Port)},
		{ID: "well", Target: target.TCP(s.Host, s.Port)},
	}}
	got, err := known.Renew(t.Context())
	if err != nil || !got.Equal(want) || mute.Commands() != 1 {
		t.Errorf("%s, %v", sketch(got), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := known.Renew(ctx); target.ErrorCode(err) != "canceled" {
		t.Errorf("canceled: %v", err)
	}
}
