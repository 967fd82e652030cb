package tui

import (
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
	"fullbore/views"
)

// fixedInsight is that of fixedSnapshot's run: a server whose main thread is full, with
// a save under way.
func fixedInsight() *loadgen.Insight {
	tell := insight.Tell[int64]
	server := insight.Server{Kind: "redis", Version: "7.0.15", Mode: "standalone", OS: "Linux 6.1.0 x86_64", Build: "636cde3b5c7a3923",
		Allocator: "jemalloc-5.2.1", Uptime: insight.Tell(75 * time.Hour), IOThreads: tell(2)}
	is := insight.State{Clients: tell(51), MaxClients: tell(10_000), Used: tell(14_200_000), RSS: tell(21_900_000), MaxMemory: tell(1_000_000_000),
		Fragmentation: insight.Tell(1.54), Policy: "noeviction", Loading: insight.Tell(false), Saving: insight.Tell(true),
		Appending: insight.Tell(false), LastFork: insight.Tell(1200 * time.Microsecond), Role: "master", Replicas: tell(1)}
	d := insight.Delta{Commands: 1_142_305, Main: 970 * time.Millisecond, Elapsed: time.Second, Server: server, Was: is, Is: is}
	d.Counters[insight.Hits], d.Counters[insight.Misses] = tell(982), tell(18)
	d.Counters[insight.NetIn], d.Counters[insight.NetOut], d.Counters[insight.Evicted] = tell(96_000_000), tell(5_400_000), tell(0)
	since := d
	since.Commands, since.Main, since.Elapsed = 53_180_000, 39*time.Second, 41*time.Second
	since.Calls = map[string]insight.Call{
		"set": {Calls: 46_720_000, Time: 2 * time.Second}, "info": {Calls: 41, Time: 8 * time.Millisecond}, "config|get": {Calls: 2, Time: 40 * time.Microsecond},
	}
	since.Latency = map[string]insight.Histogram{"set": {Calls: 46_720_000, Buckets: []insight.Bucket{
		{Bound: time.Microsecond, Count: 46_000_000}, {Bound: 4 * time.Microsecond, Count: 46_720_000}}}}
	host := insight.HostDelta{Elapsed: time.Second, Quota: insight.Quota{Procs: 2}, CPUs: 8, CPU: insight.Tell(1240 * time.Millisecond),
		Pressure: insight.Tell(.03), Steal: insight.Tell(0.), Sched: insight.Tell(90 * time.Microsecond)}
	in := &loadgen.Insight{
		At: 101 * time.Second, Reading: insight.Reading{Server: server, State: is}, Delta: d, Since: since, Host: host, HostAll: host,
		Limiter: insight.Limiter{Name: insight.ByServer, Evidence: "server main thread 97 % of a core, 5.1 % of it executing commands", Advice: "use io-threads, sharding or fewer bytes"},
		Events:  []stats.Mark{{At: 80 * time.Second, Text: "RDB save"}},
		Notes:   []string{"someone else is using this server: 12 % of its commands are not ours"},
		Machine: insight.Machine{CPU: "AMD EPYC 7B13", Cores: 8, Kernel: "Linux 6.1.0-18-amd64", Arch: "amd64", Memory: 33_600_000_000, Container: "docker"},
	}
	for at := time.Second; at <= in.At; at += time.Second {
		level := .3
		if at > time.Minute {
			level = .97
		}
		in.Beats = append(in.Beats, loadgen.Beat{At: at, CPU: level, Client: level / 1.5, Memory: 14e6 + 1e4*float64(at/time.Second), Hits: .98,
			In: 96e6 * level, Out: 5.4e6 * level, Clients: 51, Ops: 1.17e6 * level})
	}
	return in
}

// insightOf shows that insight with changes.
func insightOf(changes ...func(*loadgen.Insight)) func(*Options) {
	in := fixedInsight()
	for _, c := range changes {
		c(in)
	}
	return func(o *Options) {
		start := o.Start
		o.Start = func(p loadgen.Plan) Engine {
			e := start(p).(*fakeEngine)
			e.told.Store(in)
			return e
		}
	}
}

// both makes two changes, of which the second is one of the snapshot.
func both(first func(*Options), second func(*stats.Snapshot)) func(*Options) {
	return func(o *Options) { first(o); snapshotOf(second)(o) }
}

func heldByClient(in *loadgen.Insight) {
	in.Limiter = insight.Limiter{Name: insight.ByClient, Advice: "raise --threads, or add clients on another host",
		Evidence: "client 99 % of 2 cores (GOMAXPROCS), server main thread 62 % of a core"}
}

func silent(in *loadgen.Insight) {
	in.Silent = "INFO: NOPERM this user has no permissions to run the 'info' command"
	in.Reading, in.Delta, in.Since, in.Notes, in.Events = insight.Reading{}, insight.Delta{}, insight.Delta{}, nil, nil
	for i := range in.Beats {
		in.Beats[i] = loadgen.Beat{At: in.Beats[i].At, Client: in.Beats[i].Client, CPU: -1, Memory: -1, Hits: -1, In: -1, Out: -1, Clients: -1, Ops: -1}
	}
}

