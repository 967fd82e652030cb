package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/views"
)

// stated starts the comparison at a state with changes.
func stated(change func(*experiment.State)) func(*Options) {
	return func(o *Options) {
		start := o.Comparison.Start
		o.Comparison.Start = func(a []experiment.Arm, k []experiment.Case, r experiment.Rules) Contest {
			c := start(a, k, r)
			s := *c.Snapshot()
			change(&s)
			c.(*fakeContest).snap.Store(&s)
			return c
		}
	}
}

// renewed has the pairs begun anew twice: B was at P=4 for nine pairs, and before that
// at P=1 for eight.
func renewed(s *experiment.State) {
	before := func(depth, pairs int) experiment.Series {
		old := fixedState(armsOf(1, depth), pairs)
		return experiment.Series{Plans: []string{old.Arms[0].Arm.Plan.String(), old.Arms[1].Arm.Plan.String()}, Results: old.Results}
	}
	s.Earlier = []experiment.Series{before(1, 8), before(4, 9)}
	s.Notes = []stats.Note{{At: 21 * time.Second, Text: "arm P=16: pipeline 1 > 4; the pairs begin anew"}, {At: 44 * time.Second, Text: "arm P=16: pipeline 4 > 16; the pairs begin anew"}}
	for i := range s.Results[0].Arms {
		for k := range s.Results[0].Arms[i].Rounds {
			s.Results[0].Arms[i].Rounds[k].At += 45 * time.Second
		}
	}
}

func found(kind paired.Kind, f paired.Finding) func(*experiment.State) {
	return func(s *experiment.State) {
		f.Verdict.Kind = kind
		s.Results[0].Findings[1] = f
	}
}

// clientHeld is a comparison of which the load generator was the limit of B.
func clientHeld(s *experiment.State) {
	found(paired.CannotTell, paired.Finding{Pairs: 12, Ratio: 6.77, Low: 6.51, High: 7.02, P: .001, Floor: .012, Why: paired.ClientBound, ClientB: true})(s)
	s.Results[0].Arms[0].Limiter = insight.Limiter{Name: insight.ByServer, Evidence: "server main thread 97 % of a core"}
	s.Results[0].Arms[1].Limiter = insight.Limiter{Name: insight.ByClient, Evidence: "client 99 % of 2 cores (GOMAXPROCS)", Advice: "raise --threads"}
}

// TestClientBound holds that a comparison whose limit was the load generator names no
// winner, in no row, and says why.
func TestClientBound(t *testing.T) {
	s := fixedState(armsOf(1, 16), 12)
	clientHeld(s)
	v := bout(armsOf(1, 16), s).compare()
	if d := v.Verdicts[1]; d.Mark != views.MarkClient || !strings.HasPrefix(d.Text, "B: client-bound: ") {
		t.Errorf("verdict %+v", d)
	}
	if v.Sides[0].Limiter != "server" || v.Sides[1].Limiter != "client" {
		t.Errorf("limiters %q, %q", v.Sides[0].Limiter, v.Sides[1].Limiter)
	}
	warned := slices.ContainsFunc(v.Notes, func(n views.Note) bool {
		return n.Warning && n.Text == "B client-bound: client 99 % of 2 cores (GOMAXPROCS): raise --threads"
	})
	if !warned {
		t.Errorf("notes %+v", v.Notes)
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		screen := v.Render(views.Frame{Width: size[0], Height: size[1]})
		for _, word := range []string{"better", "worse", "faster: x"} {
			if strings.Contains(screen, word) {
				t.Errorf("%v says %q:\n%s", size, word, screen)
			}
		}
		if !strings.Contains(screen, "limiter A server  B client") {
			t.Errorf("%v does not tell the limiters:\n%s", size, screen)
		}
	}
}

