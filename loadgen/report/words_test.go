package report_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// text is the default report of one result.
func text(t testing.TB, r loadgen.Result) string {
	t.Helper()
	return print(t, "text", header(), map[string]loadgen.Result{"x": r})
}

// lines fails unless every line stands in text, in this order.
func lines(t *testing.T, text string, want ...string) {
	t.Helper()
	rest := text
	for _, line := range want {
		_, after, ok := strings.Cut(rest, line+"\n")
		if !ok {
			t.Errorf("no line %q, or not in its place, in\n%s", line, text)
			return
		}
		rest = after
	}
}

func TestTextOfAnOpenLoop(t *testing.T) {
	lines(t, text(t, open(t)),
		"  load: open loop at 20000/s",
		"  throughput summary: 20000.00 requests per second",
		"  schedule: of 20000 requests per second 100.00 % achieved, lag p99 0.012 msec",
		"  latency summary (msec): response time, from the planned moment",
		"          avg       min       p50       p95       p99       max",
		"        0.162     0.024     0.162     0.286     0.297     0.300",
		"  service time, from the actual sending (msec):",
		"          avg       min       p50       p95       p99       max",
		"        0.156     0.022     0.156     0.277     0.287     0.290",
	)
	if got := text(t, open(t)); strings.Contains(got, "warning") || strings.Contains(got, "*") {
		t.Errorf("a mark although the rate was kept:\n%s", got)
	}
}

// TestTextOfAMissedRate holds that percentiles are marked where they stand (M9),
// and the numbers stay numbers.
func TestTextOfAMissedRate(t *testing.T) {
	lines(t, text(t, late(t)),
		"  warning: cannot keep this rate: of 100000 requests per second 86.96 % achieved, lag p99 0.891 msec; latencies carry a backlog",
		"          avg       min      p50*      p95*      p99*       max",
		"        1.131     0.024     1.132     2.130     2.218     2.239",
		"  *: percentiles of a schedule that fell behind",
		"          avg       min       p50       p95       p99       max",
	)
	lines(t, summary(t, late(t)),
		"           seconds   ops/s    p50     p99   p99.9     max  errors",
		"              0.02  86,957  1.132*  2.218*      -   2.239       0",
		"  service                   0.510   0.990       -   1.000",
		"*: percentiles of a schedule that fell behind",
	)
}

// TestLateButAchieved: a rate is also missed when all requests came, but long after
// their time (M9).
func TestLateButAchieved(t *testing.T) {
	r := open(t)
	r.Segments[0].Lag = latencies(20_000, 10*time.Microsecond, 200*time.Microsecond, 100_000)
	lines(t, text(t, r),
		"  warning: cannot keep this rate: of 20000 requests per second 100.00 % achieved, lag p99 0.198 msec; latencies carry a backlog",
		"          avg       min      p50*      p95*      p99*       max",
	)
}

func TestTextOfWarmup(t *testing.T) {
	for _, c := range []struct {
		plan   loadgen.Warmup
		steady stats.Steadiness
		want   string
	}{
		{loadgen.Warmup{}, stats.Unjudged, "none"},
		{loadgen.Warmup{Auto: true}, stats.Steady, "auto, steady"},
		{loadgen.Warmup{Auto: true}, stats.NotSteady, "auto, not steady"},
		{loadgen.Warmup{Time: 2 * time.Second}, stats.Unjudged, "2s"},
	} {
		r := clean(t)
		r.Plan.Warmup, r.Segments[0].Steady = c.plan, c.steady
		got := text(t, r)
		lines(t, got, "  warm-up: "+c.want)
		if warned := strings.Contains(got, "warning: not steady"); warned != (c.steady == stats.NotSteady) {
			t.Errorf("warm-up %s: warned %v", c.want, warned)
		}
	}
}

// TestSteadinessOfSeveralPlans holds that one verdict speaks for all plans only
// where it does.
func TestSteadinessOfSeveralPlans(t *testing.T) {
	for _, c := range []struct {
		plans []stats.Steadiness
		want  string
	}{
		{[]stats.Steadiness{stats.Steady, stats.Steady}, "true"},
		{[]stats.Steadiness{stats.Steady, stats.NotSteady}, "false"},
		{[]stats.Steadiness{stats.NotSteady, stats.Unjudged, stats.Steady}, "false"},
		{[]stats.Steadiness{stats.Steady, stats.Unjudged}, "null"},
		{[]stats.Steadiness{stats.Unjudged, stats.Steady}, "null"},
		{[]stats.Steadiness{stats.Unjudged, stats.Unjudged}, "null"},
	} {
		r := clean(t)
		s := r.Segments[0]
		r.Segments = nil
		for _, verdict := range c.plans {
			s.Steady = verdict
			r.Segments = append(r.Segments, s)
		}
		if got := show(decode(t, r).Steady); got != c.want {
			t.Errorf("%v: steady %s, want %s", c.plans, got, c.want)
		}
		if marked := strings.Count(summary(t, r), "(not steady)"); marked != strings.Count(fmt.Sprint(c.plans), "not steady") {
			t.Errorf("%v: %d rows marked\n%s", c.plans, marked, summary(t, r))
		}
	}
}

