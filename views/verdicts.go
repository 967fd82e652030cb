package views

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// word is what stands for a verdict in a cell.
func (m VerdictMark) word() (Tone, string) {
	switch m {
	case MarkFaster:
		return Good, "faster"
	case MarkSlower:
		return Bad, "slower"
	case MarkSmall:
		return Plain, "small"
	case MarkSame:
		return Plain, "same"
	case MarkUnknown:
		return Caution, "?"
	case MarkClient:
		return Caution, "client"
	}
	return Muted, "..."
}

// claims holds for the verdicts that say one side differs from the other.
func (m VerdictMark) claims() bool { return m == MarkFaster || m == MarkSlower || m == MarkSmall }

// sentence is the verdict on a side in words.
func (v *Compare) sentence(side int) (Tone, string) {
	d := at(v.Verdicts, side)
	tone, _ := d.Mark.word()
	switch {
	case v.Competing:
		return Caution, "no verdict: all run at once and compete, which is shown and never counted"
	case d.Text != "":
		return tone, d.Text
	}
	name, ratio := v.Sides[side].Name, d.Ratio.text()
	if i := d.Ratio.interval(20); i != "" {
		ratio += " " + i
	}
	limit := v.limit()
	switch d.Mark {
	case MarkFaster:
		return tone, name + " faster: " + ratio
	case MarkSlower:
		return tone, name + " slower: " + ratio
	case MarkSmall:
		return tone, name + ": real but below " + limit + ": " + ratio
	case MarkSame:
		return tone, name + ": no difference larger than " + limit + ": " + ratio
	case MarkUnknown:
		return tone, name + ": cannot tell: " + ratio
	case MarkClient:
		return tone, name + ": client-bound: the load generator was the limit: " + ratio
	}
	return Muted, name + ": no verdict yet"
}

// told are the sides whose verdicts are written out in so many lines: that in focus
// first to stay, in the order of their letters.
func (v *Compare) told(lines int) []int {
	var out []int
	keep := v.focus()
	if keep == v.Reference {
		keep = -1
	}
	for i := range v.Sides {
		if i == v.Reference {
			continue
		}
		left := lines - len(out)
		if left > 1 || left == 1 && (keep < i || keep == i) {
			out = append(out, i)
		}
	}
	return out
}

// drawVerdicts writes the rule and a line for each verdict, with the load of both
// sides beside it, and a line of what stands behind them.
func (v *Compare) drawVerdicts(c *canvas, p *comparePlan) {
	if p.ruled {
		v.verdictRule(c)
	}
	told := v.told(p.verdicts)
	var below []piece
	for n, i := range told {
		tone, text := v.sentence(i)
		c.space(1)
		c.text(tone, text)
		loads := v.loads(i)
		switch room := c.width - c.col - c.gap(); {
		case breadth(c.gap(), loads) <= room:
			c.space(c.gap())
			c.pieces(c.gap(), loads)
		case n == 0:
			below = loads
		}
		c.end()
	}
	if p.doubt && len(told) > 0 {
		v.doubt(c, told[0], below)
	}
}

// verdictRule opens the verdicts: on which test, and by which metric.
func (v *Compare) verdictRule(c *canvas) {
	left := v.title("verdict", "on ")
	if v.Metric != "" {
		left = append(left, piece{Muted, "by " + v.Metric})
	}
	c.rule(left, nil)
}

// loads are what both sides of a verdict sent, so that no ratio is read without it.
func (v *Compare) loads(side int) []piece {
	var out []piece
	for _, i := range [...]int{v.Reference, side} {
		if s := at(v.Sides, i); s.Load != "" {
			out = append(out, piece{Plain, s.Name + " " + s.Load})
		}
	}
	return out
}