func TestGoldenComparisons(t *testing.T) {
	several := func(o *Options) { o.Comparison.Cases = cases(t) }
	distant := armsOf(16, 16)
	distant[1].Plan.RTT, distant[1].Label = time.Millisecond, "rtt=1ms"
	for _, c := range []struct {
		name   string
		w, h   int
		arms   []experiment.Arm
		change func(*Options)
		keys   []string
	}{
		{"compare-80x24", 80, 24, armsOf(1, 16), nil, []string{"tab"}},
		{"compare-120x40", 120, 40, armsOf(1, 16), nil, []string{"tab"}},
		{"compare-first-80x24", 80, 24, armsOf(1, 16), stated(func(s *experiment.State) {
			*s = *fixedState(armsOf(1, 16), 0)
			s.Phase, s.Active, s.Pair = experiment.Preparing, -1, 0
		}), nil},
		{"compare-anew-80x24", 80, 24, armsOf(1, 16), stated(renewed), nil},
		{"compare-anew-120x40", 120, 40, armsOf(1, 16), stated(renewed), nil},
		{"compare-open-80x24", 80, 24, armsOf(1, 16), nil, []string{"tab", "enter", "x", "enter"}},
		{"compare-tell-80x24", 80, 24, armsOf(16, 16), stated(found(paired.CannotTell, paired.Finding{Pairs: 12, Ratio: 1.002, Low: .961, High: 1.043, P: .8, Floor: .041, Noise: .041, Why: paired.Noisy, More: 9})), nil},
		{"compare-client-80x24", 80, 24, armsOf(1, 16), stated(clientHeld), nil},
		{"compare-client-120x40", 120, 40, armsOf(1, 16), stated(clientHeld), nil},
		{"compare-competing-80x24", 80, 24, armsOf(1, 16), nil, []string{"i", "w"}},
		{"compare-paused-80x24", 80, 24, armsOf(1, 16), nil, []string{" "}},
		{"compare-rtt-80x24", 80, 24, distant, nil, nil},
		{"compare-servers-80x24", 80, 24, on(armsOf(1, 16), "6379", "6380"), nil, nil},
		{"compare-servers-120x40", 120, 40, on(armsOf(1, 16), "redis-server @ 40001", "redis-server --io-threads 4 @ 40002"), nil, nil},
		{"compare-three-80x24", 80, 24, armsOf(1, 4, 16), nil, []string{"3"}},
		{"compare-three-120x40", 120, 40, armsOf(1, 4, 16), nil, []string{"3"}},
		{"compare-six-120x40", 120, 40, armsOf(1, 2, 4, 8, 16, 32), several, []string{"n"}},
		{"compare-matrix-80x24", 80, 24, armsOf(1, 16), several, nil},
		{"compare-matrix-120x40", 120, 40, armsOf(1, 16), several, []string{"n"}},
		{"compare-help-80x24", 80, 24, armsOf(1, 16), nil, []string{"?"}},
		{"compare-small-52x14", 52, 14, armsOf(1, 16), nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := newBout(t, c.arms, func(o *Options) {
				if c.change != nil {
					c.change(o)
				}
			})
			for _, k := range c.keys {
				if cmd := d.press(k); k == "w" {
					d.send(cmd())
				}
			}
			d.send(tea.WindowSizeMsg{Width: c.w, Height: c.h})
			golden(t, c.name, d.m.View())
			fits(t, d.m.View(), c.w, c.h)
		})
	}
}

// bout is the mapping of a state of these arms, with B in focus.
func bout(arms []experiment.Arm, s *experiment.State) contrast {
	x := contrast{set: settingsOf(arms), arms: arms, side: 1, fast: s, slow: s, began: fixedNow(), hertz: 4}
	for i := range arms {
		x.order = append(x.order, i)
		x.strips = append(x.strips, newPanel(newKeyMap(), nil, arms[i].Plan, compareKnobs(true)).strip(arms[i].Plan))
	}
	return x
}

