package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
)

// matrix has the cases as rows and the arms as columns, the first as 100 %, and below
// them the averages by which whole suites are compared. Two arms have their verdicts
// in it; several only marks, because intervals of five of them fit no line.
func (c contrast) matrix() section {
	names := []string{"test"}
	for i, a := range c.arms {
		names = append(names, a.letter)
		if i > 0 {
			names = append(names, a.letter+"/"+c.arms[0].letter)
		}
	}
	s := section{head: c.matrixHead(), grid: &grid{names: names, left: map[int]bool{}}}
	if len(c.arms) == 2 {
		s.grid.names = append(s.grid.names, "ratio [95 % interval]", "verdict")
		s.grid.left = map[int]bool{4: true, 5: true}
		s.grid.most = summaryWidth - 1
		s.lines = []string{c.verdictKey()}
	} else {
		limit := percent(c.s.Rules.Practical)
		s.lines = []string{fmt.Sprintf("*: a real difference; ~: real but below %s; =: none larger than %s; ?: cannot tell", limit, limit)}
	}
	mixed := c.mixedMetrics()
	for _, o := range c.s.Results {
		s.grid.add(c.matrixRow(o, mixed)...)
	}
	return c.withAverages(s)
}

func (c contrast) matrixHead() string {
	what := valueName(c.s.Results[0].Metric)
	if c.mixedMetrics() {
		what = "requests/s, of tests in open loop p99 ms"
	}
	head := what + ", median of the rounds"
	if len(c.arms) == 2 {
		head += fmt.Sprintf("; A is %s, B is %s", c.arms[0].label, c.arms[1].label)
	}
	if words := c.simulated(); words != "" {
		head += "; " + words
	}
	return head
}

// mixedMetrics reports whether the cases are not all decided on the same.
func (c contrast) mixedMetrics() bool {
	for _, o := range c.s.Results {
		if o.Metric != c.s.Results[0].Metric {
			return true
		}
	}
	return false
}

func (c contrast) matrixRow(o experiment.Outcome, mixed bool) []string {
	name := c.title(o)
	if mixed {
		name += ", " + valueName(o.Metric)
	}
	row := []string{name}
	first := c.arms[0].measured(o).Median
	for i, a := range c.arms {
		v := a.measured(o).Median
		row = append(row, valueWords(o.Metric, v))
		if i == 0 {
			continue
		}
		part, f := partOf(v, first), a.finding(o)
		if len(c.arms) == 2 {
			row = append(row, part, strings.TrimPrefix(c.interval(o, a), "x "), verdictWord(f.Verdict.Kind))
		} else {
			row = append(row, part+" "+verdictMark(f.Verdict.Kind))
		}
	}
	return row
}

func verdictMark(k paired.Kind) string {
	switch k {
	case paired.Faster, paired.Slower:
		return "*"
	case paired.BelowPractical:
		return "~"
	case paired.NoDifference:
		return "="
	}
	return "?"
}

// partOf is v as a percentage of the first arm's value.
func partOf(v, first float64) string {
	if !(first > 0) || !(v > 0) || !finite(100*v/first) {
		return dash
	}
	return fmt.Sprintf("%.1f%%", 100*v/first)
}

// averages are those of the throughput, by arm. Only tests count for which every arm
// has a rate: an average of other tests would be compared with it.
func (c contrast) averages() (byArm []averages, without int) {
	byArm = make([]averages, len(c.arms))
	for _, o := range c.s.Results {
		if o.Metric != experiment.Throughput {
			continue
		}
		if !c.everyArm(o) {
			without++
			continue
		}
		writing := false
		for _, a := range c.arms {
			writing = writing || writes(a.mix(o.Case))
		}
		for i, a := range c.arms {
			byArm[i].take(a.measured(o).Median, writing)
		}
	}
	return byArm, without
}

func writingMean(a averages) mean { return a.writing }
func allMean(a averages) mean     { return a.all }

// withAverages appends the rows of the averages, if there are tests enough.
func (c contrast) withAverages(s section) section {
	sums, without := c.averages()
	if len(sums) == 0 || sums[0].all.n < 2 {
		return s
	}
	row := func(name string, of func(averages) mean) {
		if n := of(sums[0]).n; n > 0 {
			s.grid.add(c.averageRow(fmt.Sprintf("%s (%d)", name, n), sums, of)...)
		}
	}
	row("avg writing", writingMean)
	row("avg all", allMean)
	line := "avg: arithmetic means of the tests that write and of all, each test counts once; no verdict goes with them"
	if without > 0 {
		line += fmt.Sprintf("; left out, having no rate in every arm: %d", without)
	}
	s.lines = append(s.lines, line)
	return s
}

func (c contrast) averageRow(name string, sums []averages, of func(averages) mean) []string {
	out := []string{name}
	first := of(sums[0]).value()
	for i := range sums {
		v := of(sums[i]).value()
		out = append(out, shortRate(v, true))
		switch {
		case i == 0:
		case len(sums) == 2:
			out = append(out, partOf(v, first), "", "")
		default:
			out = append(out, partOf(v, first)+"  ") // no mark
		}
	}
	return out
}

func (c contrast) everyArm(o experiment.Outcome) bool {
	for _, a := range c.arms {
		if v := a.measured(o).Median; !finite(v) || v <= 0 {
			return false
		}
	}
	return true
}

// briefly is a title in at most n columns. What stands in brackets goes first:
// "LRANGE_100 (first 100 elements)".
func briefly(title string, n int) string {
	if utf8.RuneCountInString(title) > n {
		title, _, _ = strings.Cut(title, " (")
	}
	return shorten(title, n)
}
