package loadgen

import (
	"context"
	"errors"
	"strings"
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
		if errors.As(err, new(target.ReplyError)) {
			return
		}
		now := r.now()
		if err != nil {
			at = 0
			continue
		}
		reading := insight.Parse(text)
		if d, ok := insight.Between(before, reading); ok && at > 0 && reading.Main >= 0 && before.Main >= 0 {
			r.sampler.watched(n.ledger, cpuTime{main: d.Main, watched: now - at})
		}
		before, at = reading, now
	}
}

// info is the sections of INFO that tell of CPU time, and of which process.
func (n *node) info(ctx context.Context) (string, error) {
	c, err := n.stores.connection(ctx)
	if err != nil {
		return "", err
	}
	sections := []string{"server", "cpu"}
	replies, err := c.Pipeline(len(sections), func(i int) (string, []any) { return "INFO", []any{sections[i]} })
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, reply := range replies {
		part, err := target.Text(reply, nil)
		if err != nil {
			return "", err
		}
		text.WriteString(part + "\r\n")
	}
	return text.String(), nil
}
