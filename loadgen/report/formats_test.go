package report_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// benchmarks holds the syntax of Go's benchmark format: what begins as a benchmark is
// one, with pairs of number and unit; everything else is a comment or a unit.
func benchmarks(t *testing.T, text string) (lines []string) {
	t.Helper()
	line := regexp.MustCompile(`^Benchmark[^\s\p{Ll}]\S* [1-9]\d*( \d+(\.\d+)? [a-zA-Z0-9][\w/-]*)+$`)
	processors := regexp.MustCompile(`^\S+-\d+ `)
	for _, l := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(l, "Benchmark"):
			if !line.MatchString(l) || processors.MatchString(l) || strings.Count(strings.Fields(l)[0], "/") > 6 {
				t.Errorf("not a benchmark: %q", l)
			}
			lines = append(lines, l)
		case l != "" && !strings.HasPrefix(l, "# ") && !strings.HasPrefix(l, "Unit "):
			t.Errorf("not a comment: %q", l)
		}
	}
	return lines
}

// table holds that every row of a markdown table has the eleven cells of its head.
func table(t *testing.T, text string) {
	t.Helper()
	rows := 0
	text, _, _ = strings.Cut(text, "\nNodes of ") // has its own test
	for _, l := range strings.Split(text, "\n") {
		if !strings.HasPrefix(l, "|") {
			continue
		}
		rows++
		if bars := strings.Count(strings.ReplaceAll(l, `\|`, ""), "|"); bars != 12 || !strings.HasSuffix(l, "|") {
			t.Errorf("%d bars in %q", bars, l)
		}
	}
	if rows != 3 {
		t.Errorf("%d rows, want a head, a rule and one row:\n%s", rows, text)
	}
}

// FuzzTitles holds the syntax of every format for whatever command a user writes.
func FuzzTitles(f *testing.F) {
	for _, title := range []string{"GET", "", " ", "LRANGE_100 (first 100 elements)", "set=1,get=10", "SET key:__rand_int__ a|b `x`", "SET k -5", "a/b\\|c", "``", "|", "ключ\x00\xff", strings.Repeat("MGET k ", 1000)} {
		f.Add(title)
	}
	f.Fuzz(func(t *testing.T, title string) {
		if undefined().MatchString(title) {
			title = "ключ"
		}
		results := map[string]loadgen.Result{title: clean(t)}
		if lines := benchmarks(t, print(t, "gobench", header(), results)); len(lines) != 1 || len(lines[0]) > 2000 {
			t.Errorf("%d benchmarks: %q", len(lines), lines)
		}
		table(t, print(t, "markdown", header(), results))
		for _, format := range report.Formats() {
			if found := undefined().FindString(print(t, format, header(), results)); found != "" {
				t.Errorf("%s shows %q for %q", format, found, title)
			}
		}
	})
}

func TestBenchmarkLine(t *testing.T) {
	for title, want := range map[string]string{
		"GET":                             "BenchmarkGET/size=3/clients=50/pipeline=2 2000 11500.0 ns/op 86956.52 requests/s 86956.52 keys/s 1131519 p50-ns 2129919 p95-ns 2217983 p99-ns 2239000 max-ns 782608.70 in-B/s 3478260.87 out-B/s 0.990000 hit-rate 0 errors",
		"LRANGE_100 (first 100 elements)": "BenchmarkLRANGE_100_(first_100_elements)/size=3/",
		"set=1,get=10":                    "BenchmarkSet=1,get=10/size=3/",
		"SET a/b  c":                      "BenchmarkSET_a_b__c/size=3/",
	} {
		lines := benchmarks(t, print(t, "gobench", header(), map[string]loadgen.Result{title: clean(t)}))
		if len(lines) != 1 || !strings.HasPrefix(lines[0], want) {
			t.Errorf("%q, want %q", lines, want)
		}
	}
	if lines := benchmarks(t, print(t, "gobench", header(), map[string]loadgen.Result{"GET": open(t)})); !strings.HasPrefix(lines[0], "BenchmarkGET/size=3/clients=50/pipeline=1/rate=20000 100000 ") {
		t.Errorf("%q", lines)
	}
	// Nothing that did not happen is averaged with what did.
	if got := print(t, "gobench", header(), map[string]loadgen.Result{"GET": empty(t)}); len(benchmarks(t, got)) != 0 || !strings.Contains(got, "# GET: partial result, ended early: no reply for 1s\n") {
		t.Error(got)
	}
}

