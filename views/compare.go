package views

import "time"

// Compare is the screen of a comparison (drawings 2 and 4): two sides as columns
// with their ratio, three to six as a table whose first column is 100 %, and a
// matrix above it where there are several tests.
type Compare struct {
	Header CompareHeader
	Banner string // as in Live; empty = none
	Sides  []Side // in the order of their letters, two to six
	// Reference is the side that the others are compared with: an index of Sides.
	Reference int
	// Metric is the row label that verdicts are about: "ops/s" or "p99".
	Metric string
	Rows   []CompareRow // of the case in focus
	// Verdicts are those of the case in focus, by side; that of the reference is
	// not looked at.
	Verdicts []Verdict
	Marks    []SlotMark    // changes that began the pairs anew
	Cases    []CompareCase // the matrix; at most one = no matrix is drawn
	Case     int           // the case whose rows and verdicts are above
	Averages []CompareMean // rows below the matrix
	Since    string        // "16:02:11", when these pairs began; empty = not said
	// What "how to read" tells of the rules: measured and settling time of a round,
	// and the limit below which nobody acts as a share. Zeros are left out.
	Round, Settle time.Duration
	Practical     float64
	Competing     bool // all sides run at once: a demonstration that counts for nothing
	// Server compares what the server says of itself, in facts three spaces apart:
	// "us/command  A 5.9  B 0.91". Empty = unknown, left out.
	Server    string
	Explained string // a sentence or two where the server's order contradicts the verdict; empty = none
	Notes     []Note // newest last
	Keys      []Key  // what works now; "? help" and "q quit" first
	Edit      *Edit  // open text field, shown in place of the key line
}

// CompareHeader is the top line of a comparison.
type CompareHeader struct {
	Target    string // "127.0.0.1:6379"; with a server for each side "2 servers"
	Server    string // "redis 7.0.15"; empty = unknown or more than one
	Mode      string // "interleaved 1 s rounds", or "both at once: they compete"
	State     string // "B running", PREPARING, PAUSED, COMPETING, DECIDED, FROZEN
	StateTone Tone
	Running   bool // load is sent, whatever the display does
	Pair      int  // under way, from 1; 0 = none yet
	Pairs     int  // at most so many; 0 = not said
	Elapsed   time.Duration
	Errors    int64
	Hertz     int // data rate of the screen; 0 = not said
}

// Side is one arm of a comparison.
type Side struct {
	Name  string // "A"
	Label string // what sets it apart, as the user wrote it: "P=16"
	Load  string // "C=50 P=16": stands beside every verdict; empty = left out
	// Knobs are the same for every side, in the same order; Focused is the focused
	// knob, looked at only where the side has the focus.
	Knobs   []Knob
	Focused bool
	Active  bool   // under load now
	Mark    string // "rtt 1ms simulated"; empty = none
	Server  string // what tells its server from those of the others in a few cells; empty = all have the same
	Place   string // its own server, "redis 7.2.4 private --io-threads 2"; empty = that of the header
	Now     Number // ops/s at this moment, while it is under load
	Limiter string // what held most of its rounds back, in a word: "server"; empty = not known
	Median  Number // ops/s, the middle of its rounds; shown where there is room
	Spread  Number // of its rounds, as a share of the median: 0.03
	Counts  string // "51.3M ops   25 rounds   0 errors"
	// Rounds of the case in focus in time order, those before a change as well; none
	// left out.
	Rounds []RoundPoint
}

// RoundPoint is what one round measured.
type RoundPoint struct {
	Slot int // its pair, counted through everything on the screen, from 0
	Ops  Number
	P99  Duration
}

// SlotMark is a change that began the pairs anew.
type SlotMark struct {
	Slot int    // the first pair after it
	Text string // "B pipeline 1 > 16"
}

// CompareRow is a line of the results. Exactly one of Times and Numbers is used; a
// list that is too short has unknown values.
type CompareRow struct {
	Label       string // "ops/s", "p99"
	IsTime      bool
	Times       []Duration // by side, all rounds together
	Numbers     []Number
	LastTimes   []Duration // of the last round, for the wide screen; nil = not known
	LastNumbers []Number
	Ratios      []Ratio // by side over the reference; a zero Ratio is worked out from the values
	MoreIsBad   bool    // a ratio above 1 reads "worse"
	NoDirection bool    // neither better nor worse: the ratio stands alone
	NoRatio     bool    // counters such as samples: nothing is divided
	Short       bool    // numbers as "51.3M"
	Drop        int     // as in Row: zero lets the label decide
}

// Ratio is a side over the reference. Low and High are its interval; zeros = none.
// The zero Ratio is unknown.
type Ratio struct {
	Value, Low, High float64
	// Open holds back better and worse: the ratio is shown, and no claim is made. An
	// interval with 1 in it does the same by itself.
	Open bool
}

// VerdictMark is a verdict in a word.
type VerdictMark int

// The marks. Each is a word on the screen, explained under "how to read".
const (
	MarkWaiting VerdictMark = iota // not enough pairs to say anything: "..."
	MarkFaster                     // "faster"
	MarkSlower                     // "slower"
	MarkSmall                      // real, but below the practical limit: "real <3%"
	MarkSame                       // no difference above the practical limit: "same"
	MarkUnknown                    // cannot tell: "?"
	MarkClient                     // the load generator was the limit of a side: "client"
)

// Verdict is what the pairs say of a side against the reference.
type Verdict struct {
	Mark  VerdictMark
	Text  string // "B faster: x 6.77 [6.51..7.02]"; empty = the view writes it from the rest
	Ratio Ratio  // of the metric
	Floor Number // noise floor as a share, 0.012; not OK = not known yet
	Pairs int
	More  int // about so many pairs more until it can be told; 0 = unknown or not needed
}

// CompareCase is a row of the matrix.
type CompareCase struct {
	Title    string    // "GET"
	Verdicts []Verdict // by side
	Median   Number    // of the reference's metric
	IsTime   bool      // the metric is p99: Median is in nanoseconds
	Underway bool
	Done     bool
	Pairs    int // so far
}

// CompareMean is an average over cases. It has a ratio and no word: nothing is faster
// on the whole.
type CompareMean struct {
	Title  string  // "mean of writes"
	Ratios []Ratio // by side; Low and High are not shown
}

// small is what remains of the screen below the minimum size: the side in focus.
func (v *Compare) small() TooSmall {
	s := TooSmall{Errors: v.Header.Errors, Running: v.Header.Running}
	if len(v.Sides) > 0 {
		s.Ops = v.Sides[v.focus()].Now
		for i := range v.Rows {
			switch r := &v.Rows[i]; {
			case r.Label == "ops/s" && !s.Ops.OK:
				s.Ops = at(r.Numbers, v.focus())
			case r.Label == "p50":
				s.P50 = at(r.Times, v.focus())
			case r.Label == "p99":
				s.P99 = at(r.Times, v.focus())
			}
		}
	}
	for _, k := range v.Keys {
		if k.Keys == "q" || k.Keys == "space" {
			s.Keys = append(s.Keys, k)
		}
	}
	return s
}
