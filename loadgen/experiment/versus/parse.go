package versus

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Report is what a tool says of its own run. Times are milliseconds; NaN is "not
// told". Tools define latency differently: these are their own words.
type Report struct {
	RPS              float64
	Mean, P50, P99   float64   // response time; in open loop from the planned time, where the tool has one
	Service99, Lag99 float64   // p99 of the service time and of the schedule's lag, in open loop
	Achieved         float64   // share of the asked rate, in open loop
	Seconds          float64   // measured
	Requests         int64     // in all, settling included; 0 is "not told"
	LongestGap       float64   // longest time without a reply
	Stalled          float64   // share of the time spent in gaps above 100 ms
	Little           float64   // mean latency × rate, as a share of requests in flight (M4)
	Series           []float64 // replies in each whole second of measured time
}

// unknown is a report that tells nothing.
func unknown() Report {
	nan := math.NaN()
	return Report{
		RPS: nan, Mean: nan, P50: nan, P99: nan, Service99: nan, Lag99: nan, Achieved: nan, Seconds: nan,
		LongestGap: nan, Stalled: nan, Little: nan,
	}
}

// parseCSV reads redis-benchmark's --csv: a heading and one test.
func parseCSV(stdout []byte, _ int64) (Report, error) {
	rows, err := csv.NewReader(bytes.NewReader(stdout)).ReadAll()
	if err != nil {
		return Report{}, fmt.Errorf("read CSV: %w", err)
	}
	if len(rows) != 2 {
		return Report{}, fmt.Errorf("CSV has %d lines, want a heading and one test", len(rows))
	}
	r := unknown()
	for i, name := range rows[0] {
		value, ok := finite(rows[1][i])
		if !ok {
			continue // the test's name, or no number: short runs have "inf"
		}
		switch name {
		case "rps":
			r.RPS = value
		case "avg_latency_ms":
			r.Mean = value
		case "p50_latency_ms":
			r.P50 = value
		case "p99_latency_ms":
			r.P99 = value
		}
	}
	return r, nil
}

// finite reads a number that is one.
func finite(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// document is fullbore's JSON, as far as it is read here.
type document struct {
	Results []struct {
		Test     string
		Requests int64
		Seconds  float64
		RPS      *float64
		Latency  map[string]*float64 `json:"latency_ms"`
		Service  map[string]*float64 `json:"service_ms"`
		Errors   struct {
			Total int64
			First string `json:"first_text"`
		}
		Lag      map[string]*float64 `json:"lag_ms"`
		Lost     int64
		Partial  bool
		Reason   string
		Longest  float64  `json:"longest_gap_ms"`
		Stalled  *float64 `json:"stalled_share"`
		Little   *float64 `json:"little_law_share"`
		Achieved *float64 `json:"achieved_share"`
		Series   []struct{ Seconds, Replies float64 }
	}
}

// parseFullbore is ParseFullbore for a run of n requests; a run that did
// something else than them is no measurement.
func parseFullbore(stdout []byte, n int64) (Report, error) {
	r, err := ParseFullbore(stdout)
	if err == nil && r.Requests != n {
		err = fmt.Errorf("%d requests instead of %d", r.Requests, n)
	}
	return r, err
}

// ErrPartial says that a run ended before what was asked for was done.
var ErrPartial = errors.New("ended early")

// ParseFullbore reads the JSON of one test. Errors, lost connections and an early
// end (ErrPartial) are an error: their figures are not those of the load. The
// report is whole all the same.
func ParseFullbore(stdout []byte) (Report, error) {
	var d document
	if err := json.Unmarshal(stdout, &d); err != nil {
		return Report{}, fmt.Errorf("read JSON: %w", err)
	}
	if len(d.Results) != 1 {
		return Report{}, fmt.Errorf("JSON has %d results, want 1", len(d.Results))
	}
	t := d.Results[0]
	r := Report{
		RPS: value(t.RPS), Mean: value(t.Latency["avg"]), P50: value(t.Latency["p50"]), P99: value(t.Latency["p99"]),
		Service99: value(t.Service["p99"]), Lag99: value(t.Lag["p99"]), Achieved: value(t.Achieved),
		Seconds: t.Seconds, Requests: t.Requests,
		LongestGap: t.Longest, Stalled: value(t.Stalled), Little: value(t.Little),
	}
	for _, second := range t.Series {
		if second.Seconds >= 1 { // the last one is a part of a second
			r.Series = append(r.Series, second.Replies)
		}
	}
	switch {
	case t.Errors.Total > 0:
		return r, fmt.Errorf("%d errors: %s", t.Errors.Total, t.Errors.First)
	case t.Lost > 0:
		return r, fmt.Errorf("%d requests lost", t.Lost)
	case t.Partial:
		return r, fmt.Errorf("%w: %s", ErrPartial, t.Reason)
	}
	return r, nil
}

func value(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// parseMemtier reads memtier_benchmark's table. Its headings are words with
// single blanks, its columns differ between versions.
func parseMemtier(stdout []byte, _ int64) (Report, error) {
	gap := regexp.MustCompile(`\s{2,}`)
	var heads []string
	r := unknown()
	for line := range strings.Lines(string(stdout)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "Type ") && strings.Contains(line, "Ops/sec") {
			heads = gap.Split(line, -1)
			continue
		}
		cells := strings.Fields(line)
		if heads == nil || len(cells) != len(heads) || cells[0] != "Totals" {
			continue
		}
		for i, head := range heads {
			v, ok := finite(cells[i])
			if !ok {
				continue // "---" is no figure
			}
			switch head {
			case "Ops/sec":
				r.RPS = v
			case "Avg. Latency":
				r.Mean = v
			case "p50 Latency":
				r.P50 = v
			case "p99 Latency":
				r.P99 = v
			}
		}
		return r, nil
	}
	return Report{}, errors.New("no table with a line of totals")
}
