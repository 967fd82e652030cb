package insight

// Told is a figure that somebody may not have told: a server of another dialect, a
// kernel without the file. The zero value is "not told", which is never the same as 0:
// screens and reports write a dash for it (M25).
type Told[T any] struct {
	Value T
	Known bool
}

// Tell is a figure that was told.
func Tell[T any](v T) Told[T] { return Told[T]{Value: v, Known: true} }

// Or is the figure, or what is given where none was told.
func (t Told[T]) Or(untold T) T {
	if t.Known {
		return t.Value
	}
	return untold
}

// both is two figures put together; not told when either is not.
func both[T, R any](a, b Told[T], join func(a, b T) R) Told[R] {
	if !a.Known || !b.Known {
		return Told[R]{}
	}
	return Tell(join(a.Value, b.Value))
}
