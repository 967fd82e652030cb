package tui

import (
	"fmt"
	"slices"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/views"
)

// noteLines are the lines of the notes section, newest last. What is wrong right
// now stands just before the newest event, so that a screen with room for two
// lines shows one of each.
func (c scene) noteLines() []views.Note {
	events := slices.Concat(c.slow.Notes, c.notes)
	for _, m := range c.slow.Marks {
		same := func(n stats.Note) bool { return n.Text == m.Text && n.At-m.At < second && m.At-n.At < second }
		if !slices.ContainsFunc(events, same) {
			events = append(events, stats.Note{At: m.At, Text: m.Text})
		}
	}
	slices.SortStableFunc(events, func(a, b stats.Note) int { return int(a.At - b.At) })
	var out []views.Note
	for _, n := range events {
		out = append(out, views.Note{Clock: c.clock(n.At), Warning: n.Warning, Text: n.Text})
	}
	standing := c.standing()
	if len(out) == 0 {
		return standing
	}
	return slices.Insert(out, len(out)-1, standing...)
}

// clock is the time of day of an instant of the run, empty before it began.
func (c scene) clock(at time.Duration) string {
	if c.started.IsZero() {
		return ""
	}
	return c.started.Add(at).Format("15:04:05")
}

// standing are the warnings that hold at this moment, the worst last.
func (c scene) standing() []views.Note {
	var out []views.Note
	warn := func(format string, a ...any) {
		out = append(out, views.Note{Warning: true, Text: fmt.Sprintf(format, a...)})
	}
	if w := c.slow.Current; w.Target > 0 {
		out = append(out, views.Note{Text: schedule(w)})
	}
	for _, w := range c.slow.Warnings {
		warn("%s", w)
	}
	if g := c.slow.Gaps; g.Count > 0 {
		warn("%s over %v without a reply, longest %v, %v in all", plural(g.Count, "gap"), stats.GapLimit, brief(g.Longest), brief(g.Total))
	}
	for i := len(c.slow.Faults) - 1; i >= 0; i-- {
		f := c.slow.Faults[i]
		name := f.Code
		if name == "" {
			name = string(f.Class)
		}
		warn("%s %s: %s", name, grouped(f.Count), f.Text)
	}
	return out
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + " " + what + "s"
}

// schedule sets what was asked in an open loop beside what was achieved, and how
// late batches left (M9).
func schedule(s stats.Segment) string {
	text := fmt.Sprintf("open loop: asked %s/s", grouped(int64(s.Target)))
	if got, ok := s.Throughput(); ok {
		text += fmt.Sprintf(", got %s/s", grouped(int64(got)))
	}
	if lag, ok := s.Lag.Quantile(.99); ok {
		text += fmt.Sprintf(", lag p99 %v", brief(lag))
	}
	if service, ok := s.Service.Quantile(.99); ok {
		text += fmt.Sprintf(", service p99 %v", brief(service))
	}
	return text
}

// brief is d with at most three significant digits.
func brief(d time.Duration) time.Duration {
	for unit := time.Nanosecond; ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
}
