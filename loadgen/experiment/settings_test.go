package experiment_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/stats"
)

// during runs a comparison of P=1 and P=2 in a bubble until pair at is under way,
// hands it to do, and ends it.
func during(t *testing.T, at int, do func(t *testing.T, w *world, c *experiment.Comparison)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{rate: noisy(1, .01)}
		c := experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 2)}, nil, experiment.Rules{})
		end := begin(t, w, c)
		wait(t, "a pair", func() bool { return c.Snapshot().Pair == at })
		do(t, w, c)
		if _, err := end(); err != nil {
			t.Error(err)
		}
	})
}

func set(t *testing.T, c *experiment.Comparison, change func(*experiment.Settings)) {
	t.Helper()
	s := plans(c)
	change(&s)
	if err := c.Apply(s); err != nil {
		t.Fatal(err)
	}
}

func rounds(s *experiment.State) (n int) {
	for _, o := range s.Results {
		n += len(o.Twins)
		for _, m := range o.Arms {
			n += len(m.Rounds)
		}
	}
	return n
}

func TestAChangedLoadBeginsAnew(t *testing.T) {
	during(t, 3, func(t *testing.T, w *world, c *experiment.Comparison) {
		before := c.Snapshot()
		for _, depth := range []int{4, 8, 16} { // a key held down
			set(t, c, func(s *experiment.Settings) { s.Plans[1].Pipeline = depth })
			time.Sleep(100 * time.Millisecond)
		}
		wait(t, "the pairs begin anew", func() bool { return rounds(c.Snapshot()) == 0 })
		s := c.Snapshot()
		if len(s.Earlier) != 1 || len(s.Earlier[0].Results[0].Arms[0].Rounds) < 2 || !strings.Contains(s.Earlier[0].Plans[1], "P=2") {
			t.Fatalf("earlier %+v: want the pairs of P=2", s.Earlier)
		}
		if n := len(s.Notes); n != 1 || s.Notes[0].Text != "arm P=2: pipeline 2 > 16; the pairs begin anew" {
			t.Errorf("notes %+v", s.Notes)
		}
		if s.Arms[1].Arm.Plan.Pipeline != 16 || s.Left < before.Left {
			t.Errorf("plan %v, %d rounds left after %d", s.Arms[1].Arm.Plan, s.Left, before.Left)
		}
		wait(t, "a verdict", func() bool { return c.Snapshot().Phase == experiment.Decided })
		if f := c.Snapshot().Results[0].Findings[1]; f.Verdict.Kind != paired.Faster || f.Ratio < 15 || f.Pairs != 8 {
			t.Errorf("finding %+v", f)
		}
		// When all is decided a change begins anew as well.
		set(t, c, func(s *experiment.Settings) { s.Plans[0].Workload.Payload = 100 })
		wait(t, "the next pairs", func() bool { return c.Snapshot().Phase == experiment.Measuring })
		if s := c.Snapshot(); len(s.Earlier) != 2 || s.Results[0].Findings[1].Pairs != 0 {
			t.Errorf("%d stretches before, %d pairs", len(s.Earlier), s.Results[0].Findings[1].Pairs)
		}
	})
}

// TestFresh: the same load again, from the first pair.
func TestFresh(t *testing.T) {
	during(t, 4, func(t *testing.T, w *world, c *experiment.Comparison) {
		set(t, c, func(s *experiment.Settings) { s.Fresh++ })
		wait(t, "the pairs begin anew", func() bool { return rounds(c.Snapshot()) == 0 })
		if s := c.Snapshot(); len(s.Earlier) != 1 || len(s.Notes) != 1 || s.Notes[0].Text != "the pairs begin anew" {
			t.Errorf("%d stretches before, notes %+v", len(s.Earlier), s.Notes)
		}
	})
}

