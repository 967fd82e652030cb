package experiment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// Bounds of Rules (M19, M20).
const (
	LeastPairs = 8 // before the first look, and pairs of a reference with its twin (M23)
	MostPairs  = 30
	LeastArms  = 2
	MostArms   = 6
	leastRound = 300 * time.Millisecond
)

// Comparison is several arms that are measured in turn until the rounds say
// whether they differ. It has the verbs of a loadgen.Runner: Run, Apply, Snapshot.
// The fields are for its maker, before Run.
type Comparison struct {
	// Once has Run return when every case is decided. Otherwise Run goes on until
	// its context ends, so that settings still work.
	Once bool
	// SetThreads changes how many threads the load generator uses, for arms that ask
	// for a number; only the owner of the process may. Nil: none of them is heard.
	SetThreads func(n int)

	arms   []Arm
	cases  []Case
	rules  Rules
	state  atomic.Pointer[State]
	start  starter
	limits func() loadgen.Limits // of before the first run
	ask    func(context.Context, target.Target) (asker, error)
	system fs.FS // this machine's files; nil: nobody looks

	mu      sync.Mutex
	have    Settings      // the latest accepted
	applied chan struct{} // signals that have is new
}

// Compare returns a comparison of arms in each of the cases; it allocates and does
// nothing else. No case at all stands for one in which each arm sends what its plan
// says.
//
// Every arm, and one more just like the reference, keeps connections of its own, all
// of them open throughout. Arms on one server share their keys where their plans ask
// for the same data; an arm with other data has a prefix of its own below that of its
// plan, "fullbore:2:" for the second arm. What a Prefill asks for is written once for
// each server and prefix.
func Compare(arms []Arm, cases []Case, r Rules) *Comparison {
	if len(cases) == 0 {
		cases = []Case{{}}
	}
	c := &Comparison{
		arms: slices.Clone(arms), cases: slices.Clone(cases), rules: r.filled(),
		start: startRunner, ask: askServer, applied: make(chan struct{}, 1),
		limits: sync.OnceValue(loadgen.Probe), system: os.DirFS("/"),
	}
	s := &State{Phase: Preparing, Rules: c.rules, Active: -1}
	for _, a := range arms {
		c.have.Plans = append(c.have.Plans, a.Plan)
		s.Arms = append(s.Arms, Side{Arm: a, Live: &stats.Snapshot{State: stats.Preparing, Clients: a.Plan.Clients}})
	}
	c.state.Store(s)
	if c.check() == nil {
		newCourse(c).clear() // what is to come is known: cases, and rounds at most
	}
	return c
}

// filled is r with its defaults, inside its bounds.
func (r Rules) filled() Rules {
	if r.Round == 0 {
		r.Round = time.Second
	}
	if r.Settle == 0 {
		r.Settle = 250 * time.Millisecond
	}
	if r.Pairs == 0 {
		r.Pairs = MostPairs
	}
	if r.Practical == 0 {
		r.Practical = 0.03
	}
	r.Round = max(r.Round, leastRound)
	r.Pairs = min(max(r.Pairs, LeastPairs), MostPairs)
	return r
}

// Run measures until ctx ends or, with Once, every case is decided, and returns
// the last state. It joins every goroutine before it returns. The error is non-nil
// only when an arm could not run at all or the program itself failed; the state
// then has what was measured until then, marked as partial.
func (c *Comparison) Run(ctx context.Context) (*State, error) {
	if err := c.check(); err != nil {
		return c.Snapshot(), err
	}
	e := newCourse(c)
	err := e.run(ctx)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		e.conclude("stopped")
		return c.Snapshot(), nil
	}
	if errors.Is(err, errSilent) {
		e.conclude(errSilent.Error())
		return c.Snapshot(), nil
	}
	if err != nil {
		e.conclude(firstLine(err))
		return c.Snapshot(), err
	}
	e.conclude("")
	return c.Snapshot(), nil
}

// check says why the arms cannot be compared.
func (c *Comparison) check() error {
	if n := len(c.arms); n < LeastArms || n > MostArms {
		return fmt.Errorf("%d arms: a comparison takes %d to %d, such as P=1 P=16", n, LeastArms, MostArms)
	}
	return c.valid(c.settings())
}

// Apply makes s what is wanted. It returns at once, with an error only when s is
// not valid or beyond what this side can carry; then nothing is changed. A plan that
// asks for another load begins the pairs anew, everything else leaves what was
// measured as it is.
func (c *Comparison) Apply(s Settings) error {
	if err := c.valid(s); err != nil {
		return err
	}
	if err := c.within(s); err != nil {
		return err
	}
	s.Plans = slices.Clone(s.Plans)
	c.mu.Lock()
	c.have = s
	c.mu.Unlock()
	select {
	case c.applied <- struct{}{}:
	default: // already signalled
	}
	return nil
}

func (c *Comparison) valid(s Settings) error {
	if len(s.Plans) != len(c.arms) {
		return fmt.Errorf("%d plans for %d arms", len(s.Plans), len(c.arms))
	}
	if s.Reference < 0 || s.Reference >= len(c.arms) {
		return fmt.Errorf("reference %d of %d arms", s.Reference, len(c.arms))
	}
	for i, p := range s.Plans {
		for _, k := range c.cases {
			if err := inCase(p, k).Validate(); err != nil {
				return fmt.Errorf("%s: %w", armName(c.arms[i].Label, i), err)
			}
		}
	}
	return nil
}

func (c *Comparison) settings() Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.have
}

// Snapshot is the latest published state; never nil, and free to call.
func (c *Comparison) Snapshot() *State { return c.state.Load() }

// inCase is p as case k has it sent.
func inCase(p loadgen.Plan, k Case) loadgen.Plan {
	if k.Mix != nil {
		p.Workload.Mix = k.Mix
	}
	return p
}

// armName is what notes and errors call an arm: by its label, or by its place where
// it has none.
func armName(label string, i int) string {
	if label == "" {
		return fmt.Sprintf("arm %d", i+1)
	}
	return "arm " + label
}
