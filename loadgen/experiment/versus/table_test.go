package versus_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"fullbore/loadgen/experiment/versus"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// sampleRows has everything that a table must show: several rounds, an unknown
// figure, an arm that cannot run, one that failed once, metrics that only one row
// has.
func sampleRows() []*versus.Row {
	get := &versus.Row{
		Name: "get P=16 c=50 d=3", Metrics: []versus.Metric{versus.Throughput, versus.P99, versus.CPU},
		Arms: []versus.Arm{{Name: "redis-benchmark"}, {Name: "fullbore"}},
		Rounds: [][]versus.Sample{
			{{versus.Throughput: 400_000, versus.P99: 2.1, versus.CPU: 0.8}, {versus.Throughput: 440_000, versus.P99: 2.5, versus.CPU: 0.7}},
			{{versus.Throughput: 200_000, versus.P99: 5, versus.CPU: 0.9}, {versus.Throughput: 210_000, versus.P99: 4, versus.CPU: 0.9}},
			{{versus.Throughput: 420_000, versus.P99: 2, versus.CPU: 0.8}, nil},
		},
		Faults: []string{"", "exit status 1: 3 errors"},
	}
	mget := &versus.Row{
		Name: "mget_1000 P=1 c=50 d=3", Metrics: []versus.Metric{versus.Throughput, versus.P99, versus.NetCPU},
		Arms:   []versus.Arm{{Name: "redis-benchmark"}, {Name: "fullbore", Cannot: "it has no | for that"}},
		Rounds: [][]versus.Sample{{{versus.Throughput: 1257, versus.NetCPU: 95.83}, nil}},
	}
	return []*versus.Row{get, mget}
}

func TestTables(t *testing.T) {
	golden(t, "full.md", versus.Full(sampleRows()).Markdown())
	golden(t, "full.txt", versus.Full(sampleRows()).Text())
	golden(t, "ratios.md", versus.Ratios(sampleRows(), "fullbore").Markdown())
}

func TestLines(t *testing.T) {
	golden(t, "bench.txt", versus.Lines(sampleRows(), versus.Facts{{"goos", "linux"}, {"cpu", "Some CPU"}}))
}
