package views_test

import (
	"fmt"
	"math"
	"time"

	"fullbore/views"
)

// wave is a number between -1 and 1 that looks like noise and is the same in every
// run, on every machine.
func wave(i int) float64 {
	x := uint32(i)*2654435761 + 12345
	x ^= x >> 13
	x *= 2246822519
	x ^= x >> 16
	return float64(x)/float64(math.MaxUint32)*2 - 1
}

const step = 100 * time.Millisecond

// opsSamples is a run of 120 s in which the pipeline is turned up after 47 s.
func opsSamples(n int) []views.Sample {
	out := make([]views.Sample, n)
	for i := range out {
		v := 168_000 + 9_000*wave(i)
		if i*1000 > n*400 {
			v = 1_090_000 + 40_000*wave(i)
		}
		out[i] = views.Sample{Age: time.Duration(n-1-i) * step, Value: v}
	}
	return out
}

func latencySamples(n int) []views.LatencySample {
	out := make([]views.LatencySample, n)
	for i := range out {
		f := 0.25
		if i*1000 > n*400 {
			f = 1
		}
		us := func(v float64) time.Duration { return time.Duration(v * f * float64(time.Microsecond)) }
		out[i] = views.LatencySample{
			Age:  time.Duration(n-1-i) * step,
			P50:  us(230 + 12*wave(i)),
			P99:  us(650 + 60*wave(3*i)),
			P999: us(1900 + 1200*wave(7*i)),
		}
	}
	return out
}

func ms(v float64) views.Duration {
	return views.Duration{Value: time.Duration(math.Round(v * float64(time.Millisecond))), OK: true}
}

func number(v float64) views.Number { return views.Number{Value: v, OK: true} }

func timeRow(label string, now, since, before float64) views.Row {
	return views.Row{Label: label, IsTime: true, MoreIsBad: true, Times: [3]views.Duration{ms(now), ms(since), ms(before)}}
}

func table() views.Table {
	return views.Table{
		Title:   "latency ms  (own reply, P=16)",
		Columns: [3]string{"last 5s", "since change", "before change"},
		Rows: []views.Row{
			timeRow("p50", 0.228, 0.231, 0.058),
			timeRow("p75", 0.290, 0.288, 0.070),
			timeRow("p90", 0.402, 0.398, 0.091),
			timeRow("p99", 0.645, 0.651, 0.172),
			timeRow("p99.9", 2.449, 2.511, 1.204),
			timeRow("p99.99", 5.120, 6.303, 4.871),
			timeRow("max", 8.139, 8.139, 16.263),
			timeRow("p50 / P", 0.014, 0.014, 0.058),
			{Label: "ops/s", Numbers: [3]views.Number{number(1_142_305), number(1_139_512), number(168_420)}},
		},
	}
}

func knobs() []views.Knob {
	return []views.Knob{
		{Name: "clients", Value: "50", Range: "1..10000"},
		{Name: "pipeline", Value: "16", Range: "1 2 4 8 16", Focused: true},
		{Name: "size", Value: "64 B", Range: "8B..1MB"},
		{Name: "command", Value: "SET", Range: "SET GET INCR"},
		{Name: "keys", Value: "100k", Range: "1..100M"},
		{Name: "value", Value: "random", Range: "fixed/rnd"},
		{Name: "rate", Value: "max", Range: "ops/s"},
	}
}

func keys() []views.Key {
	return []views.Key{
		{Keys: "?", Does: "help"}, {Keys: "q", Does: "quit"}, {Keys: "tab", Does: "next"},
		{Keys: "<-/->", Does: "adjust"}, {Keys: "enter", Does: "type"}, {Keys: "space", Does: "pause"},
		{Keys: "r", Does: "reset"}, {Keys: "+/-", Does: "zoom"}, {Keys: "w", Does: "save"}, {Keys: "c", Does: "A/B"},
	}
}

func bars() []views.Bar {
	out := []views.Bar{}
	for _, b := range [][2]float64{{0.10, 0.02}, {0.15, 0.11}, {0.20, 0.28}, {0.25, 0.37}, {0.35, 0.14}, {0.50, 0.06}, {1.00, 0.0175}} {
		out = append(out, views.Bar{UpTo: ms(b[0]).Value, Share: b[1]})
	}
	return append(out, views.Bar{UpTo: ms(8.139).Value, Share: 0.0025, Last: true})
}

