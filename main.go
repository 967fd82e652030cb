// fullbore is an interactive terminal benchmarker for Redis-protocol servers.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/mattn/go-isatty"

	"fullbore/config"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/launch"
	"fullbore/loadgen/report"
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
	cfg, err := config.Parse(args, config.Env{
		Getenv: os.Getenv, ReadFile: os.ReadFile, In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InIsTerminal:  isatty.IsTerminal(os.Stdin.Fd()),
		OutIsTerminal: isatty.IsTerminal(os.Stdout.Fd()),
		ErrIsTerminal: isatty.IsTerminal(os.Stderr.Fd()),
	})
	if err != nil {
		return complain(err, misuse)
	}
	if cfg.Done {
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
	var code int
	switch err := consent(work, s, cfg); {
	case err != nil:
		return signalled(complain(err, misuse))
	case cfg.Interactive:
		code = interactive(work, s, cfg)
	case cfg.Idle:
		code = idle(work, s, cfg)
	default:
		code = headless(work, s, cfg, out)
	}
	if !s.Leave(patience, cfg.KeepKeys, os.Stderr) {
		code = max(code, failure)
	}
	return signalled(code)
}

// consent asks, where the screen does not, about commands that write to others' keys.
func consent(ctx context.Context, s *session.Session, cfg config.Config) error {
	if cfg.Interactive || cfg.Idle || cfg.Yes {
		return nil
	}
	var asked io.Reader
	if cfg.MayAsk {
		asked = os.Stdin
	}
	return s.Consent(ctx, cfg.Plan.Workload.Mix, asked, os.Stderr)
}

func headless(ctx context.Context, s *session.Session, cfg config.Config, out *session.Output) int {
	printer, err := report.New(cfg.Format, out)
	if err != nil {
		return complain(err, misuse)
	}
	var progress io.Writer
	if cfg.Progress {
		progress = os.Stderr
	}
	same := (cfg.Output == "" || cfg.Output == "-") && isatty.IsTerminal(os.Stdout.Fd())
	printer = session.Watched(printer, cfg.Format, os.Stderr, session.View{Live: cfg.Progress, Same: same})
	s.Introduce(os.Stderr)
	runs := experiment.Rounds(cfg.Runs(), cfg.Rounds)
	failed, err := s.Headless(ctx, runs, s.Header(config.Version(), time.Now()), printer, progress)
	return verdict(failed, errors.Join(err, out.Keep()))
}

func idle(ctx context.Context, s *session.Session, cfg config.Config) int {
	s.Introduce(os.Stderr)
	return verdict(s.Idle(ctx, cfg.Plan, os.Stderr, cfg.Progress))
}

func verdict(failed bool, err error) int {
	switch {
	case err != nil:
		return complain(err, failure)
	case failed:
		return failure
	}
	return complete
}

func interactive(ctx context.Context, s *session.Session, cfg config.Config) int {
	h := s.Header(config.Version(), time.Now())
	res, err := tui.Run(ctx, tui.Screen(s, h, cfg.Plan, tui.Look{Theme: cfg.Theme, Glyphs: cfg.Glyphs, Hertz: cfg.Hertz, Yes: cfg.Yes}))
	if errors.Is(err, tui.ErrNotStarted) {
		return complete
	}
	if told := report.Summary(os.Stdout, h, res); told != nil {
		// The line has dropped: what was measured goes to files instead.
		_, lost := report.Save(".", time.Now(), h, res)
		return complain(errors.Join(told, lost), failure)
	}
	switch {
	case errors.Is(err, tui.ErrInterrupted):
		return session.Interrupted
	case err != nil:
		return complain(err, failure)
	case res.Failed():
		return failure
	}
	return complete
}

func complain(err error, code int) int {
	fmt.Fprintf(os.Stderr, "fullbore: %v\n", err)
	return code
}
