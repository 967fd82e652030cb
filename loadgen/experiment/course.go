package experiment

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// Paces and bounds of a comparison under way.
const (
	pollEvery    = 4 * time.Millisecond  // of the active arm's snapshot
	publishEvery = 50 * time.Millisecond // of the state
	// lull is how long settings must rest before pairs begin anew: presses of a key in
	// a row are one change (M17).
	lull = 300 * time.Millisecond
	// patience is how much longer than planned a round may take before it is given up,
	// and how long a pause may take before nobody waits for it.
	patience = 5 * time.Second
	// mutePairs is how many pairs in a row may pass without any reply before a
	// comparison with an end of its own gives up: a server that restarts is back by then.
	mutePairs = 4
	// shakedown is the length of the rounds that are thrown away at the start of a case.
	shakedown = leastRound
)

// course is a comparison under way. Only the goroutine of Run touches it.
type course struct {
	*Comparison
	ctx    context.Context // of the runs
	cancel context.CancelFunc
	begun  time.Time
	broken chan error // runs that ended before they were told to
	random *rand.Rand

	set      Settings       // in force
	under    []loadgen.Plan // by arm: those that the pairs are measured under
	fresh    int            // Settings.Fresh of the pairs
	stale    bool           // the pairs have to begin anew
	accepted int            // how often settings came
	sides    []*side        // one for each arm, and the twin last
	twinOf   int            // the arm that the twin doubles
	threads  int            // of the process before anybody changed them
	using    int            // of the process now
	prefixes []string       // of keys, by arm
	watches  map[target.Target]*watch
	host     *insight.Host // nil: nobody looks
	ways     map[target.Target]loadgen.Way

	phase     Phase
	active    *side // under load; nil = none or all
	caseAt    int   // the case under way; len(results) when there is none left
	attempt   int   // number of the pair under way in this case, those given up included
	opened    bool  // the case has its data, and its first rounds are thrown away
	sums      []stats.Sum
	results   []Outcome // by case
	earlier   []Series
	notes     []stats.Note
	reason    string
	partial   bool
	published time.Time
	mute      int // rounds in a row without a reply, whosever they were
}

// errSilent tells that a comparison nobody watches meets no server any more.
var errSilent = errors.New("no replies from any arm")

// errAnew tells that the pairs have to begin anew.
var errAnew = errors.New("another load was asked for")

func newCourse(c *Comparison) *course {
	e := &course{
		Comparison: c, begun: time.Now(), set: c.settings(), phase: Preparing,
		random: rand.New(rand.NewPCG(c.rules.Seed, 0)), watches: map[target.Target]*watch{}, ways: map[target.Target]loadgen.Way{},
		threads: runtime.GOMAXPROCS(0), using: runtime.GOMAXPROCS(0),
	}
	if c.system != nil {
		e.host = insight.NewHost(c.system)
	}
	return e
}

// run measures until there is nothing more to do, or ctx ends.
func (e *course) run(ctx context.Context) error {
	e.ctx, e.cancel = context.WithCancel(ctx)
	defer e.close()
	e.twinOf = e.set.Reference
	e.clear()
	if err := e.open(); err != nil {
		return err
	}
	for {
		err := e.step()
		if e.stale && (err == nil || errors.Is(err, errAnew)) {
			err = e.anew()
		}
		if err != nil || e.phase == Decided && e.Once {
			return err
		}
	}
}

// step does what is to be done next, up to a whole pair.
func (e *course) step() error {
	switch {
	case e.set.Paused:
		return e.hold(Paused, func() bool { return !e.set.Paused })
	case e.set.Competing:
		return e.compete()
	case e.caseAt == len(e.results) && e.Once:
		e.enter(Decided, nil)
		return nil
	case e.caseAt == len(e.results):
		return e.hold(Decided, e.interrupted)
	case !e.opened:
		return e.openCase()
	}
	return e.pair()
}

// interrupted reports whether the pairs are to rest, or to begin anew.
func (e *course) interrupted() bool { return e.stale || e.set.Paused || e.set.Competing }

// hold waits under a phase until a setting ends it.
func (e *course) hold(p Phase, over func() bool) error {
	e.enter(p, nil)
	_, err := e.await(0, func() bool { return e.stale || over() })
	return err
}

// open makes the runs one after the other, until all are connected, have their data
// and pause. What is written before any load is written once for each place.
func (e *course) open() error {
	if err := e.within(e.set); err != nil {
		return err
	}
	e.broken = make(chan error, len(e.arms)+1)
	type shelf struct {
		target target.Target
		prefix string
	}
	filled := map[shelf]bool{}
	for i := range len(e.arms) + 1 {
		s := e.side(i)
		p := e.planOf(s)
		if p.Prefill = e.under[s.arm].Prefill; p.Prefill != (loadgen.Prefill{}) {
			key := shelf{s.place.Target, e.prefixes[s.arm]}
			if filled[key] {
				p.Prefill = loadgen.Prefill{}
			}
			filled[key] = true
		}
		e.useThreads(s.threads) // a run provides for the threads there are when it is made
		s.launch(e.ctx, e.start, p, e.broken)
		e.sides = append(e.sides, s)
		if _, err := e.await(0, func() bool { return s.in(stats.Paused, 0) }); err != nil {
			return err
		}
	}
	return nil
}

// side is the arm's i-th side; that after the arms is the twin's.
func (e *course) side(i int) *side {
	s := &side{arm: i}
	if i == len(e.arms) {
		s.arm, s.twin = e.twinOf, true
	}
	a := e.arms[s.arm]
	s.name, s.place, s.threads = armName(a.Label, s.arm), a.Place, a.Threads
	return s
}

// planOf is the plan of a side in the present case, paused.
func (e *course) planOf(s *side) loadgen.Plan {
	p := inCase(e.under[s.arm], e.cases[min(e.caseAt, len(e.cases)-1)])
	p.Workload.Keys.Prefix = e.prefixes[s.arm]
	p.Requests, p.Duration, p.Prefill = 0, 0, loadgen.Prefill{}
	p.Warmup, p.Paused = loadgen.Warmup{Time: e.rules.Settle}, true
	return p
}

// anew puts changed plans into force: what was measured becomes history, and the
// pairs begin from the first case.
func (e *course) anew() error {
	e.enter(Preparing, nil)
	for seen := -1; seen != e.accepted; {
		seen = e.accepted
		if _, err := e.await(lull, func() bool { return e.accepted != seen }); err != nil {
			return err
		}
	}
	if !e.stale { // turned back meanwhile
		return nil
	}
	e.remember()
	e.clear()
	return nil
}

// clear begins the pairs under the plans that are set.
func (e *course) clear() {
	e.under, e.fresh, e.stale = slices.Clone(e.set.Plans), e.set.Fresh, false
	arms := slices.Clone(e.arms)
	for i := range arms {
		arms[i].Plan = e.under[i]
	}
	e.prefixes = prefixes(arms)
	e.caseAt, e.attempt, e.opened = 0, 0, false
	e.results = make([]Outcome, len(e.cases))
	for k, c := range e.cases {
		e.results[k] = e.blank(c)
	}
	e.judge()
	e.publish()
}

// useThreads has the process use n threads, 0 being as many as at the start.
func (e *course) useThreads(n int) {
	if n == 0 {
		n = e.threads
	}
	if n != e.using && e.SetThreads != nil {
		e.SetThreads(n)
		e.using = n
	}
}

// close ends all runs and joins them.
func (e *course) close() {
	e.cancel()
	for _, s := range e.sides {
		<-s.ended
	}
	for _, w := range e.watches {
		w.close()
	}
	e.useThreads(0)
}