// TestWhatIsNoOtherLoad: looking at it differently, or turning back at once.
func TestWhatIsNoOtherLoad(t *testing.T) {
	during(t, 4, func(t *testing.T, w *world, c *experiment.Comparison) {
		set(t, c, func(s *experiment.Settings) { s.Plans[0].Window, s.Plans[1].Paused = 10*time.Second, true })
		set(t, c, func(s *experiment.Settings) { s.Plans[1].Pipeline = 9 })
		time.Sleep(100 * time.Millisecond)
		set(t, c, func(s *experiment.Settings) { s.Plans[1].Pipeline = 2 })
		wait(t, "two more pairs", func() bool { return c.Snapshot().Pair >= 6 })
		s := c.Snapshot()
		if len(s.Earlier) != 0 || len(s.Notes) != 0 || s.Results[0].Findings[1].Pairs < 4 {
			t.Errorf("notes %+v, %d stretches before, %d pairs", s.Notes, len(s.Earlier), s.Results[0].Findings[1].Pairs)
		}
		// The pair that was broken off does not count, whichever round of it there is.
		for _, r := range s.Results[0].Arms[0].Rounds {
			if r.Segment.Measured < time.Second {
				t.Errorf("a round of %v is on the books", r.Segment.Measured)
			}
		}
	})
}

func TestSettingsThatAreRefused(t *testing.T) {
	during(t, 1, func(t *testing.T, w *world, c *experiment.Comparison) {
		for want, change := range map[string]func(*experiment.Settings){
			"arm P=2: clients 0":    func(s *experiment.Settings) { s.Plans[1].Clients = 0 },
			"1 plans for 2 arms":    func(s *experiment.Settings) { s.Plans = s.Plans[:1] },
			"reference 2 of 2 arms": func(s *experiment.Settings) { s.Reference = 2 },
		} {
			s := plans(c)
			change(&s)
			if err := c.Apply(s); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
		time.Sleep(time.Second)
		if s := c.Snapshot(); len(s.Arms) != 2 || s.Arms[1].Arm.Plan.Clients != 2 || s.Reference != 0 {
			t.Errorf("what was refused is in force: %+v", s)
		}
	})
}

func TestPausing(t *testing.T) {
	during(t, 3, func(t *testing.T, w *world, c *experiment.Comparison) {
		set(t, c, func(s *experiment.Settings) { s.Paused = true })
		wait(t, "the pause", func() bool { return c.Snapshot().Phase == experiment.Paused })
		held := c.Snapshot()
		for i, side := range held.Arms {
			if side.Live.State != stats.Paused {
				t.Errorf("arm %d is %v", i, side.Live.State)
			}
		}
		time.Sleep(time.Minute)
		if s := c.Snapshot(); rounds(s) != rounds(held) || s.Active != -1 {
			t.Errorf("%d rounds before the pause, %d after", rounds(held), rounds(s))
		}
		set(t, c, func(s *experiment.Settings) {})
		wait(t, "a verdict", func() bool { return c.Snapshot().Phase == experiment.Decided })
		o := c.Snapshot().Results[0]
		if o.Findings[1].Pairs != 8 {
			t.Errorf("%d pairs, want 8", o.Findings[1].Pairs)
		}
		// No pair spans the pause.
		for _, a := range o.Arms[0].Rounds {
			for _, b := range o.Arms[1].Rounds {
				if a.Pair == b.Pair && (a.At-b.At).Abs() > 10*time.Second {
					t.Errorf("pair %d was measured at %v and %v", a.Pair, a.At, b.At)
				}
			}
		}
	})
}

func TestCompeting(t *testing.T) {
	during(t, 3, func(t *testing.T, w *world, c *experiment.Comparison) {
		set(t, c, func(s *experiment.Settings) { s.Competing = true })
		wait(t, "all at once", func() bool { return c.Snapshot().Phase == experiment.Competing })
		held := rounds(c.Snapshot())
		time.Sleep(10 * time.Second)
		s := c.Snapshot()
		for i, side := range s.Arms {
			if side.Live.State != stats.Measuring {
				t.Errorf("arm %d is %v", i, side.Live.State)
			}
		}
		if w.most != 2 || s.Active != -1 || rounds(s) != held {
			t.Errorf("%d under load, active %d, %d rounds after %d", w.most, s.Active, rounds(s), held)
		}
		set(t, c, func(s *experiment.Settings) {
			s.Competing = true
			s.Plans[1].Pipeline = 5
		})
		wait(t, "the change", func() bool { return len(c.Snapshot().Earlier) == 1 })
		wait(t, "all at once again", func() bool { return c.Snapshot().Phase == experiment.Competing })
		set(t, c, func(s *experiment.Settings) {})
		wait(t, "a verdict", func() bool { return c.Snapshot().Phase == experiment.Decided })
		if f := c.Snapshot().Results[0].Findings[1]; f.Pairs != 8 || f.Ratio < 4.5 || f.Ratio > 5.5 {
			t.Errorf("finding %+v", f)
		}
	})
}

func TestReference(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{rate: noisy(1, .01)}
		c := experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 2), plain(t, 4)}, nil, experiment.Rules{})
		end := begin(t, w, c)
		wait(t, "a verdict", func() bool { return c.Snapshot().Phase == experiment.Decided })
		before := c.Snapshot()
		set(t, c, func(s *experiment.Settings) { s.Reference = 1 })
		wait(t, "the other reference", func() bool { return c.Snapshot().Reference == 1 })
		s := c.Snapshot()
		if rounds(s) != rounds(before) || s.Phase != experiment.Decided || len(s.Earlier) != 0 {
			t.Errorf("%d rounds after %d, %v", rounds(s), rounds(before), s.Phase)
		}
		f := s.Results[0].Findings
		if f[0].Ratio > .55 || f[0].Verdict.Kind != paired.Slower || f[1] != (paired.Finding{}) || f[2].Ratio < 1.9 || f[2].Ratio > 2.1 {
			t.Errorf("against P=2: %+v", f)
		}
		if old := before.Results[0].Findings[2]; f[2].Floor != old.Floor || old.Ratio < 3.8 {
			t.Errorf("floor %v after %v, ratio before %v", f[2].Floor, old.Floor, old.Ratio)
		}
		// What is measured from now on has the new reference's findings as well.
		set(t, c, func(s *experiment.Settings) { s.Plans[2].Pipeline = 8 })
		wait(t, "a verdict again", func() bool {
			s := c.Snapshot()
			return s.Phase == experiment.Decided && len(s.Earlier) == 1
		})
		if f := c.Snapshot().Results[0].Findings; f[2].Ratio < 3.8 || f[1] != (paired.Finding{}) {
			t.Errorf("against P=2: %+v", f)
		}
		if _, err := end(); err != nil {
			t.Error(err)
		}
	})
}

