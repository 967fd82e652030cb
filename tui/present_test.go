package tui

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen/stats"
	"fullbore/loadgen/workload"
	"fullbore/views"
)

// rewrite makes the golden files anew: go test ./tui -run Golden -rewrite
var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

func TestGoldenScreens(t *testing.T) {
	card := func(o *Options) {
		o.NeedsConsent = true
		o.Card = views.Card{Title: "before any load", Rows: []views.CardRow{{Label: "server", Value: "10.0.0.5:6379"}, {Label: "keys", Value: "1,200,000", Warning: true}},
			Text: []string{"This server is not on this machine."}}
	}
	asking := func(o *Options) {
		o.Intrudes = func(workload.Mix) []string {
			return []string{`SET visits __data__ writes to visits, not under "fullbore:"`}
		}
	}
	for _, c := range []struct {
		name   string
		w, h   int
		change func(*Options)
		keys   []string
	}{
		{"open-80x24", 80, 24, snapshotOf(opened), nil},
		{"open-120x40", 120, 40, snapshotOf(opened), nil},
		{"late-80x24", 80, 24, snapshotOf(opened, late), nil},
		{"stalled-80x24", 80, 24, snapshotOf(stalled), nil},
		{"stalled-120x40", 120, 40, snapshotOf(stalled), []string{"y"}},
		{"settling-80x24", 80, 24, snapshotOf(settling), nil},
		{"frozen-small-52x14", 52, 14, nil, []string{" ", "f"}},
		{"live-80x24", 80, 24, nil, nil},
		{"live-120x40", 120, 40, nil, nil},
		{"paused-80x24", 80, 24, nil, []string{"tab", "L", " "}},
		{"typing-80x24", 80, 24, nil, []string{"tab", "enter", "a", "enter"}},
		{"baseline-120x40", 120, 40, nil, []string{"s", "t", "y", "+"}},
		{"help-80x24", 80, 24, nil, []string{"?"}},
		{"help-120x40", 120, 40, nil, []string{"?"}},
		{"card-80x24", 80, 24, card, nil},
		{"scrolled-80x24", 80, 24, nil, []string{"k", "k", "l"}},
		{"picker-80x24", 80, 24, nil, []string{"tab", "tab", "tab", "enter"}},
		{"picker-120x40", 120, 40, nil, []string{"tab", "tab", "tab", "enter", "g", "e", "t", " ", "+", "+"}},
		{"picker-line-80x24", 80, 24, asking, []string{"tab", "tab", "tab", "enter", ":", "SET visits __data__", "enter"}},
		{"rtt-80x24", 80, 24, snapshotOf(delayed), nil},
		{"cluster-80x24", 80, 24, snapshotOf(clustered), nil},
		{"cluster-120x40", 120, 40, snapshotOf(clustered), nil},
		{"cluster-120x40", 120, 40, snapshotOf(clustered), []string{" ", "f", " ", "f"}},
		{"cluster-whole-120x40", 120, 40, snapshotOf(clustered), []string{"t"}},
		{"small-52x14", 52, 14, nil, nil},
		{"told-80x24", 80, 24, insightOf(), nil},
		{"told-120x40", 120, 40, insightOf(), nil},
		{"told-client-80x24", 80, 24, insightOf(heldByClient), nil},
		{"told-silent-120x40", 120, 40, insightOf(silent), nil},
		{"told-cluster-120x40", 120, 40, both(insightOf(), clustered), nil},
		{"server-80x24", 80, 24, insightOf(), []string{"v"}},
		{"server-120x40", 120, 40, insightOf(), []string{"v", "+"}},
		{"server-silent-80x24", 80, 24, insightOf(silent, heldByClient), []string{"v"}},
		{"server-bare-80x24", 80, 24, nil, []string{"v"}},
		{"server-dialect-120x40", 120, 40, insightOf(dialect), []string{"v"}},
		{"server-small-52x14", 52, 14, insightOf(), []string{"v"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t, func(o *Options) {
				if c.change != nil {
					c.change(o)
				}
			})
			d.press(c.keys...) // at 80x24, as a smaller window takes only some
			d.send(tea.WindowSizeMsg{Width: c.w, Height: c.h})
			golden(t, c.name, d.m.View())
			fits(t, d.m.View(), c.w, c.h)
		})
	}
}

