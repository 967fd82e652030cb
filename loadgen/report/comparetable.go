package report

import (
	"fmt"
	"time"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/stats"
)

// pairTable is one case of two arms in full.
func (c contrast) pairTable(o experiment.Outcome) section {
	a, b := c.arms[0], c.arms[1]
	t := pairRows{
		o: o, a: a.measured(o), b: b.measured(o), kind: b.finding(o).Verdict.Kind, interval: c.interval(o, b), limit: c.s.Rules.Practical,
		g: &grid{names: []string{"", a.letter, b.letter, b.letter + "/" + a.letter}, left: map[int]bool{3: true}},
	}
	t.fill(a, b)
	head := fmt.Sprintf("%s: %s is %s, %s is %s", c.title(o), a.letter, a.label, b.letter, b.label)
	if words := c.simulated(); words != "" {
		head += "; " + words
	}
	s := section{head: head, grid: t.g}
	s.lines = append(s.lines, fmt.Sprintf("the verdict is on %s: medians of the rounds, and the ratio within the pairs; the other rows are of all rounds together and carry none", valueName(o.Metric)))
	if t.withheld {
		s.lines = append(s.lines, fewBatches)
	}
	return s
}

// pairRows builds the rows of a pair.
type pairRows struct {
	o        experiment.Outcome
	a, b     experiment.Measured
	kind     paired.Kind
	interval string
	limit    float64
	g        *grid
	withheld bool
}

func (t *pairRows) fill(a, b contender) {
	t.rates()
	t.latencies("", t.a.Total.Latency, t.b.Total.Latency)
	// P commands share a round trip: what one of them costs, which is no percentile.
	cost := func(m experiment.Measured, arm contender) (float64, bool) {
		d, ok := m.Total.Latency.Quantile(.50)
		return float64(d) / float64(max(1, arm.arm.Plan.Pipeline)), ok
	}
	x, haveX := cost(t.a, a)
	y, haveY := cost(t.b, b)
	t.times("p50 / P ms", x, y, haveX, haveY)
	if t.a.Total.Service.Count > 0 || t.b.Total.Service.Count > 0 {
		t.latencies("service ", t.a.Total.Service, t.b.Total.Service)
	}
	t.counts()
}

// rates are the throughput, on which a closed loop is decided, and its bytes.
func (t *pairRows) rates() {
	if t.o.Metric == experiment.Throughput {
		t.decided("requests/s")
	} else {
		x, haveX := t.a.Total.Throughput()
		y, haveY := t.b.Total.Throughput()
		t.g.add("requests/s", shortRate(x, haveX), shortRate(y, haveY), t.change(x, y, haveX && haveY, true))
	}
	in := func(s stats.Segment) int64 { return s.Counters.BytesIn }
	out := func(s stats.Segment) int64 { return s.Counters.BytesOut }
	t.bytes("MB/s in", in)
	t.bytes("MB/s out", out)
}

func (t *pairRows) bytes(name string, of func(stats.Segment) int64) {
	x, haveX := stats.Rate(of(t.a.Total), t.a.Total.Measured)
	y, haveY := stats.Rate(of(t.b.Total), t.b.Total.Measured)
	if haveX || haveY {
		t.g.add(name, megabytes(of(t.a.Total), t.a.Total.Measured), megabytes(of(t.b.Total), t.b.Total.Measured), t.change(x, y, haveX && haveY, true))
	}
}

// decided is the row that the verdict is on.
func (t *pairRows) decided(name string) {
	words := t.interval
	if words != dash {
		words += "  " + betterWord(t.kind)
	}
	t.g.add(name, valueWords(t.o.Metric, t.a.Median), valueWords(t.o.Metric, t.b.Median), words)
}

func betterWord(k paired.Kind) string {
	switch k {
	case paired.Faster:
		return "better"
	case paired.Slower:
		return "worse"
	case paired.BelowPractical, paired.NoDifference:
		return "="
	}
	return "cannot tell"
}

func (t *pairRows) latencies(of string, a, b stats.Latency) {
	row := func(name string, q float64) {
		x, haveX := a.Quantile(q)
		y, haveY := b.Quantile(q)
		t.withheld = t.withheld || a.Count > 0 && !haveX || b.Count > 0 && !haveY
		t.times(of+name, float64(x), float64(y), haveX, haveY)
	}
	row("p50 ms", .50)
	row("p90 ms", .90)
	if of == "" && t.o.Metric == experiment.TailP99 {
		t.decided("p99 ms")
	} else {
		row("p99 ms", .99)
	}
	row("p99.9 ms", .999)
	row("p99.99 ms", .9999)
	x, haveX := highest(a)
	y, haveY := highest(b)
	t.times(of+"max ms", float64(x), float64(y), haveX, haveY)
}

// times is a row of nanoseconds.
func (t *pairRows) times(name string, x, y float64, haveX, haveY bool) {
	t.g.add(name, short(time.Duration(x), haveX), short(time.Duration(y), haveY), t.change(x, y, haveX && haveY, false))
}

func (t *pairRows) counts() {
	x, y := t.a.Total.Counters, t.b.Total.Counters
	equal := func(same bool) string {
		if same {
			return "="
		}
		return ""
	}
	t.g.add("errors", grouped(float64(x.Errors)), grouped(float64(y.Errors)), equal(x.Errors == y.Errors))
	if x.Lost > 0 || y.Lost > 0 {
		t.g.add("lost", grouped(float64(x.Lost)), grouped(float64(y.Lost)), equal(x.Lost == y.Lost))
	}
	t.g.add("samples", grouped(float64(t.a.Total.Latency.Count)), grouped(float64(t.b.Total.Latency.Count)), "")
	t.g.add("rounds", fmt.Sprint(len(t.a.Rounds)), fmt.Sprint(len(t.b.Rounds)), "")
}

// change is y against x in numbers and words; within the practical limit it is none.
func (t *pairRows) change(x, y float64, known, more bool) string {
	if !known || !(x > 0) {
		return dash
	}
	r := y / x
	word := "worse"
	switch {
	case r >= 1-t.limit && r <= 1+t.limit:
		word = "="
	case more == (r > 1):
		word = "better"
	}
	return ratioWords(r) + "  " + word
}
