package report

import "time"

// jsonComparison is the document of a comparison. Arms stand in it once, with every
// round (C15), and comparisons name them by letter. A pointer is null when the number
// is not known.
type jsonComparison struct {
	Schema      int           `json:"schema"`
	Kind        string        `json:"kind"` // "comparison"
	Tool        jsonTool      `json:"tool"`
	Started     string        `json:"started,omitempty"` // RFC 3339
	Seconds     float64       `json:"seconds"`
	Rules       jsonRules     `json:"rules"`
	Client      *jsonClient   `json:"client,omitempty"`
	Machine     *jsonMachine  `json:"machine,omitempty"` // of the load
	Arms        []jsonArm     `json:"arms"`              // the reference first
	Comparisons []jsonFinding `json:"comparisons"`
	Averages    []jsonAverage `json:"averages"`
	Earlier     []jsonStretch `json:"earlier"` // before a change began the pairs anew
	Notes       []jsonNote    `json:"notes"`
	Phase       string        `json:"phase"`
	Partial     bool          `json:"partial"`
	Reason      string        `json:"reason"`
}

type jsonRules struct {
	Round     float64  `json:"round_seconds"`
	Settle    float64  `json:"settle_seconds"`
	Pairs     int      `json:"pairs"` // at most
	Practical *float64 `json:"practical"`
	Seed      uint64   `json:"seed"`
}

// jsonArm is a side. Its round trip is not the network's: replies were delayed by so
// much on purpose.
type jsonArm struct {
	Letter   string        `json:"letter"`
	Label    string        `json:"label"`
	Clients  int           `json:"clients"`
	Pipeline int           `json:"pipeline"`
	Batch    string        `json:"batch"`
	DataSize int           `json:"data_size"`
	Keyspace int64         `json:"keyspace"`
	Load     string        `json:"load"`
	Rate     *float64      `json:"rate"` // null in closed loop
	RTT      *float64      `json:"rtt_simulated_ms"`
	Threads  *float64      `json:"threads"` // of the load generator; null: as it is
	Plan     string        `json:"plan"`
	Server   jsonArmServer `json:"server"`
	Tests    []jsonArmTest `json:"tests"`
	Nodes    []jsonNode    `json:"nodes,omitempty"` // of a cluster, all tests and rounds together
	Errors   jsonErrors    `json:"errors"`          // of all that this arm did
	Faults   []jsonFault   `json:"faults"`
	Lost     int64         `json:"lost"`
}

type jsonArmServer struct {
	jsonServer
	Command  string `json:"command"` // a private server's
	Replicas int    `json:"replicas"`
}

// jsonArmTest is one arm in one test. Median, low, high and the values of rounds are
// of the metric: requests per second, or p99 in ms.
type jsonArmTest struct {
	Test    string           `json:"test"`
	Metric  string           `json:"metric"`
	Unit    string           `json:"unit"`
	Median  *float64         `json:"median"`
	Low     *float64         `json:"low"`
	High    *float64         `json:"high"`
	Spread  *float64         `json:"spread"` // high less low, as a share of the median
	Rounds  []jsonRound      `json:"rounds"`
	Twins   []jsonRound      `json:"twin_rounds,omitempty"` // of a second, identical reference (M23)
	Total   jsonTotal        `json:"total"`
	Server  jsonCost         `json:"server"`
	Told    *jsonServerFacts `json:"server_facts,omitempty"`
	Limiter *jsonLimiter     `json:"limiter"` // of most rounds; null where nobody looked
}

type jsonRound struct {
	Pair    int         `json:"pair"`
	At      float64     `json:"at_seconds"` // its end
	Value   *float64    `json:"value"`
	Limiter string      `json:"limiter,omitempty"` // its name
	Seconds float64     `json:"seconds"`
	RPS     *float64    `json:"rps"`
	Replies int64       `json:"replies"`
	Errors  int64       `json:"errors"`
	Lost    int64       `json:"lost"`
	Latency jsonLatency `json:"latency_ms"`
}

