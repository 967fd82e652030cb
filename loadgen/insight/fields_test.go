package insight_test

import (
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/insight"
)

// TestCounterFields: each field of INFO that only grows, where it goes and in which
// unit; and the same field told badly is not told.
func TestCounterFields(t *testing.T) {
	for _, c := range []struct {
		line string
		c    insight.Counter
		want int64
	}{
		{"total_connections_received:7", insight.Connections, 7},
		{"rejected_connections:7", insight.Rejected, 7},
		{"keyspace_hits:7", insight.Hits, 7},
		{"total_found:7", insight.Hits, 7},
		{"keyspace_misses:7", insight.Misses, 7},
		{"total_notfound:7", insight.Misses, 7},
		{"expired_keys:7", insight.Expired, 7},
		{"evicted_keys:7", insight.Evicted, 7},
		{"evicted_clients:7", insight.EvictedClients, 7},
		{"client_query_buffer_limit_disconnections:7", insight.QueryLimit, 7},
		{"client_output_buffer_limit_disconnections:7", insight.OutputLimit, 7},
		{"total_net_input_bytes:7", insight.NetIn, 7},
		{"total_net_output_bytes:7", insight.NetOut, 7},
		{"total_net_repl_input_bytes:7", insight.ReplIn, 7},
		{"total_net_repl_output_bytes:7", insight.ReplOut, 7},
		{"total_reads_processed:7", insight.Reads, 7},
		{"total_writes_processed:7", insight.Writes, 7},
		{"io_threaded_reads_processed:7", insight.IOReads, 7},
		{"io_threaded_writes_processed:7", insight.IOWrites, 7},
		{"total_error_replies:7", insight.ErrorReplies, 7},
		{"unexpected_error_replies:7", insight.UnexpectedErrors, 7},
		{"total_forks:7", insight.Forks, 7},
		{"rdb_saves:7", insight.Saves, 7},
		{"aof_rewrites:7", insight.Rewrites, 7},
		{"aof_delayed_fsync:7", insight.DelayedFsyncs, 7},
		{"sync_full:7", insight.FullSyncs, 7},
		{"eventloop_cycles:7", insight.LoopCycles, 7},
		{"eventloop_duration_sum:7", insight.LoopTime, 7000},
		{"eventloop_duration_cmd_sum:7", insight.CommandTime, 7000},
		{"used_active_time_main_thread:7.5", insight.ActiveMain, 7.5e9},
		{"used_active_time_io_thread_3:7.5", insight.ActiveIO, 7.5e9},
		{"used_cpu_sys:3\nused_cpu_user:4.25", insight.ProcessCPU, 7.25e9},
		{"used_cpu_sys_children:3\nused_cpu_user_children:4.25", insight.ChildrenCPU, 7.25e9},
	} {
		r := insight.Parse(c.line)
		for i, v := range r.Counters {
			if want := (insight.Told[int64]{Value: c.want, Known: true}); insight.Counter(i) == c.c && v != want {
				t.Errorf("%s: %+v, want %+v", c.line, v, want)
			} else if insight.Counter(i) != c.c && v.Known {
				t.Errorf("%s: %s is told too", c.line, counterNames()[i])
			}
		}
		name, _, _ := strings.Cut(c.line, ":")
		for _, bad := range []string{"", "-1", "x", "1e400", "99999999999999999999999999999", "NaN", "7,5"} {
			if v := insight.Parse(name + ":" + bad).Counters[c.c]; v.Known {
				t.Errorf("%s:%s: %+v", name, bad, v)
			}
		}
	}
}

