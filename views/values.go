package views

import "time"

// Live is the main screen (drawings 1 and 3).
type Live struct {
	Header     Header
	Banner     string // one line under the header, such as the built-in server's warning; empty = none
	Knobs      []Knob
	Throughput Throughput
	Latency    LatencyChart
	Table      Table
	Bars       []Bar       // distribution of the window
	BarsTitle  string      // "distribution, last 5 s"
	Nodes      Nodes       // of a cluster; none = left out
	Server     ServerPanel // empty = section left out
	Limiter    Limiter     // in the server's section, or in place of the notes' title
	Notes      []Note      // newest last
	Keys       []Key       // what works now; "? help" and "q quit" first
	Edit       *Edit       // open text field, shown in place of the key line
}

// Header is the top line.
type Header struct {
	Target    string // "127.0.0.1:6379"
	Server    string // "redis 7.0.15 standalone"
	Cluster   string // "3 primaries", said behind Server where there is room; empty = no cluster
	Origin    string // "private server", "built-in demo server", or empty
	State     string // RUN, SETTLING 2s, PAUSED, FROZEN, PREPARING 45%, WAITING
	StateTone Tone
	Running   bool // load is sent, whatever the display does
	Elapsed   time.Duration
	Errors    int64
	Hertz     int           // data rate of the screen
	RTT       time.Duration // zero = unknown
	Connected int
	Clients   int
}

// Knob is one setting in the strip.
type Knob struct {
	Name    string // "pipeline"
	Value   string // "16"
	Range   string // "1 2 4 8 16", shown where there is room
	Focused bool
}

// Edit is an open text field for the focused knob.
type Edit struct {
	Label  string // "pipeline"
	Text   string // what was typed
	Cursor int    // in runes
	Error  string // why the text is not accepted; empty = fine or not judged yet
	Hint   string // "enter set, esc cancel, 1..100000"
}

// Sample is one point of a series. Value NaN means no data.
type Sample struct {
	Age   time.Duration // before now, zero or more
	Value float64
}

// Mark is a moment at which a knob was turned.
type Mark struct {
	Age  time.Duration
	Text string // "pipeline 1 > 16"
}

// Scale of the vertical axis.
type Scale int

// The scales that the y key walks through.
const (
	ScaleAuto Scale = iota // between the low and the high of what is shown
	ScaleZero              // from zero
)

// Throughput is the chart of requests per second.
type Throughput struct {
	Samples []Sample // ops/s, oldest first
	Marks   []Mark
	Span    time.Duration // width of the time axis
	At      time.Duration // run time at age zero: columns then stand still in the run; zero is fine
	Scale   Scale
	Now     Number // ops/s over the last second or so
	Average Number // since the change
	Peak    Number
	Bytes   Number // bytes per second, both ways; shown where there is room
}

// Number is a value that may be unknown: OK false draws a dash.
type Number struct {
	Value float64
	OK    bool
}

// Duration is a time that may be unknown: OK false draws a dash.
type Duration struct {
	Value time.Duration
	OK    bool
}

// LatencySample is one point of the latency chart; zeros mean no data.
type LatencySample struct {
	Age            time.Duration
	P50, P99, P999 time.Duration
}

// LatencyChart is p50, p99 and p99.9 over time, on a log scale.
type LatencyChart struct {
	Samples []LatencySample
	Span    time.Duration
	At      time.Duration // as in Throughput
	Title   string        // "own reply, P=16"
	Legend  string        // what an abbreviation of the table below means; shown where there is room
}

// Table is the percentile table with its three moments and the change in words.
type Table struct {
	Title   string    // "latency ms  (own reply, P=16, closed)"
	Legend  string    // what an abbreviation in the labels means; shown where there is room
	Columns [3]string // "last 5s", "since change", "before change"
	Rows    []Row
}

// Row is a line of the table. Exactly one of Times and Numbers is used.
type Row struct {
	Label       string // "p50", "ops/s"
	Times       [3]Duration
	Numbers     [3]Number
	IsTime      bool
	MoreIsBad   bool // true for latencies: a ratio above 1 reads "worse"
	NoDirection bool // neither better nor worse: the ratio stands alone

	// Drop orders the rows by how early they leave when height is short: 1 last,
	// DropFirst and above are shown only where there is height to spare. Zero lets
	// the label decide, see SCREENS.md: p75 and "p50 / P" first, then p99.99.
	Drop int
}

// Bar is one row of the distribution.
type Bar struct {
	UpTo  time.Duration
	Share float64 // 0..1 of all samples
	Last  bool    // everything above the bar before it
}

// Note is a line of the notes section.
type Note struct {
	Clock   string // "16:02:11"
	Warning bool
	Text    string
}

// Key is one entry of the key line or of the help.
type Key struct {
	Keys string // "</>"
	Does string // "adjust"
}

// Help is the full overlay, made from the key map.
type Help struct {
	Title  string
	Groups []HelpGroup
	Footer string
}

// HelpGroup is a titled block of keys.
type HelpGroup struct {
	Title string
	Keys  []Key
}

// Card is the preflight card: what stands there before a load starts.
type Card struct {
	Title string
	Rows  []CardRow
	Text  []string // sentences below the rows
	Keys  []Key
}

// CardRow is a label and its value.
type CardRow struct {
	Label, Value string
	Warning      bool
}

// TooSmall is drawn below the minimum size (drawing 5): the load keeps running.
type TooSmall struct {
	Ops                Number
	P50, P99           Duration
	Errors             int64
	Running            bool
	NeedWide, NeedTall int
	Keys               []Key // what works now; none = quit and pause
}
