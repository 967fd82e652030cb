package tui

import (
	"slices"
	"strings"
	"time"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/stats"
	"fullbore/views"
)

// rows are the lines of the results: all rounds together, and the last one beside
// them where there is room.
func (x contrast) rows(out experiment.Outcome) []views.CompareRow {
	rows := []views.CompareRow{
		x.numbers(out, views.CompareRow{Label: "ops/s"}, stats.Segment.Throughput),
		x.numbers(out, views.CompareRow{Label: "MB/s"}, megabytes),
	}
	for _, q := range []struct {
		label string
		at    float64
	}{{"p50", .50}, {"p75", .75}, {"p90", .90}, {"p99", .99}, {"p99.9", .999}, {"p99.99", .9999}} {
		rows = append(rows, x.times(out, q.label, func(g stats.Segment) (time.Duration, bool) { return g.Latency.Quantile(q.at) }))
	}
	rows = append(rows,
		x.times(out, "max", func(g stats.Segment) (time.Duration, bool) { return g.Latency.Max, g.Latency.Count > 0 }),
		// A cost, not a latency: what a command takes when P of them share a round trip (M1).
		x.times(out, "p50 / P", func(g stats.Segment) (time.Duration, bool) {
			v, ok := g.Latency.Quantile(.50)
			return v / time.Duration(max(g.Pipeline, 1)), ok
		}),
		x.numbers(out, views.CompareRow{Label: "errors", NoRatio: true, MoreIsBad: true}, func(g stats.Segment) (float64, bool) {
			return float64(g.Counters.Errors + g.Counters.Lost), g.Measured > 0
		}),
		x.numbers(out, views.CompareRow{Label: "samples", NoRatio: true, Short: true}, func(g stats.Segment) (float64, bool) {
			return float64(g.Counters.Replies), g.Measured > 0
		}))
	for i := range rows {
		if rows[i].Label == metricLabel(out.Metric) {
			rows[i].Ratios = x.ratios(out)
		} else if x.bound(out) {
			rows[i].Ratios = x.unclaimed(out)
		}
	}
	return rows
}

// megabytes are those of both directions in a second.
func megabytes(g stats.Segment) (float64, bool) {
	v, ok := stats.Rate(g.Counters.BytesIn+g.Counters.BytesOut, g.Measured)
	return v / 1e6, ok
}

// numbers fills a row by side.
func (x contrast) numbers(out experiment.Outcome, r views.CompareRow, of func(stats.Segment) (float64, bool)) views.CompareRow {
	for _, arm := range x.order {
		r.Numbers = append(r.Numbers, number(of(out.Arms[arm].Total)))
		r.LastNumbers = append(r.LastNumbers, number(of(latest(out.Arms[arm]))))
	}
	return r
}

// times is numbers of a latency.
func (x contrast) times(out experiment.Outcome, label string, of func(stats.Segment) (time.Duration, bool)) views.CompareRow {
	r := views.CompareRow{Label: label, IsTime: true, MoreIsBad: true}
	one := func(g stats.Segment) views.Duration {
		v, ok := of(g)
		return views.Duration{Value: v, OK: ok}
	}
	for _, arm := range x.order {
		r.Times = append(r.Times, one(out.Arms[arm].Total))
		r.LastTimes = append(r.LastTimes, one(latest(out.Arms[arm])))
	}
	return r
}

// latest is the last round of an arm; before the first there is nothing in it.
func latest(m experiment.Measured) stats.Segment {
	if len(m.Rounds) == 0 {
		return stats.Segment{}
	}
	return m.Rounds[len(m.Rounds)-1].Segment
}

// ratios are the findings' on the row that they are about.
func (x contrast) ratios(out experiment.Outcome) []views.Ratio {
	var rs []views.Ratio
	for _, arm := range x.order {
		rs = append(rs, ratioOf(out.Findings[arm]))
	}
	return rs
}

// bound tells whether the load generator was the limit of some side.
func (x contrast) bound(out experiment.Outcome) bool {
	return slices.ContainsFunc(out.Findings, func(f paired.Finding) bool { return f.Why == paired.ClientBound })
}

// unclaimed are ratios to be worked out that say neither better nor worse of the sides
// whose limit was the load generator: no row names a winner then.
func (x contrast) unclaimed(out experiment.Outcome) []views.Ratio {
	var rs []views.Ratio
	for _, arm := range x.order {
		rs = append(rs, views.Ratio{Open: out.Findings[arm].Why == paired.ClientBound})
	}
	return rs
}

// ratioOf holds the words back while the verdict does.
func ratioOf(f paired.Finding) views.Ratio {
	kind := f.Verdict.Kind
	return views.Ratio{Value: f.Ratio, Low: f.Low, High: f.High, Open: kind != paired.Faster && kind != paired.Slower}
}

// verdicts are those of a case, by side.
func (x contrast) verdicts(out experiment.Outcome) []views.Verdict {
	var vs []views.Verdict
	for _, arm := range x.order {
		f := out.Findings[arm]
		vs = append(vs, views.Verdict{
			Mark: markOf(f), Text: x.doubt(out, arm), Ratio: ratioOf(f),
			Floor: number(f.Floor, f.Floor > 0), Pairs: f.Pairs, More: f.More,
		})
	}
	return vs
}