// TestStateFields: each field of how a server is, or who it is.
func TestStateFields(t *testing.T) {
	yes, no, n := insight.Tell(true), insight.Tell(false), insight.Tell[int64]
	type told = insight.Told[int64]
	for _, c := range []struct {
		line string
		ok   func(s insight.Server, x insight.State) bool
	}{
		{"connected_clients:7", func(s insight.Server, x insight.State) bool { return x.Clients == n(7) }},
		{"maxclients:7", func(s insight.Server, x insight.State) bool { return x.MaxClients == n(7) }},
		{"max_clients:7", func(s insight.Server, x insight.State) bool { return x.MaxClients == n(7) }},
		{"blocked_clients:7", func(s insight.Server, x insight.State) bool { return x.Blocked == n(7) }},
		{"used_memory:7", func(s insight.Server, x insight.State) bool { return x.Used == n(7) }},
		{"used_memory:18446744073709551615", func(s insight.Server, x insight.State) bool { return x.Used == told{} }},
		{"used_memory_rss:7", func(s insight.Server, x insight.State) bool { return x.RSS == n(7) }},
		{"used_memory_rss:0", func(s insight.Server, x insight.State) bool { return x.RSS == told{} }},
		{"maxmemory:0", func(s insight.Server, x insight.State) bool { return x.MaxMemory == n(0) }},
		{"total_system_memory:7", func(s insight.Server, x insight.State) bool { return x.Physical == n(7) }},
		{"mem_fragmentation_ratio:1.25", func(s insight.Server, x insight.State) bool { return x.Fragmentation == insight.Tell(1.25) }},
		{"mem_fragmentation_ratio:-0.5", func(s insight.Server, x insight.State) bool { return !x.Fragmentation.Known }},
		{"maxmemory_policy:noeviction", func(s insight.Server, x insight.State) bool { return x.Policy == "noeviction" }},
		{"loading:1", func(s insight.Server, x insight.State) bool { return x.Loading == yes }},
		{"loading:maybe", func(s insight.Server, x insight.State) bool { return !x.Loading.Known }},
		{"rdb_bgsave_in_progress:1", func(s insight.Server, x insight.State) bool { return x.Saving == yes }},
		{"bgsave_in_progress:0", func(s insight.Server, x insight.State) bool { return x.Saving == no }},
		{"saving:1", func(s insight.Server, x insight.State) bool { return x.Saving == yes }},
		{"aof_enabled:1", func(s insight.Server, x insight.State) bool { return x.Appending == yes }},
		{"aof_rewrite_in_progress:1", func(s insight.Server, x insight.State) bool { return x.Rewriting == yes }},
		{"latest_fork_usec:437", func(s insight.Server, x insight.State) bool { return x.LastFork == insight.Tell(437*us) }},
		{"io_threads_active:1", func(s insight.Server, x insight.State) bool { return x.IOActive == yes }},
		{"role:slave", func(s insight.Server, x insight.State) bool { return x.Role == "slave" }},
		{"connected_slaves:2", func(s insight.Server, x insight.State) bool { return x.Replicas == n(2) }},
		{"master_link_status:up", func(s insight.Server, x insight.State) bool { return x.LinkUp == yes }},
		{"master_link_status:down", func(s insight.Server, x insight.State) bool { return x.LinkUp == no }},
		{"master_link_status:connect", func(s insight.Server, x insight.State) bool { return !x.LinkUp.Known }},
		{"master_last_io_seconds_ago:3", func(s insight.Server, x insight.State) bool { return x.Lag == insight.Tell(3*time.Second) }},
		{"slave1:ip=::1,port=1,state=online,offset=3,lag=2\nslave0:lag=1", func(s insight.Server, x insight.State) bool { return x.Lag == insight.Tell(2*time.Second) }},
		{"kvrocks_version:2\nslave0:lag=27", func(s insight.Server, x insight.State) bool { return !x.Lag.Known }},
		{"slave_priority:100\nslave:lag=5\nslaves:lag=5\nslave1x:lag=5", func(s insight.Server, x insight.State) bool { return !x.Lag.Known }},
		{"db0:keys=5,expires=1\ndb12:keys=2", func(s insight.Server, x insight.State) bool { return x.Keys == n(7) }},
		{"# Keyspace\ndb0:keys=5\n# Keyspace\ndb0:keys=6", func(s insight.Server, x insight.State) bool { return x.Keys == n(6) }},
		{"db0:expires=1\ndb0_distrib:keys=3\ndbx:keys=1", func(s insight.Server, x insight.State) bool { return !x.Keys.Known }},
		{"redis_version:7.0.15", func(s insight.Server, x insight.State) bool { return s.Kind == "redis" && s.Version == "7.0.15" }},
		{"server_name:fullbore-builtin\nredis_version:7.4.0", func(s insight.Server, x insight.State) bool {
			return s.Kind == "fullbore-builtin" && s.Version == "7.4.0"
		}},
		{"server_name:valkey\nvalkey_version:8.0.1\nredis_version:7.2.4", func(s insight.Server, x insight.State) bool {
			return s.Kind == "valkey" && s.Version == "8.0.1" && s.Redis == "7.2.4"
		}},
		{"redis_version:6.3.4\n# KeyDB", func(s insight.Server, x insight.State) bool { return s.Kind == "keydb" && s.Version == "6.3.4" }},
		{"redis_version:6.3.4\nexecutable:/opt/keydb-server", func(s insight.Server, x insight.State) bool { return s.Kind == "keydb" && s.Program == "keydb-server" }},
		{"redis_mode:cluster", func(s insight.Server, x insight.State) bool { return s.Mode == "cluster" }},
		{"os:Linux 6.1 x86_64", func(s insight.Server, x insight.State) bool { return s.OS == "Linux 6.1 x86_64" }},
		{"redis_build_id:ab12", func(s insight.Server, x insight.State) bool { return s.Build == "ab12" }},
		{"mem_allocator:libc", func(s insight.Server, x insight.State) bool { return s.Allocator == "libc" }},
		{"executable:redis-server", func(s insight.Server, x insight.State) bool { return s.Program == "redis-server" }},
		{"process_id:77", func(s insight.Server, x insight.State) bool { return s.Process == n(77) }},
		{"uptime_in_seconds:9", func(s insight.Server, x insight.State) bool { return s.Uptime == insight.Tell(9*time.Second) }},
		{"server_threads:4", func(s insight.Server, x insight.State) bool { return s.Threads == n(4) }},
		{"thread_count:8", func(s insight.Server, x insight.State) bool { return s.Threads == n(8) }},
		{"io_thread_0:clients=1\nio_thread_3:clients=1", func(s insight.Server, x insight.State) bool { return s.IOThreads == n(4) }},
		{"io_thread_99999999:clients=1\nio_threads:9", func(s insight.Server, x insight.State) bool { return !s.IOThreads.Known }},
	} {
		if r := insight.Parse(c.line); !c.ok(r.Server, r.State) {
			t.Errorf("%q: %+v %+v", c.line, r.Server, r.State)
		}
	}
}

// TestMainOfThreads: where several threads execute commands, the main one says little.
func TestMainOfThreads(t *testing.T) {
	const cpu = "used_cpu_sys:10\nused_cpu_user:20\nused_cpu_sys_main_thread:1\nused_cpu_user_main_thread:2\n"
	for text, want := range map[string]insight.Reading{
		cpu:                       {Main: 3 * time.Second},
		cpu + "thread_count:1":    {Main: 3 * time.Second},
		cpu + "thread_count:8":    {Main: 30 * time.Second, Whole: true},
		cpu + "server_threads:2":  {Main: 30 * time.Second, Whole: true},
		cpu + "server_threads:-2": {Main: 3 * time.Second},
	} {
		if got := insight.Parse(text); got.Main != want.Main || got.Whole != want.Whole {
			t.Errorf("%q: %v %v", text, got.Main, got.Whole)
		}
	}
}

// TestTold is the difference between nothing and 0.
func TestTold(t *testing.T) {
	var untold insight.Told[int64]
	if untold.Or(-1) != -1 || insight.Tell[int64](0).Or(-1) != 0 || untold == insight.Tell[int64](0) {
		t.Error("0 is taken for not told")
	}
}
