package loadgen

import (
	"strings"
	"testing"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
)

// evidenceOf is what a server said before and after, from "name:value" words.
func evidenceOf(before, now, settings string) *evidence {
	fields := func(text string) map[string]string {
		m := map[string]string{}
		for _, word := range strings.Fields(text) {
			name, value, _ := strings.Cut(word, ":")
			m[name] = strings.ReplaceAll(value, "_", " ")
		}
		return m
	}
	e := &evidence{before: fields(before), now: fields(now), settings: fields(settings)}
	for _, name := range []string{"maxmemory_policy", "run_id", "role"} {
		if v, ok := e.now[name]; ok {
			e.now[name] = strings.ReplaceAll(v, " ", "_")
		}
	}
	return e
}

func planOf(t *testing.T, test string, clients, pipeline, payload int, keys int64) Plan {
	t.Helper()
	mix, err := workload.ParseMix(test)
	if err != nil {
		t.Fatal(err)
	}
	return Plan{Clients: clients, Pipeline: pipeline, Workload: workload.Workload{
		Mix: mix, Payload: payload, Keys: workload.KeySpace{Prefix: "fullbore:", Size: keys},
	}}
}

// TestExplain holds what is made of a server's own account, and that nothing is made of
// what it does not tell.
func TestExplain(t *testing.T) {
	reply := func(code, text string) stats.Fault {
		return stats.Fault{Class: stats.ReplyFault, Code: code, Text: text, Count: 1}
	}
	eof := stats.Fault{Class: stats.LostFault, Code: "eof", Text: "read from a: the server closed the connection", Count: 1}
	for _, c := range []struct {
		name                  string
		before, now, settings string
		fault                 stats.Fault
		rate                  float64
		want                  string // "" = nothing
	}{
		{"nothing", "run_id:a evicted_keys:3", "run_id:a evicted_keys:3", "", stats.Fault{}, 0, ""},
		{"nothing told", "", "", "", reply("OOM", "OOM command not allowed"), 0, "OOM: the server's memory is full (its limit is not told)"},
		{"anew", "run_id:a", "run_id:b", "", stats.Fault{}, 0, "began anew"},
		{"evicted", "run_id:a evicted_keys:3", "run_id:a evicted_keys:10 maxmemory:5000000 maxmemory_policy:allkeys-lru", "", stats.Fault{}, 0, "evicted 7 keys during the run (maxmemory 5.0 MB, policy allkeys-lru)"},
		{"evicted after a reset of the counters", "run_id:a evicted_keys:30", "run_id:a evicted_keys:10 maxmemory:1", "", stats.Fault{}, 0, "evicted 10 keys"},
		{"output buffer, counted", "client_output_buffer_limit_disconnections:1", "client_output_buffer_limit_disconnections:2", "client-output-buffer-limit:normal_9_0_0", eof, 0, "closed 1 connection whose replies exceeded its client-output-buffer-limit (normal 9 0 0)"},
		{"query buffer, counted", "client_query_buffer_limit_disconnections:0", "client_query_buffer_limit_disconnections:2 client_output_buffer_limit_disconnections:0", "", eof, 0, "closed 2 connections whose requests exceeded"},
		{"output buffer, not counted", "", "", "client-output-buffer-limit:normal_5000_0_0_slave_1_2_3", eof, 0, "the replies to a batch are about"},
		{"output buffer that suffices", "", "", "client-output-buffer-limit:normal_5000000_0_0", eof, 0, ""},
		{"query buffer, not counted", "", "", "client-query-buffer-limit:999", eof, 0, "requests of 1000 bytes are more than the server's client-query-buffer-limit of 999"},
		{"timeout", "", "", "timeout:7", eof, 10, "idle for 7 s (timeout 7)"},
		{"timeout of a closed loop", "", "", "timeout:7", eof, 0, ""},
		{"too long", "", "", "proto-max-bulk-len:900", reply("ERR", "ERR Protocol error: invalid bulk length"), 0, "values of 1000 bytes are longer than the server takes: its proto-max-bulk-len is 900"},
		{"full", "rejected_connections:1", "maxclients:10 rejected_connections:41", "", stats.Fault{Class: stats.DialFault, Code: "ERR", Text: "dial a: ERR max number of clients reached"}, 0, "takes 10 clients (maxclients) and turned 40 connections away"},
		{"MISCONF by the snapshot", "", "rdb_last_bgsave_status:err", "", reply("MISCONF", ""), 0, "(rdb_last_bgsave_status:err)"},
		{"MISCONF by the log", "", "rdb_last_bgsave_status:ok aof_last_write_status:err", "", reply("MISCONF", ""), 0, "(aof_last_write_status:err)"},
		{"MISCONF that is healed", "", "rdb_last_bgsave_status:ok", "", reply("MISCONF", ""), 0, ""},
		{"READONLY", "", "role:slave master_host:h master_port:1", "", reply("READONLY", ""), 0, "a replica of h:1"},
		{"READONLY of a master", "", "role:master", "", reply("READONLY", ""), 0, ""},
		{"MASTERDOWN", "", "master_link_status:down", "", reply("MASTERDOWN", ""), 0, "master_link_status:down"},
		{"NOREPLICAS", "", "min_slaves_good_slaves:0", "", reply("NOREPLICAS", ""), 0, "has 0 good replicas"},
		{"another code", "", "role:slave", "", reply("WRONGTYPE", ""), 0, ""},
	} {
		p := planOf(t, "get", 1, 10, 1000, 100)
		p.Rate = c.rate
		var faults []stats.Fault
		if c.fault.Class != "" {
			faults = append(faults, c.fault, c.fault)
		}
		got := evidenceOf(c.before, c.now, c.settings).explain(p, faults)
		if c.want == "" && len(got) == 0 {
			continue
		}
		if len(got) != 1 || c.want == "" || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: %q, want one with %q", c.name, got, c.want)
		}
	}
}

