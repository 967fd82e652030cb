package tui

import (
	"context"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/stats"
)

// The two kinds of task.
type (
	liveTask    = task[loadgen.Plan, *stats.Snapshot, loadgen.Result]
	contestTask = task[experiment.Settings, *experiment.State, *experiment.State]
)

// contested is a comparison with the arms it began with.
type contested struct {
	*contestTask
	arms []experiment.Arm
}

// supervisor owns every run of the screen: the live one and comparisons, of which
// one at a time is under load. All methods return at once except wait,
// finishSaving and save.
type supervisor struct {
	o      Options
	now    func() time.Time
	ctx    context.Context // of every load; ends with stop or the caller's context
	cancel context.CancelFunc
	saving chan struct{}  // capacity 1: held while results are written
	tstp   chan os.Signal // capacity 1: somebody sent SIGTSTP

	mu       sync.Mutex
	live     *liveTask         // nil before there was one
	where    experiment.Place  // of the live run
	contest  *contestTask      // nil while no comparison is on
	contests []contested       // all of them, oldest first
	joins    []<-chan struct{} // closed as each task returns
	owed     *loadgen.Plan     // for the live run, once the comparison or proof before it has ended
	trial    *trial            // nil while there is no proof, or none that was not told of
	crash    *PanicError
	stopped  time.Time // when stop was first called
}

func newSupervisor(ctx context.Context, o Options) *supervisor {
	ctx, cancel := context.WithCancel(ctx)
	return &supervisor{
		o: o, now: o.Now, ctx: ctx, cancel: cancel, where: o.Comparison.Place,
		saving: make(chan struct{}, 1), tstp: make(chan os.Signal, 1),
	}
}

// start begins the live run with p; later calls do nothing.
func (s *supervisor) start(p loadgen.Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live == nil && s.ctx.Err() == nil {
		s.begin(p, func() Engine { return s.o.Start(p) })
	}
}

// begin starts a live run. The caller holds mu.
func (s *supervisor) begin(p loadgen.Plan, build func() Engine) {
	s.live = newTask[loadgen.Plan, *stats.Snapshot, loadgen.Result](s, p)
	s.joins = append(s.joins, s.live.done)
	go s.live.run(s.now, func() machine[loadgen.Plan, *stats.Snapshot, loadgen.Result] { return build() })
}

// apply queues p for the live run.
func (s *supervisor) apply(p loadgen.Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owed != nil {
		s.owed = &p
		if s.trial != nil {
			s.trial.cancel() // it was about another plan
		}
		return
	}
	s.live.apply(p)
}

// compare begins a comparison of arms, the live run holding still under the plan
// rest meanwhile. Load begins once that rests and an earlier comparison has ended.
func (s *supervisor) compare(arms []experiment.Arm, rest loadgen.Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil || s.contest != nil {
		return
	}
	live, before := s.live, s.lastContest()
	rest.Paused, s.owed = true, nil
	proof := s.trial
	if proof != nil {
		proof.cancel()
	}
	live.apply(rest)
	s.contest = newTask[experiment.Settings, *experiment.State, *experiment.State](s, settingsOf(arms))
	s.contests = append(s.contests, contested{s.contest, arms})
	s.joins = append(s.joins, s.contest.done)
	ctx, c, cases := s.contest.ctx, s.o.Comparison, s.o.Comparison.cases(arms)
	go s.contest.run(s.now, func() machine[experiment.Settings, *experiment.State, *experiment.State] {
		joined(ctx, before)
		proof.joined(ctx)
		atRest(ctx, live)
		return c.Start(arms, cases, c.Rules)
	})
}

// settingsOf are those a comparison of arms begins with.
func settingsOf(arms []experiment.Arm) experiment.Settings {
	var set experiment.Settings
	for _, a := range arms {
		set.Plans = append(set.Plans, a.Plan)
	}
	return set
}

// lastContest is the newest comparison, nil before the first. The caller holds mu.
func (s *supervisor) lastContest() *contestTask {
	if len(s.contests) == 0 {
		return nil
	}
	return s.contests[len(s.contests)-1].contestTask
}

// joined waits until a task has returned.
func joined[P, S, R any](ctx context.Context, t *task[P, S, R]) {
	if t == nil {
		return
	}
	select {
	case <-t.done:
	case <-ctx.Done():
	}
}

// restTime is how long a live run may take to hold still: a batch. A stuck one is
// not waited for, and sends nothing either.
const restTime = 2 * time.Second

