package views_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"fullbore/views"
)

// screens are the sizes at which the comparison is drawn in full.
func screens() [][2]int {
	return [][2]int{{80, 24}, {80, 30}, {90, 27}, {100, 30}, {119, 39}, {120, 24}, {120, 40}, {160, 50}, {200, 60}}
}

// The screen fills its frame, and the key line or the field in its place stands last.
func TestCompareFillsTheFrame(t *testing.T) {
	for _, e := range compareExamples() {
		for _, size := range screens() {
			got := lines(e.view, size[0], size[1])
			if len(got) != size[1] {
				t.Errorf("%s at %v: %d lines", e.name, size, len(got))
			}
			last := got[len(got)-1]
			if !strings.HasPrefix(last, " ? help") && !strings.HasPrefix(last, " B pipeline: 32_") {
				t.Errorf("%s at %v ends in %q", e.name, size, last)
			}
			if !strings.HasPrefix(got[0], " fullbore A") {
				t.Errorf("%s at %v begins with %q", e.name, size, got[0])
			}
		}
	}
}

// As height grows nothing that came is lost again, and no number either.
func TestCompareLosesNothingWithHeight(t *testing.T) {
	sections := []string{"-- throughput", "-- results", "-- verdict", "p99 per round", "-- how to read", "-- notes", "+----", "  p99.99", "  MB/s", "  max", "server us", "noise floor", "-- tests", "interval"}
	for _, e := range compareExamples() {
		for _, width := range []int{80, 100, 120, 160} {
			seen := map[string]int{}
			for height := 24; height <= 70; height++ {
				got := lines(e.view, width, height)
				for _, s := range sections {
					switch n := count(got, s); {
					case n > 0 && seen[s] == 0:
						seen[s] = height
					case n == 0 && seen[s] > 0:
						t.Errorf("%s: %dx%d lost %q, which height %d had", e.name, width, height, s, seen[s])
					}
				}
			}
		}
	}
}

// What the issue asks of each size: at 80x24 all of the small screen, at 120x40 all of
// the large one.
func TestCompareShowsWhatItPromises(t *testing.T) {
	for _, tt := range []struct {
		view          views.Compare
		width, height int
		want          []string
	}{
		{compare(), 80, 24, []string{
			"fullbore A/B  127.0.0.1:6379", "pair 13/30  B running  0:01:42  err 0", "interleaved 1 s rounds", ">[ 16 ]<", "same scale 0 .. 1.2M ops/s",
			"x 6.77   better  [6.50..7.04]", "x 3.98   worse   [3.90..4.06]", "p99.99", "p50 / P", "errors                0               0     =",
			"B faster: x 6.77 [6.51..7.02]  A C=50 P=1  B C=50 P=16", "noise floor 1.2 %  12 pairs", "us/command  A 5.93  B 0.88", "! client CPU 94%",
		}},
		{compare(), 120, 40, []string{
			"all rounds      last round", "^ B pipeline 1 > 16", "p99 per round", "-- how to read", "small: real but below 3%", "1 s each after 250 ms", "-- notes", "differs:", "| pipeline 1 > 16",
			"samples            7.6M            168k", "| ratio            95 % interval", "x 6.77  faster", "B now 1,142,305 ops/s",
		}},
		{compareAlike(), 80, 24, []string{"DECIDED", "rtt 1ms simulated", "cannot tell: noise ~4.1 %, about 9 more pairs", "x 1.004  ?       [0.992..1.016]", "noise floor 4.1 %"}},
		{compareArms(6), 80, 24, []string{
			">B P=16", "percent       100 %      677 %      713 %    102.0 %     86.0 %      990 %", "ratio             1     x 6.77", "6.57..6.97 6.92..7.34",
			"reference     faster     faster      small     slower          ?", "load         C=50 P=1   C=50 P=2", "  p50  ", "  p99  ", "   F  P=64           |",
		}},
		{compareTests(compareArms(6), 5), 80, 24, []string{" >  SET           1.90 faster 2.80 ?      3.70 small  4.60 same   5.50 slower", "  * INCR", "2 of 5 done", "* under way"}},
		{compareEmpty(), 80, 24, []string{"PREPARING", "no round yet", "B: no verdict yet", "noise floor not known yet"}},
		{compareEmpty(), 120, 40, []string{"PREPARING", "no round yet", "B: no verdict yet"}},
	} {
		got := strings.Join(lines(tt.view, tt.width, tt.height), "\n")
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%dx%d: %q is missing in\n%s", tt.width, tt.height, want, got)
			}
		}
	}
}

