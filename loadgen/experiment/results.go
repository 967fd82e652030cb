package experiment

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// blank is the outcome of a case before its first round.
func (e *course) blank(c Case) Outcome {
	o := Outcome{Case: c, Metric: TailP99, Arms: make([]Measured, len(e.arms))}
	for i, p := range e.under {
		if p.Rate == 0 {
			o.Metric = Throughput
		}
		o.Arms[i].Command = command(inCase(p, c).Workload.Mix)
	}
	return o
}

// command is what the server counts the tests of m under; "" when that is several.
func command(m workload.Mix) string {
	name := ""
	for _, e := range m {
		if len(e.Test.Args) == 0 {
			return ""
		}
		own := strings.ToLower(e.Test.Args[0])
		if name != "" && name != own {
			return ""
		}
		name = own
	}
	return name
}

// book enters a round of a side. Outcomes were handed out, so that they are copied
// and never written to.
func (e *course) book(s *side, seg stats.Segment, ok bool) {
	o := e.results[e.caseAt]
	r := Round{Pair: e.attempt, At: time.Since(e.begun), Segment: seg}
	if ok {
		r.Value = o.Metric.of(seg)
	}
	if e.mute++; seg.Counters.Replies > 0 {
		e.mute = 0
	}
	r.Segment.Distribution = nil // that of the total has it
	if s.twin {
		o.Twins = append(slices.Clip(o.Twins), r)
	} else {
		sum := &e.sums[s.arm]
		sum.Add(seg)
		o.Arms = slices.Clone(o.Arms)
		m := &o.Arms[s.arm]
		m.Rounds = append(slices.Clip(m.Rounds), r)
		m.Total = sum.Segment()
		m.summarise()
	}
	e.results = slices.Clone(e.results)
	e.results[e.caseAt] = o
	e.publish()
}

// of is the metric of a segment; 0 when nothing was answered. A p99 is taken as it
// is, however few batches it rests on: as one of many values that are compared, not
// as one to show (M3).
func (m Metric) of(seg stats.Segment) float64 {
	if m == TailP99 {
		return float64(seg.Distribution.At(.99))
	}
	rate, _ := seg.Throughput()
	return rate
}

// summarise works out the median and the range.
func (m *Measured) summarise() {
	values := make([]float64, len(m.Rounds))
	for i, r := range m.Rounds {
		values[i] = r.Value
	}
	slices.Sort(values)
	half := len(values) / 2
	m.Low, m.High, m.Median = values[0], values[len(values)-1], values[half]
	if len(values)%2 == 0 {
		m.Median = (values[half-1] + values[half]) / 2
	}
}

// pairsOf are the rounds of a and b that lie back to back: those of the same pair.
func pairsOf(a, b []Round) []paired.Pair {
	var out []paired.Pair
	for _, r := range b {
		if i := slices.IndexFunc(a, func(o Round) bool { return o.Pair == r.Pair }); i >= 0 {
			out = append(out, paired.Pair{A: a[i].Value, B: r.Value})
		}
	}
	return out
}

func twins(o Outcome, reference int) int { return len(pairsOf(o.Arms[reference].Rounds, o.Twins)) }

// complete is the number of pairs in which every arm has its round.
func (o Outcome) complete() int {
	n := MostPairs
	for i := range o.Arms {
		n = min(n, len(pairsOf(o.Arms[0].Rounds, o.Arms[i].Rounds)))
	}
	return n
}

// judge works out all findings anew, and which cases are done. While cases are
// still to come each finding allows for all of them at once; at the end Holm does
// (M20).
func (e *course) judge() {
	j := paired.Judge{
		Practical: e.rules.Practical, Least: LeastPairs, Most: e.rules.Pairs,
		Family: (len(e.arms) - 1) * len(e.cases),
	}
	var all []paired.Comparison
	for _, o := range e.results {
		all = append(all, e.compared(o)...)
	}
	findings := make([]paired.Finding, len(all))
	if e.caseAt == len(e.results) {
		findings = j.All(all)
	} else {
		for i, c := range all {
			findings[i] = j.Look(c)
		}
	}
	e.results = slices.Clone(e.results)
	for k := range e.results {
		o := &e.results[k]
		o.Findings = make([]paired.Finding, len(e.arms))
		decided := true
		for i := range e.arms {
			if i != e.set.Reference {
				o.Findings[i], findings = findings[0], findings[1:]
				decided = decided && j.Decided(o.Findings[i])
				o.Findings[i] = e.bind(*o, i)
			}
		}
		o.Done = o.Done || decided
	}
}

// compared is each arm of o but the reference, against it.
func (e *course) compared(o Outcome) []paired.Comparison {
	var out []paired.Comparison
	reference, twin := o.Arms[e.set.Reference].Rounds, pairsOf(o.Arms[e.twinOf].Rounds, o.Twins)
	for i, m := range o.Arms {
		if i == e.set.Reference {
			continue
		}
		c := paired.Comparison{Pairs: pairsOf(reference, m.Rounds), Twins: twin}
		c.A, c.B = e.arms[e.set.Reference].Label, e.arms[i].Label
		if o.Metric == TailP99 {
			c.Lower, c.Metric = true, string(TailP99)
		}
		out = append(out, c)
	}
	return out
}

// mostEarlier is how many series before a change are kept: one of six arms may take a
// megabyte, and a comparison on the screen may go on for days.
const mostEarlier = 50

// remember makes history of what was measured, and tells what changed.
func (e *course) remember() {
	if !slices.ContainsFunc(e.results, Outcome.begun) {
		return
	}
	var plans, changes []string
	for i, p := range e.under {
		plans = append(plans, p.String())
		if words := p.Changes(e.set.Plans[i]); words != "" {
			changes = append(changes, armName(e.arms[i].Label, i)+": "+words)
		}
	}
	if len(e.earlier) >= mostEarlier {
		e.earlier = slices.Clone(e.earlier[1:])
		e.warn(fmt.Sprintf("of the series before a change, the last %d are kept", mostEarlier))
	}
	e.earlier = append(slices.Clip(e.earlier), Series{Plans: plans, Results: e.results})
	e.note(stats.Note{Text: strings.Join(append(changes, "the pairs begin anew"), "; ")})
}

func (o Outcome) begun() bool {
	return len(o.Twins) > 0 || slices.ContainsFunc(o.Arms, func(m Measured) bool { return len(m.Rounds) > 0 })
}
