package report_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/report"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

const password = "hunter2-secret"

// rules are those of every comparison here.
func rules() experiment.Rules {
	return experiment.Rules{Round: time.Second, Settle: 250 * time.Millisecond, Pairs: 30, Practical: .03, Seed: 7}
}

// arm is a side with a plan of P=1 that change makes its own, at a server with a
// password.
func arm(t testing.TB, label string, change func(*experiment.Arm)) experiment.Arm {
	t.Helper()
	a := experiment.Arm{Label: label, Plan: plan(t, "set"), Place: experiment.Place{
		Target: target.Target{Network: "tcp", Address: "127.0.0.1:6379", Username: "joe", Password: password},
		Info:   target.Info{Server: "redis", Version: "7.0.15", Mode: "standalone", Config: map[string]string{"save": "", "appendonly": "no"}},
	}}
	a.Plan.Pipeline = 1
	if change != nil {
		change(&a)
	}
	return a
}

func depth(p int) func(*experiment.Arm) { return func(a *experiment.Arm) { a.Plan.Pipeline = p } }

// wobble is a disturbance of a few per cent that is the same on every run.
func wobble(i int) float64 { return 1 + .03*math.Sin(float64(i)*2.3) }

// lap is a round of one second with that throughput and latencies.
func lap(pair int, rate float64, h *stats.Histogram) experiment.Round {
	n := int64(rate)
	s := stats.Segment{
		Measured: time.Second, Latency: h.Summary(n), Clients: 50,
		Counters: stats.Counters{Sent: n, Replies: n, Keys: n, Batches: n, BytesIn: 5 * n, BytesOut: 50 * n},
	}
	return experiment.Round{Pair: pair, At: time.Duration(pair) * 2500 * time.Millisecond, Value: rate, Segment: s}
}

// measured is an arm of that many rounds around a rate; values are what of each round
// tells.
func measuredArm(rounds []experiment.Round, p loadgen.Plan) experiment.Measured {
	m := experiment.Measured{Rounds: rounds, Total: stats.Segment{Clients: p.Clients, Pipeline: p.Pipeline, Target: p.Rate}}
	var values []float64
	for _, r := range rounds {
		m.Total.Counters.Add(r.Segment.Counters)
		m.Total.Measured += r.Segment.Measured
		values = append(values, r.Value)
	}
	if len(rounds) == 0 {
		return m
	}
	m.Total.Latency = latencies(5000, 24*time.Microsecond, 700*time.Microsecond/time.Duration(p.Pipeline), m.Total.Counters.Replies)
	if p.Rate > 0 {
		m.Total.Service, m.Total.Lag = m.Total.Latency, latencies(2000, 100, 900, m.Total.Counters.Replies)
	}
	slices.Sort(values)
	n := len(values)
	m.Median, m.Low, m.High = (values[(n-1)/2]+values[n/2])/2, values[0], values[n-1]
	m.Server = insight.Delta{
		Commands: m.Total.Counters.Replies, Main: time.Duration(m.Total.Counters.Replies) * 1234 * time.Nanosecond,
		Calls: map[string]insight.Call{"set": {Calls: 1000, Time: 700 * time.Microsecond * time.Duration(p.Pipeline)}},
	}
	m.Command = "set"
	return m
}

// lapsAt are rounds around a rate.
func lapsAt(pairs int, rate float64, shift int) []experiment.Round {
	h := samples(500, 50*time.Microsecond, 200*time.Microsecond)
	var out []experiment.Round
	for i := range pairs {
		out = append(out, lap(i+1, math.Round(rate*wobble(i+shift)), h))
	}
	return out
}

// outcome is a case of arms with those rates, judged as the engine does.
func outcome(t testing.TB, title string, arms []experiment.Arm, rates ...float64) experiment.Outcome {
	t.Helper()
	o := experiment.Outcome{Case: experiment.Case{Title: title}, Metric: experiment.Throughput, Done: true}
	if title != "" {
		o.Case.Mix = plan(t, title).Workload.Mix
	}
	for i, a := range arms {
		o.Arms = append(o.Arms, measuredArm(lapsAt(12, rates[i], 5*i), a.Plan))
	}
	o.Twins = lapsAt(8, rates[0]*1.002, 3)
	judge(&o)
	return o
}

