package report

import (
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
)

// jsonResult is one test in JSON. Counts (requests, errors, lost, bytes) are those
// of the whole run, settling included, so that they agree with the server's own;
// what jsonMeasured holds is of the measured time. A pointer is null when the
// number is not known.
type jsonResult struct {
	Test     string `json:"test"`
	Clients  int    `json:"clients"`
	Pipeline int    `json:"pipeline"`
	DataSize int    `json:"data_size"`
	Keyspace int64  `json:"keyspace"`
	Load     string `json:"load"`   // "closed", "open at R/s", or that the segments differ
	Warmup   string `json:"warmup"` // as asked: "auto", "none" or a time
	Requests int64  `json:"requests"`
	jsonMeasured
	Errors        jsonErrors       `json:"errors"`
	Faults        []jsonFault      `json:"faults,omitempty"`
	Lost          int64            `json:"lost"`
	HitRate       *float64         `json:"hit_rate"` // 0 to 1
	BytesIn       int64            `json:"bytes_in"`
	BytesOut      int64            `json:"bytes_out"`
	Limiter       *jsonLimiter     `json:"limiter"` // null where nobody looked
	Told          *jsonServerFacts `json:"server,omitempty"`
	ClientBusy    *float64         `json:"client_busy,omitempty"` // share of what this process may use
	Partial       bool             `json:"partial"`
	Reason        string           `json:"reason"`
	SetupCommands int64            `json:"setup_commands"`
	Connecting    float64          `json:"connecting_seconds"` // until all clients had connected; before any load
	Warnings      []string         `json:"warnings,omitempty"`
	Commands      []jsonPart       `json:"commands,omitempty"` // of a mix
	Nodes         []jsonNode       `json:"nodes,omitempty"`    // of a cluster
	Series        []jsonSecond     `json:"series"`
	Segments      []jsonSegment    `json:"segments,omitempty"` // when the plan was changed on the way
}

// jsonMeasured is what a stretch of measured time says: of one plan, or of a whole
// result as far as its plans add up.
type jsonMeasured struct {
	Measured int64        `json:"measured_requests"` // answered in this time, well or badly
	Seconds  float64      `json:"seconds"`
	RPS      *float64     `json:"rps"`
	Keys     *float64     `json:"keys_per_second"`
	In       *float64     `json:"bytes_in_per_second"`
	Out      *float64     `json:"bytes_out_per_second"`
	Target   *float64     `json:"target_rate"`    // null in closed loop, as are the next two (M9)
	Achieved *float64     `json:"achieved_share"` // of target_rate
	Keeps    *bool        `json:"keeps_rate"`     // false: the latencies carry a backlog
	Latency  jsonLatency  `json:"latency_ms"`     // in open loop from the planned moment
	Service  *jsonLatency `json:"service_ms,omitempty"`
	Lag      *jsonLatency `json:"lag_ms,omitempty"` // how late batches left; both only in open loop
	Steady   *bool        `json:"steady"`           // null when nobody judged (M12)
	Longest  float64      `json:"longest_gap_ms"`
	Gaps     jsonGaps     `json:"gaps"`
	Stalled  *float64     `json:"stalled_share"`    // 0 to 1 (M8)
	Little   *float64     `json:"little_law_share"` // 1 when no time is lost in the client (M4)
}

// jsonLatency holds milliseconds with the digits of whole nanoseconds.
type jsonLatency struct {
	Avg  *float64 `json:"avg"`
	Min  *float64 `json:"min"`
	P50  *float64 `json:"p50"`
	P90  *float64 `json:"p90"`
	P95  *float64 `json:"p95"`
	P99  *float64 `json:"p99"`
	P999 *float64 `json:"p99_9"`
	Max  *float64 `json:"max"`
}

type jsonErrors struct {
	Total     int64            `json:"total"`
	ByCode    map[string]int64 `json:"by_code"`
	FirstText string           `json:"first_text"`
}

// jsonFault is trouble that was not an error reply: a lost or refused connection.
type jsonFault struct {
	Class string `json:"class"`
	Code  string `json:"code"`
	Text  string `json:"text"`
	Count int64  `json:"count"`
}

// jsonGaps are times without a reply of more than stats.GapLimit (M8).
type jsonGaps struct {
	Count int64   `json:"count"`
	Total float64 `json:"total_ms"`
}

// jsonPart is one command of a mix.
type jsonPart struct {
	Test     string      `json:"test"`
	Requests int64       `json:"requests"`
	Errors   int64       `json:"errors"`
	RPS      *float64    `json:"rps"`
	Keys     *float64    `json:"keys_per_second"`
	HitRate  *float64    `json:"hit_rate"`
	Latency  jsonLatency `json:"latency_ms"`
}

// jsonSegment is what was measured under one of several plans.
type jsonSegment struct {
	Plan     string  `json:"plan"`
	Load     string  `json:"load"`
	Clients  int     `json:"clients"`
	Pipeline int     `json:"pipeline"`
	Start    float64 `json:"start_seconds"` // of the run's time
	jsonMeasured
	Limiter *jsonLimiter `json:"limiter"`
	Errors  int64        `json:"errors"`
	Lost    int64        `json:"lost"`
	HitRate *float64     `json:"hit_rate"`
	Series  []jsonSecond `json:"series"`
}

