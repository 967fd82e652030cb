package report

import (
	"fmt"
	"slices"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
)

// compareText and compareMarkdown print the same parts.
func compareText(c contrast) ([]byte, error)     { return c.sheet().text(), nil }
func compareMarkdown(c contrast) ([]byte, error) { return c.sheet().markdown(), nil }

// sheet is the report of a comparison: who and how, the table, the verdicts, and
// below them what they rest on.
func (c contrast) sheet() sheet {
	out := sheet{c.opening()}
	switch {
	case len(c.s.Results) == 0:
		return append(out, c.closing()...)
	case len(c.arms) == 2 && len(c.s.Results) == 1:
		out = append(out, c.pairTable(c.s.Results[0]))
	default:
		out = append(out, c.matrix())
	}
	out = append(out, c.verdicts())
	twins := false
	for _, o := range c.s.Results {
		out = append(out, c.rounds(o))
		twins = twins || len(o.Twins) > 0
	}
	out[len(out)-1].lines = dotKey(twins)
	if part := c.serverSide(); len(part.grid.rows) > 0 {
		out = append(out, part)
	}
	if part := c.limits(); len(part.lines) > 0 {
		out = append(out, part)
	}
	return append(out, c.closing()...)
}

// opening says who compared what, where and how.
func (c contrast) opening() section {
	s := section{head: strings.TrimSpace(clean(c.h.Tool+" "+c.h.Version)) + " compare"}
	if !c.h.Started.IsZero() {
		s.head += ", " + c.h.Started.Format("2006-01-02 15:04:05 MST")
	}
	if len(c.arms) > 0 {
		s.grid = &grid{names: []string{"arm", "label", "plan"}, left: map[int]bool{1: true, 2: true}, folds: true}
		for _, a := range c.arms {
			s.grid.add(a.letter, a.label, a.planWords())
		}
		s.lines = append(c.servers(), c.ruleWords()+"; took "+seconds(c.s.Elapsed)+" s")
	}
	if c.s.Partial {
		s.lines = append(s.lines, c.endingWords())
	}
	if len(c.s.Results) == 0 {
		s.lines = append(s.lines, "nothing was measured")
	}
	return s
}

// endingWords say why a comparison is partial.
func (c contrast) endingWords() string {
	return "partial result, " + ending(loadgen.Result{Reason: c.told(c.s.Reason)})
}

// verdicts are a sentence for each comparison. There is none over several of them.
func (c contrast) verdicts() section {
	s := section{head: "verdicts"}
	for _, o := range c.s.Results {
		for _, b := range c.others() {
			s.lines = append(s.lines, fmt.Sprintf("%s, %s against %s: %s (%s)",
				c.title(o), b.letter, c.arms[0].letter, c.verdictText(o, b), c.conditions(o, b)))
		}
		if !o.Done && !c.s.Partial {
			s.lines = append(s.lines, c.title(o)+": still being measured")
		}
	}
	return s
}

// rounds are all rounds of a case as dots in time order, on one scale, with their
// median and range (C15).
func (c contrast) rounds(o experiment.Outcome) section {
	scale := newScale(c, o)
	s := section{
		head: fmt.Sprintf("%s, %s of each round in time order", c.title(o), valueName(o.Metric)),
		grid: &grid{names: []string{"arm", "median", "lowest", "highest", "spread", "rounds"}, left: map[int]bool{5: true}, code: map[int]bool{5: true}},
	}
	add := func(name string, median, low, high float64, rounds []experiment.Round) {
		spread := dash
		if v, ok := spreadOf(median, low, high); ok {
			spread = percent(v)
		}
		strips := scale.strips(rounds)
		s.grid.add(name, valueWords(o.Metric, median), valueWords(o.Metric, low), valueWords(o.Metric, high), spread, strips[0])
		for _, more := range strips[1:] {
			s.grid.add("", "", "", "", "", more)
		}
	}
	for i, a := range c.arms {
		m := a.measured(o)
		add(a.letter, m.Median, m.Low, m.High, m.Rounds)
		if i == 0 && len(o.Twins) > 0 {
			median, low, high := middle(o.Twins)
			add(a.letter+"'", median, low, high, o.Twins)
		}
	}
	return s
}

// spreadOf is the range of the rounds as a share of their median.
func spreadOf(median, low, high float64) (float64, bool) {
	v := (high - low) / median
	return v, median > 0 && finite(v)
}

// middle is the median and the range of rounds.
func middle(rounds []experiment.Round) (median, low, high float64) {
	var v []float64
	for _, r := range rounds {
		v = append(v, r.Value)
	}
	if len(v) == 0 {
		return 0, 0, 0
	}
	slices.Sort(v)
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2, v[0], v[n-1]
}

// closing is what went wrong, what is doubtful, what was measured before, and notes.
func (c contrast) closing() sheet {
	var out sheet
	if lines := c.troubles(); len(lines) > 0 {
		out = append(out, section{head: "errors and doubts", lines: lines})
	}
	if lines := c.earlierLines(); len(lines) > 0 {
		out = append(out, section{head: "measured before a change began the pairs anew", lines: lines})
	}
	if lines := c.noteLines(); len(lines) > 0 {
		out = append(out, section{head: "notes", lines: lines})
	}
	return out
}

// troubles are the errors, faults and losses of each arm, and the doubts about what
// it measured in each case.
func (c contrast) troubles() []string {
	var out []string
	for _, a := range c.arms {
		for _, line := range troubleLines(a.whole()) {
			out = append(out, a.letter+": "+c.told(line))
		}
	}
	for _, o := range c.s.Results {
		for _, a := range c.arms {
			r := a.outcome(o)
			for _, d := range doubts(r) {
				out = append(out, fmt.Sprintf("%s, %s: warning: %s", c.title(o), a.letter, clean(d.text)))
			}
			if m := a.measured(o); len(m.Rounds) > 0 && m.Total.Counters.Replies == 0 {
				out = append(out, fmt.Sprintf("%s, %s: %s", c.title(o), a.letter, silence(r)))
			}
		}
	}
	return out
}

// earlierLines tell of each stretch what it compared and with which medians.
func (c contrast) earlierLines() []string {
	var out []string
	for _, e := range c.s.Earlier {
		for _, o := range e.Results {
			var parts []string
			for _, a := range c.arms {
				plan := ""
				if a.index < len(e.Plans) {
					plan = " (" + c.told(e.Plans[a.index]) + ")"
				}
				m := a.measured(o)
				parts = append(parts, fmt.Sprintf("%s%s %s in %d rounds", a.letter, plan, valueWords(o.Metric, m.Median), len(m.Rounds)))
			}
			out = append(out, fmt.Sprintf("%s, median %s: %s", c.title(o), valueName(o.Metric), strings.Join(parts, ", ")))
		}
	}
	return out
}

// noteLines are the notes, each text once.
func (c contrast) noteLines() []string {
	var out []string
	for _, n := range c.s.Notes {
		text := c.told(n.Text)
		if n.Warning {
			text = "warning: " + text
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
