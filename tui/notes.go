package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen/stats"
	"fullbore/views"
)

// noteLines are the lines of the notes section, newest last. What is wrong right
// now stands just before the newest event, so that a screen with room for two
// lines shows one of each.
func (c scene) noteLines() []views.Note {
	events := slices.Concat(c.facts.untold(), c.slow.Notes, c.notes)
	for _, m := range c.slow.Marks {
		same := func(n stats.Note) bool { return n.Text == m.Text && n.At-m.At < second && m.At-n.At < second }
		if !slices.ContainsFunc(events, same) {
			events = append(events, stats.Note{At: m.At, Text: m.Text})
		}
	}
	slices.SortStableFunc(events, func(a, b stats.Note) int { return int(a.At - b.At) })
	var out []views.Note
	for _, n := range events {
		// What was not steady stands in the table's title for as long as it matters;
		// as a warning here it would take the line of a newer one.
		pressing := n.Warning && !strings.HasPrefix(n.Text, string(stats.NotSteady))
		out = append(out, views.Note{Clock: c.clock(n.At), Warning: pressing, Text: n.Text})
	}
	standing := c.standing()
	if len(out) == 0 {
		return standing
	}
	return slices.Insert(out, len(out)-1, standing...)
}

// untold is why a look at the server did not tell everything; no warning, for a tight
// ACL is no failure.
func (f Facts) untold() []stats.Note {
	if f.Hidden == "" {
		return nil
	}
	return []stats.Note{{Text: "the server does not tell everything: " + f.Hidden}}
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
	if c.told.Insight != nil {
		for _, n := range slices.Backward(c.told.Notes) { // they come the most serious first
			if !slices.Contains(c.slow.Warnings, n) {
				warn("%s", n)
			}
		}
	}
	for _, w := range c.slow.Warnings {
		warn("%s", w)
	}
	// Of the present segment: what happened under an older plan, or before a reset,
	// is in its own column and in the results.
	if seg := c.slow.Current; seg.Stalled() {
		text := fmt.Sprintf("longest gap %.1f s, %s", seg.Gaps.Longest.Seconds(), plural(seg.Gaps.Count, "gap"))
		if share, ok := seg.StalledShare(); ok {
			text += fmt.Sprintf(", %s of the time stalled", portion(share))
		}
		warn("%s", text)
	}
	for i := len(c.slow.Faults) - 1; i >= 0; i-- {
		f := c.slow.Faults[i]
		warn("%s %s: %s", faultName(f), grouped(f.Count), f.Text)
	}
	return out
}

func faultName(f stats.Fault) string {
	if f.Code == "" {
		return string(f.Class)
	}
	return f.Code
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + " " + what + "s"
}
