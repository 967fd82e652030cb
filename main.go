// fullbore is an interactive terminal benchmarker for Redis-protocol servers.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"fullbore/config"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/launch"
	"fullbore/loadgen/session"
	"fullbore/tui"
)

// Exit codes (M29); a signal gives 128 plus its number.
const (
	complete = 0
	failure  = 1 // errors, lost connections, or no load at all
	misuse   = 2
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	cfg, err := config.Parse(args, config.Process())
	switch {
	case err != nil:
		return complain(err, misuse)
	case cfg.Done:
		return complete
	}
	out, err := session.OpenOutput(cfg.Output, os.Stdout)
	if err != nil {
		return complain(err, misuse)
	}
	defer out.Discard() // what was not kept
	work, patience, signalled := session.Signals()
	s, err := session.Open(work, session.Options{
		Launch: launch.Options{Target: cfg.Target, Server: cfg.Server},
		Auth:   cfg.Auth, Prefix: cfg.Plan.Workload.Keys.Prefix,
	})
	if err != nil {
		return signalled(complain(err, failure))
	}
	defer s.Close() // also when something below panics
	if s.Server.Kind != launch.Builtin {
		// One thread gives truer tails than two where the server shares the
		// machine. The built-in server needs one of its own.
		runtime.GOMAXPROCS(cfg.Threads)
	}
	code := verdict(measure(work, s, cfg, out))
	if code != misuse && !s.Leave(patience, cfg.KeepKeys, os.Stderr) {
		code = max(code, failure)
	}
	return signalled(code)
}

// measure does what was asked for; failed tells of errors during the load (M29).
func measure(ctx context.Context, s *session.Session, cfg config.Config, out *session.Output) (failed bool, err error) {
	h := s.Header(config.Version(), time.Now())
	if cfg.Interactive {
		look := tui.Look{Theme: cfg.Theme, Glyphs: cfg.Glyphs, Hertz: cfg.Hertz, Yes: cfg.Yes}
		return tui.RunAndTell(ctx, tui.Screen(s, h, cfg.Plan, look), h, out)
	}
	if cfg.Idle {
		s.Introduce(os.Stderr)
		return s.Idle(ctx, cfg.Plan, os.Stderr, cfg.Progress)
	}
	if !cfg.Yes {
		if err := s.Consent(ctx, cfg.Plan.Workload.Mix, cfg.Asked(os.Stdin), os.Stderr); err != nil {
			return true, err
		}
	}
	s.Introduce(os.Stderr)
	return s.Report(ctx, session.Order{
		Steps: experiment.Rounds(cfg.Runs(), cfg.Rounds), Header: h, Format: cfg.Format,
		Out: out, Side: os.Stderr, View: session.View{Live: cfg.Progress, Same: cfg.Shown},
	})
}

func verdict(failed bool, err error) int {
	switch {
	case errors.Is(err, session.ErrRefused):
		return complain(err, misuse)
	case errors.Is(err, tui.ErrInterrupted):
		return session.Interrupted
	case err != nil:
		return complain(err, failure)
	case failed:
		return failure
	}
	return complete
}

func complain(err error, code int) int {
	fmt.Fprintf(os.Stderr, "fullbore: %v\n", err)
	return code
}
