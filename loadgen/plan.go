package loadgen

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"fullbore/loadgen/workload"
)

// Plan is everything a run needs to know about the load, as an immutable value.
// Runner.Apply gives it a number and makes it an epoch (M16).
type Plan struct {
	Clients   int // connections, at least 1
	Pipeline  int // commands in flight per connection (P), at least 1
	Workload  workload.Workload
	Rate      float64        // requests per second of the whole process; 0 = closed loop, as fast as replies come
	Requests  int64          // stop after exactly this many requests (M10); 0 = no such end
	Duration  time.Duration  // stop after measuring this long; 0 = no such end
	Batch     workload.Batch // how the P commands of a batch go out
	RTT       time.Duration  // simulated round trip: every reply counts, and is acted upon, so much later
	Cluster   bool           // the target is a node of a cluster, all of which is loaded; that of New counts
	ReadFrom  string         // who answers in a cluster when a plan only reads: "no" replicas, "yes" for them, "all"; "" = "no"
	Reconnect bool           // a new connection for every batch (redis-benchmark's -k 0)
	Prefill   Prefill        // data to write before the first load
	Paused    bool           // hold the load; measured time stands still
	Stall     time.Duration  // a connection that awaits a reply this long is replaced; 0 = 5 s
	Window    time.Duration  // length of Snapshot.Window, 1 s to 60 s; 0 = 5 s; not part of the load
	Warmup    Warmup         // samples set apart at the start (M12) and after every change (M17)
}

// Warmup says how long samples are set apart before the clock starts. The zero
// value is none.
type Warmup struct {
	Auto bool          // until the throughput is steady, within the bounds of M12 and M17
	Time time.Duration // for so long, at the start and after every change
}

// String is the value of --warmup: "auto", "none" or a time.
func (w Warmup) String() string {
	switch {
	case w.Auto:
		return "auto"
	case w.Time == 0:
		return "none"
	}
	return w.Time.String()
}

// Limits that Validate holds; the screen's knobs stay inside them too.
const (
	MaxClients  = 100_000
	MaxPipeline = 100_000
	MaxPayload  = 512 << 20 // the longest bulk string Redis accepts by default
	MaxRate     = 1e9
	MaxRTT      = 10 * time.Second
)

// Validate says what is wrong with p, naming the flag and an accepted form.
func (p Plan) Validate() error {
	switch {
	case p.Clients < 1 || p.Clients > MaxClients:
		return fmt.Errorf("clients %d: -c takes 1 to %d", p.Clients, MaxClients)
	case p.Pipeline < 1 || p.Pipeline > MaxPipeline:
		return fmt.Errorf("pipeline %d: -P takes 1 to %d", p.Pipeline, MaxPipeline)
	case p.Rate < 0 || p.Rate > MaxRate || p.Rate != p.Rate:
		return fmt.Errorf("rate %v: --rate takes requests per second from 0 (no limit) to %g", p.Rate, float64(MaxRate))
	case p.RTT < 0 || p.RTT > MaxRTT:
		return fmt.Errorf("round trip %v: --rtt takes 0 (none) to %v, such as 1ms", p.RTT, MaxRTT)
	case p.Prefill.Keys < 0 || p.Prefill.Keys > workload.MaxKeys || p.Prefill.Bytes < 0:
		return fmt.Errorf("prefill: --prefill takes a number of keys up to %d, or a memory size such as 512mb", int64(workload.MaxKeys))
	case p.Requests < 0:
		return fmt.Errorf("requests %d: -n takes a number above 0", p.Requests)
	case p.Warmup.Time < 0:
		return fmt.Errorf("warm-up %v: --warmup takes auto, none or a time such as 2s", p.Warmup.Time)
	case p.Stall < 0:
		return fmt.Errorf("timeout %v: --timeout takes a time above 0, such as 5s", p.Stall)
	case p.Duration < 0:
		return fmt.Errorf("duration %v: --duration takes a time above 0, such as 10s", p.Duration)
	}
	if err := p.Workload.Validate(); err != nil {
		return err
	}
	return p.validateCluster()
}

// Whether replicas answer reads: the words of valkey-benchmark's --rfr.
const (
	readPrimaries = "no"
	readReplicas  = "yes"
	readAll       = "all"
)

func (p Plan) validateCluster() error {
	switch p.ReadFrom {
	case "", readPrimaries, readReplicas, readAll:
	default:
		return fmt.Errorf("reads from %q: --replicas takes no, yes or all", p.ReadFrom)
	}
	if p.Cluster {
		return p.Workload.CheckSlots(p.Batch)
	}
	return nil
}

// readers tells whether replicas take part, and whether primaries do beside them. A
// plan that writes is for primaries.
func (p Plan) readers() (replicas, primaries bool) {
	for _, e := range p.Workload.Mix {
		if e.Test.Writes {
			return false, true
		}
	}
	return p.ReadFrom == readReplicas || p.ReadFrom == readAll, p.ReadFrom != readReplicas
}

// Load names the load model beside every latency: "closed" or "open at R/s" (M3).
func (p Plan) Load() string {
	if p.Rate == 0 {
		return "closed"
	}
	return fmt.Sprintf("open at %g/s", p.Rate)
}

// String is the plan in a few words: "SET c=50 P=16 d=64 r=100000".
func (p Plan) String() string {
	s := fmt.Sprintf("%s c=%d P=%d d=%s r=%d", p.Workload.Mix, p.Clients, p.Pipeline, p.Workload.SizeText(), p.Workload.Keys.Size)
	if p.Rate > 0 {
		s += fmt.Sprintf(" rate=%g", p.Rate)
	}
	if p.Batch != workload.Pipelined {
		s += " batch=" + p.Batch.String()
	}
	if p.RTT > 0 {
		s += fmt.Sprintf(" rtt=%v (simulated)", p.RTT)
	}
	if p.Reconnect {
		s += " reconnecting"
	}
	if p.ReadFrom == readReplicas || p.ReadFrom == readAll {
		s += " replicas=" + p.ReadFrom
	}
	return s
}

// Changes tells in words how the load of q differs from that of p, such as
// "pipeline 1 > 16"; empty when both ask for the same load. Paused, Requests and
// Duration are not part of the load.
func (p Plan) Changes(q Plan) string {
	var out []string
	change := func(name string, from, to any) {
		if from != to {
			out = append(out, fmt.Sprintf("%s %v > %v", name, from, to))
		}
	}
	change("clients", p.Clients, q.Clients)
	change("pipeline", p.Pipeline, q.Pipeline)
	change("size", p.Workload.SizeText(), q.Workload.SizeText())
	change("command", p.Workload.Mix.String(), q.Workload.Mix.String())
	change("keys", p.Workload.Keys.Size, q.Workload.Keys.Size)
	change("key distribution", p.Workload.Keys.Dist.String(), q.Workload.Keys.Dist.String())
	change("expiry", p.Workload.Expire.String(), q.Workload.Expire.String())
	change("random data", p.Workload.RandomData, q.Workload.RandomData)
	change("rate", rateWords(p.Rate), rateWords(q.Rate))
	change("batch", p.Batch.String(), q.Batch.String())
	change("simulated round trip", p.RTT, q.RTT)
	change("reconnect", p.Reconnect, q.Reconnect)
	change("reads from replicas", cmp.Or(p.ReadFrom, readPrimaries), cmp.Or(q.ReadFrom, readPrimaries))
	return strings.Join(out, ", ")
}

func rateWords(r float64) string {
	if r == 0 {
		return "max"
	}
	return fmt.Sprintf("%g", r)
}
