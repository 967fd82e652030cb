package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/target"
)

// print is what a format makes of the results, in the order of their names.
func print(t testing.TB, format string, h report.Header, results map[string]loadgen.Result) string {
	t.Helper()
	var b bytes.Buffer
	p, err := report.New(format, &b)
	if err != nil {
		t.Fatal(err)
	}
	err = p.Begin(h)
	for _, name := range slices.Sorted(maps.Keys(results)) {
		err = errors.Join(err, p.Test(report.Entry{Test: name, Result: results[name]}))
	}
	if err := errors.Join(err, p.End()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, format := range report.Formats() {
		golden(t, format+".golden", print(t, format, header(), cases(t)))
	}
}

func TestNew(t *testing.T) {
	_, err := report.New("xml", io.Discard)
	if want := `format "xml": --format takes text, quiet, csv, json, markdown, gobench, hgrm`; err == nil || err.Error() != want {
		t.Errorf("New: %v, want %s", err, want)
	}
}

// TestSecured holds that the mark of a certificate which nobody verified stands
// beside the numbers (C25).
func TestSecured(t *testing.T) {
	const mark = "TLS 1.3, certificate not verified"
	h := report.About(target.TCP("a", 1), target.Info{Server: "redis", Version: "7.0.15", TLS: mark})
	for format, want := range map[string]string{
		"text": "at a:1, redis 7.0.15, " + mark + "\n", "markdown": "redis 7.0.15, " + mark, "gobench": "redis 7.0.15, " + mark,
		"hgrm": "redis 7.0.15, " + mark, "json": `"tls": "` + mark + `"`,
	} {
		if got := print(t, format, h, cases(t)); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in %.300s", format, want, got)
		}
	}
	if plain := print(t, "json", header(), cases(t)); strings.Contains(plain, `"tls"`) {
		t.Errorf("TLS where there is none: %.300s", plain)
	}
}

func TestAbout(t *testing.T) {
	where := target.Target{Network: "tcp", Address: "127.0.0.1:7000", Username: "joe", Password: "hunter2"}
	got := report.About(where, target.Info{Server: "valkey", Version: "8.1", Mode: "cluster", Config: map[string]string{"save": ""}})
	want := report.Header{
		Server: report.Server{Name: "valkey", Version: "8.1", Mode: "cluster", Address: "127.0.0.1:7000"},
		Save:   "", Appendonly: report.Unknown,
	}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, format := range report.Formats() {
		if strings.Contains(print(t, format, got, cases(t)), "hunter2") {
			t.Errorf("%s: the password is printed", format)
		}
	}
}