// newJSONResult maps field by field, without arithmetic of its own: what is
// derived comes from stats, so that the screen and the document agree.
func newJSONResult(e Entry) jsonResult {
	r, w := e.Result, whole(e.Result)
	out := jsonResult{
		Test: e.Test, Clients: r.Plan.Clients, Pipeline: r.Plan.Pipeline,
		DataSize: r.Plan.Workload.Payload, Keyspace: r.Plan.Workload.Keys.Size,
		Load: loadWords(r), Warmup: r.Plan.Warmup.String(),
		Requests: requests(r.Total), jsonMeasured: newJSONMeasured(w),
		Errors: newJSONErrors(r), Lost: r.Total.Lost,
		HitRate: maybe(r.Total.HitRate()), BytesIn: r.Total.BytesIn, BytesOut: r.Total.BytesOut,
		Limiter: newJSONLimiter(r.Limiter), Told: insightOf(r), ClientBusy: clientBusy(r),
		Partial: r.Partial, Reason: r.Reason, SetupCommands: r.Setup, Connecting: r.Connecting.Seconds(),
		Warnings: warnings(r), Commands: jsonParts(w), Nodes: jsonNodes(r.Nodes, len(r.Segments)), Series: series(r),
	}
	// Whether a rate was kept is a question to each plan.
	out.Keeps = maybeTrue(keepsRate(r))
	for _, f := range troubles(r.Faults) {
		out.Faults = append(out.Faults, jsonFault{string(f.Class), f.Code, f.Text, f.Count})
	}
	if len(r.Segments) > 1 {
		out.Segments = jsonSegments(r)
	}
	return out
}

func newJSONMeasured(s stats.Segment) jsonMeasured {
	rate := func(n int64) *float64 { return maybe(stats.Rate(n, s.Measured)) }
	m := jsonMeasured{
		Measured: requests(s.Counters), Seconds: s.Measured.Seconds(), RPS: maybe(s.Throughput()),
		Keys: rate(s.Counters.Keys), In: rate(s.Counters.BytesIn), Out: rate(s.Counters.BytesOut),
		Target: maybe(s.Target, s.Target > 0), Achieved: maybe(achieved(s)), Keeps: maybeTrue(s.KeepsRate()),
		Latency: newJSONLatency(s.Latency), Steady: maybeTrue(s.Steady == stats.Steady, s.Steady != stats.Unjudged),
		Longest: millis(s.Gaps.Longest), Gaps: jsonGaps{Count: s.Gaps.Count, Total: millis(s.Gaps.Total)},
		Stalled: maybe(s.StalledShare()), Little: maybe(s.LittleLaw()),
	}
	if s.Target > 0 || s.Service.Count > 0 {
		service, lag := newJSONLatency(s.Service), newJSONLatency(s.Lag)
		m.Service, m.Lag = &service, &lag
	}
	return m
}

// newJSONLatency keeps every digit; rounding is for people.
func newJSONLatency(l stats.Latency) jsonLatency {
	return jsonLatency{
		Avg: maybeMillis(l.Mean()), Min: maybeMillis(lowest(l)),
		P50: maybeMillis(l.Quantile(.50)), P90: maybeMillis(l.Quantile(.90)),
		P95: maybeMillis(l.Quantile(.95)), P99: maybeMillis(l.Quantile(.99)),
		P999: maybeMillis(l.Quantile(.999)), Max: maybeMillis(highest(l)),
	}
}

// newJSONErrors splits the error replies by code (M30). The text is that of the
// most frequent code, because that is the one to look into first.
func newJSONErrors(r loadgen.Result) jsonErrors {
	out := jsonErrors{Total: r.Total.Errors, ByCode: make(map[string]int64)}
	for _, f := range codes(r.Faults) {
		// Two codes of broken bytes must not become one key twice.
		out.ByCode[strings.ToValidUTF8(f.Code, "?")] += f.Count
		if out.FirstText == "" {
			out.FirstText = f.Text
		}
	}
	return out
}

// jsonParts splits a mix; a single test is its own only part and has none.
func jsonParts(s stats.Segment) []jsonPart {
	if len(s.Commands) < 2 {
		return nil
	}
	var out []jsonPart
	for _, c := range s.Commands {
		out = append(out, jsonPart{
			Test: c.Title, Requests: requests(c.Counters), Errors: c.Counters.Errors,
			RPS:     maybe(stats.Rate(c.Counters.Replies, s.Measured)),
			Keys:    maybe(stats.Rate(c.Counters.Keys, s.Measured)),
			HitRate: maybe(c.Counters.HitRate()), Latency: newJSONLatency(c.Latency),
		})
	}
	return out
}

// jsonSegments keeps every plan that was measured, in order (M16, M28).
func jsonSegments(r loadgen.Result) []jsonSegment {
	var out []jsonSegment
	for i, s := range r.Segments {
		var limiter insight.Limiter
		if i < len(r.Limiters) {
			limiter = r.Limiters[i]
		}
		out = append(out, jsonSegment{
			Limiter: newJSONLimiter(limiter),
			Plan:    s.Plan, Load: loadgen.Plan{Rate: s.Target}.Load(), Clients: s.Clients, Pipeline: s.Pipeline,
			Start: s.Start.Seconds(), jsonMeasured: newJSONMeasured(s),
			Errors: s.Counters.Errors, Lost: s.Counters.Lost, HitRate: maybe(s.Counters.HitRate()), Series: seriesOf(r, i),
		})
	}
	return out
}

// maybe is v, or nil (null) when it is not known or no JSON number (M7).
func maybe(v float64, ok bool) *float64 {
	if !ok || !finite(v) {
		return nil
	}
	return &v
}

func maybeMillis(d time.Duration, ok bool) *float64 { return maybe(millis(d), ok) }

// maybeTrue is v, or nil (null) when it is not known.
func maybeTrue(v, known bool) *bool {
	if !known {
		return nil
	}
	return &v
}
