package loadgen

import (
	"context"
	"errors"
	"time"

	"fullbore/loadgen/insight"
	"fullbore/loadgen/target"
)

// listenEvery is how often a node is asked for its CPU time (M25).
const listenEvery = time.Second

// listen asks a node once a second how much CPU time its main thread has spent. A node
// that refuses is not asked again, and nothing is said of it; one that does not answer
// is asked again with the next second.
func (r *Runner) listen(ctx context.Context, n *node) {
	defer r.guard("node's INFO")
	var before insight.Reading
	var at time.Duration // of the reading before; 0 = there is none
	timer := time.NewTicker(listenEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if n.connected.Load() == 0 {
			at = 0 // nobody would read it
			continue
		}
		text, err := n.info(ctx)
		var no target.ReplyError
		if errors.As(err, &no) {
			n.silent.Store(&no)
			return
		}
		now := r.now()
		if err != nil {
			at = 0
			continue
		}
		reading := insight.Parse(text)
		reading.At = time.Now()
		n.reading.Store(&reading)
		if d, ok := insight.Between(before, reading); ok && at > 0 && reading.Main >= 0 && before.Main >= 0 {
			r.sampler.watched(n.ledger, cpuTime{main: d.Main, watched: now - at})
		}
		before, at = reading, now
	}
}

// info is what the node says of itself.
func (n *node) info(ctx context.Context) (string, error) {
	c, err := n.stores.connection(ctx)
	if err != nil {
		return "", err
	}
	return infoOf(c)
}
