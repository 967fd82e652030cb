package experiment_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// real are P=1 and P=16 on a server.
func real(t *testing.T, server *redistest.Server) []experiment.Arm {
	t.Helper()
	arms := []experiment.Arm{plain(t, 1), plain(t, 16)}
	for i := range arms {
		arms[i].Place.Target = target.TCP("127.0.0.1", server.Port)
	}
	return arms
}

// brief makes rounds shorter than anybody should: what is tested here is not the
// figures.
func brief(c *experiment.Comparison, pairs int) *experiment.Comparison {
	experiment.Hasten(c, experiment.Rules{
		Round: 60 * time.Millisecond, Settle: 20 * time.Millisecond, Pairs: pairs, Practical: .03,
	})
	experiment.On(c, nil) // what the machine is busy with takes no verdict back
	return c
}

// live runs c until the function returned is called, which tells how long the end took.
func live(t *testing.T, c *experiment.Comparison) (end func() (*experiment.State, time.Duration)) {
	t.Helper()
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	done := make(chan *experiment.State, 1)
	go func() {
		s, err := c.Run(ctx)
		if err != nil {
			t.Errorf("run: %v", err)
		}
		done <- s
	}()
	return func() (*experiment.State, time.Duration) {
		t.Helper()
		begun := time.Now()
		cancel()
		s := <-done
		took := time.Since(begun)
		soon(t, "every goroutine ends", func() bool { return runtime.NumGoroutine() <= before })
		return s, took
	}
}

// soon polls cond; the deadline only bounds a failure.
func soon(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if cond() {
			return
		}
	}
	t.Fatalf("never happened: %s", what)
}

func TestPipelineIsFaster(t *testing.T) {
	server := redistest.Start(t)
	c := brief(experiment.Compare(real(t, server), nil, experiment.Rules{}), experiment.MostPairs) // more than 8 where the machine is busy
	c.Once = true
	s, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o := s.Results[0]
	if f := o.Findings[1]; f.Verdict.Kind != paired.Faster || f.Ratio < 2 || !strings.HasPrefix(f.Verdict.Text, "P=16 faster than P=1: x ") {
		t.Errorf("%+v, want faster", f)
	}
	if s.Partial || len(s.Notes) != 0 || s.Arms[0].Live.State != stats.Done {
		t.Errorf("partial %v (%s), notes %+v, runs are %v", s.Partial, s.Reason, s.Notes, s.Arms[0].Live.State)
	}
	for i, m := range o.Arms {
		for _, r := range m.Rounds {
			if r.Segment.Measured < 60*time.Millisecond || r.Segment.Counters.Lost != 0 {
				t.Errorf("arm %d, pair %d: %v measured, %v/s", i, r.Pair, r.Segment.Measured, r.Value)
			}
		}
		calls := m.Server.Calls["set"].Calls
		if calls < m.Total.Counters.Replies || m.Server.Commands < calls {
			t.Errorf("arm %d: %d replies, the server tells of %d SET of %d commands", i, m.Total.Counters.Replies, calls, m.Server.Commands)
		}
		if m.Total.Latency.Count != m.Total.Counters.Replies || m.Total.Distribution.Count() != m.Total.Latency.Count {
			t.Errorf("arm %d: %d latencies of %d replies", i, m.Total.Latency.Count, m.Total.Counters.Replies)
		}
	}
	soon(t, "every connection is closed", func() bool { return server.Info(t, "clients")["connected_clients"] == "1" })
}

// TestDataOfTheirOwn: arms with values of two sizes read what is theirs, and all of
// it lies under the session's prefix.
func TestDataOfTheirOwn(t *testing.T) {
	server := redistest.Start(t)
	arms := real(t, server)
	for i := range arms {
		arms[i].Plan.Workload.Mix = mixOf(t, "get")
	}
	arms[1].Plan.Workload.Payload = 1000
	c := brief(experiment.Compare(arms, nil, experiment.Rules{}), experiment.LeastPairs)
	end := live(t, c)
	soon(t, "two pairs", func() bool { return c.Snapshot().Results != nil && c.Snapshot().Results[0].Findings[1].Pairs == 2 })
	s, _ := end()
	for i, m := range s.Results[0].Arms {
		per := float64(m.Total.Counters.BytesIn) / float64(m.Total.Counters.Replies)
		if hits, _ := m.Total.Counters.HitRate(); hits < 1 || per < float64(arms[i].Plan.Workload.Payload) {
			t.Errorf("arm %d: hit rate %v, %v bytes each", i, hits, per)
		}
	}
	for _, key := range server.Do(t, "KEYS", "*").([]any) {
		name := string(key.([]byte))
		if size := server.Do(t, "STRLEN", name).(int64); size == 1000 != strings.HasPrefix(name, "fullbore:2:") || !strings.HasPrefix(name, "fullbore:") {
			t.Errorf("%s has %d bytes", name, size)
		}
	}
	if n := server.DBSize(t); n != 20 {
		t.Errorf("%d keys, want 10 of each size", n)
	}
}

