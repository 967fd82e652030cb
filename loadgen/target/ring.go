package target

import "time"

// run is a number of equal replies that one socket read completed.
type run struct {
	reply Reply
	n     int
}

// ring is a queue of replies, oldest first. Neighbours that are equal, stamp
// included, share a slot: a burst of a thousand +OK is one entry. It grows to the
// deepest burst met and then never allocates again.
type ring struct {
	slots []run // length is zero or a power of two
	head  int   // next to be taken
	tail  int   // next free slot; both only ever grow
}

func (r *ring) push(n *Reply) {
	if r.tail > r.head {
		if last := &r.slots[(r.tail-1)&(len(r.slots)-1)]; last.reply.equals(n) {
			last.n++
			return
		}
	}
	if r.tail-r.head == len(r.slots) {
		r.grow()
	}
	r.slots[r.tail&(len(r.slots)-1)] = run{*n, 1}
	r.tail++
}

// again adds one more of the newest reply when that is a plain one of this kind,
// size and stamp; false leaves it to push. It is what a deep pipeline of small
// values spends its time in.
func (r *ring) again(k Kind, bytes int64, at time.Duration) bool {
	if r.tail == r.head {
		return false
	}
	last := &r.slots[(r.tail-1)&(len(r.slots)-1)]
	if last.reply.At != at || last.reply.Kind != k || last.reply.Bytes != bytes || last.reply.Err != "" {
		return false
	}
	last.n++
	return true
}

// equals reports whether two replies may share a slot. Failures keep to
// themselves, because redigo reads them one by one.
func (r *Reply) equals(n *Reply) bool {
	return r.At == n.At && r.Kind == n.Kind && r.Bytes == n.Bytes &&
		r.Elements == n.Elements && r.Nils == n.Nils &&
		n.Kind != Failure && r.Err == "" && n.Err == ""
}

func (r *ring) grow() {
	slots := make([]run, max(16, 2*len(r.slots)))
	for i := r.head; i < r.tail; i++ {
		slots[i&(len(slots)-1)] = r.slots[i&(len(r.slots)-1)]
	}
	r.slots = slots
}

// front is the oldest run, nil when there is none.
func (r *ring) front() *run {
	if r.head == r.tail {
		return nil
	}
	return &r.slots[r.head&(len(r.slots)-1)]
}

// take removes up to most replies of the front run, which must exist, and returns
// one of them and how many they were.
func (r *ring) take(most int) (Reply, int) {
	f := r.front()
	n := min(most, f.n)
	if f.n -= n; f.n == 0 {
		r.head++
	}
	return f.reply, n
}