// dialect is a server that tells little: no thread, no commands, no limits.
func dialect(in *loadgen.Insight) {
	in.Reading.Server = insight.Server{Kind: "dragonfly", Version: "df-v1.27.1", Threads: insight.Tell[int64](4)}
	in.Reading.State = insight.State{Used: insight.Tell[int64](5_000_000)}
	in.Delta = insight.Delta{Commands: 90_000, Elapsed: time.Second, Server: in.Reading.Server, Is: in.Reading.State}
	in.Since = insight.Delta{Commands: 3_600_000, Elapsed: 40 * time.Second, Server: in.Reading.Server}
	in.Limiter = insight.Limiter{Name: insight.ByUnknown, Evidence: "client 20 % of 2 cores (GOMAXPROCS); not told: the server's load", Advice: "allow INFO to this user, or try twice the --threads"}
	for i := range in.Beats {
		in.Beats[i].CPU, in.Beats[i].Hits = -1, -1
	}
}

// toldScene is the live screen with an insight.
func toldScene(changes ...func(*loadgen.Insight)) scene {
	in := fixedInsight()
	for _, c := range changes {
		c(in)
	}
	c := sceneOf(fixedSnapshot())
	c.told = told{}.next(in, 2)
	return c
}

func TestServerFacts(t *testing.T) {
	want := []string{"1.14M ops/s (88% ours)", "main thread 97 % of a core", "clients 51 of 10,000", "mem 14.2 MB of 1.0 GB", "evicted 0", "hits 98%",
		"in 96.0 MB/s", "out 5.4 MB/s", "saving RDB"}
	p := toldScene().live().Server
	if got := strings.Join(p.Facts, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("facts\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if p.Share != "P=16: commands take 5.1 % of the server's time, the rest is reading, parsing and writing" {
		t.Errorf("share %q", p.Share)
	}
	bare := toldScene(dialect).live().Server
	if got := strings.Join(bare.Facts, ", "); got != "90k ops/s (100% ours), cpu -, clients -, mem 5.0 MB, evicted -, hits -, in -, out -, disk -" {
		t.Errorf("of a dialect: %s", got)
	}
	if bare.Share != "" {
		t.Errorf("a share that nobody told: %q", bare.Share)
	}
	waiting := toldScene(func(in *loadgen.Insight) { in.Since.Calls["set"] = insight.Call{Calls: 1, Time: time.Hour} })
	if share := waiting.live().Server.Share; share != "" {
		t.Errorf("commands that took longer than the thread ran: %q", share)
	}
	if mute := toldScene(silent).live().Server; len(mute.Facts) > 0 || !strings.HasPrefix(mute.Silent, "the server tells nothing: INFO: NOPERM") {
		t.Errorf("a silent server: %+v", mute)
	}
	if none := sceneOf(fixedSnapshot()).live(); len(none.Server.Facts) > 0 || none.Limiter != (views.Limiter{}) {
		t.Errorf("before the first look: %+v %+v", none.Server, none.Limiter)
	}
}

func TestOurShare(t *testing.T) {
	c := toldScene(func(in *loadgen.Insight) { in.Since.Commands = 2 * 46_720_000 })
	if ours, ok := c.ours(); !ok || ours < .49 || ours > .51 {
		t.Errorf("ours %v %v, want a half", ours, ok)
	}
	c.slow.Nodes = []stats.Node{{Address: "127.0.0.1:7001"}}
	if _, ok := c.ours(); ok {
		t.Error("a share of one node's commands although the load is on all")
	}
	c.slow.Nodes, c.plan.Batch = nil, "multi"
	if _, ok := c.ours(); ok {
		t.Error("a share of ours although MULTI and EXEC are counted as well")
	}
}

func TestLimiterWords(t *testing.T) {
	for _, tt := range []struct {
		name     string
		title    string
		pressing bool
	}{
		{insight.ByServer, "server-bound", false}, {insight.ByClient, "client-bound", true}, {insight.ByHost, "contended host", true},
		{insight.ByErrors, "held up by errors", true}, {insight.ByNetwork, "network-bound", false}, {insight.ByInFlight, "latency-bound", false},
		{insight.ByUnknown, "unknown", false}, {"", "not known yet", false},
	} {
		l := toldScene(func(in *loadgen.Insight) { in.Limiter.Name = tt.name }).live().Limiter
		if l.Title != tt.title || l.Pressing != tt.pressing {
			t.Errorf("%q: %+v", tt.name, l)
		}
	}
}

// The words of a limiter hold still for some seconds; another limiter, or another plan,
// shows at once.
func TestTheLimiterHoldsStill(t *testing.T) {
	at := func(s float64, name, words string) *loadgen.Insight {
		return &loadgen.Insight{At: time.Duration(s * float64(time.Second)), Limiter: insight.Limiter{Name: name, Evidence: words}}
	}
	shown := told{}
	for i, step := range []struct {
		in    *loadgen.Insight
		epoch int
		want  string
	}{
		{at(1, "server", "97"), 1, "97"}, {at(2, "server", "96"), 1, "97"}, {at(5.9, "server", "95"), 1, "97"}, {at(6, "server", "94"), 1, "94"},
		{at(7, "client", "90"), 1, "90"}, {at(8, "client", "91"), 1, "90"}, {at(9, "client", "92"), 2, "92"},
		{at(0.5, "client", "50"), 2, "50"}, // another run
		{nil, 2, ""},
	} {
		if shown = shown.next(step.in, step.epoch); shown.limiter.Evidence != step.want {
			t.Errorf("step %d shows %q, want %q", i, shown.limiter.Evidence, step.want)
		}
	}
}

func TestEventsAreMarks(t *testing.T) {
	c := toldScene()
	var got []string
	for _, m := range c.live().Throughput.Marks {
		got = append(got, m.Text)
	}
	if strings.Join(got, ", ") != "pipeline 1 > 16, RDB save" {
		t.Errorf("marks %q", got)
	}
	if age := c.live().Throughput.Marks[1].Age; age != 22*time.Second {
		t.Errorf("the save was %v ago, want 22s", age)
	}
	c.span = 10 * time.Second
	if marks := c.live().Throughput.Marks; len(marks) > 0 {
		t.Errorf("marks older than the axis: %v", marks)
	}
}

func TestPageOfTheServer(t *testing.T) {
	v := toldScene().page()
	if len(v.Gauges) != 8 || len(v.Facts) != 5 || len(v.Notes) != 2 {
		t.Fatalf("%d gauges, %d facts, %d notes", len(v.Gauges), len(v.Facts), len(v.Notes))
	}
	for _, g := range v.Gauges {
		if len(g.Samples) != 101 || g.Value == "" {
			t.Errorf("%s has %d samples and the value %q", g.Label, len(g.Samples), g.Value)
		}
	}
	if v.Gauges[1].Value != "62 % of 2 cores" || v.Gauges[7].Value != "51 of 10,000" {
		t.Errorf("client %q, clients %q", v.Gauges[1].Value, v.Gauges[7].Value)
	}
	names := ""
	for _, c := range v.Commands {
		names += " " + c.Name
	}
	if names != " set info config|get" {
		t.Errorf("commands%s", names)
	}
	set := v.Commands[0]
	if !set.P99.OK || set.P99.Value != 4*time.Microsecond || !set.PerCall.OK || set.Share.Value < .99 {
		t.Errorf("set %+v", set)
	}
	if v.Commands[1].P50.OK {
		t.Error("a latency that was not told")
	}
	quiet := toldScene(silent).page()
	if len(quiet.Gauges) != 1 || quiet.Gauges[0].Label != "client" || len(quiet.Commands) != 0 || quiet.Silent == "" {
		t.Errorf("a silent server: %d gauges, %d commands, %q", len(quiet.Gauges), len(quiet.Commands), quiet.Silent)
	}
	if bare := sceneOf(fixedSnapshot()).page(); bare.Silent == "" || len(bare.Gauges) != 0 {
		t.Errorf("before the first look: %+v", bare.Silent)
	}
	if (scene{span: time.Minute}).page().Silent == "" { // no snapshot either
		t.Error("an engine that has said nothing")
	}
}

func TestUntoldThingsAreExplained(t *testing.T) {
	c := sceneOf(fixedSnapshot())
	c.facts.Hidden = "CONFIG: NOPERM"
	if n := c.live().Notes[0]; n.Warning || n.Text != "the server does not tell everything: CONFIG: NOPERM" {
		t.Errorf("first note %+v", n)
	}
	place := place()
	place.Info.Hidden = []string{"INFO: a", "CONFIG: b"}
	if f := factsOf(place); f.Hidden != "INFO: a; CONFIG: b" {
		t.Errorf("hidden %q", f.Hidden)
	}
	arms := armsOf(1, 16)
	arms[1].Place.Info.Hidden = []string{"INFO: a"}
	notes := bout(arms, fixedState(arms, 9)).compare().Notes
	if notes[0].Text != "the server does not tell everything: INFO: a" {
		t.Errorf("notes of a comparison begin with %+v", notes[0])
	}
}

// What the engine warns of already is not said twice.
func TestNotesOfTheServer(t *testing.T) {
	c := toldScene()
	said := func() (n int) {
		for _, note := range c.live().Notes {
			if strings.HasPrefix(note.Text, "someone else") && note.Warning {
				n++
			}
		}
		return n
	}
	if said() != 1 {
		t.Errorf("someone else is told %d times", said())
	}
	c.slow.Warnings = append(c.slow.Warnings, c.told.Notes[0])
	if said() != 1 {
		t.Errorf("with the engine's warning %d times", said())
	}
}
