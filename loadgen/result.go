package loadgen

import (
	"slices"
	"time"

	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
)

// Result is what a run leaves behind: every segment, the totals, the faults and
// whether it ended as planned.
type Result struct {
	Plan       Plan      // the last plan in force
	Started    time.Time // wall clock, for the reader only
	Elapsed    time.Duration
	Segments   []stats.Segment // one for each plan that was measured, in order (M16)
	Nodes      []stats.Node    // of a cluster: each over the last segment; empty for a server alone
	Total      stats.Counters  // the whole run, settling included
	Faults     []stats.Fault
	Gaps       stats.Gaps
	Points     []stats.Point
	Marks      []stats.Mark
	Notes      []stats.Note
	Connecting time.Duration // until every client had connected, or failed to once; before any load
	Setup      int64         // commands sent to prepare data, beside the load
	Partial    bool          // ended before its -n or duration
	Reason     string

	// Limiter is what held the load back, for most of the measured time; its Name is ""
	// where nobody looked.
	Limiter  insight.Limiter
	Limiters []insight.Limiter // the same, by segment
	Insight  *Insight          // the last look at server and machine; nil = there was none
}

// Failed reports whether the run saw errors or lost connections or ended early:
// exit code 1 (M29).
func (r Result) Failed() bool {
	return len(r.Faults) > 0 || r.Partial
}

// Last is the segment measured last; an empty one when nothing was measured.
func (r Result) Last() stats.Segment {
	if len(r.Segments) == 0 {
		return stats.Segment{}
	}
	return r.Segments[len(r.Segments)-1]
}

// Interim is the result of a run that goes on: what s knows, under the plan p.
func Interim(s *stats.Snapshot, p Plan) Result {
	r := Result{
		Plan: p, Elapsed: s.Elapsed, Segments: s.History, Total: s.Total, Faults: s.Faults,
		Gaps: s.Gaps, Points: s.Points, Marks: s.Marks, Notes: s.Notes,
		Nodes:   s.Nodes,
		Partial: true, Reason: "saved while the run went on",
	}
	// A finished run keeps its doubts as notes; one that goes on has them apart.
	for _, text := range s.Warnings {
		r.Notes = append(slices.Clip(r.Notes), stats.Note{At: s.Elapsed, Warning: true, Text: text})
	}
	if s.Current.Measured > 0 {
		r.Segments = append(slices.Clip(r.Segments), s.Current)
	}
	return r
}
