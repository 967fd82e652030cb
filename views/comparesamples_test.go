package views_test

import (
	"fmt"
	"time"

	"fullbore/views"
)

// compareKnobs are the knobs of the program, a few of them set.
func compareKnobs(focused string, values map[string]string) []views.Knob {
	all := []views.Knob{
		{Name: "clients", Value: "50"}, {Name: "pipeline", Value: "1"}, {Name: "size", Value: "64 B"}, {Name: "command", Value: "SET"},
		{Name: "keys", Value: "100k"}, {Name: "rate", Value: "max"}, {Name: "dist", Value: "uniform"}, {Name: "batch", Value: "pipeline"}, {Name: "window", Value: "5 s"},
	}
	for i := range all {
		if v, ok := values[all[i].Name]; ok {
			all[i].Value = v
		}
		all[i].Focused = all[i].Name == focused
	}
	return all
}

// roundPoints are rounds around a rate and a p99 in milliseconds.
func roundPoints(n int, ops, p99 float64, seed int) []views.RoundPoint {
	out := make([]views.RoundPoint, n)
	for i := range out {
		out[i] = views.RoundPoint{Slot: i, Ops: number(ops * (1 + 0.03*wave(seed+i))), P99: ms(p99 * (1 + 0.2*wave(seed+3*i)))}
	}
	return out
}

func times(values ...float64) (out []views.Duration) {
	for _, v := range values {
		out = append(out, ms(v))
	}
	return out
}

func numbers(values ...float64) (out []views.Number) {
	for _, v := range values {
		out = append(out, number(v))
	}
	return out
}

// against is a ratio of the second side with an interval around it.
func against(value, width float64) []views.Ratio {
	return []views.Ratio{{}, {Value: value, Low: value * (1 - width), High: value * (1 + width)}}
}

func compareTime(label string, a, b, width float64) views.CompareRow {
	r := views.CompareRow{Label: label, IsTime: true, MoreIsBad: true, Times: times(a, b), LastTimes: times(a*1.02, b*0.98)}
	if width > 0 {
		r.Ratios = against(b/a, width)
	}
	return r
}

func compareRows() []views.CompareRow {
	return []views.CompareRow{
		{Label: "ops/s", Numbers: numbers(168_420, 1_139_512), LastNumbers: numbers(168_101, 1_142_305), Ratios: against(6.77, 0.04)},
		{Label: "MB/s", Numbers: numbers(15.2, 102.9), LastNumbers: numbers(15.2, 103.1)},
		compareTime("p50", 0.058, 0.231, 0.02),
		compareTime("p90", 0.091, 0.398, 0.03),
		compareTime("p99", 0.172, 0.651, 0.05),
		compareTime("p99.9", 1.204, 2.511, 0.3),
		compareTime("p99.99", 4.871, 6.303, 0.4),
		compareTime("max", 16.263, 8.139, 0),
		compareTime("p50 / P", 0.058, 0.014, 0.02),
		{Label: "errors", Numbers: numbers(0, 0), LastNumbers: numbers(0, 0), MoreIsBad: true},
		{Label: "samples", Numbers: numbers(7.6e6, 51.3e6), LastNumbers: numbers(168_101, 1_142_305), Short: true, NoRatio: true},
	}
}

func compareKeys() []views.Key {
	return []views.Key{
		{Keys: "?", Does: "help"}, {Keys: "q", Does: "quit"}, {Keys: "1/2", Does: "side"}, {Keys: "tab", Does: "next"}, {Keys: "<-/->", Does: "adjust"},
		{Keys: "x", Does: "swap"}, {Keys: "i", Does: "concurrent"}, {Keys: "c", Does: "back"}, {Keys: "enter", Does: "type"}, {Keys: "space", Does: "pause"},
	}
}

// compare is P=1 beside P=16 after twelve pairs, and six before the knob was turned.
func compare() views.Compare {
	return views.Compare{
		Header: views.CompareHeader{
			Target: "127.0.0.1:6379", Server: "redis 7.0.15 standalone", Mode: "interleaved 1 s rounds", State: "B running", StateTone: views.Good, Running: true,
			Pair: 13, Pairs: 30, Elapsed: 102 * time.Second,
		},
		Sides: []views.Side{
			{Name: "A", Label: "P=1", Load: "C=50 P=1", Knobs: compareKnobs("pipeline", nil), Median: number(168_420), Spread: number(0.03), Counts: "7.6M ops   12 rounds   0 errors", Rounds: roundPoints(18, 168_420, 0.172, 1)},
			{Name: "B", Label: "P=16", Load: "C=50 P=16", Knobs: compareKnobs("pipeline", map[string]string{"pipeline": "16"}), Focused: true, Active: true, Now: number(1_142_305),
				Median: number(1_139_512), Spread: number(0.02), Counts: "51.3M ops   12 rounds   0 errors", Rounds: append(roundPoints(6, 168_420, 0.172, 50), shifted(roundPoints(12, 1_139_512, 0.651, 90), 6)...)},
		},
		Metric: "ops/s", Rows: compareRows(),
		Verdicts: []views.Verdict{{}, {Mark: views.MarkFaster, Text: "B faster: x 6.77 [6.51..7.02]", Ratio: against(6.77, 0.04)[1], Floor: number(0.012), Pairs: 12}},
		Marks:    []views.SlotMark{{Slot: 6, Text: "B pipeline 1 > 16"}},
		Since:    "16:02:11", Round: time.Second, Settle: 250 * time.Millisecond, Practical: 0.03,
		Server: "server us/command  A 5.93  B 0.88   SET usec_per_call  A 0.31  B 0.29",
		Notes: []views.Note{
			{Clock: "16:00:40", Text: "start"},
			{Clock: "16:02:11", Text: "B pipeline 1 > 16 (pairs begin anew)"},
			{Warning: true, Text: "client CPU 94% of 2 cores in B rounds: B may be limited by the load generator"},
		},
		Keys: compareKeys(),
	}
}