// TestWhatPlansAgreeOn holds that a figure of two plans exists where they share
// what it is made of.
func TestWhatPlansAgreeOn(t *testing.T) {
	for _, c := range []struct {
		name           string
		change         func(*stats.Segment)
		target, little string
		load           string
	}{
		{"the same again", func(*stats.Segment) {}, "null", "0.9839", "closed"},
		{"another pipeline", func(s *stats.Segment) { s.Pipeline *= 2 }, "null", "null", "closed"},
		{"more clients", func(s *stats.Segment) { s.Clients *= 2 }, "null", "null", "closed"},
		{"a rate", func(s *stats.Segment) { s.Target = 100 }, "null", "null", "several: each segment has its own"},
	} {
		r := clean(t)
		s := r.Segments[0]
		c.change(&s)
		r.Segments = append(r.Segments, s)
		d := decode(t, r)
		if got := show(d.Target); got != c.target {
			t.Errorf("%s: target %s, want %s", c.name, got, c.target)
		}
		if got := show(d.Little); got != c.little || d.Load != c.load {
			t.Errorf("%s: %s, little %s; want %s, %s", c.name, d.Load, got, c.load, c.little)
		}
	}
	r := open(t)
	s := r.Segments[0]
	s.Pipeline = 4
	r.Segments = append(r.Segments, s)
	if d := decode(t, r); show(d.Target) != "2e+04" || show(d.Keeps) != "true" || d.Load != "open at 20000/s" {
		t.Errorf("two pipelines at one rate: %s, target %s, keeps %s", d.Load, show(d.Target), show(d.Keeps))
	}
}

// TestStalledColumn holds that the table of plans has it only when some plan
// stalled, and says which.
func TestStalledColumn(t *testing.T) {
	if got := summary(t, turned(t)); strings.Contains(got, "stalled") {
		t.Error(got)
	}
	lines(t, summary(t, stalled(t)),
		"              seconds   ops/s    p50    p99   p99.9     max  errors  stalled",
		"(not steady)     5.00  60,000  8.102  8.593  2003.0  2003.0       0    40.1%",
	)
}

// TestSlowSchedules holds that gaps as long as the schedule's own are no stalls,
// and longer ones are.
func TestSlowSchedules(t *testing.T) {
	for gap, want := range map[time.Duration]bool{
		2001 * time.Millisecond: false, 4 * time.Second: false, 4200 * time.Millisecond: true,
	} {
		r := slow(t)
		r.Segments[0].Gaps.Longest = gap
		if got := strings.Contains(text(t, r), "warning: stalled"); got != want {
			t.Errorf("a gap of %v at 0.5/s: stalled %v, want %v", gap, got, want)
		}
	}
}

func TestTextOfSilence(t *testing.T) {
	for name, want := range map[string]string{
		"empty": "nothing was answered: 800 requests were sent", "paused": "nothing was sent: the load was paused",
		"nothing": "nothing was sent", "errors only": "no request succeeded: every reply was an error",
		"warming": "nothing was measured: the run ended while its samples were set apart",
	} {
		lines(t, text(t, fixture(t, name)), "  "+want)
		lines(t, summary(t, fixture(t, name)), want)
	}
	for _, name := range []string{"clean", "few", "instant", "open", "slow", "turned", "opened"} {
		if got := text(t, fixture(t, name)); strings.Contains(got, "nothing was") || strings.Contains(got, "no request") {
			t.Errorf("%s is not silent:\n%s", name, got)
		}
	}
}

// TestSummaryOfASlowRate holds that half a request a second is not rounded away.
func TestSummaryOfASlowRate(t *testing.T) {
	lines(t, summary(t, slow(t)), "schedule: of 0.5 requests per second 100.00 % achieved")
	if got := summary(t, slow(t)); !strings.Contains(got, "  10.0   0.50 ") {
		t.Error(got)
	}
}
