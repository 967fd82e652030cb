package experiment_test

import (
	"context"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// arm is a small plan on a server, to vary.
func arm(t *testing.T, server *redistest.Server, label, test string, vary func(*loadgen.Plan)) experiment.Arm {
	t.Helper()
	mix, err := workload.ParseMix(test)
	if err != nil {
		t.Fatal(err)
	}
	a := experiment.Arm{
		Label: label,
		Place: experiment.Place{Target: target.TCP("127.0.0.1", server.Port)},
		Plan: loadgen.Plan{Clients: 4, Pipeline: 1, Workload: workload.Workload{
			Mix: mix, Payload: 3, Seed: 1, Keys: workload.KeySpace{Prefix: "fullbore:", Size: 100},
		}},
	}
	if vary != nil {
		vary(&a.Plan)
	}
	return a
}

// quick is rounds as short as they may be.
func quick() experiment.Rules {
	return experiment.Rules{Round: 300 * time.Millisecond, Settle: time.Millisecond, Pairs: 8, Seed: 1}
}

func TestPipelineIsFaster(t *testing.T) {
	server := redistest.Start(t)
	c := experiment.Compare([]experiment.Arm{
		arm(t, server, "P=1", "set", nil),
		arm(t, server, "P=16", "set", func(p *loadgen.Plan) { p.Pipeline = 16 }),
	}, nil, quick())
	c.Once = true
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := c.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range s.Results[0].Arms {
		for _, r := range m.Rounds {
			t.Log(i, r.Pair, r.At, r.Value, r.Segment.Measured)
		}
	}
	f := s.Results[0].Findings[1]
	if f.Verdict.Kind != paired.Faster || f.Pairs != 8 {
		t.Errorf("%+v, want faster after 8 pairs", f)
	}
	t.Logf("%+v", f)
	if s.Phase != experiment.Ended || s.Partial || s.Left != 0 {
		t.Errorf("ended as %+v", s)
	}
	t.Logf("%+v", s.Notes)
	t.Logf("%v %+v", s.Elapsed, s.Results[0].Arms[1].Total)
}
