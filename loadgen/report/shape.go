package report

import (
	"fmt"
	"strings"
	"time"

	"fullbore/loadgen/stats"
)

// distributions prints redis-benchmark's two tables, line for line, of the latencies
// that the summary below them condenses. A percentile that too few batches carry is
// left out (M3), because at a deep pipeline the far end of the table would be the
// fate of one batch; the last line, which is the maximum, is a fact.
func distributions(b *strings.Builder, s stats.Segment) {
	d := s.Distribution
	if d.Count() == 0 {
		return
	}
	b.WriteString("\nLatency by percentile distribution:\n")
	left := false
	for _, rung := range d.Ladder(1) {
		if rung.Percentile > 0 && rung.Percentile < 100 && !stats.Carries(s.Latency.Batches, rung.Percentile/100) {
			left = true
			continue
		}
		upTo(b, rung.Percentile, rung.Step)
	}
	if left {
		b.WriteString("  percentiles that too few batches carry are left out\n")
	}
	b.WriteString("\nCumulative distribution of latencies:\n")
	for _, step := range d.Coarse(edge) {
		upTo(b, 100*float64(step.Count)/float64(d.Count()), step)
	}
}

// upTo is a line of both tables.
func upTo(b *strings.Builder, percent float64, s stats.Step) {
	fmt.Fprintf(b, "%.3f%% <= %s milliseconds (cumulative count %d)\n", percent, latency(s.UpTo, true, dash), s.Count)
}

// edge is the grid of the cumulative table: tenths of a millisecond up to two of
// them, then whole ones, as redis-benchmark's. Its table ends at three seconds;
// where times are longer than a tenth of a second, the grid follows the decades, so
// that a bad minute does not fill the screen.
func edge(d time.Duration) time.Duration {
	step := time.Millisecond
	switch {
	case d <= 2*time.Millisecond:
		step = 100 * time.Microsecond
	case d > 10*time.Second:
		step = time.Second
	case d > time.Second:
		step = 100 * time.Millisecond
	case d > 100*time.Millisecond:
		step = 10 * time.Millisecond
	}
	return (d + step - 1) / step * step
}
