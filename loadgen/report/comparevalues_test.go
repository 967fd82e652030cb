package report_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/report"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// csvRows are the rows of a comparison's CSV, by the names of its columns.
func csvRows(t *testing.T, s *experiment.State) []map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(compared(t, "csv", s))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		out = append(out, m)
	}
	return out
}

// same holds that a field is a number of the document, with all its digits.
func same(t *testing.T, what, field string, v *float64) {
	t.Helper()
	switch {
	case v == nil && field == "":
	case v == nil || field == "":
		t.Errorf("%s: %q in CSV and %s in JSON", what, field, show(v))
	default:
		if got := float(t, field); got != *v {
			t.Errorf("%s: %v in CSV and %v in JSON", what, got, *v)
		}
	}
}

// TestComparisonCSV holds that both documents tell the same of every arm and test.
func TestComparisonCSV(t *testing.T) {
	for name, s := range comparisons(t) {
		d, rows := comparedJSON(t, s), csvRows(t, s)
		findings := d.Comparisons
		for len(rows) > 0 {
			for i, a := range d.Arms {
				row := rows[0]
				rows = rows[1:]
				test := a.Tests[len(a.Tests)-1-len(rows)/len(d.Arms)]
				what := fmt.Sprintf("%s, %s of %s", name, test.Test, a.Letter)
				if row["test"] != test.Test || row["arm"] != a.Letter || row["label"] != a.Label || row["metric"] != test.Metric || row["unit"] != test.Unit {
					t.Errorf("%s: %v", what, row)
				}
				if row["clients"] != strconv.Itoa(a.Clients) || row["pipeline"] != strconv.Itoa(a.Pipeline) || row["partial"] != strconv.FormatBool(d.Partial) {
					t.Errorf("%s: %v", what, row)
				}
				same(t, what, row["median"], test.Median)
				same(t, what, row["low"], test.Low)
				same(t, what, row["high"], test.High)
				same(t, what, row["spread"], test.Spread)
				same(t, what, row["rtt_simulated_ms"], a.RTT)
				if row["rounds"] != strconv.Itoa(len(test.Rounds)) {
					t.Errorf("%s: %s rounds of %d", what, row["rounds"], len(test.Rounds))
				}
				if i == 0 {
					if row["ratio"]+row["p"]+row["verdict"]+row["pairs"] != "" {
						t.Errorf("%s is compared with itself: %v", what, row)
					}
					continue
				}
				f := findings[0]
				findings = findings[1:]
				same(t, what, row["ratio"], f.Ratio)
				same(t, what, row["ratio_low"], f.Low)
				same(t, what, row["ratio_high"], f.High)
				same(t, what, row["p"], f.P)
				same(t, what, row["p_raw"], f.Raw)
				same(t, what, row["noise_floor"], f.Floor)
				if row["verdict"] != f.Verdict.Kind || row["pairs"] != strconv.Itoa(f.Pairs) {
					t.Errorf("%s: %v", what, row)
				}
			}
		}
	}
}

// TestComparisonQuiet holds that there is a line for each comparison, with C and P
// beside the verdict (C16).
func TestComparisonQuiet(t *testing.T) {
	line := regexp.MustCompile(`^[^:]+: [B-F] \(.+\) against A \(.+\): \S+ against \S+ (requests/s|p99 ms); .+ \(c=\d+ P=\d+.*\)$`)
	for name, s := range comparisons(t) {
		n := 0
		for _, l := range strings.Split(compared(t, "quiet", s), "\n") {
			if line.MatchString(l) {
				n++
			}
		}
		if want := len(comparedJSON(t, s).Comparisons); n != want {
			t.Errorf("%s: %d lines, want %d:\n%s", name, n, want, compared(t, "quiet", s))
		}
	}
}

// matrixOf are the cells of the table of a suite, by test.
func matrixOf(text string) map[string][]string {
	out := map[string][]string{}
	_, text, _ = strings.Cut(text, "\ntest ")
	text, _, _ = strings.Cut(text, "\n*: ")
	for _, l := range strings.Split(text, "\n")[1:] {
		cells := regexp.MustCompile(`  +`).Split(l, -1)
		out[cells[0]] = cells[1:]
	}
	return out
}

