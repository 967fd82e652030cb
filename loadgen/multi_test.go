package loadgen_test

import (
	"testing"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// A batch in MULTI … EXEC: counts are exact, the last batch is short, and all
// commands of a batch are answered at the same moment.
func TestTransactions(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "incr")
	p.Batch, p.Requests = workload.Multi, 10_007
	before := srv.Calls(t, "incr")
	res := run(t, at(t, srv.Addr), p)
	seg := res.Last()
	if got := srv.Calls(t, "incr") - before; got != p.Requests || seg.Counters.Replies != p.Requests || res.Failed() {
		t.Errorf("the server counted %d, the run %+v, faults %+v", got, seg.Counters, res.Faults)
	}
	if got, want := srv.Calls(t, "exec"), seg.Counters.Batches; got != want || want < 10_007/16 {
		t.Errorf("%d EXECs for %d batches", got, want)
	}
	if seg.Latency.Count != p.Requests {
		t.Errorf("%d latencies", seg.Latency.Count)
	}
}

func TestTransactionsKeepErrorsAndMissesApart(t *testing.T) {
	srv := redistest.Start(t)
	srv.Do(t, "SET", prefix+"counter:000000000007", "no number")
	p := plan(t, "incr")
	p.Batch, p.Requests, p.Workload.Keys.Size = workload.Multi, 5_000, 20
	res := run(t, at(t, srv.Addr), p)
	c := res.Last().Counters
	if c.Errors == 0 || c.Errors+c.Replies != p.Requests {
		t.Fatalf("counters %+v", c)
	}
	if f := res.Faults[0]; f.Class != stats.ReplyFault || f.Count != c.Errors {
		t.Errorf("fault %+v for %d errors", f, c.Errors)
	}
	if want := int64(5_000 / 20); c.Errors < want/2 || c.Errors > 2*want {
		t.Errorf("%d errors, want about one in twenty of 5000", c.Errors)
	}

	q := plan(t, "get=1,ping_mbulk=1")
	q.Batch, q.Requests = workload.Multi, 4_000
	if rate, ok := run(t, at(t, srv.Addr), q).Last().Counters.HitRate(); !ok || rate != 1 {
		t.Errorf("hit rate %v", rate)
	}
}

// A server that knows no MULTI refuses every batch; nothing hangs or counts as work.
func TestTransactionsRefused(t *testing.T) {
	srv := redistest.Start(t, "--rename-command", "EXEC", "")
	p := plan(t, "incr")
	p.Batch, p.Requests = workload.Multi, 500
	res := run(t, at(t, srv.Addr), p)
	if c := res.Last().Counters; c.Replies != 0 || c.Errors != p.Requests || !res.Failed() {
		t.Errorf("counters %+v faults %+v", c, res.Faults)
	}
}
