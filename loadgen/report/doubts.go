package report

import (
	"fmt"
	"slices"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// doubt is a reason not to take a result's numbers at their word.
type doubt struct {
	// topic is how the engine's own warning of the same begins: a reader is told
	// once, and from the numbers printed beside it.
	topic string
	text  string
	mark  string // for a line that has room for a few words; empty = none
}

// doubts are judged from the result itself, so that every format says the same and
// a result read back from anywhere would too.
func doubts(r loadgen.Result) []doubt {
	var out []doubt
	for _, judge := range []func(loadgen.Result) (doubt, bool){missedRate, unsteady, stalled, missedKeys} {
		if d, doubtful := judge(r); doubtful {
			out = append(out, d)
		}
	}
	return out
}

// missedRate: an open loop that falls behind its schedule measures its own backlog
// as much as the server (M9).
func missedRate(r loadgen.Result) (doubt, bool) {
	if keeps, known := keepsRate(r); !known || keeps {
		return doubt{}, false
	}
	d := doubt{topic: "cannot keep this rate", mark: "cannot keep this rate"}
	d.text = "cannot keep this rate: latencies carry a backlog"
	if share, ok := achieved(whole(r)); ok {
		d.mark += fmt.Sprintf(": %.2f %%", 100*share)
		d.text = "cannot keep this rate: " + schedule(whole(r)) + "; latencies carry a backlog"
	}
	return d, true
}

// unsteady: the throughput had not come to rest when measuring began (M12).
func unsteady(r loadgen.Result) (doubt, bool) {
	return doubt{
		topic: "not steady", mark: "not steady",
		text: "not steady: throughput still moved when measuring began",
	}, whole(r).Steady == stats.NotSteady
}

// stalled: the percentiles of a closed loop hide that the server stood still,
// because nobody asks while all clients wait (M8).
func stalled(r loadgen.Result) (doubt, bool) {
	w := whole(r)
	if !w.Stalled() {
		return doubt{}, false
	}
	longest := "longest gap " + latency(w.Gaps.Longest, true, dash) + " msec"
	d := doubt{topic: "stalled", mark: "stalled", text: "stalled: " + longest}
	if share, ok := w.StalledShare(); ok {
		d.mark = fmt.Sprintf("stalled %.1f %%", 100*share)
		d.text = d.mark + " of the time, " + longest
	}
	if w.Target == 0 && w.Latency.Count > 0 {
		d.text += ": the percentiles of a closed loop hide this"
	}
	return d, true
}

// missedKeys: reads that meet nothing are not the reads the user means (C11).
func missedKeys(r loadgen.Result) (doubt, bool) {
	const least = .95
	rate, ok := r.Total.HitRate()
	return doubt{
		topic: "hit rate",
		text:  fmt.Sprintf("hit rate %.2f %%: many reads met nothing, which is less work for the server", rate*100),
	}, ok && rate < least
}

// warnings are the doubts and, each once, the texts of the notes that a reader
// should not miss.
func warnings(r loadgen.Result) []string {
	told := doubts(r)
	var texts []string
	for _, d := range told {
		texts = append(texts, d.text)
	}
	for _, n := range r.Notes {
		same := func(d doubt) bool { return strings.HasPrefix(n.Text, d.topic) }
		if n.Warning && !slices.ContainsFunc(told, same) && !slices.Contains(texts, n.Text) {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// Caveats are what a reader of e's numbers must know and a bare line of numbers
// does not say: an early end, silence, errors, faults, doubts and warnings, worst
// first and a line each. Nil after a clean run. The CSV has no room for them and
// -q only for a few words, so whoever prints those formats prints these elsewhere.
func Caveats(e Entry) []string {
	r := e.Result
	var out []string
	if r.Partial {
		out = append(out, "partial result, "+ending(r))
	}
	if text := silence(r); text != "" {
		out = append(out, text)
	}
	out = append(out, troubleLines(r)...)
	for _, w := range warnings(r) {
		out = append(out, "warning: "+clean(w))
	}
	return out
}

// troubleLines are the errors, faults and losses of a run.
func troubleLines(r loadgen.Result) []string {
	var out []string
	if n := r.Total.Errors; n > 0 {
		out = append(out, fmt.Sprintf("errors: %d of %d replies (%s)", n, requests(r.Total), share(n, requests(r.Total))))
	}
	for _, f := range r.Faults {
		out = append(out, fmt.Sprintf("fault: %s %s, %d in all, first: %s", f.Class, clean(f.Code), f.Count, quote(f.Text)))
	}
	if r.Total.Lost > 0 {
		out = append(out, fmt.Sprintf("lost: %d requests in flight when their connection died", r.Total.Lost))
	}
	return out
}

// silence says why there are no latencies where there are none; empty otherwise.
func silence(r loadgen.Result) string {
	switch c := r.Total; {
	case c.Replies > 0 && whole(r).Latency.Count > 0:
		return ""
	case c.Replies > 0:
		return "nothing was measured: the run ended while its samples were set apart"
	case c.Errors > 0:
		return "no request succeeded: every reply was an error"
	case c.Sent > 0:
		return fmt.Sprintf("nothing was answered: %d requests were sent", c.Sent)
	case r.Plan.Paused:
		return "nothing was sent: the load was paused"
	}
	return "nothing was sent"
}
