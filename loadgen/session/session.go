package session

import (
	"context"
	"fmt"

	"fullbore/loadgen/launch"
	"fullbore/loadgen/target"
)

// Session is a server that was reached and looked at.
type Session struct {
	Server *launch.Server
	Info   target.Info
	prefix string
}

// Open chooses the server and looks at it. prefix is what every key of the
// session starts with. The error is one line for the user, with the server's own
// text; nothing is left running then.
func Open(ctx context.Context, o launch.Options, prefix string) (*Session, error) {
	server, err := launch.Choose(ctx, o)
	if err != nil {
		return nil, err
	}
	info, err := target.Preflight(ctx, server.Target)
	if err != nil {
		server.Close()
		return nil, err
	}
	return &Session{Server: server, Info: info, prefix: prefix}, nil
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

// Close stops the server if it was started for this session.
func (s *Session) Close() error {
	if err := s.Server.Close(); err != nil {
		return fmt.Errorf("stop %s: %w", s.Server.Origin(), err)
	}
	return nil
}
