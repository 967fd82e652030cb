package loadgen

import (
	"slices"

	"fullbore/loadgen/stats"
)

// timeline is the history of a run in sampling intervals. It only ever appends,
// so a snapshot shares its memory; when it is full, pairs of points are merged
// into a new list, which halves the resolution of what is long past.
type timeline struct {
	points []stats.Point
	marks  []stats.Mark
	owner  int // number of closed segments when the last mark was set
}

// longestLine is one hour of sampling intervals.
const longestLine = 36_000

func (l *timeline) add(p stats.Point) {
	if p.Span <= 0 {
		l.amend(p) // two cuts at one moment: no time lies between
		return
	}
	if len(l.points) >= longestLine {
		l.points = thin(l.points)
	}
	l.points = append(l.points, p)
}

// amend adds the counts of p to the last point. What was published stays as it was.
func (l *timeline) amend(p stats.Point) {
	n := len(l.points)
	if n == 0 || p.Replies+p.Errors == 0 {
		return
	}
	l.points = slices.Clone(l.points)
	l.points[n-1].Replies += p.Replies
	l.points[n-1].Errors += p.Errors
}

// thin merges pairs of neighbours: counts and spans add up, percentiles keep the
// worse of the two, since a history that hides its peaks is no use.
func thin(points []stats.Point) []stats.Point {
	out := make([]stats.Point, 0, longestLine+1)
	for i := 0; i+1 < len(points); i += 2 {
		a, b := points[i], points[i+1]
		b.Span += a.Span
		b.Replies += a.Replies
		b.Errors += a.Errors
		b.P50, b.P99, b.P999 = max(a.P50, b.P50), max(a.P99, b.P99), max(a.P999, b.P999)
		b.Measured = a.Measured && b.Measured
		b.Paused = a.Paused || b.Paused
		out = append(out, b)
	}
	if len(points)%2 == 1 {
		out = append(out, points[len(points)-1])
	}
	return out
}

// event notes what was not the user's doing, in place of the last mark if that says
// before.
func (l *timeline) event(m stats.Mark, before string) {
	if n := len(l.marks); n > 0 && l.marks[n-1].Text == before {
		l.marks = append(slices.Clone(l.marks[:n-1]), m)
		return
	}
	l.owner = -1 // no turn of a knob replaces it
	l.marks = append(slices.Clip(l.marks), m)
}

// mark notes a change. closed is how many segments are behind it: a mark set
// while the segment before was not measured yet belongs to the same turn of a
// knob and replaces it.
func (l *timeline) mark(m stats.Mark, closed int) {
	if n := len(l.marks); n > 0 && l.owner == closed {
		l.marks = append(slices.Clone(l.marks[:n-1]), m)
		return
	}
	l.owner = closed
	l.marks = append(slices.Clip(recent(l.marks, mostMarks)), m)
}
