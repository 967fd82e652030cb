package insight_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fullbore/loadgen/insight"
)

// FuzzCounters: whatever a server says, every figure is told or not, none is negative,
// and shares are shares.
func FuzzCounters(f *testing.F) {
	for _, name := range []string{"redis-7.2", "dragonfly-1.30", "garnet-1.0", "keydb-6.3", "stub", "valkey-9.1"} {
		text, err := os.ReadFile("testdata/info/" + name + ".txt")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), strings.ReplaceAll(string(text), ":1", ":3"))
	}
	f.Add("keyspace_hits:4611686018427387903\ndb0:keys=4611686018427387903\ndb1:keys=4611686018427387903", "used_active_time_io_thread_1:4e9\nused_active_time_io_thread_2:4e9")
	f.Fuzz(func(t *testing.T, one, two string) {
		a, b := insight.Parse(one), insight.Parse(two)
		a.At, b.At = time.Unix(1, 0), time.Unix(2, 0)
		for c, v := range a.Counters {
			if v.Value < 0 || !v.Known && v.Value != 0 {
				t.Fatalf("%s: %+v", counterNames()[c], v)
			}
		}
		x := a.State
		if x.Used.Value < 0 || x.RSS.Value < 0 || x.Keys.Value < 0 || x.Lag.Value < 0 || x.Fragmentation.Value < 0 || a.Server.IOThreads.Value > 1<<15 {
			t.Fatalf("%+v %+v", x, a.Server)
		}
		d, ok := insight.Between(a, b)
		if !ok {
			return
		}
		for c, v := range d.Add(d).Counters {
			if v.Value < 0 {
				t.Fatalf("twice %s: %+v", counterNames()[c], v)
			}
		}
		hits, _ := d.HitRate()
		part, _ := d.Executing()
		load, _ := d.Load()
		if !(hits >= 0 && hits <= 1) || !(part >= 0 && part <= 1) || !(load.Share >= 0) || d.OtherThreads().Value < 0 {
			t.Fatalf("%v %v %+v", hits, part, load)
		}
		d.Events()
	})
}

// FuzzHost: whatever is in the files, figures are told or not, and can be subtracted.
func FuzzHost(f *testing.F) {
	f.Add("0::/a/b\n", "640 637 0:29 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n", "100000 100000", "nr_throttled 1\nthrottled_usec 5", "cpu 1 2 3 4\ncpu0 1\n", "0-3,7")
	f.Add("2:cpu:/x\n", "640 637 0:29 /x /sys/fs/cgroup ro - cgroup cgroup rw,cpu\n", "-1", "throttled_time -5", "cpu  -1 2 3 4", "3-1")
	f.Add("0::/../..\n2:cpu:/\n", "1 1 0:1 / / rw - cgroup2 cgroup2 rw\n", "9223372036854775807 1", "nr_throttled 9223372036854775807", "cpu 9223372036854775807 1 1 1", "0-4294967295")
	f.Fuzz(func(t *testing.T, group, mounts, limit, stat, cpu, allowed string) {
		system := fstest.MapFS{
			"proc/self/cgroup": {Data: []byte(group)}, "proc/self/mountinfo": {Data: []byte(mounts)},
			"proc/self/status": {Data: []byte("Cpus_allowed_list:\t" + allowed + "\n")},
			"proc/stat":        {Data: []byte(cpu)}, "proc/pressure/cpu": {Data: []byte(stat)}, "proc/cpuinfo": {Data: []byte(cpu)},
			"proc/7/comm": {Data: []byte("redis-server")}, "proc/7/schedstat": {Data: []byte(limit)},
			"sys/fs/cgroup/cpu.max": {Data: []byte(limit)}, "sys/fs/cgroup/cpu.stat": {Data: []byte(stat)},
			"sys/fs/cgroup/cpu.cfs_quota_us": {Data: []byte(limit)}, "sys/fs/cgroup/cpu.cfs_period_us": {Data: []byte("100000")},
			"sys/class/net/eth0/speed": {Data: []byte(limit)},
		}
		h := insight.NewHost(system)
		h.Watch(insight.Server{Process: insight.Tell[int64](7), Program: "redis-server"})
		a := h.Read(time.Unix(0, 0), insight.Tell(time.Duration(0)))
		b := h.Read(time.Unix(1, 0), insight.Tell(time.Second))
		d, ok := insight.HostBetween(a, b)
		if !ok || !(d.Busy.Value >= 0 && d.Busy.Value <= 1) || !(d.Pressure.Value >= 0) || d.Throttle.Value.Times != 0 || d.Quota.Cores() < 0 {
			t.Fatalf("%+v %v", d, ok)
		}
		if a.Quota.Group.Known && !(a.Quota.Group.Value > 0) || a.Quota.Allowed.Known && a.Quota.Allowed.Value < 1 {
			t.Fatalf("%+v", a.Quota)
		}
		if speed := insight.LinkSpeed(system, "eth0"); speed.Known && !(speed.Value > 0) {
			t.Fatalf("%+v", speed)
		}
		insight.ReadMachine(system)
		insight.SameHost(group, nil)
	})
}