// No verdict stands without the load of both its sides (C16), nothing is the best, and
// no number without the word that a round trip is simulated.
func TestCompareIsHonest(t *testing.T) {
	for _, e := range compareExamples() {
		v := e.view.(views.Compare)
		for i := range v.Sides {
			v.Sides[i].Mark = "rtt 1ms simulated"
		}
		for _, size := range screens() {
			got := strings.Join(lines(v, size[0], size[1]), "\n")
			for _, s := range v.Sides {
				if !strings.Contains(got, s.Load) {
					t.Errorf("%s at %v has no %q of %s", e.name, size, s.Load, s.Name)
				}
			}
			if !strings.Contains(got, "rtt 1ms simulated") {
				t.Errorf("%s at %v does not say what is simulated", e.name, size)
			}
			if m := regexp.MustCompile(`(?i)\b(best|winner|wins)\b`).FindString(got); m != "" {
				t.Errorf("%s at %v says %q", e.name, size, m)
			}
		}
	}
	v := compareArms(3)
	v.Sides[1].Mark = "rtt 1ms simulated"
	if got := strings.Join(lines(v, 80, 24), "\n"); !strings.Contains(got, "B rtt 1ms simulated") {
		t.Errorf("a mark of one side does not name it:\n%s", got)
	}
	v.Sides[2].Mark = "rtt 10ms simulated"
	if got := strings.Join(lines(v, 80, 24), "\n"); !strings.Contains(got, "rtt of B C simulated") {
		t.Errorf("marks that differ do not name their sides:\n%s", got)
	}
}

// A load that is longer than its column takes a second line; it is never cut.
func TestCompareClientBound(t *testing.T) {
	v := compareClient()
	small := lines(v, 80, 24)
	if count(small, "limiter A server  B client") != 1 || count(small, v.Verdicts[1].Text) != 1 {
		t.Errorf("80x24:\n%s", strings.Join(small, "\n"))
	}
	if got := v.Reading()[1]; !strings.HasPrefix(got, "client: fullbore itself was the limit") {
		t.Errorf("how to read: %q", got)
	}
	if got := compare().Reading()[1]; strings.HasPrefix(got, "client:") {
		t.Error("a word explained that nobody used")
	}
	six := compareArms(6)
	for i := range six.Sides {
		six.Sides[i].Limiter = []string{"server", "client", "server", "", "network", "client"}[i]
	}
	six.Verdicts[1] = views.Verdict{Mark: views.MarkClient, Ratio: against(1.2, .01)[1]}
	wide := lines(six, 120, 40)
	if count(wide, "limiter A C server  B F client  E network") != 1 || count(wide, "B: client-bound: the load generator was the limit: x 1.20") != 1 {
		t.Errorf("120x40:\n%s", strings.Join(wide, "\n"))
	}
}

func TestCompareLoadsAreWhole(t *testing.T) {
	for name, v := range map[string]views.Compare{"arms": compareArms(6), "matrix": compareTests(compareArms(6), 5)} {
		for i := range v.Sides {
			v.Sides[i].Load = "C=1000 P=16 multi"
		}
		got := lines(v, 80, 24)
		at := max(indexOf(got, "  load"), indexOf(got, "    test")+1)
		if first, second := strings.Count(got[at], "C=1000"), strings.Count(got[at+1], "multi"); first < 5 || second != first {
			t.Errorf("%s:\n%s\n%s", name, got[at], got[at+1])
		}
	}
}

// What the server says of both sides is shown for both or not at all.
func TestCompareServerFactsAreWhole(t *testing.T) {
	v := compare()
	v.Server = "main thread us/command  A 5.93  B 0.88  by INFO   us/call  A 0.31  B 0.29  by commandstats"
	for width, want := range map[int]string{80: " main thread us/command  A 5.93  B 0.88  by INFO", 120: " " + v.Server} {
		if got := lines(v, width, 24); count(got, "us/command") != 1 || got[indexOf(got, " main thread")] != want {
			t.Errorf("width %d: %q, want %q", width, got[indexOf(got, " main thread")], want)
		}
	}
}

