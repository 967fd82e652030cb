package session

import (
	"context"
	"fmt"

	"fullbore/loadgen/target"
)

// scanCount is how many keys the server looks at in one SCAN: large enough that a
// hundred thousand keys take a hundred round trips, small enough that none of
// them holds up the server for more than a fraction of a millisecond.
const scanCount = 1000

// Clean removes every key under the session's prefix and returns how many there
// were; never anything else, and never by FLUSHALL. A server of our own needs no
// cleaning: it goes with its data. progress is called now and then with the
// count so far, and may be nil. On an error the count says how far it came.
func (s *Session) Clean(ctx context.Context, progress func(removed int64)) (int64, error) {
	if s.Ours() || s.prefix == "" {
		return 0, nil
	}
	c, err := s.Server.Target.Control(ctx)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	// A frozen server ends the conversation when the caller's patience does.
	defer context.AfterFunc(ctx, c.Close)()
	n, err := sweep(ctx, c, s.prefix, progress)
	if err != nil {
		return n, fmt.Errorf("remove keys under %q: %w", s.prefix, err)
	}
	return n, nil
}

func sweep(ctx context.Context, c *target.Control, prefix string, progress func(int64)) (removed int64, err error) {
	remove := "UNLINK"
	for cursor := "0"; ; {
		if err := ctx.Err(); err != nil {
			return removed, err
		}
		reply, err := c.Do("SCAN", cursor, "MATCH", prefix+"*", "COUNT", scanCount)
		if err != nil {
			return removed, err
		}
		next, keys, err := target.Scan(reply)
		if err != nil {
			return removed, err
		}
		n, err := unlink(c, &remove, keys)
		removed += n
		if err != nil {
			return removed, err
		}
		if progress != nil && n > 0 {
			progress(removed)
		}
		if cursor = next; cursor == "0" {
			return removed, nil
		}
	}
}

// unlink removes keys in one command. A server that does not know or does not
// allow UNLINK (before 4.0, or by ACL) gets DEL from then on.
func unlink(c *target.Control, command *string, keys []string) (int64, error) {
	if len(keys) == 0 {
		return 0, nil
	}
	args := make([]any, len(keys))
	for i, k := range keys {
		args[i] = k
	}
	n, err := target.Int64(c.Do(*command, args...))
	if _, refused := err.(target.ReplyError); refused && *command == "UNLINK" {
		*command = "DEL"
		n, err = target.Int64(c.Do(*command, args...))
	}
	return n, err
}