// judge fills in the findings of an outcome.
func judge(o *experiment.Outcome) {
	lower := o.Metric == experiment.TailP99
	var cs []paired.Comparison
	for _, m := range o.Arms {
		c := paired.Comparison{Lower: lower}
		for i, r := range m.Rounds {
			c.Pairs = append(c.Pairs, paired.Pair{A: o.Arms[0].Rounds[i].Value, B: r.Value})
		}
		for i, r := range o.Twins {
			c.Twins = append(c.Twins, paired.Pair{A: o.Arms[0].Rounds[i].Value, B: r.Value})
		}
		cs = append(cs, c)
	}
	o.Findings = paired.Judge{}.All(cs)
	o.Findings[0] = paired.Finding{}
}

// stateOf is a comparison that ended as planned.
func stateOf(arms []experiment.Arm, results ...experiment.Outcome) *experiment.State {
	s := &experiment.State{Phase: experiment.Ended, Rules: rules(), Elapsed: 42 * time.Second, Active: -1, Results: results}
	for i, a := range arms {
		live := &stats.Snapshot{State: stats.Done}
		for _, o := range results {
			live.Total.Add(o.Arms[i].Total.Counters)
		}
		s.Arms = append(s.Arms, experiment.Side{Arm: a, Live: live})
	}
	return s
}

// duel is one test at P=1 and P=16.
func duel(t testing.TB) *experiment.State {
	arms := []experiment.Arm{arm(t, "P=1", nil), arm(t, "P=16", depth(16))}
	return stateOf(arms, outcome(t, "set", arms, 168_420, 1_139_512))
}

// trio is R1: three tests at P=1 and P=16.
func trio(t testing.TB) *experiment.State {
	arms := []experiment.Arm{arm(t, "P=1", nil), arm(t, "P=16", depth(16))}
	return stateOf(arms,
		outcome(t, "set", arms, 38_617, 519_480), outcome(t, "get", arms, 37_411, 37_450), outcome(t, "incr", arms, 40_308, 40_308*.95))
}

// contrary is GET above SET by the load, while the server executes it for longer.
func contrary(t testing.TB) *experiment.State {
	arms := []experiment.Arm{arm(t, "base", nil), arm(t, "t=get", func(a *experiment.Arm) { a.Plan.Workload.Mix = plan(t, "get").Workload.Mix })}
	s := stateOf(arms, outcome(t, "", arms, 33_411, 38_617))
	b := &s.Results[0].Arms[1]
	b.Command, b.Server.Calls = "get", map[string]insight.Call{"get": {Calls: 1000, Time: 900 * time.Microsecond}}
	return s
}

// servers is R5: four servers of their own, two tests.
func servers(t testing.TB) *experiment.State {
	var arms []experiment.Arm
	for _, n := range []string{"1", "2", "4", "8"} {
		arms = append(arms, arm(t, "server='redis-server --io-threads "+n+" --requirepass "+password+"'", func(a *experiment.Arm) {
			a.Place.Origin, a.Place.Command = "private redis-server", "redis-server --io-threads "+n+" --requirepass "+password
			a.Place.Target.Address, a.Place.Replicas, a.Threads = "/tmp/redis-"+n+".sock", 1, 2
		}))
	}
	s := stateOf(arms, outcome(t, "set", arms, 100_000, 96_000, 116_000, 100_100), outcome(t, "get", arms, 120_000, 82_000, 173_000, 121_000))
	s.Arms[2].Live.Faults = []stats.Fault{
		{Class: stats.ReplyFault, Code: "OOM", Text: "OOM command not allowed", Count: 3},
		{Class: stats.LostFault, Code: "reset", Text: "connection reset by peer", Count: 1},
	}
	s.Arms[2].Live.Total.Errors, s.Arms[2].Live.Total.Lost = 3, 16
	s.Results[0].Arms[2].Total.Counters.Errors = 3
	return s
}

// tails is an open loop, decided on p99.
func tails(t testing.TB) *experiment.State {
	rated := func(depth int) func(*experiment.Arm) {
		return func(a *experiment.Arm) { a.Plan.Rate, a.Plan.Pipeline = 5000, depth }
	}
	arms := []experiment.Arm{arm(t, "P=1", rated(1)), arm(t, "u=redis://joe:"+password+"@10.0.0.1", rated(4))}
	o := experiment.Outcome{Case: experiment.Case{Title: "set", Mix: plan(t, "set").Workload.Mix}, Metric: experiment.TailP99, Done: true}
	h := samples(500, 50*time.Microsecond, 200*time.Microsecond)
	for i, a := range arms {
		var rounds []experiment.Round
		for j := range 12 {
			r := lap(j+1, 5000, h)
			r.Value = []float64{650_000, 480_000}[i] * wobble(j+4*i)
			rounds = append(rounds, r)
		}
		o.Arms = append(o.Arms, measuredArm(rounds, a.Plan))
		if i == 0 {
			o.Twins = slices.Clone(rounds[:8])
		}
	}
	judge(&o)
	return stateOf(arms, o)
}

