package report_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// header is the same in all tests.
func header() report.Header {
	return report.Header{
		Tool: "fullbore", Version: "1.2.3",
		Server: report.Server{Name: "redis", Version: "7.0.15", Mode: "standalone", Address: "127.0.0.1:6379"},
		Origin: "private redis-server", Save: "3600 1 300 100 60 10000", Appendonly: "no",
		Started: time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC),
	}
}

// latencies summarises n samples spread evenly from low to high.
func latencies(n int, low, high time.Duration, batches int64) stats.Latency {
	return samples(n, low, high).Summary(batches)
}

func samples(n int, low, high time.Duration) *stats.Histogram {
	h := stats.NewHistogram()
	for i := range n {
		h.Record(low + (high-low)*time.Duration(i)/time.Duration(max(n-1, 1)))
	}
	return h
}

func plan(t testing.TB, mix string) loadgen.Plan {
	t.Helper()
	m, err := workload.ParseMix(mix)
	if err != nil {
		t.Fatal(err)
	}
	return loadgen.Plan{
		Clients: 50, Pipeline: 16, Requests: 2000,
		Workload: workload.Workload{Mix: m, Payload: 3, Keys: workload.KeySpace{Prefix: "fullbore:", Size: 100_000}},
	}
}

// segment is n replies in the given time, measured under p.
func segment(p loadgen.Plan, n int, span time.Duration, l stats.Latency) stats.Segment {
	return stats.Segment{
		Epoch: 1, Measured: span, Latency: l, Plan: p.String(), Target: p.Rate, Clients: p.Clients, Pipeline: p.Pipeline,
		Counters: stats.Counters{
			Sent: int64(n), Replies: int64(n), Keys: int64(n), Batches: l.Batches,
			Hits: int64(n) - int64(n)/100, Misses: int64(n) / 100, BytesIn: int64(n) * 9, BytesOut: int64(n) * 40,
		},
	}
}

// timeline is what was measured under the segments as points of a tenth of a
// second, in the order of the run. The rest of a division lands in the last point.
func timeline(segments ...stats.Segment) []stats.Point {
	const step = 100 * time.Millisecond
	var out []stats.Point
	for _, s := range segments {
		at, left, bad := s.Start, s.Counters.Replies, s.Counters.Errors
		n := int64((s.Measured + step - 1) / step)
		for i := range n {
			p := stats.Point{Span: step, Replies: s.Counters.Replies / n, Errors: s.Counters.Errors / n, Epoch: s.Epoch, Measured: true}
			if i == n-1 {
				p.Span, p.Replies, p.Errors = s.Start+s.Measured-at, left, bad
			}
			at, left, bad = at+p.Span, left-p.Replies, bad-p.Errors
			p.At = at
			out = append(out, p)
		}
	}
	return out
}

// clean is a run that went as planned: 100 commands in flight at all times.
func clean(t testing.TB) loadgen.Result {
	p := plan(t, "get")
	p.Pipeline = 2
	s := segment(p, 2000, 23*time.Millisecond, latencies(2000, 24*time.Microsecond, 2239*time.Microsecond, 2000))
	s.Distribution = samples(2000, 24*time.Microsecond, 2239*time.Microsecond).Distribution()
	s.Gaps = stats.Gaps{Longest: 3 * time.Millisecond}
	return loadgen.Result{
		Plan: p, Elapsed: 30 * time.Millisecond, Segments: []stats.Segment{s}, Total: s.Counters,
		Gaps: stats.Gaps{Longest: 3 * time.Millisecond}, Setup: 100_000, Points: timeline(s),
	}
}

// empty is a run against a server that never answered.
func empty(t testing.TB) loadgen.Result {
	return loadgen.Result{
		Plan: plan(t, "set"), Elapsed: time.Second, Partial: true, Reason: "no reply for 1s",
		Segments: []stats.Segment{{Measured: time.Second, Gaps: stats.Gaps{Longest: time.Second, Count: 1, Total: time.Second}}}, Total: stats.Counters{Sent: 800, Lost: 800},
		Faults: []stats.Fault{{Class: stats.TimeoutFault, Code: "timeout", Text: "read 127.0.0.1:6379: no reply for 1s", Count: 50}},
		Gaps:   stats.Gaps{Longest: time.Second, Count: 1, Total: time.Second},
	}
}