func TestVerdictMarks(t *testing.T) {
	for _, c := range []struct {
		kind  paired.Kind
		pairs int
		want  views.VerdictMark
		open  bool
	}{
		{paired.Faster, 12, views.MarkFaster, false},
		{paired.Slower, 12, views.MarkSlower, false},
		{paired.BelowPractical, 12, views.MarkSmall, true},
		{paired.NoDifference, 12, views.MarkSame, true},
		{paired.CannotTell, 12, views.MarkUnknown, true},
		{paired.CannotTell, 7, views.MarkWaiting, true},
		{"", 12, views.MarkWaiting, true},
	} {
		s := fixedState(armsOf(1, 16), 12)
		found(c.kind, paired.Finding{Pairs: c.pairs, Ratio: 1.5, Low: 1.4, High: 1.6, Floor: .012, More: 4})(s)
		v := bout(armsOf(1, 16), s).compare()
		got := v.Verdicts[1]
		if got.Mark != c.want || got.Ratio.Open != c.open || got.Pairs != c.pairs || got.More != 4 || got.Floor != (views.Number{Value: .012, OK: true}) {
			t.Errorf("%s after %d pairs: %+v", c.kind, c.pairs, got)
		}
		if row := v.Rows[0]; row.Label != "ops/s" || row.Ratios[1] != got.Ratio {
			t.Errorf("%s: the row of the metric has %+v", c.kind, row.Ratios)
		}
	}
}

// TestDoubtIsExplained holds that a verdict that tells nothing says why.
func TestDoubtIsExplained(t *testing.T) {
	s := fixedState(armsOf(1, 16), 12)
	found(paired.CannotTell, paired.Finding{Pairs: 12, Ratio: 1.5, Low: .9, High: 1.6, Noise: .041, More: 9, Why: paired.Noisy})(s)
	if got, want := bout(armsOf(1, 16), s).compare().Verdicts[1].Text, "B: cannot tell: noise ±4.1 %, about 9 more pairs"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.Results[0].Arms[1].Median = 0
	if got, want := bout(armsOf(1, 16), s).compare().Verdicts[1].Text, "B: cannot tell: most rounds of B had no reply"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	found(paired.Faster, paired.Finding{Pairs: 12, Ratio: 1.5})(s)
	s.Results[0].Arms[1].Median = 1
	if got := bout(armsOf(1, 16), s).compare().Verdicts[1].Text; got != "" {
		t.Errorf("of a claim: %q", got)
	}
}

// TestTheMetricOfAnOpenLoop holds that its verdict is on the row of the p99 (M21).
func TestTheMetricOfAnOpenLoop(t *testing.T) {
	s := fixedState(armsOf(1, 16), 12)
	s.Results[0].Metric = experiment.TailP99
	v := bout(armsOf(1, 16), s).compare()
	for _, r := range v.Rows {
		if got := len(r.Ratios) > 0; got != (r.Label == "p99") {
			t.Errorf("row %s: ratio of a verdict %v", r.Label, got)
		}
	}
	if v.Metric != "p99" {
		t.Errorf("metric %s", v.Metric)
	}
}

