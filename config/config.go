package config

import (
	"io"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// Env is what Parse may know of the process around it. Nil fields are empty: no
// variable is set, and what would be printed is dropped.
type Env struct {
	Getenv   func(string) string
	ReadFile func(path string) ([]byte, error) // reads a profile
	In       io.Reader                         // what -x reads
	Out, Err io.Writer                         // Out takes --help and --version, Err remarks
	// Whether these streams are terminals decides between the screen and a
	// report, and whether progress may be drawn.
	InIsTerminal, OutIsTerminal, ErrIsTerminal bool
	// ReadSecret reads a line from the terminal that In is, without showing it.
	ReadSecret func() (string, error)
}

func (e Env) get(name string) string {
	if e.Getenv == nil {
		return ""
	}
	return e.Getenv(name)
}

// Config is everything the command line decides.
type Config struct {
	// Target is nil when no flag named a server: one is looked for or started.
	Target *target.Target
	Server string // --server: "" for none, "builtin", or a command line to start
	// Auth is REDISCLI_AUTH when neither Target nor Server is set: the password for
	// a server that is found, should it ask for one. A Target carries its own.
	Auth target.Secret

	Clean bool // of `fullbore clean`: no load, only the keys under the plan's prefix go

	// Plan is the base of every run. Its mix is set on the screen and with --mix;
	// otherwise Runs gives it each of Tests in turn.
	Plan  loadgen.Plan
	Tests []workload.Test
	Mixed bool // one run of the plan's mix, not one run for each of Tests

	Compare *Comparison // of `fullbore compare`; nil for everything else

	Rounds int  // how often Runs are run, one after another; 0 = until interrupted
	Idle   bool // only hold the plan's connections, until interrupted or for its Duration

	Interactive bool   // the screen, not a report
	MayAsk      bool   // somebody sits there who can answer a question on Err
	Shown       bool   // the report goes to a terminal
	Progress    bool   // a progress line may be drawn on Err (M28)
	Format      string // of the report, one of report.Formats()
	Output      string // the report's file; "" = standard output
	// Remarks say what was accepted and has no effect; Parse has printed them.
	Remarks []string
	// Threads of the load generator, 1 to 500: what GOMAXPROCS is to be set to.
	// Only main may change that, as it concerns the whole process.
	Threads  int
	KeepKeys bool   // leave the keys on the server
	Theme    string // default, mono or high-contrast
	Glyphs   string // ascii, block or braille; auto is decided already
	Hertz    int    // how often the screen takes new data, per second
	Yes      bool   // the user consents beforehand to whatever would be asked
	Done     bool   // help or version was printed: there is nothing to run
}

// Asked is in where somebody sits who can answer there, and otherwise nil.
func (c Config) Asked(in io.Reader) io.Reader {
	if c.MayAsk {
		return in
	}
	return nil
}

// Runs are the runs that c asks for, in order: the mix, or test after test as
// redis-benchmark does.
func (c Config) Runs() []experiment.Step {
	if c.Mixed {
		mix := c.Plan.Workload.Mix
		if len(mix) == 1 && !mix.Ordered() {
			return []experiment.Step{{Title: mix[0].Test.Title, Plan: c.Plan}}
		}
		return []experiment.Step{{Title: mix.String(), Plan: c.Plan}}
	}
	var runs []experiment.Step
	for _, t := range c.Tests {
		p := c.Plan
		p.Workload.Mix = workload.Single(t)
		runs = append(runs, experiment.Step{Title: t.Title, Plan: p})
	}
	return runs
}

// equally is the mix in which every test has the same share.
func equally(tests []workload.Test) workload.Mix {
	var mix workload.Mix
	for _, t := range tests {
		mix = append(mix, workload.Entry{Test: t, Weight: 1})
	}
	return mix
}
