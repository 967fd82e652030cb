package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
	"fullbore/views"
)

// What a screen says beside its numbers: of stalls (M8), of a schedule (M9), of
// steadiness (M12).

// snapshotOf starts a screen on fixedSnapshot with changes.
func snapshotOf(changes ...func(*stats.Snapshot)) func(*Options) {
	return func(o *Options) {
		start := o.Start
		o.Start = func(p loadgen.Plan) Engine {
			e := start(p).(*fakeEngine)
			s := fixedSnapshot()
			for _, change := range changes {
				change(s)
			}
			e.snap.Store(s)
			return e
		}
	}
}

// opened turns the present segment into an open loop that keeps its rate.
func opened(s *stats.Snapshot) {
	for _, g := range []*stats.Segment{&s.Window, &s.Current} {
		g.Target, g.Pipeline = 1_140_000, 1
		g.Service, g.Lag = latencyOf(20*time.Microsecond, 90), latencyOf(time.Microsecond, 8)
	}
	s.Current.Counters.Replies = int64(1_139_900 * s.Current.Measured.Seconds())
	s.Warnings = nil
}

// late is opened, fallen behind.
func late(s *stats.Snapshot) {
	s.Current.Target = 1_500_000
	s.Current.Lag = latencyOf(80*time.Microsecond, 900)
	s.Warnings = []string{"cannot keep this rate: 1139900/s of 1500000/s, schedule lag p99 971µs"}
}

// delayed was measured under a simulated round trip.
func delayed(s *stats.Snapshot) {
	p := firstPlan()
	p.Pipeline, p.RTT = 16, time.Millisecond
	s.Current.Plan = p.String()
}

// stalled is a segment that never came to rest and in which the server stood still.
func stalled(s *stats.Snapshot) {
	s.Current.Steady = stats.NotSteady
	s.Current.Gaps = stats.Gaps{Longest: 2003 * time.Millisecond, Count: 3, Total: 2400 * time.Millisecond}
	s.Gaps = s.Current.Gaps
	s.Notes = []stats.Note{{At: time.Minute, Text: "pipeline 1 > 16"},
		{At: 63 * time.Second, Warning: true, Text: "not steady: throughput still moved when measuring began"}}
	for i := range s.Points {
		if p := &s.Points[i]; p.At > 90*time.Second && p.At <= 92*time.Second {
			p.Replies, p.P50, p.P99, p.P999 = 0, 0, 0, 0
		}
	}
}

// settling is a moment at which nothing was measured under the new plan yet.
func settling(s *stats.Snapshot) {
	s.State, s.Warnings = stats.Settling, nil
	settledSince(s, time.Minute)
	s.Points = s.Points[:620]
	s.Elapsed = s.Points[619].At
	s.Current = stats.Segment{Epoch: 2, Plan: s.Current.Plan, Clients: 50, Pipeline: 16}
}

func settledSince(s *stats.Snapshot, at time.Duration) {
	for i := range s.Points {
		s.Points[i].Measured = s.Points[i].Measured && s.Points[i].At <= at
	}
}

// tableOf is the table of fixedSnapshot with changes.
func tableOf(changes ...func(*stats.Snapshot)) views.Table {
	s := fixedSnapshot()
	for _, change := range changes {
		change(s)
	}
	return sceneOf(s).live().Table
}

func labels(t views.Table) []string {
	var out []string
	for _, r := range t.Rows {
		out = append(out, r.Label)
	}
	return out
}

