package target

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
)

// roundTrips is how many probes the round trip time is the median of.
const roundTrips = 5

// Preflight takes one look at the server over a control connection of its own,
// before any load (M11). The error says in one line why load would make no sense:
// nobody listens, credentials are missing or wrong, the server is full, still
// loading (Info.Loading and Loaded are set then, for a caller that waits), mute, or
// no Redis server at all. Commands that the server hides, such as INFO under a
// tight ACL, are no failure: each is asked for once and listed in Info.Hidden.
func Preflight(ctx context.Context, t Target) (Info, error) {
	info := unknown()
	c, err := t.Control(ctx)
	if err != nil {
		return info, t.suspect(err)
	}
	defer c.Close()
	info.secured(c, t)
	// Ends a wait when the caller gives up before the command's own limit.
	stop := context.AfterFunc(ctx, c.Close)
	defer stop()

	err = info.knock(c)
	loading := ErrorCode(err) == "LOADING"
	if err == nil || loading { // INFO tells how far loading is
		err = cmp.Or(err, info.look(c, t.DB))
	}
	if loading && !info.Loading && info.Version != "" {
		err = info.knock(c) // it ended between the two questions
	}
	if err != nil && ctx.Err() != nil && ErrorCode(err) == "closed" {
		err = trouble("look at", t.Address, ctx.Err())
	}
	return info, t.suspect(err)
}

// secured notes how the connection is secured. Without proof of who answers, the
// mark goes wherever notes go.
func (i *Info) secured(c *Control, t Target) {
	if i.TLS = c.protocol(); i.TLS != "" && t.TLS.options.Insecure {
		i.Notes = append(i.Notes, "certificate not verified (--insecure): whoever answers is taken for the server")
	}
}

// suspect adds a hint to a first contact that ended without a word, which is how
// OpenSSL takes plain RESP at a TLS port.
func (t Target) suspect(err error) error {
	e, ok := as[*Error](err)
	if !ok || t.TLS != nil || t.Network != "tcp" || e.Hint != "" || strings.HasPrefix(e.Op, "dial") {
		return err
	}
	if code := ErrorCode(err); code != "eof" && code != "reset" {
		return err
	}
	told := *e
	told.Hint = "is this a TLS port? Then give --tls, or write rediss:// in place of redis://"
	return &told
}

// probe is a command that a server answers only when it serves data, so that
// LOADING and MASTERDOWN show, and that no test of the catalogue sends: the
// server's own count of a test's commands stays exactly the load's.
const probe = "DBSIZE"

// knock measures the round trip and finds out whether the server serves at all.
func (i *Info) knock(c *Control) error {
	var trips []time.Duration
	for range roundTrips {
		start := time.Now()
		_, err := c.Do(probe)
		trips = append(trips, time.Since(start))
		slices.Sort(trips)
		i.RTT = trips[len(trips)/2]
		refused, isReply := err.(ReplyError)
		switch {
		case err == nil:
			continue
		case !isReply:
			return err
		case shut(err):
			return trouble(probe+" at", c.target.Address, err)
		}
		// A refusal of the probe alone: one is enough. Whoever lets a server answer with
		// MISCONF or MASTERDOWN may still want to read from it.
		switch Code(string(refused)) {
		case "NOPERM", "ERR":
			i.hide(probe, refused)
		default:
			i.Notes = append(i.Notes, string(refused))
		}
		return nil
	}
	return nil
}

// ReplicaNote is the one of Info.Notes that does not matter where the whole cluster is
// meant.
const ReplicaNote = "the server is a replica: it may refuse writes (READONLY)"

// question is a command of which Preflight wants to know the answer.
type question struct {
	cmd    string
	args   []any
	answer func(reply any) error
}

// look asks for everything else in one round trip.
func (i *Info) look(c *Control, db int) error {
	config := func(name string) question {
		return question{"CONFIG", []any{"GET", name}, func(reply any) error {
			pair, err := Strings(reply, nil)
			if err == nil && len(pair) == 2 {
				i.Config[name] = pair[1]
			}
			return err
		}}
	}
	questions := []question{
		{"INFO", nil, func(reply any) error {
			text, err := Text(reply, nil)
			if err == nil {
				i.read(fields(text), db)
			}
			return err
		}},
		{"DBSIZE", nil, func(reply any) error {
			n, err := Int64(reply, nil)
			if err == nil {
				i.Keys = n
			}
			return err
		}},
		config("save"),
		config("appendonly"),
	}
	replies, err := c.Pipeline(len(questions), func(n int) (string, []any) {
		return questions[n].cmd, questions[n].args
	})
	if err != nil {
		return err
	}
	for n, q := range questions {
		if err := q.answer(replies[n]); err != nil {
			i.hide(q.cmd, err)
		}
	}
	if i.Role == "slave" {
		i.Notes = append(i.Notes, ReplicaNote)
	}
	return nil
}

// hide notes once why a command tells nothing.
func (i *Info) hide(cmd string, err error) {
	cmd += ": "
	if !slices.ContainsFunc(i.Hidden, func(line string) bool { return strings.HasPrefix(line, cmd) }) {
		text, _, _ := strings.Cut(err.Error(), ", with args beginning with")
		i.Hidden = append(i.Hidden, cmd+text)
	}
}
