package report

import (
	"fmt"
	"io"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// text prints the default report: redis-benchmark's block and summary for each
// test, with its wording where scripts look for it, and beside them what it
// leaves out: the load model, errors, hits, stalls, an early end.
type text struct {
	w io.Writer
	h Header
}

func (t *text) Begin(h Header) error {
	t.h = h
	_, err := fmt.Fprintf(t.w, "%s\n\n", title(h))
	return err
}

// Test writes the block in one piece, so that nothing another stream prints on
// the same terminal can land inside it.
func (t *text) Test(e Entry) error {
	var b strings.Builder
	fmt.Fprintf(&b, "====== %s ======\n", clean(e.Test))
	t.setting(&b, e.Result)
	outcome(&b, e.Result)
	summary(&b, e.Result)
	b.WriteString("\n")
	_, err := io.WriteString(t.w, b.String())
	return err
}

func (t *text) End() error { return nil }

// title is one line on who measured what: "fullbore 1.0 at 127.0.0.1:6379, redis
// 7.0.15 (standalone), private redis-server".
func title(h Header) string {
	s := strings.TrimSpace(h.Tool + " " + h.Version)
	if h.Server.Address != "" {
		s += " at " + h.Server.Address
	}
	if server := strings.TrimSpace(h.Server.Name + " " + h.Server.Version); server != "" {
		s += ", " + server
		if h.Server.Mode != "" {
			s += " (" + h.Server.Mode + ")"
		}
	}
	if h.Origin != "" {
		s += ", " + h.Origin
	}
	return clean(s)
}

// setting says what was asked: without it the numbers below mean nothing.
func (t *text) setting(b *strings.Builder, r loadgen.Result) {
	p := r.Plan
	fmt.Fprintf(b, "  %d requests completed in %s seconds\n", requests(r.Total), seconds(whole(r).Measured))
	if r.Partial {
		fmt.Fprintf(b, "  partial result, %s\n", ending(r))
	}
	fmt.Fprintf(b, "  %d parallel clients\n", p.Clients)
	fmt.Fprintf(b, "  %d bytes payload\n", p.Workload.Payload)
	fmt.Fprintf(b, "  pipeline: %d\n", p.Pipeline)
	fmt.Fprintf(b, "  keyspace: %d\n", p.Workload.Keys.Size)
	fmt.Fprintf(b, "  load: %s\n", loadWords(p))
	fmt.Fprintln(b, "  keep alive: 1")
	fmt.Fprintf(b, "  host configuration \"save\": %s\n", clean(t.h.Save))
	fmt.Fprintf(b, "  host configuration \"appendonly\": %s\n", clean(t.h.Appendonly))
}

// lowHitRate is the share of hits below which reads are not those the user means
// (C11).
const lowHitRate = .95

// outcome says what went differently than a bare number would make believe.
func outcome(b *strings.Builder, r loadgen.Result) {
	if rate, ok := r.Total.HitRate(); ok {
		hint := ""
		if rate < lowHitRate {
			hint = ": many reads met nothing, which is less work for the server"
		}
		fmt.Fprintf(b, "  hit rate: %.2f %%%s\n", rate*100, hint)
	}
	if n := r.Total.Errors; n > 0 {
		fmt.Fprintf(b, "  errors: %d of %d replies (%s)\n", n, requests(r.Total), share(n, requests(r.Total)))
	}
	for _, f := range r.Faults {
		fmt.Fprintf(b, "  fault: %s %s, %d in all, first: %s\n", f.Class, clean(f.Code), f.Count, quote(f.Text))
	}
	if r.Total.Lost > 0 {
		fmt.Fprintf(b, "  lost: %d requests in flight when their connection died\n", r.Total.Lost)
	}
	for _, w := range warnings(r.Notes) {
		fmt.Fprintf(b, "  warning: %s\n", clean(w))
	}
}

// summary prints throughput and latency; C, P and the load model stand above it.
func summary(b *strings.Builder, r loadgen.Result) {
	s := whole(r)
	b.WriteString("\nSummary:\n")
	fmt.Fprintf(b, "  throughput summary: %s requests per second\n", throughput(s, absent))
	if asked := r.Plan.Rate; asked > 0 {
		fmt.Fprintf(b, "  asked for: %.2f requests per second%s\n", asked, verdict(s, asked))
	}
	fmt.Fprintln(b, "  latency summary (msec):")
	columns(b, s.Latency)
	if s.Service.Count > 0 {
		fmt.Fprintln(b, "  service time, from the actual sending (msec):")
		columns(b, s.Service)
	}
	commands(b, s)
	fmt.Fprintf(b, "  %s\n", gapWords(r.Gaps))
	if n := s.Latency.Over; n > 0 {
		fmt.Fprintf(b, "  %d latencies above %v count as the maximum in the percentiles\n", n, stats.HighestLatency)
	}
	if withheld(s.Latency) {
		fmt.Fprintln(b, "  "+dashWords(r))
	}
}

// columns prints redis-benchmark's latency table, blank for blank.
func columns(b *strings.Builder, l stats.Latency) {
	line := func(cells []string) {
		b.WriteString("   ")
		for _, c := range cells {
			fmt.Fprintf(b, " %9s", c)
		}
		b.WriteString("\n")
	}
	line([]string{"avg", "min", "p50", "p95", "p99", "max"})
	line(figures(l, dash))
}

// withheld reports whether there are samples, but too few for a percentile of
// the table: only then does the dash need its sentence.
func withheld(l stats.Latency) bool {
	_, ok := l.Quantile(.99)
	return l.Count > 0 && !ok
}

// dashWords say why a percentile is not there.
func dashWords(r loadgen.Result) string {
	if len(r.Segments) > 1 {
		return "-: percentiles of several plans do not add up"
	}
	return fewBatches
}

// commands splits a mix by its commands: each has a latency of its own.
func commands(b *strings.Builder, s stats.Segment) {
	if len(s.Commands) < 2 {
		return
	}
	fmt.Fprintln(b, "  by command:            rps       p50       p99       max")
	for _, c := range s.Commands {
		part := stats.Segment{Measured: s.Measured, Counters: c.Counters}
		f := figures(c.Latency, dash)
		fmt.Fprintf(b, "    %-12s %9s %9s %9s %9s\n", clean(c.Title), throughput(part, absent), f[2], f[4], f[5])
	}
}

// The marks of an open loop that is not one any more (M9).
const (
	leastAchieved = .99 // of the asked rate
	mostLag       = .10 // of the median latency, for the lag's p99
)

// verdict tells whether the asked rate was kept; when it was not, latencies are
// those of a generator or server that had fallen behind.
func verdict(s stats.Segment, asked float64) string {
	got, ok := s.Throughput()
	if !ok {
		return ""
	}
	lag, haveLag := s.Lag.Quantile(.99)
	p50, haveP50 := s.Latency.Quantile(.50)
	switch {
	case got < leastAchieved*asked:
		return fmt.Sprintf(", %.1f %% of it achieved: cannot keep this rate", 100*got/asked)
	case haveLag && haveP50 && millis(lag) > mostLag*millis(p50):
		return fmt.Sprintf(", kept, but late by %.3f msec (p99): cannot keep this rate evenly", millis(lag))
	}
	return ", kept"
}
