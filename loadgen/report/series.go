package report

import (
	"math"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// jsonSecond is one second of measured time (M8): a stall shows as zeros.
type jsonSecond struct {
	At      float64 `json:"at_seconds"` // its beginning, in measured time
	Span    float64 `json:"seconds"`    // 1, but for the last one
	Replies int64   `json:"replies"`
	Errors  int64   `json:"errors"`
}

// Series are of measured time, not of the run: settling, pauses and preparations
// are cut out and what lies around them moves together. So a zero is always a
// stall and never a pause, the seconds add up to the measured time that rates are
// made of, and the replies to those of the segments. (A run of more than an hour
// keeps points of a coarser grain, whose edges may then lie beside a pause.)

// series is that of a whole result.
func series(r loadgen.Result) []jsonSecond {
	return bySecond(measured(r.Points, math.MinInt, math.MaxInt))
}

// seriesOf is that of the i-th segment. A pause gives a segment a new epoch and
// leaves it open, so its points are those of all epochs since the segment before.
func seriesOf(r loadgen.Result, i int) []jsonSecond {
	after := math.MinInt
	if i > 0 {
		after = r.Segments[i-1].Epoch
	}
	return bySecond(measured(r.Points, after, r.Segments[i].Epoch))
}

// measured are the points with the clock on of the epochs above after up to last,
// moved together.
func measured(points []stats.Point, after, last int) []stats.Point {
	var out []stats.Point
	for _, p := range points {
		if !p.Measured || p.Span <= 0 || p.Epoch <= after || p.Epoch > last {
			continue
		}
		p.At = p.Span
		if n := len(out); n > 0 {
			p.At += out[n-1].At
		}
		out = append(out, p)
	}
	return out
}

// bySecond is never nil: an empty list is a list.
func bySecond(points []stats.Point) []jsonSecond {
	out := []jsonSecond{}
	for _, s := range stats.Series(points) {
		out = append(out, jsonSecond{s.At.Seconds(), s.Span.Seconds(), s.Replies, s.Errors})
	}
	return out
}