// doubt is the line of noise and pairs.
func (v *Compare) doubt(c *canvas, side int, more []piece) {
	d := at(v.Verdicts, side)
	floor := "noise floor not known yet"
	if d.Floor.OK && isData(d.Floor.Value) {
		floor = "noise floor " + small(d.Floor.Value)
	}
	ps := append(more, piece{Plain, floor}, piece{Plain, plural(d.Pairs, "pair")})
	if d.More > 0 && !strings.Contains(d.Text, "more pair") {
		ps = append(ps, piece{Caution, "about " + plural(d.More, "more pair")})
	}
	if text := v.limiters(); text != "" {
		at := len(ps)
		if d.Mark == MarkClient { // the reason goes before the numbers that it makes idle
			at = len(more)
		}
		ps = slices.Insert(ps, at, piece{Plain, text})
	}
	for _, s := range v.Sides {
		if s.Spread.OK && isData(s.Spread.Value) {
			ps = append(ps, piece{Muted, "spread " + s.Name + " " + small(s.Spread.Value)})
		}
	}
	for len(ps) > 1 && 1+breadth(c.gap(), ps) > c.width {
		ps = ps[:len(ps)-1]
	}
	c.space(1)
	c.pieces(c.gap(), ps)
	c.end()
}

// limiters are what held the sides back, those of one limiter together: "limiter
// A C server  B client".
func (v *Compare) limiters() string {
	var names []string
	of := map[string]string{}
	for i := range v.Sides {
		s := &v.Sides[i]
		if s.Limiter == "" {
			continue
		}
		if of[s.Limiter] == "" {
			names = append(names, s.Limiter)
		}
		of[s.Limiter] += s.Name + " "
	}
	text := ""
	for _, n := range names {
		text += "  " + of[n] + n
	}
	if text == "" {
		return ""
	}
	return "limiter" + text[1:]
}

// limit is the one below which nobody acts, in words.
func (v *Compare) limit() string {
	if v.Practical > 0 && isData(v.Practical) {
		return small(v.Practical)
	}
	return "the practical limit"
}

// small writes a share of a few percent: "3 %", "1.2 %".
func small(share float64) string {
	x := math.Round(math.Abs(share)*1000) / 10
	if x >= 1e6 {
		return Short(x) + " %"
	}
	return strconv.FormatFloat(x, 'f', -1, 64) + " %"
}

// plural counts things.
func plural(n int, thing string) string {
	s := Thousands(float64(n)) + " " + thing
	if n != 1 {
		s += "s"
	}
	return s
}

// Reading is how to read the screen, in sentences, the most needed first: for the
// screen's own section, and for the help of one that has no room for it.
func (v Compare) Reading() []string {
	limit := strings.ReplaceAll(v.limit(), " %", "%") // so that no line breaks there
	turns := "The sides run in turn, in random order within each pair: they do not compete for the server."
	switch {
	case v.Competing:
		turns = "All sides run at once and compete for the server: a demonstration, never counted."
	case v.Round > 0:
		turns = "The sides run in turn, " + brisk(v.Round) + " each"
		if v.Settle > 0 {
			turns += " after " + brisk(v.Settle) + " set apart"
		}
		turns += ", in random order within each pair: they do not compete."
	}
	out := []string{
		"faster, slower: real. small: real but below " + limit + ". same: no difference above " + limit + ". ?: cannot tell. ...: too few pairs.",
		turns,
		"x 2.00 [1.95..2.05]: twice the reference, and the 95% interval of that ratio. ? where nothing can be claimed.",
	}
	if v.clientBound() {
		out = slices.Insert(out, 1, "client: fullbore itself was the limit of a side, so nothing is said of the server; raise --threads.")
	}
	if v.Metric == "p99" {
		out = append(out, "With a fixed rate the verdict goes by p99: faster is the lower one.")
	}
	return append(out, "Latency is each command's own reply; p50 / P is a cost, no percentile. At saturation latency = C x P / rate.")
}

// clientBound tells whether some verdict is held back by the load generator.
func (v *Compare) clientBound() bool {
	bound := func(d Verdict) bool { return d.Mark == MarkClient }
	of := func(k CompareCase) bool { return slices.ContainsFunc(k.Verdicts, bound) }
	return slices.ContainsFunc(v.Verdicts, bound) || slices.ContainsFunc(v.Cases, of)
}

// readingLines breaks the first so many sentences into lines.
func (v *Compare) readingLines(sentences, width int) []string {
	var out []string
	for _, s := range v.Reading()[:sentences] {
		out = append(out, wrap(s, width-2)...)
	}
	return out
}

// brisk writes the length of a round: "1 s", "250 ms".
func brisk(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}

// nanoseconds makes a time of a number that may be out of range.
func nanoseconds(v float64) time.Duration {
	return time.Duration(max(-1<<62, min(1<<62, v)))
}
