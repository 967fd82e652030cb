package loadgen

import (
	"time"

	"fullbore/loadgen/stats"
)

// Result is what a run leaves behind: every segment, the totals, the faults and
// whether it ended as planned.
type Result struct {
	Plan     Plan      // the last plan in force
	Started  time.Time // wall clock, for the reader only
	Elapsed  time.Duration
	Segments []stats.Segment // one for each plan that was measured, in order (M16)
	Total    stats.Counters  // the whole run, settling included
	Faults   []stats.Fault
	Gaps     stats.Gaps
	Points   []stats.Point
	Marks    []stats.Mark
	Notes    []stats.Note
	Setup    int64 // commands sent to prepare data, beside the load
	Partial  bool  // ended before its -n or duration
	Reason   string
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
