package insight

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

const (
	// foreign is the part of a server's commands from which on somebody else's are
	// told: below are a replica's, a monitor's and our own questions.
	foreign = 0.05
	// arrived is how many commands each read must bring at least for a pipeline of four
	// and more to count as having arrived as one.
	arrived = 1.5
	// brimming is the part of maxmemory from which on evictions or OOM are near.
	brimming = 0.95
)

// Notes is what a user should know of the server beside the limiter, in sentences, the
// most serious first. sent is how many commands we sent meanwhile, -1 when that is not
// known; depth is the pipeline's.
func (d Delta) Notes(sent int64, depth int) []string {
	var all []string
	say := func(when bool, format string, args ...any) {
		if when {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	swapping, _ := d.Swapping()
	say(swapping, "swapping: the server uses %sB of memory, %sB are resident", amount(float64(d.Is.Used.Value)), amount(float64(d.Is.RSS.Value)))
	say(d.Is.Loading.Value, "the server is loading its data")
	say(d.Is.LinkUp == Tell(false), "this replica has lost its master")
	ours, known := d.Ours(sent)
	say(known && ours < 1-foreign, "someone else is using this server: %s of its commands are not ours", percent(1-ours))
	per, known := d.Pipelined()
	say(known && depth >= 4 && per < arrived && ours >= 0.5,
		"the pipeline does not reach the server: %s commands a read, sent with P=%d", digits(per), depth)
	say(d.Counters[Evicted].Value > 0, "%s keys were evicted (%s)", amount(float64(d.Counters[Evicted].Value)), d.Is.Policy)
	full, known := d.Is.Full()
	say(known && full >= brimming, "%s of maxmemory is in use", percent(full))
	say(d.Counters[OutputLimit].Value > 0, "%s clients were closed because of their output buffer", amount(float64(d.Counters[OutputLimit].Value)))
	say(d.Counters[QueryLimit].Value > 0, "%s clients were closed because of their query buffer", amount(float64(d.Counters[QueryLimit].Value)))
	say(d.Counters[Rejected].Value > 0, "%s connections were refused (maxclients)", amount(float64(d.Counters[Rejected].Value)))
	say(d.Counters[DelayedFsyncs].Value > 0, "%s writes to the AOF waited for the disk", amount(float64(d.Counters[DelayedFsyncs].Value)))
	say(d.Is.Lag.Value >= 2*time.Second, "a replica is %s behind", brief(d.Is.Lag.Value))
	return all
}

// ExecutingNote says which part of the server's time the commands themselves take, which
// is what a pipeline does not change (R1); false when unknown.
func (d Delta) ExecutingNote() (string, bool) {
	part, ok := d.Executing()
	if !ok {
		return "", false
	}
	return "commands take " + percent(part) + " of the server's time, the rest is reading, parsing and writing", true
}

// Busiest is the one of several servers that decides what a cluster can do: the one
// with the highest load, or with the most commands where none tells its load. False
// without any.
func Busiest(all []Delta) (Delta, bool) {
	if len(all) == 0 {
		return Delta{}, false
	}
	return slices.MaxFunc(all, func(a, b Delta) int {
		one, _ := a.Load()
		two, _ := b.Load()
		return cmp.Or(cmp.Compare(one.Share, two.Share), cmp.Compare(a.Commands, b.Commands))
	}), true
}