// TestOpenLoopShowsBothTimes holds that the table of an open loop has response and
// service time, and the lag between schedule and sending (M9).
func TestOpenLoopShowsBothTimes(t *testing.T) {
	table := tableOf(opened)
	want := []string{"p50", "p75", "p90", "p99", "p99.9", "p99.99", "max", "svc p50", "svc p99", "lag p99", "p50 / P", "ops/s"}
	if got := labels(table); !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
	s := fixedSnapshot()
	opened(s)
	service, _ := s.Current.Service.Quantile(.99)
	lag, _ := s.Current.Lag.Quantile(.99)
	for label, want := range map[string]time.Duration{"svc p99": service, "lag p99": lag} {
		r := table.Rows[slices.Index(labels(table), label)]
		if r.Times[1] != (views.Duration{Value: want, OK: true}) || !r.MoreIsBad {
			t.Errorf("%s is %+v, want %v", label, r.Times[1], want)
		}
		if r.Times[2].OK {
			t.Errorf("%s of the closed loop before is %v", label, r.Times[2])
		}
	}
	// On the smallest screen they are all there.
	d := newDesk(t, snapshotOf(opened))
	for _, want := range []string{"svc p50", "svc p99", "lag p99", "p99.9", "max", "svc: service", "open: 100% of 1,140,000/s"} {
		if !strings.Contains(d.m.View(), want) {
			t.Errorf("80x24 has no %q:\n%s", want, d.m.View())
		}
	}
	if closed := tableOf(); slices.Contains(labels(closed), "svc p50") || closed.Legend != "" {
		t.Errorf("a closed loop has rows %q, legend %q", labels(closed), closed.Legend)
	}
}

// TestOpenLoopBeforeItIsMeasured holds that the wanted rate is named at once.
func TestOpenLoopBeforeItIsMeasured(t *testing.T) {
	c := sceneOf(&stats.Snapshot{State: stats.Preparing})
	c.plan.Rate = .5
	if got := c.live().Table.Title; got != "latency ms  (from plan, P=1, open at 0.5/s)" {
		t.Errorf("title %q", got)
	}
}

// TestMarks holds that a doubtful column says so for as long as it is doubtful.
func TestMarks(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*stats.Snapshot)
		want   string
	}{
		{"clean", func(*stats.Snapshot) {}, "latency ms  (own reply, P=16, closed)"},
		{"steady", func(s *stats.Snapshot) { s.Current.Steady = stats.Steady }, "latency ms  (own reply, P=16, closed)"},
		{"not steady", stalled, "latency ms  (own reply, P=16, closed)  not steady"},
		{"kept", opened, "latency ms  (from plan, P=1, open: 100% of 1,140,000/s)"},
		{"simulated", delayed, "latency ms  (own reply, P=16, rtt 1ms simulated, closed)"},
		{"missed", func(s *stats.Snapshot) { opened(s); late(s) }, "latency ms  (from plan, P=1, open: 75.9% of 1,500,000/s)  rate not kept"},
		{"late", func(s *stats.Snapshot) { opened(s); s.Current.Lag = latencyOf(80*time.Microsecond, 900) },
			"latency ms  (from plan, P=1, open: 100% of 1,140,000/s)  late"},
		{"both", func(s *stats.Snapshot) { opened(s); late(s); s.Current.Steady = stats.NotSteady },
			"latency ms  (from plan, P=1, open: 75.9% of 1,500,000/s)  not steady  rate not kept"},
	} {
		s := fixedSnapshot()
		c.change(s)
		l := sceneOf(s).live()
		if l.Table.Title != c.want || l.Latency.Title != strings.Replace(strings.TrimPrefix(c.want, "latency ms  ("), ")", "", 1) {
			t.Errorf("%s: titles %q and %q, want %q", c.name, l.Table.Title, l.Latency.Title, c.want)
		}
	}
}

// TestStallsAreOfThePresentSegment holds that a gap is said while it concerns the
// numbers on the screen, and not for ever.
func TestStallsAreOfThePresentSegment(t *testing.T) {
	said := func(s *stats.Snapshot) string {
		for _, n := range sceneOf(s).live().Notes {
			if n.Warning && strings.Contains(n.Text, "gap") {
				return n.Text
			}
		}
		return ""
	}
	s := fixedSnapshot()
	stalled(s)
	if got, want := said(s), "longest gap 2.0 s, 3 gaps, 5.8% of the time stalled"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.Current.Gaps = stats.Gaps{Longest: 40 * time.Millisecond} // the next segment
	if got := said(s); got != "" {
		t.Errorf("%q although the present segment has no gap", got)
	}
	s.Current.Target = 5 // at five requests a second 200 ms without one are as planned
	s.Current.Gaps = stats.Gaps{Longest: 201 * time.Millisecond, Count: 90, Total: 18 * time.Second}
	if got := said(s); got != "" {
		t.Errorf("%q of a schedule's own gaps", got)
	}
	s.Current.Gaps.Longest = 1500 * time.Millisecond
	if got := said(s); !strings.HasPrefix(got, "longest gap 1.5 s, 90 gaps") {
		t.Errorf("%q of a stop beyond the schedule's own gaps", got)
	}
	s.Current.Target, s.Current.Gaps, s.Current.Measured = 0, stats.Gaps{Longest: time.Second, Count: 1, Total: time.Second}, 0
	if got := said(s); got != "longest gap 1.0 s, 1 gap" {
		t.Errorf("%q before anything was measured", got)
	}
}

