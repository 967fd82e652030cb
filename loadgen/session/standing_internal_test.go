package session

import (
	"testing"
	"time"

	"fullbore/loadgen/experiment"
)

func TestStanding(t *testing.T) {
	rounds := func(v ...float64) (m experiment.Measured) {
		for _, v := range v {
			m.Rounds = append(m.Rounds, experiment.Round{Value: v})
		}
		return m
	}
	state := func(phase experiment.Phase, pair int, m experiment.Metric, arms ...experiment.Measured) *experiment.State {
		return &experiment.State{
			Phase: phase, Pair: pair, Left: 160, Rules: experiment.Rules{Round: time.Second, Settle: 250 * time.Millisecond, Pairs: 30},
			Results: []experiment.Outcome{{Case: experiment.Case{Title: "SET"}, Metric: m, Arms: arms}},
		}
	}
	for _, c := range []struct {
		state *experiment.State
		width int
		want  string
	}{
		{&experiment.State{Phase: experiment.Preparing}, 79, "preparing"},
		{state(experiment.Preparing, 0, experiment.Throughput), 79, "SET  preparing  at most 3:20 left"},
		{state(experiment.Measuring, 2, experiment.Throughput, rounds(1, 112_400), rounds(1_291_000), rounds()), 79, "SET  pair 2 of at most 30  A 112k/s  B 1.29M/s  at most 3:20 left"},
		{state(experiment.Measuring, 2, experiment.Throughput, rounds(1, 112_400), rounds(1_291_000)), 50, "SET  pair 2 of at most 30  at most 3:20 left"},
		{state(experiment.Measuring, 2, experiment.TailP99, rounds(1_234_567), rounds(98_765)), 79, "SET  pair 2 of at most 30  A p99 1.23 ms  B p99 0.0988 ms  at most 3:20 left"},
		{state(experiment.Measuring, 2, experiment.Throughput, rounds(998)), 20, "pair 2 of at most 30"},
		{state(experiment.Measuring, 2, experiment.Throughput, rounds(998)), 6, "pair 2"},
	} {
		if got := standing(c.state, c.width); got != c.want {
			t.Errorf("%d columns: %q, want %q", c.width, got, c.want)
		}
	}
}
