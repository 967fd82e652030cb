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
	h := stats.NewHistogram()
	for i := range n {
		h.Record(low + (high-low)*time.Duration(i)/time.Duration(max(n-1, 1)))
	}
	return h.Summary(batches)
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
			Hits: int64(n) * 9 / 10, Misses: int64(n) - int64(n)*9/10, BytesIn: int64(n) * 9, BytesOut: int64(n) * 40,
		},
	}
}

// clean is a run that went as planned.
func clean(t testing.TB) loadgen.Result {
	p := plan(t, "get")
	s := segment(p, 2000, 23*time.Millisecond, latencies(2000, 24*time.Microsecond, 2239*time.Microsecond, 2000))
	return loadgen.Result{
		Plan: p, Elapsed: 30 * time.Millisecond, Segments: []stats.Segment{s}, Total: s.Counters,
		Gaps: stats.Gaps{Longest: 3 * time.Millisecond}, Setup: 100_000,
	}
}

// empty is a run against a server that never answered.
func empty(t testing.TB) loadgen.Result {
	return loadgen.Result{
		Plan: plan(t, "set"), Elapsed: time.Second, Partial: true, Reason: "no reply for 1s",
		Segments: []stats.Segment{{Measured: time.Second}}, Total: stats.Counters{Sent: 800, Lost: 800},
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
	r.Gaps = stats.Gaps{Longest: 2003 * time.Millisecond, Count: 2, Total: 2200 * time.Millisecond}
	return r
}

// few is a run whose batches carry no percentile above the median.
func few(t testing.TB) loadgen.Result {
	p := plan(t, "get")
	s := segment(p, 800, 23*time.Millisecond, latencies(800, time.Millisecond, 2*time.Millisecond, 50))
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
	return r
}

// cases are all of them by name.
func cases(t testing.TB) map[string]loadgen.Result {
	return map[string]loadgen.Result{
		"clean": clean(t), "empty": empty(t), "faulty": faulty(t), "few": few(t), "extreme": extreme(t),
		"instant": instant(t), "late": late(t), "mixed": mixed(t), "turned": turned(t), "nothing": {},
	}
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