func TestCompareRatiosInWords(t *testing.T) {
	faster := views.Verdict{Mark: views.MarkFaster}
	row := func(a, b float64) views.CompareRow {
		return views.CompareRow{Label: "p50", IsTime: true, MoreIsBad: true, Times: times(a, b)}
	}
	with := func(r views.CompareRow, x views.Ratio) views.CompareRow {
		r.Ratios = []views.Ratio{{}, x}
		return r
	}
	ops := func(r views.CompareRow) views.CompareRow {
		r.Label, r.IsTime, r.MoreIsBad, r.Numbers = "ops/s", false, false, numbers(100, 200)
		return r
	}
	counter := views.CompareRow{Label: "samples", Numbers: numbers(1, 2), NoRatio: true}
	plain := views.CompareRow{Label: "hits", Numbers: numbers(2, 3), NoDirection: true}
	for _, tt := range []struct {
		name    string
		row     views.CompareRow
		verdict views.Verdict
		want    string
	}{
		{"slower", row(1, 4), faster, "x 4.00   worse"},
		{"quicker", row(4, 1), faster, "x 0.25   better"},
		{"more ops", ops(row(0, 0)), faster, "x 2.00   better"},
		{"interval", with(row(1, 4), views.Ratio{Value: 3.9, Low: 3.8, High: 4.1}), faster, "x 3.90   worse   [3.80..4.10]"},
		{"close to one", with(row(1, 1), views.Ratio{Value: 1.0123, Low: 1.004, High: 1.0204}), faster, "x 1.012  worse   [1.004..1.020]"},
		{"one within", with(row(1, 4), views.Ratio{Value: 1.2, Low: 0.9, High: 1.5}), faster, "x 1.20   ?       [0.90..1.50]"},
		{"held back", with(row(1, 4), views.Ratio{Value: 2, Low: 1.9, High: 2.1, Open: true}), faster, "x 2.00   ?       [1.90..2.10]"},
		{"no verdict, no interval", row(1, 4), views.Verdict{}, "x 4.00   ?"},
		{"no verdict, own interval", with(row(1, 4), views.Ratio{Value: 4, Low: 3.8, High: 4.1}), views.Verdict{}, "x 4.00   worse   [3.80..4.10]"},
		{"no verdict on the metric", with(ops(row(0, 0)), views.Ratio{Value: 2, Low: 1.9, High: 2.1}), views.Verdict{Mark: views.MarkUnknown}, "x 2.00   ?       [1.90..2.10]"},
		{"equal", row(1, 1), faster, "="},
		{"both zero", row(0, 0), faster, "="},
		{"over zero", row(0, 1), faster, "-"},
		{"unknown", views.CompareRow{Label: "p50", IsTime: true, Times: times(1)}, faster, "-"},
		{"tenfold", row(1, 12.34), faster, "x 12.3   worse"},
		{"vanished", row(1, 0.001), faster, "x <0.01  better"},
		{"no direction", plain, faster, "x 1.50"},
		{"counter", counter, faster, "               2"},
		{"not a number", with(row(1, 2), views.Ratio{Value: math.NaN(), Low: 1, High: 2}), faster, "-"},
	} {
		v := compare()
		v.Rows, v.Verdicts = []views.CompareRow{tt.row}, []views.Verdict{{}, tt.verdict}
		got := lines(v, 80, 24)
		line := got[indexOf(got, "  "+tt.row.Label)]
		if !strings.HasSuffix(line, tt.want) {
			t.Errorf("%s: %q, want it to end in %q", tt.name, line, tt.want)
		}
	}
}

// indexOf is the first line that begins with a text.
func indexOf(lines []string, prefix string) int {
	for i, l := range lines {
		if strings.HasPrefix(l, prefix) {
			return i
		}
	}
	return 0
}

