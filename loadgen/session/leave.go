package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"fullbore/loadgen/target"
)

// Leave removes the session's keys, unless keep is set, stops a server of ours,
// and tells on w what it did, in a line or two. ctx is the user's patience: when
// it ends, cleaning stops and says what is left. It reports whether the server is
// as it was.
func (s *Session) Leave(ctx context.Context, keep bool, w io.Writer) (asItWas bool) {
	clean := s.settle(ctx, keep, w)
	if err := s.Close(); err != nil {
		fmt.Fprintf(w, "fullbore: %v\n", err)
		return false
	}
	return clean
}

// How long a server may take to answer the first question of a cleaning before it
// counts as frozen: the user waits for the prompt, which is to be there a second after
// the load was told to stop. One that answered all of the load a moment ago is busy
// rather than frozen, and on a busy machine that may take it a while.
const (
	deafAfter = 700 * time.Millisecond
	busyAfter = 3 * time.Second
)

func (s *Session) settle(ctx context.Context, keep bool, w io.Writer) bool {
	switch {
	case s.Ours():
		return true // its data goes with it
	case s.prefix == "":
		fmt.Fprintf(w, "fullbore: keys are left on the server%s: without --key-prefix they cannot be told from others\n", s.where)
		return true
	case keep:
		fmt.Fprintf(w, "fullbore: keys under %q are left on the server%s (--keep-keys)\n", s.prefix, s.where)
		return true
	}
	limit := deafAfter
	if s.answered {
		limit = busyAfter
	}
	first, cancel := context.WithTimeout(ctx, limit)
	err := s.answers(first)
	cancel()
	var n int64
	if err == nil {
		// A line appears where it takes longer than anybody would notice.
		line := &removing{s: s, w: w, live: onTerminal(w), last: time.Now()}
		n, err = s.Clean(ctx, line.draw)
		line.clear()
	}
	switch {
	case errors.Is(err, ErrForbidden):
		// Whoever gave the user these rights, or took the commands away, knows; each run
		// under them would fail otherwise.
		_, most := s.known.grounds()
		what := "keys"
		if most > 0 {
			what = keys(most - n)
		}
		fmt.Fprintf(w, "fullbore: %s under %q may be left%s: %v\n", what, s.prefix, s.where, err)
		return true
	case err != nil:
		fmt.Fprintf(w, "fullbore: %s removed, others under %q may be left%s: %v\n", keys(n), s.prefix, s.where, err)
		return false
	}
	fmt.Fprintf(w, "fullbore: %s under %q removed%s\n", keys(n), s.prefix, s.where)
	return true
}

// answers asks the smallest question, so that a frozen server is found out soon.
func (s *Session) answers(ctx context.Context) error {
	if len(s.cluster.Nodes) > 1 { // whichever of them is left
		_, err := s.cluster.Renew(ctx)
		return err
	}
	c, err := s.Server.Target.Control(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, c.Close)()
	// No test of the catalogue sends this: the server's own count of a test's commands
	// stays the load's.
	_, err = c.Do("DBSIZE")
	var refused target.ReplyError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s does not answer", s.Server.Target)
	case errors.As(err, &refused):
		return nil // which is an answer
	}
	return err
}
