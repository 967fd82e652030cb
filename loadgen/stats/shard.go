package stats

import (
	"sync"
	"time"
)

// Sample is a number of answered commands of a batch that were alike: of the same
// row, answered alike and at the same moment. At a deep pipeline one socket read
// completes many replies, and one entry stands for all of them.
type Sample struct {
	N        int32         // how many
	Test     int32         // row of the mix
	Failed   bool          // error reply: counted apart, its latency is nobody's (M30)
	Keys     int32         // of each
	Hits     int32         // of each
	Misses   int32         // of each
	Response time.Duration // from t0 or from the planned time (M1, M9)
	Service  time.Duration // from t0; zero in closed loop, where it is the same
}

// Batch is what a worker hands over after the last reply of a batch, or after
// its connection died. The worker owns it and uses it again for the next batch.
type Batch struct {
	Epoch    int           // under which it was sent (M16)
	Samples  []Sample      // the replies received
	Lost     int64         // commands handed to the connection and never answered
	BytesOut int64         // since the batch before
	BytesIn  int64         // since the batch before
	Lag      time.Duration // open loop: how late it left; at least 1 ns, zero in closed loop
	Faults   []Fault       // aggregated over the batch by class and code
}

// Reset empties b for the next batch and keeps its memory.
func (b *Batch) Reset(epoch int) {
	*b = Batch{Epoch: epoch, Samples: b.Samples[:0], Faults: b.Faults[:0]}
}

// Fault notes one piece of trouble in the batch.
func (b *Batch) Fault(f Fault) {
	b.Faults = AddFault(b.Faults, f)
}

// AddFault merges f into list by class and code; the first text is kept. A list that
// has 64 kinds takes all further ones of a class as one, with the code "other".
func AddFault(list []Fault, f Fault) []Fault {
	for i := range list {
		if list[i].Class == f.Class && list[i].Code == f.Code {
			list[i].Count += f.Count
			list[i].Last = max(list[i].Last, f.Last)
			return list
		}
	}
	if len(list) >= mostFaults && f.Code != otherFaults {
		f.Code = otherFaults
		return AddFault(list, f)
	}
	return append(list, f)
}

// mostFaults bounds a list: a server that words every error anew makes one kind of
// them after so many, counted under otherFaults with the first of their texts.
const (
	mostFaults  = 64
	otherFaults = "other"
)

// Recording is what one shard recorded under one epoch between two swaps: one
// Tally per row of the mix, and what belongs to whole batches.
type Recording struct {
	Epoch    int
	Tests    []*Tally
	Batches  int64 // batches with at least one reply
	Lost     int64
	BytesOut int64
	BytesIn  int64
	Lag      *Histogram
}

func (r *Recording) test(i int) *Tally {
	for len(r.Tests) <= i {
		r.Tests = append(r.Tests, NewTally())
	}
	return r.Tests[i]
}

func (r *Recording) commit(b *Batch) {
	for i := range b.Samples {
		r.test(int(b.Samples[i].Test)).add(&b.Samples[i])
	}
	r.Lost += b.Lost
	r.BytesOut += b.BytesOut
	r.BytesIn += b.BytesIn
	if b.Lag > 0 {
		recordLazily(&r.Lag, b.Lag, 1)
	}
	if len(b.Samples) == 0 {
		return
	}
	r.Batches++
	for _, t := range r.Tests {
		if t.touched {
			t.touched = false
			t.Counters.Batches++
		}
	}
}

func (r *Recording) reset() {
	for _, t := range r.Tests {
		t.Reset()
	}
	if r.Lag != nil {
		r.Lag.Reset()
	}
	*r = Recording{Tests: r.Tests, Lag: r.Lag}
}

// Shard collects the batches of a group of workers. A lock is taken once per
// batch, not per sample, and the sampler holds it only to swap a pointer.
type Shard struct {
	mu     sync.Mutex
	open   []*Recording // by epoch, newest last; rarely more than one
	free   []*Recording
	faults []Fault
}

// Commit adds a finished batch.
func (s *Shard) Commit(b *Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recording(b.Epoch).commit(b)
	for _, f := range b.Faults {
		s.faults = AddFault(s.faults, f)
	}
}

// recording is the open recording of epoch; a batch that was sent before a
// change and ends after it finds the older one.
func (s *Shard) recording(epoch int) *Recording {
	for i := len(s.open) - 1; i >= 0; i-- {
		if s.open[i].Epoch == epoch {
			return s.open[i]
		}
	}
	var r *Recording
	if n := len(s.free); n > 0 {
		r, s.free = s.free[n-1], s.free[:n-1]
	} else {
		r = &Recording{}
	}
	r.Epoch = epoch
	s.open = append(s.open, r)
	return r
}

// Swap takes everything recorded since the last Swap, appended to into, and the
// faults. The caller gives the recordings back with Recycle.
func (s *Shard) Swap(into []*Recording) ([]*Recording, []Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	into = append(into, s.open...)
	s.open = s.open[:0]
	faults := s.faults
	s.faults = nil
	return into, faults
}

// Recycle empties r and keeps it for a later epoch or interval.
func (s *Shard) Recycle(r *Recording) {
	r.reset()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, r)
}
