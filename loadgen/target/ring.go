package target

// okLine is what redigo gets in place of every successful reply: the one reply
// that it reads without allocating.
const okLine = "+OK\r\n"

// ring is a queue of replies in three parts: taken, announced to redigo (emit)
// but not yet taken, and not yet announced. It grows to the deepest burst met and
// then never allocates again.
type ring struct {
	slots     []Reply // length is zero or a power of two
	head      int     // next to be taken
	announced int     // next to be announced
	tail      int     // next free slot; all three only ever grow
	out       string  // rest of the announcement that did not fit the last time
}

func (r *ring) push(n Reply) {
	if r.tail-r.head == len(r.slots) {
		r.grow()
	}
	r.slots[r.tail&(len(r.slots)-1)] = n
	r.tail++
}

func (r *ring) grow() {
	slots := make([]Reply, max(16, 2*len(r.slots)))
	for i := r.head; i < r.tail; i++ {
		slots[i&(len(slots)-1)] = r.slots[i&(len(r.slots)-1)]
	}
	r.slots = slots
}

// take removes the oldest reply; false when there is none.
func (r *ring) take() (Reply, bool) {
	if r.head == r.announced {
		return Reply{}, false
	}
	n := r.slots[r.head&(len(r.slots)-1)]
	r.head++
	return n, true
}

// emit fills p with one line per reply that is not yet announced: OK, or the
// error as the server wrote it. It returns 0 when there is nothing to tell.
func (r *ring) emit(p []byte) (n int) {
	for n < len(p) {
		if r.out == "" {
			if r.announced == r.tail {
				return n
			}
			note := &r.slots[r.announced&(len(r.slots)-1)]
			r.announced++
			r.out = okLine
			if note.Kind == Failure {
				r.out = "-" + note.Err + "\r\n"
			}
		}
		k := copy(p[n:], r.out)
		r.out = r.out[k:]
		n += k
	}
	return n
}