func notes() []views.Note {
	return []views.Note{
		{Clock: "16:00:40", Text: "start"},
		{Clock: "16:02:11", Text: "pipeline 1 > 16   (warm-up 1 s discarded)"},
		{Warning: true, Text: "client CPU 94% of 2 cores: the load generator may be the limit"},
	}
}

func throughput() views.Throughput {
	return views.Throughput{
		Samples: opsSamples(1200),
		Marks:   []views.Mark{{Age: 118 * time.Second, Text: "start"}, {Age: 72 * time.Second, Text: "pipeline 1 > 16"}},
		Span:    120 * time.Second,
		At:      102 * time.Second,
		Scale:   views.ScaleZero,
		Now:     number(1_142_305), Average: number(1_129_870), Peak: number(1_180_038), Bytes: number(102.9e6),
	}
}

// zoomed looks closer at a series whose low is above half of its high.
func zoomed() views.Throughput {
	t := throughput()
	t.Scale, t.Span = views.ScaleAuto, 60*time.Second
	return t
}

// open is the screen of an open loop, whose table has two times.
func open() views.Live {
	l := live()
	l.Server, l.Limiter = views.ServerPanel{}, views.Limiter{}
	l.Table.Title, l.Table.Legend = "latency ms  (from plan, P=1, open: 100% of 20,000/s)", "svc: service"
	l.Latency.Title, l.Latency.Legend = "from plan, P=1, open: 100% of 20,000/s", l.Table.Legend
	rows := l.Table.Rows
	rows[2].Drop, rows[5].Drop = views.DropFirst, views.DropFirst
	times := []views.Row{timeRow("svc p50", 0.031, 0.032, 0.058), timeRow("svc p99", 0.101, 0.105, 0.172), timeRow("lag p99", 0.011, 0.012, 0)}
	l.Table.Rows = append(append(append([]views.Row{}, rows[:7]...), times...), rows[7:]...)
	return l
}

func latencyChart() views.LatencyChart {
	return views.LatencyChart{Samples: latencySamples(1200), Span: 120 * time.Second, At: 102 * time.Second, Title: "own reply, P=16"}
}

func header() views.Header {
	return views.Header{
		Target: "127.0.0.1:6379", Server: "redis 7.0.15 standalone", State: "RUN", StateTone: views.Good, Running: true,
		Elapsed: 102 * time.Second, Hertz: 4, RTT: 60 * time.Microsecond, Connected: 50, Clients: 50,
	}
}

func live() views.Live {
	return views.Live{
		Header: header(), Knobs: knobs(), Throughput: throughput(), Latency: latencyChart(), Table: table(),
		Bars: bars(), BarsTitle: "distribution, last 5 s",
		Server: serverPanel(), Limiter: limiter(),
		Notes: notes(), Keys: keys(),
	}
}

func limiter() views.Limiter {
	return views.Limiter{
		Name: "server", Title: "server-bound", Evidence: "server main thread 97 % of a core, 5.2 % of it executing commands",
		Advice: "use io-threads, sharding or fewer bytes",
	}
}

// clientBound is a limit on this side, with all that its evidence can have.
func clientBound() views.Limiter {
	return views.Limiter{
		Name: "client", Title: "client-bound", Pressing: true,
		Evidence: "client 99 % of 2 cores (GOMAXPROCS), server main thread 62 % of a core, its goroutines waited up to 3.1 ms to run (p99)",
		Advice:   "raise --threads, or add clients on another host",
	}
}

func serverPanel() views.ServerPanel {
	return views.ServerPanel{
		Facts: []string{"1.14M ops/s (99% ours)", "cpu 97% of a core", "clients 51 of 10000", "mem 14.2 MB of 1.0 GB", "evicted 0", "hits 98%",
			"in 96.0 MB/s", "out 5.4 MB/s", "saved 12 s ago"},
		Share: "commands take 5.2 % of the server's time",
	}
}

