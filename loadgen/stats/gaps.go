package stats

import (
	"sync"
	"sync/atomic"
	"time"
)

// GapMeter watches the arrivals of a whole run for times without any reply, the
// evidence of a stall that a closed loop keeps out of its percentiles (M8).
// Workers call Arrived once per batch; that is one atomic swap.
type GapMeter struct {
	last atomic.Int64 // latest arrival in nanoseconds; 0 = not watching

	mu   sync.Mutex
	gaps Gaps
}

// Watch starts or restarts watching at a moment with load on, so that pauses and
// preparations are no gaps.
func (m *GapMeter) Watch(at time.Duration) { m.last.Store(int64(at)) }

// Rest stops watching: load is off on purpose.
func (m *GapMeter) Rest() { m.last.Store(0) }

// Arrived notes a reply at a moment. Arrivals of different workers may come
// slightly out of order; an older one changes nothing.
func (m *GapMeter) Arrived(at time.Duration) {
	for {
		last := m.last.Load()
		if last == 0 || int64(at) <= last {
			return
		}
		if m.last.CompareAndSwap(last, int64(at)) {
			m.note(at - time.Duration(last))
			return
		}
	}
}

// Cut returns what was seen since the last Cut, an open gap included, and starts
// anew; an open gap counts on both sides only for what lies on each.
func (m *GapMeter) Cut(now time.Duration) Gaps {
	g := m.Gaps(now)
	m.mu.Lock()
	m.gaps = Gaps{}
	m.mu.Unlock()
	for last := m.last.Load(); last != 0 && last < int64(now); last = m.last.Load() {
		if m.last.CompareAndSwap(last, int64(now)) {
			break
		}
	}
	return g
}

// Merge adds the gaps of another stretch of time.
func (g *Gaps) Merge(o Gaps) {
	g.Longest = max(g.Longest, o.Longest)
	g.Count += o.Count
	g.Total += o.Total
}

// Latest is the arrival of the newest reply, or the moment watching began.
func (m *GapMeter) Latest() time.Duration { return time.Duration(m.last.Load()) }

// quietest is the shortest gap worth a lock; shorter ones cannot be a longest
// gap that anybody reads.
const quietest = time.Millisecond

func (m *GapMeter) note(gap time.Duration) {
	if gap < quietest {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gaps.add(gap)
}

func (g *Gaps) add(gap time.Duration) {
	g.Longest = max(g.Longest, gap)
	if gap > GapLimit {
		g.Count++
		g.Total += gap
	}
}

// Gaps is what was seen up to now, a gap that is still open included.
func (m *GapMeter) Gaps(now time.Duration) Gaps {
	m.mu.Lock()
	g := m.gaps
	m.mu.Unlock()
	if last := time.Duration(m.last.Load()); last > 0 && now > last && now-last >= quietest {
		g.add(now - last)
	}
	return g
}
