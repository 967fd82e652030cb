package stats

// LittleLaw is mean latency × throughput ÷ (clients × pipeline): 1 when every
// client always waits for replies (Little 1961; M4). Clearly less means that time
// is lost in the client between two batches. Error replies count as throughput
// here, because the client waited for them as well; their latencies are not kept
// (M30), so they are taken to be like the others.
//
// False in open loop, where clients rest between batches on purpose, and where
// nothing was measured or the plan is not known.
func (s Segment) LittleLaw() (float64, bool) {
	mean, have := s.Latency.Mean()
	rate, moving := Rate(s.Counters.Replies+s.Counters.Errors, s.Measured)
	places := float64(s.Clients) * float64(s.Pipeline)
	if !have || !moving || s.Target != 0 || places <= 0 {
		return 0, false
	}
	return mean.Seconds() * rate / places, true
}
