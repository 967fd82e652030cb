package session

import (
	"context"
	"fmt"
	"io"
	"time"

	"golang.org/x/term"
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
	line := &removing{s: s, w: o.Side, live: o.Live}
	n, err := s.Clean(ctx, line.draw)
	line.clear()
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

// removing is the progress of a cleaning, on one line of a terminal.
type removing struct {
	s     *Session
	w     io.Writer
	live  bool
	last  time.Time // when it was drawn, or as good as drawn
	drawn bool
}

// draw implements what Clean calls.
func (r *removing) draw(removed, looked int64) {
	if !r.live || time.Since(r.last) < drawnEvery {
		return
	}
	r.last, r.drawn = time.Now(), true
	text := fmt.Sprintf("%s under %q removed", keys(removed), r.s.prefix)
	if all := r.s.Info.Keys; all > 0 && looked <= all {
		text += fmt.Sprintf(", about %d %% of all looked at", 100*looked/all)
	}
	width, _ := size(r.w)
	fmt.Fprint(r.w, clearLine, string([]rune(text)[:min(len([]rune(text)), width)]))
}

// clear leaves the line as it was found.
func (r *removing) clear() {
	if r.drawn {
		fmt.Fprint(r.w, clearLine)
	}
}

// onTerminal tells whether w is one.
func onTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}
