package stats

import (
	"math"
	"time"
)

// Second is one second of a run's throughput (M8): a stall shows as zeros.
type Second struct {
	At      time.Duration // its beginning, since the first point began
	Span    time.Duration // one second; the last one may be shorter
	Replies int64
	Errors  int64
}

// Series condenses a time line into seconds from its beginning. Points do not end
// on whole seconds; what a point counted is spread evenly over its span, in whole
// replies, so that the sum of the series is the sum of the points.
func Series(points []Point) []Second {
	if len(points) == 0 {
		return nil
	}
	begin := points[0].At - points[0].Span
	end := points[len(points)-1].At
	out := make([]Second, 0, int((end-begin)/time.Second)+1)
	var replies, errors cumulative
	for at := time.Duration(0); at < end-begin; at += time.Second {
		span := min(time.Second, end-begin-at)
		s := Second{At: at, Span: span}
		s.Replies = replies.until(points, begin+at+span, func(p Point) int64 { return p.Replies })
		s.Errors = errors.until(points, begin+at+span, func(p Point) int64 { return p.Errors })
		out = append(out, s)
	}
	return out
}

// cumulative walks along a time line and tells how much was counted since the
// last call.
type cumulative struct {
	next  int   // first point that ends after the last call's moment
	whole int64 // counted by the points before it
	told  int64
}

func (c *cumulative) until(points []Point, at time.Duration, count func(Point) int64) int64 {
	for c.next < len(points) && points[c.next].At <= at {
		c.whole += count(points[c.next])
		c.next++
	}
	sum := c.whole
	if c.next < len(points) {
		p := points[c.next]
		share := float64(at-(p.At-p.Span)) / float64(p.Span)
		sum += int64(math.Round(max(0, share) * float64(count(p))))
	}
	n := sum - c.told
	c.told = sum
	return n
}
