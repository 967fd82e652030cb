package tui

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// fakeContest is a comparison without a server: it keeps what it was asked, and
// publishes what it is told to.
type fakeContest struct {
	snap    atomic.Pointer[experiment.State]
	arms    []experiment.Arm
	cases   []experiment.Case
	applied func(experiment.Settings) error                  // nil = accept
	running func(context.Context) (*experiment.State, error) // nil = until ctx ends
	onApply func(c *fakeContest, set experiment.Settings)    // after set was accepted; may be nil

	mu   sync.Mutex
	sets []experiment.Settings
}

func (c *fakeContest) Run(ctx context.Context) (*experiment.State, error) {
	if c.running != nil {
		return c.running(ctx)
	}
	<-ctx.Done()
	return c.snap.Load(), nil
}

func (c *fakeContest) Apply(set experiment.Settings) error {
	if c.applied != nil {
		if err := c.applied(set); err != nil {
			return err
		}
	}
	if c.onApply != nil {
		c.onApply(c, set) // first: whoever sees the setting looks at its effect
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sets = append(c.sets, set)
	return nil
}

func (c *fakeContest) Snapshot() *experiment.State { return c.snap.Load() }

func (c *fakeContest) got() []experiment.Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]experiment.Settings(nil), c.sets...)
}

// place is the server of every arm that says nothing else.
func place() experiment.Place {
	return experiment.Place{Target: target.TCP("127.0.0.1", 6379), Info: target.Info{Server: "redis", Version: "7.0.15", Mode: "standalone"}}
}

// armsOf are arms with these depths of pipeline.
func armsOf(depths ...int) []experiment.Arm {
	var arms []experiment.Arm
	for _, p := range depths {
		a := experiment.Arm{Plan: firstPlan(), Place: place()}
		a.Plan.Pipeline = p
		a.Label = "P=" + count(int64(p))
		arms = append(arms, a)
	}
	return arms
}

// wobble is a disturbance of a few per cent that is the same on every run.
func wobble(i, arm int) float64 { return 1 + .03*math.Sin(float64(i)*2.3+float64(arm)) }

// measuredArm is that many rounds of a second at about a rate.
func measuredArm(arm, pairs int, rate float64, p50 time.Duration, p loadgen.Plan) experiment.Measured {
	m := experiment.Measured{Command: "set", Low: math.Inf(1)}
	total := stats.Segment{Clients: p.Clients, Pipeline: p.Pipeline, Target: p.Rate, Plan: p.String(), Latency: latencyOf(p50/2, p50/1000)}
	for i := 1; i <= pairs; i++ {
		v := rate * wobble(i, arm)
		g := total
		n := int64(v)
		g.Measured, g.Counters = time.Second, stats.Counters{Sent: n, Replies: n, BytesIn: 5 * n, BytesOut: 90 * n}
		m.Rounds = append(m.Rounds, experiment.Round{Pair: i, At: time.Duration(i) * 2500 * time.Millisecond, Value: v, Segment: g})
		m.Total.Measured += g.Measured
		m.Low, m.High = min(m.Low, v), max(m.High, v)
		total.Counters.Sent, total.Counters.Replies = total.Counters.Sent+n, total.Counters.Replies+n
		total.Counters.BytesIn, total.Counters.BytesOut = total.Counters.BytesIn+5*n, total.Counters.BytesOut+90*n
	}
	total.Measured = m.Total.Measured
	m.Total, m.Median = total, rate
	if pairs == 0 {
		return experiment.Measured{}
	}
	n := total.Counters.Replies
	m.Server = insight.Delta{Commands: n, Main: time.Duration(float64(n) * 1e9 / rate * .9),
		Calls: map[string]insight.Call{"set": {Calls: n, Time: time.Duration(n) * 800}}}
	return m
}

