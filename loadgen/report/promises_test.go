package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// undefined is what no report may show: a number that is none (M7, C05), a broken
// format verb, or a character that steers a terminal.
func undefined() *regexp.Regexp {
	return regexp.MustCompile(`NaN|Inf\b|\bnan\b|\binf\b|[\x00-\x09\x0b-\x1f\x7f]|%!`)
}

// rendered is a result in every form there is, by name.
func rendered(t testing.TB, r loadgen.Result) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for _, format := range report.Formats() {
		out[format] = print(t, format, header(), map[string]loadgen.Result{"x": r})
	}
	for name, make := range map[string]func(io.Writer) report.Printer{"rows": report.Rows, "notes": report.Notes} {
		var b strings.Builder
		if err := make(&b).Test(report.Entry{Test: "x", Result: r}); err != nil {
			t.Fatal(err)
		}
		out[name] = b.String()
	}
	out["summary"] = summary(t, r)
	out["caveats"] = strings.Join(report.Caveats(report.Entry{Test: "x", Result: r}), "\n")
	return out
}

// promised holds what every form promises for any result whatever.
func promised(t *testing.T, r loadgen.Result) {
	t.Helper()
	forms := rendered(t, r)
	bad := undefined()
	for name, text := range forms {
		if found := bad.FindString(text); found != "" {
			t.Errorf("%s shows %q:\n%s", name, found, text)
		}
	}
	if !json.Valid([]byte(forms["json"])) {
		t.Errorf("not JSON: %s", forms["json"])
	}
	if rows, err := csv.NewReader(strings.NewReader(forms["csv"])).ReadAll(); err != nil || len(rows) != 2 || len(rows[1]) != 8 {
		t.Errorf("CSV of %d rows, %v: %s", len(rows), err, forms["csv"])
	}
	if lines := strings.Count(forms["quiet"], "\n"); lines != 2 {
		t.Errorf("%d lines of -q: %s", lines, forms["quiet"])
	}
	narrow(t, forms["summary"])
	narrow(t, forms["rows"])
	benchmarks(t, forms["gobench"])
	table(t, forms["markdown"])
	shares(t, decode(t, r))
}

// shares holds the limits of what is a part of a whole.
func shares(t *testing.T, d decoded) {
	t.Helper()
	for _, part := range append(d.Segments, d) {
		if s := part.Stalled; s != nil && (*s < 0 || *s > 1) {
			t.Errorf("stalled share %v", *s)
		}
		if (part.Target == nil) != (part.Keeps == nil) && part.Keeps != nil && len(d.Segments) == 0 {
			t.Errorf("keeps %s of target %s", show(part.Keeps), show(part.Target))
		}
		for _, s := range part.Series {
			if s.Seconds <= 0 || s.Seconds > 1.5 {
				t.Errorf("a second of %v s", s.Seconds)
			}
		}
	}
}

// TestEndStates holds the promises wherever a run may end (C05, C06, C42).
func TestEndStates(t *testing.T) {
	for name, r := range cases(t) {
		t.Run(name, func(t *testing.T) { promised(t, r) })
	}
}

// TestNothingIsNull holds that where nothing was measured there is no number to
// misread: null in JSON, empty in CSV, a stand-in for people (C05).
func TestNothingIsNull(t *testing.T) {
	for _, name := range []string{"empty", "nothing", "paused", "warming", "errors only"} {
		r := fixture(t, name)
		d := decode(t, r)
		for _, set := range []map[string]*float64{d.Latency, d.Service, d.Lag} {
			for key, v := range set {
				if v != nil {
					t.Errorf("%s: %s is %v", name, key, *v)
				}
			}
		}
		if d.RPS != nil || d.Achieved != nil || d.Little != nil {
			t.Errorf("%s: rps %s, achieved %s, little %s", name, show(d.RPS), show(d.Achieved), show(d.Little))
		}
		forms := rendered(t, r)
		if !strings.HasSuffix(forms["csv"], `"x","","","","","","",""`+"\n") {
			t.Errorf("%s: CSV %s", name, forms["csv"])
		}
		for _, want := range []string{"throughput summary: n/a requests per second", "-         -         -         -         -         -\n"} {
			if !strings.Contains(forms["text"], want) {
				t.Errorf("%s: no %q in %s", name, want, forms["text"])
			}
		}
		if forms["caveats"] == "" {
			t.Errorf("%s: no caveat", name)
		}
	}
}

