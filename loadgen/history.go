package loadgen

import (
	"fmt"
	"slices"

	"fullbore/loadgen/stats"
)

// What a run remembers one by one, however long it lasts: beyond these the oldest
// give way, with a word on how many they were, so that a snapshot does not grow with
// time. A segment with its distribution takes up to 50 KB.
const (
	mostSegments = 400
	mostMarks    = 400
	mostNotes    = 200
)

// archive are the segments that are closed.
type archive struct {
	segments []stats.Segment // oldest first; the first one may stand for several
	folded   int             // how many that one stands for; 0 = it is one like all others
	closed   int             // how many there were in all
}

// add appends g. Slices that were handed out stay as they are.
func (a *archive) add(g stats.Segment) {
	a.closed++
	if len(a.segments) < mostSegments {
		a.segments = append(slices.Clip(a.segments), g)
		return
	}
	// Several at once, so that most changes copy and fold nothing.
	const batch = mostSegments / 10
	first := a.segments[0]
	for _, next := range a.segments[1:batch] {
		first = fold(first, next)
	}
	a.folded = max(a.folded, 1) + batch - 1
	first.Plan = fmt.Sprintf("%d earlier plans", a.folded)
	kept := make([]stats.Segment, 0, mostSegments)
	a.segments = append(append(append(kept, first), a.segments[batch:]...), g)
}

// fold is two segments that follow each other as one: what adds up exactly does
// (M5), what differs is left out, and so are quantiles, which do not add up.
func fold(a, b stats.Segment) stats.Segment {
	out := stats.Segment{
		Epoch: b.Epoch, Start: a.Start, Measured: a.Measured + b.Measured,
		Counters: a.Counters, Gaps: a.Gaps, Batch: a.Batch,
		Latency: a.Latency.Pool(b.Latency), Service: a.Service.Pool(b.Service), Lag: a.Lag.Pool(b.Lag),
	}
	out.Counters.Add(b.Counters)
	out.Gaps.Merge(b.Gaps)
	if a.Clients == b.Clients {
		out.Clients = a.Clients
	}
	if a.Pipeline == b.Pipeline {
		out.Pipeline = a.Pipeline
	}
	if a.Target == b.Target {
		out.Target = a.Target
	}
	if a.Batch != b.Batch {
		out.Batch = ""
	}
	if a.Steady == stats.NotSteady || b.Steady == stats.NotSteady {
		out.Steady = stats.NotSteady
	}
	return out
}

// events are the notes of a run.
type events struct {
	list []stats.Note
	gone int // older ones that gave way
}

// add appends n. Slices that were handed out stay as they are. The first note stays
// whatever comes, since it is about the machine; the second tells what is missing.
func (e *events) add(n stats.Note) {
	if len(e.list) >= mostNotes {
		const batch = mostNotes / 10
		from := 1
		if e.gone > 0 {
			from = 2 // the word on those left out is none of them
		}
		e.gone += batch
		left := stats.Note{At: e.list[from+batch-1].At, Text: fmt.Sprintf("%d older notes are left out here", e.gone)}
		e.list = append([]stats.Note{e.list[0], left}, e.list[from+batch:]...)
	}
	e.list = append(slices.Clip(e.list), n)
}

// replace takes the last note away if that says text.
func (e *events) replace(text string) {
	if last := len(e.list) - 1; last >= 0 && e.list[last].Text == text {
		e.list = e.list[:last:last]
	}
}

// recent is list without its oldest when it has reached most. What was handed out
// stays as it is.
func recent[T any](list []T, most int) []T {
	if len(list) < most {
		return list
	}
	return slices.Clone(list[most/10:])
}