// faulty is a run with errors that was interrupted.
func faulty(t testing.TB) loadgen.Result {
	r := clean(t)
	r.Segments[0].Counters.Errors = 12
	r.Total.Errors, r.Total.Lost = 12, 3
	r.Partial, r.Reason = true, "interrupted"
	r.Faults = []stats.Fault{
		{Class: stats.ReplyFault, Code: "WRONGTYPE", Text: "WRONGTYPE Operation against a \x1b[31mkey\r\n holding \"x\"", Count: 9},
		{Class: stats.ReplyFault, Code: "OOM", Text: "OOM command not allowed", Count: 3},
		{Class: stats.LostFault, Code: "reset", Text: "connection reset by peer", Count: 1},
	}
	r.Notes = []stats.Note{{Warning: true, Text: "hit rate below 95 %"}, {Text: "just so"}, {Warning: true, Text: "hit rate below 95 %"}}
	r.Points = timeline(r.Segments...)
	return r
}

// stalled is case C02: 5 s in a closed loop, the server stopped from 2 s to 4 s.
// The warm-up of half a second before it never came to rest.
func stalled(t testing.TB) loadgen.Result {
	p := plan(t, "get")
	p.Warmup, p.Requests, p.Duration = loadgen.Warmup{Auto: true}, 0, 5*time.Second
	h := stats.NewHistogram()
	for i := range 1000 {
		h.RecordN(7600*time.Microsecond+time.Duration(i)*time.Microsecond, 300)
	}
	h.RecordN(2003*time.Millisecond, 800) // in flight when the server stopped
	s := segment(p, 300_000, 5*time.Second, h.Summary(18_750))
	s.Distribution = h.Distribution()
	s.Epoch, s.Start, s.Steady = 1, 500*time.Millisecond, stats.NotSteady
	s.Gaps = stats.Gaps{Longest: 2003 * time.Millisecond, Count: 1, Total: 2003 * time.Millisecond}
	r := loadgen.Result{
		Plan: p, Elapsed: 5500 * time.Millisecond, Segments: []stats.Segment{s}, Total: s.Counters, Gaps: s.Gaps,
		Notes: []stats.Note{{Warning: true, Text: "not steady: throughput still moved when measuring began"}},
	}
	r.Total.Replies += 40_000
	r.Points = append(r.Points, stats.Point{At: 500 * time.Millisecond, Span: 500 * time.Millisecond, Replies: 40_000, Epoch: 1})
	for i := range 50 {
		point := stats.Point{At: 600*time.Millisecond + time.Duration(i)*100*time.Millisecond, Span: 100 * time.Millisecond, Epoch: 1, Measured: true}
		if i < 20 || i >= 40 {
			point.Replies = 10_000
		}
		r.Points = append(r.Points, point)
	}
	return r
}

// open is an open loop that kept its rate.
func open(t testing.TB) loadgen.Result {
	p := plan(t, "get")
	p.Pipeline, p.Rate = 1, 20_000
	s := segment(p, 100_000, 5*time.Second, latencies(20_000, 24*time.Microsecond, 300*time.Microsecond, 100_000))
	s.Service, s.Lag = latencies(20_000, 22*time.Microsecond, 290*time.Microsecond, 100_000), latencies(20_000, 100, 12*time.Microsecond, 100_000)
	s.Distribution = samples(20_000, 24*time.Microsecond, 300*time.Microsecond).Distribution()
	s.Steady = stats.Steady
	return loadgen.Result{Plan: p, Elapsed: 5 * time.Second, Segments: []stats.Segment{s}, Total: s.Counters, Points: timeline(s)}
}

// slow is an open loop of one request in two seconds: its gaps are as planned.
func slow(t testing.TB) loadgen.Result {
	r := open(t)
	r.Plan.Rate = .5
	s := segment(r.Plan, 5, 10*time.Second, latencies(5, 100*time.Microsecond, 200*time.Microsecond, 5))
	s.Service, s.Lag = s.Latency, latencies(5, 100, 200, 5)
	s.Distribution = samples(5, 100*time.Microsecond, 200*time.Microsecond).Distribution()
	s.Gaps = stats.Gaps{Longest: 2001 * time.Millisecond, Count: 5, Total: 9999 * time.Millisecond}
	r.Segments, r.Total, r.Points = []stats.Segment{s}, s.Counters, timeline(s)
	return r
}

