package versus_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fullbore/loadgen/experiment/versus"
)

func recorded(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRecordedOutput(t *testing.T) {
	for _, tc := range []struct {
		tool                versus.Tool
		file                string
		rps, mean, p50, p99 float64
	}{
		{versus.RedisBenchmark("redis-benchmark", ""), "redis-benchmark.csv", 42123, 0.748, 0.567, 4.207},
		{versus.Fullbore(""), "fullbore.json", 19983.27, 0.140839, 0.099007, 1.296383},
		{versus.Memtier(""), "memtier.txt", 63104.49, 0.79228, 0.791, 1.711},
	} {
		t.Run(tc.tool.Name, func(t *testing.T) {
			r, err := tc.tool.Parse(recorded(t, tc.file), 61946)
			if err != nil {
				t.Fatal(err)
			}
			if r.RPS != tc.rps || r.Mean != tc.mean || r.P50 != tc.p50 || r.P99 != tc.p99 {
				t.Errorf("read %+v, want rps %v, mean %v, p50 %v, p99 %v", r, tc.rps, tc.mean, tc.p50, tc.p99)
			}
		})
	}
}

func TestFullboreTellsMore(t *testing.T) {
	r, err := versus.ParseFullbore(recorded(t, "fullbore.json"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Service99 != 0.295935 || r.Lag99 != 0.821247 || r.Achieved != 0.9991 || r.Seconds != 3.099892309 || r.Requests != 61946 {
		t.Errorf("open loop read as %+v", r)
	}
	if r.LongestGap != 4.962106 || r.Stalled != 0.25 || r.Little != 0.98 {
		t.Errorf("stalls read as %+v", r)
	}
	// The part of a second at the end would look like a stall.
	if want := []float64{20011, 0}; !slices.Equal(r.Series, want) {
		t.Errorf("series %v, want %v", r.Series, want)
	}
}

func TestShortRunsOfRedisBenchmarkGiveNoInfinity(t *testing.T) {
	const csv = "\"test\",\"rps\",\"p50_latency_ms\"\n\"MGET a, \"\"b\"\"\",\"inf\",\"0.047\"\n"
	r, err := versus.RedisBenchmark("", "").Parse([]byte(csv), 1)
	if err != nil || !math.IsNaN(r.RPS) || r.P50 != 0.047 || !math.IsNaN(r.P99) {
		t.Errorf("%+v, %v; want an unknown rate and p99", r, err)
	}
}

// What a run did wrong must never become a figure of its load.
func TestWhatIsNoMeasurement(t *testing.T) {
	good := string(recorded(t, "fullbore.json"))
	full := versus.Fullbore("")
	for _, tc := range []struct{ name, old, new, want string }{
		{"errors", `"total": 0, "by_code": {}, "first_text": ""`, `"total": 7, "first_text": "OOM"`, "7 errors: OOM"},
		{"lost", `"lost": 0`, `"lost": 2`, "2 requests lost"},
		{"partial", `"partial": false, "reason": ""`, `"partial": true, "reason": "stopped"`, "ended early: stopped"},
		{"another count", `"requests": 61946`, `"requests": 61945`, "61945 requests instead of 61946"},
		{"two tests", `"results": [`, `"results": [{},`, "2 results"},
		{"no JSON", `{`, `x`, "read JSON"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := strings.Replace(good, tc.old, tc.new, 1)
			if _, err := full.Parse([]byte(text), 61946); text == good || err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
	if _, err := full.Parse([]byte(strings.Replace(good, `"partial": false`, `"partial": true`, 1)), 61946); !errors.Is(err, versus.ErrPartial) {
		t.Errorf("a partial run: %v", err)
	}
	if _, err := versus.Memtier("").Parse([]byte("connection refused"), 1); err == nil {
		t.Error("memtier without a table: no error")
	}
	if _, err := versus.RedisBenchmark("", "").Parse([]byte("test,rps\na,1\nb,2\n"), 1); err == nil {
		t.Error("two tests in one CSV: no error")
	}
}

// Whatever a program writes, reading it ends without a panic, and never with an
// infinite rate.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"redis-benchmark.csv", "memtier.txt", "fullbore.json"} {
		f.Add(recorded(f, name))
	}
	f.Add([]byte("Type  Ops/sec\nTotals inf\n"))
	tools := []versus.Tool{versus.RedisBenchmark("", ""), versus.Fullbore(""), versus.Memtier("")}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, tool := range tools {
			if r, err := tool.Parse(text, 1); err == nil && math.IsInf(r.RPS, 0) {
				t.Errorf("%s: rate %v", tool.Name, r.RPS)
			}
		}
	})
}
