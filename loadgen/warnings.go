package loadgen

import (
	"fmt"
	"time"

	"fullbore/loadgen/stats"
)

// Thresholds of the warnings, each from the rule that asks for it.
const (
	lowHitRate  = 0.95 // C11: reads that miss are not the reads the user means
	littleShare = 0.90 // M4: mean latency × rate against C × P
)

// warnings is what is doubtful about the current segment while it is measured.
func (r *Runner) warnings(s *stats.Snapshot) []string {
	if s.State != stats.Measuring || s.Current.Measured < time.Second {
		return nil // too early to judge
	}
	out := r.doubts(s)
	if s.Connected < s.Clients {
		out = append(out, fmt.Sprintf("%d of %d clients connected", s.Connected, s.Clients))
	}
	return out
}

// shortfall says that the load ended on fewer connections than it was planned for.
func (r *Runner) shortfall(s *stats.Snapshot) (text string, ok bool) {
	up, asked := r.standing.Load(), r.sampler.seg.plan.Clients
	if up < 0 || up >= int64(asked) || len(s.Faults) == 0 {
		return "", false
	}
	return fmt.Sprintf("%d of %d clients connected when the load ended", up, asked), true
}

// doubts lists what is doubtful about a segment's numbers, in words.
func (r *Runner) doubts(s *stats.Snapshot) []string {
	seg := s.Current
	var out []string
	add := func(format string, a ...any) { out = append(out, fmt.Sprintf(format, a...)) }
	said := r.witness.seen.Load()
	if rate, ok := seg.Counters.HitRate(); ok && rate < lowHitRate {
		why := ""
		if n := said.more("evicted_keys"); n > 0 {
			why = fmt.Sprintf(" (the server evicted %s)", things(n, "key"))
		}
		add("hit rate %.1f%%: reads meet keys that are not there%s", rate*100, why)
	}
	if said != nil {
		out = append(out, said.explain(r.epoch.Load().plan, s.Faults)...)
	}
	if n := r.capped.Load(); n > 0 {
		add("pipeline lowered to about %d: a batch would exceed %d KiB in flight", n, inFlightCap>>10)
	}
	if keeps, known := seg.KeepsRate(); known && !keeps {
		got, _ := seg.Throughput()
		lag, _ := seg.Lag.Quantile(.99)
		if got >= stats.KeptShare*seg.Target {
			add("requests leave late: schedule lag p99 %v; latencies from the plan carry it", lag.Round(time.Microsecond))
		} else {
			add("cannot keep this rate: %.0f/s of %.0f/s, schedule lag p99 %v", got, seg.Target, lag.Round(time.Microsecond))
		}
	}
	if share, ok := seg.LittleLaw(); ok && share < littleShare {
		add("latency × rate is %.0f%% of clients × pipeline: time is lost between batches in this process", share*100)
	}
	if seg.Latency.Over > 0 {
		add("%d replies took longer than %v", seg.Latency.Over, stats.HighestLatency)
	}
	if seg.Latency.Bugs > 0 {
		add("%d latencies were zero or negative and left out: the clock is not to be trusted", seg.Latency.Bugs)
	}
	return out
}