// compareClient is a comparison whose limit was the load generator: no side is called
// faster.
func compareClient() views.Compare {
	v := compare()
	v.Sides[0].Limiter, v.Sides[1].Limiter = "server", "client"
	v.Verdicts[1].Mark, v.Verdicts[1].Ratio.Open = views.MarkClient, true
	v.Verdicts[1].Text = "B: client-bound: the load generator was the limit of B; raise --threads"
	v.Rows[0].Ratios[1].Open = true
	return v
}

func shifted(rounds []views.RoundPoint, by int) []views.RoundPoint {
	for i := range rounds {
		rounds[i].Slot += by
	}
	return rounds
}

// compareAlike is A against A: nothing may be claimed.
func compareAlike() views.Compare {
	v := compare()
	v.Header.State, v.Header.StateTone, v.Header.Running = "DECIDED", views.Muted, false
	v.Sides[1].Knobs, v.Sides[1].Label, v.Sides[1].Load, v.Sides[1].Active = v.Sides[0].Knobs, "P=1 again", "C=50 P=1", false
	v.Sides[1].Rounds, v.Sides[1].Median, v.Sides[1].Counts = roundPoints(18, 169_000, 0.171, 700), number(169_101), "7.6M ops   12 rounds   0 errors"
	v.Sides[0].Mark, v.Sides[1].Mark = "rtt 1ms simulated", "rtt 1ms simulated"
	v.Marks, v.Server, v.Notes = nil, "", v.Notes[:1]
	v.Rows = []views.CompareRow{
		{Label: "ops/s", Numbers: numbers(168_420, 169_101), Ratios: against(1.004, 0.012)},
		{Label: "MB/s", Numbers: numbers(15.2, 15.3)},
		compareTime("p50", 0.058, 0.058, 0.01), compareTime("p90", 0.091, 0.092, 0.02), compareTime("p99", 0.172, 0.168, 0.05),
		compareTime("p99.9", 1.204, 1.311, 0.3), compareTime("p99.99", 4.871, 4.303, 0.4), compareTime("max", 16.263, 8.139, 0),
		{Label: "errors", Numbers: numbers(0, 0), MoreIsBad: true},
	}
	v.Verdicts[1] = views.Verdict{Mark: views.MarkUnknown, Text: "cannot tell: noise ±4.1 %, about 9 more pairs", Ratio: against(1.004, 0.012)[1], Floor: number(0.041), Pairs: 12, More: 9}
	return v
}

// compareArms are so many pipeline depths as columns.
func compareArms(n int) views.Compare {
	v := compare()
	v.Sides, v.Verdicts, v.Rows = nil, nil, nil
	names := []string{"A", "B", "C", "D", "E", "F"}
	labels := []string{"P=1", "P=16", "batch=multi", "c=200 P=4", "server='redis-server --io-threads 2' replicas=1", "P=64"}
	factors := []float64{1, 6.77, 7.13, 1.02, 0.86, 9.9}
	marks := []views.VerdictMark{views.MarkWaiting, views.MarkFaster, views.MarkFaster, views.MarkSmall, views.MarkSlower, views.MarkUnknown}
	ops := views.CompareRow{Label: "ops/s"}
	tail := []views.CompareRow{{Label: "p50", IsTime: true}, {Label: "p90", IsTime: true}, {Label: "p99", IsTime: true}, {Label: "p99.9", IsTime: true}, {Label: "max", IsTime: true}}
	for i := range n {
		f := factors[i]
		ratio := views.Ratio{}
		if i > 0 {
			ratio = views.Ratio{Value: f, Low: f * 0.97, High: f * 1.03}
		}
		v.Sides = append(v.Sides, views.Side{
			Name: names[i], Label: labels[i], Load: fmt.Sprintf("C=50 P=%d", 1<<i), Focused: i == 1, Active: i == 2, Now: number(168_420 * f),
			Knobs:  compareKnobs("pipeline", map[string]string{"pipeline": fmt.Sprint(1 << i)}),
			Rounds: roundPoints(12, 168_420*f, 0.172*f, 100*i),
		})
		v.Verdicts = append(v.Verdicts, views.Verdict{Mark: marks[i], Ratio: ratio, Floor: number(0.012), Pairs: 12})
		ops.Numbers, ops.Ratios = append(ops.Numbers, number(168_420*f)), append(ops.Ratios, ratio)
		for j := range tail {
			tail[j].Times = append(tail[j].Times, ms(0.058*f*float64(j+1)))
		}
	}
	v.Header.State = "C running"
	v.Explained = "the server spends as long on a command of A as on one of B: what differs here is the way there and back, and not how fast a command is executed"
	v.Rows = append([]views.CompareRow{ops}, tail...)
	v.Server = ""
	v.Marks = nil
	return v
}