// doubt says why nothing can be told of an arm; empty where something can, which the
// view puts into words, or where it is too early.
func (x contrast) doubt(out experiment.Outcome, arm int) string {
	f, names := out.Findings[arm], lettersOf(x.order)
	if f.Pairs < experiment.LeastPairs {
		return ""
	}
	for _, a := range []int{x.order[0], arm} {
		if !(out.Arms[a].Median > 0) {
			return names[arm] + ": cannot tell: most rounds of " + names[a] + " had no reply"
		}
	}
	if f.Verdict.Kind != paired.CannotTell {
		return ""
	}
	return names[arm] + ": " + f.Sentence(paired.Words{A: names[x.order[0]], B: names[arm]})
}

// markOf is a verdict in a word; before enough pairs there is none.
func markOf(f paired.Finding) views.VerdictMark {
	if f.Pairs < experiment.LeastPairs {
		return views.MarkWaiting
	}
	switch f.Verdict.Kind {
	case paired.Faster:
		return views.MarkFaster
	case paired.Slower:
		return views.MarkSlower
	case paired.BelowPractical:
		return views.MarkSmall
	case paired.NoDifference:
		return views.MarkSame
	case paired.CannotTell:
		if f.Why == paired.ClientBound {
			return views.MarkClient
		}
		return views.MarkUnknown
	}
	return views.MarkWaiting
}

// matrix is a row for each case.
func (x contrast) matrix() []views.CompareCase {
	if len(x.slow.Results) < 2 {
		return nil
	}
	var cases []views.CompareCase
	for i, raw := range x.slow.Results {
		out := filled(raw, len(x.arms))
		reference := out.Arms[x.order[0]]
		row := views.CompareCase{
			Title: out.Case.Title, Verdicts: x.verdicts(out), IsTime: out.Metric == experiment.TailP99,
			Median: number(reference.Median, len(reference.Rounds) > 0), Done: out.Done, Pairs: len(reference.Rounds),
			Underway: i == x.slow.Case && !quiet(x.slow.Phase),
		}
		cases = append(cases, row)
	}
	return cases
}

// series are the stretches of the case that shows, oldest first, the present one last.
func (x contrast) series() []experiment.Outcome {
	var all []experiment.Outcome
	for _, s := range x.slow.Earlier {
		out := experiment.Outcome{}
		if x.test < len(s.Results) {
			out = s.Results[x.test]
		}
		all = append(all, filled(out, len(x.arms)))
	}
	return append(all, x.outcome())
}

// pairsOf is how many pairs a stretch has, the one under way included.
func pairsOf(out experiment.Outcome) int {
	n := 0
	for _, m := range out.Arms {
		for _, r := range m.Rounds {
			n = max(n, r.Pair)
		}
	}
	return n
}

// points are the rounds of an arm, those before a change as well.
func (x contrast) points(arm int) []views.RoundPoint {
	var points []views.RoundPoint
	offset := 0
	for _, out := range x.series() {
		for _, r := range out.Arms[arm].Rounds {
			p99, ok := r.Segment.Latency.Quantile(.99)
			points = append(points, views.RoundPoint{
				Slot: offset + max(r.Pair, 1) - 1, Ops: number(r.Segment.Throughput()), P99: views.Duration{Value: p99, OK: ok},
			})
		}
		offset += pairsOf(out)
	}
	return points
}

// marks tell where pairs began anew, and why.
func (x contrast) marks() []views.SlotMark {
	var marks []views.SlotMark
	offset := 0
	all := x.series()
	for i, s := range x.slow.Earlier {
		next := x.planWords()
		if i+1 < len(x.slow.Earlier) {
			next = x.slow.Earlier[i+1].Plans
		}
		if n := pairsOf(all[i]); n > 0 { // a stretch without a pair shows nothing
			offset += n
			marks = append(marks, views.SlotMark{Slot: offset, Text: x.changed(s.Plans, next)})
		} else if len(marks) > 0 {
			marks[len(marks)-1].Text = joinWords(marks[len(marks)-1].Text, x.changed(s.Plans, next))
		}
	}
	return marks
}

func joinWords(a, b string) string { return strings.Trim(a+", "+b, ", ") }

// planWords are the plans in force, as Series has them.
func (x contrast) planWords() []string {
	var words []string
	for _, s := range x.slow.Arms {
		words = append(words, s.Arm.Plan.String())
	}
	return words
}

// changed tells what differs between plans in words, by side: "B P=1 > P=16".
func (x contrast) changed(from, to []string) string {
	var all []string
	for at, arm := range x.order {
		if arm >= len(from) || arm >= len(to) || from[arm] == to[arm] {
			continue
		}
		was, is := strings.Fields(from[arm]), strings.Fields(to[arm])
		text := ""
		for i := range max(len(was), len(is)) {
			if a, b := field(was, i), field(is, i); a != b {
				text = joinWords(text, strings.TrimSpace(a+" > "+b))
			}
		}
		all = append(all, string(rune('A'+at))+" "+text)
	}
	if len(all) == 0 {
		return "anew"
	}
	return strings.Join(all, ", ")
}

// field is a word of a list, empty beyond its end.
func field(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}
