package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

// The summary fits the smallest terminal the screen runs in, and one page of it:
// older segments are counted, and in the files of Save in full.
const (
	summaryWidth    = 80
	summarySegments = 16
)

// Summary writes what stays in the scrollback after the screen has closed: a row
// for each plan that was measured, warnings and totals, at most 80 columns wide.
// Latencies are milliseconds.
func Summary(w io.Writer, h Header, r loadgen.Result) error {
	_, err := io.WriteString(w, summarize(h, r, summarySegments))
	return err
}

// summarize is the summary with at most that many segments, the newest.
func summarize(h Header, r loadgen.Result, most int) string {
	var b strings.Builder
	wrap(&b, title(h), "  ")
	segments, older := r.Segments, 0
	if len(segments) > most {
		older = len(segments) - most
		segments = segments[older:]
	}
	if len(segments) == 0 {
		b.WriteString("nothing was measured\n")
	} else {
		segmentTable(&b, segments)
	}
	if older > 0 {
		fmt.Fprintf(&b, "and %d earlier plans\n", older)
	}
	nodeTable(&b, r, summaryNodes)
	if r.Limiter.Name != "" {
		wrap(&b, "limited by: "+limiterWords(r.Limiter), "  ")
	}
	for _, text := range warnings(r) {
		wrap(&b, "! "+clean(text), "  ")
	}
	totals(&b, r)
	return b.String()
}

// segmentTable factors out the words that all plans share, so that what was
// changed between the rows is what the rows say.
func segmentTable(b *strings.Builder, segments []stats.Segment) {
	shared := sharedWords(segments)
	wrap(b, strings.Join(append(slices.Clone(shared), loadModels(segments)+", latencies in ms)"), " "), "  ")
	t := newSegmentRows(segments)
	missing := false
	for _, s := range segments {
		label := without(words(s.Plan), shared)
		if s.Steady == stats.NotSteady {
			label = append(label, "(not steady)")
		}
		t.add(s, strings.Join(label, " "))
		_, ok := s.Latency.Quantile(.999)
		missing = missing || s.Latency.Count > 0 && !ok
	}
	align(b, t.rows)
	for _, s := range segments {
		if words := schedule(s); words != "" {
			wrap(b, "schedule: "+words, "  ")
		}
	}
	if t.marked {
		b.WriteString(fellBehind + "\n")
	}
	if missing {
		b.WriteString(fewBatches + "\n")
	}
}

// loadModels says under which load model the rows were measured (M3); the rates
// themselves are among the words of the plans.
func loadModels(segments []stats.Segment) string {
	open := 0
	for _, s := range segments {
		if s.Target > 0 {
			open++
		}
	}
	switch open {
	case 0:
		return "(closed loop"
	case len(segments):
		return "(open loop, from the planned moment"
	}
	return "(open loop where a rate is given"
}

// segmentRows are the cells of the table of plans. Marks and the column of stalls
// are there only when some plan needs them, because a narrow table is full.
type segmentRows struct {
	rows            [][]string
	marked, stalled bool
}

func newSegmentRows(segments []stats.Segment) *segmentRows {
	t := &segmentRows{}
	for _, s := range segments {
		keeps, known := s.KeepsRate()
		t.marked = t.marked || known && !keeps
		t.stalled = t.stalled || s.Stalled()
	}
	t.put("", "seconds", "ops/s", "p50"+t.mark(false), "p99"+t.mark(false), "p99.9"+t.mark(false), "max", "errors", "stalled")
	return t
}

// mark stands behind a percentile: a star when the rate was not kept (M9), a blank
// where other rows have one.
func (t *segmentRows) mark(missed bool) string {
	switch {
	case missed:
		return "*"
	case t.marked:
		return " "
	}
	return ""
}

// put adds a row, its last cell only when anything stalled.
func (t *segmentRows) put(cells ...string) {
	if !t.stalled {
		cells = cells[:len(cells)-1]
	}
	t.rows = append(t.rows, cells)
}