// jsonTotal is all rounds together.
type jsonTotal struct {
	jsonMeasured
	Errors   int64    `json:"errors"`
	Lost     int64    `json:"lost"`
	HitRate  *float64 `json:"hit_rate"`
	Warnings []string `json:"warnings,omitempty"`
}

// jsonCost is what the server says of itself (M24).
type jsonCost struct {
	Main *float64 `json:"main_us_per_command"`
	Call *float64 `json:"usec_per_call"`
}

// jsonFinding is b against a. The texts of verdicts name arms by letter.
type jsonFinding struct {
	Test       string      `json:"test"`
	A          string      `json:"a"`
	B          string      `json:"b"`
	LabelA     string      `json:"a_label"`
	LabelB     string      `json:"b_label"`
	Metric     string      `json:"metric"`
	Pairs      int         `json:"pairs"`
	Ratio      *float64    `json:"ratio"`
	Low        *float64    `json:"ratio_low"`
	High       *float64    `json:"ratio_high"`
	Confidence *float64    `json:"confidence"` // of the interval, 0 to 1: as exact as so few pairs allow
	Noise      *float64    `json:"noise"`      // half the width of the interval, as a share
	P          *float64    `json:"p"`
	Raw        *float64    `json:"p_raw"` // before Holm
	Floor      *float64    `json:"noise_floor"`
	More       *float64    `json:"more_pairs"`
	Verdict    jsonVerdict `json:"verdict"`
	Contrary   string      `json:"server_contradiction,omitempty"` // the server's figures have it the other way round (M24)
	Done       bool        `json:"done"`
}

type jsonVerdict struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	Why  string `json:"why,omitempty"` // nothing can be told: "too_few", "within_floor", "noisy" or "client_bound"
}

type jsonStretch struct {
	Plans       []string      `json:"plans"` // in words, by arm
	Tests       []jsonOldTest `json:"tests"`
	Comparisons []jsonFinding `json:"comparisons"`
}

type jsonOldTest struct {
	Letter string `json:"letter"`
	jsonArmTest
}

type jsonNote struct {
	At      float64 `json:"at_seconds"`
	Warning bool    `json:"warning"`
	Text    string  `json:"text"`
}

// jsonAverage is one of those below the table of a suite.
type jsonAverage struct {
	Of    string             `json:"of"`
	Tests int                `json:"tests"`
	RPS   map[string]float64 `json:"rps"` // by letter
}

// compareJSON is the whole document.
func compareJSON(c contrast) ([]byte, error) {
	r := c.s.Rules
	doc := jsonComparison{
		Schema: Schema, Kind: "comparison", Tool: jsonTool{c.h.Tool, c.h.Version, c.h.Threads},
		Seconds: c.s.Elapsed.Seconds(), Phase: string(c.s.Phase), Partial: c.s.Partial, Reason: c.told(c.s.Reason),
		Rules: jsonRules{r.Round.Seconds(), r.Settle.Seconds(), r.Pairs, maybe(r.Practical, true), r.Seed},
		Arms:  []jsonArm{}, Comparisons: c.jsonFindings(c.s.Results), Averages: c.jsonAverages(),
		Earlier: []jsonStretch{}, Notes: []jsonNote{},
	}
	doc.Client, doc.Machine = newJSONClient(c.h), newJSONMachine(c.h.Machine)
	if !c.h.Started.IsZero() {
		doc.Started = c.h.Started.Format(time.RFC3339)
	}
	for _, a := range c.arms {
		doc.Arms = append(doc.Arms, c.jsonArm(a))
	}
	for _, e := range c.s.Earlier {
		doc.Earlier = append(doc.Earlier, c.jsonStretch(e))
	}
	for _, n := range c.s.Notes {
		doc.Notes = append(doc.Notes, jsonNote{n.At.Seconds(), n.Warning, c.told(n.Text)})
	}
	out, err := encode(doc, "")
	return append(out, '\n'), err
}
