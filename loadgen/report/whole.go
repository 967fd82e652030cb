package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// whole folds the measured segments of a result into one. Counts, time, sums
// and extremes add up exactly. Quantiles of different plans do not, so with more
// than one segment that has samples they are withheld.
func whole(r loadgen.Result) stats.Segment {
	if len(r.Segments) == 1 {
		return r.Segments[0]
	}
	var w stats.Segment
	for _, s := range r.Segments {
		w.Measured += s.Measured
		w.Counters.Add(s.Counters)
		w.Latency = pool(w.Latency, s.Latency)
		w.Service = pool(w.Service, s.Service)
		w.Lag = pool(w.Lag, s.Lag)
	}
	return w
}

// pool adds up what two summaries can add up. Its Batches stay 0 when both have
// samples, which is what withholds the quantiles (M3).
func pool(a, b stats.Latency) stats.Latency {
	switch {
	case a.Count == 0:
		b.Bugs += a.Bugs
		return b
	case b.Count == 0:
		a.Bugs += b.Bugs
		return a
	}
	return stats.Latency{
		Count: a.Count + b.Count, Sum: a.Sum + b.Sum,
		Min: min(a.Min, b.Min), Max: max(a.Max, b.Max),
		Over: a.Over + b.Over, Bugs: a.Bugs + b.Bugs,
	}
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

// loadWords say under which load model a latency was taken, without which it
// means nothing (M3).
func loadWords(p loadgen.Plan) string {
	if p.Rate == 0 {
		return "closed loop"
	}
	return p.Load()
}

// gapWords put the time-weighted evidence of stalls into words (M8).
func gapWords(g stats.Gaps) string {
	s := fmt.Sprintf("longest gap without a reply %.1f ms", millis(g.Longest))
	if g.Count == 0 {
		return s
	}
	return s + fmt.Sprintf("; %d above %v, %.1f s in all", g.Count, stats.GapLimit, g.Total.Seconds())
}

// warnings are the texts of the notes a reader should not miss, each once.
func warnings(notes []stats.Note) []string {
	var texts []string
	for _, n := range notes {
		if n.Warning && !slices.Contains(texts, n.Text) {
			texts = append(texts, n.Text)
		}
	}
	return texts
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
