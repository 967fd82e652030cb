package experiment

import (
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// Arm is one side of a comparison: a plan and the server it runs against.
type Arm struct {
	Label   string       // what sets it apart, as the user wrote it: "P=16", "c=200 P=4"
	Plan    loadgen.Plan // Requests, Duration and Warmup have no effect: rounds have their own
	Place   Place
	Threads int // of the load generator while this arm runs; 0 = as it is
}

// Place is a server of a comparison, as reports tell of it.
type Place struct {
	Target   target.Target
	Info     target.Info // what a look at it found
	Origin   string      // "private redis-server"; "" for a server that was there
	Command  string      // what a private server was started with, passwords left out; ""
	Replicas int         // started beside it
}

// Case is a row of the matrix of arms and tests: what every arm sends in it.
type Case struct {
	Title string
	Mix   workload.Mix // nil: each arm sends what its own plan says
}

// Rules say how a comparison is made (M19–M22). The zero value stands for the
// defaults.
type Rules struct {
	Round     time.Duration // measured time of a round, at least 300 ms; 0 = 1 s
	Settle    time.Duration // before it, set apart; 0 = 250 ms
	Pairs     int           // at most so many for each case, 8 to 30; 0 = 30
	Practical float64       // limit below which nobody acts, as a share; 0 = 0.03
	Seed      uint64        // of the random order within each pair
}

// Settings are what can be changed while a comparison goes on; as with Plan a whole
// new value is applied.
type Settings struct {
	Plans     []loadgen.Plan // by arm; another load begins the pairs anew
	Reference int            // the arm that the others are compared with
	Paused    bool
	Fresh     int // another number than before begins the pairs anew, also under the same plans
	// Competing has all arms run at once, for a demonstration: such rounds are
	// shown and never counted.
	Competing bool
}

// Phase is what a comparison is doing.
type Phase string

// The phases of a comparison.
const (
	Preparing Phase = "preparing" // connecting, writing data, or the first rounds that are thrown away
	Measuring Phase = "measuring"
	Paused    Phase = "paused"
	Competing Phase = "competing"
	Decided   Phase = "decided" // every case has its verdict or its last pair; settings still work
	Ended     Phase = "ended"
)

// Metric is what a case is decided on (M21).
type Metric string

// The metrics: throughput in closed loop, where more is better, and p99 in open
// loop, where less is.
const (
	Throughput Metric = "throughput" // requests per second
	TailP99    Metric = "p99"        // nanoseconds
)

// State is a comparison at one moment. It is immutable.
type State struct {
	Phase   Phase
	Rules   Rules // defaults filled in
	Elapsed time.Duration
	Case    int       // the case under way
	Active  int       // the arm under load; -1 = none, or all when Competing
	Twin    bool      // the reference's twin is under load (M23); Active is -1 then
	Pair    int       // of this case, under way, from 1; 0 before the first
	Left    int       // rounds still to come at most, all cases together
	Arms    []Side    // in the order given, at least two
	Results []Outcome // by case, since the pairs last began
	// Reference is the arm that findings and floors refer to.
	Reference int
	Earlier   []Series // what was measured before pairs began anew, oldest first
	Notes     []stats.Note
	Partial   bool   // ended before every case was decided or had its pairs
	Reason    string // why it ended early
}

// Side is an arm as it is now.
type Side struct {
	Arm  Arm             // with the plan in force
	Live *stats.Snapshot // of its runner; never nil
}

// Series is a stretch of a comparison under one set of plans.
type Series struct {
	Plans   []string // in words, by arm
	Results []Outcome
}

// Outcome is what one case has shown so far.
type Outcome struct {
	Case   Case
	Metric Metric
	Arms   []Measured
	// Findings tell of each arm against the reference, by arm; that of the
	// reference itself is the zero Finding.
	Findings []paired.Finding
	// Twins are the rounds of a second, identical reference (M23), in time order.
	Twins []Round
	Done  bool
}

// Measured is one arm in one case.
type Measured struct {
	Rounds []Round // in time order, none left out (M20)
	// Total is all rounds together: counters, measured time, latencies. Its
	// Distribution is set.
	Total stats.Segment
	// Median, Low and High are those of the metric over all rounds.
	Median, Low, High float64
	// Server is what the server said of itself during these rounds (M24).
	Server insight.Delta
	// Limiter is what held most of the rounds back, with the numbers of the latest of
	// them (M26); its Name is "" before the first.
	Limiter insight.Limiter
	// Command is the name that Server.Calls has for the test; "" for several.
	Command string
}

// Round is one short measurement of one arm.
type Round struct {
	Pair    int           // from 1
	At      time.Duration // its end, since the comparison began
	Value   float64       // of the metric; 0 when nothing was answered
	Limiter insight.Limiter
	Segment stats.Segment // without its Distribution, which is in Measured.Total
}
