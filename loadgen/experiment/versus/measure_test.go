package versus_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fullbore/loadgen/experiment/versus"
)

// counted is an arm that notes its runs and gives 1, 2, 3, …
func counted(log *[]string, name string) versus.Arm {
	n := 0.0
	return versus.Arm{Name: name, Run: func(context.Context) (versus.Sample, error) {
		n++
		*log = append(*log, name)
		return versus.Sample{versus.Throughput: n}, nil
	}}
}

func schedule(rounds int, tell func(string)) versus.Schedule {
	return versus.Schedule{Rounds: rounds, Random: rand.New(rand.NewPCG(3, 3)), Tell: tell}
}

// Every round passes through all rows, and both arms of a row stand back to back.
func TestMeasureInterleaves(t *testing.T) {
	var log, told []string
	metrics := []versus.Metric{versus.Throughput}
	rows := []*versus.Row{
		{Name: "one", Metrics: metrics, Arms: []versus.Arm{counted(&log, "1a"), counted(&log, "1b")}},
		{Name: "two", Metrics: metrics, Arms: []versus.Arm{counted(&log, "2a"), counted(&log, "2b")}},
	}
	if err := versus.Measure(t.Context(), rows, schedule(4, func(line string) { told = append(told, line) })); err != nil {
		t.Fatal(err)
	}
	first := map[string]int{}
	for round := range 4 {
		runs := log[4*round : 4*round+4]
		first[runs[0]]++
		slices.Sort(runs[:2])
		slices.Sort(runs[2:])
		if want := []string{"1a", "1b", "2a", "2b"}; !slices.Equal(runs, want) {
			t.Errorf("round %d ran %v, want %v", round+1, runs, want)
		}
	}
	if first["1a"] != 2 || first["1b"] != 2 {
		t.Errorf("who came first: %v, want each twice", first)
	}
	if f := rows[1].Figure(1, versus.Throughput); f.N != 4 || f.Median != 2.5 {
		t.Errorf("figure %+v, want 4 values around 2.5", f)
	}
	if want := "round 1/4  one:  1a 1.00  1b 1.00 requests/s"; len(told) != 8 || told[0] != want {
		t.Errorf("told %q, want 8 lines that begin with %q", told, want)
	}
}

func TestFailuresAreHolesAndAreTold(t *testing.T) {
	var log []string
	flaky := counted(&log, "flaky")
	works := flaky.Run
	flaky.Run = func(ctx context.Context) (versus.Sample, error) {
		s, err := works(ctx)
		if s[versus.Throughput] < 3 {
			return nil, fmt.Errorf("trouble %v", s[versus.Throughput])
		}
		return s, err
	}
	unable := counted(&log, "unable")
	unable.Cannot = "no such command"
	r := &versus.Row{Name: "row", Metrics: []versus.Metric{versus.Throughput}, Arms: []versus.Arm{counted(&log, "sound"), flaky, unable}}
	if err := versus.Measure(t.Context(), []*versus.Row{r}, schedule(5, nil)); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(log, "unable") {
		t.Error("an arm that cannot run was run")
	}
	if f := r.Figure(1, versus.Throughput); f.N != 3 {
		t.Errorf("%d figures of the arm that failed twice in five, want 3", f.N)
	}
	notes := strings.Join(versus.Full([]*versus.Row{r}).Notes, "\n")
	if want := "row: flaky failed in 2 of 5 rounds: trouble 1\nrow: unable cannot run it: no such command"; notes != want {
		t.Errorf("notes %q, want %q", notes, want)
	}
}

func TestMeasureEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	r := &versus.Row{Name: "row", Metrics: []versus.Metric{versus.Throughput}, Arms: []versus.Arm{{Name: "a", Run: func(context.Context) (versus.Sample, error) {
		if runs++; runs == 2 {
			cancel()
		}
		return versus.Sample{}, nil
	}}}}
	if err := versus.Measure(ctx, []*versus.Row{r}, schedule(9, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if runs != 2 || len(r.Rounds) != 1 {
		t.Errorf("%d runs and %d whole rounds, want 2 and 1", runs, len(r.Rounds))
	}
}
