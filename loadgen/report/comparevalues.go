package report

import (
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/stats"
)

// jsonSide is an arm as it was set up.
func (c contrast) jsonSide(a contender) jsonArm {
	p, place := a.arm.Plan, a.arm.Place
	h := About(place.Target, place.Info)
	return jsonArm{
		Letter: a.letter, Label: a.label, Clients: p.Clients, Pipeline: p.Pipeline, Batch: p.Batch.String(),
		DataSize: p.Workload.Payload, Keyspace: p.Workload.Keys.Size, Load: p.Load(), Rate: maybe(p.Rate, p.Rate > 0),
		RTT: maybeMillis(p.RTT, p.RTT > 0), Threads: maybe(float64(a.arm.Threads), a.arm.Threads > 0), Plan: c.told(a.planWords()),
		Server: jsonArmServer{
			jsonServer: jsonServer{
				Name: h.Server.Name, Version: h.Server.Version, Mode: h.Server.Mode, Address: h.Server.Address, TLS: h.Server.TLS,
				Origin: c.told(place.Origin), Save: h.Save, Appendonly: h.Appendonly,
			},
			Command: c.told(place.Command), Replicas: place.Replicas,
		},
		Tests: []jsonArmTest{}, Faults: []jsonFault{},
	}
}

// jsonArm is an arm with everything that it has shown.
func (c contrast) jsonArm(a contender) jsonArm {
	out := c.jsonSide(a)
	for _, o := range c.s.Results {
		out.Tests = append(out.Tests, c.jsonArmTest(o, a))
	}
	// Each test, and each stretch before a change, is a plan of its own.
	out.Nodes = jsonNodes(a.live.Nodes, max(1, len(c.s.Results))+len(c.s.Earlier))
	whole := a.whole()
	out.Errors, out.Lost = newJSONErrors(whole), whole.Total.Lost
	out.Errors.FirstText = c.told(out.Errors.FirstText)
	for _, f := range troubles(whole.Faults) {
		out.Faults = append(out.Faults, jsonFault{string(f.Class), f.Code, c.told(f.Text), f.Count})
	}
	return out
}

func (c contrast) jsonArmTest(o experiment.Outcome, a contender) jsonArmTest {
	m := a.measured(o)
	out := jsonArmTest{
		Test: c.title(o), Metric: string(o.Metric), Unit: unitOf(o.Metric),
		Median: plainValue(o.Metric, m.Median), Low: plainValue(o.Metric, m.Low), High: plainValue(o.Metric, m.High),
		Spread: maybe(spreadOf(m.Median, m.Low, m.High)), Rounds: jsonRounds(o.Metric, m.Rounds),
		Total: newJSONTotal(a.outcome(o)),
	}
	if len(c.arms) > 0 && a.index == c.arms[0].index && len(o.Twins) > 0 {
		out.Twins = jsonRounds(o.Metric, o.Twins)
	}
	main, haveMain := mainPerCommand(m)
	call, haveCall := timePerCall(m)
	out.Server = jsonCost{maybe(main, haveMain), maybe(call, haveCall)}
	out.Told = newJSONServerFacts(m.Server.Server, m.Server.Is, m.Server)
	out.Limiter = newJSONLimiter(m.Limiter)
	return out
}

// unitOf is that of the values of a metric in documents.
func unitOf(m experiment.Metric) string {
	if m == experiment.TailP99 {
		return "ms"
	}
	return "requests/s"
}

// plainValue is a value of a metric in unitOf; null where nothing happened.
func plainValue(m experiment.Metric, v float64) *float64 {
	if m == experiment.TailP99 {
		v /= float64(time.Millisecond)
	}
	return maybe(v, v > 0)
}

// jsonRounds is never nil: an empty list is a list.
func jsonRounds(m experiment.Metric, rounds []experiment.Round) []jsonRound {
	out := []jsonRound{}
	for _, r := range rounds {
		s := r.Segment
		out = append(out, jsonRound{
			Pair: r.Pair, At: r.At.Seconds(), Value: plainValue(m, r.Value), Limiter: r.Limiter.Name, Seconds: s.Measured.Seconds(), RPS: maybe(s.Throughput()),
			Replies: s.Counters.Replies, Errors: s.Counters.Errors, Lost: s.Counters.Lost, Latency: newJSONLatency(s.Latency),
		})
	}
	return out
}

func newJSONTotal(r loadgen.Result) jsonTotal {
	s := whole(r)
	out := jsonTotal{
		jsonMeasured: newJSONMeasured(s), Errors: s.Counters.Errors, Lost: s.Counters.Lost, HitRate: maybe(s.Counters.HitRate()),
	}
	if s.Measured == 0 && s.Counters == (stats.Counters{}) {
		return out // nothing to doubt
	}
	for _, d := range doubts(r) {
		out.Warnings = append(out.Warnings, d.text)
	}
	return out
}

// jsonFindings are those of every case and arm but the reference.
func (c contrast) jsonFindings(results []experiment.Outcome) []jsonFinding {
	out := []jsonFinding{}
	for _, o := range results {
		for _, b := range c.others() {
			f := b.finding(o)
			known := f.Pairs > 0
			told := known && c.mute(o, b) == ""
			a := c.arms[0]
			contrary, _ := c.contradiction(o, b)
			out = append(out, jsonFinding{
				Test: c.title(o), A: a.letter, B: b.letter, LabelA: a.label, LabelB: b.label, Metric: string(o.Metric), Pairs: f.Pairs,
				Ratio: maybe(f.Ratio, told), Low: maybe(f.Low, told), High: maybe(f.High, told), Noise: maybe(f.Noise, told),
				Confidence: maybe(f.Confidence, told),
				P:          maybe(f.P, known), Raw: maybe(f.Raw, known), Floor: maybe(f.Floor, len(o.Twins) > 0),
				More:    maybe(float64(f.More), f.More > 0),
				Verdict: jsonVerdict{string(f.Verdict.Kind), c.verdictText(o, b), string(f.Why)}, Contrary: contrary, Done: o.Done,
			})
		}
	}
	return out
}

func (c contrast) jsonStretch(e experiment.Series) jsonStretch {
	out := jsonStretch{Plans: []string{}, Tests: []jsonOldTest{}, Comparisons: c.jsonFindings(e.Results)}
	for _, a := range c.arms {
		plan := ""
		if a.index < len(e.Plans) {
			plan = c.told(e.Plans[a.index])
		}
		out.Plans = append(out.Plans, plan)
	}
	for _, o := range e.Results {
		for _, a := range c.arms {
			out.Tests = append(out.Tests, jsonOldTest{a.letter, c.jsonArmTest(o, a)})
		}
	}
	return out
}

// jsonAverages is never nil.
func (c contrast) jsonAverages() []jsonAverage {
	out := []jsonAverage{}
	sums, _ := c.averages()
	add := func(name string, of func(averages) mean) {
		if len(sums) == 0 || sums[0].all.n < 2 || of(sums[0]).n == 0 {
			return
		}
		a := jsonAverage{Of: name, Tests: of(sums[0]).n, RPS: map[string]float64{}}
		for i, arm := range c.arms {
			a.RPS[arm.letter] = of(sums[i]).value()
		}
		out = append(out, a)
	}
	add("tests that write", writingMean)
	add("all tests", allMean)
	return out
}
