package experiment

import (
	"context"
	"errors"
	"io/fs"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/target"
)

// Load and Starter let tests put simulated runs in the place of real ones.
type (
	Load    = load
	Asker   = asker
	Starter = starter
)

// Simulate has c start its runs by s, and ask no server about itself.
func Simulate(c *Comparison, s func(target.Target, loadgen.Plan) (Load, func(context.Context) error)) {
	c.start, c.system = s, nil
	Consult(c, func(target.Target) (Asker, error) { return nil, errors.New("a simulated server tells nothing") })
}

// Consult has c ask about servers by f.
func Consult(c *Comparison, f func(target.Target) (Asker, error)) {
	c.ask = func(_ context.Context, t target.Target) (asker, error) { return f(t) }
}

// Hasten gives c the rules r without their bounds.
func Hasten(c *Comparison, r Rules) { c.rules = r }

// Prefixes are those under which arms keep their keys.
func Prefixes(arms []Arm) []string { return prefixes(arms) }

// On has c look at the machine whose files are in system; nil: nobody looks.
func On(c *Comparison, system fs.FS) { c.system = system }

// ProofOf is the comparison behind Prove, and Proven its verdict.
func ProofOf(a Arm, n int) *Comparison                           { return proofOf(a, n) }
func Proven(f paired.Finding, n int) (client bool, words string) { return proven(f, n) }
