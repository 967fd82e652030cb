package tui

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"fullbore/loadgen/stats"
)

// method says how the latency was taken and under which load, for beside every
// latency (M3); the clients stand in the strip, as with them the rule would have no
// room for the recent p99. It speaks of the load that was measured, which lags
// behind the wanted plan.
func (c scene) method() string {
	seg := c.subject()
	depth := fmt.Sprintf("P=%d", seg.Pipeline)
	if seg.Batch != "" {
		depth += ", batch " + seg.Batch
	}
	if rtt := simulated(seg); rtt != "" {
		depth += ", " + rtt
	}
	if !(seg.Target > 0) {
		return "own reply, " + depth + ", closed"
	}
	// From the planned time, which leaves no room for "own reply" (M9).
	words := "from plan, " + depth + ", open"
	if got, ok := seg.Throughput(); ok {
		return words + fmt.Sprintf(": %s of %s/s", portion(got/seg.Target), rateWords(seg.Target))
	}
	return words + " at " + rateWords(seg.Target) + "/s"
}

// simulated marks a segment that was measured under a round trip that is not the
// network's; empty for any other.
func simulated(seg stats.Segment) string {
	if _, rest, ok := strings.Cut(seg.Plan, " rtt="); ok {
		rtt, _, _ := strings.Cut(rest, " ")
		return "rtt " + rtt + " simulated"
	}
	return ""
}

// subject is the load that the numbers are of: the measured one, and the wanted one
// before anything was measured.
func (c scene) subject() stats.Segment {
	seg := c.slow.Current
	if seg.Pipeline == 0 {
		seg.Pipeline, seg.Target, seg.Batch, seg.Plan = c.plan.Pipeline, c.plan.Rate, string(c.plan.Batch), c.plan.String()
	}
	return seg
}

// portion is a share in per cent. Below that of a kept rate it is rounded down: what
// falls short must not read as if it had not.
func portion(share float64) string {
	tenths := math.Floor(share*1000 + 1e-6)
	if share >= stats.KeptShare {
		tenths = math.Round(share * 1000)
	}
	switch {
	case tenths >= 1000:
		return "100%"
	case tenths < 10 && share > 0:
		return "<1%"
	default:
		return strconv.FormatFloat(tenths/10, 'f', -1, 64) + "%"
	}
}

// rateWords is a rate with thousands set apart; a small one keeps its fraction.
func rateWords(r float64) string {
	if r < 100 {
		return strconv.FormatFloat(r, 'g', 4, 64)
	}
	return grouped(int64(r))
}

// marks are what must be known of the column "since change" while it is read: that
// measuring began before the load was steady (M12), that percentiles carry a backlog
// because the rate was not kept (M9), be it that requests are missing or that they
// left late. In words, as a sign would need a legend.
func (c scene) marks() []string {
	var out []string
	if c.slow.Current.Steady == stats.NotSteady {
		out = append(out, "  not steady")
	}
	if keeps, known := c.slow.Current.KeepsRate(); known && !keeps {
		mark := "  rate not kept"
		if got, _ := c.slow.Current.Throughput(); got >= stats.KeptShare*c.slow.Current.Target {
			mark = "  late" // the row of the lag says how much
		}
		out = append(out, mark)
	}
	return out
}

// legend explains the rows that only an open loop has. A mark is worth more room.
func (c scene) legend() string {
	if !c.open() || len(c.marks()) > 0 {
		return ""
	}
	return "svc: service"
}

// open reports whether the table is of an open loop, whose latencies are two.
func (c scene) open() bool { return c.subject().Target > 0 }
