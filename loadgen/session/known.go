package session

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/target"
)

// ErrForbidden says that the server does not let keys be found or removed: it does not
// know the commands for that, or the user may not run them. What the user allowed was
// done, so that this is no failure of a run.
var ErrForbidden = errors.New("the server refuses")

// atOnce is how many keys one command removes by their names.
const atOnce = 500

// remember is steps, whose keys can be named afterwards.
func (s *Session) remember(steps iter.Seq[experiment.Step]) iter.Seq[experiment.Step] {
	return func(yield func(experiment.Step) bool) {
		for step := range steps {
			s.known.add(s.prefix, step.Plan)
			if !yield(step) {
				return
			}
		}
	}
}

// Run is a run of the session, whose keys can be named afterwards.
type Run struct {
	*loadgen.Runner
	session *Session
}

// Run is loadgen.New on the session's server.
func (s *Session) Run(p loadgen.Plan) Run {
	s.known.add(s.prefix, p)
	return Run{loadgen.New(s.Server.Target, p), s}
}

// Apply is that of the runner.
func (r Run) Apply(p loadgen.Plan) error {
	r.session.known.add(r.session.prefix, p)
	return r.Runner.Apply(p)
}

// ground is keys that plans may have written: n numbered ones, or a single one where
// the family does not end in a colon.
type ground struct {
	family string
	n      int64
}

// known are all keys of the session that have names known beforehand, each family
// once. Several goroutines may add to it.
type known struct {
	mu  sync.Mutex
	all []ground
}

// add takes up what p may write under prefix.
func (k *known) add(prefix string, p loadgen.Plan) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, family := range p.Workload.Families() {
		if strings.HasPrefix(family, prefix) {
			k.raise(ground{family, max(1, p.Workload.Keys.Size)})
		}
	}
	if p.Prefill.Keys > 0 {
		k.raise(ground{prefix + "key:", p.Prefill.Keys})
	}
}

func (k *known) raise(g ground) {
	if !strings.HasSuffix(g.family, ":") {
		g.n = 1
	}
	for i, have := range k.all {
		if have.family == g.family {
			k.all[i].n = max(have.n, g.n)
			return
		}
	}
	k.all = append(k.all, g)
}

// grounds is a copy of what is known, and how many keys that are.
func (k *known) grounds() (all []ground, total int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, g := range k.all {
		total += g.n
	}
	return slices.Clone(k.all), total
}

// byName removes the session's keys where they cannot be looked for: all those that its
// plans may have written. no is the refusal to look.
func (s *Session) byName(ctx context.Context, no error, progress func(removed, looked int64)) (removed int64, err error) {
	all, total := s.known.grounds()
	c, err := s.Server.Target.Control(ctx)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, c.Close)()
	remove, looked := "UNLINK", int64(0)
	for _, g := range all {
		for from := int64(0); from < g.n; from += atOnce {
			if ctx.Err() != nil {
				return removed, ctx.Err()
			}
			n, err := unlink(c, &remove, g.names(from))
			var refused target.ReplyError
			switch {
			case errors.As(err, &refused) && forbidden(refused):
				return removed, fmt.Errorf("%w to remove %s, or to look for them: %w", ErrForbidden, keys(total-removed), no)
			case err != nil:
				return removed, err
			}
			removed, looked = removed+n, looked+atOnce
			progress(removed, looked)
		}
	}
	if total == 0 {
		return 0, fmt.Errorf("%w to look for keys: %w", ErrForbidden, no)
	}
	return removed, nil
}

// names are up to atOnce names, beginning with number from.
func (g ground) names(from int64) []string {
	if !strings.HasSuffix(g.family, ":") {
		return []string{g.family}
	}
	var names []string
	for i := from; i < min(g.n, from+atOnce); i++ {
		names = append(names, fmt.Sprintf("%s%012d", g.family, i))
	}
	return names
}

// forbidden tells the refusal of a command, whoever asks, from one for the time being.
func forbidden(no target.ReplyError) bool {
	return target.Code(string(no)) == "NOPERM" || strings.HasPrefix(string(no), "ERR unknown command")
}
