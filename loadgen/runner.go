package loadgen

import (
	"context"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// Runner is one run against one target.
type Runner struct{}

// New returns a Runner that has not started; it allocates and does nothing else.
// p must have passed Validate.
func New(t target.Target, p Plan) *Runner { return nil }

// Run applies load until ctx ends, or the plan's Requests or Duration are
// reached, and returns what was measured. It joins every goroutine before it
// returns. The error is non-nil only when no load could be applied at all or the
// program itself failed; trouble met during the run is data in the Result.
func (r *Runner) Run(ctx context.Context) (Result, error) { return Result{}, nil }

// Apply makes p the plan in force: data is prepared, connections are adjusted,
// then a new epoch is published, all while load goes on. It returns at once, with
// an error only when p is not valid. A plan equal to the present one starts a
// fresh segment. Plan fields that end a run (Requests, Duration) are those of New.
func (r *Runner) Apply(p Plan) error { return nil }

// Snapshot is the latest published state; never nil, and free to call.
func (r *Runner) Snapshot() *stats.Snapshot { return nil }