func TestHeaderOfAComparison(t *testing.T) {
	two := armsOf(1, 16)
	two[1].Place.Target = target.TCP("10.0.0.7", 7000)
	two[1].Place.Command, two[1].Place.Replicas = "redis-server --io-threads 2", 1
	one := armsOf(1, 16)
	for _, c := range []struct {
		name         string
		arms         []experiment.Arm
		change       func(*contrast)
		target, mode string
		state        string
		running      bool
	}{
		{"measuring", one, func(*contrast) {}, "127.0.0.1:6379", "interleaved 1 s rounds", "B running", true},
		{"two servers", two, func(*contrast) {}, "2 servers", "interleaved 1 s rounds", "B running", true},
		{"the twin", one, func(x *contrast) { x.fast.Active, x.fast.Twin = -1, true }, "127.0.0.1:6379", "interleaved 1 s rounds", "A again (noise)", true},
		{"between rounds", one, func(x *contrast) { x.fast.Active = -1 }, "127.0.0.1:6379", "interleaved 1 s rounds", "RUN", true},
		{"preparing", one, func(x *contrast) { x.fast.Phase = experiment.Preparing }, "127.0.0.1:6379", "interleaved 1 s rounds", "PREPARING", true},
		{"paused at once", one, func(x *contrast) { x.set.Paused = true }, "127.0.0.1:6379", "interleaved 1 s rounds", "PAUSED", false},
		{"competing at once", one, func(x *contrast) { x.set.Competing = true }, "127.0.0.1:6379", "all at once: they compete", "COMPETING", true},
		{"decided", one, func(x *contrast) { x.fast.Phase = experiment.Decided }, "127.0.0.1:6379", "interleaved 1 s rounds", "DECIDED", false},
		{"ended", one, func(x *contrast) { x.fast.Phase = experiment.Ended }, "127.0.0.1:6379", "interleaved 1 s rounds", "DONE", false},
		{"failed", one, func(x *contrast) { x.over, x.failed = true, true }, "127.0.0.1:6379", "interleaved 1 s rounds", "FAILED", false},
		{"frozen", one, func(x *contrast) { x.frozen = true }, "127.0.0.1:6379", "interleaved 1 s rounds", "FROZEN", true},
		{"frozen and paused", one, func(x *contrast) { x.frozen, x.set.Paused = true, true }, "127.0.0.1:6379", "interleaved 1 s rounds", "FROZEN PAUSED", false},
		{"nothing yet", one, func(x *contrast) { x.fast, x.slow = nil, nil }, "127.0.0.1:6379", "interleaved", "PREPARING", true},
	} {
		x := bout(c.arms, fixedState(c.arms, 12))
		c.change(&x)
		v := x.compare()
		if h := v.Header; h.Target != c.target || h.Mode != c.mode || h.State != c.state || h.Running != c.running {
			t.Errorf("%s: %+v", c.name, h)
		}
		if got := v.Sides[1].Place; (got != "") != (c.name == "two servers") {
			t.Errorf("%s: place %q", c.name, got)
		}
	}
	x := bout(two, fixedState(two, 12))
	if got, want := x.compare().Notes[0].Text, "redis 7.0.15:  A 127.0.0.1:6379  B redis-server --io-threads 2, 1 replica"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
	x.arms[0].Place.Info.Version = "7.2.4"
	if got, want := x.compare().Notes[0].Text, "A redis 7.2.4: 127.0.0.1:6379  B redis 7.0.15: redis-server --io-threads 2, 1 replica"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
	if got, want := placeWords(two[1].Place), "redis 7.0.15: redis-server --io-threads 2, 1 replica"; got != want {
		t.Errorf("place %q, want %q", got, want)
	}
}

// TestWhatTheServerSaysOfItself holds both figures, and the sentence where the server
// has the sides the other way round (M24).
func TestWhatTheServerSaysOfItself(t *testing.T) {
	arms := armsOf(1, 1)
	s := fixedState(arms, 12)
	at := func(arm int, command string, perCall time.Duration) {
		m := &s.Results[0].Arms[arm]
		m.Command = command
		m.Server = insight.Delta{Commands: 1000, Main: 10 * time.Millisecond, Calls: map[string]insight.Call{command: {Calls: 1000, Time: 1000 * perCall}}}
	}
	at(0, "set", 400*time.Nanosecond)
	at(1, "get", 600*time.Nanosecond)
	found(paired.Faster, paired.Finding{Pairs: 12, Ratio: 1.05, Low: 1.04, High: 1.06})(s)
	v := bout(arms, s).compare()
	if want := "main thread us/command  A 10.0  B 10.0   us/call  A 0.40  B 0.60"; v.Server != want {
		t.Errorf("server %q, want %q", v.Server, want)
	}
	if !strings.Contains(v.Explained, "'SET below GET' there is not command execution") || !strings.HasPrefix(v.Explained, "at P=1 ") {
		t.Errorf("explained: %q", v.Explained)
	}
	found(paired.CannotTell, paired.Finding{Pairs: 12, Ratio: 1.05})(s)
	if got := bout(arms, s).compare().Explained; got != "" {
		t.Errorf("without a verdict: %q", got)
	}
	s.Results[0].Arms[1].Server = insight.Delta{}
	if got := bout(arms, s).compare().Server; got != "" {
		t.Errorf("of one side only: %q", got)
	}
}

