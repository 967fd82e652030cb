package session

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"fullbore/loadgen/insight"
	"fullbore/loadgen/launch"
	"fullbore/loadgen/report"
	"fullbore/loadgen/target"
)

// Options say which server to use and how to treat it.
type Options struct {
	Launch launch.Options
	Auth   target.Secret // for a server that was found and asks for a password
	Prefix string        // every key of the session starts with it
	// Cluster says that all of the cluster is meant which the server is part of.
	Cluster bool

	Side     io.Writer     // told that a server which is loading its data is waited for; may be nil
	Live     bool          // on a line of a terminal
	Patience time.Duration // how long such a server may come no further; 0 = 5 s
}

// Session is a server that was reached and looked at.
type Session struct {
	Server *launch.Server
	Info   target.Info
	prefix string
	where  string // " on ADDRESS" where there are other servers too
	known  known  // the keys that may be there

	// cluster is the one that the server was part of when it was opened; without nodes
	// for a server alone.
	cluster target.Topology

	answered bool // all of the load, as far as is known
}

// Open chooses the server and looks at it. The error is one line for the user,
// with the server's own text; nothing is left running then.
func Open(ctx context.Context, o Options) (*Session, error) {
	server, err := launch.Choose(ctx, o.Launch)
	if err != nil {
		return nil, err
	}
	info, err := target.Preflight(ctx, server.Target)
	// A password from the environment may be meant for another server, so one
	// that was merely found gets it only when it asks.
	if o.Auth != "" && server.Target.Password == "" && target.ErrorCode(err) == "NOAUTH" {
		server.Target.Password = o.Auth
		info, err = target.Preflight(ctx, server.Target)
	}
	if target.ErrorCode(err) == "LOADING" {
		info, err = o.outwait(ctx, server.Target, info, err)
	}
	if err != nil {
		server.Close()
		return nil, err
	}
	s := &Session{Server: server, Info: info, prefix: o.Prefix}
	if c, ok := info.Cluster(ctx, server.Target); ok {
		s.meet(c, o.Cluster)
	}
	return s, nil
}

// meet takes note of the cluster that the server is part of, and offers to load all of
// it to somebody who asked for one node.
func (s *Session) meet(c target.Topology, meant bool) {
	s.cluster = c
	if !meant {
		s.Info.Notes = append(s.Info.Notes, c.Offer())
		return
	}
	// The first node asked may be a replica; writes go to the primaries all the same.
	s.Info.Notes = slices.DeleteFunc(s.Info.Notes, func(n string) bool { return n == target.ReplicaNote })
}

// NeedsConsent reports whether load may start only on the user's word: the
// server is somebody's, on another machine.
func (s *Session) NeedsConsent() bool {
	return !s.Ours() && !s.Server.Target.Local()
}

// Ours reports whether the server was started for this session and goes with it.
func (s *Session) Ours() bool {
	return s.Server.Kind == launch.Private || s.Server.Kind == launch.Builtin
}

// Header is what reports say about the session. version is the program's.
func (s *Session) Header(version string, started time.Time) report.Header {
	h := report.About(s.Server.Target, s.Info)
	h.Tool, h.Version, h.Origin, h.Started = "fullbore", version, s.Server.Origin(), started
	h.Threads = runtime.GOMAXPROCS(0) // asked, not set
	h.Go, h.Machine = runtime.Version(), insight.ReadMachine(os.DirFS("/"))
	return h
}

// Close stops the server if it was started for this session.
func (s *Session) Close() error {
	if err := s.Server.Close(); err != nil {
		return fmt.Errorf("stop %s: %w", s.Server.Origin(), err)
	}
	return nil
}