// fixedState is a comparison of these arms after so many pairs. Depth 1 makes 168,420
// requests a second, and every other 1,139,512.
func fixedState(arms []experiment.Arm, pairs int) *experiment.State {
	s := &experiment.State{
		Phase: experiment.Measuring, Active: 1, Pair: pairs + 1, Elapsed: 102 * time.Second, Left: 12,
		Rules: experiment.Rules{Round: time.Second, Settle: 250 * time.Millisecond, Pairs: 30, Practical: .03},
	}
	out := experiment.Outcome{Metric: experiment.Throughput}
	for i, a := range arms {
		rate, p50 := 1_139_512., 231*time.Microsecond
		if a.Plan.Pipeline == 1 {
			rate, p50 = 168_420, 58*time.Microsecond
		}
		out.Arms = append(out.Arms, measuredArm(i, pairs, rate, p50, a.Plan))
		f := paired.Finding{Pairs: pairs, P: 1, Raw: 1, Floor: .012}
		if pairs == 0 {
			f.Floor = 0
		}
		if i > 0 && pairs > 0 {
			f.Ratio = out.Arms[i].Median / max(1, out.Arms[0].Median)
			f.Low, f.High = f.Ratio*.97, f.Ratio*1.03
			f.Verdict = paired.Verdict{Kind: paired.Faster, Text: "faster"}
			if f.Low < 1 {
				f.Verdict, f.Why, f.Noise, f.More = paired.Verdict{Kind: paired.CannotTell, Text: "cannot tell"}, paired.Noisy, .03, 9
			}
		}
		out.Findings = append(out.Findings, f)
		live := &stats.Snapshot{State: stats.Paused, Clients: 50, Connected: 50}
		for k := range 10 {
			live.Points = append(live.Points, stats.Point{At: time.Duration(k) * 100 * time.Millisecond, Span: 100 * time.Millisecond, Replies: int64(rate / 10)})
		}
		s.Arms = append(s.Arms, experiment.Side{Arm: a, Live: live})
	}
	s.Results = []experiment.Outcome{out}
	return s
}

// newBout is a running comparison of 80x24 that has seen a state after twelve pairs.
func newBout(t *testing.T, arms []experiment.Arm, change ...func(*Options)) (*desk, *fakeContest) {
	t.Helper()
	c := &fakeContest{}
	d := newDesk(t, append([]func(*Options){comparing(c, 12), func(o *Options) { o.Comparison.Arms = arms }}, change...)...)
	return d, c
}

// comparing has a fake contest start at the state after so many pairs.
func comparing(c *fakeContest, pairs int) func(*Options) {
	return func(o *Options) {
		o.Comparison.Place = place()
		o.Comparison.Save = func(*experiment.State) (string, error) { return "fullbore-compare-1.json", nil }
		o.Comparison.Start = func(arms []experiment.Arm, cases []experiment.Case, _ experiment.Rules) Contest {
			c.arms, c.cases = arms, cases
			if c.snap.Load() == nil {
				s := fixedState(arms, pairs)
				for i, k := range cases {
					if i > 0 {
						s.Results = append(s.Results, fixedState(arms, pairs).Results[0])
					}
					s.Results[i].Case = k
				}
				c.snap.Store(s)
			}
			return c
		}
	}
}

// cases are those of three tests.
func cases(t testing.TB) []experiment.Case {
	t.Helper()
	var out []experiment.Case
	for _, name := range []string{"set", "get", "incr"} {
		mix, err := workload.ParseMix(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, experiment.Case{Title: name, Mix: mix})
	}
	return out
}

// contending gives the helper process a comparison, which may break or hang.
func contending(o Options, e *fakeEngine, has func(string) bool) Options {
	e.onApply = pausing
	c := &fakeContest{}
	comparing(c, 12)(&o)
	hold := make(chan struct{})
	switch {
	case has("breaking"):
		c.running = func(context.Context) (*experiment.State, error) {
			time.Sleep(300 * time.Millisecond)
			panic("an arm broke")
		}
	case has("hanging"):
		c.running = func(context.Context) (*experiment.State, error) { <-hold; return nil, nil }
	}
	return o
}

// versus goes over to the comparison and then types.
func versus(keys string) func(*console) {
	return func(c *console) {
		c.types("c")
		c.sees("A/B")
		c.sees("running")
		c.types(keys)
	}
}
