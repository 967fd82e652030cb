package insight

import (
	"fmt"
	"time"
)

// Load is how busy the part of a server is that all its commands go through.
type Load struct {
	Share float64 // of what it can do at most, 0 to about 1
	Words string  // "server main thread 97 % of a core"
}

// Rate is a counter for each second; one of time is then the part of the time, 1e9
// being all of it. False when unknown.
func (d Delta) Rate(c Counter) (float64, bool) {
	if !d.Counters[c].Known || d.Elapsed <= 0 {
		return 0, false
	}
	return float64(d.Counters[c].Value) / d.Elapsed.Seconds(), true
}

// ratio is a in b; false when either is unknown or b is nothing.
func (d Delta) ratio(a, b Counter) (float64, bool) {
	if !d.Counters[a].Known || d.Counters[b].Value <= 0 {
		return 0, false
	}
	return float64(d.Counters[a].Value) / float64(d.Counters[b].Value), true
}

// HitRate is the part of the look-ups that found their key, 0 to 1. False without any.
func (d Delta) HitRate() (float64, bool) {
	misses, ok := d.ratio(Misses, Hits)
	if d.Counters[Misses].Value > 0 && d.Counters[Hits] == Tell[int64](0) {
		return 0, true
	}
	return 1 / (1 + misses), ok
}

// Pipelined is how many commands each read of the server brought: about the depth of
// the pipeline, and 1 where pipelining never reaches the server (M27). The commands of
// everybody are counted. False when unknown.
func (d Delta) Pipelined() (float64, bool) {
	if d.Commands <= 0 || d.Counters[Reads].Value <= 0 {
		return 0, false
	}
	return float64(d.Commands) / float64(d.Counters[Reads].Value), true
}

// Ours is the part of the server's commands that were sent by us, 0 to 1: what is
// missing to 1 is somebody else's. False when unknown.
func (d Delta) Ours(sent int64) (float64, bool) {
	if d.Commands <= 0 || sent < 0 {
		return 0, false
	}
	return min(1, float64(sent)/float64(d.Commands)), true
}

// Swapping reports whether the server was partly on disk at both ends: at one alone a
// resident size that is looked up less often than memory grows would look like it.
// known is false when it is not told.
func (d Delta) Swapping() (swapping, known bool) {
	was, one := d.Was.Swapping()
	is, two := d.Is.Swapping()
	return was && is, one && two
}

// OtherThreads is the CPU time of all threads but the main one: io threads, and those
// that free memory and write files. Not told by servers that tell no main thread.
func (d Delta) OtherThreads() Told[time.Duration] {
	if !d.Counters[ProcessCPU].Known || d.Whole || d.Main <= 0 {
		return Told[time.Duration]{}
	}
	return Tell(max(0, time.Duration(d.Counters[ProcessCPU].Value)-d.Main))
}

// Executing is the part of the server's busy time in which commands ran, 0 to 1; the
// rest is reading, parsing and writing. That of the event loop where it is told
// (Redis 7.2 and later), of the main thread's CPU time elsewhere. False when unknown.
func (d Delta) Executing() (float64, bool) {
	if part, ok := d.ratio(CommandTime, LoopTime); ok {
		return min(1, part), true
	}
	if d.Main <= 0 || d.Whole || d.Calls == nil {
		return 0, false
	}
	var spent float64
	for _, c := range d.Calls {
		spent += float64(c.Time)
	}
	return min(1, spent/float64(d.Main)), true
}

// Load is the server's share of M26. The time that its loop had work counts before CPU
// time, since it holds waiting for the disk too, and a thread that polls uses CPU with
// nothing to do. False when it does not tell enough: a process with an unknown number
// of threads may be at its limit at any CPU time.
func (d Delta) Load() (Load, bool) {
	if d.Elapsed <= 0 {
		return Load{}, false
	}
	of := func(t time.Duration, threads int64) float64 {
		return float64(t) / float64(d.Elapsed) / float64(threads)
	}
	active, loop, threads := d.Counters[ActiveMain], d.Counters[LoopTime], d.Server.Threads
	switch {
	case threads.Value > 1 && d.Whole && d.Main > 0:
		share := of(d.Main, threads.Value)
		return Load{share, fmt.Sprintf("%d server threads %s of %d cores", threads.Value, percent(share), threads.Value)}, true
	case active.Known:
		share := of(time.Duration(active.Value), 1)
		return Load{share, "server main thread busy " + percent(share) + " of the time"}, true
	case loop.Known:
		share := of(time.Duration(loop.Value), 1)
		return Load{share, "server event loop busy " + percent(share) + " of the time"}, true
	case d.Main > 0 && !d.Whole:
		share := of(d.Main, 1)
		return Load{share, "server main thread " + percent(share) + " of a core"}, true
	case d.Main > 0 && d.single():
		share := of(d.Main, 1)
		return Load{share, "server process " + percent(share) + " of a core"}, true
	}
	return Load{}, false
}

// single says that the CPU of the whole process is as good as that of one thread.
func (d Delta) single() bool {
	kind := d.Server.Kind == "redis" || d.Server.Kind == "valkey"
	return d.Server.Threads.Value == 1 || kind && !d.Is.IOActive.Value
}

// Events is what happened to the server meanwhile that a chart should mark, in words.
func (d Delta) Events() []string {
	var all []string
	turned := func(was, is Told[bool], on, off string) {
		switch {
		case !was.Known || !is.Known || was.Value == is.Value:
		case is.Value:
			all = append(all, on)
		default:
			all = append(all, off)
		}
	}
	turned(d.Was.Loading, d.Is.Loading, "loading", "loaded")
	turned(d.Was.Saving, d.Is.Saving, "RDB save", "RDB saved")
	if d.Counters[Saves].Value > 0 && !d.Was.Saving.Value && !d.Is.Saving.Value {
		all = append(all, "RDB saved") // began and ended between two looks
	}
	turned(d.Was.Rewriting, d.Is.Rewriting, "AOF rewrite", "AOF rewritten")
	if d.Counters[Rewrites].Value > 0 && !d.Was.Rewriting.Value && !d.Is.Rewriting.Value {
		all = append(all, "AOF rewritten")
	}
	if d.Counters[Forks].Value > 0 && d.Is.LastFork.Value > 0 {
		all = append(all, "fork "+brief(d.Is.LastFork.Value))
	}
	turned(d.Was.LinkUp, d.Is.LinkUp, "link to master up", "link to master down")
	if d.Was.Role != "" && d.Is.Role != "" && d.Was.Role != d.Is.Role {
		all = append(all, "now "+d.Is.Role)
	}
	return all
}