// TestCase06 holds that a reply of four seconds is one of four seconds.
func TestCase06(t *testing.T) {
	p := plan(t, "get")
	p.Clients, p.Pipeline, p.Requests = 1, 1, 2
	s := segment(p, 2, 4*time.Second, latencies(2, time.Millisecond, 4*time.Second, 2))
	s.Gaps = stats.Gaps{Longest: 4 * time.Second, Count: 1, Total: 4 * time.Second}
	r := loadgen.Result{Plan: p, Segments: []stats.Segment{s}, Total: s.Counters, Points: timeline(s)}
	promised(t, r)
	if d := decode(t, r); *d.Latency["max"] != 4000 || d.Requests != 2 || d.Latency["p50"] != nil {
		t.Errorf("max %s, %d requests, p50 %s", show(d.Latency["max"]), d.Requests, show(d.Latency["p50"]))
	}
}

// points makes a time line of anything; every third point is not measured. Spans
// are those that a run can have: a sampler is late by seconds, not by years.
func points(seed, replies, errs int64, epochs int) []stats.Point {
	var out []stats.Point
	var at time.Duration
	for i := range 40 {
		span := time.Duration(uint64(seed)>>(i%32)) % (2 * time.Second)
		at += span
		out = append(out, stats.Point{
			At: at, Span: span, Replies: replies, Errors: errs, Epoch: i * epochs / 40,
			Measured: i%3 != 0, Paused: i%6 == 0,
		})
	}
	return out
}

// FuzzResult makes results of anything and holds the promises for them.
func FuzzResult(f *testing.F) {
	f.Add(int64(1000), int64(5), int64(2), int64(time.Second), int64(time.Millisecond), int64(100), 0., "GET", "WRONGTYPE x")
	f.Add(int64(0), int64(0), int64(0), int64(0), int64(0), int64(0), math.NaN(), "", "")
	f.Add(int64(math.MaxInt64), int64(-1), int64(math.MinInt64), int64(math.MinInt64), int64(-5), int64(math.MaxInt64), math.Inf(1), "a\"b\r\n\xff", "\x1b[2J\xfe")
	f.Add(int64(1), int64(0), int64(0), int64(10*time.Millisecond), int64(1), int64(1), .5, "SET", "")
	f.Add(int64(500_000), int64(0), int64(0), int64(time.Second), int64(time.Microsecond), int64(500_000), 1e6, "GET rate=1e6", "cannot keep this rate")
	f.Fuzz(func(t *testing.T, replies, errs, lost, measured, sample, batches int64, rate float64, name, text string) {
		if undefined().MatchString(name) || undefined().MatchString(text) {
			name, text = "GET", "\x1b[2J\xfe" // the words would be taken for numbers
		}
		if !(rate > 0 && rate <= loadgen.MaxRate) {
			rate = 0 // as Plan.Validate would have it
		}
		h := stats.NewHistogram()
		h.Record(time.Duration(sample))
		l := h.Summary(batches)
		s := stats.Segment{
			Epoch: 3, Measured: time.Duration(measured), Latency: l, Distribution: h.Distribution(), Service: l, Lag: l, Plan: name, Target: rate,
			Clients: int(replies), Pipeline: int(lost), Steady: []stats.Steadiness{stats.Unjudged, stats.Steady, stats.NotSteady}[uint64(errs)%3],
			Counters: stats.Counters{Sent: lost, Replies: replies, Errors: errs, Lost: lost, Hits: replies, Misses: lost},
			Commands: []stats.CommandStats{{Title: name}, {Title: text, Latency: l}},
			Gaps:     stats.Gaps{Longest: time.Duration(sample), Count: lost, Total: time.Duration(sample)},
		}
		other := s
		other.Epoch, other.Target, other.Steady = 7, 0, stats.Unjudged
		r := loadgen.Result{
			Plan:     loadgen.Plan{Rate: rate, Workload: workload.Workload{}, Paused: errs%2 == 0, Warmup: loadgen.Warmup{Time: time.Duration(sample)}},
			Segments: []stats.Segment{s, other, s}[:uint64(batches)%4], Total: s.Counters,
			Faults: []stats.Fault{{Class: stats.ReplyFault, Code: text, Text: text, Count: errs}, {Class: stats.DialFault, Code: name, Text: text}},
			Notes:  []stats.Note{{Warning: true, Text: text}}, Partial: true, Reason: text, Elapsed: time.Duration(measured),
			Gaps: s.Gaps, Points: points(measured, replies>>16, errs>>16, 8),
		}
		promised(t, r)
	})
}

// TestServersDoNotSteer holds that what a server says cannot move the cursor.
func TestServersDoNotSteer(t *testing.T) {
	r := faulty(t)
	r.Notes = []stats.Note{{Warning: true, Text: "bad\x1b[2J\r\n"}}
	r.Faults[0].Code = "\x1b[31mRED"
	r.Reason = "gone\x07\n"
	for name, text := range rendered(t, r) {
		if name != "json" && bytes.ContainsAny([]byte(text), "\x1b\r\x07") {
			t.Errorf("%s: %q", name, text)
		}
	}
}
