package experiment

import (
	"os"
	"slices"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
)

// readHost is this machine now; the zero value where nobody looks.
func (e *course) readHost() insight.HostReading {
	if e.host == nil {
		return insight.HostReading{}
	}
	return e.host.Read(time.Now(), insight.OwnCPU())
}

// hostSince is what this machine did since it was read.
func (e *course) hostSince(before insight.HostReading) insight.Told[insight.HostDelta] {
	if e.host == nil {
		return insight.Told[insight.HostDelta]{}
	}
	d, ok := insight.HostBetween(before, e.readHost())
	return insight.Told[insight.HostDelta]{Value: d, Known: ok}
}

// evidence is what is known of a round of s: what it measured, and what machine and
// server did from before its settling until after its end.
func (e *course) evidence(s *side, seg stats.Segment, host insight.Told[insight.HostDelta], server insight.Told[insight.Delta]) insight.Evidence {
	way := e.wayTo(s)
	n, p := seg.Counters, s.plan
	v := insight.Evidence{
		Elapsed: seg.Measured, Replies: n.Replies, Errors: n.Errors, In: n.BytesIn, Out: n.BytesOut,
		Clients: p.Clients, Pipeline: p.Pipeline, Paced: p.Rate, Simulated: p.RTT,
		Local: way.Local, Link: way.Link, Interface: way.Interface, Host: host, Server: server,
	}
	if server.Value.Server.Process == insight.Tell(int64(os.Getpid())) && way.Local {
		v.Host.Value.CPU = insight.Told[time.Duration]{} // the built-in server's time is in it
	}
	took := seg.Latency
	if p.Rate > 0 {
		took = seg.Service
	}
	v.Latency, _ = took.Mean()
	if rtt := s.place.Info.RTT; rtt > 0 || p.RTT > 0 {
		v.RoundTrip = insight.Tell(rtt + p.RTT)
	}
	now := s.load.Snapshot()
	if !p.Reconnect {
		v.Missing = max(0, now.Clients-now.Connected)
	}
	if i := slices.IndexFunc(now.Faults, func(f stats.Fault) bool { return f.Class == stats.ReplyFault }); i >= 0 {
		v.FirstError = now.Faults[i].Text
	}
	return v
}

// wayTo is how the side's server is reached, looked up once.
func (e *course) wayTo(s *side) loadgen.Way {
	if e.system == nil {
		return loadgen.Way{}
	}
	w, ok := e.ways[s.place.Target]
	if !ok {
		w = loadgen.WayTo(s.place.Target, e.system)
		e.ways[s.place.Target] = w
	}
	return w
}

// bookLimiter enters what held the latest round of s back.
func (e *course) bookLimiter(s *side, v insight.Evidence) {
	if s.twin || e.host == nil {
		return
	}
	e.results = slices.Clone(e.results)
	o := &e.results[e.caseAt]
	o.Arms = slices.Clone(o.Arms)
	m := &o.Arms[s.arm]
	m.Rounds = slices.Clone(m.Rounds)
	m.Rounds[len(m.Rounds)-1].Limiter = insight.Decide(v)
	m.Limiter = mostly(m.Rounds)
}

// mostly is the limiter of most rounds, with the numbers of the latest that has it.
func mostly(rounds []Round) (most insight.Limiter) {
	count := map[string]int{}
	for _, r := range rounds {
		name := r.Limiter.Name
		if name == "" {
			continue
		}
		count[name]++
		if count[name] >= count[most.Name] {
			most = r.Limiter
		}
	}
	return most
}

// bind is the finding of arm i, without a claim where the load generator was the limit
// of a side and its CPU is what was compared. That of the faster side alone only hides by
// how much it is faster. Arms that differ in the threads of the load generator are a
// question to just that, and what the server itself says of both arms (M24) may bear a
// claim out.
func (e *course) bind(o Outcome, i int) paired.Finding {
	f, a := o.Findings[i], e.set.Reference
	if f.Pairs < LeastPairs || e.arms[i].Threads != e.arms[a].Threads || e.bornOut(f, o, i) {
		return f
	}
	bound := func(arm int) bool { return o.Arms[arm].Limiter.Name == insight.ByClient }
	if k := f.Verdict.Kind; o.Metric == Throughput && (k == paired.Faster && !bound(a) || k == paired.Slower && !bound(i)) {
		return f
	}
	return f.Bind(bound(a), bound(i), paired.Words{A: e.arms[a].Label, B: e.arms[i].Label})
}

// bornOut reports that the server's main thread spends less on each command of the arm
// that is called faster, by more than the practical limit: then it is faster whoever
// was the limit, and the load generator only hides by how much.
func (e *course) bornOut(f paired.Finding, o Outcome, i int) bool {
	theirs, known := o.Arms[e.set.Reference].Server.PerCommand()
	ours, told := o.Arms[i].Server.PerCommand()
	if !known || !told || ours <= 0 || theirs <= 0 || o.Metric != Throughput {
		return false
	}
	cheaper, limit := float64(theirs)/float64(ours), 1+e.rules.Practical
	switch f.Verdict.Kind {
	case paired.Faster:
		return cheaper > limit
	case paired.Slower:
		return 1/cheaper > limit
	}
	return false
}
