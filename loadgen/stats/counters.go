package stats

import "time"

// Counters are exact counts of what happened, kept beside every histogram (M5).
// Sent = Replies + Errors + Lost once nothing is in flight.
type Counters struct {
	Sent     int64 // commands handed to a connection
	Replies  int64 // successful replies; the throughput is made of these (M30)
	Errors   int64 // error replies: never work
	Lost     int64 // commands in flight when their connection died
	Batches  int64 // batches with at least one reply
	Keys     int64 // keys touched by successful commands (MGET of 10 counts 10)
	Hits     int64 // values or elements found by commands that read
	Misses   int64 // nils and empty collections met by commands that read
	BytesOut int64 // bytes written to load connections
	BytesIn  int64 // bytes read from load connections
}

// Add adds o to c.
func (c *Counters) Add(o Counters) {
	c.Sent += o.Sent
	c.Replies += o.Replies
	c.Errors += o.Errors
	c.Lost += o.Lost
	c.Batches += o.Batches
	c.Keys += o.Keys
	c.Hits += o.Hits
	c.Misses += o.Misses
	c.BytesOut += o.BytesOut
	c.BytesIn += o.BytesIn
}

// HitRate is hits over hits and misses; false when nothing was read.
func (c Counters) HitRate() (float64, bool) {
	if c.Hits+c.Misses == 0 {
		return 0, false
	}
	return float64(c.Hits) / float64(c.Hits+c.Misses), true
}

// minElapsed is the shortest time a rate may be made of (M7).
const minElapsed = time.Millisecond

// Rate is n per second over elapsed; false below a millisecond or without a
// single event, where a rate would be noise, zero or infinite (M7).
func Rate(n int64, elapsed time.Duration) (float64, bool) {
	if n <= 0 || elapsed < minElapsed {
		return 0, false
	}
	return float64(n) / elapsed.Seconds(), true
}

// Class says what kind of trouble a fault is.
type Class string

// The classes of faults.
const (
	ReplyFault    Class = "reply"    // the server answered with an error; Code is its first word
	LostFault     Class = "lost"     // a connection died with or without commands in flight
	DialFault     Class = "dial"     // a connection could not be made
	TimeoutFault  Class = "timeout"  // no reply for the stall limit; connection replaced
	ProtocolFault Class = "protocol" // bytes that are not a reply
)

// Fault counts one kind of trouble, with the first text met (M30).
type Fault struct {
	Class Class
	Code  string // WRONGTYPE, OOM, … or a short name of the transport error
	Text  string // the first text in full, never a secret (M31)
	Count int64
	Last  time.Duration // when it happened last, since the start of the run
}
