package loadgen_test

import (
	"testing"

	"fullbore/loadgen"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/workload"
)

func command(t *testing.T, words ...string) workload.Mix {
	t.Helper()
	steps, err := workload.ParseCommand(words)
	if err != nil {
		t.Fatal(err)
	}
	return workload.Sequence(steps)
}

// Custom commands, sequences, sizes and expiry go through the same engine: exact
// counts, statistics by command, no error.
func TestShapesOfWorkload(t *testing.T) {
	srv := redistest.Start(t)
	sizes, err := workload.ParseSizes("64:80,1k:15,20k:5") // the last one is too long to be prepared
	if err != nil {
		t.Fatal(err)
	}
	expire, err := workload.ParseExpire("100-200s")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		shape func(*loadgen.Plan)
		count map[string]int64 // calls the server must have seen
	}{
		{"sizes", func(p *loadgen.Plan) { p.Workload = p.Workload.Sized(sizes) }, map[string]int64{"set": 5000}},
		{"range of sizes", func(p *loadgen.Plan) {
			s, err := workload.ParseSizes("10-4k")
			if err != nil {
				t.Fatal(err)
			}
			p.Workload = p.Workload.Sized(s)
		}, map[string]int64{"set": 5000}},
		{"random data", func(p *loadgen.Plan) { p.Workload.RandomData = true }, map[string]int64{"set": 5000}},
		{"expiry", func(p *loadgen.Plan) { p.Workload.Expire = expire }, map[string]int64{"set": 5000}},
		{"zipf", func(p *loadgen.Plan) { p.Workload.Keys.Dist, _ = workload.ParseDist("zipf:0.99") }, map[string]int64{"set": 5000}},
		{"one at a time", func(p *loadgen.Plan) { p.Batch = workload.Unbatched }, map[string]int64{"set": 5000}},
		{"custom", func(p *loadgen.Plan) {
			p.Workload.Mix = command(t, "HSET", "fullbore:h:__rand_int__", "f", "__data__")
		}, map[string]int64{"hset": 5000}},
		{"sequence", func(p *loadgen.Plan) {
			p.Workload.Mix = command(t, "SET", "fullbore:k:__rand_1st__", "__data__", ";", "4", "GET", "fullbore:k:__rand_1st__")
		}, map[string]int64{"set": 1000, "get": 4000}},
	}
	for _, tt := range tests {
		p := plan(t, "set")
		p.Clients, p.Requests = 5, 5000 // of which each client's share need not be whole units
		tt.shape(&p)
		if tt.name == "sequence" {
			p.Clients = 1
		}
		before := map[string]int64{}
		for c := range tt.count {
			before[c] = srv.Calls(t, c)
		}
		res := run(t, at(t, srv.Addr), p)
		for c, want := range tt.count {
			if got := srv.Calls(t, c) - before[c]; got != want {
				t.Errorf("%s: the server counted %d %s, want %d", tt.name, got, c, want)
			}
		}
		if res.Failed() || res.Last().Counters.Replies != 5000 {
			t.Errorf("%s: %+v, faults %+v", tt.name, res.Last().Counters, res.Faults)
		}
	}
}