// TestComparisonMatrix reads the tables of R1 and R5 back.
func TestComparisonMatrix(t *testing.T) {
	two := matrixOf(compared(t, "text", trio(t)))
	for test, want := range map[string][]string{
		"set":             {"38,714", "516,951", "1335.3%", "13.4 [13.2..13.6]", "* faster"},
		"get":             {"37,504", "37,268", "99.4%", "0.999 [0.981..1.015]", "no difference"},
		"incr":            {"40,408", "38,106", "94.3%", "0.948 [0.931..0.964]", "* slower"},
		"avg writing (2)": {"39,561", "277,529", "701.5%"},
		"avg all (3)":     {"38,876", "197,442", "507.9%"},
	} {
		if !slices.Equal(two[test], want) {
			t.Errorf("%s: %q, want %q", test, two[test], want)
		}
	}
	four := matrixOf(compared(t, "text", servers(t)))
	if want := []string{"120,300", "81,600", "67.8% *", "172,426", "143.3% *", "120,906", "100.5% ?"}; !slices.Equal(four["get"], want) {
		t.Errorf("%q, want %q", four["get"], want)
	}
	if row := four["avg all (2)"]; len(row) != 7 || row[2] != "80.3%" {
		t.Errorf("%q", row)
	}
}

// TestComparisonOfSix holds that six arms are a wide table and each letter has its
// verdict.
func TestComparisonOfSix(t *testing.T) {
	var arms []experiment.Arm
	var rates []float64
	for i := range 6 {
		arms = append(arms, arm(t, fmt.Sprintf("P=%d", 1<<i), depth(1<<i)))
		rates = append(rates, 1_000_000*float64(i+1))
	}
	s := stateOf(arms, outcome(t, "set", arms, rates...), outcome(t, "get", arms, rates...))
	kept(t, "six", s)
	text := compared(t, "text", s)
	for _, letter := range []string{"B", "C", "D", "E", "F"} {
		if want := "\nget, " + letter + " against A: " + letter + " faster than A"; !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, l := range strings.Split(text, "\n") {
		if len(l) > 140 {
			t.Errorf("%d columns: %s", len(l), l)
		}
	}
	if row := matrixOf(text)["set"]; len(row) != 11 || row[10] != "601.2% *" && !strings.HasPrefix(row[10], "60") {
		t.Errorf("%q", row)
	}
}

// TestComparisonMixed holds that a suite of closed and open loops says which test is
// told in what, and averages rates alone.
func TestComparisonMixed(t *testing.T) {
	s := trio(t)
	s.Results[1] = tails(t).Results[0]
	s.Results[1].Case.Title = "get"
	kept(t, "mixed", s)
	rows := matrixOf(compared(t, "text", s))
	if rows["set, requests/s"] == nil && rows["set, requ~"] == nil || len(rows["avg all (2)"]) != 3 {
		t.Errorf("%q", rows)
	}
}

// TestComparisonVerdicts holds the words of each verdict, in a cell and in a sentence.
func TestComparisonVerdicts(t *testing.T) {
	for kind, want := range map[paired.Kind][2]string{
		paired.Faster: {"* faster", "B faster by 12.3 % [8.1..16.4 %]"}, paired.Slower: {"* slower", "B slower by 12.3 %"},
		paired.BelowPractical: {"real, small", "real but below 3 %"}, paired.NoDifference: {"no difference", "no difference larger than 3 %"},
		paired.CannotTell: {"cannot tell", "cannot tell: noise"}, "": {"cannot tell", "cannot tell: "},
	} {
		s := trio(t)
		s.Results[0].Findings[1] = paired.Finding{
			Pairs: 12, Ratio: 1.123, Low: 1.081, High: 1.164, P: .001, Limit: .03, Noise: .04, Verdict: paired.Verdict{Kind: kind},
		}
		text := compared(t, "text", s)
		if row := matrixOf(text)["set"]; row[len(row)-1] != want[0] {
			t.Errorf("%q: %q, want %s", kind, row, want[0])
		}
		if !strings.Contains(text, "set, B against A: "+want[1]) {
			t.Errorf("%q: no %q in\n%s", kind, want[1], text)
		}
	}
}

// TestComparisonVeil holds that a password is not told, however it came into a text.
func TestComparisonVeil(t *testing.T) {
	for text, want := range map[string]string{
		"u=redis://joe:" + password + "@h:6380":                 "u=redis://***@h:6380",
		"u=rediss://:p@ss:w@rd@h":                               "u=rediss://***@h",
		"a=other P=4":                                           "a=*** P=4",
		"pass='two words' c=5":                                  "pass=*** c=5",
		"server='redis-server --requirepass xyz' replicas=1":    "server='redis-server --requirepass ***' replicas=1",
		"server='redis-server --masterauth xyz --io-threads 2'": "server='redis-server --masterauth *** --io-threads 2'",
		"AUTH " + password + " " + password + " failed":         "AUTH *** *** failed",
		"P=1 d=3 t=get":                                         "P=1 d=3 t=get",
		"a server that compares pass rates: --data 3":           "a server that compares pass rates: --data 3",
		"\x1b[31mred\r\n":                                       "[31mred",
	} {
		s := duel(t)
		s.Arms[1].Arm.Label = text
		s.Reason, s.Partial = text, true
		s.Notes = []stats.Note{{Text: text}}
		d := comparedJSON(t, s)
		if got := []string{d.Arms[1].Label, d.Reason, d.Notes[0].Text, d.Comparisons[0].LabelB}; !slices.Equal(got, []string{want, want, want, want}) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		kept(t, text, s)
	}
}

// FuzzVeil holds that no password of an address or option is left, whatever it is.
func FuzzVeil(f *testing.F) {
	for _, s := range []string{"secret", "p@ss", "'", "a b", "x=y", "", "***", "$1", "é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, secret string) {
		if len(secret) < 4 || strings.ContainsAny(secret, " \t\r\n'\"") || !regexp.MustCompile(`^[!-~]+$`).MatchString(secret) || strings.Contains("redis://h:6380 ***@ --requirepass server", secret) {
			return
		}
		s := duel(t)
		s.Arms[1].Arm.Label = "u=redis://joe:" + secret + "@h:6380 server='x --requirepass " + secret + "' a=" + secret
		label := comparedJSON(t, s).Arms[1].Label
		if want := "u=redis://***@h:6380 server='x --requirepass ***' a=***"; label != want {
			t.Errorf("%q became %q", secret, label)
		}
	})
}

