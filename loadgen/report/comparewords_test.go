package report_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// TestComparisonPlans holds that whatever an arm differs in stands in its line.
func TestComparisonPlans(t *testing.T) {
	for want, change := range map[string]func(*experiment.Arm){
		"c=50 P=1 d=3 keys=100000, closed loop":                      func(*experiment.Arm) {},
		"c=200 P=4 d=3 keys=100000, closed loop":                     func(a *experiment.Arm) { a.Plan.Clients, a.Plan.Pipeline = 200, 4 },
		"c=50 P=1 d=1024 keys=0, closed loop":                        func(a *experiment.Arm) { a.Plan.Workload.Payload, a.Plan.Workload.Keys.Size = 1024, 0 },
		"c=50 P=1 d=3 keys=100000, open loop at 0.5/s":               func(a *experiment.Arm) { a.Plan.Rate = .5 },
		"c=50 P=1 d=3 keys=100000, closed loop, batch=multi":         func(a *experiment.Arm) { a.Plan.Batch = workload.Multi },
		"c=50 P=1 d=3 keys=100000, closed loop, rtt 500µs simulated": func(a *experiment.Arm) { a.Plan.RTT = 500 * time.Microsecond },
		"c=50 P=1 d=3 keys=100000, closed loop, reconnecting":        func(a *experiment.Arm) { a.Plan.Reconnect = true },
		"c=50 P=1 d=3 keys=100000, closed loop, 4 client threads":    func(a *experiment.Arm) { a.Threads = 4 },
		"c=50 P=1 d=3 keys=100000 dist=zipf:0.99, closed loop": func(a *experiment.Arm) {
			a.Plan.Workload.Keys.Dist = workload.Dist{Name: "zipf", Shape: .99}
		},
	} {
		s := duel(t)
		s.Arms[1].Arm = arm(t, "x", change)
		text := strings.Join(strings.Fields(compared(t, "text", s)), " ")
		if !strings.Contains(text, " "+want+" ") {
			t.Errorf("no %q in\n%s", want, text)
		}
		if doc := compared(t, "json", s); !strings.Contains(doc, `"plan": "`+want+`"`) {
			t.Errorf("no %q in JSON", want)
		}
	}
}

// TestComparisonServers holds that servers that are alike are told once, and others
// with what sets them apart (R4, R6).
func TestComparisonServers(t *testing.T) {
	s := duel(t)
	text := compared(t, "text", s)
	if n := strings.Count(text, "server of "); n != 1 || !strings.Contains(text, "server of A, B: 127.0.0.1:6379, redis 7.0.15 (standalone), save \"\", appendonly\n") {
		t.Errorf("%d servers in\n%s", n, text)
	}
	s.Arms[1].Arm.Place = experiment.Place{
		Target: target.Unix("/tmp/v.sock"), Origin: "private valkey-server", Command: "valkey-server --appendonly yes", Replicas: 2,
		Info: target.Info{Server: "valkey", Version: "8.1", Mode: "standalone", Config: map[string]string{"save": "60 1", "appendonly": "yes"}},
	}
	text = strings.Join(strings.Fields(compared(t, "text", s)), " ")
	want := `server of B: /tmp/v.sock, valkey 8.1 (standalone), private valkey-server, replicas: 2, started with: valkey-server --appendonly yes, save "60 1", appendonly yes `
	if !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	d := comparedJSON(t, s)
	if got := d.Arms[1].Server; got.Version != "8.1" || got.Address != "/tmp/v.sock" || got.Replicas != 2 || got.Command != "valkey-server --appendonly yes" {
		t.Errorf("%+v", got)
	}
	if rows := csvRows(t, s); rows[1]["server"] != "valkey" || rows[1]["server_version"] != "8.1" || rows[0]["server"] != "redis" {
		t.Errorf("%v", rows)
	}
	if !strings.Contains(compared(t, "gobench", s), "\n# B: P=16: c=50 P=16 d=3 keys=100000, closed loop; /tmp/v.sock, valkey 8.1 ") {
		t.Error(compared(t, "gobench", s))
	}
}

// TestComparisonUnknownServer holds that a server that told nothing is no lie.
func TestComparisonUnknownServer(t *testing.T) {
	s := duel(t)
	for i := range s.Arms {
		s.Arms[i].Arm.Place = experiment.Place{}
	}
	kept(t, "unknown server", s)
	if text := compared(t, "text", s); !strings.Contains(text, "\nserver of A, B: unknown\n") {
		t.Error(text)
	}
}

