package versus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fullbore/loadgen/target"
)

// ShareMemory gives every sample of rows but the first its PerClient: what a
// process holds more than in the same round of the first row, for each client
// more. clients has the number of clients of each row.
func ShareMemory(rows []*Row, clients []int) {
	for i := 1; i < len(rows); i++ {
		for round, samples := range rows[i].Rounds {
			for arm, s := range samples {
				if round >= len(rows[0].Rounds) {
					continue
				}
				base, known := rows[0].Rounds[round][arm][Resident]
				whole, knownToo := s[Resident]
				if more := clients[i] - clients[0]; known && knownToo && more > 0 {
					s.put(PerClient, (whole-base)*1024/float64(more))
				}
			}
		}
	}
}

// Across is the spread of an arm's figure in one row over its figure in another
// row of the same round.
func Across(r, base *Row, arm int, m Metric) Spread {
	var ratios []float64
	for round, samples := range r.Rounds {
		if round >= len(base.Rounds) {
			break
		}
		v, known := samples[arm][m]
		w, knownToo := base.Rounds[round][arm][m]
		if known && knownToo && w > 0 {
			ratios = append(ratios, v/w)
		}
	}
	return Of(ratios)
}

// lookEvery is how often the server is asked for its connections.
const lookEvery = 2 * time.Millisecond

// Arrivals watches a server while a tool connects. It returns once it has a first
// count; the returned function ends it and gives the time from the arrival of
// the tool's first connection to that of its last, as the server counts them. It
// needs no word of the tool, so that all are measured alike. Connections that a
// tool makes beside those of its clients are a few and count as clients.
func Arrivals(ctx context.Context, s Server, clients int) (stop func() (time.Duration, error), err error) {
	control, err := target.TCP(s.Host, s.Port).Control(ctx)
	if err != nil {
		return nil, err
	}
	before, err := received(control)
	if err != nil {
		control.Close()
		return nil, err
	}
	watch, cancel := context.WithCancel(ctx)
	type outcome struct {
		took time.Duration
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		defer control.Close()
		var out outcome
		defer func() {
			if v := recover(); v != nil {
				out.err = fmt.Errorf("count connections: panic: %v", v)
			}
			done <- out
		}()
		out.took, out.err = follow(watch, control, before, int64(clients))
	}()
	return func() (time.Duration, error) {
		cancel()
		out := <-done
		return out.took, out.err
	}, nil
}

var errNotAll = errors.New("not every client connected")

// follow polls until all have come, or ctx ends.
func follow(ctx context.Context, c *target.Control, before, clients int64) (time.Duration, error) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	var first time.Time
	var come int64
	for {
		total, err := received(c)
		if err != nil {
			return 0, err
		}
		// A tool looks at the server over a connection or two before its clients.
		if come = total - before; come > 3 && first.IsZero() {
			first = time.Now()
		}
		if come >= clients {
			if first.IsZero() {
				return 0, nil // fewer clients than can be told apart
			}
			return time.Since(first), nil
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("%w: %d of %d", errNotAll, come, clients)
		case <-ticker.C:
		}
	}
}

// received is the server's count of connections since its start.
func received(c *target.Control) (int64, error) {
	reply, err := c.Do("INFO", "stats")
	if err != nil {
		return 0, err
	}
	text, ok := reply.([]byte)
	if !ok || !strings.Contains(string(text), "total_connections_received:") {
		return 0, fmt.Errorf("INFO stats does not tell total_connections_received")
	}
	return numberAfter(string(text), "total_connections_received:"), nil
}
