package stats

import "time"

// Second is one second of a run's throughput (M8): a stall shows as zeros.
type Second struct {
	At      time.Duration // its beginning, since the first point began
	Span    time.Duration // one second; the last one may be shorter
	Replies int64
	Errors  int64
}

// longPoint is the longest interval that belongs to one second as a whole. Longer
// ones, from a sampler that was held up, are spread over the seconds they cover.
const longPoint = 150 * time.Millisecond

// Series condenses a time line into seconds from its beginning. The sum of the
// series is the sum of the points. A point counts in the second that its middle
// lies in: intervals end within a millisecond or so of whole seconds, and a share
// of one that begins a burst must not make an empty second look alive.
func Series(points []Point) []Second {
	if len(points) == 0 {
		return nil
	}
	begin := points[0].At - points[0].Span
	length := points[len(points)-1].At - begin
	out := make([]Second, max(1, int((length+time.Second/2)/time.Second)))
	for i := range out {
		out[i].At, out[i].Span = time.Duration(i)*time.Second, time.Second
	}
	// The rest of a second makes the last one longer or shorter.
	out[len(out)-1].Span = length - out[len(out)-1].At
	for _, p := range points {
		spread(out, p, p.At-begin)
	}
	return out
}

// spread books p, which ends at end, on the seconds it belongs to.
func spread(out []Second, p Point, end time.Duration) {
	second := func(at time.Duration) int { return min(int(at/time.Second), len(out)-1) }
	if p.Span <= longPoint {
		s := &out[second(end-p.Span/2)]
		s.Replies += p.Replies
		s.Errors += p.Errors
		return
	}
	begin := end - p.Span
	var replies, errors int64 // booked so far
	for i := second(begin); i <= second(end-1); i++ {
		edge := end
		if i < second(end-1) {
			edge = out[i].At + out[i].Span
		}
		share := float64(edge-begin) / float64(p.Span)
		r, e := int64(share*float64(p.Replies)), int64(share*float64(p.Errors))
		out[i].Replies += r - replies
		out[i].Errors += e - errors
		replies, errors = r, e
	}
}