// TestThreads: the number changes with the arm, and is what it was at the end.
func TestThreads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		arms := []experiment.Arm{plain(t, 1), plain(t, 1)}
		arms[1].Threads = 77
		c := experiment.Compare(arms, nil, experiment.Rules{Pairs: 8})
		var calls []int
		w := &world{}
		now := 0
		c.SetThreads = func(n int) { calls, now = append(calls, n), n }
		noise := noisy(1, .01)
		w.rate = func(p loadgen.Plan) float64 {
			if now == 77 {
				return 2 * noise(p)
			}
			return noise(p)
		}
		s := whole(t, w, c)
		if f := s.Results[0].Findings[1]; f.Ratio < 1.9 || f.Ratio > 2.1 {
			t.Errorf("rounds with the other threads: %+v", f)
		}
		if n := len(calls); n < 8 || calls[0] != 77 || calls[n-1] == 77 {
			t.Errorf("threads were set to %v", calls)
		}
	})
}

// TestPrefillOnce: what is there is there for every arm of the same data.
func TestPrefillOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		arms := []experiment.Arm{plain(t, 1), plain(t, 2), plain(t, 3)}
		for i := range arms {
			arms[i].Plan.Prefill.Keys = 50
			arms[i].Plan.Requests, arms[i].Plan.Duration = 10, time.Second
		}
		arms[2].Plan.Workload.Payload = 1000
		w := &world{rate: noisy(1, .01)}
		whole(t, w, experiment.Compare(arms, nil, experiment.Rules{Pairs: 8}))
		var keys []int64
		for _, s := range w.runs {
			keys = append(keys, s.first.Prefill.Keys)
			if !s.first.Paused || s.first.Requests+int64(s.first.Duration) != 0 {
				t.Errorf("a run was made with %+v", s.first)
			}
		}
		if len(keys) != 4 || keys[0] != 50 || keys[1] != 0 || keys[2] != 50 || keys[3] != 0 {
			t.Errorf("prefilled %v: the first arm, that with other data, and no twin", keys)
		}
		if p := w.runs[2].first.Workload.Keys.Prefix; p != "fullbore:3:" {
			t.Errorf("prefix %q", p)
		}
	})
}
