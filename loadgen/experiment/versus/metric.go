package versus

import (
	"fmt"
	"math"
	"slices"
)

// Metric names one figure of a run. The name is its unit in benchmark lines.
type Metric string

// The figures that tables know how to print.
const (
	Throughput Metric = "req/s"
	P50        Metric = "p50-ms" // as the program itself defines its latency
	P99        Metric = "p99-ms"
	CPU        Metric = "cpu-us/req"     // user and system time of the whole process, for each request
	NetCPU     Metric = "net-cpu-us/req" // the same without what a run of one request takes
	Resident   Metric = "MB-resident"    // the most memory that the process held
	PerClient  Metric = "KB/client"      // of it, what each client beyond the smallest row adds
	Connect    Metric = "connect-s"      // from the first connection to the last, as the server counts
	Terminal   Metric = "terminal-B/s"   // written to the terminal
)

// heading is the metric above a column.
func (m Metric) heading() string {
	switch m {
	case Throughput:
		return "requests/s"
	case P50:
		return "p50 ms"
	case P99:
		return "p99 ms"
	case CPU:
		return "CPU µs/request"
	case NetCPU:
		return "net CPU µs/request"
	case Resident:
		return "MB resident"
	case PerClient:
		return "KB/client"
	case Connect:
		return "connect s"
	case Terminal:
		return "terminal B/s"
	}
	return string(m)
}

// digits is v with about three digits, whole from a hundred on.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100:
		return grouped(v)
	case a >= 10:
		return fmt.Sprintf("%.1f", v)
	case a >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

// grouped is a whole number with a comma between thousands.
func grouped(v float64) string {
	s := fmt.Sprintf("%.0f", v)
	first := 0
	if v < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Sample is what one run gave. A figure that is not known is not in it.
type Sample map[Metric]float64

// put adds a figure unless it is no number: programs print inf and nan (C05).
func (s Sample) put(m Metric, v float64) {
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		s[m] = v
	}
}

// Spread is the median of some values, and how far they lie apart.
type Spread struct {
	Median, Low, High float64
	N                 int // how many there were; 0 is "not known", with zeros above
}

// Of sums values up; it does not change them.
func Of(values []float64) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	middle := sorted[n/2]
	if n%2 == 0 {
		middle = (sorted[n/2-1] + middle) / 2
	}
	return Spread{Median: middle, Low: sorted[0], High: sorted[n-1], N: n}
}

// String is the median alone, or a dash.
func (s Spread) String() string {
	if s.N == 0 {
		return absent
	}
	return digits(s.Median)
}

// Ratio is the spread as a factor with its range: "1.08 (0.99–1.15)".
func (s Spread) Ratio() string {
	if s.N == 0 {
		return absent
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", s.Median, s.Low, s.High)
}

// absent stands where there is no figure.
const absent = "–"
