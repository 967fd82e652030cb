package target

import (
	"fmt"
	"strings"
	"testing"
)

// nested builds a reply out of bytes: the kind of each part, its length, what is in it.
type nested struct {
	bytes []byte
	parts int // bounds the size of what a few bytes may ask for
}

func (n *nested) next() byte {
	if len(n.bytes) == 0 {
		return 0
	}
	b := n.bytes[0]
	n.bytes = n.bytes[1:]
	return b
}

func (n *nested) reply(depth int) any {
	n.parts++
	switch b := n.next(); b % 7 {
	case 0:
		return nil
	case 1:
		return int64(n.next())<<8 | int64(n.next())
	case 2:
		return -int64(n.next())
	case 3:
		return string(n.text(int(n.next())))
	case 4:
		return n.text(int(b) / 7)
	case 5:
		return ReplyError(n.text(int(n.next())))
	default:
		var all []any
		for range int(b) / 7 {
			if depth > 5 || n.parts > 10000 {
				break
			}
			all = append(all, n.reply(depth+1))
		}
		return all
	}
}

func (n *nested) text(length int) []byte {
	length = min(length, len(n.bytes))
	s := n.bytes[:length]
	n.bytes = n.bytes[length:]
	return s
}

// hold tells what is wrong with a topology, whatever it was made from.
func hold(p Topology) error {
	seen := make([]bool, slotCount)
	covered := 0
	ids := make(map[string]bool)
	replicas := false
	for _, n := range p.Nodes {
		if ids[n.ID] {
			return fmt.Errorf("%q is there twice", n.ID)
		}
		ids[n.ID] = true
		if n.Replica() && len(n.Slots) > 0 || replicas && !n.Replica() {
			return fmt.Errorf("%q is out of place", n.ID)
		}
		replicas = n.Replica()
		if n.Target.Address == "" || n.Target.Address[0] == ':' || strings.ContainsAny(n.Target.Address+n.ID, "\r\n") {
			return fmt.Errorf("%q is at %q", n.ID, n.Target.Address)
		}
		for _, r := range n.Slots {
			for slot := r.First; slot <= r.Last; slot++ {
				if seen[slot] {
					return fmt.Errorf("slot %d has two owners", slot)
				}
				seen[slot] = true
				covered++
			}
		}
	}
	if covered != p.Covered || len(p.Nodes) > maxNodes || len(p.Notes) > 2 || !p.Equal(p) {
		return fmt.Errorf("%d slots of %d, %d nodes, %q", covered, p.Covered, len(p.Nodes), p.Notes)
	}
	return nil
}

// entry is a part of CLUSTER SLOTS as nested builds it.
func entry(first, last byte, host string) []byte {
	b := []byte{3*7 + 6, 1, 0, first, 1, last, 0, 3*7 + 6, 3, byte(len(host))}
	return append(append(b, host...), 1, 27, 88, 3, 1, 'A')
}

func FuzzTopologyReply(f *testing.F) {
	f.Add([]byte{})
	f.Add(append([]byte{1*7 + 6}, entry(0, 1, "10.0.0.1")...))
	f.Add(append(append([]byte{2*7 + 6}, entry(0, 63, "::1")...), entry(9, 10, "?")...))
	f.Add([]byte("\x0d\x1b\x03\x05slots\x14\x01\x00\x00\x01\x00\x09\x03\x05nodes\x0d\x1b\x03\x02id\x03\x01A"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, q := range maps() {
			a := newAtlas(TCP("h", 1))
			if err := q.read(a, (&nested{bytes: b}).reply(0)); err == nil {
				if err := hold(a.topology()); err != nil {
					t.Errorf("%s: %v", q.sub, err)
				}
			}
		}
	})
}

func FuzzTopologyText(f *testing.F) {
	f.Add("A 10.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-98 99 [77-<-C] [93->-C]\nB ::1:7001@17001,b,x=y slave A 0 1 1 connected\n")
	f.Add("C :7002@1 master,fail? - 0 0 2 connected 0-16383 0-16383 16384 -5 5-3\n\n \nD")
	f.Add("A a:1 slave B 0 0 0 x 5\nB b:1 slave A 0 0 0 x 6\nA a:1 master - 0 0 0 x 7")
	f.Fuzz(func(t *testing.T, text string) {
		for _, asked := range []Target{TCP("h", 1), {Network: "tcp", Address: "h:1", TLS: &TLS{}}} {
			a := newAtlas(asked)
			if err := a.readNodes(text); err == nil {
				if err := hold(a.topology()); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// A reply without end costs no more than the largest cluster: here more nodes than are
// kept, each of which claims all slots but one.
func TestTopologyBounds(t *testing.T) {
	var all []any
	for i := range maxNodes + 100 {
		node := []any{[]byte("10.0.0.1"), int64(1 + i), fmt.Appendf(nil, "id-%d", i)}
		all = append(all, []any{int64(0), int64(slotCount - 2), node})
	}
	a := newAtlas(TCP("h", 1))
	if err := a.readSlots(all); err != nil {
		t.Fatal(err)
	}
	p := a.topology()
	if err := hold(p); err != nil || len(p.Nodes) != maxNodes || p.Covered != slotCount-1 {
		t.Errorf("%d nodes, %d slots, %v", len(p.Nodes), p.Covered, err)
	}
	wide := Topology{Nodes: p.Nodes}
	if wide.Equal(p) != true || len(strings.Split(p.String(), ",")) != 2 {
		t.Errorf("%s", p)
	}
}

// Under TLS the name counts, since certificates are for names.
func TestTopologyNames(t *testing.T) {
	const line = "A 10.0.0.1:7000@17000,a.example.com,shard-id=x master - 0 0 1 connected 0-99\nB 10.0.0.2:7000@17000,,shard-id=y master - 0 0 1 connected 100\nC 10.0.0.3:7000@17000,shard-id=y master - 0 0 1 connected 101"
	for _, tt := range []struct {
		tls  *TLS
		want string
	}{
		{nil, "10.0.0.1:7000 10.0.0.2:7000 10.0.0.3:7000"},
		{&TLS{}, "a.example.com:7000 10.0.0.2:7000 10.0.0.3:7000"},
	} {
		a := newAtlas(Target{Network: "tcp", Address: "h:1", TLS: tt.tls})
		if err := a.readNodes([]byte(line)); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range a.topology().Nodes {
			got = append(got, n.Target.Address)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("got %q, want %s", got, tt.want)
		}
	}
	a := newAtlas(Target{Network: "tcp", Address: "h:1", TLS: &TLS{}})
	shard := []any{[]byte("nodes"), []any{[]any{[]byte("id"), []byte("A"), []byte("endpoint"), []byte("a"), []byte("port"), int64(1), []byte("tls-port"), int64(2), []byte("role"), []byte("master")},
		[]any{[]byte("id"), []byte("B"), []byte("endpoint"), []byte("b"), []byte("port"), int64(1), []byte("tls-port"), int64(2), []byte("role"), []byte("replica")}}}
	if err := a.readShards([]any{shard}); err != nil || len(a.nodes) != 2 || a.nodes[0].Target.Address != "a:2" {
		t.Errorf("%+v, %v", a.nodes, err)
	}
}
