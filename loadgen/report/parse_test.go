package report_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// benchmarkReport is what programs read from redis-benchmark's normal report.
type benchmarkReport struct {
	percentiles, cumulative []parsedStep
	summary                 map[string]float64 // by the head of the column; a dash is left out
}

type parsedStep struct {
	percent, upTo float64
	count         int64
}

// parseReport reads the text of one test, with the patterns that parsers of
// redis-benchmark's report use.
func parseReport(t *testing.T, text string) benchmarkReport {
	t.Helper()
	out := benchmarkReport{summary: map[string]float64{}}
	step := regexp.MustCompile(`^(\d+\.\d{3})% <= (\d+\.\d{3}) milliseconds \(cumulative count (\d+)\)$`)
	rate := regexp.MustCompile(`throughput summary: (\d+\.\d\d) requests per second`)
	into := &[]parsedStep{}
	rows := strings.Split(text, "\n")
	for i, row := range rows {
		switch {
		case row == "Latency by percentile distribution:":
			into = &out.percentiles
		case row == "Cumulative distribution of latencies:":
			into = &out.cumulative
		case strings.HasPrefix(row, "  latency summary (msec):"):
			heads, cells := strings.Fields(rows[i+1]), strings.Fields(rows[i+2])
			for j, cell := range cells {
				if cell != "-" {
					out.summary[strings.TrimSuffix(heads[j], "*")] = float(t, cell)
				}
			}
		}
		if m := step.FindStringSubmatch(row); m != nil {
			count, err := strconv.ParseInt(m[3], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			*into = append(*into, parsedStep{float(t, m[1]), float(t, m[2]), count})
		} else if m := rate.FindStringSubmatch(row); m != nil {
			out.summary["rps"] = float(t, m[1])
		}
	}
	return out
}

func float(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestTextParsedBack holds that the three tables of a report tell one story.
func TestTextParsedBack(t *testing.T) {
	for name, r := range cases(t) {
		got := parseReport(t, text(t, r))
		if len(r.Segments) != 1 || r.Segments[0].Distribution == nil {
			if len(got.percentiles)+len(got.cumulative) > 0 {
				t.Errorf("%s: a distribution of nothing", name)
			}
			continue
		}
		all := r.Segments[0].Distribution.Count()
		for _, table := range [][]parsedStep{got.percentiles, got.cumulative} {
			ascending(t, name, table, all)
		}
		least, most := got.percentiles[0], got.percentiles[len(got.percentiles)-1]
		if least.percent != 0 || most.upTo != got.summary["max"] || least.upTo < got.summary["min"] || least.upTo > 1.001*got.summary["min"]+.001 {
			t.Errorf("%s: from %+v to %+v, summary %v", name, least, most, got.summary)
		}
		for _, p := range got.percentiles {
			if p.percent == 50 && p.upTo != got.summary["p50"] {
				t.Errorf("%s: median %v in the table, %v in the summary", name, p.upTo, got.summary["p50"])
			}
			between(t, name, p, got.summary)
			for _, c := range got.cumulative {
				if p.upTo < c.upTo && p.count > c.count || p.upTo > c.upTo && p.count < c.count {
					t.Errorf("%s: %+v in one table and %+v in the other", name, p, c)
				}
			}
		}
	}
}

// ascending holds that a table never falls and ends with all samples.
func ascending(t *testing.T, name string, table []parsedStep, all int64) {
	t.Helper()
	var last parsedStep
	for _, s := range table {
		if s.percent < last.percent || s.upTo < last.upTo || s.count < last.count {
			t.Errorf("%s: %+v after %+v", name, s, last)
		}
		last = s
	}
	if last.percent != 100 || last.count != all {
		t.Errorf("%s: ends with %+v, want all %d", name, last, all)
	}
}

// between holds that a rung below a percentile of the summary is not above it, and
// the other way round.
func between(t *testing.T, name string, rung parsedStep, summary map[string]float64) {
	t.Helper()
	for q, percent := range map[string]float64{"p95": 95, "p99": 99} {
		v, ok := summary[q]
		if ok && (rung.percent < percent && rung.upTo > v || rung.percent > percent && rung.upTo < v) {
			t.Errorf("%s: %+v, but %s is %v", name, rung, q, v)
		}
	}
}

// TestParserReadsRedisBenchmark holds that the patterns of these tests are those of
// the original: its report (7.0.15, -n 20000 -t set -P 4 -c 10 --threads 2) goes
// through the same parser, and its lines come in the order of ours.
func TestParserReadsRedisBenchmark(t *testing.T) {
	original, err := os.ReadFile("testdata/redis-benchmark.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := parseReport(t, string(original))
	ascending(t, "redis-benchmark", got.percentiles, 20_000)
	ascending(t, "redis-benchmark", got.cumulative, 20_000)
	if want := map[string]float64{"rps": 79365.08, "avg": .168, "min": .024, "p50": .175, "p95": .279, "p99": .407, "max": 4.079}; !maps.Equal(got.summary, want) {
		t.Errorf("summary %v, want %v", got.summary, want)
	}
	h := header()
	h.Threads = 2
	ours := print(t, "text", h, map[string]loadgen.Result{"SET": clean(t)})
	number := regexp.MustCompile(`[\d.]+|(save": ).*`)
	last, step := -1, number.ReplaceAllString("50.000% <= 0.175 milliseconds (cumulative count 10576)", "#")
	for _, line := range strings.Split(string(original), "\n") {
		form := number.ReplaceAllString(line, "#")
		if line == "" || form == step {
			continue
		}
		at := strings.Index(number.ReplaceAllString(ours, "#"), form+"\n")
		if at <= last {
			t.Errorf("no line %q after those before it in\n%s", line, ours)
		}
		last = at
	}
}

// TestTextOpensAsRedisBenchmark holds the first block line for line (C4).
func TestTextOpensAsRedisBenchmark(t *testing.T) {
	got := text(t, clean(t))
	want := `====== x ======
  2000 requests completed in 0.02 seconds
  50 parallel clients
  3 bytes payload
  keep alive: 1
  host configuration "save": 3600 1 300 100 60 10000
  host configuration "appendonly": no
  multi-thread: no
`
	if !strings.Contains(got, want) {
		t.Errorf("no block\n%s in\n%s", want, got)
	}
}

func TestTextOfSettings(t *testing.T) {
	custom, err := workload.ParseMix("set")
	if err != nil {
		t.Fatal(err)
	}
	custom[0].Test = workload.Test{Title: "LPUSH l a", Args: []string{"LPUSH", "l", "a"}, Custom: true}
	r := clean(t)
	r.Plan.Reconnect = true
	r.Plan.Workload.Mix = custom
	h := header()
	h.Threads = 4
	got := print(t, "text", h, map[string]loadgen.Result{"LPUSH l a": r})
	// 29 bytes: redis-benchmark 7.0.15 says so of this command.
	lines(t, got, "  29 bytes payload", "  keep alive: 0", "  multi-thread: yes", "  threads: 4")
	r.Plan.Workload = clean(t).Plan.Workload.Sized(workload.Sizes{{Low: 10, High: 4096, Weight: 1}})
	lines(t, text(t, r), "  10-4k bytes payload")
}

// TestPercentilesNeedBatches holds that what too few batches carry is left out, and
// said to be (M3).
func TestPercentilesNeedBatches(t *testing.T) {
	var percents []string
	for _, p := range parseReport(t, text(t, few(t))).percentiles {
		percents = append(percents, fmt.Sprint(p.percent))
	}
	// 50 batches carry p75 (12 beyond) and not p87.5 (6).
	if got := strings.Join(percents, " "); got != "0 50 75 100" {
		t.Errorf("percentiles %s", got)
	}
	lines(t, text(t, few(t)), "  percentiles that too few batches carry are left out")
	if got := text(t, stalled(t)); !strings.Contains(got, "99.902% <= 2003.000 milliseconds (cumulative count 300800)\n") && !strings.Contains(got, "99.805%") {
		t.Errorf("well carried percentiles are missing:\n%s", got)
	}
}

// TestEdges holds the grid of the cumulative table.
func TestEdges(t *testing.T) {
	h := stats.NewHistogram()
	for _, d := range []time.Duration{
		30 * time.Microsecond, 150 * time.Microsecond, 1950 * time.Microsecond, 2050 * time.Microsecond,
		99500 * time.Microsecond, 101 * time.Millisecond, 1010 * time.Millisecond, 10100 * time.Millisecond, 200 * time.Second,
	} {
		h.Record(d)
	}
	r := clean(t)
	r.Segments[0].Latency, r.Segments[0].Distribution = h.Summary(9), h.Distribution()
	want := []float64{.1, .2, 2, 3, 100, 110, 1100, 11_000, 200_000}
	got := parseReport(t, text(t, r)).cumulative
	for i, s := range got {
		if i >= len(want) || s.upTo != want[i] || s.count != int64(i+1) {
			t.Errorf("step %d: %+v, want up to %v", i, s, want)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d steps, want %d", len(got), len(want))
	}
}

// TestHgrmIsHdrHistograms compares the block with what the library prints.
func TestHgrmIsHdrHistograms(t *testing.T) {
	h := hdrhistogram.New(int64(stats.LowestLatency), int64(stats.HighestLatency), 3)
	for i := range 2000 {
		d := 24*time.Microsecond + 2215*time.Microsecond*time.Duration(i)/1999
		if err := h.RecordValue(int64(d)); err != nil {
			t.Fatal(err)
		}
	}
	var want strings.Builder
	if _, err := h.PercentilesPrint(&want, 5, 1e6); err != nil {
		t.Fatal(err)
	}
	numbers := func(text string) (rows [][]string) {
		for _, line := range strings.Split(text, "\n") {
			if f := strings.Fields(line); len(f) >= 3 && f[0][0] != '#' && f[0] != "Value" {
				rows = append(rows, f)
			}
		}
		return rows
	}
	got := print(t, "hgrm", header(), map[string]loadgen.Result{"x": clean(t)})
	mine, theirs := numbers(got), numbers(want.String())
	if len(mine) != len(theirs) {
		t.Fatalf("%d rows, want %d:\n%s", len(mine), len(theirs), got)
	}
	for i, row := range theirs {
		for j, cell := range row {
			if cell == "inf" {
				if len(mine[i]) != 3 {
					t.Errorf("row %v, want three columns at 100 %%", mine[i])
				}
			} else if a, b := float(t, mine[i][j]), float(t, cell); a < b-.0021 || a > b+.0021 {
				t.Errorf("row %v, want %v", mine[i], row)
			}
		}
	}
	lines(t, got, "#[Max     =        2.239, Total count    =         2000]", "#[Buckets =           21, SubBuckets     =         2048]")
}