// errorsOnly is a run whose every reply was an error.
func errorsOnly(t testing.TB) loadgen.Result {
	r := empty(t)
	r.Partial, r.Reason, r.Gaps = false, "", stats.Gaps{}
	r.Total = stats.Counters{Sent: 800, Errors: 800}
	r.Faults = []stats.Fault{{Class: stats.ReplyFault, Code: "NOAUTH", Text: "NOAUTH Authentication required.", Count: 800}}
	r.Segments[0] = stats.Segment{Epoch: 1, Measured: time.Second, Clients: 50, Pipeline: 16, Counters: r.Total}
	r.Points = timeline(r.Segments...)
	return r
}

// paused is a run from the screen that was left before its load ever began.
func paused(t testing.TB) loadgen.Result {
	p := plan(t, "set")
	p.Paused = true
	return loadgen.Result{Plan: p, Elapsed: 9 * time.Second, Points: []stats.Point{{At: 9 * time.Second, Span: 9 * time.Second, Epoch: 1, Paused: true}}}
}

// warming is a run that was interrupted before its samples counted (C42).
func warming(t testing.TB) loadgen.Result {
	p := plan(t, "set")
	p.Warmup, p.Rate = loadgen.Warmup{Time: 2 * time.Second}, 1000
	return loadgen.Result{
		Plan: p, Elapsed: 10 * time.Millisecond, Partial: true, Reason: "interrupted", Total: stats.Counters{Sent: 12, Replies: 10, Lost: 2},
		Points: []stats.Point{{At: 10 * time.Millisecond, Span: 10 * time.Millisecond, Replies: 10, Epoch: 1}},
	}
}

// few is a run whose batches carry no percentile above the median.
func few(t testing.TB) loadgen.Result {
	p := plan(t, "get")
	s := segment(p, 800, 23*time.Millisecond, latencies(800, time.Millisecond, 2*time.Millisecond, 50))
	s.Distribution = samples(800, time.Millisecond, 2*time.Millisecond).Distribution()
	return loadgen.Result{Plan: p, Elapsed: 30 * time.Millisecond, Segments: []stats.Segment{s}, Total: s.Counters}
}

// extreme has numbers at both ends of what a table must hold.
func extreme(t testing.TB) loadgen.Result {
	p := plan(t, "set")
	l := latencies(3, time.Nanosecond, 10*time.Minute, 1_000_000)
	l.Count = 1 << 60
	s := segment(p, 1, 1000*time.Hour, l)
	s.Counters = stats.Counters{Sent: 1 << 62, Replies: 1 << 60, Errors: 1 << 61, Keys: 1 << 60}
	return loadgen.Result{Plan: p, Elapsed: 1000 * time.Hour, Segments: []stats.Segment{s}, Total: s.Counters}
}

// instant is one reply in less time than a rate can be made of (C42).
func instant(t testing.TB) loadgen.Result {
	p := plan(t, "set")
	s := segment(p, 1, 400*time.Microsecond, latencies(1, 400*time.Microsecond, 400*time.Microsecond, 1))
	return loadgen.Result{Plan: p, Elapsed: time.Millisecond, Segments: []stats.Segment{s}, Total: s.Counters}
}

// late is an open loop that fell behind its rate.
func late(t testing.TB) loadgen.Result {
	r := clean(t)
	r.Plan.Rate = 100_000
	s := &r.Segments[0]
	s.Target = r.Plan.Rate
	s.Service = latencies(2000, 20*time.Microsecond, time.Millisecond, 2000)
	s.Lag = latencies(2000, time.Microsecond, 900*time.Microsecond, 2000)
	r.Notes = []stats.Note{{Warning: true, Text: "cannot keep this rate: 86957/s of 100000/s, schedule lag p99 891µs"}}
	return r
}

// mixed is a run of two commands.
func mixed(t testing.TB) loadgen.Result {
	r := clean(t)
	r.Plan.Workload.Mix = plan(t, "set=1,get=10").Workload.Mix
	r.Segments[0].Commands = []stats.CommandStats{
		{Title: "SET", Counters: stats.Counters{Replies: 200}, Latency: latencies(200, 50*time.Microsecond, time.Millisecond, 200)},
		{Title: "GET", Counters: stats.Counters{Replies: 1800, Hits: 900, Misses: 900}, Latency: latencies(1800, 24*time.Microsecond, 2239*time.Microsecond, 1800)},
	}
	return r
}

