package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fullbore/loadgen/target"
)

// scanCount is how many keys the server looks at in one SCAN: large enough that a
// hundred thousand keys take a hundred round trips, small enough that none of
// them holds up the server for more than a fraction of a millisecond.
const scanCount = 1000

// A server that restarts while it is cleaned is asked again, from the beginning.
const (
	sweepAttempts = 5
	sweepPause    = 300 * time.Millisecond
)

// Clean removes every key under the session's prefix and returns how many there
// were; never anything else, and never by FLUSHALL. A server of our own needs no
// cleaning: it goes with its data. progress is called now and then with the keys
// removed so far and about how many were looked at, and may be nil. On an error the
// count says how far it came; ErrForbidden is the server's refusal to let it be done.
func (s *Session) Clean(ctx context.Context, progress func(removed, looked int64)) (int64, error) {
	if s.Ours() || s.prefix == "" {
		return 0, nil
	}
	var removed int64
	for attempt := 1; ; attempt++ {
		n, err := s.removal(ctx, func(n, looked int64) {
			if progress != nil {
				progress(removed+n, looked)
			}
		})
		removed += n
		switch {
		case err == nil:
			return removed, nil
		case ctx.Err() != nil:
			return removed, errors.New("interrupted")
		case attempt == sweepAttempts || !passing(err):
			return removed, fmt.Errorf("remove keys under %q: %w", s.prefix, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(sweepPause):
		}
	}
}

// removal finds the keys and removes them, or removes those whose names are known where
// the server does not let anybody look.
func (s *Session) removal(ctx context.Context, progress func(removed, looked int64)) (removed int64, err error) {
	removed, err = s.sweep(ctx, progress)
	var refused target.ReplyError
	if errors.As(err, &refused) && forbidden(refused) {
		return s.byName(ctx, err, progress)
	}
	return removed, err
}

// passing tells whether err may be that of a server on its way down and up again.
func passing(err error) bool {
	switch target.ErrorCode(err) {
	case "LOADING", "refused", "reset", "eof", "missing":
		return true
	}
	return false
}

// homes are the servers that may hold keys: in a cluster every primary, whether the load
// went to all of them or to one.
func (s *Session) homes(ctx context.Context) []target.Target {
	if len(s.cluster.Nodes) == 0 {
		return []target.Target{s.Server.Target}
	}
	cluster, err := s.cluster.Renew(ctx) // the first node asked may be gone by now
	if err != nil {
		cluster = s.cluster
	}
	var all []target.Target
	for _, n := range cluster.Primaries() {
		all = append(all, n.Target)
	}
	return all
}

// sweep looks through all homes for keys and removes them.
func (s *Session) sweep(ctx context.Context, progress func(removed, looked int64)) (removed int64, err error) {
	var looked int64
	for _, home := range s.homes(ctx) {
		before, seen := removed, looked
		n, err := s.sweepOne(ctx, home, func(n, l int64) {
			looked = seen + l
			progress(before+n, looked)
		})
		if removed += n; err != nil {
			return removed, err
		}
	}
	return removed, nil
}

func (s *Session) sweepOne(ctx context.Context, home target.Target, progress func(removed, looked int64)) (removed int64, err error) {
	c, err := home.Control(ctx)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	// A frozen server ends the conversation when the caller's patience does.
	defer context.AfterFunc(ctx, c.Close)()
	remove, pattern := "UNLINK", literally(s.prefix)+"*"
	cursor := "0"
	for looked := int64(scanCount); ; looked += scanCount {
		if err := ctx.Err(); err != nil {
			return removed, err
		}
		reply, err := c.Do("SCAN", cursor, "MATCH", pattern, "COUNT", scanCount)
		if err != nil {
			return removed, err
		}
		next, keys, err := target.Scan(reply)
		if err != nil {
			return removed, err
		}
		n, err := unlink(c, &remove, under(s.prefix, keys))
		removed += n
		if err != nil {
			return removed, err
		}
		progress(removed, looked)
		if cursor = next; cursor == "0" {
			return removed, nil
		}
	}
}

// literally is text as a pattern of SCAN that matches nothing else.
func literally(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`).Replace(text)
}

// under are the keys with that prefix, whatever a server may take a pattern for.
func under(prefix string, keys []string) []string {
	ours := keys[:0]
	for _, k := range keys {
		if strings.HasPrefix(k, prefix) {
			ours = append(ours, k)
		}
	}
	return ours
}

// errAcross is a cluster's refusal of keys that lie in more than one slot.
const errAcross = "CROSSSLOT"

// unlink removes keys in one command. A server that does not know or does not
// allow UNLINK (before 4.0, or by ACL) gets DEL from then on; a node of a cluster, a
// command for each key.
func unlink(c *target.Control, command *string, keys []string) (int64, error) {
	if len(keys) == 0 {
		return 0, nil
	}
	args := make([]any, len(keys))
	for i, k := range keys {
		args[i] = k
	}
	n, err := target.Int64(c.Do(*command, args...))
	if _, refused := err.(target.ReplyError); refused && *command == "UNLINK" && target.ErrorCode(err) != errAcross {
		*command = "DEL"
		n, err = target.Int64(c.Do(*command, args...))
	}
	if target.ErrorCode(err) == errAcross {
		return unlinkEach(c, *command, args)
	}
	return n, err
}

// unlinkEach removes keys one by one, in one round trip. The error is the first
// refusal; the other keys are gone all the same.
func unlinkEach(c *target.Control, command string, keys []any) (n int64, err error) {
	replies, err := c.Pipeline(len(keys), func(i int) (string, []any) { return command, keys[i : i+1] })
	for _, r := range replies {
		one, refused := target.Int64(r, nil)
		if n += one; refused != nil && err == nil {
			err = refused
		}
	}
	return n, err
}