// TestQuietLine holds the line that scripts know from redis-benchmark (C1).
func TestQuietLine(t *testing.T) {
	got := print(t, "quiet", header(), map[string]loadgen.Result{"GET": clean(t)})
	if want := "GET: 86956.52 requests per second, p50=1.132 msec\n\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCSV reads the CSV as any program would, and holds redis-benchmark's header.
func TestCSV(t *testing.T) {
	results := cases(t)
	results[`say "hi", twice`] = clean(t)
	text := print(t, "csv", header(), results)
	const head = `"test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"` + "\n"
	if !strings.HasPrefix(text, head) {
		t.Errorf("header: %s", text)
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != len(results)+1 {
		t.Fatalf("%d rows, %v; want %d", len(rows), err, len(results)+1)
	}
	number := regexp.MustCompile(`^(\d+\.\d{2})?$`)
	latency := regexp.MustCompile(`^(\d+\.\d{3})?$`)
	for i, name := range slices.Sorted(maps.Keys(results)) {
		row := rows[i+1]
		if row[0] != name || !number.MatchString(row[1]) {
			t.Errorf("row %q of %s", row, name)
		}
		for _, cell := range row[2:] {
			if !latency.MatchString(cell) {
				t.Errorf("%s: cell %q", name, cell)
			}
		}
	}
}

// TestJSONValues checks the numbers and not only their look.
func TestJSONValues(t *testing.T) {
	var doc struct {
		Schema  int
		Results []map[string]any
	}
	text := print(t, "json", header(), map[string]loadgen.Result{"a": clean(t), "b": faulty(t), "c": empty(t), "d": turned(t)})
	if err := json.Unmarshal([]byte(text), &doc); err != nil || doc.Schema != 1 || len(doc.Results) != 4 {
		t.Fatalf("schema %d, %d results, %v", doc.Schema, len(doc.Results), err)
	}
	for i, want := range []map[string]any{
		{"test": "a", "requests": 2000., "rps": 2000 / .023, "seconds": .023, "hit_rate": .99, "partial": false, "lost": 0., "setup_commands": 100_000., "load": "closed", "keys_per_second": 2000 / .023, "bytes_in_per_second": 18_000 / .023, "bytes_out_per_second": 80_000 / .023},
		// Errors are answered requests, and never throughput (M30).
		{"test": "b", "requests": 2012., "rps": 2000 / .023, "partial": true, "reason": "interrupted", "lost": 3., "longest_gap_ms": 3.},
		{"test": "c", "requests": 0., "rps": nil, "seconds": 1., "hit_rate": nil, "keys_per_second": nil, "partial": true, "lost": 800.},
		{"test": "d", "requests": 47_700_007., "rps": 47_700_000 / 52.4, "seconds": 52.4},
	} {
		for key, value := range want {
			got := doc.Results[i][key]
			if a, ok := got.(float64); ok {
				// The order of additions may cost the last bit.
				if b, ok := value.(float64); ok && math.Abs(a-b) <= 1e-12*b {
					continue
				}
			}
			if got != value {
				t.Errorf("result %d: %s is %v, want %v", i, key, got, value)
			}
		}
	}
	errs := doc.Results[1]["errors"].(map[string]any)
	if errs["total"] != 12. || errs["by_code"].(map[string]any)["WRONGTYPE"] != 9. {
		t.Errorf("errors: %v", errs)
	}
	// Quantiles of different plans do not add up; extremes do.
	latency := doc.Results[3]["latency_ms"].(map[string]any)
	if latency["p50"] != nil || latency["min"] != .024 || latency["max"] != .7 || len(doc.Results[3]["segments"].([]any)) != 2 {
		t.Errorf("latency of two segments: %v", latency)
	}
	for key, value := range doc.Results[2]["latency_ms"].(map[string]any) {
		if value != nil {
			t.Errorf("no replies, but %s is %v", key, value)
		}
	}
}

// TestJSONEndStates holds that whatever was called before End, the document is
// valid after it (C42).
func TestJSONEndStates(t *testing.T) {
	entry := report.Entry{Test: "GET", Result: clean(t)}
	for name, calls := range map[string]func(report.Printer) error{
		"nothing begun": func(report.Printer) error { return nil },
		"no result":     func(p report.Printer) error { return p.Begin(header()) },
		"no begin":      func(p report.Printer) error { return p.Test(entry) },
		"begun twice":   func(p report.Printer) error { return errors.Join(p.Begin(header()), p.Begin(header()), p.Test(entry)) },
		"ended twice":   func(p report.Printer) error { return errors.Join(p.Test(entry), p.End()) },
	} {
		var b bytes.Buffer
		p, err := report.New("json", &b)
		if err := errors.Join(err, calls(p), p.End()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !json.Valid(b.Bytes()) {
			t.Errorf("%s: not valid: %s", name, b.String())
		}
	}
}

// TestStreaming holds that a result is printed when it is handed over.
func TestStreaming(t *testing.T) {
	for _, format := range report.Formats() {
		var b bytes.Buffer
		p, err := report.New(format, &b)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(p.Begin(header()), p.Test(report.Entry{Test: "FIRST", Result: clean(t)})); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "FIRST") {
			t.Errorf("%s: nothing printed before the end", format)
		}
	}
}

// broken is a writer like a full disk or a closed pipe.
type broken struct{}

var errBroken = errors.New("broken pipe")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrors(t *testing.T) {
	for _, format := range report.Formats() {
		p, err := report.New(format, broken{})
		if err != nil {
			t.Fatal(err)
		}
		_ = p.Begin(header())
		if err := p.Test(report.Entry{Test: "GET", Result: clean(t)}); !errors.Is(err, errBroken) {
			t.Errorf("%s: Test returned %v", format, err)
		}
	}
	if err := report.Summary(broken{}, header(), clean(t)); !errors.Is(err, errBroken) {
		t.Errorf("Summary returned %v", err)
	}
}
