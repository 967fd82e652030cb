// fullbore is an interactive terminal benchmarker for Redis-protocol servers.
package main

import (
	"cmp"
	"context"
	"os"
	"runtime"
	"time"

	"fullbore/config"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/launch"
	"fullbore/loadgen/session"
	"fullbore/tui"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	cfg, err := config.Parse(args, config.Process())
	switch {
	case err != nil:
		return session.Refuse(os.Stderr, err)
	case cfg.Done:
		return session.Complete
	}
	out, err := session.OpenOutput(cfg.Output, os.Stdout)
	if err != nil {
		return session.Complain(os.Stderr, err, session.Misuse)
	}
	defer out.Discard() // what was not kept
	work, patience, signalled := session.Signals()
	arms := []session.Side{{Plan: cfg.Plan}}
	if cfg.Compare != nil {
		arms = cfg.Compare.Arms
	}
	base := session.Options{Launch: launch.Options{Target: cfg.Target, Server: cfg.Server}, Auth: cfg.Auth, Side: os.Stderr, Live: cfg.Progress, Patience: cfg.Plan.Stall}
	f, err := session.OpenFleet(work, base, arms)
	if err != nil {
		return signalled(session.Complain(os.Stderr, err, session.Failure))
	}
	defer f.Close() // also when something below panics
	f.Threads(cfg.Threads, func(n int) { runtime.GOMAXPROCS(n) })
	failed, err := measure(work, f, cfg, out)
	f.Answered = !failed
	code := session.ExitCode(os.Stderr, failed, err)
	if code != session.Misuse && !cfg.Clean && !f.Leave(patience, cfg.KeepKeys, os.Stderr) {
		code = max(code, session.Failure)
	}
	return signalled(code)
}

// measure does what was asked for; failed tells of errors during the load (M29).
func measure(ctx context.Context, f *session.Fleet, cfg config.Config, out *session.Output) (failed bool, err error) {
	base := f.Sessions()[0]
	o := session.Order{
		Header: base.Header(config.Version(), time.Now()), Format: cfg.Format, Out: out,
		Side: os.Stderr, View: session.View{Live: cfg.Progress, Same: cfg.Shown},
	}
	c := cmp.Or(cfg.Compare, &config.Comparison{})
	if cfg.Interactive {
		look := tui.Look{Theme: cfg.Theme, Glyphs: cfg.Glyphs, Hertz: cfg.Hertz, Yes: cfg.Yes}
		return tui.RunAndTell(ctx, tui.Screen(base, o.Header, cfg.Plan, look).Comparing(f, c.Cases, c.Rules), o.Header, out)
	}
	if !cfg.Yes && !cfg.Idle {
		if err := f.Consent(ctx, c.Cases, cfg.Asked(os.Stdin), os.Stderr); err != nil {
			return true, err
		}
	}
	f.Introduce(os.Stderr)
	switch {
	case cfg.Clean:
		return false, base.Sweep(ctx, session.Sweep{Yes: cfg.Yes, In: cfg.Asked(os.Stdin), Out: os.Stdout, Side: os.Stderr, Live: cfg.Progress})
	case cfg.Idle:
		return base.Idle(ctx, cfg.Plan, os.Stderr, cfg.Progress)
	case cfg.Compare != nil:
		return f.Compare(ctx, c.Cases, c.Rules, o)
	}
	return base.Report(ctx, experiment.Rounds(cfg.Runs(), cfg.Rounds), o)
}
