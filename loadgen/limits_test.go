package loadgen_test

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// share is a GET by so many clients at a server on this machine.
func share(t *testing.T, address string, clients int) loadgen.Share {
	p := plan(t, "get")
	p.Clients, p.Pipeline = clients, 1
	return loadgen.Share{Target: target.Target{Network: "tcp", Address: address}, Plan: p}
}

// TestCheck holds every limit, the words it is refused with, and that none is invented
// where the system tells nothing.
func TestCheck(t *testing.T) {
	const here, other = "127.0.0.1:6379", "10.0.0.2:6379"
	held := share(t, here, 30)
	held.Connected = 30
	deep := share(t, here, 1000)
	deep.Plan.Pipeline, deep.Plan.Workload.Payload = 1000, 16<<10
	away := deep
	away.Target.Address = other
	unix := share(t, "/run/redis.sock", 90_000)
	unix.Target.Network = "unix"
	for _, c := range []struct {
		name   string
		limits loadgen.Limits
		shares []loadgen.Share
		want   []string // nil = may be
	}{
		{"nothing is known", loadgen.Limits{}, []loadgen.Share{deep}, nil},
		{"C33", loadgen.Limits{Files: 40, Open: 6}, []loadgen.Share{share(t, here, 50)},
			[]string{"clients 50", "hard limit", "40", "ulimit -n 64", "lower -c to 26"}},
		{"as many as there may be", loadgen.Limits{Files: 40, Open: 6}, []loadgen.Share{share(t, here, 26)}, nil},
		{"no room at all", loadgen.Limits{Files: 10, Open: 6}, []loadgen.Share{share(t, here, 1)}, []string{"ulimit -n 15 raises it"}},
		{"both ends", loadgen.Limits{Files: 60, Open: 6, Served: []int{6379}}, []loadgen.Share{share(t, here, 24)},
			[]string{"clients 24", "that makes 62", "in this process", "lower -c to 23"}},
		{"both ends fit", loadgen.Limits{Files: 60, Open: 6, Served: []int{6379}}, []loadgen.Share{share(t, here, 23)}, nil},
		{"a port elsewhere", loadgen.Limits{Files: 60, Open: 6, Served: []int{6379}}, []loadgen.Share{share(t, other, 40)}, nil},
		{"held already", loadgen.Limits{Files: 60, Open: 36}, []loadgen.Share{held}, nil},
		{"arms add up", loadgen.Limits{Files: 120, Open: 6}, []loadgen.Share{share(t, here, 50), share(t, other, 50), share(t, here, 50)},
			[]string{"clients 150", "ulimit -n 164", "all arms and the reference's twin", "106 together"}},
		{"ports", loadgen.Limits{Ports: 28232}, []loadgen.Share{share(t, here, 30_000)},
			[]string{"clients 30000: 127.0.0.1:6379", "28232 local ports", "ip_local_port_range", "lower -c to 28168"}},
		{"ports of two arms", loadgen.Limits{Ports: 28232}, []loadgen.Share{share(t, here, 20_000), share(t, here, 20_000)}, []string{"clients 40000"}},
		{"two places", loadgen.Limits{Ports: 28232}, []loadgen.Share{share(t, here, 20_000), share(t, other, 20_000)}, nil},
		{"a name may be several", loadgen.Limits{Ports: 28232}, []loadgen.Share{share(t, "redis.example:6379", 90_000)}, nil},
		{"a socket has no port", loadgen.Limits{Ports: 28232}, []loadgen.Share{unix}, nil},
		{"replies on this machine", loadgen.Limits{Free: 8 << 30}, []loadgen.Share{deep},
			[]string{"-c 1000 -P 1000 -d 16384", "19.", " GB in flight", "6.4 GB", "75 % of what is free on this machine", "lower -c, -P or -d"}},
		{"replies elsewhere", loadgen.Limits{Free: 8 << 30, Sockets: 2 << 30}, []loadgen.Share{away}, nil},
		{"a control group", loadgen.Limits{Free: 1 << 40, Room: 1 << 30, Sockets: 2 << 30}, []loadgen.Share{away}, []string{"left in this control group"}},
		{"arms take turns", loadgen.Limits{Free: 40 << 30}, []loadgen.Share{deep, deep, deep}, nil},
		{"arms", loadgen.Limits{Free: 8 << 30}, []loadgen.Share{deep, deep}, []string{"and the other arms"}},
		{"an ordinary load", loadgen.Limits{Free: 1 << 30, Files: 256, Open: 12, Ports: 1000, Sockets: 1 << 28}, []loadgen.Share{share(t, here, 50)}, nil},
	} {
		err := c.limits.Check(c.shares...)
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v\nlacks %q", c.name, err, part)
			}
		}
	}
}

// mostClients is how many clients one run may have here, up to the 10 000 that are
// promised: what the limit of files and that of ports leave.
func mostClients(t *testing.T) int {
	t.Helper()
	l := loadgen.Probe()
	n := 10_000
	if l.Files > 0 {
		n = min(n, l.Files-l.Open-8)
	}
	if l.Ports > 0 {
		n = min(n, l.Ports-64)
	}
	if n < 100 {
		t.Fatalf("limits %+v leave %d clients: too few for any test", l, n)
	}
	return n
}