// TestAServerThatDies: rounds go on and are worth nothing, and why is to be seen.
func TestAServerThatDies(t *testing.T) {
	server := redistest.Start(t)
	c := brief(experiment.Compare(real(t, server), nil, experiment.Rules{}), experiment.LeastPairs)
	end := live(t, c)
	soon(t, "a pair", func() bool { return c.Snapshot().Pair == 2 })
	server.Kill()
	soon(t, "the last pair", func() bool { return c.Snapshot().Phase == experiment.Decided })
	s, took := end()
	if took > 5*time.Second {
		t.Errorf("took %v to end", took)
	}
	for i, m := range s.Results[0].Arms {
		if m.Low != 0 || m.High == 0 || len(m.Rounds) != 8 {
			t.Errorf("arm %d: %d rounds from %v to %v", i, len(m.Rounds), m.Low, m.High)
		}
		if len(s.Arms[i].Live.Faults) == 0 {
			t.Errorf("arm %d: no fault is seen", i)
		}
	}
}

// TestAFrozenServer does not hold up the end, wherever it is met.
func TestAFrozenServer(t *testing.T) {
	server := redistest.Start(t)
	for name, when := range map[string]func(c *experiment.Comparison) bool{
		"at the start": func(*experiment.Comparison) bool { return true },
		"in the middle": func(c *experiment.Comparison) bool {
			s := c.Snapshot()
			return s.Pair == 2 && s.Active >= 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer server.Resume()
			c := brief(experiment.Compare(real(t, server), nil, experiment.Rules{}), experiment.LeastPairs)
			if when(c) {
				server.Pause()
			}
			end := live(t, c)
			soon(t, name, func() bool { return when(c) })
			server.Pause()
			begun := c.Snapshot().Elapsed
			soon(t, "time goes by", func() bool { return c.Snapshot().Elapsed > begun+200*time.Millisecond })
			s, took := end()
			if took > 5*time.Second || !s.Partial {
				t.Errorf("took %v to end, partial %v", took, s.Partial)
			}
			t.Log(took)
		})
	}
}

// TestInfoIsRefused: a note, and the comparison goes on.
func TestInfoIsRefused(t *testing.T) {
	server := redistest.Start(t, "--rename-command", "INFO", "")
	c := brief(experiment.Compare(real(t, server), nil, experiment.Rules{}), experiment.LeastPairs)
	end := live(t, c)
	soon(t, "two pairs", func() bool { return c.Snapshot().Pair == 3 })
	s, _ := end()
	if len(s.Notes) != 1 || !s.Notes[0].Warning || !strings.Contains(s.Notes[0].Text, "INFO at 127.0.0.1") {
		t.Errorf("notes %+v", s.Notes)
	}
	for _, m := range s.Results[0].Arms {
		if m.Server.Commands != 0 || m.Server.Calls != nil {
			t.Errorf("the server told %+v", m.Server)
		}
	}
}

// TestLiveChange: a knob is turned while rounds run on a real server.
func TestLiveChange(t *testing.T) {
	server := redistest.Start(t)
	c := brief(experiment.Compare(real(t, server), nil, experiment.Rules{}), experiment.LeastPairs)
	end := live(t, c)
	soon(t, "a pair", func() bool { return c.Snapshot().Pair == 2 })
	set(t, c, func(s *experiment.Settings) { s.Plans[1].Clients = 9 })
	soon(t, "a round of the new plan", func() bool {
		s := c.Snapshot()
		return len(s.Earlier) == 1 && s.Results[0].Arms[1].Rounds != nil
	})
	s, _ := end()
	if got := s.Results[0].Arms[1].Rounds[0].Segment.Clients; got != 9 {
		t.Errorf("%d clients, want 9", got)
	}
	if m := s.Earlier[0].Results[0].Arms[1]; m.Rounds[0].Segment.Clients != 2 {
		t.Errorf("before: %+v", m.Rounds[0].Segment)
	}
}

func TestNothingListens(t *testing.T) {
	arms := []experiment.Arm{plain(t, 1), plain(t, 2)}
	for i := range arms {
		arms[i].Place.Target = target.TCP("127.0.0.1", 1)
		arms[i].Plan.Prefill = loadgen.Prefill{Keys: 10}
	}
	s, err := experiment.Compare(arms, nil, experiment.Rules{}).Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") || !s.Partial {
		t.Errorf("%v, partial %v", err, s.Partial)
	}
}