// golden compares a screen with the file of that name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the screen is\n%s\nwant\n%s", got, want)
	}
}

// sceneOf is the live screen of a snapshot, with nothing turned.
func sceneOf(s *stats.Snapshot) scene {
	return scene{fast: s, slow: s, plan: firstPlan(), started: fixedNow(), span: 2 * time.Minute, hertz: 4}
}

func TestStateWords(t *testing.T) {
	paused := firstPlan()
	paused.Paused = true
	half := stats.Progress{Done: 45, Total: 100}
	for _, c := range []struct {
		want   string
		change func(*scene)
	}{
		{"WAITING", func(c *scene) { c.fast = nil }},
		{"PREPARING", func(c *scene) { c.fast.State = stats.Preparing }},
		{"PREPARING 45%", func(c *scene) { c.fast.State, c.fast.Progress = stats.Preparing, half }},
		{"PREPARING 45%", func(c *scene) { c.fast.Pending, c.fast.Progress = true, half }},
		{"PREPARING 100%", func(c *scene) { c.fast.State, c.fast.Progress = stats.Preparing, stats.Progress{Done: 7, Total: 5} }},
		{"RUN", func(c *scene) { c.fast.Pending = true }},
		{"RUN", func(*scene) {}},
		{"SETTLING", func(c *scene) { c.fast.State = stats.Settling }},
		{"PAUSED", func(c *scene) { c.fast.State = stats.Paused }},
		{"PAUSED", func(c *scene) { c.plan = paused }},
		{"SETTLING", func(c *scene) { c.fast.State = stats.Settling; settled(c.fast, 900*time.Millisecond) }},
		{"SETTLING 2s", func(c *scene) { c.fast.State = stats.Settling; settled(c.fast, 2900*time.Millisecond) }},
		{"FROZEN", func(c *scene) { c.frozen = true }},
		{"FROZEN PAUSED", func(c *scene) { c.frozen = true; c.plan = paused }},
		{"FROZEN PAUSED", func(c *scene) { c.frozen = true; c.fast.State = stats.Paused }},
		{"STOPPING", func(c *scene) { c.fast.State = stats.Draining }},
		{"DONE", func(c *scene) { c.fast.State = stats.Done }},
		{"DONE", func(c *scene) { c.over = true }},
		{"FAILED", func(c *scene) { c.over, c.failed = true, true }},
	} {
		s := sceneOf(fixedSnapshot())
		c.change(&s)
		if got := s.live().Header.State; got != c.want {
			t.Errorf("state %q, want %q", got, c.want)
		}
	}
}

// settled marks the newest points of a snapshot as set apart.
func settled(s *stats.Snapshot, d time.Duration) {
	for i := len(s.Points) - 1; d > 0; i-- {
		s.Points[i].Measured, s.Points[i].Epoch = false, s.Epoch
		d -= s.Points[i].Span
	}
}

// TestSettlingIsOfThePresentPlan holds that neither the warm-up of an older plan
// nor a pause before it adds to the time that the header tells.
func TestSettlingIsOfThePresentPlan(t *testing.T) {
	for name, change := range map[string]func(*stats.Point){
		"measured": func(p *stats.Point) { p.Measured = true },
		"paused":   func(p *stats.Point) { p.Paused = true },
		"older":    func(p *stats.Point) { p.Epoch = 1 },
	} {
		s := fixedSnapshot()
		s.State = stats.Settling
		settled(s, 5*time.Second)
		change(&s.Points[len(s.Points)-20])
		if got := sceneOf(s).live().Header.State; got != "SETTLING 1s" {
			t.Errorf("%s point 2 s ago: %s, want SETTLING 1s", name, got)
		}
	}
}