// atRest waits until the live run sends nothing.
func atRest(ctx context.Context, live *liveTask) {
	ticker := time.NewTicker(settleStep)
	defer ticker.Stop()
	for range int(restTime / settleStep) {
		s := live.snapshot()
		if _, over := live.ended(); over || s == nil || s.State == stats.Paused || s.State == stats.Done {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// back ends the comparison, and once it has ended the live run goes on under the
// plan of an arm and on its server, or begins there anew.
func (s *supervisor) back(arm experiment.Arm) (anew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, live := s.contest, s.live
	if old == nil {
		return false
	}
	s.contest = nil
	old.cancel()
	if live != nil && samePlace(s.where, arm.Place) {
		s.owed = &arm.Plan
		go s.resume(old)
		return false
	}
	if live != nil {
		live.cancel()
	}
	s.where = arm.Place
	ctx := s.ctx
	s.begin(arm.Plan, func() Engine {
		joined(ctx, old)
		joined(ctx, live)
		return s.o.engine(arm)
	})
	return true
}

// place is the server of the live run.
func (s *supervisor) place() experiment.Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.where
}

// engine makes the engine for an arm's plan on its server.
func (o Options) engine(a experiment.Arm) Engine {
	if o.Comparison.Live == nil {
		return o.Start(a.Plan)
	}
	return o.Comparison.Live(a)
}

func samePlace(a, b experiment.Place) bool { return a.Target == b.Target }

// resume hands the live run what it is owed once the comparison before it has ended,
// unless the next one has begun. It ends with that comparison or all load.
func (s *supervisor) resume(old *contestTask) {
	defer func() {
		if v := recover(); v != nil {
			_ = s.crashed(v)
		}
	}()
	joined(s.ctx, old)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.contest == nil && s.lastContest() == old && s.owed != nil && s.trial.ended() {
		s.live.apply(*s.owed)
		s.owed = nil
	}
}

// run and duel are the present tasks; nil while there is none, which is as good as
// one that says nothing.
func (s *supervisor) run() *liveTask {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live
}

func (s *supervisor) duel() *contestTask {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.contest
}

// What the live screen asks; see task.
func (s *supervisor) snapshot() *stats.Snapshot         { return s.run().snapshot() }
func (s *supervisor) startedAt() time.Time              { return s.run().startedAt() }
func (s *supervisor) refusals() ([]error, loadgen.Plan) { return s.run().refusals() }
func (s *supervisor) ended() (error, bool)              { return s.run().ended() }

// What the screen of a comparison asks.
func (s *supervisor) adjust(set experiment.Settings) { s.duel().apply(set) }
func (s *supervisor) state() *experiment.State       { return s.duel().snapshot() }
func (s *supervisor) beganAt() time.Time             { return s.duel().startedAt() }

// keeping is o with functions that write results one at a time, and are awaited by
// finishSaving: they run in commands, and Bubble Tea abandons commands in flight when
// it quits.
func (s *supervisor) keeping(o Options) Options {
	if save := o.Save; save != nil {
		o.Save = func(snap *stats.Snapshot, p loadgen.Plan) (string, error) {
			return s.save(func() (string, error) { return save(snap, p) })
		}
	}
	if save := o.Comparison.SaveOn; save != nil {
		o.Comparison.SaveOn = func(at experiment.Place, snap *stats.Snapshot, p loadgen.Plan) (string, error) {
			return s.save(func() (string, error) { return save(at, snap, p) })
		}
	}
	if save := o.Comparison.Save; save != nil {
		o.Comparison.Save = func(state *experiment.State) (string, error) {
			return s.save(func() (string, error) { return save(state) })
		}
	}
	return o
}

func (s *supervisor) save(write func() (string, error)) (string, error) {
	select {
	case s.saving <- struct{}{}:
		defer func() { <-s.saving }()
		return write()
	case <-s.ctx.Done():
		return "", s.ctx.Err()
	}
}

// finishSaving waits for results being written, at most for d.
func (s *supervisor) finishSaving(d time.Duration) {
	select {
	case s.saving <- struct{}{}: // and never given back: no save begins any more
	case <-time.After(d):
	}
}

// suspendAsked reports, once, that a SIGTSTP came.
func (s *supervisor) suspendAsked() bool {
	select {
	case <-s.tstp:
		return true
	default:
		return false
	}
}

// crashed keeps the first panic with its stack, to be printed once the screen is
// left. It must be called from the deferred function that recovered v.
func (s *supervisor) crashed(v any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &PanicError{Value: v, Stack: debug.Stack()}
	if s.crash == nil {
		s.crash = e
	}
	return e
}

// panicked is the first panic met; nil when there was none.
func (s *supervisor) panicked() *PanicError {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.crash
}

// stop ends all load; the runs are then about to return.
func (s *supervisor) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped.IsZero() {
		s.stopped = time.Now() // monotonic: the time allowed runs from here
	}
	s.cancel()
}

// stopTime is how long a stopped load may take to return. A server that is
// frozen may not hold up the way out (C45: gone within 1 s).
const stopTime = 700 * time.Millisecond

// wait stops all load and waits for the results, at most until stopTime after the
// first stop, or until hurry. Where a run does not come back, the last it published
// stands in for its result and the error is ErrStuck.
func (s *supervisor) wait(hurry <-chan struct{}) (Outcome, error) {
	s.stop()
	s.mu.Lock()
	joins, left := s.joins, stopTime-time.Since(s.stopped)
	s.mu.Unlock()
	if len(joins) == 0 {
		return Outcome{}, ErrNotStarted
	}
	timer := time.NewTimer(max(left, time.Millisecond))
	defer timer.Stop()
	for i := 0; i < len(joins); i++ {
		select {
		case <-joins[i]:
			continue
		case <-timer.C:
		case <-hurry:
		}
		break
	}
	return s.outcome()
}
