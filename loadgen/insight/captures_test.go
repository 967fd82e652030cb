package insight_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"fullbore/loadgen/insight"
)

// captured reads a recorded INFO; its first line says where it is from.
func captured(t testing.TB, name string) insight.Reading {
	t.Helper()
	text, err := os.ReadFile("testdata/info/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return insight.Parse(string(text))
}

// counterNames are as in the package, in its order.
func counterNames() []string {
	return strings.Fields("Connections Rejected Hits Misses Expired Evicted EvictedClients QueryLimit OutputLimit " +
		"NetIn NetOut ReplIn ReplOut Reads Writes IOReads IOWrites ErrorReplies UnexpectedErrors Forks Saves Rewrites " +
		"DelayedFsyncs FullSyncs LoopCycles LoopTime CommandTime ProcessCPU ChildrenCPU ActiveMain ActiveIO")
}

// told writes what a reading tells, and leaves out what it does not.
func told(r insight.Reading) string {
	var b strings.Builder
	add := func(name string, value any, known bool) {
		if known {
			fmt.Fprintf(&b, " %s=%v", name, value)
		}
	}
	s, x := r.Server, r.State
	fmt.Fprintf(&b, "%s %s redis=%s mode=%s", s.Kind, s.Version, s.Redis, s.Mode)
	add("build", s.Build, s.Build != "")
	add("alloc", s.Allocator, s.Allocator != "")
	add("program", s.Program, s.Program != "")
	add("pid", s.Process.Value, s.Process.Known)
	add("up", s.Uptime.Value, s.Uptime.Known)
	add("threads", s.Threads.Value, s.Threads.Known)
	add("iothreads", s.IOThreads.Value, s.IOThreads.Known)
	add("id", r.RunID[:min(4, len(r.RunID))], r.RunID != "")
	add("\ncommands", r.Commands, r.Commands >= 0)
	add("main", r.Main, r.Main >= 0)
	add("whole", r.Whole, r.Whole)
	b.WriteString("\n")
	add("clients", x.Clients.Value, x.Clients.Known)
	add("max", x.MaxClients.Value, x.MaxClients.Known)
	add("blocked", x.Blocked.Value, x.Blocked.Known)
	add("used", x.Used.Value, x.Used.Known)
	add("rss", x.RSS.Value, x.RSS.Known)
	add("maxmemory", x.MaxMemory.Value, x.MaxMemory.Known)
	add("physical", x.Physical.Value, x.Physical.Known)
	add("frag", x.Fragmentation.Value, x.Fragmentation.Known)
	add("policy", x.Policy, x.Policy != "")
	swapping, known := x.Swapping()
	add("swapping", swapping, known)
	b.WriteString("\n")
	add("loading", x.Loading.Value, x.Loading.Known)
	add("saving", x.Saving.Value, x.Saving.Known)
	add("aof", x.Appending.Value, x.Appending.Known)
	add("rewriting", x.Rewriting.Value, x.Rewriting.Known)
	add("fork", x.LastFork.Value, x.LastFork.Known)
	add("io", x.IOActive.Value, x.IOActive.Known)
	add("role", x.Role, x.Role != "")
	add("replicas", x.Replicas.Value, x.Replicas.Known)
	add("link", x.LinkUp.Value, x.LinkUp.Known)
	add("lag", x.Lag.Value, x.Lag.Known)
	add("keys", x.Keys.Value, x.Keys.Known)
	b.WriteString("\n")
	for c, name := range counterNames() {
		add(name, r.Counters[c].Value, r.Counters[c].Known)
	}
	b.WriteString("\n")
	for _, name := range slices.Sorted(maps.Keys(r.Errors)) {
		add(name, r.Errors[name], true)
	}
	add("errors", "none", r.Errors != nil && len(r.Errors) == 0)
	for _, name := range slices.Sorted(maps.Keys(r.Calls)) {
		add(name, fmt.Sprintf("%d/%v", r.Calls[name].Calls, r.Calls[name].Time), true)
	}
	return b.String()
}

// TestCaptures: six kinds of server and fifteen versions parse into what they say,
// worked out by hand from the files; what they do not say is left out.
func TestCaptures(t *testing.T) {
	seen := 0
	for _, c := range []struct{ name, want string }{
		{"dragonfly-1.30", `dragonfly df-v1.30.3 redis=7.4.0 mode=standalone up=3h18m53s threads=10
commands=1026945 main=51h37m25.253516s whole=true
 clients=82 max=64000 blocked=1 used=3717324160 rss=4296523776 maxmemory=10737418240 policy=noeviction swapping=false
 loading=false saving=false role=master replicas=1 keys=2546802
 Connections=4359 Hits=244049 Misses=124680 Expired=40 Evicted=0 NetIn=58855276535 NetOut=116013187 Reads=6396312 Writes=6389328 ProcessCPU=185845253516000 ChildrenCPU=0
 errors=none get=368729/1.843645s set=342957/2.057742s`},
		{"garnet-1.0-monitored", `garnet 1.0.61 redis=7.4.3 mode=standalone up=8m32s id=81b4
commands=923821
 clients=51

 Hits=694167 Misses=21248 NetIn=31000000 NetOut=5000000
 get=715415/0s`},
		{"garnet-1.0", `garnet 1.0.61 redis=7.4.3 mode=standalone up=8m32s id=81b4
 rss=250523648 physical=33280372736
 role=master replicas=0 keys=0

`},
		{"keydb-6.3", `keydb 6.3.4 redis=6.3.4 mode=standalone build=fb49361e3e0e2b4a program=keydb-server pid=14 up=1h2m14s threads=4 id=f4af
commands=6105009 main=1m40s whole=true
 clients=545 max=10000 blocked=0 used=1743832 maxmemory=0 physical=8341086208 policy=noeviction
 loading=false saving=false aof=false rewriting=false fork=0s role=active-replica replicas=0 link=true lag=3s keys=3211326
 Connections=4472 Rejected=0 Hits=13000 Misses=655 Expired=3 Evicted=0 NetIn=5666719 NetOut=6397197 Reads=5000000 Writes=5087524 ErrorReplies=0 Forks=0 ProcessCPU=100000000000 ChildrenCPU=0
 errors=none get=13655/193.595ms set=3211387/8.627542s`},
		{"kvrocks-2.12", `kvrocks 2.12.0 redis=4.0.0 mode=standalone build=7d52e8d alloc=jemalloc program=kvrocks pid=1 up=201h20m16s
commands=1759790 main=12m55.75s whole=true
 clients=12 max=10000 blocked=1 rss=178163712
 loading=false saving=true role=master replicas=3 keys=1
 Connections=71751 Hits=2442 Misses=1098 NetIn=134026737 NetOut=151442902 FullSyncs=0 ProcessCPU=775750000000 ChildrenCPU=0
 get=3540/70.8ms`},
		{"redis-2.6", `redis 2.6.17 redis=2.6.17 mode=standalone alloc=jemalloc-3.2.0 pid=18043 up=430h23m34s id=3f1d
commands=10135201 main=11m54.95s whole=true
 clients=34 blocked=2 used=38449272 rss=46657536 frag=1.21 swapping=false
 loading=false saving=true aof=false rewriting=false fork=2.711ms role=master replicas=1 keys=50300
 Connections=741 Rejected=3 Hits=4494403 Misses=505597 Expired=17 Evicted=0 ProcessCPU=714950000000 ChildrenCPU=12750000000
 get=5000000/9s info=201/11.57ms set=5000000/11s`},
		{"redis-2.8", `redis 2.8.19 redis=2.8.19 mode=standalone build=974a39162812208c alloc=jemalloc-3.6.0 pid=18050 up=15m0s id=a1cc
commands=4242 main=20.75s whole=true
 clients=4 blocked=0 used=2147483648 rss=1288490188 frag=0.6 swapping=true
 loading=false saving=false aof=true rewriting=true fork=64.751ms role=slave replicas=0 link=false keys=1000
 Connections=18 Rejected=0 Hits=0 Misses=0 Expired=0 Evicted=0 NetIn=101829 NetOut=683360 DelayedFsyncs=21 FullSyncs=0 ProcessCPU=20750000000 ChildrenCPU=0
`},
		{"redis-4.0", `redis 4.0.11 redis=4.0.11 mode=standalone build=7954e3b157354d16 alloc=jemalloc-4.0.3 program=redis-server pid=21158 up=1h30m19s id=bae8
commands=120120 main=19.75s whole=true
 clients=8 blocked=0 used=90000000 rss=108000000 maxmemory=100000000 physical=8389660672 frag=1.2 policy=allkeys-lru swapping=false
 loading=false saving=false aof=false rewriting=false fork=832µs role=master replicas=2 lag=4s keys=44192
 Connections=73 Rejected=0 Hits=90000 Misses=10000 Expired=5 Evicted=1204 NetIn=7037000 NetOut=748000 FullSyncs=2 ProcessCPU=19750000000 ChildrenCPU=190000000
`},
		{"redis-6.0", `redis 6.0.9 redis=6.0.9 mode=standalone build=12c354e6793cb936 alloc=jemalloc-5.1.0 program=redis-server pid=1 up=70h13m32s id=5d97
commands=99874 main=5.75s whole=true
 clients=51 blocked=0 used=867160 rss=5959680 maxmemory=0 physical=8149614592 frag=7.19 policy=noeviction swapping=false
 loading=false saving=false aof=false rewriting=false fork=0s io=true role=master replicas=0 keys=0
 Connections=62 Rejected=0 Hits=27255 Misses=48 Expired=2 Evicted=0 NetIn=5666719 NetOut=6397197 Reads=20799 Writes=28916 IOReads=10400 IOWrites=28000 UnexpectedErrors=0 FullSyncs=0 ProcessCPU=5750000000 ChildrenCPU=0
`},
		{"redis-7.0.15-later", `redis 7.0.15 redis=7.0.15 mode=standalone build=ae4d7c971a948f0 alloc=jemalloc-5.3.0 program=redis-server pid=11056 up=5s id=8dba
commands=260011 main=357.627ms
 clients=1 max=10000 blocked=0 used=1416928 rss=13045760 maxmemory=104857600 physical=25276502016 frag=6.1 policy=noeviction swapping=false
 loading=false saving=false aof=false rewriting=false fork=437µs io=false role=master replicas=0 keys=2
 Connections=111 Rejected=0 Hits=100000 Misses=1 Expired=0 Evicted=0 EvictedClients=0 NetIn=10260451 NetOut=1880625 ReplIn=0 ReplOut=0 Reads=32621 Writes=32510 IOReads=0 IOWrites=0 ErrorReplies=2 UnexpectedErrors=0 Forks=1 Saves=1 Rewrites=0 FullSyncs=0 ProcessCPU=357738000 ChildrenCPU=2667000
 ERR=1 WRONGTYPE=1 bgsave=1/491µs config|get=4/17µs config|set=1/8µs get=100001/13.566ms info=2/301µs latency|histogram=1/37µs lpush=60001/26.55ms set=100000/15.323ms`},
		{"redis-7.0.15", `redis 7.0.15 redis=7.0.15 mode=standalone build=ae4d7c971a948f0 alloc=jemalloc-5.3.0 program=redis-server pid=11056 up=4s id=8dba
commands=180007 main=261.779ms
 clients=1 max=10000 blocked=0 used=1392240 rss=13045760 maxmemory=104857600 physical=25276502016 frag=9.65 policy=noeviction swapping=false
 loading=false saving=false aof=false rewriting=false fork=437µs io=false role=master replicas=0 keys=2
 Connections=68 Rejected=0 Hits=60000 Misses=1 Expired=0 Evicted=0 EvictedClients=0 NetIn=7020293 NetOut=1314036 ReplIn=0 ReplOut=0 Reads=22575 Writes=22507 IOReads=0 IOWrites=0 ErrorReplies=2 UnexpectedErrors=0 Forks=1 Saves=1 Rewrites=0 FullSyncs=0 ProcessCPU=261889000 ChildrenCPU=2667000
 ERR=1 WRONGTYPE=1 bgsave=1/491µs config|get=2/11µs config|set=1/8µs get=60001/10.653ms info=1/132µs lpush=60001/26.55ms set=60000/9.835ms`},
		{"redis-7.2", `redis 7.2.4 redis=7.2.4 mode=standalone build=d4ab4ca0a2b1c5aa alloc=jemalloc-5.3.0 program=redis-server pid=9825 up=26h19m58s id=e0ab
commands=22124514 main=45m20.5s
 clients=51 max=10000 blocked=0 used=1800560 rss=26558464 maxmemory=0 frag=14.75 policy=noeviction swapping=false
 loading=false saving=false aof=true rewriting=false fork=241.026ms io=false role=master replicas=1 lag=0s keys=358
 Connections=3081 Rejected=0 Hits=40088603 Misses=3758315 Expired=358322 Evicted=0 EvictedClients=4 NetIn=134722000 NetOut=686934000 ReplIn=0 ReplOut=1200 Reads=22124514 Writes=61381759 IOReads=0 IOWrites=7858076 ErrorReplies=34396 UnexpectedErrors=0 Forks=147 Saves=147 Rewrites=2 DelayedFsyncs=0 FullSyncs=1 LoopCycles=19983213 LoopTime=2739313376000 CommandTime=1313002872000 ProcessCPU=2742000000000 ChildrenCPU=151000000000
 ERR=34390 NOAUTH=6`},
		{"redis-8.0", `redis 8.0.1 redis=8.0.1 mode=standalone build=b51939c46b1b2ab8 alloc=jemalloc-5.3.0 program=redis-server pid=77 up=7h2m4s iothreads=4 id=a8ee
commands=1862379 main=12s
 clients=1001 max=10000 blocked=0 used=1800560 rss=26558464 maxmemory=0 frag=14.75 policy=noeviction swapping=false
 loading=false saving=false aof=false rewriting=false fork=0s io=true role=master replicas=0 keys=2
 Connections=1001 Rejected=0 Hits=930000 Misses=1 Expired=0 Evicted=0 EvictedClients=0 QueryLimit=1 OutputLimit=7 NetIn=70000000 NetOut=9000000 Reads=1862379 Writes=1862285 IOReads=1862379 IOWrites=1862285 ErrorReplies=0 Forks=0 Saves=0 LoopCycles=710861 LoopTime=12000000000 CommandTime=4662723000 ProcessCPU=45000000000 ChildrenCPU=0
 errors=none`},
		{"stub", `redis 7.0.0 redis=7.0.0 mode=
 clients=5


`},
		{"valkey-8.0", `valkey 8.0.1 redis=7.2.4 mode=standalone build=1cadaf78f6168f2d alloc=jemalloc-5.3.0 program=valkey-server pid=982599 up=26h19m58s id=488d
commands=3080000 main=48s
 clients=51 max=10000 blocked=0 used=4757704 rss=13221888 maxmemory=0 physical=33280372736 frag=2.8 policy=noeviction swapping=false
 loading=false saving=false aof=false rewriting=false fork=832µs io=true role=master replicas=0 keys=0
 Connections=3081 Rejected=0 Hits=877 Misses=98 Expired=0 Evicted=0 QueryLimit=0 OutputLimit=2 NetIn=134722 NetOut=686934 Reads=192500 Writes=192510 IOReads=190000 IOWrites=190000 ErrorReplies=55 Forks=5 Saves=1 Rewrites=0 LoopCycles=710861 LoopTime=261482066000 CommandTime=4662723000 ProcessCPU=287885330000 ChildrenCPU=11421000
 ERR=55`},
		{"valkey-9.1", `valkey 9.1.0 redis=7.2.4 mode= id=488d main=4m47.882861s

 io=true
 ProcessCPU=287885330000 ActiveMain=192003980000 ActiveIO=21750000000
`},
	} {
		seen++
		if got, want := squeezed(told(captured(t, c.name))), squeezed(c.want); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if files, err := os.ReadDir("testdata/info"); err != nil || len(files) != seen {
		t.Errorf("%d of %d captures are looked at (%v)", seen, len(files), err)
	}
}

// squeezed is a text without the blanks at the ends of its lines.
func squeezed(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		b.WriteString(strings.TrimSpace(l) + "\n")
	}
	return strings.TrimSpace(b.String())
}
