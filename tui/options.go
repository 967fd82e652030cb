package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/session"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
	"fullbore/views"
)

// Engine is a run as the screen knows it: stop it for a result, apply a plan,
// load a snapshot. *loadgen.Runner is one.
type Engine interface {
	// Run applies load until ctx ends or the plan is fulfilled.
	Run(ctx context.Context) (loadgen.Result, error)
	// Apply makes p the plan in force. The screen never waits for it.
	Apply(p loadgen.Plan) error
	// Snapshot is the latest state, by an atomic load: it is called from the
	// event loop and must not block.
	Snapshot() *stats.Snapshot
}

// Contest is a comparison as the screen knows it, by the same three verbs.
type Contest interface {
	// Run measures until ctx ends. Its state is the last there is, also with an error.
	Run(ctx context.Context) (*experiment.State, error)
	// Apply makes set the settings in force. The screen never waits for it.
	Apply(set experiment.Settings) error
	// Snapshot is the latest state, by an atomic load.
	Snapshot() *experiment.State
}

// Comparison is what the screen needs to compare settings.
type Comparison struct {
	// Start makes a comparison; called outside the event loop, once for each. Nil
	// leaves comparisons out.
	Start func([]experiment.Arm, []experiment.Case, experiment.Rules) Contest

	// Arms open the screen with their comparison. With none the live screen opens, and
	// the arms are made there, of its setting.
	Arms  []experiment.Arm
	Cases []experiment.Case // none = one in which every arm does what its plan says
	Rules experiment.Rules

	Place experiment.Place // the server of Options.Start

	// Live makes the engine for an arm's plan on its server, when a comparison that
	// opened the screen, or another server, is left for the live screen. Nil =
	// Options.Start with the arm's plan.
	Live func(experiment.Arm) Engine

	// SaveOn is Options.Save for a live run on another server than that of Place. Nil
	// leaves the key out there.
	SaveOn func(experiment.Place, *stats.Snapshot, loadgen.Plan) (path string, err error)

	// Save writes a comparison as it is and returns the path it wrote to; it may take
	// its time. Nil leaves the key out.
	Save func(*experiment.State) (path string, err error)
}

// Options are what Run needs to know.
type Options struct {
	Plan  loadgen.Plan              // the first plan; must have passed Validate
	Start func(loadgen.Plan) Engine // makes the engine; called once, outside the event loop

	// Save writes what was measured so far and returns the path it wrote to; it
	// may take its time. Nil leaves the key out.
	Save func(*stats.Snapshot, loadgen.Plan) (path string, err error)

	// Intrudes tells what a mix would change of others' data, in a line each; the
	// picker then asks before it sends it. Called from the event loop: no I/O. Nil
	// means that there is nothing to ask about.
	Intrudes func(workload.Mix) []string

	// Prove answers whether the load generator is the limit: it runs
	// the load of an arm on its server with the present number of client threads and
	// with twice as many, for some rounds in turn, and puts the answer into a sentence.
	// It ends with ctx. The live run holds still meanwhile. Nil leaves the key out.
	Prove func(context.Context, experiment.Arm) (verdict string, err error)

	Comparison Comparison

	Facts        Facts
	Card         views.Card // the preflight card; its Keys are filled in here
	NeedsConsent bool       // show Card first and start the load only after enter or g

	Theme views.Theme
	Hertz int // data rate of the screen: 1, 2, 4 or 10 per second; 0 = 4

	In, Out *os.File         // the terminal; nil = os.Stdin and os.Stdout
	Now     func() time.Time // labels notes with the time of day; nil = time.Now
}

// cases are those of a comparison of arms: what was asked for belongs to the arms
// given, and those that are made on the screen do what their plans say.
func (c Comparison) cases(arms []experiment.Arm) []experiment.Case {
	if len(c.Cases) > 0 && len(c.Arms) > 0 && &arms[0] == &c.Arms[0] {
		return c.Cases
	}
	return []experiment.Case{{}}
}

// saveOn is the function that saves a live run on a server; nil for none.
func (o Options) saveOn(at experiment.Place) saveFunc {
	switch save := o.Comparison.SaveOn; {
	case samePlace(at, o.Comparison.Place):
		return o.Save
	case save == nil:
		return nil
	default:
		return func(snap *stats.Snapshot, p loadgen.Plan) (string, error) { return save(at, snap, p) }
	}
}

type saveFunc = func(*stats.Snapshot, loadgen.Plan) (string, error)

// Facts are what the header says about the server.
type Facts struct {
	Target string        // "127.0.0.1:6379"
	Server string        // "redis 7.0.15 standalone"
	Origin string        // "", "private redis-server", "built-in demo server"
	Banner string        // a line under the header; empty = none
	Doubt  string        // about the server itself, said in the same line; empty = none
	Hidden string        // why it told some things not, said in the notes; empty = it told all
	RTT    time.Duration // zero = unknown
}

// Ways in which Run ends that a caller may want to tell apart.
var (
	// ErrNotStarted: the user left the card without starting a load.
	ErrNotStarted = errors.New("quit before any load was started")
	// ErrInterrupted: ctrl+c ended the run.
	ErrInterrupted = session.ErrInterrupted
	// ErrStuck: the load did not stop in time and was left behind; the result is
	// what the last snapshot knew.
	ErrStuck = errors.New("the load did not stop in time")
)

// PanicError is a panic of the load or of the screen, caught so that the
// terminal could be restored first; printing it shows where it happened.
type PanicError struct {
	Value any
	Stack []byte
}

// Error is the panic's value and stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n\n%s", e.Value, e.Stack) }

// Unwrap gives the panic's value when that was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// withDefaults fills in what a caller may leave out.
func (o Options) withDefaults() Options {
	if o.In == nil {
		o.In = os.Stdin
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Hertz == 0 {
		o.Hertz = 4
	}
	return o
}
