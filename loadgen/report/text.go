package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// text prints the default report: redis-benchmark's block and summary for each
// test, with its wording where scripts look for it, and beside them what it
// leaves out: the load model, errors, hits, stalls, doubts, an early end.
type text struct {
	w    io.Writer
	h    Header
	mean averages
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
	beyond(&b, e.Result)
	outcome(&b, e.Result)
	distributions(&b, whole(e.Result))
	summary(&b, e.Result)
	t.mean.add(e.Result)
	b.WriteString("\n")
	_, err := io.WriteString(t.w, b.String())
	return err
}

func (t *text) End() error {
	_, err := io.WriteString(t.w, t.mean.text())
	return err
}

// title is one line on who measured what: "fullbore 1.0 at 127.0.0.1:6379, redis
// 7.0.15 (standalone), TLS 1.3", or ", private redis-server" at its end.
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
	for _, more := range []string{h.Server.TLS, h.Origin} {
		if more != "" {
			s += ", " + more
		}
	}
	return clean(s)
}

// setting says what was asked, without which the numbers below mean nothing: the
// lines of redis-benchmark, all of them and in its order.
func (t *text) setting(b *strings.Builder, r loadgen.Result) {
	w, keepAlive := whole(r), 1
	if r.Plan.Reconnect {
		keepAlive = 0
	}
	fmt.Fprintf(b, "  %d requests completed in %s seconds\n", requests(w.Counters), seconds(w.Measured))
	fmt.Fprintf(b, "  %d parallel clients\n", r.Plan.Clients)
	fmt.Fprintf(b, "  %s bytes payload\n", payload(r.Plan.Workload))
	fmt.Fprintf(b, "  keep alive: %d\n", keepAlive)
	fmt.Fprintf(b, "  host configuration \"save\": %s\n", clean(t.h.Save))
	fmt.Fprintf(b, "  host configuration \"appendonly\": %s\n", clean(t.h.Appendonly))
	if t.h.Threads > 1 {
		fmt.Fprintf(b, "  multi-thread: yes\n  threads: %d\n", t.h.Threads)
	} else {
		fmt.Fprintln(b, "  multi-thread: no")
	}
}

// payload is the length of values, and of commands written by the user that of the
// whole command on the wire, as redis-benchmark has it.
func payload(w workload.Workload) string {
	custom := func(e workload.Entry) bool { return e.Test.Custom }
	if slices.ContainsFunc(w.Mix, custom) {
		return strconv.Itoa(w.RequestBytes())
	}
	return w.SizeText()
}

// beyond is what else was asked, and how far it came.
func beyond(b *strings.Builder, r loadgen.Result) {
	p, w := r.Plan, whole(r)
	fmt.Fprintf(b, "  pipeline: %d\n", p.Pipeline)
	fmt.Fprintf(b, "  keyspace: %d\n", p.Workload.Keys.Size)
	fmt.Fprintf(b, "  load: %s\n", loopWords(r))
	fmt.Fprintf(b, "  warm-up: %s\n", warmupWords(r))
	// Both are told, since the server counts them all, and rates are made of the first.
	if apart := requests(r.Total) - requests(w.Counters); apart > 0 {
		fmt.Fprintf(b, "  %d more requests outside the measured time\n", apart)
	}
	if r.Partial {
		fmt.Fprintf(b, "  partial result, %s\n", ending(r))
	}
	if words := silence(r); words != "" {
		fmt.Fprintf(b, "  %s\n", words)
	}
}

// outcome says what went differently than a bare number would make believe.
func outcome(b *strings.Builder, r loadgen.Result) {
	if rate, ok := r.Total.HitRate(); ok {
		fmt.Fprintf(b, "  hit rate: %.2f %%\n", rate*100)
	}
	for _, line := range troubleLines(r) {
		fmt.Fprintf(b, "  %s\n", line)
	}
	for _, line := range limitLines(r) {
		fmt.Fprintf(b, "  %s\n", line)
	}
	for _, w := range warnings(r) {
		fmt.Fprintf(b, "  warning: %s\n", clean(w))
	}
}

// summary prints throughput and latency; C, P and the load model stand above it.
func summary(b *strings.Builder, r loadgen.Result) {
	s := whole(r)
	b.WriteString("\nSummary:\n")
	fmt.Fprintf(b, "  throughput summary: %s requests per second\n", throughput(s, absent))
	if words := schedule(s); words != "" {
		fmt.Fprintf(b, "  schedule: %s\n", words)
	}
	times(b, r, s)
	commands(b, s)
	volume(b, s)
	nodes(b, r)
	fmt.Fprintf(b, "  %s\n", gapWords(s))
	if n := s.Latency.Over; n > 0 {
		fmt.Fprintf(b, "  %d latencies above %v count as the maximum in the percentiles\n", n, stats.HighestLatency)
	}
	if withheld(s.Latency) {
		fmt.Fprintln(b, "  "+dashWords(r))
	}
}

// volume is the other measures of the same work: keys, where a request has not just
// one, and bytes. They stand behind the latencies, which scripts expect first.
func volume(b *strings.Builder, s stats.Segment) {
	if rate, ok := stats.Rate(s.Counters.Keys, s.Measured); ok && s.Counters.Keys != s.Counters.Replies {
		fmt.Fprintf(b, "  keys: %.2f per second\n", rate)
	}
	in, out := megabytes(s.Counters.BytesIn, s.Measured), megabytes(s.Counters.BytesOut, s.Measured)
	if in != absent || out != absent {
		fmt.Fprintf(b, "  MB per second: %s in, %s out\n", in, out)
	}
}

// times prints the latencies. An open loop has two of them, and which one is meant
// must stand beside it (M9); in a closed loop there is nothing to tell apart.
func times(b *strings.Builder, r loadgen.Result, s stats.Segment) {
	response, service := "", ""
	switch {
	case s.Target > 0:
		response, service = " response time, from the planned moment", "service time, from the actual sending"
	case s.Service.Count > 0:
		service = "service time, of the plans with a rate"
	}
	mark := ""
	if keeps, known := keepsRate(r); known && !keeps {
		mark = "*"
	}
	fmt.Fprintf(b, "  latency summary (msec):%s\n", response)
	columns(b, s.Latency, mark)
	if mark != "" {
		fmt.Fprintln(b, "  "+fellBehind)
	}
	if service != "" {
		fmt.Fprintf(b, "  %s (msec):\n", service)
		columns(b, s.Service, "")
	}
}

// columns prints redis-benchmark's latency table, blank for blank. A mark stands
// in the head, behind the names of the percentiles, and leaves the numbers numbers.
func columns(b *strings.Builder, l stats.Latency, mark string) {
	line := func(cells []string) {
		b.WriteString("   ")
		for _, c := range cells {
			fmt.Fprintf(b, " %9s", c)
		}
		b.WriteString("\n")
	}
	line([]string{"avg", "min", "p50" + mark, "p95" + mark, "p99" + mark, "max"})
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
