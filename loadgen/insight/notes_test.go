package insight_test

import (
	"slices"
	"testing"
	"time"

	"fullbore/loadgen/insight"
)

func TestNotes(t *testing.T) {
	tell := insight.Tell[int64]
	quiet := insight.Delta{Commands: 100_000, Elapsed: time.Second, Is: insight.State{Policy: "allkeys-lru", Used: tell(50), MaxMemory: tell(100)}}
	quiet.Counters[insight.Reads] = tell(6_300)
	with := func(c insight.Counter, n int64) insight.Delta {
		d := quiet
		d.Counters[c] = tell(n)
		return d
	}
	is := func(s insight.State) insight.Delta {
		d := quiet
		d.Is, d.Was = s, s
		return d
	}
	for _, c := range []struct {
		name  string
		d     insight.Delta
		sent  int64
		depth int
		want  []string
	}{
		{"all is well", quiet, 99_000, 16, nil},
		{"nothing is known", insight.Delta{}, 5, 16, nil},
		{"what we sent is not known", quiet, -1, 16, nil},
		{"somebody else", quiet, 77_000, 16, []string{"someone else is using this server: 23 % of its commands are not ours"}},
		{"a proxy that splits pipelines", with(insight.Reads, 99_900), 100_000, 16, []string{"the pipeline does not reach the server: 1 commands a read, sent with P=16"}},
		{"no pipeline", with(insight.Reads, 99_900), 100_000, 1, nil},
		{"evictions", with(insight.Evicted, 1204), 100_000, 16, []string{"1.2 k keys were evicted (allkeys-lru)"}},
		{"output buffers", with(insight.OutputLimit, 2), 100_000, 16, []string{"2 clients were closed because of their output buffer"}},
		{"query buffers", with(insight.QueryLimit, 3), 100_000, 16, []string{"3 clients were closed because of their query buffer"}},
		{"maxclients", with(insight.Rejected, 40), 100_000, 16, []string{"40 connections were refused (maxclients)"}},
		{"a slow disk", with(insight.DelayedFsyncs, 21), 100_000, 16, []string{"21 writes to the AOF waited for the disk"}},
		{"full", is(insight.State{Used: tell(97), MaxMemory: tell(100)}), 100_000, 16, []string{"97 % of maxmemory is in use"}},
		{"in trouble", is(insight.State{
			Used: tell(2_000_000_000), RSS: tell(1_000_000_000), Loading: insight.Tell(true), LinkUp: insight.Tell(false), Lag: insight.Tell(4 * time.Second),
		}), 100_000, 16, []string{
			"swapping: the server uses 2 GB of memory, 1 GB are resident", "the server is loading its data",
			"this replica has lost its master", "a replica is 4 s behind",
		}},
	} {
		if got := c.d.Notes(c.sent, c.depth); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestExecutingNote(t *testing.T) {
	if got, ok := stretch(t).ExecutingNote(); !ok || got != "commands take 9 % of the server's time, the rest is reading, parsing and writing" {
		t.Errorf("%q %v", got, ok)
	}
	if got, ok := (insight.Delta{}).ExecutingNote(); ok {
		t.Errorf("%q", got)
	}
}

func TestBusiest(t *testing.T) {
	node := func(commands int64, main time.Duration) insight.Delta {
		return insight.Delta{Elapsed: time.Second, Commands: commands, Main: main}
	}
	for _, c := range []struct {
		name string
		all  []insight.Delta
		want int64
	}{
		{"by load", []insight.Delta{node(900, 300*ms), node(100, 950*ms), node(500, 100*ms)}, 100},
		{"without load by commands", []insight.Delta{node(5, 0), node(9, 0), node(7, 0)}, 9},
		{"alone", []insight.Delta{node(5, 0)}, 5},
	} {
		if got, ok := insight.Busiest(c.all); !ok || got.Commands != c.want {
			t.Errorf("%s: %+v %v", c.name, got, ok)
		}
	}
	if _, ok := insight.Busiest(nil); ok {
		t.Error("the busiest of none")
	}
}
