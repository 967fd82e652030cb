package experiment_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// order is the arms of pair n by when their rounds ended.
func order(o experiment.Outcome, n int) (arms []int) {
	var ends []time.Duration
	for i, m := range o.Arms {
		for _, r := range m.Rounds {
			if r.Pair == n {
				at, _ := slices.BinarySearch(ends, r.At)
				ends, arms = slices.Insert(ends, at, r.At), slices.Insert(arms, at, i)
			}
		}
	}
	return arms
}

func TestArmsInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{rate: noisy(1, .01)}
		c := experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 16)}, nil, experiment.Rules{Seed: 3})
		s := whole(t, w, c)
		o := s.Results[0]
		if s.Phase != experiment.Ended || s.Partial || s.Reason != "" || s.Left != 0 || !o.Done {
			t.Errorf("ended as %v, partial %v (%s), %d rounds left", s.Phase, s.Partial, s.Reason, s.Left)
		}
		if w.most != 1 {
			t.Errorf("%d arms under load at once", w.most)
		}
		if f := o.Findings[1]; f.Verdict.Kind != paired.Faster || f.Pairs != 8 || f.Ratio < 15 || f.Ratio > 17 {
			t.Errorf("finding %+v, want 16 times as fast after the first look", f)
		}
		if f := o.Findings[0]; f != (paired.Finding{}) {
			t.Errorf("the reference against itself: %+v", f)
		}
		for i, m := range o.Arms {
			if len(m.Rounds) != 8 || len(o.Twins) != 8 || m.Command != "set" {
				t.Errorf("arm %d: %d rounds of %q, %d twins; want 8", i, len(m.Rounds), m.Command, len(o.Twins))
			}
			var replies int64
			for _, r := range m.Rounds {
				replies += r.Segment.Counters.Replies
				if d := r.Segment.Measured - time.Second; d < 0 || d > 10*time.Millisecond {
					t.Errorf("arm %d, pair %d was measured for %v", i, r.Pair, r.Segment.Measured)
				}
			}
			total := m.Total
			if total.Counters.Replies != replies || total.Latency.Count != replies || total.Distribution.Count() != replies || total.Measured < 8*time.Second {
				t.Errorf("arm %d: rounds add up to %d replies, the total is %+v", i, replies, total.Counters)
			}
			if m.Low > m.Median || m.Median > m.High || m.Low < 980*float64(1+15*i) || m.High > 1020*float64(1+15*i) {
				t.Errorf("arm %d: %v [%v..%v]", i, m.Median, m.Low, m.High)
			}
		}
		// 24 rounds of 1.25 s, three of 0.55 s that are thrown away, and what it takes
		// to notice their ends.
		if s.Elapsed < 31*time.Second || s.Elapsed > 33*time.Second {
			t.Errorf("took %v", s.Elapsed)
		}
	})
}

// TestOrderIsRandom: either arm comes first now and then, and a seed gives the same
// order again.
func TestOrderIsRandom(t *testing.T) {
	runs := map[uint64][][]int{}
	for _, seed := range []uint64{1, 1, 2} {
		synctest.Test(t, func(t *testing.T) {
			c := experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 2), plain(t, 3)}, nil, experiment.Rules{Seed: seed, Pairs: 12})
			o := whole(t, &world{rate: noisy(1, .01)}, c).Results[0]
			var all [][]int
			firsts := map[int]bool{}
			for n := range o.Arms[0].Rounds {
				all = append(all, order(o, n+1))
				firsts[all[n][0]] = true
			}
			if len(firsts) != 3 {
				t.Errorf("seed %d: the first in each pair were %v", seed, firsts)
			}
			if before := runs[seed]; before != nil && !slices.EqualFunc(before, all, slices.Equal) {
				t.Errorf("seed %d gave %v and then %v", seed, before, all)
			}
			runs[seed] = all
		})
	}
	if slices.EqualFunc(runs[1], runs[2], slices.Equal) {
		t.Error("two seeds, one order")
	}
}

// TestEqualArms: noise of 4 % either way on both sides, and a drift, never make a
// claim.
func TestEqualArms(t *testing.T) {
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) {
			noise, begun := noisy(seed, .04), time.Now()
			w := &world{rate: func(p loadgen.Plan) float64 {
				return noise(p) * (1 + .1*time.Since(begun).Minutes())
			}}
			arms := []experiment.Arm{plain(t, 4), plain(t, 4)}
			f := whole(t, w, experiment.Compare(arms, nil, experiment.Rules{Seed: seed})).Results[0].Findings[1]
			if k := f.Verdict.Kind; k == paired.Faster || k == paired.Slower {
				t.Errorf("seed %d: %+v", seed, f)
			}
		})
	}
}

