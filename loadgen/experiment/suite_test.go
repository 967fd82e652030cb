package experiment_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

func steps(t *testing.T, names ...string) (all []experiment.Step) {
	t.Helper()
	for _, name := range names {
		mix, err := workload.ParseMix(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, experiment.Step{Title: name, Plan: loadgen.Plan{
			Clients: 2, Pipeline: 1, Requests: 10, Prefill: loadgen.Prefill{Keys: 5},
			Workload: workload.Workload{Mix: mix, Payload: 3, Keys: workload.KeySpace{Prefix: "fullbore:"}},
		}})
	}
	return all
}

// TestRounds holds the order, the number and that data is poured in once.
func TestRounds(t *testing.T) {
	for times, want := range map[int]int{1: 2, 3: 6, 0: 20} {
		var titles []string
		for s := range experiment.Rounds(steps(t, "set", "get"), times) {
			if first := len(titles) == 0; first != (s.Plan.Prefill.Keys > 0) {
				t.Errorf("step %d of %d rounds: prefill %+v", len(titles), times, s.Plan.Prefill)
			}
			if titles = append(titles, s.Title); len(titles) == 20 {
				break // no rounds are without end
			}
		}
		if len(titles) != want || titles[0] != "set" || titles[1] != "get" || titles[len(titles)-1] != "get" {
			t.Errorf("%d rounds: %v, want %d steps", times, titles, want)
		}
	}
	for range experiment.Rounds(nil, 0) {
		t.Error("a step of none")
	}
}

// observer notes what finished, and may end the suite.
type observer struct {
	titles []string
	err    error
	stop   func()
}

func (o *observer) Progress(string, *stats.Snapshot) {}

func (o *observer) Finished(title string, r loadgen.Result) error {
	if r.Total.Replies != 10 {
		o.titles = append(o.titles, title+" incomplete")
		return o.err
	}
	o.titles = append(o.titles, title)
	if o.stop != nil {
		o.stop()
	}
	return o.err
}

func TestSuite(t *testing.T) {
	server := redistest.Start(t)
	all := &observer{}
	if err := experiment.Suite(t.Context(), target.TCP("127.0.0.1", server.Port), experiment.Rounds(steps(t, "set", "get"), 2), all); err != nil {
		t.Fatal(err)
	}
	if want := []string{"set", "get", "set", "get"}; !slices.Equal(all.titles, want) {
		t.Errorf("%v, want %v", all.titles, want)
	}
	full := errors.New("disk full")
	if err := experiment.Suite(t.Context(), target.TCP("127.0.0.1", server.Port), experiment.Rounds(steps(t, "set", "get"), 2), &observer{err: full}); !errors.Is(err, full) {
		t.Errorf("%v, want the observer's error", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	last := &observer{stop: cancel}
	if err := experiment.Suite(ctx, target.TCP("127.0.0.1", server.Port), experiment.Rounds(steps(t, "set"), 0), last); err != nil || len(last.titles) != 1 {
		t.Errorf("a suite without end that was ended: %v, %v", last.titles, err)
	}
}