// TestRunningIsWhatTheLoadDoes holds that neither a frozen display nor its header's
// words decide whether load is said to run.
func TestRunningIsWhatTheLoadDoes(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*scene)
		want   bool
	}{
		{"measuring", func(*scene) {}, true},
		{"settling", func(c *scene) { c.fast.State = stats.Settling }, true},
		{"frozen", func(c *scene) { c.frozen = true }, true},
		{"frozen and paused", func(c *scene) { c.frozen, c.plan.Paused = true, true }, false},
		{"paused a moment ago", func(c *scene) { c.plan.Paused = true }, false},
		{"paused", func(c *scene) { c.fast.State = stats.Paused }, false},
		{"preparing", func(c *scene) { c.fast.State = stats.Preparing }, false},
		{"before a snapshot", func(c *scene) { c.fast, c.slow = nil, nil }, false},
		{"over", func(c *scene) { c.over = true }, false},
		{"failed", func(c *scene) { c.failed = true }, false},
	} {
		s := sceneOf(fixedSnapshot())
		c.change(&s)
		if got := s.live().Header.Running; got != c.want {
			t.Errorf("%s: running %v, want %v", c.name, got, c.want)
		}
	}
}

func TestSamplesComeFromMeasuredSpans(t *testing.T) {
	s := &stats.Snapshot{State: stats.Measuring, Elapsed: 10 * time.Second, Points: []stats.Point{
		{At: 9000 * time.Millisecond, Span: 100 * time.Millisecond, Replies: 1000},
		{At: 9200 * time.Millisecond, Span: 200 * time.Millisecond, Replies: 1000}, // a late tick is no dip
		{At: 9300 * time.Millisecond, Span: 100 * time.Millisecond, Paused: true},
		{At: 9400 * time.Millisecond, Span: 100 * time.Millisecond}, // a stall is a zero
		{At: 9500 * time.Millisecond, Span: 0, Replies: 5},
	}}
	got := sceneOf(s).live().Throughput
	want := []views.Sample{{Age: time.Second, Value: 10_000}, {Age: 800 * time.Millisecond, Value: 5000}, {Age: 700 * time.Millisecond, Value: math.NaN()},
		{Age: 600 * time.Millisecond, Value: 0}, {Age: 500 * time.Millisecond, Value: math.NaN()}}
	if len(got.Samples) != len(want) {
		t.Fatalf("%d samples, want %d", len(got.Samples), len(want))
	}
	for i, w := range want {
		g := got.Samples[i]
		if g.Age != w.Age || g.Value != w.Value && !(math.IsNaN(g.Value) && math.IsNaN(w.Value)) {
			t.Errorf("sample %d is %v, want %v", i, g, w)
		}
	}
	if got.At != s.Elapsed {
		t.Errorf("axis ends at %v, want %v", got.At, s.Elapsed)
	}
}

func TestOnlyTheSpanIsShown(t *testing.T) {
	c := sceneOf(fixedSnapshot())
	c.span = 10 * time.Second
	got := c.live().Throughput
	if len(got.Samples) != 100 || got.Samples[0].Age >= 10*time.Second || len(got.Marks) != 0 {
		t.Errorf("%d samples, oldest %v, %d marks", len(got.Samples), got.Samples[0].Age, len(got.Marks))
	}
	if n := len(c.live().Latency.Samples); n != 100 {
		t.Errorf("%d latency samples", n)
	}
	c.from = 95 * time.Second
	if got := c.live().Throughput; len(got.Samples) != 70 {
		t.Errorf("%d samples since the reset, want 70", len(got.Samples))
	}
}

func TestHeadlineNumbers(t *testing.T) {
	got := sceneOf(fixedSnapshot()).live().Throughput
	if !got.Now.OK || math.Abs(got.Now.Value-1_139_000) > 10_000 {
		t.Errorf("now %v", got.Now)
	}
	if got.Average != (views.Number{Value: 46_720_000.0 / 41, OK: true}) {
		t.Errorf("average %v", got.Average)
	}
	if !got.Peak.OK || got.Peak.Value < got.Now.Value {
		t.Errorf("peak %v", got.Peak)
	}
	if got.Bytes.Value != 5_711_525*95/5.0 {
		t.Errorf("bytes %v", got.Bytes)
	}
	empty := sceneOf(&stats.Snapshot{}).live().Throughput
	if empty.Now.OK || empty.Average.OK || empty.Peak.OK || empty.Bytes.OK {
		t.Errorf("numbers out of nothing: %+v", empty)
	}
}

