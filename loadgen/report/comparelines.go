package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/stats"
)

// compareQuiet is a line for each comparison, and one for what went wrong.
func compareQuiet(c contrast) ([]byte, error) {
	var b strings.Builder
	for _, o := range c.s.Results {
		for _, arm := range c.others() {
			first := c.arms[0]
			fmt.Fprintf(&b, "%s: %s (%s) against %s (%s): %s against %s %s; %s (%s)\n", c.title(o),
				arm.letter, arm.label, first.letter, first.label,
				valueWords(o.Metric, arm.measured(o).Median), valueWords(o.Metric, first.measured(o).Median), valueName(o.Metric),
				c.verdictText(o, arm), c.conditions(o, arm))
		}
	}
	for _, line := range c.faultLines() {
		b.WriteString(line + "\n")
	}
	return []byte(b.String()), nil
}

// faultLines are an early end and the faults of arms, for formats of a few lines.
func (c contrast) faultLines() []string {
	var out []string
	if c.s.Partial {
		out = append(out, c.endingWords())
	}
	return append(out, c.troubles()...)
}

// compareCSV is a row for each test and arm. What is not known is an empty field.
func compareCSV(c contrast) ([]byte, error) {
	var b strings.Builder
	out := &csv{w: &b}
	err := out.row("test", "arm", "label", "clients", "pipeline", "batch", "data_size", "keyspace", "rate", "rtt_simulated_ms",
		"threads", "server", "server_version", "metric", "unit", "median", "low", "high", "spread", "rounds",
		"ratio", "ratio_low", "ratio_high", "p", "p_raw", "noise_floor", "pairs", "verdict", "errors", "lost", "partial")
	findings := c.jsonFindings(c.s.Results)
	for _, o := range c.s.Results {
		for i, a := range c.arms {
			row := c.csvArm(o, a)
			if i == 0 {
				row = append(row, make([]string, 8)...)
			} else {
				f := findings[0]
				findings = findings[1:]
				row = append(row, field(f.Ratio), field(f.Low), field(f.High), field(f.P), field(f.Raw), field(f.Floor), strconv.Itoa(f.Pairs), f.Verdict.Kind)
			}
			n := a.measured(o).Total.Counters
			row = append(row, fmt.Sprint(n.Errors), fmt.Sprint(n.Lost), strconv.FormatBool(c.s.Partial))
			if err == nil {
				err = out.row(row...)
			}
		}
	}
	return []byte(b.String()), err
}

// csvArm are the fields of a row that tell of the arm alone.
func (c contrast) csvArm(o experiment.Outcome, a contender) []string {
	j := c.jsonSide(a)
	t := c.jsonArmTest(o, a)
	return []string{
		t.Test, a.letter, a.label, strconv.Itoa(j.Clients), strconv.Itoa(j.Pipeline), j.Batch, strconv.Itoa(j.DataSize),
		fmt.Sprint(j.Keyspace), field(j.Rate), field(j.RTT), field(j.Threads), clean(j.Server.Name), clean(j.Server.Version),
		t.Metric, t.Unit, field(t.Median), field(t.Low), field(t.High), field(t.Spread), strconv.Itoa(len(t.Rounds)),
	}
}

// Fields are those of documents and not of tables: all digits, no unit in the number,
// nothing grouped.

// field is a number with all its digits; empty when it is not known.
func field(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

// compareGobench is a line for each round, so that benchstat makes a test of its own
// (`benchstat -col /arm`). Only what all arms share stands in a name: rows of names
// that differ in more than the arm would not be set side by side.
func compareGobench(c contrast) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s compare\n", strings.TrimSpace(clean(c.h.Tool+" "+c.h.Version)))
	for _, a := range c.arms {
		fmt.Fprintf(&b, "# %s: %s: %s; %s\n", a.letter, a.label, a.planWords(), c.serverWords(a))
	}
	for _, line := range c.faultLines() {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	fmt.Fprintf(&b, "Unit %s\n\n", strings.Join(units(), "\nUnit "))
	for _, o := range c.s.Results {
		for _, a := range c.arms {
			for _, r := range a.measured(o).Rounds {
				values := benchValues(loadgen.Result{Total: r.Segment.Counters, Segments: []stats.Segment{r.Segment}}, r.Segment)
				if len(values) > 0 {
					fmt.Fprintf(&b, "%s %d %s\n", c.benchName(o, a), r.Segment.Counters.Replies, strings.Join(values, " "))
				}
			}
		}
	}
	return []byte(b.String()), nil
}

// benchName is "BenchmarkSET/arm=B:P=16/size=3/clients=50". The letter keeps arms
// apart that are alike otherwise.
func (c contrast) benchName(o experiment.Outcome, a contender) string {
	// A dash with digits at its end would be taken for the number of processors.
	label := regexp.MustCompile(`-(\d+)$`).ReplaceAllString(benchWord(a.label), "_$1")
	name := fmt.Sprintf("Benchmark%s/arm=%s:%s", benchTitle(c.title(o)), a.letter, label)
	add := func(key string, of func(loadgen.Plan) string) {
		value := of(a.arm.Plan)
		for _, other := range c.arms {
			if of(other.arm.Plan) != value {
				return
			}
		}
		if value != "" {
			name += "/" + key + "=" + value
		}
	}
	add("size", func(p loadgen.Plan) string { return p.Workload.SizeText() })
	add("clients", func(p loadgen.Plan) string { return strconv.Itoa(p.Clients) })
	add("pipeline", func(p loadgen.Plan) string { return strconv.Itoa(p.Pipeline) })
	add("rate", func(p loadgen.Plan) string {
		if p.Rate == 0 {
			return ""
		}
		return requestRate(p.Rate)
	})
	add("rtt-simulated", func(p loadgen.Plan) string {
		if p.RTT == 0 {
			return ""
		}
		return p.RTT.String()
	})
	return name
}
