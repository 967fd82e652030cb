package launch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fullbore/loadgen/launch/daemon"
	"fullbore/loadgen/target"
)

const (
	// MostReplicas is how many replicas a private server may have. More would tell of
	// the machine that they all share, and of nothing else.
	MostReplicas = 8
	// syncWithin is how long an empty replica may take from its start to being in sync.
	syncWithin = 10 * time.Second
	// syncPoll is the pause between two looks at a replica that is not.
	syncPoll = 20 * time.Millisecond
)

// Replica is a copy of a private server, kept in sync by the server itself.
type Replica struct {
	Address string // "127.0.0.1:PORT"
	PID     int

	daemon *daemon.Daemon
}

// replicable says what is wrong with the replicas that o asks for.
func replicable(o Options) error {
	switch {
	case o.Replicas == 0:
		return nil
	case o.Replicas < 0 || o.Replicas > MostReplicas:
		return fmt.Errorf("%d replicas: replicas= takes 0 to %d", o.Replicas, MostReplicas)
	case o.Server == "" || builtinAsked(o.Server):
		return errors.New(`replicas need a server that is started for them, such as server='redis-server' replicas=1`)
	}
	return nil
}

// replicate starts the replicas that o asks for, of the program and with the
// arguments of s itself, and returns when all of them are in sync.
func (s *Server) replicate(ctx context.Context, words []string, o Options) error {
	source := s.Target
	for n := range o.Replicas {
		hurry(ctx, source, words)
		d, err := daemon.Start(ctx, daemon.Spec{Program: words[0], Args: replicaArgs(words[1:], source)})
		if err != nil {
			return fmt.Errorf("replica %d: %w", n+1, err)
		}
		// Noted first, so that Close finds it whatever comes next.
		copied := s.Target
		copied.Address = target.TCP(daemon.Host, d.Port).Address
		s.Replicas = append(s.Replicas, Replica{Address: copied.Address, PID: d.PID, daemon: d})
		if err := synced(ctx, d, copied); err != nil {
			return fmt.Errorf("replica %d at %s: %w", n+1, copied.Address, err)
		}
		if o.Chained {
			source = copied
		}
	}
	return nil
}

// replicaArgs are the arguments of a replica of source. Every version knows the word
// slaveof; replicaof came with Redis 5.
func replicaArgs(args []string, source target.Target) []string {
	args = append([]string(nil), args...)
	if source.Password != "" && option(args, "--masterauth") == "" {
		args = append(args, "--masterauth", string(source.Password))
	}
	host, port, _ := strings.Cut(source.Address, ":")
	return append(args, "--slaveof", host, port)
}

// delay is how long a server waits for more replicas before it sends its data to the
// first: five seconds, with nobody else to come.
const delay = "repl-diskless-sync-delay"

// hurry has the server send its data at once, unless the user's words say when. A
// server that cannot be told so is only slower.
func hurry(ctx context.Context, t target.Target, words []string) {
	if option(words, "--"+delay) != "" {
		return
	}
	c, err := t.Control(ctx)
	if err != nil {
		return
	}
	defer c.Close()
	_, _ = c.Do("CONFIG", "SET", delay, 0) // see above
}

// synced waits until the replica has its primary's data and follows it.
func synced(ctx context.Context, d *daemon.Daemon, t target.Target) error {
	ctx, cancel := context.WithTimeoutCause(ctx, syncWithin, fmt.Errorf("not in sync with its primary within %v", syncWithin))
	defer cancel()
	poll := time.NewTicker(syncPoll)
	defer poll.Stop()
	for {
		up, err := linked(ctx, t)
		if up {
			return nil
		}
		select {
		case <-d.Exited():
			return fmt.Errorf("it ended before it was in sync%s", d.Tail())
		case <-ctx.Done():
			// What the last look met explains more than the time that is up.
			return errors.Join(fmt.Errorf("%w%s", context.Cause(ctx), d.Tail()), err)
		case <-poll.C:
		}
	}
}

// linked asks a replica whether its primary's data is complete and the link to it up.
func linked(ctx context.Context, t target.Target) (bool, error) {
	c, err := t.Control(ctx)
	if err != nil {
		return false, err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, c.Close)()
	text, err := target.Text(c.Do("INFO", "replication"))
	return err == nil && strings.Contains(text, "master_link_status:up"), err
}