// TestASlowerArm: 20 % less at a noise of 8 % either way, while all drifts.
func TestASlowerArm(t *testing.T) {
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) {
			noise, begun := noisy(seed, .08), time.Now()
			w := &world{rate: func(p loadgen.Plan) float64 {
				return noise(p) * (1 - .2*float64(p.Clients-2)) * (1 + .1*time.Since(begun).Minutes())
			}}
			arms := []experiment.Arm{plain(t, 4), plain(t, 4)}
			arms[1].Plan.Clients = 3
			f := whole(t, w, experiment.Compare(arms, nil, experiment.Rules{Seed: seed})).Results[0].Findings[1]
			if f.Verdict.Kind != paired.Slower || f.Ratio < .7 || f.Ratio > .9 {
				t.Errorf("seed %d: %+v", seed, f)
			}
		})
	}
}

func TestMatrix(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		noise := noisy(1, .005)
		w := &world{rate: func(p loadgen.Plan) float64 {
			if p.Workload.Mix.String() == "get" {
				p.Pipeline = 1 // it makes no difference there
			}
			return noise(p)
		}}
		cases := []experiment.Case{{Title: "SET", Mix: mixOf(t, "set")}, {Title: "GET", Mix: mixOf(t, "get")}, {Title: "INCR", Mix: mixOf(t, "incr")}}
		c := experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 2)}, cases, experiment.Rules{Pairs: 20})
		s := whole(t, w, c)
		for k, want := range []paired.Kind{paired.Faster, paired.NoDifference, paired.Faster} {
			o := s.Results[k]
			if f := o.Findings[1]; f.Verdict.Kind != want || !o.Done || o.Case.Title != cases[k].Title {
				t.Errorf("%s: %+v", o.Case.Title, f)
			}
			for _, m := range o.Arms {
				if m.Command != strings.ToLower(o.Case.Title) || !strings.HasPrefix(m.Total.Plan, m.Command+" ") {
					t.Errorf("%s: command %q, plan %q", o.Case.Title, m.Command, m.Total.Plan)
				}
			}
		}
		// Three comparisons: eight pairs are not enough for p < 0.01 after correction.
		if n := s.Results[0].Findings[1].Pairs; n != 10 {
			t.Errorf("SET was decided after %d pairs, want 10", n)
		}
		if f := s.Results[1].Findings[1]; f.Pairs != 8 {
			t.Errorf("GET was decided after %d pairs, want 8", f.Pairs)
		}
		if set, get := s.Results[0].Findings[1], s.Results[1].Findings[1]; set.P < 3*set.Raw-1e-9 && set.P < 2*set.Raw || get.P < get.Raw {
			t.Errorf("p is not corrected: %+v %+v", set, get)
		}
	})
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{rate: noisy(1, .3)}
		c := experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 1)}, nil, experiment.Rules{})
		first := c.Snapshot()
		if first.Left != 2*30+8+3 || len(first.Results) != 1 || first.Results[0].Findings[1].P != 1 {
			t.Errorf("before Run: %d rounds left, %+v", first.Left, first.Results)
		}
		if first.Phase != experiment.Preparing || len(first.Arms) != 2 || first.Arms[1].Live == nil || first.Rules.Round != time.Second || first.Rules.Pairs != 30 {
			t.Errorf("before Run: %+v", first)
		}
		end := begin(t, w, c)
		wait(t, "a first pair", func() bool { return c.Snapshot().Phase == experiment.Measuring })
		if s := c.Snapshot(); s.Pair != 1 || s.Left != 2*30+8 {
			t.Errorf("pair %d, %d rounds left; want 1 and 68", s.Pair, s.Left)
		}
		last, twin := c.Snapshot(), false
		for c.Snapshot().Phase == experiment.Measuring {
			s := c.Snapshot()
			if s.Left > last.Left || s.Pair < last.Pair || s.Elapsed < last.Elapsed {
				t.Fatalf("%d rounds left in pair %d, and then %d in pair %d", last.Left, last.Pair, s.Left, s.Pair)
			}
			if s.Active >= 0 && s.Twin {
				t.Error("an arm and the twin under load")
			}
			twin = twin || s.Twin
			if s.Active >= 0 && s.Arms[1-s.Active].Live.State != stats.Paused {
				t.Errorf("arm %d is active, the other one %v", s.Active, s.Arms[1-s.Active].Live.State)
			}
			last = s
			time.Sleep(40 * time.Millisecond)
		}
		wait(t, "the last pair", func() bool { return c.Snapshot().Phase == experiment.Decided })
		if s := c.Snapshot(); s.Left != 0 || !twin || s.Results[0].Findings[1].Pairs != 30 || len(s.Results[0].Twins) != 8 {
			t.Errorf("decided with %d rounds left, twin seen %v, %d twins", s.Left, twin, len(s.Results[0].Twins))
		}
		if s, err := end(); err != nil || s.Partial || s.Phase != experiment.Ended {
			t.Errorf("ended as %v, partial %v, %v", s.Phase, s.Partial, err)
		}
	})
}

