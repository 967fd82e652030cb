package session

import (
	"context"
	"fmt"
	"io"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/stats"
)

// Idle opens the plan's connections and sends nothing on them, until ctx ends or
// for the plan's Duration. w is told how many there are whenever that changes, on a
// line that overwrites itself when live. failed is true when not all of them could
// be opened; err is trouble that left none.
func (s *Session) Idle(ctx context.Context, p loadgen.Plan, w io.Writer, live bool) (failed bool, err error) {
	p.Paused, p.Requests = true, 0
	if p.Duration > 0 {
		// Measured time stands still in a pause, so that the plan would never end.
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.Duration)
		defer cancel()
		p.Duration = 0
	}
	fmt.Fprintf(w, "fullbore: holding %d idle connections until interrupted\n", p.Clients)
	count := counter{w: w, live: live, told: -1}
	res, err := experiment.Observe(ctx, s.Server.Target, p, count.tell)
	count.end()
	for _, f := range res.Faults {
		fmt.Fprintf(w, "fullbore: %s: %d times: %s\n", f.Code, f.Count, f.Text)
	}
	return len(res.Faults) > 0, err
}

// counter tells how many connections are up: redis-benchmark's words.
type counter struct {
	w    io.Writer
	live bool
	told int
}

func (c *counter) tell(s *stats.Snapshot) {
	if s.Connected == c.told {
		return
	}
	c.told = s.Connected
	if c.live {
		fmt.Fprintf(c.w, "%sclients: %d", clearLine, c.told)
		return
	}
	fmt.Fprintf(c.w, "clients: %d\n", c.told)
}

// end leaves the last count in a line of its own.
func (c *counter) end() {
	if c.live && c.told >= 0 {
		fmt.Fprintln(c.w)
	}
}