// The second side may be the reference: then the ratio is that of the first.
func TestCompareReferenceMoves(t *testing.T) {
	v := compare()
	v.Reference, v.Rows = 1, []views.CompareRow{{Label: "ops/s", Numbers: numbers(400, 100)}}
	v.Verdicts = []views.Verdict{{Mark: views.MarkFaster, Pairs: 12, Ratio: views.Ratio{Value: 4, Low: 3.9, High: 4.1}}, {}}
	got := strings.Join(lines(v, 80, 24), "\n")
	for _, want := range []string{"A / B", "x 4.00   better", "A faster: x 4.00 [3.90..4.10]  B C=50 P=16  A C=50 P=1", "[1]"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestCompareWritesMissingSentences(t *testing.T) {
	ratio := views.Ratio{Value: 1.02, Low: 1.01, High: 1.03}
	for mark, want := range map[views.VerdictMark]string{
		views.MarkWaiting: "B: no verdict yet",
		views.MarkFaster:  "B faster: x 1.020 [1.010..1.030]",
		views.MarkSlower:  "B slower: x 1.020 [1.010..1.030]",
		views.MarkSmall:   "B: real but below 3 %: x 1.020",
		views.MarkSame:    "B: no difference larger than 3 %: x 1.020",
		views.MarkUnknown: "B: cannot tell: x 1.020",
	} {
		v := compare()
		v.Verdicts[1] = views.Verdict{Mark: mark, Ratio: ratio, Pairs: 9, More: 4}
		got := strings.Join(lines(v, 80, 24), "\n")
		if !strings.Contains(got, "\n "+want) || !strings.Contains(got, "noise floor not known yet  9 pairs  about 4 more pairs") {
			t.Errorf("mark %d: %q is missing in\n%s", mark, want, got)
		}
	}
}

// While the sides compete, nothing is claimed at all.
func TestCompetingClaimsNothing(t *testing.T) {
	v := compare()
	v.Competing = true
	for _, size := range screens() {
		got := lines(v, size[0], size[1])
		verdicts := strings.Join(got[:len(got)-1], "\n")
		if i := strings.Index(verdicts, "-- how to read"); i >= 0 {
			verdicts = verdicts[:i]
		}
		for _, word := range []string{"better", "worse", "faster", "slower"} {
			if strings.Contains(verdicts, word) {
				t.Errorf("%v says %q:\n%s", size, word, verdicts)
			}
		}
		if !strings.Contains(verdicts, "no verdict: all run at once and compete") {
			t.Errorf("%v does not say why there is no verdict", size)
		}
	}
	if got := strings.Join(v.Reading(), " "); !strings.Contains(got, "never counted") {
		t.Errorf("how to read: %q", got)
	}
}

// Whatever has the focus, on whichever page: it is in brackets with arrows, and what
// differs from the reference is in sight, in plain brackets.
func TestCompareSidesShowWhatDiffers(t *testing.T) {
	names := []string{"clients", "pipeline", "size", "command", "keys", "rate", "dist", "batch", "window"}
	for side := range 2 {
		for i, name := range names {
			v := compare()
			for s := range v.Sides {
				v.Sides[s].Focused = s == side
				v.Sides[s].Knobs = compareKnobs(name, map[string]string{"pipeline": fmt.Sprint(1 + 15*s), "batch": []string{"pipeline", "multi"}[s]})
			}
			for _, width := range []int{80, 100, 120, 200} {
				got := lines(v, width, 24)
				head, a, b := got[1], got[2], got[3]
				focused := " >[ " + v.Sides[side].Knobs[i].Value + " ]<"
				if !strings.Contains(head, name) || !strings.Contains([]string{a, b}[side], focused) {
					t.Errorf("side %d, %s at %d: the focus is out of sight\n%s\n%s\n%s", side, name, width, head, a, b)
				}
				for _, differs := range []string{"pipeline", "batch"} {
					if !strings.Contains(head, " "+differs) {
						t.Errorf("side %d, %s at %d: %s is out of sight\n%s", side, name, width, differs, head)
					}
				}
				if want := "[multi]"; !strings.Contains(b, want) && !strings.Contains(b, "[ multi ]") {
					t.Errorf("side %d, %s at %d: %q is not set off\n%s", side, name, width, want, b)
				}
				if hidden := !strings.Contains(head, "window") || !strings.Contains(head, "clients"); hidden != strings.ContainsAny(head, "<>") {
					t.Errorf("side %d, %s at %d: hidden %v, head %q", side, name, width, hidden, head)
				}
			}
		}
	}
}

// Within a page moving the focus moves no other knob.
func TestCompareSidesStandStill(t *testing.T) {
	for _, page := range [][]string{{"clients", "pipeline", "size", "command", "keys", "rate"}, {"rate", "dist", "batch", "window"}} {
		want := ""
		for _, name := range page {
			if name == "rate" && want == "" {
				continue
			}
			v := compare()
			for s := range v.Sides {
				v.Sides[s].Knobs = compareKnobs(name, map[string]string{"pipeline": fmt.Sprint(1 + 15*s)})
			}
			got := lines(v, 80, 24)[1]
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("focus on %s moves the names:\n%s\n%s", name, want, got)
			}
		}
	}
}

// One scale for all: a side at a seventh of the other is a seventh as high, and a
// change leaves a gap in both.
func TestCompareStripsShareAScale(t *testing.T) {
	got := lines(compare(), 80, 24)
	if want := "   A  ...... ............"; got[5] != want {
		t.Errorf("got %q, want %q", got[5], want)
	}
	if want := " > B  ...... ||||||||||||"; got[6] != want {
		t.Errorf("got %q, want %q", got[6], want)
	}
	// The last rounds are those that are shown when there are too many.
	v := compare()
	v.Marks = nil
	v.Sides[0].Rounds, v.Sides[1].Rounds = roundPoints(500, 100, 1, 1), roundPoints(500, 1000, 1, 9)
	v.Sides[1].Rounds[499].Ops = views.Number{}
	v.Sides[1].Active = false
	got = lines(v, 80, 24)
	if !strings.Contains(got[4], "last 72 rounds") || len(got[5]) != 78 || len(got[6]) != 77 {
		t.Errorf("got\n%s", strings.Join(got[4:7], "\n"))
	}
}

// One round far above all others does not make the rest invisible.
// Sides on different servers name them before their strips, at the feet of their
// charts and over their columns; with one server nothing takes the room.
func TestCompareNamesServers(t *testing.T) {
	two := compare()
	if count(lines(two, 80, 24), "127.0.0.1:6379") != 1 {
		t.Error("one server is named beside the header")
	}
	two.Sides[0].Server, two.Sides[1].Server = "127.0.0.1:6379", "127.0.0.1:6380"
	for size, want := range map[[2]int][2]string{
		{80, 24}:  {"   A  127.0.0.1:6379 ......", " > B  127.0.0.1:6380 ......"},
		{100, 34}: {"+-- A  127.0.0.1:6379 ---", "+-- >B  127.0.0.1:6380 ---"},
		{120, 40}: {"-- A  127.0.0.1:6379  P=1  168,420 ops/s -", "-- >B  127.0.0.1:6380  P=16 "},
	} {
		got := strings.Join(lines(two, size[0], size[1]), "\n")
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%v: no %q in\n%s", size, w, got)
			}
		}
	}
	three := compareArms(3)
	for i := range three.Sides {
		three.Sides[i].Server = fmt.Sprintf("10.0.0.%d:6379", i)
	}
	if got := lines(three, 80, 24); count(got, "C  batch=multi") != 1 || count(got, "10.0.0.2") != 0 {
		t.Errorf("labels that are short enough went:\n%s", strings.Join(got, "\n"))
	}
	three.Sides[2].Label = "u=redis://10.0.0.2:6379"
	if got := lines(three, 80, 24); count(got, "C  10.0.0.2:6379 ") != 1 || count(got, "u=redis") != 0 {
		t.Errorf("no server before the strip:\n%s", strings.Join(got, "\n"))
	}
}

