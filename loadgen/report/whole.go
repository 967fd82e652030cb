package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// whole folds the measured segments of a result into one. Counts, time, gaps, sums
// and extremes add up exactly. Quantiles of different plans do not, so with more
// than one segment that has samples they are withheld. Without any segment it is
// the plan that was asked for, and the gaps of the whole run, which are then the
// only evidence of what happened.
func whole(r loadgen.Result) stats.Segment {
	switch len(r.Segments) {
	case 0:
		return stats.Segment{Target: r.Plan.Rate, Clients: r.Plan.Clients, Pipeline: r.Plan.Pipeline, Gaps: r.Gaps}
	case 1:
		return r.Segments[0]
	}
	w := agreed(r.Segments)
	for _, s := range r.Segments {
		w.Measured += s.Measured
		w.Counters.Add(s.Counters)
		w.Gaps.Merge(s.Gaps)
		w.Latency = w.Latency.Pool(s.Latency)
		w.Service = w.Service.Pool(s.Service)
		w.Lag = w.Lag.Pool(s.Lag)
	}
	return w
}

// agreed is what several plans have in common. What differs stays zero, and so
// nothing is derived from it: there is no share of Little's law for two pipelines.
func agreed(segments []stats.Segment) stats.Segment {
	first := segments[0]
	w := stats.Segment{Target: first.Target, Clients: first.Clients, Pipeline: first.Pipeline, Steady: first.Steady}
	for _, s := range segments[1:] {
		if s.Clients != first.Clients || s.Pipeline != first.Pipeline || s.Target != first.Target {
			w.Clients, w.Pipeline = 0, 0
		}
		if s.Target != first.Target {
			w.Target = 0
		}
		w.Steady = lesser(w.Steady, s.Steady)
	}
	return w
}

// lesser is the verdict on two plans together: one that was not steady taints the
// whole, and one that nobody judged leaves it unjudged (M12).
func lesser(a, b stats.Steadiness) stats.Steadiness {
	switch {
	case a == stats.NotSteady || b == stats.NotSteady:
		return stats.NotSteady
	case a == b:
		return a
	}
	return stats.Unjudged
}

// requests are the commands the server answered, well or badly (M5); what was
// lost on the way is counted apart.
func requests(c stats.Counters) int64 { return c.Replies + c.Errors }

// codes are the error replies of the run by code, most frequent first.
func codes(faults []stats.Fault) []stats.Fault {
	return only(faults, func(f stats.Fault) bool { return f.Class == stats.ReplyFault })
}

// troubles are all faults that are not error replies.
func troubles(faults []stats.Fault) []stats.Fault {
	return only(faults, func(f stats.Fault) bool { return f.Class != stats.ReplyFault })
}

// only is a copy of the faults to keep: a Result is shared and stays as it is.
func only(faults []stats.Fault, keep func(stats.Fault) bool) []stats.Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f stats.Fault) bool { return !keep(f) })
}

// codeWords lists codes with their counts: "WRONGTYPE 12, OOM 3".
func codeWords(faults []stats.Fault) string {
	var words []string
	for _, f := range faults {
		words = append(words, fmt.Sprintf("%s %d", clean(f.Code), f.Count))
	}
	return strings.Join(words, ", ")
}

// gapWords put the time-weighted evidence of stalls into words (M8).
func gapWords(s stats.Segment) string {
	g := s.Gaps
	text := fmt.Sprintf("longest gap without a reply %.1f ms", millis(g.Longest))
	if g.Count == 0 {
		return text
	}
	text += fmt.Sprintf("; %d above %v, %.1f s in all", g.Count, stats.GapLimit, g.Total.Seconds())
	if share, ok := s.StalledShare(); ok {
		text += fmt.Sprintf(" (%.1f %% of the time)", 100*share)
	}
	return text
}

// ending says why a result is partial: "ended early: interrupted".
func ending(r loadgen.Result) string {
	if r.Reason == "" {
		return "ended early"
	}
	return "ended early: " + clean(r.Reason)
}

// seconds is d for a line of text.
func seconds(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()) }
