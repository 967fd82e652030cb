package insight

import (
	"math"
	"runtime/metrics"
	"time"
)

// RuntimeReading is what the Go runtime counted so far of its own delays: how long
// goroutines that could run had to wait for a thread, and how long collecting garbage
// stopped them all.
type RuntimeReading struct{ sched, pauses spread }

// Pauses is how often and for how long all goroutines stood still. The times are
// bounds of the runtime's classes, so the truth is a little lower.
type Pauses struct {
	Count int64
	Total time.Duration
	Worst time.Duration
}

// spread is a histogram of the runtime in seconds: count[i] lies between bound[i] and
// bound[i+1]. The bounds never change and are shared.
type spread struct {
	count []uint64
	bound []float64
}

// runtimeReader keeps what a look needs, so that later ones allocate the counts only.
type runtimeReader struct{ samples []metrics.Sample }

func newRuntimeReader() runtimeReader {
	return runtimeReader{[]metrics.Sample{{Name: "/sched/latencies:seconds"}, {Name: "/sched/pauses/total/gc:seconds"}}}
}

func (r runtimeReader) read() RuntimeReading {
	metrics.Read(r.samples)
	take := func(v metrics.Value) spread {
		if v.Kind() != metrics.KindFloat64Histogram {
			return spread{} // of another version of Go
		}
		h := v.Float64Histogram()
		return spread{append([]uint64(nil), h.Counts...), h.Buckets}
	}
	return RuntimeReading{take(r.samples[0].Value), take(r.samples[1].Value)}
}

// since is the 99th percentile of the waits of goroutines after a, and the pauses.
func (b RuntimeReading) since(a RuntimeReading) (sched Told[time.Duration], gc Told[Pauses]) {
	if d, ok := b.sched.minus(a.sched); ok {
		sched = d.quantile(0.99)
	}
	d, ok := b.pauses.minus(a.pauses)
	if !ok {
		return sched, gc
	}
	var p Pauses
	for i, n := range d.count {
		if n > 0 {
			p.Count += int64(n)
			p.Worst = d.upper(i)
			p.Total += time.Duration(min(longest, float64(n)*float64(p.Worst)))
		}
	}
	return sched, Tell(p)
}

func (s spread) minus(o spread) (d spread, ok bool) {
	if len(s.count) == 0 || len(s.count) != len(o.count) || len(s.bound) != len(s.count)+1 {
		return spread{}, false
	}
	d = spread{make([]uint64, len(s.count)), s.bound}
	for i, n := range s.count {
		if n < o.count[i] {
			return spread{}, false
		}
		d.count[i] = n - o.count[i]
	}
	return d, true
}

// upper is the time that everything in a class stayed below; where that is without
// end, the time that all of it reached.
func (s spread) upper(class int) time.Duration {
	v := s.bound[class+1]
	if math.IsInf(v, 1) {
		v = s.bound[class]
	}
	return time.Duration(max(0, min(v*1e9, longest)))
}

// quantile is a time that the part q did not exceed; not told when nothing happened.
func (s spread) quantile(q float64) Told[time.Duration] {
	var total, seen uint64
	for _, n := range s.count {
		total += n
	}
	for i, n := range s.count {
		if seen += n; n > 0 && float64(seen) >= q*float64(total) {
			return Tell(s.upper(i))
		}
	}
	return Told[time.Duration]{}
}