func TestCompareSpikeIsCutOff(t *testing.T) {
	v := compare()
	v.Sides[1].Rounds[9].Ops = number(1e12)
	got := lines(v, 80, 24)
	if want := " > B  ...... |||^||||||||"; got[6] != want {
		t.Errorf("got %q, want %q", got[6], want)
	}
}

func TestCompareMatrix(t *testing.T) {
	v := compareTests(compare(), 16)
	v.Averages = []views.CompareMean{{Title: "mean of all", Ratios: []views.Ratio{{}, {Value: 0.998}}}}
	for at, want := range map[int]string{0: " >  SET", 2: " >* INCR", 15: " >  XADD"} {
		v.Case = at
		got := lines(v, 80, 24)
		if count(got, want) != 1 || count(got, "    mean of all               x 0.998") != 1 {
			t.Errorf("case %d: %q is missing in\n%s", at, want, strings.Join(got, "\n"))
		}
		if rule := got[indexOf(got, "-- tests")]; !strings.Contains(rule, " more ") {
			t.Errorf("what is hidden is not counted: %q", rule)
		}
	}
	// All the tests come before the details of one.
	for height := 24; height < 60; height++ {
		got := lines(v, 80, height)
		if count(got, "-- results") > 0 && !strings.Contains(strings.Join(got, "\n"), "MSET") {
			t.Errorf("height %d has details and not all tests", height)
		}
	}
	v = compareTests(compare(), 2)
	v.Cases[0].IsTime, v.Cases[0].Median, v.Metric = true, number(1.5e6), "p99"
	if got := lines(v, 80, 24); count(got, " >  SET                1.500  x 1.90") != 1 || count(got, "A p99  B / A") != 1 {
		t.Errorf("p99 as the metric:\n%s", strings.Join(got, "\n"))
	}
}