// The best second is never below the average of all seconds, wherever those begin.
func TestPeakIsAboveTheAverage(t *testing.T) {
	point := func(i int, replies int64) stats.Point {
		return stats.Point{At: time.Duration(i+1) * second / 10, Span: second / 10, Replies: replies, Measured: true}
	}
	var points []stats.Point
	for i := range 6 {
		points = append(points, point(i, 100))
	}
	for i := range 10 {
		points = append(points, point(6+i, 200))
	}
	if got := peak(points, 0); got != (views.Number{Value: 2000, OK: true}) {
		t.Errorf("peak %v", got)
	}
	points[10].Paused = true // no second is left that is whole
	if got := peak(points, 0); got.Value != 1400 {
		t.Errorf("peak %v", got)
	}
	if got := peak(points, points[9].At); got.OK {
		t.Errorf("peak %v of half a second", got)
	}
}

func TestTableRows(t *testing.T) {
	s := fixedSnapshot()
	table := sceneOf(s).live().Table
	var labels []string
	for _, r := range table.Rows {
		labels = append(labels, r.Label)
	}
	if got := strings.Join(labels, " "); got != "p50 p75 p90 p99 p99.9 p99.99 max p50 / P ops/s" {
		t.Errorf("rows %s", got)
	}
	p50, _ := s.Window.Latency.Quantile(.50)
	if got := table.Rows[0].Times[0]; got != (views.Duration{Value: p50, OK: true}) || !table.Rows[0].MoreIsBad {
		t.Errorf("p50 is %v, want %v", got, p50)
	}
	if got := table.Rows[7].Times; got[0].Value != p50/16 || got[2].Value != table.Rows[0].Times[2].Value {
		t.Errorf("p50 / P is %v", got)
	}
	if got := table.Rows[8]; got.IsTime || got.MoreIsBad || got.Numbers[0] != (views.Number{Value: 5_711_525 / 5.0, OK: true}) {
		t.Errorf("ops/s is %+v", got)
	}
	// Too few batches carry no p99.99 (M3), and nothing comes before the first change.
	s.Before, s.Window.Latency = nil, stats.NewHistogram().Summary(0)
	table = sceneOf(s).live().Table
	for _, r := range table.Rows[:8] {
		if r.Times[0].OK || r.Times[2].OK {
			t.Errorf("%s shows a value of nothing: %v", r.Label, r.Times)
		}
	}
}

func TestTitlesNameTheLoadThatWasMeasured(t *testing.T) {
	s := fixedSnapshot()
	c := sceneOf(s) // the plan asks for P=1; what was measured had 16
	if got := c.live().Table.Title; got != "latency ms  (own reply, P=16, closed)" {
		t.Errorf("title %q", got)
	}
	s.Current.Target = 20_000
	s.Current.Counters.Replies = int64(19_991 * s.Current.Measured.Seconds())
	if got := c.live().Latency.Title; got != "from plan, P=16, open: 100% of 20,000/s" {
		t.Errorf("title %q", got)
	}
	s.Current.Target, s.Current.Batch = 0, "multi"
	if got := c.live().Table.Title; got != "latency ms  (own reply, P=16, batch multi, closed)" {
		t.Errorf("title %q", got)
	}
	s.Current = stats.Segment{}
	c.plan.Batch = workload.Unbatched
	if got := c.live().Latency.Title; got != "own reply, P=1, batch none, closed" {
		t.Errorf("title %q before anything was measured", got)
	}
	c.plan.Batch = workload.Pipelined
	if got := c.live().Latency.Title; got != "own reply, P=1, closed" {
		t.Errorf("title %q before anything was measured", got)
	}
	c.plan.Window = 10 * time.Second
	if got := c.live(); got.Table.Columns[0] != "last 10s" || got.BarsTitle != "distribution, last 10s" {
		t.Errorf("window named %q and %q", got.Table.Columns[0], got.BarsTitle)
	}
}