// TestTight holds when a plan's data is said not to fit.
func TestTight(t *testing.T) {
	const evicting, refusing = "maxmemory:5000000 used_memory:1000000 maxmemory_policy:allkeys-lru", "maxmemory:5000000 used_memory:1000000 maxmemory_policy:noeviction"
	for _, c := range []struct {
		name, said string
		plan       Plan
		want       string
	}{
		{"evicting", evicting, planOf(t, "get", 1, 1, 4096, 1000), "1000 keys of 4096 bytes take about 4.2 MB, and of maxmemory 5.0 MB there is 4.0 MB left; with policy allkeys-lru the server will evict keys"},
		{"refusing", refusing, planOf(t, "set", 1, 1, 4096, 1000), "will refuse writes (OOM)"},
		{"fits", refusing, planOf(t, "set", 1, 1, 3096, 1000), ""},
		{"one key", refusing, planOf(t, "set", 1, 1, 4096, 0), ""},
		{"no limit", "maxmemory:0 used_memory:1000000", planOf(t, "set", 1, 1, 4096, 1e6), ""},
		{"not told", "", planOf(t, "set", 1, 1, 4096, 1e6), ""},
		{"counters are small", refusing, planOf(t, "incr", 1, 1, 4096, 1000), ""},
		{"nothing is kept", refusing, planOf(t, "ping", 1, 1, 4096, 1e6), ""},
		{"a prefill", refusing, func() Plan { p := planOf(t, "ping", 1, 1, 4096, 0); p.Prefill.Keys = 1000; return p }(), "1000 keys of 4096 bytes"},
	} {
		got := evidenceOf("", c.said, "").tight(c.plan)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestBudgetIsGivenBack holds that nobody takes a budget for spent that may come back,
// and that exactly the whole of it is handed out.
func TestBudgetIsGivenBack(t *testing.T) {
	b := newBudget(10)
	b.doubts.Add(1)
	if n := b.take(7); n != 7 {
		t.Fatalf("took %d", n)
	}
	if n := b.take(7); n != 3 {
		t.Fatalf("took %d of the last 3", n)
	}
	if b.take(1) != 0 || b.take(5) != 0 || b.spent() {
		t.Error("spent while 7 of it may come back")
	}
	b.give(7)
	b.doubts.Add(-1)
	if b.spent() {
		t.Error("spent with 7 left")
	}
	if n := b.take(100); n != 7 || !b.spent() {
		t.Errorf("took %d, spent %v", n, b.spent())
	}
	if free := newBudget(0); free.take(5) != 5 {
		t.Error("a run without end has no budget")
	}
}
