package session

import (
	"context"
	"fmt"
	"time"

	"fullbore/loadgen/target"
)

// How a server that reads its data is waited for.
const (
	loadingEvery    = 250 * time.Millisecond // between two looks
	loadingPatience = 5 * time.Second        // by default
)

// outwait waits for a server that is still loading its data, for as long as it comes
// further: what a large one takes nobody knows beforehand. told and no are those of the
// look that found it.
func (o Options) outwait(ctx context.Context, t target.Target, told target.Info, no error) (target.Info, error) {
	patience := o.Patience
	if patience == 0 {
		patience = loadingPatience
	}
	moved, furthest := time.Now(), told.Loaded
	for first := true; target.ErrorCode(no) == "LOADING"; first = false {
		if told.Loading {
			o.tellLoading(t, told, first)
		}
		if told.Loaded > furthest {
			moved, furthest = time.Now(), told.Loaded
		}
		if time.Since(moved) > patience {
			return told, fmt.Errorf("%w; it came no further for %v, --timeout waits longer", no, patience)
		}
		select {
		case <-ctx.Done():
			return told, no
		case <-time.After(loadingEvery):
		}
		told, no = target.Preflight(ctx, t)
	}
	if o.Side != nil && o.Live {
		fmt.Fprint(o.Side, clearLine)
	}
	return told, no
}

// tellLoading says how far the server is: once, or on a line that changes.
func (o Options) tellLoading(t target.Target, i target.Info, first bool) {
	switch {
	case o.Side == nil, !o.Live && !first:
	case o.Live:
		fmt.Fprintf(o.Side, "%s%s is loading its data: %.0f %%", clearLine, t, i.Loaded*100)
	default:
		fmt.Fprintf(o.Side, "fullbore: %s is loading its data, which is waited for: %.0f %% so far\n", t, i.Loaded*100)
	}
}