// add puts a plan in numbers; below an open loop stands its service time, without
// which nobody can tell a slow server from a late start (M9).
func (t *segmentRows) add(s stats.Segment, label string) {
	stall := dash
	if share, ok := s.StalledShare(); ok && s.Stalled() {
		stall = fmt.Sprintf("%.1f%%", 100*share)
	}
	keeps, known := s.KeepsRate()
	p := t.percentiles(s.Latency, t.mark(known && !keeps))
	t.put(label, brief(s.Measured), shortRate(s.Throughput()), p[0], p[1], p[2], short(highest(s.Latency)), grouped(float64(s.Counters.Errors)), stall)
	if s.Target > 0 {
		p := t.percentiles(s.Service, t.mark(false))
		t.put("  service", "", "", p[0], p[1], p[2], short(highest(s.Service)), "", "")
	}
}

func (t *segmentRows) percentiles(l stats.Latency, mark string) [3]string {
	var out [3]string
	for i, q := range [3]float64{.50, .99, .999} {
		v, ok := l.Quantile(q)
		out[i] = short(v, ok)
		// A dash says nothing that a mark could qualify.
		if ok || mark == " " {
			out[i] += mark
		} else if mark != "" {
			out[i] += " "
		}
	}
	return out
}

// brief is a time in seconds, to the hundredth while that is much of it.
func brief(d time.Duration) string {
	if d < 10*time.Second {
		return seconds(d)
	}
	return fmt.Sprintf("%.1f", d.Seconds())
}

// align writes rows in columns: the first to the left, numbers to the right. A
// first cell that leaves no room for the numbers gets a line of its own.
func align(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	// Two blanks stand in front of each number.
	numbers := 0
	for _, w := range widths[1:] {
		numbers += w + 2
	}
	first := max(0, min(widths[0], summaryWidth-numbers))
	for _, row := range rows {
		label := row[0]
		if utf8.RuneCountInString(label) > first {
			wrap(b, label, "  ")
			label = ""
		}
		line := fmt.Sprintf("%-*s", first, label)
		for i, cell := range row[1:] {
			line += fmt.Sprintf("  %*s", widths[i+1], cell)
		}
		b.WriteString(cut(strings.TrimRight(line, " ")) + "\n")
	}
}

// totals are the counts of the whole run and how it ended.
func totals(b *strings.Builder, r loadgen.Result) {
	line := fmt.Sprintf("total: %s requests in %s s, %s errors", grouped(float64(requests(r.Total))),
		brief(r.Elapsed), grouped(float64(r.Total.Errors)))
	if list := codeWords(codes(r.Faults)); list != "" {
		line += " (" + list + ")"
	}
	line += fmt.Sprintf(", %s lost; ", grouped(float64(r.Total.Lost))) + gapWords(whole(r))
	wrap(b, line, "  ")
	if rate, ok := r.Total.HitRate(); ok {
		fmt.Fprintf(b, "hit rate %.2f %%\n", rate*100)
	}
	for _, f := range r.Faults {
		wrap(b, fmt.Sprintf("%s %s: %s", f.Class, clean(f.Code), quote(f.Text)), "  ")
	}
	if words := silence(r); words != "" {
		wrap(b, words, "  ")
	}
	if r.Partial {
		wrap(b, "partial result, "+ending(r), "  ")
	}
}

// sharedWords are the words that stand in every plan, in the order of the last
// one.
func sharedWords(segments []stats.Segment) []string {
	shared := words(segments[len(segments)-1].Plan)
	for _, s := range segments {
		// What is left of shared without its words that s lacks.
		shared = without(shared, without(shared, words(s.Plan)))
	}
	return shared
}

// words are those of a plan: "set", "c=50", "P=16".
func words(plan string) []string { return strings.Fields(clean(plan)) }

// without is list less everything in drop.
func without(list, drop []string) []string {
	var rest []string
	for _, word := range list {
		if !slices.Contains(drop, word) {
			rest = append(rest, word)
		}
	}
	return rest
}

// wrap writes s in lines of at most 80 columns, later ones indented. A word
// longer than a line is cut, because a broken table helps nobody.
func wrap(b *strings.Builder, s, indent string) {
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= summaryWidth:
			line += " " + word
		default:
			b.WriteString(cut(line) + "\n")
			line = indent + word
		}
	}
	b.WriteString(cut(line) + "\n")
}

// cut shortens a line to the width, with a mark that ASCII terminals have too.
func cut(line string) string { return shorten(line, summaryWidth) }
