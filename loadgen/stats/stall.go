package stats

// Stalled reports whether s had gaps without a reply that its schedule does not
// explain (M8): at five requests a second, 200 ms without one are as planned.
func (s Segment) Stalled() bool {
	if s.Gaps.Count == 0 {
		return false
	}
	if !(s.Target > 0) {
		return true
	}
	const planned = 2 // the gap before a slow reply and the one after it
	return s.Gaps.Longest.Seconds() > GapLimit.Seconds()+planned/s.Target
}
