package report_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/stats"
)

// decoded is the part of a JSON result that these tests read.
type decoded struct {
	Test, Load, Warmup string
	Requests           int64
	Measured           int64 `json:"measured_requests"`
	Seconds            float64
	RPS                *float64
	Target             *float64            `json:"target_rate"`
	Achieved           *float64            `json:"achieved_share"`
	Keeps              *bool               `json:"keeps_rate"`
	Latency            map[string]*float64 `json:"latency_ms"`
	Service            map[string]*float64 `json:"service_ms"`
	Lag                map[string]*float64 `json:"lag_ms"`
	Steady             *bool
	Longest            float64 `json:"longest_gap_ms"`
	Gaps               struct {
		Count int64
		Total float64 `json:"total_ms"`
	}
	Stalled  *float64 `json:"stalled_share"`
	Little   *float64 `json:"little_law_share"`
	Warnings []string
	Series   []struct {
		At              float64 `json:"at_seconds"`
		Seconds         float64
		Replies, Errors int64
	}
	Segments []decoded
}

// decode is one result through JSON and back.
func decode(t testing.TB, r loadgen.Result) decoded {
	t.Helper()
	var doc struct{ Results []decoded }
	text := print(t, "json", header(), map[string]loadgen.Result{"x": r})
	if err := json.Unmarshal([]byte(text), &doc); err != nil || len(doc.Results) != 1 {
		t.Fatalf("%d results, %v: %s", len(doc.Results), err, text)
	}
	return doc.Results[0]
}

// show is a number that may be null.
func show[T any](v *T) string {
	if v == nil {
		return "null"
	}
	return fmt.Sprintf("%.4v", *v)
}

// TestLoadModel holds what JSON says of the load, of its schedule and of steadiness.
func TestLoadModel(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"clean", "closed, warm-up none: target null, achieved null, keeps null, service false, steady null, little 0.9839"},
		{"stalled", "closed, warm-up auto: target null, achieved null, keeps null, service false, steady false, little 1.005"},
		{"late", "open at 100000/s, warm-up none: target 1e+05, achieved 0.8696, keeps false, service true, steady null, little null"},
		{"open", "open at 20000/s, warm-up none: target 2e+04, achieved 1, keeps true, service true, steady true, little null"},
		{"slow", "open at 0.5/s, warm-up none: target 0.5, achieved 1, keeps true, service true, steady null, little null"},
		{"warming", "open at 1000/s, warm-up 2s: target 1000, achieved null, keeps null, service true, steady null, little null"},
		{"paused", "closed, warm-up none: target null, achieved null, keeps null, service false, steady null, little null"},
		{"errors only", "closed, warm-up none: target null, achieved null, keeps null, service false, steady null, little null"},
		// Plans of one pipeline and another have no share of Little's law in common,
		// and plans of two load models no target.
		{"turned", "closed, warm-up none: target null, achieved null, keeps null, service false, steady null, little null"},
		{"opened", "several: each segment has its own, warm-up none: target null, achieved null, keeps false, service true, steady false, little null"},
	} {
		d := decode(t, fixture(t, c.name))
		got := fmt.Sprintf("%s, warm-up %s: target %s, achieved %s, keeps %s, service %v, steady %s, little %s",
			d.Load, d.Warmup, show(d.Target), show(d.Achieved), show(d.Keeps), d.Service != nil, show(d.Steady), show(d.Little))
		if got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		if (d.Service == nil) != (d.Lag == nil) {
			t.Errorf("%s: service time without lag, or the reverse", c.name)
		}
	}
}

// TestSegmentsSayTheSame holds that each of several plans has all that a result of
// one plan has.
func TestSegmentsSayTheSame(t *testing.T) {
	d := decode(t, opened(t))
	if len(d.Segments) != 2 {
		t.Fatalf("%d segments, want 2", len(d.Segments))
	}
	for i, alone := range []loadgen.Result{stalled(t), late(t)} {
		whole, part := decode(t, alone), d.Segments[i]
		for _, c := range []struct {
			what      string
			got, want any
		}{
			{"load", part.Load, whole.Load},
			{"measured requests", part.Measured, whole.Measured},
			{"seconds", part.Seconds, whole.Seconds},
			{"rps", show(part.RPS), show(whole.RPS)},
			{"target", show(part.Target), show(whole.Target)},
			{"achieved", show(part.Achieved), show(whole.Achieved)},
			{"keeps", show(part.Keeps), show(whole.Keeps)},
			{"p99", show(part.Latency["p99"]), show(whole.Latency["p99"])},
			{"service p99", show(part.Service["p99"]), show(whole.Service["p99"])},
			{"lag p99", show(part.Lag["p99"]), show(whole.Lag["p99"])},
			{"steady", show(part.Steady), show(whole.Steady)},
			{"longest gap", part.Longest, whole.Longest},
			{"gaps", part.Gaps, whole.Gaps},
			{"stalled", show(part.Stalled), show(whole.Stalled)},
			{"little", show(part.Little), show(whole.Little)},
			{"series", fmt.Sprint(part.Series), fmt.Sprint(whole.Series)},
		} {
			if c.got != c.want {
				t.Errorf("segment %d: %s %v, want %v", i, c.what, c.got, c.want)
			}
		}
	}
}