func TestNotes(t *testing.T) {
	s := fixedSnapshot()
	s.Faults = []stats.Fault{{Class: stats.ReplyFault, Code: "WRONGTYPE", Text: "WRONGTYPE Operation against a key", Count: 1200},
		{Class: stats.LostFault, Text: "connection reset", Count: 2}}
	s.Gaps = stats.Gaps{Longest: 2 * time.Second, Count: 3, Total: 2400 * time.Millisecond}
	s.Notes = []stats.Note{{At: 40 * time.Second, Text: "one client reconnected"}, {At: time.Minute, Text: "pipeline 1 > 16"}}
	s.Current.Gaps = stats.Gaps{Longest: 2 * time.Second, Count: 3, Total: 1640 * time.Millisecond}
	c := sceneOf(s)
	c.notes = []stats.Note{{At: 50 * time.Second, Text: "saved to x"}}
	want := []views.Note{
		{Clock: "16:01:51", Text: "one client reconnected"},
		{Clock: "16:02:01", Text: "saved to x"},
		{Warning: true, Text: "client CPU 94% of 2 cores: the load generator may be the limit"},
		{Warning: true, Text: "longest gap 2.0 s, 3 gaps, 4% of the time stalled"},
		{Warning: true, Text: "lost 2: connection reset"},
		{Warning: true, Text: "WRONGTYPE 1,200: WRONGTYPE Operation against a key"},
		{Clock: "16:02:11", Text: "pipeline 1 > 16"}, // once, although it is a mark as well
	}
	got := c.live().Notes
	if len(got) != len(want) {
		t.Fatalf("notes %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("note %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestBarsAreShares(t *testing.T) {
	got := sceneOf(fixedSnapshot()).live().Bars
	if len(got) != 5 || got[2] != (views.Bar{UpTo: 200 * time.Microsecond, Share: .28}) || !got[4].Last {
		t.Errorf("bars %+v", got)
	}
	if bars([]stats.Bar{{UpTo: time.Second}}) != nil {
		t.Error("bars of nothing")
	}
}

// The spikes, holes and constants that a chart must survive (SCREENS.md, 8) are
// the views' tests; here, that the screen survives whatever a snapshot holds.
func TestOddSnapshotsDraw(t *testing.T) {
	for name, change := range map[string]func(*stats.Snapshot){
		"empty": func(s *stats.Snapshot) { *s = stats.Snapshot{} },
		"nothing": func(s *stats.Snapshot) {
			s.Points, s.Window, s.Current, s.Before = nil, stats.Segment{}, stats.Segment{}, nil
		},
		"spike":    func(s *stats.Snapshot) { s.Points[500].Replies = math.MaxInt64 },
		"no span":  func(s *stats.Snapshot) { s.Points[500].Span = 0 },
		"zeros":    func(s *stats.Snapshot) { clear(s.Points) },
		"ahead":    func(s *stats.Snapshot) { s.Elapsed = 0 },
		"longtext": func(s *stats.Snapshot) { s.Warnings = []string{strings.Repeat("é界\x1b[31m", 100)} },
	} {
		d := newDesk(t)
		s := fixedSnapshot()
		change(s)
		d.e.snap.Store(s)
		for _, size := range []tea.WindowSizeMsg{{Width: 80, Height: 24}, {Width: 120, Height: 40}, {Width: 30, Height: 5}} {
			d.send(size)
			d.tick()
			fits(t, d.m.View(), size.Width, size.Height)
			if strings.Contains(d.m.View(), "NaN") || strings.Contains(d.m.View(), "Inf") {
				t.Errorf("%s: NaN or Inf on the screen", name)
			}
		}
	}
}
