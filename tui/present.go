package tui

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/views"
)

// scene is everything the live screen shows, as values. Mapping it to views
// structs computes no percentile (the sampler did) and reads no clock: ages come
// from the snapshot's own time.
type scene struct {
	facts      Facts
	plan       loadgen.Plan
	fast, slow *stats.Snapshot // nil before the engine has published
	started    time.Time

	frozen, over, failed bool
	hertz                int
	span                 time.Duration
	scale                views.Scale
	from                 time.Duration
	whole                bool
	baseline             *stats.Segment
	notes                []stats.Note
	told                 told
	proving              bool
	proof                string

	knobs []views.Knob
	edit  *views.Edit
	keys  []views.Key
}

// live is the scene as a view.
func (c scene) live() views.Live {
	c = c.filled()
	return views.Live{
		Header: c.header(), Banner: c.banner(), Knobs: c.knobs,
		Throughput: c.throughput(), Latency: c.latency(), Table: c.table(),
		Bars: bars(c.slow.Bars), BarsTitle: "distribution, " + c.lastWords(),
		Nodes: c.nodes(), Server: c.server(), Limiter: c.limiter(), Notes: c.noteLines(), Keys: c.keys, Edit: c.edit,
	}
}

// filled is c with snapshots of nothing where there are none yet.
func (c scene) filled() scene {
	if c.fast == nil {
		c.fast = &stats.Snapshot{}
	}
	if c.slow == nil {
		c.slow = c.fast
	}
	return c
}

func (c scene) header() views.Header {
	s := c.fast
	state, tone := c.state()
	return views.Header{
		Target: c.facts.Target, Server: c.facts.Server, Cluster: c.cluster(), Origin: c.facts.Origin, RTT: c.facts.RTT,
		State: state, StateTone: tone, Running: c.running(),
		Elapsed: s.Elapsed.Truncate(time.Second), // a header that changes once a second
		Errors:  s.Total.Errors + s.Total.Lost, Hertz: c.hertz,
		Connected: s.Connected, Clients: s.Clients,
	}
}

// state is what the run, or the display, is doing.
func (c scene) state() (string, views.Tone) {
	s := c.fast
	switch {
	case c.failed:
		return "FAILED", views.Bad
	case c.over || s.State == stats.Done:
		return "DONE", views.Muted
	case c.proving:
		return "PROVING", views.Caution
	case c.frozen && c.paused():
		return "FROZEN PAUSED", views.Caution
	case c.frozen:
		return "FROZEN", views.Caution
	case c.paused():
		return "PAUSED", views.Caution
	case s.State == stats.Preparing || s.Pending && s.Progress.Total > 0:
		return "PREPARING" + percent(s.Progress), views.Caution
	case s.State == stats.Settling:
		return "SETTLING" + c.settlingFor(), views.Caution
	case s.State == stats.Measuring:
		return "RUN", views.Good
	case s.State == stats.Draining:
		return "STOPPING", views.Muted
	}
	return "WAITING", views.Muted
}

// paused follows the wish as well as the run, so that the key shows its effect at
// once.
func (c scene) paused() bool { return c.plan.Paused || c.fast.State == stats.Paused }

// running reports whether load is sent, however little of it the display shows.
func (c scene) running() bool {
	loaded := c.fast.State == stats.Measuring || c.fast.State == stats.Settling
	return loaded && !c.paused() && !c.over && !c.failed
}

// settlingFor is how long samples have been set apart under the present plan, in
// whole seconds, so that the header is not sent again with every frame.
func (c scene) settlingFor() string {
	var d time.Duration
	all := c.fast.Points
	for i := len(all) - 1; i >= 0; i-- {
		if p := all[i]; p.Measured || p.Paused || p.Epoch != c.fast.Epoch {
			break
		}
		d += all[i].Span
	}
	if d < second {
		return ""
	}
	return fmt.Sprintf(" %ds", d/second)
}

func percent(p stats.Progress) string {
	if p.Total <= 0 {
		return ""
	}
	return fmt.Sprintf(" %d%%", min(max(p.Done, 0)*100/p.Total, 100))
}

// first is the earliest moment on the time axis of both charts.
func (c scene) first() time.Duration { return max(c.fast.Elapsed-c.span, c.from) }

// points are those on the axis.
func (c scene) points() []stats.Point {
	all, first := c.fast.Points, c.first()
	return all[sort.Search(len(all), func(i int) bool { return all[i].At > first }):]
}

func (c scene) throughput() views.Throughput {
	now := c.fast.Elapsed
	t := views.Throughput{Span: c.span, At: now, Scale: c.scale}
	for _, p := range c.points() {
		t.Samples = append(t.Samples, views.Sample{Age: max(now-p.At, 0), Value: rate(p)})
	}
	t.Marks = c.happened(now, c.first(), c.fast.Marks)
	t.Now, t.Peak = recent(c.fast.Points), peak(c.fast.Points, c.from)
	t.Average = number(c.slow.Current.Throughput())
	if w := c.slow.Window; w.Measured > 0 {
		t.Bytes = number(stats.Rate(w.Counters.BytesIn+w.Counters.BytesOut, w.Measured))
	}
	return t
}

// rate is successful replies per second over the point's own measured length; a
// pause is no data, a stall is an honest zero (M8).
func rate(p stats.Point) float64 {
	if p.Paused || p.Span <= 0 {
		return math.NaN()
	}
	return float64(p.Replies) / p.Span.Seconds()
}

