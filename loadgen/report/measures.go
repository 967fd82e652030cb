package report

import (
	"fmt"
	"slices"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// measures are what a table of a suite has for a test, a cell each, as text: requests
// and keys per second, latencies in ms, errors, hit rate, megabytes per second.
func measures(r loadgen.Result) []string {
	s := whole(r)
	keys, hits := absent, dash
	if rate, ok := stats.Rate(s.Counters.Keys, s.Measured); ok {
		keys = fmt.Sprintf("%.2f", rate)
	}
	if rate, ok := r.Total.HitRate(); ok {
		hits = fmt.Sprintf("%.2f %%", 100*rate)
	}
	f := figures(s.Latency, dash)
	return []string{
		throughput(s, absent), keys, f[2], f[3], f[4], f[5], fmt.Sprint(r.Total.Errors), hits,
		megabytes(s.Counters.BytesIn, s.Measured), megabytes(s.Counters.BytesOut, s.Measured),
	}
}

// measureNames head the columns of measures.
func measureNames() []string {
	return []string{"requests/s", "keys/s", "p50 ms", "p95 ms", "p99 ms", "max ms", "errors", "hit rate", "MB/s in", "MB/s out"}
}

// circumstances are what latencies mean nothing without (M3), in a line: "50
// clients, pipeline 16, 3 bytes payload, keyspace 100000, closed loop".
func circumstances(r loadgen.Result) string {
	p := r.Plan
	text := fmt.Sprintf("%d clients, pipeline %d, %s bytes payload, keyspace %d, %s", p.Clients, p.Pipeline, payload(p.Workload), p.Workload.Keys.Size, loopWords(r))
	if p.Reconnect {
		text += ", reconnecting"
	}
	return clean(text)
}

// remarks are what must be said below a table about one of its rows: how it was
// measured, where that differs from the others, and the caveats.
func remarks(e Entry, usual string) []string {
	out := Caveats(e)
	if c := circumstances(e.Result); c != usual {
		out = slices.Insert(out, 0, c)
	}
	if l := e.Result.Limiter; l.Name != "" {
		out = append(out, "limited by: "+limiterWords(l))
	}
	if rows := whole(e.Result); withheld(rows.Latency) {
		out = append(out, dashWords(e.Result))
	}
	return out
}