// TestStallIsEvident is case C02 as its reader meets it (M8).
func TestStallIsEvident(t *testing.T) {
	d := decode(t, stalled(t))
	if d.Longest != 2003 || d.Gaps.Count != 1 || d.Gaps.Total != 2003 || math.Abs(*d.Stalled-.4) > .01 {
		t.Errorf("longest %v ms, %d gaps of %v ms, stalled %s", d.Longest, d.Gaps.Count, d.Gaps.Total, show(d.Stalled))
	}
	var replies []int64
	for _, s := range d.Series {
		replies = append(replies, s.Replies)
	}
	if want := []int64{100_000, 100_000, 0, 0, 100_000}; !slices.Equal(replies, want) {
		t.Errorf("series %v, want %v", replies, want)
	}
	// The closed loop's own percentiles are blind to it, and the report says so.
	if p99 := *d.Latency["p99"]; p99 > 10 {
		t.Errorf("p99 %v ms: the case needs percentiles that hide the stall", p99)
	}
	if text := print(t, "text", header(), map[string]loadgen.Result{"GET": stalled(t)}); !strings.Contains(text, "stalled 40.1 % of the time") ||
		!strings.Contains(text, "longest gap without a reply 2003.0 ms; 1 above 100ms, 2.0 s in all (40.1 % of the time)") {
		t.Error(text)
	}
}

// TestSeriesIsOfMeasuredTime holds that seconds add up to the measured time and
// replies to the segments', wherever settling and pauses lie.
func TestSeriesIsOfMeasuredTime(t *testing.T) {
	for name, r := range cases(t) {
		if len(r.Points) == 0 {
			continue
		}
		d := decode(t, r)
		for _, part := range append(d.Segments, d) {
			var seconds, before float64
			var answered int64
			for i, s := range part.Series {
				if s.At != before || i < len(part.Series)-1 && s.Seconds != 1 || s.Seconds <= 0 {
					t.Errorf("%s: second %d begins at %v and is %v long", name, i, s.At, s.Seconds)
				}
				before, seconds, answered = s.At+s.Seconds, seconds+s.Seconds, answered+s.Replies+s.Errors
			}
			if math.Abs(seconds-part.Seconds) > 1e-6 || answered != part.Measured {
				t.Errorf("%s: the series has %d answers in %v s, want %d in %v s", name, answered, seconds, part.Measured, part.Seconds)
			}
		}
	}
}

// TestPausesAreNoStalls holds that a pause and the settling around it leave no zero
// in the series and no second of their own.
func TestPausesAreNoStalls(t *testing.T) {
	r := clean(t)
	s := segment(r.Plan, 2000, 2*time.Second, latencies(2000, time.Millisecond, 2*time.Millisecond, 2000))
	s.Epoch = 3 // the pause ended epoch 1, and going on began another
	r.Segments, r.Total = []stats.Segment{s}, s.Counters
	r.Points = []stats.Point{
		{At: time.Second, Span: time.Second, Replies: 700, Epoch: 1}, // settling
		{At: 2 * time.Second, Span: time.Second, Replies: 1000, Epoch: 1, Measured: true},
		{At: 9 * time.Second, Span: 7 * time.Second, Epoch: 2, Paused: true},
		{At: 10 * time.Second, Span: time.Second, Replies: 1000, Epoch: 3, Measured: true},
	}
	d := decode(t, r)
	if len(d.Series) != 2 || d.Series[0].Replies != 1000 || d.Series[1].Replies != 1000 || d.Series[1].At != 1 {
		t.Errorf("series %+v, want 1000 replies in each of two seconds", d.Series)
	}
}