// compareTests puts a matrix of tests over the details of one of them.
func compareTests(v views.Compare, tests int) views.Compare {
	titles := []string{"SET", "GET", "INCR", "LPUSH", "RPUSH", "LPOP", "RPOP", "SADD", "HSET", "SPOP", "ZADD", "ZPOPMIN", "LRANGE_100", "LRANGE_300", "MSET", "XADD"}
	marks := []views.VerdictMark{views.MarkFaster, views.MarkUnknown, views.MarkSmall, views.MarkSame, views.MarkSlower}
	for i := range tests {
		k := views.CompareCase{Title: titles[i%len(titles)], Pairs: 12 + i, Done: i < 2, Underway: i == 2}
		if i > 2 {
			k.Pairs = 0
			v.Cases = append(v.Cases, k)
			continue
		}
		k.Median = number(168_420 + 5_000*float64(i))
		for s := range v.Sides {
			d := views.Verdict{Mark: marks[(i+s+4)%len(marks)], Pairs: 12, Floor: number(0.012)}
			if s > 0 {
				x := 1 + 0.9*float64(s) + 0.07*float64(i)
				d.Ratio = views.Ratio{Value: x, Low: x * 0.98, High: x * 1.02}
			}
			k.Verdicts = append(k.Verdicts, d)
		}
		v.Cases = append(v.Cases, k)
	}
	v.Case = 0
	return v
}

// compareEmpty is the screen before the first round.
func compareEmpty() views.Compare {
	v := compare()
	v.Header.State, v.Header.Pair, v.Header.Elapsed, v.Header.StateTone = "PREPARING", 0, 0, views.Caution
	for i := range v.Sides {
		s := &v.Sides[i]
		s.Rounds, s.Now, s.Median, s.Spread, s.Counts, s.Active = nil, views.Number{}, views.Number{}, views.Number{}, "", false
	}
	v.Marks, v.Server, v.Since, v.Notes, v.Verdicts = nil, "", "", v.Notes[:1], nil
	for i := range v.Rows {
		r := &v.Rows[i]
		r.Times, r.Numbers, r.LastTimes, r.LastNumbers, r.Ratios = nil, nil, nil, nil, nil
	}
	return v
}

// compareExamples are those of the comparison's screen, under their golden names.
func compareExamples() []example {
	edit := views.Edit{Label: "B pipeline", Text: "32", Cursor: 2, Hint: "enter set, esc cancel, 1..100000"}
	competing := compare()
	competing.Competing, competing.Edit = true, &edit
	competing.Header.Mode, competing.Header.State, competing.Header.StateTone = "both at once: they compete", "COMPETING", views.Caution
	competing.Banner = "built-in demo server: its speed says nothing about Redis"
	averaged := compareTests(compare(), 16)
	averaged.Averages = []views.CompareMean{{Title: "mean of writes", Ratios: []views.Ratio{{}, {Value: 1.013}}}, {Title: "mean of all", Ratios: []views.Ratio{{}, {Value: 0.998}}}}
	averaged.Case = 2
	servers := compare()
	servers.Header.Target, servers.Header.Server = "2 servers", ""
	servers.Banner = "B: certificate not verified (--insecure): this may be any server"
	for i, s := range []string{"127.0.0.1:6379", "benchmarks-0001.abcdef.euw1.cache.amazonaws.com:6380"} {
		servers.Sides[i].Server, servers.Sides[i].Place = s, "redis 7.0.15: "+s
	}
	threads := compareArms(3)
	for i, s := range []string{"redis-server", "--io-threads 2", "--io-threads 4 --io-threads-do-reads yes"} {
		threads.Sides[i].Server, threads.Sides[i].Label = s, "server='redis-server "+s+"'"
	}
	return []example{
		{"compare", compare()},
		{"compare-servers", servers},
		{"compare-client", compareClient()},
		{"compare-threads", threads},
		{"compare-alike", compareAlike()},
		{"compare-competing", competing},
		{"compare-empty", compareEmpty()},
		{"compare-three", compareArms(3)},
		{"compare-six", compareArms(6)},
		{"compare-tests", compareTests(compare(), 3)},
		{"compare-tests-many", averaged},
		{"compare-matrix", compareTests(compareArms(6), 5)},
	}
}
