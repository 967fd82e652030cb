package target

import (
	"cmp"
	"fmt"
	"net"
	"slices"
	"strings"
)

// slotCount is how many slots a cluster deals out to its primaries.
const slotCount = 1 << 14

// SlotRange is the slots of a cluster from First to Last, both included.
type SlotRange struct{ First, Last int }

// Node is a server of a cluster.
type Node struct {
	ID      string      // the cluster's own name for it; its address where it gives none
	Target  Target      // how to reach it, with the credentials and TLS of the target asked
	Primary string      // of a replica, the ID of its primary; "" makes it a primary
	Slots   []SlotRange // of a primary, in ascending order; none for a replica
}

// Replica tells whether the node copies another one.
func (n Node) Replica() bool { return n.Primary != "" }

// Owned is how many slots the node serves.
func (n Node) Owned() int {
	count := 0
	for _, r := range n.Slots {
		count += r.Last - r.First + 1
	}
	return count
}

// Topology is what one node of a cluster says of all of them, without those that it
// holds for dead or does not know yet. It never changes; Equal compares two.
type Topology struct {
	// Nodes are the primaries in the order of their slots, those without slots
	// last, and then the replicas in the order of their primaries.
	Nodes   []Node
	Covered int      // slots that a primary serves, 16384 when all is well
	Notes   []string // what is odd without being an error, each fit for one line
}

// Primaries are the nodes that serve slots of their own, in the order of their slots.
// A primary without slots, such as one that has just joined, is not among them: no key
// leads there.
func (p Topology) Primaries() []Node {
	var all []Node
	for _, n := range p.Nodes {
		if len(n.Slots) > 0 {
			all = append(all, n)
		}
	}
	return all
}

// Replicas are the nodes that copy the primary of that ID.
func (p Topology) Replicas(primary string) []Node {
	var all []Node
	for _, n := range p.Nodes {
		if n.Replica() && n.Primary == primary {
			all = append(all, n)
		}
	}
	return all
}

// Owner is the primary that serves slot; false when nobody does.
func (p Topology) Owner(slot int) (Node, bool) {
	for _, n := range p.Nodes {
		for _, r := range n.Slots {
			if r.First <= slot && slot <= r.Last {
				return n, true
			}
		}
	}
	return Node{}, false
}

// Node is the node at address, such as the one that a Redirect names.
func (p Topology) Node(address string) (Node, bool) {
	i := slices.IndexFunc(p.Nodes, func(n Node) bool { return n.Target.Address == address })
	if i < 0 {
		return Node{}, false
	}
	return p.Nodes[i], true
}

// Equal tells whether both have the same nodes with the same parts and slots.
func (p Topology) Equal(q Topology) bool {
	return slices.EqualFunc(p.Nodes, q.Nodes, func(a, b Node) bool {
		return a.ID == b.ID && a.Target == b.Target && a.Primary == b.Primary && slices.Equal(a.Slots, b.Slots)
	})
}

// String is "3 primaries, 3 replicas, 16384 slots". Only primaries with slots count.
func (p Topology) String() string {
	replicas := 0
	for _, n := range p.Nodes {
		if n.Replica() {
			replicas++
		}
	}
	primaries := count(len(p.Primaries()), "primary", "primaries")
	if replicas > 0 {
		primaries += ", " + count(replicas, "replica", "replicas")
	}
	return primaries + ", " + count(p.Covered, "slot", "slots")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// At is t at another address of the same cluster, "host:port", with the same
// credentials, TLS and database. No host, or "?", is the host of t, as servers mean
// that do not know their own name (Redis cluster specification, "MOVED redirection").
func (t Target) At(address string) Target {
	host, port, err := net.SplitHostPort(address)
	if err == nil && (host == "" || host == "?") {
		address = net.JoinHostPort(t.host(), port)
	}
	t.Network, t.Address = "tcp", address
	return t
}

// host is where t is; behind a socket's path that is this machine.
func (t Target) host() string {
	if host, _, err := net.SplitHostPort(t.Address); err == nil && t.Network != "unix" && host != "" {
		return host
	}
	return defaultHost
}

// maxNodes bounds what is kept of a reply: the specification knows clusters of up to
// 1000 nodes, and slots bound the primaries that matter.
const maxNodes = 4096

// atlas collects a Topology. Whatever a reply says of a slot twice, the first holds, so
// that its size never depends on the length of the reply.
type atlas struct {
	asked Target
	nodes []Node
	index map[string]int   // in nodes, by ID
	owner [slotCount]int16 // index in nodes, plus one
	taken int              // slots that have an owner
	odd   int              // entries passed over
}

func newAtlas(asked Target) *atlas { return &atlas{asked: asked, index: make(map[string]int)} }

// add takes a node in and returns its index. A node that is primary in one place and a
// replica in another is a primary: it serves slots.
func (a *atlas) add(id, address, primary string) (int, bool) {
	id = cmp.Or(id, address)
	if i, ok := a.index[id]; ok {
		if primary == "" {
			a.nodes[i].Primary = ""
		}
		return i, true
	}
	if len(a.nodes) == maxNodes {
		a.odd++
		return 0, false
	}
	a.index[id] = len(a.nodes)
	a.nodes = append(a.nodes, Node{ID: id, Target: a.asked.At(address), Primary: primary})
	return len(a.nodes) - 1, true
}

// own gives the slots from first to last to a node.
func (a *atlas) own(node int, first, last int64) {
	if first < 0 || last >= slotCount || first > last {
		a.odd++
		return
	}
	for slot := first; slot <= last && a.taken < slotCount; slot++ {
		if a.owner[slot] == 0 {
			a.owner[slot] = int16(node) + 1
			a.taken++
		}
	}
}

// topology is what was collected, in order.
func (a *atlas) topology() Topology {
	var p Topology
	for slot := 0; slot < slotCount; slot++ {
		owner := a.owner[slot]
		if owner == 0 {
			continue
		}
		first := slot
		for slot+1 < slotCount && a.owner[slot+1] == owner {
			slot++
		}
		n := &a.nodes[owner-1]
		n.Slots = append(n.Slots, SlotRange{first, slot})
		n.Primary = ""
		p.Covered += slot - first + 1
	}
	p.Nodes = a.nodes
	if len(p.Nodes) == 1 {
		// Whoever answered is the only one: the address asked works for certain, which
		// that of a server behind a translated address, such as in a container, may not.
		p.Nodes[0].Target = a.asked
	}
	p.sort()
	if p.Covered < slotCount {
		p.Notes = append(p.Notes, fmt.Sprintf("%d of %d slots are served: keys of the others are refused", p.Covered, slotCount))
	}
	if a.odd > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%s of the cluster's map made no sense and were passed over", count(a.odd, "entry", "entries")))
	}
	return p
}

// sort brings the nodes into the order that Topology promises.
func (p *Topology) sort() {
	rank := make(map[string]int, len(p.Nodes)) // of a primary, its first slot
	for _, n := range p.Nodes {
		if rank[n.ID] = slotCount; len(n.Slots) > 0 {
			rank[n.ID] = n.Slots[0].First
		}
	}
	slices.SortFunc(p.Nodes, func(a, b Node) int {
		lead := func(n Node) int {
			if !n.Replica() {
				return rank[n.ID]
			}
			if r, ok := rank[n.Primary]; ok {
				return r
			}
			return slotCount
		}
		part := func(n Node) int {
			if n.Replica() {
				return 1
			}
			return 0
		}
		return cmp.Or(part(a)-part(b), lead(a)-lead(b), strings.Compare(a.Target.Address, b.Target.Address), strings.Compare(a.ID, b.ID))
	})
}
