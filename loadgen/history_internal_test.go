package loadgen

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

var local = target.TCP("127.0.0.1", 1)

// small is a plan of a mix.
func small(t *testing.T, mix string, clients, depth, size int) Plan {
	t.Helper()
	m, err := workload.ParseMix(mix)
	if err != nil {
		t.Fatal(err)
	}
	return Plan{Clients: clients, Pipeline: depth, Workload: workload.Workload{
		Mix: m, Payload: size, Keys: workload.KeySpace{Prefix: "fullbore:", Size: 1000},
	}}
}

// closedSegment is the n-th segment of a run in which everything differs.
func closedSegment(h *stats.Histogram, n int) stats.Segment {
	h.Reset()
	h.RecordN(time.Duration(n+1)*time.Millisecond, 3)
	return stats.Segment{
		Epoch: n + 1, Start: time.Duration(n) * time.Second, Measured: time.Second, Plan: fmt.Sprint("plan ", n),
		Clients: n + 1, Pipeline: 16, Latency: h.Summary(3), Distribution: &stats.Distribution{},
		Counters: stats.Counters{Sent: 5, Replies: 3, Errors: 1, Lost: 1, BytesIn: int64(n)},
		Gaps:     stats.Gaps{Longest: time.Duration(n) * time.Millisecond, Count: 1, Total: time.Millisecond},
	}
}

// TestArchiveIsBounded: however many plans were measured, the newest are there one by
// one and all of them in the sums; what was handed out does not change.
func TestArchiveIsBounded(t *testing.T) {
	var a archive
	h := stats.NewHistogram()
	var sum stats.Counters
	var handed []stats.Segment
	const all = 2*mostSegments + 7
	for n := range all {
		g := closedSegment(h, n)
		sum.Add(g.Counters)
		a.add(g)
		if n == mostSegments-1 {
			handed = a.segments
		}
		if len(a.segments) > mostSegments {
			t.Fatalf("%d segments after %d", len(a.segments), n+1)
		}
	}
	var got stats.Counters
	var measured time.Duration
	var samples int64
	for i, s := range a.segments {
		got.Add(s.Counters)
		measured += s.Measured
		samples += s.Latency.Count
		if i > 0 && s.Plan != fmt.Sprint("plan ", all-len(a.segments)+i) {
			t.Fatalf("segment %d is %q", i, s.Plan)
		}
	}
	if got != sum || measured != all*time.Second || samples != 3*all || a.closed != all {
		t.Errorf("%+v in %v, %d samples, of %d; want %+v", got, measured, samples, a.closed, sum)
	}
	first := a.segments[0]
	if want := fmt.Sprintf("%d earlier plans", all-len(a.segments)+1); first.Plan != want {
		t.Errorf("the first is %q, want %q", first.Plan, want)
	}
	if _, shown := first.Latency.Quantile(.5); shown || first.Clients != 0 || first.Pipeline != 16 || first.Distribution != nil {
		t.Errorf("what does not add up is shown: %+v", first)
	}
	if first.Latency.Max != time.Duration(a.segments[1].Epoch-1)*time.Millisecond || first.Epoch != a.segments[1].Epoch-1 {
		t.Errorf("the first ends at %d with %v", first.Epoch, first.Latency.Max)
	}
	for n, s := range handed {
		if s.Plan != fmt.Sprint("plan ", n) {
			t.Fatalf("handed out segment %d became %q", n, s.Plan)
		}
	}
}

func TestFoldKeepsWhatAgrees(t *testing.T) {
	h := stats.NewHistogram()
	a, b := closedSegment(h, 1), closedSegment(h, 1)
	a.Target, b.Target, a.Batch, b.Batch = 5, 5, "multi", "none"
	a.Steady, b.Steady = stats.NotSteady, stats.Steady
	f := fold(a, b)
	if f.Clients != 2 || f.Target != 5 || f.Batch != "" || f.Steady != stats.NotSteady || f.Gaps.Count != 2 {
		t.Errorf("folded %+v", f)
	}
}

// TestEventsAreBounded: the first note and the newest stay, and the rest is counted.
func TestEventsAreBounded(t *testing.T) {
	var e events
	for n := range 1000 {
		handed := slices.Clone(e.list)
		before := e.list
		e.add(stats.Note{Text: fmt.Sprint(n)})
		if !slices.Equal(handed, before) || len(e.list) > mostNotes {
			t.Fatalf("after %d: %d notes, or those handed out changed", n, len(e.list))
		}
	}
	missing := 1000 - (len(e.list) - 1) // the word on them is no note of the run
	if want := fmt.Sprintf("%d older notes are left out here", missing); e.list[0].Text != "0" || e.list[1].Text != want || e.list[len(e.list)-1].Text != "999" {
		t.Errorf("%q, %q … %q; want %q", e.list[0].Text, e.list[1].Text, e.list[len(e.list)-1].Text, want)
	}
	if e.list[2].Text != fmt.Sprint(missing+1) {
		t.Errorf("after the gap comes %q", e.list[2].Text)
	}
}

// TestMarksAreBounded: marks lose the oldest, also with a change that replaces the last.
func TestMarksAreBounded(t *testing.T) {
	l := &timeline{}
	for n := range 5000 {
		l.mark(stats.Mark{At: time.Duration(n)}, n/2) // every other one replaces the one before
		if len(l.marks) > mostMarks {
			t.Fatalf("%d marks", len(l.marks))
		}
	}
	if last := l.marks[len(l.marks)-1]; last.At != 4999 || len(l.marks) < mostMarks*8/10 {
		t.Errorf("%d marks, the last at %d", len(l.marks), last.At)
	}
}

// TestLineIsBounded: days of points keep the counts, and the newest minutes their grain.
func TestLineIsBounded(t *testing.T) {
	l := &timeline{}
	const days = 5 * 24 * time.Hour
	var at time.Duration
	n := 0
	for ; at < days; n++ {
		at += sampleEvery
		l.add(stats.Point{At: at, Span: sampleEvery, Replies: 7, Measured: true})
	}
	var replies int64
	var span time.Duration
	for _, p := range l.points {
		replies += p.Replies
		span += p.Span
	}
	if len(l.points) > longestLine || cap(l.points) > 2*longestLine || replies != 7*int64(n) || span != at {
		t.Errorf("%d points of %d, %d replies in %v", len(l.points), n, replies, span)
	}
}

// TestSleepersAreForgotten: what a plan had planned for hours to come is not kept when
// another takes its place.
func TestSleepersAreForgotten(t *testing.T) {
	p := newPacer(func() time.Duration { return 0 }, newRuntimeAlarm())
	for range 100 {
		for range 50 {
			p.rouse(time.Hour, make(chan struct{}, 1))
		}
		p.forget()
	}
	if len(p.waiting) > 0 || cap(p.waiting) > 500 {
		t.Errorf("%d sleepers, room for %d", len(p.waiting), cap(p.waiting))
	}
}
