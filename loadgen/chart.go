package loadgen

import (
	"fmt"
	"slices"

	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// chart is the map of a cluster: who serves which slots. It belongs to the goroutine
// that leads the run.
type chart []territory

// territory is a primary with its slots, and the replicas that copy it.
type territory struct {
	node     *node
	slots    *workload.Slots
	replicas []*node
}

// chart draws the map that t tells. Slots that nobody serves any more stay with the
// primary that had them: its clients wait for whoever takes over, and do not crowd the
// others meanwhile. at is the node of a run at an address.
func drawChart(t target.Topology, old chart, at func(target.Node) *node) (chart, error) {
	var owners [workload.SlotCount]*node
	for _, of := range old {
		of.each(func(slot int) { owners[slot] = of.node })
	}
	for _, n := range t.Primaries() {
		here := at(n)
		for _, r := range n.Slots {
			for slot := r.First; slot <= r.Last; slot++ {
				owners[slot] = here
			}
		}
	}
	ranges := map[*node][]workload.SlotRange{}
	var order []*node
	for slot, owner := range owners {
		if owner == nil {
			continue
		}
		if len(ranges[owner]) == 0 {
			order = append(order, owner)
		}
		if last := len(ranges[owner]) - 1; last >= 0 && ranges[owner][last].Last == slot-1 {
			ranges[owner][last].Last = slot
		} else {
			ranges[owner] = append(ranges[owner], workload.SlotRange{First: slot, Last: slot})
		}
	}
	var c chart
	for _, n := range order {
		slots, err := workload.NewSlots(ranges[n]...)
		if err != nil {
			return nil, err
		}
		of := territory{node: n, slots: slots}
		for _, r := range t.Replicas(n.id) {
			of.replicas = append(of.replicas, at(r))
		}
		c = append(c, of)
	}
	return c, nil
}

// each calls f for every slot.
func (t territory) each(f func(slot int)) {
	for _, r := range t.slots.Ranges() {
		for slot := r.First; slot <= r.Last; slot++ {
			f(slot)
		}
	}
}

// part is the role of n and its slots; "" when it has none.
func (c chart) part(n *node) (role string, slots int) {
	for _, of := range c {
		switch {
		case of.node == n:
			return rolePrimary, of.slots.Count()
		case slices.Contains(of.replicas, n):
			role, slots = roleReplica, of.slots.Count()
		}
	}
	return role, slots
}

// equal tells whether both are the same map.
func (c chart) equal(d chart) bool {
	return slices.EqualFunc(c, d, func(a, b territory) bool {
		return a.node == b.node && a.slots.Equal(b.slots) && slices.Equal(a.replicas, b.replicas)
	})
}

// handover is slots that have changed hands. from is nil where nobody served them.
type handover struct {
	from, to *node
	slots    int
}

// String is "cluster: 127.0.0.1:7003 took over 5461 slots of 127.0.0.1:7000".
func (h handover) String() string {
	s := fmt.Sprintf("cluster: %s took over %s", h.to.target, things(int64(h.slots), "slot"))
	if h.from != nil {
		s += " of " + h.from.target.String()
	}
	return s
}

// handovers is what distinguishes c from old, in the order of the slots.
func (c chart) handovers(old chart) []handover {
	var before [workload.SlotCount]*node
	for _, of := range old {
		of.each(func(slot int) { before[slot] = of.node })
	}
	var all []handover
	for _, of := range c {
		of.each(func(slot int) {
			from := before[slot]
			if from == of.node {
				return
			}
			i := slices.IndexFunc(all, func(h handover) bool { return h.from == from && h.to == of.node })
			if i < 0 {
				i = len(all)
				all = append(all, handover{from: from, to: of.node})
			}
			all[i].slots++
		})
	}
	return all
}