// turned is a run from the screen in which a knob was turned.
func turned(t testing.TB) loadgen.Result {
	p := plan(t, "set")
	p.Pipeline, p.Requests = 1, 0
	q := p
	q.Pipeline = 16
	a := segment(p, 2_000_000, 12300*time.Millisecond, latencies(20_000, 24*time.Microsecond, 300*time.Microsecond, 2_000_000))
	b := segment(q, 45_700_000, 40100*time.Millisecond, latencies(20_000, 100*time.Microsecond, 700*time.Microsecond, 2_800_000))
	b.Epoch, b.Start, b.Counters.Errors = 2, 13*time.Second, 7
	r := loadgen.Result{
		Plan: q, Elapsed: 53 * time.Second, Segments: []stats.Segment{a, b},
		Faults: []stats.Fault{{Class: stats.ReplyFault, Code: "OOM", Text: "OOM command not allowed when used memory > 'maxmemory'.", Count: 7}},
		Notes:  []stats.Note{{Warning: true, Text: "client CPU 94% of 2 cores: the load generator may be the limit, so the server can do more than this"}},
		Gaps:   stats.Gaps{Longest: 12 * time.Millisecond},
	}
	r.Total.Add(a.Counters)
	r.Total.Add(b.Counters)
	r.Points = timeline(a, b)
	return r
}

// opened is a run from the screen that began in a closed loop, stalled, and then
// was given a rate that it could not keep.
func opened(t testing.TB) loadgen.Result {
	r := stalled(t)
	s := late(t).Segments[0]
	p := late(t).Plan
	s.Epoch, s.Start, s.Plan = 4, 7*time.Second, p.String()
	r.Plan = p
	r.Segments = append(r.Segments, s)
	r.Total.Add(s.Counters)
	r.Points = append(r.Points, timeline(s)...)
	return r
}

// clustered is a run on three primaries, of which the second failed: its replica took
// over, and another replica had no part in it.
func clustered(t testing.TB) loadgen.Result {
	r := clean(t)
	node := func(address, role string, replies int, cpu float64) stats.Node {
		s := segment(r.Plan, replies, 23*time.Millisecond, latencies(replies, 24*time.Microsecond, 2*time.Millisecond, 10_000))
		return stats.Node{Address: address, Role: role, Slots: 5461, Clients: 16, Connected: 16, CPU: cpu, Window: s, Current: s, Whole: s}
	}
	gone := node("127.0.0.1:7002", "primary", 250, -1)
	gone.Gone, gone.Slots, gone.Clients, gone.Connected = true, 0, 0, 0
	gone.Whole.Counters.Errors, gone.Whole.Counters.Lost = 2, 34
	r.Nodes = []stats.Node{node("127.0.0.1:7001", "primary", 700, .974), node("127.0.0.1:7004", "primary", 400, -1), node("127.0.0.1:7003", "primary", 650, .9),
		{Address: "127.0.0.1:7005", Role: "replica", Slots: 5461, Clients: 1, CPU: .01}, gone}
	return r
}

// fixtures make them, by name.
func fixtures() map[string]func(testing.TB) loadgen.Result {
	return map[string]func(testing.TB) loadgen.Result{
		"clean": clean, "empty": empty, "faulty": faulty, "few": few, "extreme": extreme,
		"instant": instant, "late": late, "mixed": mixed, "turned": turned, "stalled": stalled,
		"open": open, "slow": slow, "errors only": errorsOnly, "paused": paused, "warming": warming,
		"opened": opened, "clustered": clustered,
		"nothing": func(testing.TB) loadgen.Result { return loadgen.Result{} },
	}
}

// fixture is the one of that name; the zero Result where there is none.
func fixture(t testing.TB, name string) loadgen.Result {
	t.Helper()
	if build, ok := fixtures()[name]; ok {
		return build(t)
	}
	return loadgen.Result{}
}

// cases are all of them by name.
func cases(t testing.TB) map[string]loadgen.Result {
	t.Helper()
	all := map[string]loadgen.Result{}
	for name, build := range fixtures() {
		all[name] = build(t)
	}
	return all
}

// golden compares got with testdata/name; on a difference got is left beside it
// as name.got, to be looked at and moved there when it is right.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	want, err := os.ReadFile(path)
	if err == nil && string(want) == got {
		return
	}
	if err := os.WriteFile(path+".got", []byte(got), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Errorf("differs from %s, see %s.got:\n%s", path, path, got)
}
