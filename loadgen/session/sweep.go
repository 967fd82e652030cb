package session

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Sweep says how the keys of earlier runs are to be removed.
type Sweep struct {
	Yes  bool      // the user consents, to this prefix too
	In   io.Reader // answers where there is no such consent; nil = nobody does
	Out  io.Writer // told the count
	Side io.Writer // asks, and shows progress
	Live bool      // progress may be drawn on Side
}

// Sweep removes what earlier runs left under the session's prefix and says on o.Out
// how many keys there were. The error is ErrRefused where nobody consents, or what
// stopped it, with the count so far.
func (s *Session) Sweep(ctx context.Context, o Sweep) error {
	if !o.Yes {
		what := fmt.Sprintf("every key under %q goes from %s, which holds %s", s.prefix, s.Server.Target, s.holdings())
		if err := ask(ctx, what, o.In, o.Side); err != nil {
			return err
		}
	}
	n, err := s.Clean(ctx, s.drawn(o))
	if o.Live {
		fmt.Fprint(o.Side, clearLine)
	}
	if err != nil {
		return fmt.Errorf("%s removed, others under %q may be left%s: %w", keys(n), s.prefix, s.where, err)
	}
	_, err = fmt.Fprintf(o.Out, "fullbore: %s under %q removed%s\n", keys(n), s.prefix, s.where)
	return err
}

// keys is a number of them, in words.
func keys(n int64) string {
	if n == 1 {
		return "1 key"
	}
	return fmt.Sprintf("%d keys", n)
}

// drawnEvery is how often a line of progress changes.
const drawnEvery = 100 * time.Millisecond

// drawn draws progress on one line of a terminal; nil where there is none.
func (s *Session) drawn(o Sweep) func(removed, looked int64) {
	if !o.Live {
		return nil
	}
	var last time.Time
	return func(removed, looked int64) {
		if time.Since(last) < drawnEvery {
			return
		}
		last = time.Now()
		text := fmt.Sprintf("%s under %q removed", keys(removed), s.prefix)
		if all := s.Info.Keys; all > 0 {
			text += fmt.Sprintf(", about %d %% of all looked at", min(99, 100*looked/all))
		}
		fmt.Fprint(o.Side, clearLine, text)
	}
}
