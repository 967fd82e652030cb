package insight

import (
	"maps"
	"strings"
	"time"
)

// Reading is one look at a server: INFO in numbers.
type Reading struct {
	RunID    string          // "" = not told
	Commands int64           // processed since the server began; -1 = not told
	Main     time.Duration   // CPU of the thread that runs commands; -1 = not told
	Whole    bool            // Main is that of the whole process: nothing is told of the thread
	Calls    map[string]Call // by lower-case command name, "config|get" with a subcommand; nil = not told

	// At is when the answer came, set by the caller; differences are by that time.
	At       time.Time
	Server   Server
	State    State
	Counters Counters
	Errors   map[string]int64     // error replies by their first word, "WRONGTYPE"; nil = not told
	Latency  map[string]Histogram // by command, set by the caller from ParseLatency; nil = not told
}

// Call is how often a command ran and how long that took.
type Call struct {
	Calls int64
	Time  time.Duration
}

// Delta is what happened between two readings of the same server, or of several
// such stretches together.
type Delta struct {
	Commands int64           // 0 = unknown
	Main     time.Duration   // 0 = unknown
	Whole    bool            // Main is, at least in part, that of the whole process
	Calls    map[string]Call // commands that ran; nil = unknown

	Elapsed  time.Duration // 0 = unknown
	Server   Server
	Was, Is  State // at the beginning and at the end
	Counters Counters
	Errors   map[string]int64     // those that grew; nil = unknown
	Latency  map[string]Histogram // of the commands that ran; nil = unknown
}

// Between is what happened from a to b. False when they do not belong together: the
// server is another one, or a counter fell, because of a restart or of somebody's
// CONFIG RESETSTAT (M25). What only one of them tells is unknown.
func Between(a, b Reading) (Delta, bool) {
	if a.RunID != b.RunID && a.RunID != "" && b.RunID != "" ||
		both(a.Server.Uptime, b.Server.Uptime, func(was, is time.Duration) bool { return is < was }).Value {
		return Delta{}, false
	}
	d := Delta{Server: b.Server, Was: a.State, Is: b.State}
	if !a.At.IsZero() && !b.At.IsZero() {
		d.Elapsed = max(0, b.At.Sub(a.At))
	}
	if a.Commands >= 0 && b.Commands >= 0 {
		d.Commands = b.Commands - a.Commands
	}
	if a.Main >= 0 && b.Main >= 0 && a.Whole == b.Whole {
		d.Main, d.Whole = b.Main-a.Main, b.Whole
	}
	var ok [4]bool
	d.Counters, ok[0] = b.Counters.since(a.Counters)
	d.Errors, ok[1] = grown(a.Errors, b.Errors)
	d.Calls, ok[2] = called(a.Calls, b.Calls)
	d.Latency, ok[3] = took(a.Latency, b.Latency)
	if d.Commands < 0 || d.Main < 0 || ok != [4]bool{true, true, true, true} {
		return Delta{}, false
	}
	return d, true
}

// called is what ran between two tables of commands; false when a count fell, nil
// when either is not told.
func called(a, b map[string]Call) (map[string]Call, bool) {
	if a == nil || b == nil {
		return nil, true
	}
	d := make(map[string]Call)
	for name, was := range a {
		if is := b[name]; is.Calls < was.Calls || is.Time < was.Time {
			return nil, false
		}
	}
	for name, is := range b {
		if was := a[name]; is.Calls > was.Calls {
			d[name] = Call{Calls: is.Calls - was.Calls, Time: is.Time - was.Time}
		}
	}
	return d, true
}

// empty says that d is no stretch at all.
func (d Delta) empty() bool {
	return d.Commands == 0 && d.Main == 0 && d.Elapsed == 0 && d.Counters == Counters{} &&
		d.Calls == nil && d.Errors == nil && d.Latency == nil
}

// Add is d and o, which came after it, together; neither is written to. What one of
// them does not know the sum does not know either: a half would be taken for all. An
// empty Delta adds nothing.
func (d Delta) Add(o Delta) Delta {
	switch {
	case d.empty():
		o.Calls = maps.Clone(o.Calls)
		return o
	case o.empty():
		d.Calls = maps.Clone(d.Calls)
		return d
	}
	sum := Delta{
		Server: o.Server, Was: d.Was, Is: o.Is, Counters: d.Counters.plus(o.Counters),
		Errors: summed(d.Errors, o.Errors), Latency: together(d.Latency, o.Latency),
	}
	if d.Elapsed > 0 && o.Elapsed > 0 {
		sum.Elapsed = d.Elapsed + o.Elapsed
	}
	if d.Commands > 0 && o.Commands > 0 {
		sum.Commands = d.Commands + o.Commands
	}
	if d.Main > 0 && o.Main > 0 {
		sum.Main, sum.Whole = d.Main+o.Main, d.Whole || o.Whole
	}
	if d.Calls == nil || o.Calls == nil {
		return sum
	}
	sum.Calls = maps.Clone(d.Calls)
	for name, c := range o.Calls {
		was := sum.Calls[name]
		sum.Calls[name] = Call{Calls: was.Calls + c.Calls, Time: was.Time + c.Time}
	}
	return sum
}

// PerCommand is the CPU time that the server's main thread spent for each command:
// reading, parsing and writing included, and the commands of other clients counted.
// With Whole it is that of all threads. False when unknown.
func (d Delta) PerCommand() (time.Duration, bool) {
	if d.Commands <= 0 || d.Main <= 0 {
		return 0, false
	}
	return d.Main / time.Duration(d.Commands), true
}

// PerCall is how long the server executed each call of a command, by its own clock:
// usec_per_call of the stretch. False when it never ran, or too briefly to be told.
func (d Delta) PerCall(command string) (time.Duration, bool) {
	c := d.Calls[strings.ToLower(command)]
	if c.Calls <= 0 || c.Time <= 0 {
		return 0, false
	}
	return c.Time / time.Duration(c.Calls), true
}

// Share is the part of the main thread's CPU time in which it executed a command, 0
// to 1; the rest is reading, parsing, writing, and other commands. False when
// unknown.
func (d Delta) Share(command string) (float64, bool) {
	if _, ran := d.PerCall(command); !ran || d.Main <= 0 {
		return 0, false
	}
	// Execution is timed by the clock on the wall, which goes on while the thread has
	// to wait for a processor, so it can exceed the CPU time.
	return min(1, float64(d.Calls[strings.ToLower(command)].Time)/float64(d.Main)), true
}