// TestComparisonNotes holds that a text is told once, and warnings as such.
func TestComparisonNotes(t *testing.T) {
	s := duel(t)
	s.Notes = []stats.Note{{Text: "once"}, {Text: "once"}, {Warning: true, Text: "twice"}}
	text := compared(t, "text", s)
	if !strings.HasSuffix(text, "\nnotes\nonce\nwarning: twice\n") {
		t.Error(text)
	}
}

// TestComparisonDoubts holds that a stalled or overrun arm is told beside its numbers.
func TestComparisonDoubts(t *testing.T) {
	s := tails(t)
	m := &s.Results[0].Arms[1]
	m.Total.Counters.Replies /= 2
	m.Total.Gaps = stats.Gaps{Longest: 2 * time.Second, Count: 1, Total: 2 * time.Second}
	for _, format := range []string{"text", "markdown", "quiet", "gobench"} {
		text := strings.Join(strings.Fields(compared(t, format, s)), " ")
		for _, want := range []string{"set, B: warning: cannot keep this rate", "set, B: warning: stalled "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", format, want, text)
			}
		}
	}
	if !strings.Contains(compared(t, "json", s), `"cannot keep this rate: `) {
		t.Error("JSON does not tell of the rate")
	}
}

// TestComparisonReal compares a server with itself, in few short rounds, and holds
// that the report of a true State keeps the promises and counts what was sent.
func TestComparisonReal(t *testing.T) {
	server := redistest.Start(t)
	a := arm(t, "P=1", nil)
	a.Place.Target = target.TCP("127.0.0.1", server.Port)
	a.Plan.Clients, a.Plan.Requests = 2, 0
	b := a
	b.Label, b.Plan.Pipeline = "P=8", 8
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c := experiment.Compare([]experiment.Arm{a, b}, []experiment.Case{{Title: "SET", Mix: a.Plan.Workload.Mix}},
		experiment.Rules{Round: 300 * time.Millisecond, Settle: 20 * time.Millisecond, Pairs: 8})
	go func() { // ends with ctx; one pair is enough
		for ctx.Err() == nil {
			if s := c.Snapshot(); s != nil && s.Pair > 1 {
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	s, err := c.Run(ctx)
	if err != nil || s == nil {
		t.Fatalf("%v, %v", s, err)
	}
	kept(t, "real", s)
	d := comparedJSON(t, s)
	for i, a := range d.Arms {
		test := a.Tests[0]
		if test.Median == nil || len(test.Rounds) == 0 || test.Rounds[0].RPS == nil || math.Abs(*test.Rounds[0].RPS-*test.Rounds[0].Value) > 1 {
			t.Errorf("arm %d: %+v", i, test)
		}
	}
}

// TestSaveComparison holds that a comparison is kept in two files of its user.
func TestSaveComparison(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	for _, want := range []string{"fullbore-compare-20260102-150405", "fullbore-compare-20260102-150405-2"} {
		path, err := report.SaveComparison(dir, now, report.Compared{Header: header(), State: duel(t)})
		if err != nil || path != filepath.Join(dir, want+".json") {
			t.Fatalf("%s, %v", path, err)
		}
		for ext, format := range map[string]string{".json": "json", ".txt": "text"} {
			got, err := os.ReadFile(filepath.Join(dir, want+ext))
			if err != nil || string(got) != compared(t, format, duel(t)) {
				t.Errorf("%s: %v:\n%s", ext, err, got)
			}
			info, err := os.Stat(filepath.Join(dir, want+ext))
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", ext, info, err)
			}
		}
	}
}
