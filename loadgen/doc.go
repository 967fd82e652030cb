// Package loadgen is the engine: it applies load to a target according to a Plan
// and measures what comes back.
//
// Everybody outside knows an engine by three verbs only: Apply a Plan, load a
// Snapshot, stop for a Result. Workers are goroutines that own one connection
// each; they record into shards; a sampler merges the shards every 100 ms and
// publishes an immutable snapshot. Nothing is sent per sample, so the screen's
// speed never limits the load (METHOD.md M16-M18).
//
// A run has nodes: one for a server on its own, and for a cluster every primary with
// slots and, where reads go there, their replicas. Each client belongs to one node and
// sends keys of its slots only, so that no reply sends it elsewhere. When the map of the
// cluster changes, the clients are dealt anew under an edition of the same epoch: what
// is measured goes on, with the gap in it.
package loadgen
