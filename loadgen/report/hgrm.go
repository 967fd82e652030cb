package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"fullbore/loadgen/stats"
)

// hgrm prints HdrHistogram's percentile tables, which its plotters read, a block for
// each test and latencies in ms. This is data for a picture of all samples, so no
// percentile is withheld; how many batches carry them stands above.
type hgrm struct{ w io.Writer }

// hgrmTicks is what HdrHistogram's own tools print on each half distance to 100 %.
const hgrmTicks = 5

func (h *hgrm) Begin(header Header) error {
	_, err := fmt.Fprintf(h.w, "#[%s]\n\n", title(header))
	return err
}

func (h *hgrm) End() error { return nil }

// Test prints a block. Distributions of several plans do not add up, so a result of
// several has a block for each.
func (h *hgrm) Test(e Entry) error {
	var b strings.Builder
	fmt.Fprintf(&b, "#[Test = %s, %s]\n", clean(e.Test), circumstances(e.Result))
	for _, c := range Caveats(e) {
		fmt.Fprintf(&b, "#[%s]\n", c)
	}
	for _, s := range e.Result.Segments {
		if len(e.Result.Segments) > 1 {
			fmt.Fprintf(&b, "#[Plan = %s]\n", clean(s.Plan))
		}
		percentiles(&b, s)
	}
	b.WriteString("\n")
	_, err := io.WriteString(h.w, b.String())
	return err
}

// percentiles is the table and its footer. The rung of 100 % has no fourth column,
// as in the original; its port to Go writes "inf" there, which is no number.
func percentiles(b *strings.Builder, s stats.Segment) {
	d := s.Distribution
	if d.Count() == 0 {
		return
	}
	fmt.Fprintf(b, "#[Batches = %d]\n", s.Latency.Batches)
	fmt.Fprintf(b, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)")
	for _, r := range d.Ladder(hgrmTicks) {
		fmt.Fprintf(b, "%12.3f %14.12f %10d", millis(r.UpTo), r.Percentile/100, r.Count)
		if r.Percentile < 100 {
			fmt.Fprintf(b, " %14.2f", 1/(1-r.Percentile/100))
		}
		b.WriteString("\n")
	}
	most := d.Steps()[len(d.Steps())-1].UpTo
	ms := func(v time.Duration) string { return fmt.Sprintf("%12.3f", millis(v)) }
	fmt.Fprintf(b, "#[Mean    = %s, StdDeviation   = %s]\n", ms(d.Mean()), ms(d.Deviation()))
	fmt.Fprintf(b, "#[Max     = %s, Total count    = %12d]\n", ms(most), d.Count())
	fmt.Fprintf(b, "#[Buckets = %12d, SubBuckets     = %12d]\n", stats.Buckets, stats.SubBuckets)
}