// FuzzDecide: whatever the evidence, there is one of the names, a reason and an advice.
func FuzzDecide(f *testing.F) {
	f.Add(int64(time.Second), int64(1000), int64(0), 50, 1, int64(time.Millisecond), 0.5, 0.1, "ERR x")
	f.Add(int64(-1), int64(-1), int64(1)<<62, -1, 0, int64(-1), -1.0, 1e300, "\n")
	f.Fuzz(func(t *testing.T, elapsed, replies, errors int64, clients, depth int, latency int64, cpu, press float64, text string) {
		e := insight.Evidence{
			Elapsed: time.Duration(elapsed), Replies: replies, Errors: errors, Clients: clients, Pipeline: depth,
			Latency: time.Duration(latency), RoundTrip: insight.Tell(time.Duration(latency)), FirstError: text, In: replies, Out: errors,
			Link: insight.Tell(cpu), Paced: press,
			Host: insight.Tell(insight.HostDelta{
				Elapsed: time.Duration(elapsed), CPU: insight.Tell(time.Duration(replies)), Quota: insight.Quota{Procs: depth},
				Pressure: insight.Tell(press), Busy: insight.Tell(cpu), CPUs: clients,
			}),
			Server: insight.Tell(insight.Delta{Elapsed: time.Duration(elapsed), Main: time.Duration(latency)}),
		}
		l := insight.Decide(e)
		if l.Evidence == "" || l.Advice == "" || l.Title() == "" || strings.ContainsAny(l.Evidence, "\n") {
			t.Fatalf("%+v", l)
		}
	})
}

// everything is INFO ALL of a Redis 7.0 that ran a hundred commands.
func everything(b *testing.B) string {
	b.Helper()
	text, err := os.ReadFile("testdata/info/redis-7.0.15.txt")
	if err != nil {
		b.Fatal(err)
	}
	var all strings.Builder
	all.Write(text)
	all.WriteString("# Commandstats\n")
	for i := range 100 {
		fmt.Fprintf(&all, "cmdstat_command%d:calls=%d,usec=%d,usec_per_call=1.80,rejected_calls=0,failed_calls=0\r\n", i, i*1000, i*1800)
	}
	return all.String()
}

func BenchmarkParse(b *testing.B) {
	info := everything(b)
	b.SetBytes(int64(len(info)))
	b.ReportAllocs()
	for b.Loop() {
		insight.Parse(info)
	}
}

func BenchmarkBetween(b *testing.B) {
	one, two := insight.Parse(everything(b)), insight.Parse(everything(b))
	b.ReportAllocs()
	for b.Loop() {
		insight.Between(one, two)
	}
}

// BenchmarkHost reads the real machine.
func BenchmarkHost(b *testing.B) {
	h := insight.NewHost(os.DirFS("/"))
	b.ReportAllocs()
	for b.Loop() {
		h.Read(time.Now(), insight.OwnCPU())
	}
}

func BenchmarkDecide(b *testing.B) {
	e := running()
	b.ReportAllocs()
	for b.Loop() {
		insight.Decide(e)
	}
}
