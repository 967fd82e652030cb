package experiment

import (
	"context"
	"errors"
	"iter"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// Step is one run of a suite.
type Step struct {
	Title string // as reports print it
	Plan  loadgen.Plan
}

// Observer follows a suite. Its methods are called from one goroutine.
type Observer interface {
	// Progress is called about every quarter of a second during a run.
	Progress(title string, s *stats.Snapshot)
	// Finished is called after each run; an error ends the suite.
	Finished(title string, r loadgen.Result) error
}

// progressEvery is redis-benchmark's pace.
const progressEvery = 250 * time.Millisecond

// Rounds are the steps in order, times times over; 0 is without end. Only the very
// first one prefills, since what it wrote is there for all.
func Rounds(steps []Step, times int) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		for n := 0; len(steps) > 0 && (times == 0 || n < times); n++ {
			for i, s := range steps {
				if n > 0 || i > 0 {
					s.Plan.Prefill = loadgen.Prefill{}
				}
				if !yield(s) {
					return
				}
			}
		}
	}
}

// Suite runs the steps one after another on t until ctx ends. A run that met
// errors does not end the suite; one that could not run at all does. When ctx
// ends in the middle of a run, its partial result is still observed.
func Suite(ctx context.Context, t target.Target, steps iter.Seq[Step], o Observer) error {
	for step := range steps {
		res, err := Observe(ctx, t, step.Plan, func(s *stats.Snapshot) { o.Progress(step.Title, s) })
		if told := o.Finished(step.Title, res); err != nil || told != nil {
			return errors.Join(err, told)
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	return nil
}

// Observe runs p on t and calls see about every quarter of a second with what is
// known, from the caller's goroutine. A panic of the run becomes an error.
func Observe(ctx context.Context, t target.Target, p loadgen.Plan, see func(*stats.Snapshot)) (loadgen.Result, error) {
	runner := loadgen.New(t, p)
	type outcome struct {
		res loadgen.Result
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		// Run recovers the panics of its own goroutines; this is for Run itself.
		var out outcome
		defer func() {
			if v := recover(); v != nil {
				out.err = &loadgen.PanicError{Where: "run", Value: v}
			}
			done <- out
		}()
		out.res, out.err = runner.Run(ctx)
	}()
	ticker := time.NewTicker(progressEvery)
	defer ticker.Stop()
	for {
		select {
		case out := <-done:
			return out.res, out.err
		case <-ticker.C:
			see(runner.Snapshot())
		}
	}
}