// second is the shortest time whose rate is worth a headline number.
const second = time.Second

// recent is the rate of about the last second; unknown while paused.
func recent(points []stats.Point) views.Number {
	var replies int64
	var span time.Duration
	for i := len(points) - 1; i >= 0 && span < second && !points[i].Paused; i-- {
		replies += points[i].Replies
		span += points[i].Span
	}
	if span < second/10 {
		return views.Number{}
	}
	return views.Number{Value: float64(replies) / span.Seconds(), OK: true}
}

// peak is the best second since from, wherever it began: of whole seconds one after
// the other the best can be below the average.
func peak(points []stats.Point, from time.Duration) views.Number {
	var best views.Number
	var replies int64
	var span time.Duration
	first := 0 // of the points within the second
	for i, p := range points {
		if p.At <= from || p.Paused {
			replies, span, first = 0, 0, i+1
			continue
		}
		replies, span = replies+p.Replies, span+p.Span
		for ; span-points[first].Span >= second; first++ {
			replies, span = replies-points[first].Replies, span-points[first].Span
		}
		if span >= second {
			if v := float64(replies) / span.Seconds(); v > best.Value {
				best = views.Number{Value: v, OK: true}
			}
		}
	}
	return best
}

func (c scene) latency() views.LatencyChart {
	now := c.fast.Elapsed
	chart := views.LatencyChart{Span: c.span, At: now, Title: c.method() + strings.Join(c.marks(), ""), Legend: c.legend()}
	for _, p := range c.points() {
		chart.Samples = append(chart.Samples, views.LatencySample{Age: max(now-p.At, 0), P50: p.P50, P99: p.P99, P999: p.P999})
	}
	return chart
}

// grouped is n with thousands set apart, as the screen writes all numbers.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// lastWords names the moment of the first column.
func (c scene) lastWords() string {
	d := windowOf(c.plan)
	return "last " + fmt.Sprintf("%gs", d.Seconds())
}

// table is the percentile table: now, since the change, and what to compare with.
// The t key gives the first column two meanings, not the three of SCREENS.md: the
// third, since the change, always stands in the column beside it.
func (c scene) table() views.Table {
	first, name := c.slow.Window, c.lastWords()
	if c.whole {
		first, name = c.slow.Whole, "whole run"
	}
	third, before := c.slow.Before, "before change"
	if c.baseline != nil {
		third, before = c.baseline, "baseline"
	}
	if third == nil {
		third = &stats.Segment{}
	}
	segments := [3]stats.Segment{first, c.slow.Current, *third}
	return views.Table{
		Title:   "latency ms  (" + c.method() + ")" + strings.Join(c.marks(), ""),
		Legend:  c.legend(),
		Columns: [3]string{name, "since change", before},
		Rows:    rows(segments, c.open()),
	}
}

// rows are the lines of the table in the order of drawing 3. In open loop the
// smallest screen shows service time and lag (M9) in place of p90 and p99.99, which
// come back with the height.
func rows(s [3]stats.Segment, open bool) []views.Row {
	var out []views.Row
	for _, q := range []struct {
		label string
		at    float64
	}{{"p50", .50}, {"p75", .75}, {"p90", .90}, {"p99", .99}, {"p99.9", .999}, {"p99.99", .9999}} {
		r := timeRow(q.label, s, func(g stats.Segment) (time.Duration, bool) { return g.Latency.Quantile(q.at) })
		if open && (q.label == "p90" || q.label == "p99.99") {
			r.Drop = views.DropFirst
		}
		out = append(out, r)
	}
	out = append(out, timeRow("max", s, func(g stats.Segment) (time.Duration, bool) { return g.Latency.Max, g.Latency.Count > 0 }))
	if open {
		out = append(out,
			timeRow("svc p50", s, func(g stats.Segment) (time.Duration, bool) { return g.Service.Quantile(.50) }),
			timeRow("svc p99", s, func(g stats.Segment) (time.Duration, bool) { return g.Service.Quantile(.99) }),
			timeRow("lag p99", s, func(g stats.Segment) (time.Duration, bool) { return g.Lag.Quantile(.99) }),
		)
	}
	out = append(out,
		// A cost, not a latency: what a command takes when P of them share a round trip (M1).
		timeRow("p50 / P", s, func(g stats.Segment) (time.Duration, bool) {
			v, ok := g.Latency.Quantile(.50)
			return v / time.Duration(max(g.Pipeline, 1)), ok
		}))
	ops := views.Row{Label: "ops/s"}
	for i, g := range s {
		ops.Numbers[i] = number(g.Throughput())
	}
	return append(out, ops)
}

func timeRow(label string, s [3]stats.Segment, of func(stats.Segment) (time.Duration, bool)) views.Row {
	r := views.Row{Label: label, IsTime: true, MoreIsBad: true}
	for i, g := range s {
		v, ok := of(g)
		r.Times[i] = views.Duration{Value: v, OK: ok}
	}
	return r
}

func number(v float64, ok bool) views.Number { return views.Number{Value: v, OK: ok} }

// bars turns counts into shares of all.
func bars(in []stats.Bar) []views.Bar {
	var total int64
	for _, b := range in {
		total += b.Count
	}
	if total == 0 {
		return nil
	}
	out := make([]views.Bar, len(in))
	for i, b := range in {
		out[i] = views.Bar{UpTo: b.UpTo, Share: float64(b.Count) / float64(total), Last: i == len(in)-1}
	}
	return out
}