// What changes with every tick stays on two lines, and what a round changes leaves the
// knobs, headings and texts alone: the renderer resends whole lines.
func TestCompareTrafficIsSmall(t *testing.T) {
	changed := func(a, b []string) (out []string) {
		for i := range a {
			if a[i] != b[i] {
				out = append(out, a[i])
			}
		}
		return out
	}
	for _, size := range screens() {
		before := lines(compare(), size[0], size[1])
		v := compare()
		v.Header.Elapsed += time.Second
		v.Sides[1].Now = number(1_150_777)
		if out := changed(before, lines(v, size[0], size[1])); len(out) > 2 {
			t.Errorf("%v: a tick resends\n%s", size, strings.Join(out, "\n"))
		}
		v = compare()
		v.Rows[2].Times[1], v.Rows[2].Ratios = ms(0.232), against(4, 0.02)
		v.Header.Pair, v.Header.State = 14, "A running"
		out := changed(before, lines(v, size[0], size[1]))
		if len(out) != 2 {
			t.Errorf("%v: one number and the header resend\n%s", size, strings.Join(out, "\n"))
		}
	}
}

func TestCompareTooSmall(t *testing.T) {
	v := compare()
	v.Header.Errors = 2
	got := strings.Join(lines(v, 60, 14), "\n")
	for _, want := range []string{"terminal is 60 x 14; need 80 x 24", "1,142,305 ops/s   p50 0.231   p99 0.651   err 2", "load is still running", "q quit  space pause"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	v.Sides[1].Now = views.Number{}
	if got := strings.Join(lines(v, 60, 14), "\n"); !strings.Contains(got, "1,139,512 ops/s") {
		t.Errorf("without a present rate that of all rounds is missing in\n%s", got)
	}
}

func TestCompareHeaderStates(t *testing.T) {
	for _, state := range []string{"PREPARING 45%", "PAUSED", "COMPETING", "DECIDED", "FROZEN PAUSED", "A running"} {
		v := compare()
		v.Header.State, v.Header.Errors, v.Header.Hertz = state, 1204, 4
		for _, size := range screens() {
			if got := lines(v, size[0], size[1])[0]; !strings.Contains(got, "pair 13/30") || !strings.Contains(got, state) || !strings.Contains(got, "err 1,204") {
				t.Errorf("%v: %q", size, got)
			}
		}
	}
	v := compare()
	v.Header.Target = strings.Repeat("a-very-long-name.", 6) + "example:6379"
	if got := lines(v, 80, 24)[0]; !strings.HasSuffix(got, "B running  0:01:42  err 0") || !strings.Contains(got, "a-very") {
		t.Errorf("a long target: %q", got)
	}
}