// TestComparisonPair reads the table of two arms back and holds it against the
// totals.
func TestComparisonPair(t *testing.T) {
	s := duel(t)
	a, b := s.Results[0].Arms[0].Total, s.Results[0].Arms[1].Total
	a.Counters.Errors, a.Counters.Lost = 1234, 5
	s.Results[0].Arms[0].Total = a
	row := func(name string) []string {
		for _, l := range strings.Split(compared(t, "text", s), "\n") {
			if rest, ok := strings.CutPrefix(l, name+"  "); ok {
				return regexp.MustCompile(`  +`).Split(strings.TrimSpace(rest), -1)
			}
		}
		t.Fatalf("no row %q in\n%s", name, compared(t, "text", s))
		return nil
	}
	for name, q := range map[string]float64{"p50 ms": .5, "p90 ms": .9, "p99 ms": .99, "p99.9 ms": .999, "p99.99 ms": .9999} {
		x, _ := a.Latency.Quantile(q)
		y, _ := b.Latency.Quantile(q)
		got := row(name)
		if got[0] != fmt.Sprintf("%.3f", x.Seconds()*1000) || got[1] != fmt.Sprintf("%.3f", y.Seconds()*1000) || got[3] != "better" {
			t.Errorf("%s: %q of %v and %v", name, got, x, y)
		}
	}
	for name, want := range map[string]string{
		"requests/s": "168,840 1,133,964 x 6.75 [6.63..6.86] better", "errors": "1,234 0", "lost": "5 0",
		"samples": "5,000 5,000", "rounds": "12 12", "MB/s in": "0.84 5.69 x 6.75 better",
	} {
		if got := strings.Join(row(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if cost := row("p50 / P ms"); cost[1] != "0.002" {
		t.Errorf("cost %q", cost)
	}
}

// TestComparisonNoBetterWithinLimit holds that what lies within the practical limit is
// called neither better nor worse.
func TestComparisonNoBetterWithinLimit(t *testing.T) {
	arms := []experiment.Arm{arm(t, "base", nil), arm(t, "base", nil)}
	s := stateOf(arms, outcome(t, "set", arms, 100_000, 101_000))
	for _, l := range strings.Split(compared(t, "text", s), "\n") {
		if strings.HasSuffix(l, "better") || strings.HasSuffix(l, "worse") {
			t.Errorf("A against A: %s", l)
		}
	}
	if k := comparedJSON(t, s).Comparisons[0].Verdict.Kind; k != "no_difference" && k != "cannot_tell" {
		t.Errorf("verdict %s", k)
	}
}

// TestComparisonAlike holds that arms of one label stay apart for benchstat.
func TestComparisonAlike(t *testing.T) {
	arms := []experiment.Arm{arm(t, "d=1-2", nil), arm(t, "d=1-2", nil)}
	s := stateOf(arms, outcome(t, "set", arms, 100_000, 101_000))
	for i := range s.Arms {
		s.Arms[i].Arm.Plan.Workload.Payload = i // nothing stands behind the label
		s.Arms[i].Arm.Plan.Clients, s.Arms[i].Arm.Plan.Pipeline = i+1, i+1
	}
	text := compared(t, "gobench", s)
	for _, want := range []string{"\nBenchmarkSet/arm=A:d=1_2 ", "\nBenchmarkSet/arm=B:d=1_2 "} {
		if strings.Count(text, want) != 12 {
			t.Errorf("%q stands %d times in\n%s", want, strings.Count(text, want), text)
		}
	}
	benchmarks(t, text)
}

// TestComparisonLongStrip holds that more rounds than a line has are all there (C15).
func TestComparisonLongStrip(t *testing.T) {
	s := duel(t)
	o := &s.Results[0]
	for i := range o.Arms {
		o.Arms[i].Rounds = lapsAt(75, 1000*float64(i+1), 0)
	}
	text := compared(t, "text", s)
	narrow(t, text)
	dots := 0
	for _, m := range regexp.MustCompile(`(?m) ([_.:=+*#-]+)$`).FindAllStringSubmatch(text, -1) {
		dots += len(m[1])
	}
	if want := 75*2 + 8 + len("-"); dots < 158 || dots > want {
		t.Errorf("%d dots, want %d in\n%s", dots, want, text)
	}
	if n := len(comparedJSON(t, s).Arms[1].Tests[0].Rounds); n != 75 {
		t.Errorf("%d rounds in JSON", n)
	}
}

// TestComparisonUnderWay holds that a report from the screen says that it goes on.
func TestComparisonUnderWay(t *testing.T) {
	s := trio(t)
	s.Phase, s.Results[2].Done = experiment.Measuring, false
	if text := compared(t, "text", s); !strings.Contains(text, "\nincr: still being measured\n") || strings.Contains(text, "set: still") {
		t.Error(text)
	}
	if !strings.Contains(compared(t, "json", s), `"phase": "measuring"`) {
		t.Error("JSON does not tell the phase")
	}
}

// TestComparisonLeavesStateAlone holds that a State, which others read at the same
// time, is not written to.
func TestComparisonLeavesStateAlone(t *testing.T) {
	s := servers(t)
	before := fmt.Sprintf("%+v", s.Results)
	done := make(chan string)
	for range 2 {
		go func() {
			var all string
			for _, format := range []string{"text", "json", "csv", "gobench", "markdown", "quiet"} {
				all += compared(t, format, s)
			}
			done <- all
		}()
	}
	if a, b := <-done, <-done; a != b {
		t.Error("two reports of one State differ")
	}
	if fmt.Sprintf("%+v", s.Results) != before {
		t.Error("the State was changed")
	}
}

// TestComparisonFaultTexts holds that a server's words neither steer a terminal nor
// break a table.
func TestComparisonFaultTexts(t *testing.T) {
	s := duel(t)
	s.Arms[1].Live.Faults = []stats.Fault{{Class: stats.ReplyFault, Code: "\x1b[31mRED", Text: "RED | `x` \x07 redis://joe:" + password + "@h\r\n", Count: 2}}
	s.Arms[1].Live.Total.Errors = 2
	s.Notes = []stats.Note{{Text: "a | b \x1b[2J"}}
	kept(t, "fault texts", s)
}
