package loadgen_test

import (
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// M10, M11: what was sent to a server that never took the connection is no load, and the
// requests are sent by others: counts stay exact with most clients turned away.
func TestRequestsOfRefusedConnectionsAreGivenBack(t *testing.T) {
	for _, c := range []struct {
		name      string
		batch     workload.Batch
		rate      float64
		reconnect bool
	}{
		{"pipeline", workload.Pipelined, 0, false},
		{"transactions", workload.Multi, 0, false},
		{"open loop", workload.Pipelined, 20000, false},
		{"a connection for each batch", workload.Pipelined, 0, true},
	} {
		stub := redistest.Full(t, 4) // one place is the witness's
		p := plan(t, "set")
		p.Clients, p.Pipeline, p.Requests = 12, 7, 3001
		p.Batch, p.Rate, p.Reconnect = c.batch, c.rate, c.reconnect
		if c.batch == workload.Multi {
			p.Requests = 0
			p.Duration = 500 * time.Millisecond // the stub knows no MULTI: errors, none of them a connection's
		}
		res := run(t, at(t, stub.Addr), p)
		if p.Requests > 0 && (res.Total.Replies != p.Requests || res.Total.Sent != p.Requests || res.Partial) {
			t.Errorf("%s: %+v, partial %v; want %d replies and nothing else", c.name, res.Total, res.Partial, p.Requests)
		}
		if got := stub.Calls("SET"); p.Requests > 0 && (got < p.Requests || got > p.Requests+stub.Calls("REFUSED")) {
			t.Errorf("%s: the server saw %d, %d of them refused", c.name, got, stub.Calls("REFUSED"))
		}
		if res.Total.Lost != 0 || res.Total.Sent != res.Total.Replies+res.Total.Errors {
			t.Errorf("%s: %+v: a refused connection loses nothing", c.name, res.Total)
		}
		for _, f := range res.Faults {
			full := f.Class == stats.DialFault && strings.Contains(f.Text, "max number of clients reached")
			if !full && !(c.batch == workload.Multi && f.Class == stats.ReplyFault) && !(f.Class == stats.DialFault && f.Code == "reset") {
				t.Errorf("%s: fault %+v", c.name, f)
			}
		}
		if stub.Calls("ECHO")+stub.Calls("PING")+stub.Calls("HELLO")+stub.Calls("CLIENT") != 0 {
			t.Errorf("%s: something else than the load was sent", c.name)
		}
	}
}

// A server that takes connections and refuses each of them is no better than none: a
// counted run ends, and has sent nothing.
func TestEveryConnectionIsRefused(t *testing.T) {
	for _, text := range []string{"-LOADING Redis is loading the dataset in memory\r\n", "-NOAUTH Authentication required.\r\n"} {
		stub := redistest.Always(t, text)
		p := plan(t, "ping_mbulk")
		p.Clients, p.Requests, p.Stall = 3, 1000, 200*time.Millisecond
		begun := time.Now()
		res := run(t, at(t, stub.Addr), p)
		if !res.Partial || res.Reason != "the server answers on no connection" || res.Total.Sent != 0 {
			t.Errorf("%q: partial %v, %q, %+v", text, res.Partial, res.Reason, res.Total)
		}
		code := target.Code(text[1:])
		if len(res.Faults) != 1 || res.Faults[0].Class != stats.DialFault || res.Faults[0].Code != code || res.Faults[0].Count > 100 {
			t.Errorf("%q: faults %+v, want dials that back off", text, res.Faults)
		}
		if took := time.Since(begun); took > 10*time.Second {
			t.Errorf("%q: took %v", text, took)
		}
	}
}

// A connection that was closed while it rested is replaced before anything is sent on
// it: nothing is lost, and the schedule is kept.
func TestIdleConnectionsThatAreClosed(t *testing.T) {
	srv := redistest.Start(t, "--timeout", "1")
	p := plan(t, "incr")
	p.Clients, p.Pipeline, p.Rate, p.Requests = 10, 1, 4, 16
	before := srv.Calls(t, "incr")
	res := run(t, at(t, srv.Addr), p)
	if res.Total.Replies+res.Total.Lost != p.Requests || res.Total.Lost > 2 {
		t.Errorf("%+v, want %d replies", res.Total, p.Requests)
	}
	if got := srv.Calls(t, "incr") - before; got < res.Total.Replies || got > p.Requests {
		t.Errorf("the server counted %d of %d", got, p.Requests)
	}
	told := false
	for _, n := range res.Notes {
		told = told || strings.Contains(n.Text, "timeout 1")
	}
	if !told || !res.Failed() {
		t.Errorf("notes %+v, failed %v: the server's timeout is not named", res.Notes, res.Failed())
	}
}

// What moves is not stuck: a batch that takes longer than the limit is let be.
func TestALargeBatchOnASlowWayIsNotStuck(t *testing.T) {
	stub := redistest.Slow(t, 60*time.Millisecond)
	p := plan(t, "set")
	p.Clients, p.Pipeline, p.Requests, p.Stall = 1, 20, 20, 400*time.Millisecond
	p.Workload.Payload = 100 << 10
	res := run(t, at(t, stub.Addr), p)
	if res.Total.Replies != 20 || res.Failed() {
		t.Errorf("%+v, faults %+v", res.Total, res.Faults)
	}
}

// Connections that are closed in a pause are there again when it ends, and nothing is
// lost to that.
func TestConnectionsClosedInAPause(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "set")
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "load runs", func() bool { return r.Snapshot().Total.Replies > 1000 })
	p.Paused = true
	if err := r.Apply(p); err != nil {
		t.Fatal(err)
	}
	until(t, "a pause", func() bool { return r.Snapshot().State == stats.Paused })
	srv.Do(t, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
	until(t, "all are found closed, and made again", func() bool {
		s := r.Snapshot()
		return len(s.Faults) > 0 && s.Faults[0].Count >= int64(p.Clients) && s.Connected == p.Clients
	})
	before := r.Snapshot().Total.Replies
	p.Paused = false
	if err := r.Apply(p); err != nil {
		t.Fatal(err)
	}
	until(t, "load goes on", func() bool { return r.Snapshot().Total.Replies > before+1000 })
	if res := stop(); res.Total.Lost > int64(p.Clients*p.Pipeline) || res.Faults[0].Class != stats.LostFault || !strings.Contains(res.Faults[0].Text, "closed while idle") {
		t.Errorf("%+v, faults %+v", res.Total, res.Faults)
	}
}