// beyond is p with more clients than this process may have files.
func beyond(t *testing.T, p loadgen.Plan) loadgen.Plan {
	t.Helper()
	l := loadgen.Probe()
	if l.Files == 0 || l.Files >= loadgen.MaxClients {
		// No number of clients is beyond it: a pipeline of large values is.
		p.Clients, p.Pipeline, p.Workload.Payload = loadgen.MaxClients, loadgen.MaxPipeline, 1<<20
		return p
	}
	p.Clients = l.Files
	return p
}

// TestBeyondTheLimits: a plan that cannot be carried is refused before a byte is sent,
// at the start and, with the old one still in force, during a run.
func TestBeyondTheLimits(t *testing.T) {
	srv := redistest.Start(t)
	tgt := at(t, srv.Addr)
	before := counted(t, srv, "total_connections_received")
	res, err := loadgen.New(tgt, beyond(t, plan(t, "set"))).Run(context.Background())
	if err == nil || !res.Failed() || res.Total.Sent != 0 || !strings.Contains(res.Reason, "-c") || res.Reason != err.Error() {
		t.Fatalf("%v, %+v", err, res)
	}
	if after := counted(t, srv, "total_connections_received"); after > before+1 { // that of the question itself
		t.Errorf("%d connections were made all the same", after-before)
	}
	r, stop := live(t, tgt, plan(t, "set"))
	until(t, "load", func() bool { return r.Snapshot().Current.Counters.Replies > 0 })
	refused := r.Apply(beyond(t, plan(t, "set")))
	if refused == nil || refused.Error() == "" || r.Restart(beyond(t, plan(t, "set"))) == nil {
		t.Fatal("a plan beyond the limits was taken during a run")
	}
	now := r.Snapshot()
	until(t, "load goes on", func() bool { return r.Snapshot().Total.Replies > now.Total.Replies })
	if s := r.Snapshot(); s.Clients != 7 || s.Pending || len(s.Marks) > 0 {
		t.Errorf("after the refusal: %d clients, %v, %v", s.Clients, s.Pending, s.Marks)
	}
	if res := stop(); res.Failed() {
		t.Errorf("faults %+v", res.Faults)
	}
}

// TestTenThousandClients: a server that allows it serves them all, and on the way back
// to ten nothing of them is left.
func TestTenThousandClients(t *testing.T) {
	many := mostClients(t)
	srv := redistest.Start(t, "--maxclients", "12000")
	goroutines, files := runtime.NumGoroutine(), loadgen.Probe().Open
	p := plan(t, "set")
	p.Clients, p.Pipeline = 10, 1
	r, stop := live(t, at(t, srv.Addr), p)
	until(t, "ten clients", func() bool { return r.Snapshot().Connected == 10 })
	p.Clients = many
	apply(t, r, p)
	patient(t, fmt.Sprintf("%d clients under load", many), func() bool {
		s := r.Snapshot()
		return s.Connected == many && s.Clients == many && s.Current.Counters.Replies > int64(many)
	})
	if s := r.Snapshot(); len(s.Faults) > 0 || s.Total.Lost > 0 {
		t.Errorf("faults %+v, %d lost", s.Faults, s.Total.Lost)
	}
	if got := counted(t, srv, "connected_clients"); got < many {
		t.Errorf("the server has %d clients, want %d", got, many)
	}
	p.Clients = 10
	apply(t, r, p)
	patient(t, "ten clients again", func() bool {
		return r.Snapshot().Connected == 10 && loadgen.Probe().Open < files+50 && runtime.NumGoroutine() < goroutines+100
	})
	p.Paused = true // so that nothing is under way at the end, which comes soon
	apply(t, r, p)
	until(t, "paused", func() bool { s := r.Snapshot(); return s.State == stats.Paused && !s.Pending })
	if res := stop(); len(res.Faults) > 0 || res.Total.Lost > 0 || res.Total.Sent != res.Total.Replies {
		t.Errorf("%+v, faults %+v", res.Total, res.Faults)
	}
	until(t, "nothing is left", func() bool {
		return loadgen.Probe().Open <= files+8 && runtime.NumGoroutine() <= goroutines+8
	})
}

// counted is a number of the server's INFO.
func counted(t *testing.T, srv *redistest.Server, name string) int {
	t.Helper()
	n, err := strconv.Atoi(srv.Info(t, "all")[name])
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// patient is until for what takes a loaded machine its time.
func patient(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(90 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if cond() {
			return
		}
	}
	t.Fatalf("never happened: %s", what)
}

// TestManyFaultsAreBounded: a kind of error for every reply does not become a list
// without end, and none is lost from the count.
func TestManyFaultsAreBounded(t *testing.T) {
	var list []stats.Fault
	const all = 10_000
	for n := range all {
		f := stats.Fault{Class: stats.ReplyFault, Code: fmt.Sprint("E", n), Text: fmt.Sprint("E", n, " text"), Count: 2, Last: time.Duration(n)}
		if n%10 == 0 {
			f.Class = stats.LostFault
		}
		list = stats.AddFault(list, f)
	}
	var sum int64
	for _, f := range list {
		sum += f.Count
	}
	last := list[len(list)-1]
	if len(list) > 70 || sum != 2*all || last.Code != "other" || last.Text == "" || last.Last < all-20 {
		t.Errorf("%d kinds, %d in all, the last %+v", len(list), sum, last)
	}
}
