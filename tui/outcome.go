package tui

import (
	"errors"
	"fmt"
	"slices"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
)

// Outcome is what a screen leaves behind.
type Outcome struct {
	loadgen.Result                  // of the live run, the last where there were several
	Live           bool             // there was one
	Where          experiment.Place // its server; the zero Place is that of the Options
	// Comparisons are the last states of those that were made, oldest first.
	Comparisons []*experiment.State
}

// Failed reports whether the live run or a comparison met errors or lost
// connections: exit code 1 (M29). That somebody left a comparison before its verdict
// is no failure.
func (o Outcome) Failed() bool {
	failed := o.Live && o.Result.Failed()
	for _, s := range o.Comparisons {
		failed = failed || mistakes(s) > 0
	}
	return failed
}

// last is the newest comparison that measured anything; nil where none did.
func (o Outcome) last() *experiment.State {
	for _, s := range slices.Backward(o.Comparisons) {
		if len(s.Earlier) > 0 || slices.ContainsFunc(s.Results, measured) {
			return s
		}
	}
	return nil
}

func measured(out experiment.Outcome) bool {
	return slices.ContainsFunc(out.Arms, func(m experiment.Measured) bool { return len(m.Rounds) > 0 })
}

// mistakes are the errors and lost connections of a comparison, of all its rounds.
func mistakes(s *experiment.State) int64 {
	var n int64
	for _, side := range s.Arms {
		if side.Live != nil {
			n += side.Live.Total.Errors + side.Live.Total.Lost
		}
	}
	return n
}

// outcome gathers what all tasks have left. The error joins theirs.
func (s *supervisor) outcome() (Outcome, error) {
	s.mu.Lock()
	live, contests, where := s.live, s.contests, s.where
	s.mu.Unlock()
	var out Outcome
	var errs []error
	for _, t := range contests {
		state := t.snapshot()
		err, over := t.ended()
		switch {
		case over && t.result != nil:
			state = t.result
		case !over:
			err = stuck("comparison")
		}
		errs = append(errs, err)
		if state != nil {
			out.Comparisons = append(out.Comparisons, labelled(state, t.arms))
		}
	}
	if live == nil {
		return out, errors.Join(errs...)
	}
	out.Live, out.Where = true, where
	broken := (*PanicError)(nil)
	switch err, over := live.ended(); {
	case !over:
		out.Result = salvage(live, "the load did not stop in time")
		errs = append(errs, stuck("load"))
	case errors.As(err, &broken):
		out.Result = salvage(live, "the program failed")
		errs = append(errs, err)
	default:
		out.Result = live.result
		errs = append(errs, err)
	}
	return out, errors.Join(errs...)
}

func stuck(what string) error {
	return fmt.Errorf("stopping the %s: %w (%v)", what, ErrStuck, stopTime)
}

// salvage makes a partial result of the last snapshot.
func salvage(t *liveTask, reason string) loadgen.Result {
	t.mu.Lock()
	p := t.accepted
	t.mu.Unlock()
	r := loadgen.Result{Plan: p, Partial: true}
	if snap := t.snapshot(); snap != nil {
		r = loadgen.Interim(snap, p)
	}
	r.Started, r.Reason = t.startedAt(), reason
	return r
}
