package insight_test

import (
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/insight"
)

// stretch is what the captured Redis 7.0.15 did in 332 ms: 40 000 of each SET and GET.
func stretch(t testing.TB) insight.Delta {
	t.Helper()
	a, b := captured(t, "redis-7.0.15"), captured(t, "redis-7.0.15-later")
	a.At = time.UnixMicro(1796070575985427)
	b.At = time.UnixMicro(1796070576317757)
	d, ok := insight.Between(a, b)
	if !ok {
		t.Fatal("not one stretch")
	}
	return d
}

// about compares figures to a thousandth.
func about(got, want float64) bool { return got >= 0.999*want && got <= 1.001*want }

func TestStretch(t *testing.T) {
	d := stretch(t)
	if d.Commands != 80_004 || d.Elapsed != 332_330*us || d.Server.Kind != "redis" || d.Is.Keys != insight.Tell[int64](2) {
		t.Errorf("%+v", d)
	}
	if rate, ok := d.Rate(insight.NetIn); !ok || !about(rate, (10260451-7020293)/0.33233) {
		t.Errorf("%v bytes/s in", rate)
	}
	if hits, ok := d.HitRate(); !ok || hits != 1 {
		t.Errorf("hits %v %v", hits, ok)
	}
	if p, ok := d.Pipelined(); !ok || !about(p, 80_004.0/(32621-22575)) {
		t.Errorf("%v commands a read, sent with P=8", p)
	}
	if ours, ok := d.Ours(40_000); !ok || !about(ours, 0.5) {
		t.Errorf("ours %v", ours)
	}
	if part, ok := d.Executing(); !ok || !about(part, (2.913+5.488+0.169+0.006+0.037)/95.848) {
		t.Errorf("executing %v", part)
	}
	if other := d.OtherThreads(); !other.Known || other.Value != us {
		t.Errorf("other threads %+v", other)
	}
	if load, ok := d.Load(); !ok || load.Words != "server main thread 29 % of a core" {
		t.Errorf("%+v", load)
	}
	if len(d.Errors) != 0 || d.Errors == nil || len(d.Events()) != 0 {
		t.Errorf("errors %v, events %v", d.Errors, d.Events())
	}
	if twice := d.Add(d); twice.Elapsed != 2*d.Elapsed || twice.Counters[insight.Reads].Value != 2*(32621-22575) || twice.Errors == nil {
		t.Errorf("twice: %+v", twice)
	}
}

func TestBetweenCounters(t *testing.T) {
	base := func() insight.Reading { return captured(t, "redis-7.2") }
	for _, c := range []struct {
		name   string
		change func(*insight.Reading)
		ok     bool
	}{
		{"nothing", func(r *insight.Reading) {}, true},
		{"more", func(r *insight.Reading) { r.Counters[insight.Hits].Value++ }, true},
		{"statistics were reset", func(r *insight.Reading) { r.Counters[insight.NetIn].Value = 5 }, false},
		{"errors were reset", func(r *insight.Reading) { r.Errors = map[string]int64{"ERR": 3} }, false},
		{"started again", func(r *insight.Reading) { r.RunID, r.Server.Uptime.Value = "", time.Second }, false},
		{"not told any more", func(r *insight.Reading) { r.Counters[insight.NetIn], r.Errors = insight.Told[int64]{}, nil }, true},
	} {
		b := base()
		c.change(&b)
		d, ok := insight.Between(base(), b)
		if ok != c.ok {
			t.Errorf("%s: %v", c.name, ok)
		}
		if c.name == "not told any more" && (d.Counters[insight.NetIn].Known || d.Errors != nil || !d.Counters[insight.NetOut].Known) {
			t.Errorf("%s: %+v", c.name, d)
		}
	}
	b := base()
	b.Errors["ERR"], b.Errors["OOM"] = 34_395, 7
	if d, _ := insight.Between(base(), b); len(d.Errors) != 2 || d.Errors["ERR"] != 5 || d.Errors["OOM"] != 7 {
		t.Errorf("errors %v", d.Errors)
	}
}

func TestLoad(t *testing.T) {
	type delta = insight.Delta
	with := func(d delta, c insight.Counter, t time.Duration) delta {
		d.Counters[c] = insight.Tell(int64(t))
		return d
	}
	sec := time.Second
	kind := func(name string, threads int64) insight.Server {
		return insight.Server{Kind: name, Threads: insight.Told[int64]{Value: threads, Known: threads > 0}}
	}
	main := delta{Elapsed: 2 * sec, Main: 1940 * ms}
	for _, c := range []struct {
		name string
		d    delta
		want string
	}{
		{"Redis 6.2", main, "server main thread 97 % of a core"},
		{"Redis 7.2", with(main, insight.LoopTime, 1840*ms), "server event loop busy 92 % of the time"},
		{"Valkey 9.1 that polls", with(with(main, insight.LoopTime, 1990*ms), insight.ActiveMain, 100*ms), "server main thread busy 5 % of the time"},
		{"Redis 5", delta{Elapsed: sec, Main: 950 * ms, Whole: true, Server: kind("redis", 0)}, "server process 95 % of a core"},
		{"Redis 6.0 with io threads", delta{Elapsed: sec, Main: 3 * sec, Whole: true, Server: kind("redis", 0), Is: insight.State{IOActive: insight.Tell(true)}}, ""},
		{"Kvrocks", delta{Elapsed: sec, Main: sec, Whole: true, Server: kind("kvrocks", 0)}, ""},
		{"KeyDB", delta{Elapsed: sec, Main: 3800 * ms, Whole: true, Server: kind("keydb", 4)}, "4 server threads 95 % of 4 cores"},
		{"Dragonfly with one thread", delta{Elapsed: sec, Main: 500 * ms, Whole: true, Server: kind("dragonfly", 1)}, "server process 50 % of a core"},
		{"no time", delta{Main: sec}, ""},
		{"nothing", delta{Elapsed: sec}, ""},
	} {
		load, ok := c.d.Load()
		if load.Words != c.want || ok != (c.want != "") {
			t.Errorf("%s: %+v %v, want %q", c.name, load, ok, c.want)
		}
	}
}

