package stats

import "time"

// State is what a run is doing.
type State string

// The states of a run, in the order in which a run usually meets them.
const (
	Preparing State = "preparing" // dialling, or writing the data the plan reads
	Settling  State = "settling"  // load runs, samples are set apart (M12, M17)
	Measuring State = "measuring"
	Paused    State = "paused" // asked to hold; no batch is sent
	Draining  State = "draining"
	Done      State = "done"
)

// Snapshot is everything a screen or a progress line may show of a run at one
// moment. It is immutable: slices are never written to after publication.
type Snapshot struct {
	State     State
	Elapsed   time.Duration // since the run began
	Epoch     int           // number of the plan now in force, from 1
	Pending   bool          // a newer plan was applied and is being prepared
	Progress  Progress      // of the preparation, when State is Preparing or Pending
	Connected int           // load connections that are up
	Clients   int           // load connections the plan asks for

	Window  Segment   // the last few seconds, see Window.Measured
	Current Segment   // since the last change that was measured
	Before  *Segment  // before that change; nil when there was none
	Whole   Segment   // everything measured in this run, whatever the plan
	History []Segment // the measured segments before Current, oldest first
	Total   Counters  // the whole run, settling included

	// Nodes are those of a cluster, primaries first; empty for a server alone.
	Nodes []Node

	Points   []Point  // the time line, oldest first
	Marks    []Mark   // where a plan changed
	Faults   []Fault  // by class and code, most frequent first
	Notes    []Note   // events, newest last
	Warnings []string // what is doubtful about the numbers right now
	Gaps     Gaps
	Bars     []Bar // distribution of Window
}

// Progress is how far a preparation has come; Total 0 means unknown.
type Progress struct {
	What        string // "writing 100000 keys of 64 bytes"
	Done, Total int64
}

// Segment is what was measured under one plan (or over a window), with the time
// it was measured in: settling and pauses are not part of it.
type Segment struct {
	Epoch    int
	Start    time.Duration // when measuring began, since the start of the run
	Measured time.Duration // wall time with measuring on; the base of all rates
	Counters Counters
	Latency  Latency // response time
	Service  Latency // service time; only filled in open loop (M9)
	Lag      Latency // how late batches left, against the plan (open loop)
	Commands []CommandStats
	Plan     string  // the plan in words, for tables
	Target   float64 // asked rate per second; 0 in closed loop
	Clients  int
	Pipeline int
	Batch    string     // how the commands of a batch went out: "multi", "none"; "" = as a pipeline
	Steady   Steadiness // of the throughput before measuring began (M12)
	Gaps     Gaps       // while this was measured (M8)

	// Distribution is the shape behind Latency; nil while the segment is measured,
	// because nobody draws it then.
	Distribution *Distribution
}

// Steadiness is the verdict of a warm-up on the throughput (M12).
type Steadiness string

// The verdicts; the zero value means that nobody judged, because no warm-up was
// asked for or one of a given length was.
const (
	Unjudged  Steadiness = ""
	Steady    Steadiness = "steady"
	NotSteady Steadiness = "not steady"
)

// StalledShare is the part of the measured time that lay in gaps longer than
// GapLimit, 0 to 1; false when nothing was measured.
func (s Segment) StalledShare() (float64, bool) {
	if s.Measured < minElapsed {
		return 0, false
	}
	return min(1, s.Gaps.Total.Seconds()/s.Measured.Seconds()), true
}

// Thresholds of M9.
const (
	KeptShare = 0.99 // of the target that must be achieved
	lagShare  = 0.10 // of the median latency that the lag's p99 may be
	// lagFloor is a lag that no program on an ordinary system avoids: waking up
	// takes this long. Without it a server that answers in 0.1 ms would make
	// every schedule one that is not kept.
	lagFloor = 100 * time.Microsecond
)

// KeepsRate reports whether an open-loop segment achieved its target without
// falling behind its schedule (M9); known is false in closed loop and where too
// little was seen. When it does not, its percentiles describe the client's
// schedule as much as the server.
func (s Segment) KeepsRate() (keeps, known bool) {
	got, moving := s.Throughput()
	if s.Target == 0 || !moving {
		return false, false
	}
	if got < KeptShare*s.Target {
		return false, true
	}
	lag, haveLag := s.Lag.Quantile(.99)
	median, haveMedian := s.Latency.Quantile(.50)
	return !haveLag || !haveMedian || lag <= max(lagFloor, time.Duration(lagShare*float64(median))), true
}

// Throughput is successful replies per second; false when too little was seen.
func (s Segment) Throughput() (float64, bool) { return Rate(s.Counters.Replies, s.Measured) }

// CommandStats splits a segment by the rows of its mix.
type CommandStats struct {
	Title    string
	Counters Counters
	Latency  Latency
}

// Point is one sampling interval of the time line.
type Point struct {
	At       time.Duration // end of the interval, since the start of the run
	Span     time.Duration // its measured length: rates come from it, never from ticks
	Replies  int64
	Errors   int64
	P50      time.Duration // zero when the interval saw no reply
	P99      time.Duration
	P999     time.Duration
	Epoch    int
	Measured bool // false while settling, preparing or paused
	Paused   bool
}

// Mark says that the plan changed at a moment.
type Mark struct {
	At   time.Duration
	Text string // "pipeline 1 > 16"
}

// Note is an event or a warning for the reader.
type Note struct {
	At      time.Duration
	Warning bool
	Text    string
}

// Gaps is the time-weighted evidence of stalls that percentiles of a closed loop
// hide (M8).
type Gaps struct {
	Longest time.Duration // longest time without a reply while load was on
	Count   int64         // gaps longer than GapLimit
	Total   time.Duration // their summed length
}

// GapLimit is the length above which a time without replies counts as a gap.
const GapLimit = 100 * time.Millisecond
