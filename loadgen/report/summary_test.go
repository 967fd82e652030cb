package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

func summary(t testing.TB, r loadgen.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Summary(&b, header(), r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSummaryGolden(t *testing.T) {
	var b strings.Builder
	all := cases(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "== %s\n%s", name, summary(t, all[name]))
	}
	golden(t, "summary.golden", b.String())
}

// narrow fails on a line wider than the smallest terminal.
func narrow(t *testing.T, text string) {
	t.Helper()
	for _, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestSummaryWidth(t *testing.T) {
	for _, r := range cases(t) {
		narrow(t, summary(t, r))
	}
	r := turned(t)
	r.Segments[0].Plan = strings.Repeat("set=1,", 40) + " c=100000 P=100000 d=536870912 r=1000000000000 rate=1000000000"
	r.Segments[1].Counters.Errors = math.MaxInt64
	r.Segments[1].Measured = math.MaxInt64
	narrow(t, summary(t, r))
}

func TestSummaryOfManyPlans(t *testing.T) {
	r := turned(t)
	for range 15 {
		r.Segments = append(r.Segments, r.Segments[:2]...)
	}
	text := summary(t, r)
	if !strings.Contains(text, "and 16 earlier plans\n") || strings.Count(text, "\nP=1") != 16 {
		t.Error(text)
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	for _, want := range []string{"fullbore-20260102-150405.json", "fullbore-20260102-150405-2.json"} {
		path, err := report.Save(dir, now, header(), turned(t))
		if err != nil || path != filepath.Join(dir, want) {
			t.Fatalf("Save: %s, %v; want %s", path, err, want)
		}
		data, err := os.ReadFile(path)
		if err != nil || !json.Valid(data) {
			t.Errorf("%s: %v, not JSON: %s", path, err, data)
		}
		text, err := os.ReadFile(strings.TrimSuffix(path, ".json") + ".txt")
		if err != nil || string(text) != summary(t, turned(t)) {
			t.Errorf("text beside %s: %v\n%s", path, err, text)
		}
		for _, name := range []string{path, strings.TrimSuffix(path, ".json") + ".txt"} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: mode %v, %v", name, info.Mode(), err)
			}
		}
	}
}

// TestSaveKeepsOthersFiles holds that a name taken by either file is not used.
func TestSaveKeepsOthersFiles(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "fullbore-20260102-150405.txt")
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	path, err := report.Save(dir, time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC), header(), clean(t))
	if err != nil || filepath.Base(path) != "fullbore-20260102-150405-2.json" {
		t.Errorf("Save: %s, %v", path, err)
	}
	if text, err := os.ReadFile(taken); err != nil || string(text) != "mine" {
		t.Errorf("the other file now holds %q, %v", text, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 3 {
		t.Errorf("%d files, %v; want 3", len(files), err)
	}
}

func TestSaveWithoutDirectory(t *testing.T) {
	_, err := report.Save(filepath.Join(t.TempDir(), "none"), time.Now(), header(), clean(t))
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "save result: ") {
		t.Errorf("Save: %v", err)
	}
}

// FuzzResult prints results made of anything and holds what every format
// promises: valid JSON, readable CSV, no line of the summary too wide.
func FuzzResult(f *testing.F) {
	f.Add(int64(1000), int64(5), int64(2), int64(time.Second), int64(time.Millisecond), int64(100), 0., "GET", "WRONGTYPE x")
	f.Add(int64(0), int64(0), int64(0), int64(0), int64(0), int64(0), math.NaN(), "", "")
	f.Add(int64(math.MaxInt64), int64(-1), int64(math.MinInt64), int64(math.MinInt64), int64(-5), int64(math.MaxInt64), math.Inf(1), "a\"b\r\n\xff", "\x1b[2J\xfe")
	f.Fuzz(func(t *testing.T, replies, errs, lost, measured, sample, batches int64, rate float64, name, text string) {
		h := stats.NewHistogram()
		h.Record(time.Duration(sample))
		s := stats.Segment{
			Measured: time.Duration(measured), Latency: h.Summary(batches), Service: h.Summary(batches), Lag: h.Summary(batches),
			Counters: stats.Counters{Replies: replies, Errors: errs, Lost: lost, Hits: replies, Misses: lost}, Plan: name, Target: rate,
			Commands: []stats.CommandStats{{Title: name}, {Title: text, Latency: h.Summary(batches)}},
		}
		r := loadgen.Result{
			Plan: loadgen.Plan{Rate: rate, Workload: workload.Workload{}}, Segments: []stats.Segment{s, s}[:1+int(uint64(batches)%2)], Total: s.Counters,
			Faults: []stats.Fault{{Class: stats.ReplyFault, Code: text, Text: text, Count: errs}, {Class: stats.DialFault, Code: name, Text: text}},
			Notes:  []stats.Note{{Warning: true, Text: text}}, Partial: true, Reason: text, Elapsed: time.Duration(measured),
			Gaps: stats.Gaps{Longest: time.Duration(sample), Count: lost},
		}
		results := map[string]loadgen.Result{name: r}
		if doc := print(t, "json", header(), results); !json.Valid([]byte(doc)) {
			t.Errorf("not JSON: %s", doc)
		}
		if lines := strings.Count(print(t, "csv", header(), results), "\n"); lines != 2 {
			t.Errorf("%d lines of CSV", lines)
		}
		if lines := strings.Count(print(t, "quiet", header(), results), "\n"); lines != 2 {
			t.Errorf("%d lines of -q", lines)
		}
		print(t, "text", header(), results)
		narrow(t, summary(t, r))
	})
}
