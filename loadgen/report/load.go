package report

import (
	"fmt"
	"strconv"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// loadWords say under which load model latencies were taken, without which they
// mean nothing (M3). The measured plans decide, not the last one asked for: a knob
// may have been turned just before the end.
func loadWords(r loadgen.Result) string {
	if len(r.Segments) == 0 {
		return r.Plan.Load()
	}
	first := r.Segments[0].Target
	for _, s := range r.Segments[1:] {
		if s.Target != first {
			return "several: each segment has its own"
		}
	}
	return loadgen.Plan{Rate: first}.Load()
}

// loopWords are loadWords for people, who read "closed" as a fault.
func loopWords(r loadgen.Result) string {
	return strings.NewReplacer("closed", "closed loop", "open at", "open loop at").Replace(loadWords(r))
}

// fellBehind explains the star behind a percentile (M9).
const fellBehind = "*: percentiles of a schedule that fell behind"

// requestRate writes an asked rate with all its digits: 0.5 must not become 1, nor
// 0.001 zero.
func requestRate(rate float64) string { return strconv.FormatFloat(rate, 'f', -1, 64) }

// achieved is what part of the asked rate came back as replies; false in closed
// loop and where nothing came back.
func achieved(s stats.Segment) (float64, bool) {
	got, ok := s.Throughput()
	if !ok || !(s.Target > 0) {
		return 0, false
	}
	return got / s.Target, true
}

// keepsRate reports whether every open-loop plan kept its rate (M9): one that did
// not taints what is pooled from all of them.
func keepsRate(r loadgen.Result) (keeps, known bool) {
	keeps = true
	for _, s := range r.Segments {
		if k, ok := s.KeepsRate(); ok {
			known = true
			keeps = keeps && k
		}
	}
	return keeps && known, known
}

// schedule says how an open loop went: "of 20000 requests per second 99.98 %
// achieved, lag p99 0.012 msec". Empty in closed loop.
func schedule(s stats.Segment) string {
	if !(s.Target > 0) {
		return ""
	}
	text := fmt.Sprintf("of %s requests per second", requestRate(s.Target))
	if share, ok := achieved(s); ok {
		text += fmt.Sprintf(" %.2f %% achieved", 100*share)
	} else {
		text += " none achieved"
	}
	if lag, ok := s.Lag.Quantile(.99); ok {
		text += fmt.Sprintf(", lag p99 %s msec", latency(lag, true, dash))
	}
	return text
}

// warmupWords are the warm-up as asked for and what came of it (M12).
func warmupWords(r loadgen.Result) string {
	text := r.Plan.Warmup.String()
	if s := whole(r).Steady; s != stats.Unjudged {
		text += ", " + string(s)
	}
	return text
}
