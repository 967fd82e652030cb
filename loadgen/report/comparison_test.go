package report_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/report"
	"fullbore/loadgen/stats"
)

// TestComparisonGolden holds the documents as they were looked at.
func TestComparisonGolden(t *testing.T) {
	all := comparisons(t)
	for name, formats := range map[string][]string{
		"duel": {"text", "quiet", "csv", "json", "markdown", "gobench"}, "trio": {"text", "quiet", "csv", "markdown"},
		"servers": {"text", "markdown", "gobench"}, "tails": {"text", "json"}, "partial": {"text", "json", "quiet"},
		"silent": {"text", "csv", "gobench"}, "contrary": {"text"}, "delayed": {"text", "quiet", "csv"}, "nil": {"text", "json"}, "unbegun": {"text", "json"},
	} {
		for _, format := range formats {
			golden(t, "compare-"+name+"."+format, compared(t, format, all[name]))
		}
	}
}

// TestComparisonFormats holds which there are and how the others are refused.
func TestComparisonFormats(t *testing.T) {
	want := []string{"text", "quiet", "csv", "json", "markdown", "gobench"}
	if got := report.ComparisonFormats(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, name := range []string{"hgrm", "xml", ""} {
		err := report.Comparison(name, io.Discard, report.Compared{Header: header(), State: duel(t)})
		want := `format "` + name + `" has no comparisons: --format takes text, quiet, csv, json, markdown, gobench`
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, name := range want {
		if err := report.Comparison(name, broken{}, report.Compared{State: duel(t)}); !errors.Is(err, errBroken) {
			t.Errorf("%s to a full disk: %v", name, err)
		}
	}
}

// kept holds what every format promises for any comparison whatever.
func kept(t *testing.T, name string, s *experiment.State) {
	t.Helper()
	bad, praise := undefined(), regexp.MustCompile(`(?i)\b(best|winner|wins)\b`)
	forms := map[string]string{}
	for _, format := range report.ComparisonFormats() {
		text := compared(t, format, s)
		forms[format] = text
		if found := bad.FindString(text); found != "" {
			t.Errorf("%s, %s shows %q:\n%s", name, format, found, text)
		}
		if strings.Contains(text, password) {
			t.Errorf("%s, %s shows the password:\n%s", name, format, text)
		}
		if praise.MatchString(text) {
			t.Errorf("%s, %s names a winner (C15, C16):\n%s", name, format, text)
		}
		if format == "text" && (s == nil || len(s.Arms) <= 2) {
			narrow(t, text)
		}
	}
	if text := forms["json"]; !json.Valid([]byte(text)) || !strings.HasSuffix(text, "}\n") {
		t.Errorf("%s: not JSON: %s", name, text)
	}
	rows, err := csv.NewReader(strings.NewReader(forms["csv"])).ReadAll()
	if s != nil && err == nil && len(rows) != 1+len(s.Results)*len(s.Arms) || err != nil {
		t.Errorf("%s: %d rows of CSV, %v", name, len(rows), err)
	}
	benchmarks(t, forms["gobench"])
	tables(t, forms["markdown"])
}

// tables holds that all rows of a table have the cells of its head.
func tables(t *testing.T, text string) {
	t.Helper()
	cells := 0
	for _, l := range strings.Split(text, "\n") {
		if !strings.HasPrefix(l, "|") {
			cells = 0
			continue
		}
		bars := strings.Count(strings.ReplaceAll(l, `\|`, ""), "|")
		if cells == 0 {
			cells = bars
		}
		if bars != cells || !strings.HasSuffix(l, "|") {
			t.Errorf("%d bars of %d in %q", bars, cells, l)
		}
	}
}

// TestComparisonEndStates holds the promises wherever a comparison may end (C42).
func TestComparisonEndStates(t *testing.T) {
	for name, s := range comparisons(t) {
		kept(t, name, s)
	}
}

// comparedDoc is the part of the document that tests read back.
type comparedDoc struct {
	Schema  int
	Kind    string
	Partial bool
	Reason  string
	Rules   struct {
		Round     float64 `json:"round_seconds"`
		Settle    float64 `json:"settle_seconds"`
		Pairs     int
		Practical float64
		Seed      uint64
	}
	Arms []struct {
		Letter, Label string
		Clients       int
		Pipeline      int
		RTT           *float64 `json:"rtt_simulated_ms"`
		Threads       *int
		Server        struct {
			Version, Origin, Command, Address string
			Replicas                          int
		}
		Tests []struct {
			Test, Metric, Unit string
			Median, Low, High  *float64
			Spread             *float64
			Rounds             []struct {
				Pair      int
				At        float64 `json:"at_seconds"`
				Value     *float64
				RPS       *float64
				LatencyMS map[string]*float64 `json:"latency_ms"`
			}
			Twins []any `json:"twin_rounds"`
			Total struct {
				RPS *float64
			}
			Server map[string]*float64
		}
		Errors struct {
			Total  int64
			ByCode map[string]int64 `json:"by_code"`
		}
		Faults []map[string]any
		Lost   int64
	}
	Comparisons []struct {
		Test, A, B, Metric string
		LabelA             string `json:"a_label"`
		LabelB             string `json:"b_label"`
		Pairs              int
		Ratio              *float64
		Low                *float64 `json:"ratio_low"`
		High               *float64 `json:"ratio_high"`
		P                  *float64
		Raw                *float64 `json:"p_raw"`
		Floor              *float64 `json:"noise_floor"`
		More               *int     `json:"more_pairs"`
		Verdict            struct{ Kind, Text string }
		Contrary           string `json:"server_contradiction"`
	}
	Averages []struct {
		Of    string
		Tests int
		RPS   map[string]float64
	}
	Earlier []struct {
		Plans []string
		Tests []struct{ Letter, Test string }
	}
	Notes []struct{ Text string }
}

func comparedJSON(t *testing.T, s *experiment.State) comparedDoc {
	t.Helper()
	var d comparedDoc
	if err := json.Unmarshal([]byte(compared(t, "json", s)), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestComparisonJSON reads R1 back.
func TestComparisonJSON(t *testing.T) {
	s := trio(t)
	d := comparedJSON(t, s)
	if d.Schema != report.Schema || d.Kind != "comparison" || d.Partial || len(d.Arms) != 2 || len(d.Comparisons) != 3 {
		t.Fatalf("%+v", d)
	}
	if r := d.Rules; r.Round != 1 || r.Settle != .25 || r.Pairs != 30 || r.Practical != .03 || r.Seed != 7 {
		t.Errorf("rules %+v", r)
	}
	for i, c := range d.Comparisons {
		f := s.Results[i].Findings[1]
		if c.A != "A" || c.B != "B" || c.LabelA != "P=1" || c.LabelB != "P=16" || c.Metric != "throughput" || c.Pairs != 12 ||
			*c.Ratio != f.Ratio || *c.Low != f.Low || *c.High != f.High || *c.P != f.P || *c.Raw != f.Raw || *c.Floor != f.Floor || c.Verdict.Kind != string(f.Verdict.Kind) {
			t.Errorf("%+v of %+v", c, f)
		}
	}
	if k := []string{d.Comparisons[0].Verdict.Kind, d.Comparisons[1].Verdict.Kind, d.Comparisons[2].Verdict.Kind}; !slices.Equal(k, []string{"faster", "no_difference", "slower"}) {
		t.Errorf("verdicts %v", k)
	}
	for i, a := range d.Arms {
		if a.Pipeline != []int{1, 16}[i] || a.Clients != 50 || a.RTT != nil || len(a.Tests) != 3 || a.Server.Version != "7.0.15" {
			t.Errorf("arm %+v", a)
		}
		for j, test := range a.Tests {
			m := s.Results[j].Arms[i]
			if *test.Median != m.Median || *test.Low != m.Low || *test.High != m.High || len(test.Rounds) != 12 || *test.Spread != (m.High-m.Low)/m.Median {
				t.Errorf("%+v of %+v", test, m)
			}
			if r := test.Rounds[11]; r.Pair != 12 || r.At != 30 || *r.Value != m.Rounds[11].Value || *r.RPS != m.Rounds[11].Value || r.LatencyMS["p50"] == nil {
				t.Errorf("round %+v", r)
			}
			if twins := []int{8, 0}[i]; len(test.Twins) != twins {
				t.Errorf("%d twins, want %d", len(test.Twins), twins)
			}
			if main := test.Server["main_us_per_command"]; main == nil || math.Abs(*main-1.234) > 1e-9 {
				t.Errorf("main thread %v", main)
			}
			if call := test.Server["usec_per_call"]; call == nil || math.Abs(*call-.7*float64(a.Pipeline)) > 1e-9 {
				t.Errorf("call %v", call)
			}
		}
	}
	averagesOf(t, s, d)
}

// averagesOf holds both averages against sums made by hand.
func averagesOf(t *testing.T, s *experiment.State, d comparedDoc) {
	t.Helper()
	m := func(test, arm int) float64 { return s.Results[test].Arms[arm].Median }
	if len(d.Averages) != 2 || d.Averages[0].Of != "tests that write" || d.Averages[0].Tests != 2 || d.Averages[1].Tests != 3 {
		t.Fatalf("averages %+v", d.Averages)
	}
	for i, letter := range []string{"A", "B"} {
		if got, want := d.Averages[0].RPS[letter], (m(0, i)+m(2, i))/2; math.Abs(got-want) > 1e-6 {
			t.Errorf("writing of %s: %v, want %v", letter, got, want)
		}
		if got, want := d.Averages[1].RPS[letter], (m(0, i)+m(1, i)+m(2, i))/3; math.Abs(got-want) > 1e-6 {
			t.Errorf("all of %s: %v, want %v", letter, got, want)
		}
	}
}

// TestComparisonNulls holds that what is not known is null, and that an early end
// keeps what was measured before.
func TestComparisonNulls(t *testing.T) {
	d := comparedJSON(t, cutShort(t))
	if !d.Partial || d.Reason != "interrupted" || len(d.Earlier) != 1 || len(d.Earlier[0].Plans) != 2 || len(d.Earlier[0].Tests) != 2 || len(d.Notes) != 2 {
		t.Errorf("%+v", d)
	}
	if len(d.Averages) != 2 || d.Averages[1].Tests != 2 {
		t.Errorf("averages of a test without a rate: %+v", d.Averages)
	}
	for i, c := range d.Comparisons {
		if none := i == 2; c.Verdict.Kind != "cannot_tell" || c.Verdict.Text == "" || (c.Ratio == nil) != none || (c.P == nil) != none || (c.Floor == nil) != none {
			t.Errorf("%+v", c)
		}
	}
	if more := d.Comparisons[0].More; more == nil || *more != 5 {
		t.Errorf("more %v", more)
	}
	if test := d.Arms[0].Tests[2]; test.Median != nil || test.Spread != nil || test.Rounds == nil || len(test.Rounds) != 0 || test.Server["usec_per_call"] != nil {
		t.Errorf("%+v", test)
	}

	d = comparedJSON(t, silent(t))
	if c := d.Comparisons[0]; c.Ratio != nil || c.Low != nil || c.High != nil || c.Pairs != 12 || !strings.Contains(c.Verdict.Text, "most rounds of B had no reply") {
		t.Errorf("%+v", c)
	}
	if a := d.Arms[1]; a.Lost != 600 || a.Tests[0].Median != nil || a.Tests[0].Rounds[3].Value != nil || len(a.Tests[0].Rounds) != 12 {
		t.Errorf("%+v", a)
	}
	if d := comparedJSON(t, nil); !d.Partial || d.Arms == nil || d.Comparisons == nil {
		t.Errorf("%+v", d)
	}
}

// TestComparisonTails holds that an open loop is told in milliseconds, less being the
// better.
func TestComparisonTails(t *testing.T) {
	s := tails(t)
	d := comparedJSON(t, s)
	c, test := d.Comparisons[0], d.Arms[1].Tests[0]
	if c.Metric != "p99" || c.Verdict.Kind != "faster" || *c.Ratio >= 1 || !strings.HasPrefix(c.Verdict.Text, "B faster: p99 ") {
		t.Errorf("%+v", c)
	}
	if want := s.Results[0].Arms[1].Median / 1e6; test.Unit != "ms" || *test.Median != want || d.Averages == nil || len(d.Averages) != 0 {
		t.Errorf("%+v, averages %v", test, d.Averages)
	}
	text := strings.Join(strings.Fields(compared(t, "text", s)), " ")
	if want := " p99 ms 0.652 0.482 x 0.739 [0.718..0.762] better "; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// TestComparisonContradiction holds that the server's other opinion stands in the
// report, and only beside a real difference (M24).
func TestComparisonContradiction(t *testing.T) {
	s := contrary(t)
	want, _ := insight.Contradicts(
		insight.Side{Name: "SET", Command: "set", Delta: s.Results[0].Arms[0].Server},
		insight.Side{Name: "GET", Command: "get", Delta: s.Results[0].Arms[1].Server}, s.Results[0].Findings[1].Ratio, "at c=50 P=1")
	if got := comparedJSON(t, s).Comparisons[0].Contrary; want == "" || got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, format := range []string{"text", "markdown"} {
		if text := strings.Join(strings.Fields(compared(t, format, s)), " "); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", format, want, text)
		}
	}
	s.Results[0].Findings[1].Verdict.Kind = paired.NoDifference
	if got := comparedJSON(t, s).Comparisons[0].Contrary; got != "" {
		t.Errorf("a contradiction to no difference: %q", got)
	}
}

// TestComparisonReference holds that the reference is A, wherever it stands.
func TestComparisonReference(t *testing.T) {
	s := delayed(t)
	d := comparedJSON(t, s)
	if d.Arms[0].Label != "base" || d.Arms[1].Label != "P=16" || d.Arms[0].Pipeline != 1 || *d.Arms[0].Tests[0].Median != s.Results[0].Arms[1].Median {
		t.Errorf("%+v", d.Arms)
	}
	if c := d.Comparisons; len(c) != 2 || c[1].B != "C" || *c[1].Ratio != s.Results[0].Findings[2].Ratio || *c[0].Ratio != s.Results[0].Findings[0].Ratio ||
		!strings.HasPrefix(c[1].Verdict.Text, "C faster than A: ") {
		t.Errorf("%+v", c)
	}
	if *d.Arms[0].RTT != 1 || d.Arms[2].RTT != nil {
		t.Errorf("round trips %v, %v", d.Arms[0].RTT, d.Arms[2].RTT)
	}
	for _, format := range []string{"text", "quiet", "markdown", "gobench"} {
		if !strings.Contains(compared(t, format, s), "rtt 1ms simulated") {
			t.Errorf("%s does not say that the round trip is simulated", format)
		}
	}
}

// TestComparisonFaults holds that an arm's errors appear in every format with room.
func TestComparisonFaults(t *testing.T) {
	s := servers(t)
	d := comparedJSON(t, s)
	if e := d.Arms[2].Errors; e.Total != 3 || e.ByCode["OOM"] != 3 || d.Arms[2].Lost != 16 || len(d.Arms[2].Faults) != 1 || d.Arms[0].Errors.Total != 0 {
		t.Errorf("%+v", d.Arms[2])
	}
	for _, format := range []string{"text", "quiet", "markdown", "gobench"} {
		text := compared(t, format, s)
		for _, want := range []string{"C: errors: 3 of ", "OOM", "C: lost: 16 requests"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", format, want, text)
			}
		}
	}
	if a := d.Arms[2]; a.Server.Origin != "private redis-server" || a.Server.Command != "redis-server --io-threads 4 --requirepass ***" || a.Server.Replicas != 1 || *a.Threads != 2 {
		t.Errorf("%+v", a.Server)
	}
}

// TestComparisonBench holds that each round is a line, and arms of one test differ in
// nothing but the arm.
func TestComparisonBench(t *testing.T) {
	lines := benchmarks(t, compared(t, "gobench", trio(t)))
	if len(lines) != 3*2*12 {
		t.Fatalf("%d lines", len(lines))
	}
	names := map[string]int{}
	for _, l := range lines {
		names[strings.Fields(l)[0]]++
	}
	for _, want := range []string{"BenchmarkSet/arm=A:P=1/size=3/clients=50", "BenchmarkGet/arm=B:P=16/size=3/clients=50"} {
		if names[want] != 12 {
			t.Errorf("%s: %d rounds of %v", want, names[want], names)
		}
	}
	if n := len(benchmarks(t, compared(t, "gobench", silent(t)))); n != 12 {
		t.Errorf("%d lines, want none of the rounds without a reply", n)
	}
}

// TestComparisonSuite holds that a long suite stays a table of 80 columns with a row
// each.
func TestComparisonSuite(t *testing.T) {
	s := trio(t)
	for range 3 {
		s.Results = append(s.Results, s.Results...)
	}
	for i, title := range []string{"LRANGE_100 (first 100 elements)", strings.Repeat("MSET k ", 40)} {
		s.Results[i].Case.Title = title
	}
	kept(t, "suite", s)
	text := compared(t, "text", s)
	if !strings.Contains(text, "\nLRANGE_100 ") || !strings.Contains(text, "\navg all (24)") {
		t.Error(text)
	}
}

// TestComparisonStrip holds that the dots of all arms rise on one scale (C15).
func TestComparisonStrip(t *testing.T) {
	s := trio(t)
	o := &s.Results[1]
	for i := range o.Arms {
		for j := range o.Arms[i].Rounds {
			o.Arms[i].Rounds[j].Value = float64(1000 + 100*(j+2*i))
		}
	}
	o.Arms[1].Rounds[3].Value, o.Twins = 0, nil
	text := compared(t, "text", s)
	for _, want := range []string{"  __..-::==+**\n", "  ..-o:==+**##\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// FuzzComparison makes comparisons of anything and holds the promises for them.
func FuzzComparison(f *testing.F) {
	f.Add(int64(1000), int64(time.Second), 1.5, .01, "P=1", "WRONGTYPE x", uint8(3))
	f.Add(int64(0), int64(0), math.NaN(), math.Inf(1), "", "", uint8(0))
	f.Add(int64(-1), int64(-1), -1., 0., "\x1b[2J\xfe", "u=redis://:"+password+"@h", uint8(255))
	f.Add(int64(math.MaxInt64), int64(1), math.MaxFloat64, math.SmallestNonzeroFloat64, "a|b `x`\n", "-16", uint8(77))
	f.Fuzz(func(t *testing.T, n, span int64, v, w float64, label, text string, bits uint8) {
		if undefined().MatchString(label) || undefined().MatchString(text) || regexp.MustCompile(`(?i)best|win`).MatchString(label+text) {
			label, text = "P=1", "\x1b[2J\xfe"
		}
		metric := []experiment.Metric{experiment.Throughput, experiment.TailP99}[bits&1]
		kind := []paired.Kind{"", paired.Faster, paired.Slower, paired.BelowPractical, paired.NoDifference, paired.CannotTell}[bits>>1%6]
		r := experiment.Round{Pair: int(bits), At: time.Duration(span), Value: v, Segment: stats.Segment{
			Measured: time.Duration(span), Counters: stats.Counters{Replies: n, Errors: n, Lost: n, BytesIn: n},
		}}
		m := experiment.Measured{Rounds: []experiment.Round{r, r}, Median: v, Low: w, High: v, Total: r.Segment, Command: label}
		finding := paired.Finding{Pairs: int(bits), Ratio: 1.5, Low: 1, High: 2, P: .5, Verdict: paired.Verdict{Kind: kind, Text: text}}
		o := experiment.Outcome{Case: experiment.Case{Title: label}, Metric: metric, Arms: []experiment.Measured{m, m}, Findings: []paired.Finding{{}, finding}}
		side := experiment.Side{Arm: experiment.Arm{Label: label, Plan: loadgen.Plan{RTT: time.Duration(span), Rate: 5}}}
		s := &experiment.State{
			Rules: experiment.Rules{Practical: .03}, Arms: []experiment.Side{side, side}, Results: []experiment.Outcome{o, {}, o}[:bits%4%3+1],
			Reference: int(bits % 3), Reason: text, Partial: bits%5 == 0, Earlier: []experiment.Series{{Plans: []string{text}, Results: []experiment.Outcome{o}}},
			Notes: []stats.Note{{Text: text}},
		}
		kept(t, "fuzz", s)
	})
}