func TestSeriesHasALineForASecond(t *testing.T) {
	text := print(t, "json", header(), map[string]loadgen.Result{"GET": stalled(t)})
	for _, want := range []string{
		`        {"at_seconds": 0, "seconds": 1, "replies": 100000, "errors": 0},` + "\n",
		`        {"at_seconds": 2, "seconds": 1, "replies": 0, "errors": 0},` + "\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no line %q in %s", want, text)
		}
	}
	// What looks like one inside an error text stays as the server wrote it.
	r := faulty(t)
	r.Faults[0].Text = "{\n  \"at_seconds\": 1,\n  \"seconds\": 1,\n  \"replies\": 1,\n  \"errors\": 1\n}"
	var doc struct {
		Results []struct {
			Errors struct {
				First string `json:"first_text"`
			}
		}
	}
	if err := json.Unmarshal([]byte(print(t, "json", header(), map[string]loadgen.Result{"GET": r})), &doc); err != nil ||
		doc.Results[0].Errors.First != r.Faults[0].Text {
		t.Errorf("%v, %+v", err, doc)
	}
}

// TestMeasuredAndApart holds that a reader can divide the requests of the first
// line by its seconds, and is told of those beside them.
func TestMeasuredAndApart(t *testing.T) {
	text := print(t, "text", header(), map[string]loadgen.Result{"GET": stalled(t)})
	lines(t, text, "  300000 requests completed in 5.00 seconds", "  40000 more requests outside the measured time")
	if d := decode(t, stalled(t)); d.Requests != 340_000 || d.Measured != 300_000 {
		t.Errorf("requests %d, measured %d", d.Requests, d.Measured)
	}
}

// TestCaveats holds what is said beside formats that have no room for it.
func TestCaveats(t *testing.T) {
	for name, want := range map[string][]string{
		"clean": nil, "open": nil, "mixed": nil, "few": nil, "instant": nil,
		"slow": nil, // two seconds between requests are as planned
		"empty": {
			"partial result, ended early: no reply for 1s",
			"nothing was answered: 800 requests were sent",
			`fault: timeout timeout, 50 in all, first: "read 127.0.0.1:6379: no reply for 1s"`,
			"lost: 800 requests in flight when their connection died",
			"warning: stalled 100.0 % of the time, longest gap 1000.000 msec",
		},
		"errors only": {
			"no request succeeded: every reply was an error",
			"errors: 800 of 800 replies (100.00 %)",
			`fault: reply NOAUTH, 800 in all, first: "NOAUTH Authentication required."`,
		},
		"stalled": {
			"warning: not steady: throughput still moved when measuring began",
			"warning: stalled 40.1 % of the time, longest gap 2003.000 msec: the percentiles of a closed loop hide this",
		},
		"late": {
			"warning: cannot keep this rate: of 100000 requests per second 86.96 % achieved, lag p99 0.891 msec; latencies carry a backlog",
		},
		"paused":  {"nothing was sent: the load was paused"},
		"nothing": {"nothing was sent"},
		"warming": {
			"partial result, ended early: interrupted",
			"nothing was measured: the run ended while its samples were set apart",
			"lost: 2 requests in flight when their connection died",
		},
	} {
		got := report.Caveats(report.Entry{Test: name, Result: fixture(t, name)})
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestQuietMarks holds that a doubtful line says so behind its numbers.
func TestQuietMarks(t *testing.T) {
	for name, want := range map[string]string{
		"late":    "late: 86956.52 requests per second, p50=1.132 msec (cannot keep this rate: 86.96 %)\n\n",
		"stalled": "stalled: 60000.00 requests per second, p50=8.102 msec (not steady) (stalled 40.1 %)\n\n",
		"open":    "open: 20000.00 requests per second, p50=0.162 msec\n\n",
		"slow":    "slow: 0.50 requests per second, p50=- msec\n\n",
		"paused":  "paused: n/a requests per second, p50=- msec (nothing was sent: the load was paused)\n\n",
	} {
		if got := print(t, "quiet", header(), map[string]loadgen.Result{name: fixture(t, name)}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestWarningsAreToldOnce holds that the engine's words about what the report says
// from its own numbers are left out, and all others are kept.
func TestWarningsAreToldOnce(t *testing.T) {
	r := late(t)
	r.Segments[0].Steady = stats.NotSteady
	r.Total.Hits, r.Total.Misses = 1, 1
	for _, text := range []string{"not steady: throughput still moved", "hit rate 50.0%: reads meet keys that are not there",
		"reading the clock costs 900ns here", "latency × rate is 70% of clients × pipeline", "reading the clock costs 900ns here"} {
		r.Notes = append(r.Notes, stats.Note{Warning: true, Text: text})
	}
	want := []string{
		"cannot keep this rate: of 100000 requests per second 86.96 % achieved, lag p99 0.891 msec; latencies carry a backlog",
		"not steady: throughput still moved when measuring began",
		"hit rate 50.00 %: many reads met nothing, which is less work for the server",
		"reading the clock costs 900ns here",
		"latency × rate is 70% of clients × pipeline",
	}
	if got := decode(t, r).Warnings; !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