// TestAStallKeepsItsLine holds that on two lines of notes the stall is not hidden
// behind the older news that the throughput was not steady.
func TestAStallKeepsItsLine(t *testing.T) {
	d := newDesk(t, snapshotOf(stalled, func(s *stats.Snapshot) { s.Warnings = nil }))
	for _, want := range []string{"! longest gap 2.0 s, 3 gaps, 5.8% of the time stalled", "closed)  not steady"} {
		if !strings.Contains(d.m.View(), want) {
			t.Errorf("80x24 has no %q:\n%s", want, d.m.View())
		}
	}
}

func TestPortion(t *testing.T) {
	for share, want := range map[float64]string{
		0: "0%", .0001: "<1%", .0099: "<1%", .01: "1%", .04: "4%", .0585: "5.8%", .5: "50%",
		.9899: "98.9%", .98999: "98.9%", .99: "99%", .9994: "99.9%", .9998: "100%", 1: "100%", 1.02: "100%",
	} {
		if got := portion(share); got != want {
			t.Errorf("portion(%v) = %q, want %q", share, got, want)
		}
	}
}

func TestRateWords(t *testing.T) {
	for rate, want := range map[float64]string{.5: "0.5", .001: "0.001", 2.5: "2.5", 99.9: "99.9", 100: "100", 20_000: "20,000", 1e9: "1,000,000,000"} {
		if got := rateWords(rate); got != want {
			t.Errorf("rateWords(%v) = %q, want %q", rate, got, want)
		}
	}
}

// TestRatesBelowOne holds that the knob takes what --rate takes, and that no step
// down from half a request a second ends in as many as there can be.
func TestRatesBelowOne(t *testing.T) {
	knob := rateKnob()
	for text, want := range map[string]float64{"0.5": .5, ".25/s": .25, "1.5k": 1500, "20k": 20_000, "max": 0, "0": 0} {
		p, err := knob.parse(firstPlan(), text)
		if err != nil || p.Rate != want {
			t.Errorf("%q: rate %v, %v; want %v", text, p.Rate, err, want)
		}
	}
	for _, text := range []string{"", "fast", "-1", "2G", "1e5x"} {
		if p, err := knob.parse(firstPlan(), text); err == nil {
			t.Errorf("%q: rate %v", text, p.Rate)
		}
	}
	p := firstPlan()
	p.Rate = .5
	if got := knob.value(p); got != "0.5" {
		t.Errorf("value %q", got)
	}
	for steps, want := range map[int]float64{-1: .5, -9: .5, 1: 1, 2: 2, 3: 5} {
		if got := knob.move(p, steps).Rate; got != want {
			t.Errorf("%d steps from 0.5/s: %v, want %v", steps, got, want)
		}
	}
}

// TestFrozenPausedSmall holds that below the minimum size a paused load is not said
// to run because the display is frozen over it.
func TestFrozenPausedSmall(t *testing.T) {
	d := newDesk(t)
	d.press(" ", "f")
	if d.state() != "FROZEN PAUSED" {
		t.Errorf("state %s", d.state())
	}
	d.send(tea.WindowSizeMsg{Width: 52, Height: 14})
	if got := d.m.View(); strings.Contains(got, "still running") || !strings.Contains(got, "load is not running") {
		t.Errorf("the screen says\n%s", got)
	}
	d.press(" ")
	if got := d.m.View(); !strings.Contains(got, "load is still running") {
		t.Errorf("after resuming\n%s", got)
	}
}
