package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"fullbore/loadgen/stats"
)

// What people read in place of a number that is not there: dash for a latency
// without samples or with too few batches behind it (M3), absent for a rate
// that nothing was measured for (M7).
const (
	dash   = "-"
	absent = "n/a"
)

// fewBatches explains a dash (M3).
const fewBatches = "-: too few batches to carry this percentile"

// millis is d in milliseconds, with all its digits.
func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// finite reports whether v is a number to print (M7).
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// latency is d with redis-benchmark's three decimals, or the stand-in when it
// is not known. It takes the result of Quantile and Mean as they come.
func latency(d time.Duration, ok bool, standIn string) string {
	if !ok {
		return standIn
	}
	return fmt.Sprintf("%.3f", millis(d))
}

// throughput is the rate with redis-benchmark's two decimals, or the stand-in.
func throughput(s stats.Segment, standIn string) string {
	rate, ok := s.Throughput()
	if !ok {
		return standIn
	}
	return fmt.Sprintf("%.2f", rate)
}

// lowest and highest are the exact extremes, which exist once there is a sample.
func lowest(l stats.Latency) (time.Duration, bool)  { return l.Min, l.Count > 0 }
func highest(l stats.Latency) (time.Duration, bool) { return l.Max, l.Count > 0 }

// figures are the six latencies that redis-benchmark prints, in its order for
// the summary: avg, min, p50, p95, p99, max.
func figures(l stats.Latency, standIn string) []string {
	one := func(d time.Duration, ok bool) string { return latency(d, ok, standIn) }
	return []string{
		one(l.Mean()), one(lowest(l)), one(l.Quantile(.50)),
		one(l.Quantile(.95)), one(l.Quantile(.99)), one(highest(l)),
	}
}

// short is a latency for a narrow table: three decimals while they mean
// something, fewer for the long times nobody reads to the microsecond.
func short(d time.Duration, ok bool) string {
	switch ms := millis(d); {
	case !ok:
		return dash
	case ms < 100:
		return fmt.Sprintf("%.3f", ms)
	case ms < 10_000:
		return fmt.Sprintf("%.1f", ms)
	default:
		return fmt.Sprintf("%.0f", ms)
	}
}

// grouped writes whole numbers with commas, as the screen does; what would
// break a table is written in powers of ten.
func grouped(v float64) string {
	if math.Abs(v) >= 1e12 {
		return fmt.Sprintf("%.3g", v)
	}
	s := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if v <= -.5 {
		s = "-" + s
	}
	return s
}

// shortRate is a rate for a narrow table: whole requests, but for the slow
// schedules of which those would leave nothing.
func shortRate(v float64, ok bool) string {
	switch {
	case !ok:
		return absent
	case v < 100:
		return fmt.Sprintf("%.2f", v)
	}
	return grouped(v)
}

// megabytes is n bytes over a time in MB (10^6 bytes) per second.
func megabytes(n int64, over time.Duration) string {
	rate, ok := stats.Rate(n, over)
	if !ok {
		return absent
	}
	return fmt.Sprintf("%.2f", rate/1e6)
}

// share is n of all in per cent; a few among millions are not none.
func share(n, all int64) string {
	percent := 100 * float64(n) / float64(all)
	if percent > 0 && percent < .01 {
		return "below 0.01 %"
	}
	return fmt.Sprintf("%.2f %%", percent)
}

// clean keeps what a server or a network said from steering the terminal:
// control and other unprintable characters become spaces.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}

// longestQuote is how much of an error text a report repeats; some servers send
// the offending arguments back.
const longestQuote = 200

// quote is an error text in quotes, with everything unprintable escaped.
func quote(s string) string {
	if r := []rune(s); len(r) > longestQuote {
		s = string(r[:longestQuote]) + "…"
	}
	return strconv.Quote(s)
}