// TestHistoryIsKept holds that rounds before a change stay on the screen in their
// slots, and that the change is marked with the letters of now.
func TestHistoryIsKept(t *testing.T) {
	s := fixedState(armsOf(1, 16), 12)
	renewed(s)
	x := bout(armsOf(1, 16), s)
	v := x.compare()
	if n := len(v.Sides[1].Rounds); n != 8+9+12 {
		t.Fatalf("%d rounds of B, want all 29", n)
	}
	for i, r := range v.Sides[1].Rounds {
		if r.Slot != i || !r.Ops.OK || !r.P99.OK {
			t.Fatalf("round %d of B: %+v", i, r)
		}
	}
	want := []views.SlotMark{{Slot: 8, Text: "B P=1 > P=4"}, {Slot: 17, Text: "B P=4 > P=16"}}
	if got := v.Marks; len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("marks %+v, want %+v", got, want)
	}
	if v.Since != "16:01:57" {
		t.Errorf("since %s", v.Since)
	}
	if got := v.Notes[1].Text; got != "B: pipeline 4 > 16; the pairs begin anew" {
		t.Errorf("note %q", got)
	}
	x.order = []int{1, 0}
	if got := x.compare(); got.Marks[0].Text != "A P=1 > P=4" || got.Notes[0].Text != "A: pipeline 1 > 4; the pairs begin anew" {
		t.Errorf("after a swap: %+v, %+v", got.Marks, got.Notes)
	}
}

func TestLabels(t *testing.T) {
	arms := armsOf(1, 16, 4)
	plans := settingsOf(arms).Plans
	plans[1].Pipeline = 32
	if got := strings.Join(armLabels(arms, plans), "; "); got != "P=1; P=32; P=4" {
		t.Errorf("after a knob was turned: %s", got)
	}
	made := []experiment.Arm{{Plan: firstPlan()}, {Plan: firstPlan()}}
	if got := strings.Join(armLabels(made, settingsOf(made).Plans), "; "); got != "; " {
		t.Errorf("two of the same: %q", got)
	}
	made[1].Plan.RTT = time.Millisecond
	if got := strings.Join(armLabels(made, settingsOf(made).Plans), "; "); got != "; rtt=1ms (simulated)" {
		t.Errorf("one with a round trip: %q", got)
	}
}

// TestWarningsNameTheirSide holds that what is doubtful about a side's numbers, and
// its errors, say whose they are.
func TestWarningsNameTheirSide(t *testing.T) {
	s := fixedState(armsOf(1, 16), 12)
	s.Arms[1].Live.Warnings = []string{"client CPU 94% of 2 cores"}
	s.Arms[0].Live.Faults = []stats.Fault{{Code: "OOM", Count: 3, Text: "out of memory"}}
	s.Arms[0].Live.Total.Errors = 3
	s.Notes = []stats.Note{{Text: "first"}}
	v := bout(armsOf(1, 16), s).compare()
	var texts []string
	for _, n := range v.Notes {
		texts = append(texts, n.Text)
	}
	if got := strings.Join(texts, " | "); got != "A: OOM 3: out of memory | B: client CPU 94% of 2 cores | first" {
		t.Errorf("notes %s", got)
	}
	if v.Header.Errors != 3 {
		t.Errorf("%d errors in the header", v.Header.Errors)
	}
}
