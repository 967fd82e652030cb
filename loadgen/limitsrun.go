package loadgen

import (
	"sync"

	"fullbore/loadgen/target"
)

// limiter holds the plans of a run within the limits that were there before it took
// anything.
type limiter struct {
	target target.Target
	probe  func() Limits

	mu      sync.Mutex
	clients int    // the most that were found to be within the limits
	demand  demand // the same
}

func newLimiter(t target.Target) *limiter {
	return &limiter{target: t, probe: sync.OnceValue(Probe)}
}

// allow says why p may not come into force: it is not valid, or it is beyond what this
// side can carry.
func (l *limiter) allow(p Plan) error {
	if err := p.Validate(); err != nil {
		return err
	}
	share := Share{Target: l.target, Plan: p}
	d := demandOf(share)
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.Clients <= l.clients && d.most(l.demand) == l.demand {
		return nil // nearly every plan: nothing is more than it was
	}
	if err := l.probe().Check(share); err != nil {
		return err
	}
	l.clients, l.demand = max(l.clients, p.Clients), d.most(l.demand)
	return nil
}

// most is the larger of each.
func (d demand) most(o demand) demand {
	return demand{
		max(d.records, o.records), max(d.own, o.own), max(d.sockets, o.sockets), max(d.server, o.server),
	}
}

// Within holds r's plans within l in place of what Probe finds: for whoever keeps
// several runs within limits together. To be called before Run.
func (r *Runner) Within(l Limits) { r.limits.probe = func() Limits { return l } }