// TestOpenLoop: where every arm has a rate, what is compared is p99, and less is
// better.
func TestOpenLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		arms := []experiment.Arm{plain(t, 1), plain(t, 2)}
		arms[0].Plan.Rate, arms[1].Plan.Rate = 1000, 2000
		s := whole(t, &world{rate: noisy(1, .01)}, experiment.Compare(arms, nil, experiment.Rules{}))
		o := s.Results[0]
		if f := o.Findings[1]; o.Metric != experiment.TailP99 || f.Verdict.Kind != paired.Faster || f.Ratio > .6 {
			t.Errorf("%s: %+v", o.Metric, f)
		}
		if m := o.Arms[0].Median; m < 1.9e6 || m > 2.1e6 {
			t.Errorf("median p99 %v, want 2 ms in nanoseconds", m)
		}
		arms[1].Plan.Rate = 0
		if o := whole(t, &world{rate: noisy(1, .01)}, experiment.Compare(arms, nil, experiment.Rules{})).Results[0]; o.Metric != experiment.Throughput {
			t.Errorf("one arm of two in open loop: %s", o.Metric)
		}
	})
}

func TestRunsThatFail(t *testing.T) {
	for _, tt := range []struct {
		world *world
		want  string
	}{
		{&world{failing: errors.New("dial 127.0.0.1:1: refused")}, "arm P=1: dial 127.0.0.1:1: refused"},
		{&world{explode: "boom"}, "panic in run of arm P=1: boom"},
	} {
		synctest.Test(t, func(t *testing.T) {
			tt.world.rate = noisy(1, 0)
			c := experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 2)}, nil, experiment.Rules{})
			experiment.Simulate(c, tt.world.start)
			s, err := c.Run(t.Context())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
			if !s.Partial || s.Phase != experiment.Ended || !strings.Contains(s.Reason, tt.want) || strings.Contains(s.Reason, "\n") {
				t.Errorf("partial %v: %q", s.Partial, s.Reason)
			}
		})
	}
}

func TestStoppedInTheMiddle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{rate: noisy(1, .01)}
		c := experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 2)}, nil, experiment.Rules{})
		end := begin(t, w, c)
		wait(t, "pair 5", func() bool { return c.Snapshot().Pair == 5 })
		begun := time.Now()
		s, err := end()
		if err != nil || !s.Partial || s.Reason != "stopped" || s.Phase != experiment.Ended {
			t.Errorf("ended as %v, partial %v (%s), %v", s.Phase, s.Partial, s.Reason, err)
		}
		if n := len(s.Results[0].Arms[0].Rounds); n < 4 || s.Results[0].Findings[1].Verdict.Kind != paired.CannotTell {
			t.Errorf("%d rounds, %+v", n, s.Results[0].Findings[1])
		}
		if took := time.Since(begun); took > 50*time.Millisecond {
			t.Errorf("took %v to end", took)
		}
	})
}