// cutShort was interrupted in its third pair, after a change had begun the pairs anew.
func cutShort(t testing.TB) *experiment.State {
	s := trio(t)
	s.Phase, s.Partial, s.Reason, s.Pair = experiment.Ended, true, "interrupted", 3
	s.Earlier = []experiment.Series{{Plans: []string{"c=50 P=1", "c=50 P=8"}, Results: []experiment.Outcome{s.Results[1]}}}
	s.Notes = []stats.Note{{At: time.Second, Text: "pipeline 8 > 16: pairs begin anew"}, {Warning: true, Text: "redis://joe:" + password + "@10.0.0.1:6379 is a replica"}}
	for i := range s.Results {
		o := &s.Results[i]
		n := []int{3, 1, 0}[i]
		o.Done, o.Twins = false, o.Twins[:n]
		for k, a := range s.Arms {
			o.Arms[k] = measuredArm(o.Arms[k].Rounds[:n], a.Arm.Plan)
		}
		judge(o)
	}
	s.Results[2].Findings = nil
	return s
}

// silent is two servers of which the second never answered.
func silent(t testing.TB) *experiment.State {
	s := duel(t)
	o := &s.Results[0]
	var rounds []experiment.Round
	for i := range 12 {
		rounds = append(rounds, experiment.Round{Pair: i + 1, At: time.Duration(i) * time.Second, Segment: stats.Segment{
			Measured: time.Second, Counters: stats.Counters{Sent: 50, Lost: 50}, Gaps: stats.Gaps{Longest: time.Second, Count: 1, Total: time.Second}}})
	}
	o.Arms[1] = measuredArm(rounds, s.Arms[1].Arm.Plan)
	o.Arms[1].Total.Latency, o.Arms[1].Server = stats.Latency{}, insight.Delta{}
	judge(o)
	s.Arms[1].Live = &stats.Snapshot{State: stats.Done, Total: stats.Counters{Sent: 600, Lost: 600}}
	return s
}

// delayed is R1 at a simulated round trip, batch=multi as a third arm and the second
// one as the reference.
func delayed(t testing.TB) *experiment.State {
	far := func(p int) func(*experiment.Arm) {
		return func(a *experiment.Arm) { a.Plan.RTT, a.Plan.Pipeline = time.Millisecond, p }
	}
	arms := []experiment.Arm{arm(t, "P=16", far(16)), arm(t, "", far(1)), arm(t, "rtt=0 P=16", depth(16))}
	s := stateOf(arms, outcome(t, "", arms, 39_000, 38_000, 519_480))
	s.Reference = 1
	o := &s.Results[0]
	o.Arms[0], o.Arms[1] = o.Arms[1], o.Arms[0]
	judge(o)
	o.Arms[0], o.Arms[1] = o.Arms[1], o.Arms[0]
	o.Findings[0], o.Findings[1] = o.Findings[1], o.Findings[0]
	return s
}

// comparisons are all of them by name.
func comparisons(t testing.TB) map[string]*experiment.State {
	return map[string]*experiment.State{
		"duel": duel(t), "trio": trio(t), "servers": servers(t), "tails": tails(t), "partial": cutShort(t),
		"silent": silent(t), "contrary": contrary(t), "delayed": delayed(t), "nil": nil, "empty": {Partial: true, Reason: "interrupted", Rules: rules()},
		"unbegun": {Phase: experiment.Preparing, Rules: rules(), Arms: []experiment.Side{{Arm: arm(t, "a", nil)}, {Arm: arm(t, "b", nil)}}},
	}
}

// compared is the report of a comparison.
func compared(t testing.TB, format string, s *experiment.State) string {
	t.Helper()
	var b writer
	if err := report.Comparison(format, &b, report.Compared{Header: header(), State: s}); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// writer keeps what is written.
type writer []byte

func (w *writer) Write(p []byte) (int, error) { *w = append(*w, p...); return len(p), nil }
