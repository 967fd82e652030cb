package embedded

// deque is a ring of items with both ends open: pushing and popping cost the same
// however long it is, and an item is found by its index at once.
type deque[T any] struct {
	ring []T // its length is a power of two, or 0
	head int // index of the first item
	n    int
}

// at is a pointer to item i, 0 ≤ i < n.
func (d *deque[T]) at(i int) *T { return &d.ring[(d.head+i)&(len(d.ring)-1)] }

// pushBack adds an item at the end.
func (d *deque[T]) pushBack(item T) {
	d.grow()
	d.n++
	*d.at(d.n - 1) = item
}

// pushFront adds an item before the first.
func (d *deque[T]) pushFront(item T) {
	d.grow()
	d.head = (d.head - 1) & (len(d.ring) - 1)
	d.n++
	*d.at(0) = item
}

// popFront takes the first item; there must be one.
func (d *deque[T]) popFront() T {
	item := *d.at(0)
	d.drop(1)
	return item
}

// popBack takes the last item; there must be one.
func (d *deque[T]) popBack() T {
	item := *d.at(d.n - 1)
	d.cut(d.n - 1)
	return item
}

// drop removes the first k items.
func (d *deque[T]) drop(k int) {
	var zero T // what is gone must not keep memory alive
	for i := range k {
		*d.at(i) = zero
	}
	if k > 0 {
		d.head = (d.head + k) & (len(d.ring) - 1)
	}
	d.n -= k
	d.shrink()
}

// cut removes everything from index k on.
func (d *deque[T]) cut(k int) {
	var zero T
	for i := k; i < d.n; i++ {
		*d.at(i) = zero
	}
	d.n = k
	d.shrink()
}

// grow makes room for one item more by doubling, which is cheap on average.
func (d *deque[T]) grow() {
	if d.n == len(d.ring) {
		d.resize(max(8, 2*d.n))
	}
}

// shrink halves a ring that is three quarters empty; between the two marks a
// queue of steady length never moves.
func (d *deque[T]) shrink() {
	if size := len(d.ring); size > 64 && d.n < size/4 {
		for size > 64 && d.n < size/4 {
			size /= 2
		}
		d.resize(size)
	}
}

// resize moves the items into a new ring.
func (d *deque[T]) resize(size int) {
	ring := make([]T, size)
	for i := range d.n {
		ring[i] = *d.at(i)
	}
	d.ring, d.head = ring, 0
}
