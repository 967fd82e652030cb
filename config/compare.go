package config

import (
	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/target"
)

// Comparison is what `fullbore compare` asks for: arms, the cases each of them is
// measured in, and how.
type Comparison struct {
	Arms  []Arm
	Cases []experiment.Case
	Rules experiment.Rules
}

// Arm is one side of a comparison: the base of the command line and what differs.
type Arm struct {
	Label   string // as the user wrote it
	Plan    loadgen.Plan
	Threads int
	// Own says that the arm names a server of its own, by Target or Server; otherwise
	// it shares that of the command line.
	Own      bool
	Target   *target.Target
	Server   string
	Auth     target.Secret
	Replicas int  // started beside a Server
	Chained  bool // each replica follows the one before it, not the primary
}