// beats is a second's figure for each of two minutes.
func beats(level, swing float64) []views.Sample {
	out := make([]views.Sample, 120)
	for i := range out {
		out[i] = views.Sample{Age: time.Duration(119-i) * time.Second, Value: level + swing*wave(i)}
	}
	return out
}

func gauges() []views.Gauge {
	return []views.Gauge{
		{Label: "cpu", Value: "97% of a core", Full: number(.97), Top: 1, Samples: beats(.95, .04)},
		{Label: "client", Value: "62% of 2 cores", Full: number(.62), Top: 1, Samples: beats(.6, .1)},
		{Label: "ops/s", Value: "1,142,305  99% ours", Samples: beats(1.1e6, 5e4)},
		{Label: "memory", Value: "14.2 MB of 1.0 GB", Full: number(.0142), Samples: beats(14e6, 1e5)},
		{Label: "hits", Value: "98.2%", Full: number(.982), Top: 1, Samples: beats(.97, .02)},
		{Label: "net in", Value: "96.0 MB/s", Samples: beats(96e6, 3e6)},
		{Label: "net out", Value: "5.4 MB/s", Samples: beats(5.4e6, 2e5)},
		{Label: "clients", Value: "51 of 10,000", Full: number(.0051), Samples: beats(51, 0)},
	}
}

func serverPage() views.ServerPage {
	us := func(v float64) views.Duration { return ms(v / 1000) }
	return views.ServerPage{
		Header: header(), Limiter: limiter(), Share: "commands take 5.2 % of the server's time", Gauges: gauges(),
		Span: 120 * time.Second, At: 102 * time.Second,
		Marks: []views.Mark{{Age: 72 * time.Second, Text: "pipeline 1 > 16"}, {Age: 30 * time.Second, Text: "RDB save"}, {Age: 21 * time.Second, Text: "RDB saved"}},
		Facts: []views.CardRow{
			{Label: "server", Value: "redis 7.0.15 standalone   master   up 3 days   jemalloc-5.2.1   build 636cde3b5c7a3923"},
			{Label: "keeps", Value: "AOF on   no save under way   last fork 1.2 ms"},
			{Label: "memory", Value: "14.2 MB used   21.9 MB resident   fragmentation 1.54   maxmemory 1.0 GB noeviction"},
			{Label: "this machine", Value: "AMD EPYC 7B13   8 cores   33.6 GB   Linux 6.1.0-18-amd64   docker"},
			{Label: "client", Value: "2 cores (GOMAXPROCS)   goroutines waited up to 0.1 ms (p99)"},
		},
		Commands: []views.CommandTime{
			{Name: "set", Rate: number(910_000), PerCall: us(.61), P50: us(.503), P99: us(2.007), Share: number(.8)},
			{Name: "get", Rate: number(228_000), PerCall: us(.41), P50: us(.4), P99: us(1.003), Share: number(.19)},
			{Name: "config|get", Rate: number(1), PerCall: us(31)},
		},
		Notes: []views.Note{{Warning: true, Text: "12 clients were closed because of their output buffer"}, {Text: "16:02:40 RDB save"}},
		Keys:  []views.Key{{Keys: "?", Does: "help"}, {Keys: "q", Does: "quit"}, {Keys: "v", Does: "back"}, {Keys: "p", Does: "prove limiter"}},
	}
}

// silentPage is that of a server that refuses INFO.
func silentPage() views.ServerPage {
	v := serverPage()
	v.Silent, v.Share, v.Commands, v.Notes = "the server tells nothing: INFO: NOPERM this user has no permissions to run the 'info' command", "", nil, nil
	v.Limiter, v.Proof = clientBound(), "client-bound: 4 threads in place of 2 gave x 1.83 [1.79..1.88]"
	v.Gauges = v.Gauges[:2]
	v.Gauges[0] = views.Gauge{Label: "cpu", Value: "-"}
	v.Facts = v.Facts[3:]
	return v
}

// held is the live screen under another limit, or with a server that says nothing.
func held(l views.Limiter, p views.ServerPanel) views.Live {
	v := live()
	v.Limiter, v.Server = l, p
	return v
}

