package experiment_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
)

// machine is one on which this process may use so much of each 100 ms, in microseconds;
// "" is one that tells nothing.
func machine(quota string) fstest.MapFS {
	m := fstest.MapFS{}
	if quota != "" {
		m["proc/self/cgroup"] = &fstest.MapFile{Data: []byte("0::/")}
		m["proc/self/mountinfo"] = &fstest.MapFile{Data: []byte("640 637 0:29 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n")}
		m["sys/fs/cgroup/cpu.max"] = &fstest.MapFile{Data: []byte(quota + " 100000")}
	}
	return m
}

// settled is a comparison of two arms of simulated runs, on a machine, when it is over.
func settled(t *testing.T, quota string, arms ...experiment.Arm) (s *experiment.State) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{rate: noisy(1, .01)}
		c := experiment.Compare(arms, nil, experiment.Rules{})
		experiment.Simulate(c, w.start)
		experiment.On(c, machine(quota))
		c.Once = true
		var err error
		if s, err = c.Run(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestLimiterOfArms: what held an arm back is told, and where that was the load
// generator no side is called faster. A bubble's seconds take next to no CPU time, so a
// quota is next to none where the client is to be at its limit.
func TestLimiterOfArms(t *testing.T) {
	one, two := plain(t, 1), plain(t, 2)
	s := settled(t, "", one, two)
	f, m := s.Results[0].Findings[1], s.Results[0].Arms
	if f.Verdict.Kind != paired.Faster || m[0].Limiter.Name == "" || m[0].Limiter.Name == insight.ByClient || m[1].Rounds[0].Limiter.Name == "" {
		t.Errorf("without a limit: %+v, limiters %+v and %+v", f.Verdict, m[0].Limiter, m[1].Limiter)
	}

	s = settled(t, "1", one, two)
	f, m = s.Results[0].Findings[1], s.Results[0].Arms
	if f.Verdict.Kind != paired.CannotTell || f.Why != paired.ClientBound || !strings.HasPrefix(f.Verdict.Text, "client-bound: ") {
		t.Errorf("client-bound: %+v", f)
	}
	if f.Ratio < 1.9 || f.Ratio > 2.1 || !f.ClientA || !f.ClientB || !s.Results[0].Done {
		t.Errorf("the numbers stay: %+v", f)
	}
	for _, a := range m {
		if l := a.Limiter; l.Name != insight.ByClient || !strings.Contains(l.Evidence, "cgroup") {
			t.Errorf("limiter %+v", l)
		}
	}

	two.Threads = 2 // a question to the load generator itself
	if f := settled(t, "1", one, two).Results[0].Findings[1]; f.Verdict.Kind != paired.Faster {
		t.Errorf("arms of other threads: %+v", f)
	}
}

// TestLimiterWithoutReplies: a server that answers nothing is no reason to stop looking.
func TestLimiterWithoutReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{rate: func(loadgen.Plan) float64 { return 0 }}
		c := experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 2)}, nil, experiment.Rules{})
		experiment.Simulate(c, w.start)
		experiment.On(c, machine(""))
		c.Once = true
		s, _ := c.Run(t.Context())
		if l := s.Results[0].Arms[0].Limiter; l.Name != insight.ByUnknown {
			t.Errorf("limiter %+v", l)
		}
	})
}

// TestProve: the same load under the present threads and twice as many.
func TestProve(t *testing.T) {
	for _, c := range []struct {
		name   string
		gain   float64 // of twice the threads
		client bool
		words  string
	}{
		{"client", 1.8, true, "client-bound: 2 threads faster than 1 thread"},
		{"server", 1, false, "not client-bound: twice the threads bring nothing: no difference larger than 3 %"},
		{"harm", 0.7, false, "not client-bound: more threads than 1 do harm: 2 threads slower"},
	} {
		synctest.Test(t, func(t *testing.T) {
			using, even := 1, noisy(1, .001)
			w := &world{rate: func(p loadgen.Plan) float64 {
				if using == 2 {
					return c.gain * even(p)
				}
				return even(p)
			}}
			proof := experiment.ProofOf(plain(t, 1), 1)
			proof.SetThreads = func(n int) { using = n }
			experiment.Simulate(proof, w.start)
			begun := time.Now()
			s, err := proof.Run(t.Context())
			if err != nil || s.Partial {
				t.Fatalf("%s: %v, %s", c.name, err, s.Reason)
			}
			client, words := experiment.Proven(s.Results[0].Findings[1], 1)
			if client != c.client || !strings.HasPrefix(words, c.words) {
				t.Errorf("%s: %v, %q", c.name, client, words)
			}
			if took := time.Since(begun); took > 20*time.Second {
				t.Errorf("%s: it took %v", c.name, took)
			}
		})
	}
}

// TestProveNothing: where more threads cannot be had, that is the verdict.
func TestProveNothing(t *testing.T) {
	a := plain(t, 1)
	a.Threads = 4096
	p, err := experiment.Prove(t.Context(), a, func(int) { t.Error("threads were changed") })
	if err != nil || p.Client || p.State != nil || !strings.HasPrefix(p.Verdict, "cannot be proven here: 4096 threads already have all ") {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := experiment.Prove(t.Context(), a, nil); err != nil || !strings.Contains(p.Verdict, "built-in") {
		t.Errorf("%+v, %v", p, err)
	}
}