func TestShares(t *testing.T) {
	count := func(pairs ...int64) (c insight.Counters) {
		for i := 0; i < len(pairs); i += 2 {
			c[pairs[i]] = insight.Tell(pairs[i+1])
		}
		return c
	}
	hits, misses, loop, cmd := int64(insight.Hits), int64(insight.Misses), int64(insight.LoopTime), int64(insight.CommandTime)
	for _, c := range []struct {
		name string
		c    insight.Counters
		want float64
		ok   bool
	}{
		{"three of four", count(hits, 3, misses, 1), 0.75, true},
		{"all", count(hits, 3, misses, 0), 1, true},
		{"none", count(hits, 0, misses, 9), 0, true},
		{"no look-ups", count(hits, 0, misses, 0), 0, false},
		{"not told", count(hits, 3), 0, false},
		{"misses alone", count(misses, 3), 0, false},
	} {
		if got, ok := (insight.Delta{Counters: c.c}).HitRate(); ok != c.ok || ok && got != c.want {
			t.Errorf("%s: %v %v", c.name, got, ok)
		}
	}
	if got, ok := (insight.Delta{Counters: count(loop, 200, cmd, 50)}).Executing(); !ok || got != 0.25 {
		t.Errorf("executing %v %v", got, ok)
	}
	var none insight.Delta
	_, a := none.Executing()
	_, b := none.Pipelined()
	_, c := none.Ours(5)
	_, d := none.Rate(insight.Hits)
	_, e := none.Swapping()
	if a || b || c || d || e || none.OtherThreads().Known {
		t.Error("something is known of nothing")
	}
	if ours, ok := (insight.Delta{Commands: 10}).Ours(12); !ok || ours != 1 {
		t.Errorf("ours %v", ours)
	}
}

func TestSwappingAndFull(t *testing.T) {
	r := captured(t, "redis-2.8")
	if d, ok := insight.Between(r, r); !ok {
		t.Error("no stretch")
	} else if swapping, known := d.Swapping(); !swapping || !known {
		t.Errorf("%v %v: the resident size is below what is used", swapping, known)
	}
	before := r
	before.State.RSS = before.State.Used
	if d, _ := insight.Between(before, r); true {
		if swapping, known := d.Swapping(); swapping || !known {
			t.Errorf("%v %v: not at both ends", swapping, known)
		}
	}
	if full, ok := captured(t, "redis-4.0").State.Full(); !ok || full != 0.9 {
		t.Errorf("full %v %v", full, ok)
	}
	if _, ok := captured(t, "redis-6.0").State.Full(); ok {
		t.Error("full of no limit")
	}
}

func TestEvents(t *testing.T) {
	on, off := insight.Tell(true), insight.Tell(false)
	state := func(saving, rewriting, loading, link insight.Told[bool]) insight.State {
		return insight.State{Saving: saving, Rewriting: rewriting, Loading: loading, LinkUp: link}
	}
	saved := insight.Delta{Was: state(off, off, off, on), Is: state(off, off, off, on)}
	saved.Counters[insight.Saves], saved.Counters[insight.Rewrites] = insight.Tell[int64](1), insight.Tell[int64](1)
	forked := insight.Delta{Is: insight.State{LastFork: insight.Tell(12500 * us), Role: "master"}, Was: insight.State{Role: "slave"}}
	forked.Counters[insight.Forks] = insight.Tell[int64](1)
	for _, c := range []struct {
		d    insight.Delta
		want string
	}{
		{insight.Delta{}, ""},
		{insight.Delta{Was: state(off, off, off, off), Is: state(on, on, on, on)}, "loading, RDB save, AOF rewrite, link to master up"},
		{insight.Delta{Was: state(on, on, on, on), Is: state(off, off, off, off)}, "loaded, RDB saved, AOF rewritten, link to master down"},
		{insight.Delta{Was: insight.State{}, Is: state(on, on, on, on)}, ""},
		{saved, "RDB saved, AOF rewritten"},
		{forked, "fork 12.5 ms, now master"},
	} {
		if got := c.d.Events(); strings.Join(got, ", ") != c.want {
			t.Errorf("%v, want %s", got, c.want)
		}
	}
}
