package stats

// Node is what one node of a cluster did of the load. Its segments have no rows, no
// distribution and no plan of their own: those are the run's.
type Node struct {
	Address   string // "127.0.0.1:7001"
	Role      string // "primary" or "replica"
	Slots     int    // owned; of a replica those of its primary
	Clients   int    // pinned to it
	Connected int    // of those
	Gone      bool   // no longer part of the cluster, or its slots are another's now

	Window  Segment // the last few seconds
	Current Segment // since the last change of the plan, as Snapshot.Current
	Whole   Segment // everything measured in the run, whatever the plan
	// CPU is what the thread that runs its commands used lately, as a share of one
	// core; negative when the node does not tell.
	CPU float64
}
