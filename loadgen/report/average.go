package report

import (
	"fmt"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/workload"
)

// averages are what people compare whole suites by: the arithmetic means of the
// requests per second, of the tests that write and of all. Each test counts once,
// so a fast one weighs more than it would in the time it took; that is how such
// averages are published.
type averages struct {
	writing, all mean
	without      int // tests without a rate
	partial      int // of those with one
}

type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v float64) { m.sum, m.n = m.sum+v, m.n+1 }

// value is the mean of at least one.
func (m mean) value() float64 { return m.sum / float64(m.n) }

// add takes a test in. A mix writes when one of its commands does.
func (a *averages) add(r loadgen.Result) {
	rate, ok := whole(r).Throughput()
	if !ok {
		a.without++
		return
	}
	if r.Partial {
		a.partial++
	}
	a.take(rate, writes(r.Plan.Workload.Mix))
}

// take takes in the rate of a test.
func (a *averages) take(rate float64, writing bool) {
	a.all.add(rate)
	if writing {
		a.writing.add(rate)
	}
}

func writes(m workload.Mix) bool {
	for _, e := range m {
		if e.Test.Writes {
			return true
		}
	}
	return false
}

// average is one of them, ready to print.
type average struct{ label, rate string }

// rows are none unless there are several tests to take an average of.
func (a *averages) rows() []average {
	if a.all.n < 2 {
		return nil
	}
	row := func(what string, m mean) average {
		return average{fmt.Sprintf("%s (%d)", what, m.n), fmt.Sprintf("%.2f", m.value())}
	}
	var out []average
	if a.writing.n > 0 {
		out = append(out, row("tests that write", a.writing))
	}
	return append(out, row("all tests", a.all))
}

// averagesAre says what kind of average it is; notes what it leaves out or contains.
const averagesAre = "Averages of requests per second (arithmetic means, each test counts once)"

func (a *averages) notes() string {
	var out []string
	if a.without > 0 {
		out = append(out, fmt.Sprintf("left out, having no rate: %d", a.without))
	}
	if a.partial > 0 {
		out = append(out, fmt.Sprintf("partial results among them: %d", a.partial))
	}
	return strings.Join(out, ", ")
}

// text is the block at the end of redis-benchmark's report of a suite. No number in
// it stands before "requests per second", where scripts look for that of a test.
func (a *averages) text() string {
	rows := a.rows()
	if rows == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n", averagesAre)
	for _, r := range rows {
		fmt.Fprintf(&b, "  %-24s %12s\n", r.label+":", r.rate)
	}
	if notes := a.notes(); notes != "" {
		fmt.Fprintf(&b, "  %s\n", notes)
	}
	return b.String()
}