// nodes are so many primaries of a cluster and a replica of each of the last two; the
// second has failed, and its replica has taken over.
func nodes(n int) views.Nodes {
	out := views.Nodes{Title: "nodes, last 5s", Legend: "errors of the whole run"}
	for i := range n {
		out.List = append(out.List, views.Node{
			Address: fmt.Sprintf("127.0.0.1:%d", 7001+i), Role: "primary", Slots: 16384 / n, Clients: 17, Connected: 17,
			Ops: number(110_000 + 12_000*wave(i)), Share: number(1 / float64(n)), P99: ms(0.75 + 0.15*wave(i+9)), CPU: number(0.9 + 0.1*wave(i+3)),
		})
	}
	return out
}

// failing is a cluster whose second node has gone.
func failing(n int) views.Nodes {
	all := nodes(n)
	gone := &all.List[1]
	gone.Gone, gone.Connected, gone.Slots, gone.Ops, gone.P99, gone.CPU, gone.Share = true, 0, 0, views.Number{}, views.Duration{}, views.Number{}, number(0)
	gone.Errors = 1_204
	replica := all.List[0]
	replica.Address, replica.Role, replica.Connected = "127.0.0.1:7104", "replica", 11
	all.List = append(all.List, replica)
	return all
}

// cluster is the live screen of a cluster.
func cluster(n views.Nodes) views.Live {
	l := live()
	l.Header.Server, l.Header.Cluster = "redis 7.0.15 cluster", "3 primaries"
	l.Nodes = n
	return l
}

// longNamed has addresses that differ at their ends only.
func longNamed() views.Nodes {
	all := failing(3)
	for i := range all.List {
		all.List[i].Address = fmt.Sprintf("benchmarks-0001.abcdef.clustercfg.euw1.cache.amazonaws.com:%d", 7001+i)
	}
	return all
}

// view is what every view of the package can do.
type view interface {
	Render(f views.Frame) string
}

// example is a view with ordinary values, under the name of its golden files.
type example struct {
	name string
	view view
}

func examples() []example {
	edit := views.Edit{Label: "pipeline", Text: "32", Cursor: 2, Hint: "enter set, esc cancel, 1..100000"}
	refused := views.Edit{Label: "pipeline", Text: "3x2", Cursor: 1, Error: "not a number, want 1..100000", Hint: edit.Hint}
	editing := live()
	editing.Edit = &edit
	editing.Banner = "built-in demo server: its speed says nothing about Redis"
	return append([]example{
		{"live", live()},
		{"live-edit", editing},
		{"header", header()},
		{"strip", views.Strip(knobs())},
		{"throughput", throughput()},
		{"throughput-zoomed", zoomed()},
		{"live-open", open()},
		{"latency", latencyChart()},
		{"live-cluster", cluster(nodes(3))},
		{"live-cluster-failing", cluster(failing(5))},
		{"live-cluster-many", cluster(failing(20))},
		{"nodes", failing(3)},
		{"nodes-long", longNamed()},
		{"table", table()},
		{"distribution", views.Distribution{Title: "distribution, last 5 s", Bars: bars()}},
		{"notes", views.Notes(notes())},
		{"keys", views.KeyLine(keys())},
		{"edit", edit},
		{"edit-refused", refused},
		{"help", help()},
		{"card", card()},
		{"strip-paged", views.Strip(manyKnobs())},
		{"server", serverPage()},
		{"server-silent", silentPage()},
		{"gauge", gauges()[0]},
		{"limiter", clientBound()},
		{"panel", serverPanel()},
		{"live-client", held(clientBound(), serverPanel())},
		{"live-silent", held(limiter(), views.ServerPanel{Silent: silentPage().Silent})},
		{"picker", picker()},
		{"picker-line", pickerLine()},
		{"small", views.TooSmall{Ops: number(1_142_305), P50: ms(0.228), P99: ms(0.645), Running: true, NeedWide: 80, NeedTall: 24}},
	}, compareExamples()...)
}

// manyKnobs are more than a line of 80 columns has room for; the last but one has
// the focus.
func manyKnobs() []views.Knob {
	all := append(knobs(), views.Knob{Name: "dist", Value: "zipf:0.99", Range: "zipf"}, views.Knob{Name: "batch", Value: "pipeline", Range: "multi none"})
	all[1].Focused, all[7].Focused = false, true
	return all
}

