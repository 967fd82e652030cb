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
