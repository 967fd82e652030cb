package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// gobench prints lines of Go's benchmark format, which benchstat reads. Who was
// measured stands in comments and not in its configuration lines, because benchstat
// puts results of different configurations into different tables, and two servers
// are what people want side by side. A test that is run several times gives several
// lines of one name.
type gobench struct{ w io.Writer }

// units say which direction is better where benchstat cannot know.
func units() []string {
	return []string{
		"requests/s better=higher", "keys/s better=higher", "p50-ns better=lower", "p95-ns better=lower", "p99-ns better=lower",
		"max-ns better=lower", "in-B/s better=higher", "out-B/s better=higher", "hit-rate better=higher", "errors better=lower",
	}
}

func (g *gobench) Begin(h Header) error {
	_, err := fmt.Fprintf(g.w, "# %s\nUnit %s\n\n", title(h), strings.Join(units(), "\nUnit "))
	return err
}

func (g *gobench) End() error { return nil }

// Test prints the caveats as comments and then the line. Without a single measured
// reply there is none: zero requests a second would be averaged with the others.
func (g *gobench) Test(e Entry) error {
	var b strings.Builder
	for _, c := range Caveats(e) {
		fmt.Fprintf(&b, "# %s: %s\n", clean(e.Test), c)
	}
	s := whole(e.Result)
	if values := benchValues(e.Result, s); len(values) > 0 {
		fmt.Fprintf(&b, "%s %d %s\n", benchName(e), s.Counters.Replies, strings.Join(values, " "))
	}
	_, err := io.WriteString(g.w, b.String())
	return err
}

// benchValues are pairs of number and unit; none when no rate was measured. What is
// not known is not there.
func benchValues(r loadgen.Result, s stats.Segment) []string {
	rate, ok := s.Throughput()
	if !ok {
		return nil
	}
	out := []string{number(1e9/rate, 1, "ns/op"), number(rate, 2, "requests/s")}
	add := func(v float64, known bool, decimals int, unit string) {
		if known {
			out = append(out, number(v, decimals, unit))
		}
	}
	perSecond := func(n int64, unit string) {
		v, known := stats.Rate(n, s.Measured)
		add(v, known, 2, unit)
	}
	nanos := func(unit string) func(time.Duration, bool) {
		return func(d time.Duration, known bool) { add(float64(d), known, 0, unit) }
	}
	perSecond(s.Counters.Keys, "keys/s")
	nanos("p50-ns")(s.Latency.Quantile(.50))
	nanos("p95-ns")(s.Latency.Quantile(.95))
	nanos("p99-ns")(s.Latency.Quantile(.99))
	nanos("max-ns")(highest(s.Latency))
	perSecond(s.Counters.BytesIn, "in-B/s")
	perSecond(s.Counters.BytesOut, "out-B/s")
	hits, known := r.Total.HitRate()
	add(hits, known, 6, "hit-rate")
	return append(out, fmt.Sprintf("%d errors", r.Total.Errors))
}

func number(v float64, decimals int, unit string) string {
	return strconv.FormatFloat(v, 'f', decimals, 64) + " " + unit
}

// longestName keeps a command of a thousand arguments within the line that readers
// of the format take.
const longestName = 200

// benchName is "BenchmarkGET/size=3/clients=50/pipeline=16". benchstat filters and
// groups by what stands behind slashes, so a title has none of its own; blanks end a
// name; and a dash with digits at its end, which sizes may have, would be taken for
// the number of processors.
func benchName(e Entry) string {
	p := e.Result.Plan
	name := fmt.Sprintf("Benchmark%s/size=%s/clients=%d/pipeline=%d", benchTitle(e.Test), p.Workload.SizeText(), p.Clients, p.Pipeline)
	if p.Rate > 0 {
		name += "/rate=" + requestRate(p.Rate)
	}
	return name
}

// benchTitle begins with an upper-case letter or a digit, as the rules for names of
// Go benchmarks ask.
func benchTitle(s string) string {
	runes := []rune(benchWord(s))
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

// benchWord is s without blanks and slashes, and never empty.
func benchWord(s string) string {
	s = strings.Trim(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || unicode.IsSpace(r) || r == '/' || r == unicode.ReplacementChar {
			return '_'
		}
		return r
	}, s), "_")
	if s == "" {
		return "_"
	}
	return shorten(s, longestName)
}