// picker is a mix of two tests, of which the filter leaves one to be seen.
func picker() views.Picker {
	return views.Picker{
		Title: "command", Filter: "get", Of: 21, Chosen: "set=1,get=3",
		Rows: []views.PickerRow{
			{Name: "GET", About: "GET key:__rand_int__", Weight: 3, Focused: true},
			{Name: "MGET", About: "MGET key:__rand_int__ key:__rand_int__ key:__rand_int__ key:__rand_int__ key:__rand_int__"},
		},
		Line: views.Edit{Label: "command", Hint: "such as SET key:__rand_int__ __data__"},
		Keys: []views.Key{{Keys: "enter", Does: "send"}, {Keys: "esc", Does: "close"}, {Keys: "space", Does: "in or out"}, {Keys: "+/-", Does: "weight"}, {Keys: ":", Does: "own command"}},
	}
}

// pickerLine is a command that writes where it may not be meant to.
func pickerLine() views.Picker {
	p := picker()
	p.Filter, p.OnLine, p.Chosen = "", true, "SET visits 1"
	p.Rows = nil
	for i, name := range []string{"PING_INLINE", "PING_MBULK", "SET", "GET", "INCR", "LPUSH", "RPUSH", "LPOP", "RPOP", "SADD", "HSET", "SPOP", "ZADD", "ZPOPMIN", "LRANGE_100", "LRANGE_300"} {
		p.Rows = append(p.Rows, views.PickerRow{Name: name, About: name + " key", Focused: i == 12})
	}
	p.Line.Text, p.Line.Cursor = "SET visits 1", 12
	p.Warning = []string{"SET visits 1 writes visits, which is outside fullbore: and may hold what others need; enter again sends it"}
	return p
}

func help() views.Help {
	return views.Help{
		Title: "keys",
		Groups: []views.HelpGroup{
			{Title: "knobs", Keys: []views.Key{
				{Keys: "tab / shift+tab", Does: "next / previous knob"},
				{Keys: "left / right", Does: "one step down / up"},
				{Keys: "H / L", Does: "a large step"},
				{Keys: "enter", Does: "type an exact value"},
			}},
			{Title: "load", Keys: []views.Key{
				{Keys: "space", Does: "pause / resume the load"},
				{Keys: "r", Does: "reset histograms and chart"},
				{Keys: "c", Does: "enter / leave A/B"},
				{Keys: "s", Does: "store as baseline"},
				{Keys: "w", Does: "write results to a file"},
			}},
			{Title: "display", Keys: []views.Key{
				{Keys: "f", Does: "freeze / unfreeze the display, the load continues"},
				{Keys: "+ / -", Does: "zoom the time range"},
				{Keys: "y", Does: "scale: auto / from zero"},
				{Keys: "t", Does: "table window"},
				{Keys: "[ / ]", Does: "screen slower / faster"},
				{Keys: "ctrl+l", Does: "redraw"},
			}},
			{Title: "leaving", Keys: []views.Key{
				{Keys: "? / F1", Does: "this help"},
				{Keys: "esc", Does: "close, cancel; never quits"},
				{Keys: "q", Does: "quit and print the summary"},
				{Keys: "Q", Does: "quit, keep the last screen"},
				{Keys: "ctrl+c", Does: "stop at once"},
				{Keys: "ctrl+z", Does: "suspend, the load pauses first"},
			}},
		},
		Footer: "? or esc closes",
	}
}

func card() views.Card {
	return views.Card{
		Title: "before the load starts",
		Rows: []views.CardRow{
			{Label: "target", Value: "10.0.0.7:6379"},
			{Label: "server", Value: "redis 7.0.15 standalone, master"},
			{Label: "keys", Value: "1,204,311 in db 0", Warning: true},
			{Label: "memory", Value: "3.1 GB of 4.0 GB"},
			{Label: "load", Value: "50 clients, pipeline 16, SET 64 B over 100k keys"},
		},
		Text: []string{
			"This server is not on this machine and already holds keys. The load writes only keys that begin with fullbore: and removes them at the end.",
		},
		Keys: []views.Key{{Keys: "enter", Does: "start"}, {Keys: "q", Does: "quit"}, {Keys: "?", Does: "help"}},
	}
}
