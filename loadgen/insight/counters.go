package insight

import (
	"maps"
	"math"
	"time"
)

// Counter names a figure that only grows while a server lives.
type Counter int

// The counters of INFO. Those of time are in nanoseconds, whatever the server's unit.
const (
	Connections      Counter = iota // connections accepted
	Rejected                        // connections refused because of maxclients
	Hits                            // look-ups that found their key
	Misses                          // look-ups that did not
	Expired                         // keys removed because their time was over
	Evicted                         // keys removed because of maxmemory
	EvictedClients                  // clients closed because of maxmemory-clients
	QueryLimit                      // clients closed because of their query buffer
	OutputLimit                     // clients closed because of their output buffer
	NetIn                           // bytes read from the network
	NetOut                          // bytes written to the network
	ReplIn                          // bytes of replication among those read
	ReplOut                         // bytes of replication among those written
	Reads                           // read events: each may bring several commands (M27)
	Writes                          // write events
	IOReads                         // read events handled by io threads
	IOWrites                        // write events handled by io threads
	ErrorReplies                    // error replies of every kind
	UnexpectedErrors                // errors where none may be, of replicas and of AOF loading
	Forks                           // child processes started
	Saves                           // RDB files written
	Rewrites                        // AOF rewrites
	DelayedFsyncs                   // writes to the AOF that waited for the disk
	FullSyncs                       // replicas that took everything anew
	LoopCycles                      // rounds of the event loop (Redis 7.2 and later)
	LoopTime                        // time in the event loop, its waiting excluded
	CommandTime                     // time in commands, a part of LoopTime
	ProcessCPU                      // CPU time of the process, all its threads
	ChildrenCPU                     // CPU time of its children that have ended: saves, rewrites
	ActiveMain                      // time the main thread had work (Valkey 9.1 and later)
	ActiveIO                        // the same of all io threads together
	counters
)

// Counters are what a server told of each Counter: since it began in a Reading, of a
// stretch of time in a Delta.
type Counters [counters]Told[int64]

// counted is the counter behind a field of INFO and what its unit is in ours.
func counted(field string) (c Counter, unit time.Duration, ok bool) {
	if c, ok := countedEvents(field); ok {
		return c, 1, true
	}
	switch field {
	case "eventloop_duration_sum":
		return LoopTime, time.Microsecond, true
	case "eventloop_duration_cmd_sum":
		return CommandTime, time.Microsecond, true
	case "used_active_time_main_thread":
		return ActiveMain, time.Second, true
	}
	return 0, 0, false
}

// countedEvents is the counter behind a field that counts events or bytes. Garnet has
// its own names for hits and misses.
func countedEvents(field string) (Counter, bool) {
	switch field {
	case "total_connections_received":
		return Connections, true
	case "rejected_connections":
		return Rejected, true
	case "keyspace_hits", "total_found":
		return Hits, true
	case "keyspace_misses", "total_notfound":
		return Misses, true
	case "expired_keys":
		return Expired, true
	case "evicted_keys":
		return Evicted, true
	case "evicted_clients":
		return EvictedClients, true
	case "client_query_buffer_limit_disconnections":
		return QueryLimit, true
	case "client_output_buffer_limit_disconnections":
		return OutputLimit, true
	case "total_net_input_bytes":
		return NetIn, true
	case "total_net_output_bytes":
		return NetOut, true
	case "total_net_repl_input_bytes":
		return ReplIn, true
	case "total_net_repl_output_bytes":
		return ReplOut, true
	case "total_reads_processed":
		return Reads, true
	case "total_writes_processed":
		return Writes, true
	case "io_threaded_reads_processed":
		return IOReads, true
	case "io_threaded_writes_processed":
		return IOWrites, true
	}
	return countedRarely(field)
}

// countedRarely is the counter behind a field of what should seldom happen.
func countedRarely(field string) (Counter, bool) {
	switch field {
	case "total_error_replies":
		return ErrorReplies, true
	case "unexpected_error_replies":
		return UnexpectedErrors, true
	case "total_forks":
		return Forks, true
	case "rdb_saves":
		return Saves, true
	case "aof_rewrites":
		return Rewrites, true
	case "aof_delayed_fsync":
		return DelayedFsyncs, true
	case "sync_full":
		return FullSyncs, true
	case "eventloop_cycles":
		return LoopCycles, true
	}
	return 0, false
}

// largest is a count that no server has reached, half of what an int64 holds, so that
// two can be added.
const largest = math.MaxInt64 / 2

// since is what was counted from a to b; false when a counter fell (M25). What only
// one of them tells is not told.
func (b Counters) since(a Counters) (d Counters, ok bool) {
	for c := range b {
		d[c] = both(a[c], b[c], func(was, is int64) int64 { return is - was })
		if d[c].Value < 0 {
			return Counters{}, false
		}
	}
	return d, true
}

// plus is both together. What one of them does not tell the sum does not tell either.
func (b Counters) plus(o Counters) (sum Counters) {
	for c := range b {
		sum[c] = both(b[c], o[c], func(x, y int64) int64 { return min(largest, x) + min(largest, y) })
	}
	return sum
}

// grown is by how much each count of a table grew; false when one fell, nil when
// either is not told.
func grown(a, b map[string]int64) (map[string]int64, bool) {
	if a == nil || b == nil {
		return nil, true
	}
	d := map[string]int64{}
	for name, was := range a {
		if b[name] < was {
			return nil, false
		}
	}
	for name, is := range b {
		if n := is - a[name]; n > 0 {
			d[name] = n
		}
	}
	return d, true
}

// summed is two tables of counts together; nil when either is not told.
func summed(a, b map[string]int64) map[string]int64 {
	if a == nil || b == nil {
		return nil
	}
	sum := maps.Clone(a)
	for name, n := range b {
		sum[name] = min(largest, sum[name]) + min(largest, n)
	}
	return sum
}
