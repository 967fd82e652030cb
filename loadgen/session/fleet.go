package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/launch"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// Side is one side of a comparison as it was asked for: a load, and the server of its
// own that it names, if any.
type Side struct {
	// Label is the side as the user wrote it, passwords left out (M31).
	Label   string
	Plan    loadgen.Plan
	Threads int // of the load generator, 1 to 500; 0 = as it is
	// Own says that the side names a server of its own, by Target or Server; otherwise
	// it shares that of the command line, and what follows is empty.
	Own      bool
	Target   *target.Target // with the password for it
	Server   string         // see launch.Options for this and the rest
	Replicas int
	Chained  bool
}

// Fleet are the servers of a comparison, each of them opened once.
type Fleet struct {
	Arms     []experiment.Arm // in the order of the sides, with their places
	sessions []*Session       // by arm; arms that share a server and a prefix share one
	threads  func(int)        // see Threads

	// Answered says, before Leave, that the load ended with an answer to all of it.
	Answered bool
}

// OpenFleet opens what the sides need, in order: the server of the command line when
// the first of them asks for it, and the own servers of the others. The error says
// which arm it was; nothing is left running then.
func OpenFleet(ctx context.Context, base Options, sides []Side) (_ *Fleet, err error) {
	f := &Fleet{}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	var shared *Session
	for i, side := range sides {
		s, prefix := shared, side.Plan.Workload.Keys.Prefix
		switch {
		case side.Own:
			if s, err = Open(ctx, side.own()); err != nil {
				return nil, fmt.Errorf("arm %d %q: %w", i+1, side.Label, err)
			}
		case shared == nil:
			base.Cluster = side.Plan.Cluster
			if shared, err = Open(ctx, base); err != nil {
				return nil, err
			}
			s = shared
		}
		f.sessions = append(f.sessions, f.once(s, prefix))
		f.Arms = append(f.Arms, experiment.Arm{Label: side.Label, Plan: side.Plan, Threads: side.Threads, Place: s.Place()})
	}
	f.tellApart()
	return f, nil
}

// own are the options for the server of s itself.
func (s Side) own() Options {
	return Options{
		Launch: launch.Options{Target: s.Target, Server: s.Server, Replicas: s.Replicas, Chained: s.Chained},
		Prefix: s.Plan.Workload.Keys.Prefix, Cluster: s.Plan.Cluster,
	}
}

// once is the session for keys under prefix on the server of s: one that the fleet
// has already, where there is one.
func (f *Fleet) once(s *Session, prefix string) *Session {
	for _, have := range f.sessions {
		if have.Server == s.Server && have.prefix == prefix {
			return have
		}
	}
	return &Session{Server: s.Server, Info: s.Info, prefix: prefix, cluster: s.cluster}
}

// tellApart has sessions name their servers in what they say, where there are several.
func (f *Fleet) tellApart() {
	for _, s := range f.sessions {
		if s.Server != f.sessions[0].Server {
			for _, s := range f.sessions {
				s.where = " on " + s.Server.Target.String()
			}
			return
		}
	}
}

// Place is the session's server as reports tell of it.
func (s *Session) Place() experiment.Place {
	return experiment.Place{
		Target: s.Server.Target, Info: s.Info, Origin: s.Server.Origin(),
		Command: s.Server.Command, Replicas: len(s.Server.Replicas),
	}
}

// Sessions are the fleet's, each once, in the order of the arms.
func (f *Fleet) Sessions() []*Session {
	var once []*Session
	for _, s := range f.sessions {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}

// Consent is Session.Consent for all that the arms send to each server in these
// cases, no case at all being one in which they send what their plans say: one
// question for each server at most.
func (f *Fleet) Consent(ctx context.Context, cases []experiment.Case, in io.Reader, w io.Writer) error {
	if len(cases) == 0 {
		cases = []experiment.Case{{}}
	}
	for _, s := range f.Sessions() {
		if err := s.Consent(ctx, f.sent(s, cases), in, w); err != nil {
			return err
		}
	}
	return nil
}

// sent are the commands that arms send to a server, each once.
func (f *Fleet) sent(s *Session, cases []experiment.Case) workload.Mix {
	var all workload.Mix
	seen := map[string]bool{}
	for i, arm := range f.Arms {
		if f.sessions[i] != s {
			continue
		}
		for _, c := range cases {
			mix := c.Mix
			if mix == nil {
				mix = arm.Plan.Workload.Mix
			}
			for _, e := range mix {
				if !seen[e.Test.Title] {
					seen[e.Test.Title] = true
					all = append(all, e)
				}
			}
		}
	}
	return all
}

// Introduce tells on w which servers these are, where the user did not name them.
func (f *Fleet) Introduce(w io.Writer) {
	told := map[*launch.Server]bool{}
	for _, s := range f.Sessions() {
		if !told[s.Server] {
			told[s.Server] = true
			s.Introduce(w)
		}
	}
}

// Threads has the load generator use n threads, and arms that ask for it another
// number, by set; only the owner of the process may change that. One thread gives truer
// tails than two where the server shares the machine. A built-in server needs one of
// its own: then nothing is changed.
func (f *Fleet) Threads(n int, set func(n int)) {
	if slices.ContainsFunc(f.sessions, func(s *Session) bool { return s.Server.Kind == launch.Builtin }) {
		return
	}
	set(n)
	f.threads = set
}

// Leave is Session.Leave for every server, once for each that holds keys of ours under
// a prefix, whatever becomes of the others.
func (f *Fleet) Leave(ctx context.Context, keep bool, w io.Writer) (asItWas bool) {
	asItWas = true
	cleaned := map[string]bool{}
	for _, s := range f.Sessions() {
		// Two arms may name one server in the same words, and yet have opened it twice.
		t := s.Server.Target
		holds := fmt.Sprint(t.Network, t.Address, t.DB, " ", s.prefix)
		if !s.Ours() && cleaned[holds] {
			continue
		}
		cleaned[holds] = true
		s.answered = f.Answered
		asItWas = s.Leave(ctx, keep, w) && asItWas
	}
	return asItWas
}

// Close stops every server that was started for the comparison.
func (f *Fleet) Close() error {
	var err error
	for _, s := range f.Sessions() {
		err = errors.Join(err, s.Close())
	}
	return err
}