// TestRoundsThatCannotBegin: they count as rounds without replies, and after four
// pairs of them a comparison that nobody watches gives up.
func TestRoundsThatCannotBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{rate: noisy(1, .01), frozen: true}
		s := whole(t, w, experiment.Compare([]experiment.Arm{plain(t, 1), plain(t, 2)}, nil, experiment.Rules{Pairs: 8}))
		for _, m := range s.Results[0].Arms {
			if len(m.Rounds) != 4 || m.High != 0 || m.Total.Counters.Replies != 0 {
				t.Errorf("%d rounds up to %v", len(m.Rounds), m.High)
			}
		}
		if len(s.Notes) == 0 || !s.Notes[0].Warning || !strings.Contains(s.Notes[0].Text, "the server does not answer") {
			t.Errorf("notes %+v", s.Notes)
		}
		if f := s.Results[0].Findings[1]; f.Verdict.Kind != paired.CannotTell {
			t.Errorf("nothing against nothing: %+v", f)
		}
		if !s.Partial || s.Reason != "no replies from any arm" {
			t.Errorf("partial %v (%s)", s.Partial, s.Reason)
		}
		if s.Elapsed > 2*time.Minute {
			t.Errorf("took %v", s.Elapsed)
		}
	})
}

func TestArmsThatCannotBeCompared(t *testing.T) {
	one := []experiment.Arm{plain(t, 1)}
	bad := []experiment.Arm{plain(t, 1), plain(t, 1)}
	bad[1].Plan.Clients = 0
	for want, arms := range map[string][]experiment.Arm{
		"1 arms: a comparison takes 2 to 6": one,
		"7 arms":                            {one[0], one[0], one[0], one[0], one[0], one[0], one[0]},
		"arm P=1: clients 0":                bad,
	} {
		if s, err := experiment.Compare(arms, nil, experiment.Rules{}).Run(context.Background()); err == nil || !strings.Contains(err.Error(), want) || s == nil {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestDoubts: what makes rounds uncertain is told once, before they are measured.
func TestDoubts(t *testing.T) {
	own := workload.Mix{{Test: workload.Test{Custom: true, Title: "SET x", Args: []string{"SET", "fullbore:x", "__data__"}}, Weight: 1}}
	for want, change := range map[string]func(*world, *loadgen.Plan){
		"": func(*world, *loadgen.Plan) {},
		"arm P=2: a round has 10.0 round trips of 100ms only": func(_ *world, p *loadgen.Plan) { p.RTT = 100 * time.Millisecond },
		"arm P=2: not all of its 2 clients":                   func(w *world, _ *loadgen.Plan) { w.missing = 1 },
		"arm P=2: the commands name their keys themselves":    func(_ *world, p *loadgen.Plan) { p.Workload.Mix, p.Workload.Payload = own, 10 },
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &world{rate: noisy(1, .01)}
			arms := []experiment.Arm{plain(t, 1), plain(t, 2)}
			change(w, &arms[1].Plan)
			s := whole(t, w, experiment.Compare(arms, nil, experiment.Rules{Pairs: 8}))
			told := slices.DeleteFunc(slices.Clone(s.Notes), func(n stats.Note) bool { return !n.Warning || !strings.HasPrefix(n.Text, want) })
			if want == "" && len(s.Notes) != 0 || want != "" && len(told) != 1 {
				t.Errorf("notes %+v, want %q", s.Notes, want)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		arms := []experiment.Arm{plain(t, 1), plain(t, 2)}
		arms[0].Plan.Rate, arms[1].Plan.Rate = 100, 5000
		s := whole(t, &world{rate: noisy(1, .01)}, experiment.Compare(arms, nil, experiment.Rules{Pairs: 8}))
		if len(s.Notes) != 1 || s.Notes[0].Text != "arm P=1: the p99 of a round rests on 100 batches: --round 10s would do" {
			t.Errorf("notes %+v", s.Notes)
		}
	})
}

// TestLongReplies: what is still in flight has time to come before the next arm's round.
func TestLongReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		arms := []experiment.Arm{plain(t, 1), plain(t, 2)}
		arms[1].Plan.Clients = 4000 // at 2000/s two seconds for each
		s := whole(t, &world{rate: noisy(1, .01)}, experiment.Compare(arms, nil, experiment.Rules{Pairs: 8}))
		if len(s.Notes) != 1 || !strings.HasPrefix(s.Notes[0].Text, "arm P=2: replies take longer than the 250ms") {
			t.Errorf("notes %+v", s.Notes)
		}
		o := s.Results[0]
		for _, slow := range o.Arms[1].Rounds {
			for _, r := range slices.Concat(o.Arms[0].Rounds, o.Twins) {
				if d := r.At - slow.At; d > 0 && d < 3200*time.Millisecond {
					t.Errorf("a round ended %v after that of the slow arm", d)
				}
			}
		}
	})
}
