package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// load is what a comparison needs of a run that goes on: a loadgen.Runner, or a
// simulated one.
type load interface {
	Apply(loadgen.Plan) error
	Restart(loadgen.Plan) error
	Snapshot() *stats.Snapshot
}

// starter makes a load and the function that runs it until its context ends.
type starter func(t target.Target, p loadgen.Plan) (load, func(context.Context) error)

func startRunner(t target.Target, p loadgen.Plan) (load, func(context.Context) error) {
	r := loadgen.New(t, p)
	r.WithoutInsight()         // the comparison looks before and after rounds
	r.Within(loadgen.Limits{}) // the comparison holds all of them within what there is
	return r, func(ctx context.Context) error {
		res, err := r.Run(ctx)
		if err == nil && ctx.Err() == nil {
			err = errors.New("ended by itself: " + res.Reason)
		}
		return err
	}
}

// side is an arm, or the reference's twin, with its run.
type side struct {
	arm     int // its place
	twin    bool
	name    string // for notes and errors
	place   Place
	threads int
	load    load
	plan    loadgen.Plan // the last one it was told
	ended   chan struct{}
}

// launch starts the side's run under p. Its end, unless ctx's, goes to broken; a
// panic is an error as well.
func (s *side) launch(ctx context.Context, start starter, p loadgen.Plan, broken chan<- error) {
	r, run := start(s.place.Target, p)
	s.load, s.plan, s.ended = r, p, make(chan struct{})
	go func() {
		defer close(s.ended)
		var err error
		defer func() {
			if v := recover(); v != nil {
				err = &loadgen.PanicError{Where: "run of " + s.name, Value: v, Stack: debug.Stack()}
			}
			if err != nil {
				broken <- fmt.Errorf("%s: %w", s.name, err)
			}
		}()
		err = run(ctx)
	}()
}

// tell gives the side a plan, to hold or to be under load. Plans were checked when
// they were applied.
func (s *side) tell(p loadgen.Plan, paused, fresh bool) error {
	p.Paused = paused
	s.plan = p
	order := s.load.Apply
	if fresh {
		order = s.load.Restart
	}
	if err := order(p); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}

// in reports whether the side is in state, under a plan newer than epoch.
func (s *side) in(state stats.State, epoch int) bool {
	now := s.load.Snapshot()
	return now.State == state && now.Epoch > epoch
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