// suite prints three tests in their order: 100 and 300 a second that write, and one
// of 1100 that reads.
func suite(t *testing.T, format string, more ...report.Entry) string {
	t.Helper()
	at := func(mix string, n int) report.Entry {
		p := plan(t, mix)
		s := segment(p, n, time.Second, latencies(n, time.Millisecond, 2*time.Millisecond, int64(n)))
		return report.Entry{Test: strings.ToUpper(mix), Result: loadgen.Result{Plan: p, Segments: []stats.Segment{s}, Total: s.Counters}}
	}
	var b strings.Builder
	p, err := report.New(format, &b)
	if err != nil {
		t.Fatal(err)
	}
	err = p.Begin(header())
	for _, e := range append([]report.Entry{at("set", 100), at("set=1,get=10", 300), at("get", 1100)}, more...) {
		err = errors.Join(err, p.Test(e))
	}
	if err := errors.Join(err, p.End()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAverages(t *testing.T) {
	lines(t, suite(t, "text"),
		"Averages of requests per second (arithmetic means, each test counts once):",
		"  tests that write (2):          200.00",
		"  all tests (3):                 500.00",
	)
	lines(t, suite(t, "markdown"), "Averages of requests per second (arithmetic means, each test counts once):", "", "- tests that write (2): 200.00", "- all tests (3): 500.00")
	partial := faulty(t)
	got := suite(t, "text", report.Entry{Test: "none", Result: empty(t)}, report.Entry{Test: "part", Result: partial})
	lines(t, got, "  left out, having no rate: 1, partial results among them: 1")
	if got := parseReport(t, suite(t, "text")); got.summary["rps"] != 1100 {
		t.Errorf("the average is taken for the rate of a test: %v", got.summary)
	}
	if got := text(t, clean(t)); strings.Contains(got, "Averages") {
		t.Errorf("an average of one test:\n%s", got)
	}
}

// TestMarkdownTellsWhatDiffers holds that no latency stands without its C, P and load
// model (M3), though the table says them once.
func TestMarkdownTellsWhatDiffers(t *testing.T) {
	lines(t, suite(t, "markdown", report.Entry{Test: "OPEN", Result: open(t)}, report.Entry{Test: "a|b", Result: clean(t)}),
		"50 clients, pipeline 16, 3 bytes payload, keyspace 100000, closed loop; latencies in ms.",
		"| SET | 100.00 | 100.00 | 1.495 | - | - | 2.000 | 0 | 99.00 % | 0.00 | 0.00 |",
		"| `a\\|b` | 86956.52 | 86956.52 | 1.132 | 2.130 | 2.218 | 2.239 | 0 | 99.00 % | 0.78 | 3.48 |",
		"- SET: -: too few batches to carry this percentile",
		"- OPEN: 50 clients, pipeline 1, 3 bytes payload, keyspace 100000, open loop at 20000/s",
		"- `a\\|b`: 50 clients, pipeline 2, 3 bytes payload, keyspace 100000, closed loop",
	)
	var b strings.Builder
	p, err := report.New("markdown", &b)
	if err := errors.Join(err, p.Begin(header()), p.End()); err != nil {
		t.Fatal(err)
	}
	lines(t, b.String(), "No test was run.")
}

// TestKeysBesideRequests is recipe R2: an MGET of a thousand keys is one request.
func TestKeysBesideRequests(t *testing.T) {
	r := clean(t)
	r.Segments[0].Counters.Keys *= 1000
	lines(t, text(t, r), "  throughput summary: 86956.52 requests per second", "  keys: 86956521.74 per second", "  MB per second: 0.78 in, 3.48 out")
	if got := text(t, clean(t)); strings.Contains(got, "keys: ") {
		t.Errorf("keys that are requests:\n%s", got)
	}
	got := print(t, "gobench", header(), map[string]loadgen.Result{"MGET": r})
	for _, want := range []string{"86956.52 requests/s 86956521.74 keys/s"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if md := print(t, "markdown", header(), map[string]loadgen.Result{"MGET": r}); !strings.Contains(md, "| 86956.52 | 86956521.74 |") {
		t.Error(md)
	}
}

func TestWritesOfCustomCommands(t *testing.T) {
	reads := workload.Mix{{Test: workload.Test{Title: "X", Custom: true}, Weight: 1}}
	r := clean(t)
	r.Plan.Workload.Mix = reads
	lines(t, suite(t, "text", report.Entry{Test: "X", Result: r}), "  tests that write (2):          200.00")
	reads[0].Test.Writes = true
	lines(t, suite(t, "text", report.Entry{Test: "X", Result: r}), "  tests that write (3):        29118.84")
}

// TestPartialIsMarked holds that nobody takes a run that was ended for a whole one,
// whatever the format; the CSV has its mark on another stream.
func TestPartialIsMarked(t *testing.T) {
	forms := rendered(t, faulty(t))
	for name, want := range map[string]string{
		"text": "  partial result, ended early: interrupted\n", "quiet": "(ended early: interrupted)\n",
		"json": `"partial": true`, "markdown": "- x: partial result, ended early: interrupted\n",
		"gobench": "# x: partial result, ended early: interrupted\n", "hgrm": "#[partial result, ended early: interrupted]\n",
		"notes": "fullbore: x: partial result, ended early: interrupted\n", "rows": "\n  partial result, ended early: interrupted\n",
	} {
		if !strings.Contains(forms[name], want) {
			t.Errorf("%s: no %q in\n%s", name, want, forms[name])
		}
	}
	for _, format := range report.Formats() {
		if report.Bare(format) != (format == "csv") {
			t.Errorf("%s is bare: %v", format, report.Bare(format))
		}
	}
}

func TestRows(t *testing.T) {
	var b strings.Builder
	p := report.Rows(&b)
	err := p.Begin(header())
	for title, r := range map[string]loadgen.Result{strings.Repeat("LONG", 10): clean(t)} {
		err = errors.Join(err, p.Test(report.Entry{Test: title, Result: r}))
	}
	err = errors.Join(err, p.Test(report.Entry{Test: "SET", Result: faulty(t)}), p.End())
	want := `test                       requests/s    p50 ms    p99 ms    max ms   errors
LONGLONGLONGLONGLONGLON~       86,957     1.132     2.218     2.239        0
SET                            86,957     1.132     2.218     2.239       12
  partial result, ended early: interrupted
`
	if err != nil || !strings.HasPrefix(b.String(), want) {
		t.Errorf("%v\n%s, want\n%s", err, b.String(), want)
	}
}

// TestNotesAreSilent holds that there is nothing to say of a clean run.
func TestNotesAreSilent(t *testing.T) {
	if got := rendered(t, clean(t))["notes"]; got != "" {
		t.Error(got)
	}
}

// TestBoth holds that one broken stream does not silence the other.
func TestBoth(t *testing.T) {
	var b strings.Builder
	lost, err := report.New("csv", broken{})
	if err != nil {
		t.Fatal(err)
	}
	p := report.Both(lost, report.Rows(&b))
	err = errors.Join(p.Begin(header()), p.Test(report.Entry{Test: "SET", Result: clean(t)}), p.End())
	if !errors.Is(err, errBroken) || !strings.Contains(b.String(), "SET  ") {
		t.Errorf("%v, %q", err, b.String())
	}
}
