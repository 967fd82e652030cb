package views

import "time"

// ServerPage is the page of the server: what limits the load, gauges with their
// course over the same time as the live charts, facts about both ends, and what the
// server says of the latency of each command.
type ServerPage struct {
	Header   Header
	Limiter  Limiter
	Proof    string // the verdict of a proof, or that one is under way; empty = none
	Share    string // in clauses: which part of its time commands take; empty = unknown
	Silent   string // why the server tells nothing; empty = it does
	Gauges   []Gauge
	Span, At time.Duration // the time axis, as in Throughput
	Marks    []Mark
	Facts    []CardRow     // parts of a value three spaces apart
	Commands []CommandTime // the busiest first; empty = not told
	Notes    []Note
	Keys     []Key
	Small    TooSmall // drawn below the minimum size
}

// CommandTime is what a server tells of one command.
type CommandTime struct {
	Name    string // "get"
	Rate    Number // calls per second, whoever made them
	PerCall Duration
	P50     Duration // an upper bound, as servers tell them
	P99     Duration // likewise
	Share   Number   // of the time of all commands, 0 to 1
}

// pagePlan is how the lines of the page are shared out.
type pagePlan struct {
	limiter  []piece // lines below the rule of the limiter
	rows     int     // of each gauge
	gauges   int     // how many
	times    bool
	facts    int // lines, the rule apart
	commands int
	notes    int
}

// commandFrame is the rule and the headings of the table of commands.
const commandFrame = 2

// Render draws the page; below the minimum TooSmall, as on the live screen.
func (v ServerPage) Render(f Frame) string {
	if f.Width < MinWidth || f.Height < MinHeight {
		return v.Small.Render(f)
	}
	c := newCanvas(f)
	p := v.plan(f)
	c.height-- // the key line never gives way
	v.Header.draw(c)
	v.drawLimiter(c, p)
	v.drawGauges(c, p)
	if p.facts > 0 {
		c.rule([]piece{{Plain, "both ends"}}, nil)
		v.drawFacts(c, p.facts)
	}
	v.drawCommands(c, p.commands)
	if p.notes > 0 {
		c.rule([]piece{{Plain, "notes"}}, nil)
		Notes(v.Notes).draw(c, p.notes)
	}
	for c.left() > 0 {
		c.end()
	}
	c.height++
	KeyLine(v.Keys).draw(c)
	return c.String()
}

// plan spends the lines in this order: the limiter, all gauges in one row each, a
// note, who both ends are, the commands, the remaining notes, and then taller gauges.
// What has no room waits, and nothing smaller slips in before it.
func (v ServerPage) plan(f Frame) pagePlan {
	p := pagePlan{limiter: v.limiterLines(f.Width), rows: 1, times: true}
	// Header, key line, rule of the limiter, rule of the gauges and their times.
	b := budget(f.Height - 5 - len(p.limiter) - len(v.silence(f.Width)))
	for p.gauges < len(v.Gauges) && b.take(1) {
		p.gauges++
	}
	v.spend(&p, &b)
	if p.gauges > 0 {
		p.rows += min(int(b)/p.gauges, gaugeMost-1)
	}
	return p
}

// gaugeMost is how tall a gauge may become.
const gaugeMost = 5

// spend gives lines to the sections below the gauges.
func (v ServerPage) spend(p *pagePlan, b *budget) {
	if len(v.Notes) > 0 {
		if !b.take(2) {
			return
		}
		p.notes = 1
	}
	if len(v.Facts) > 0 {
		if !b.take(2) {
			return
		}
		for p.facts = 1; p.facts < len(v.Facts); p.facts++ {
			if !b.take(1) {
				return
			}
		}
	}
	if len(v.Commands) > 0 {
		if !b.take(commandFrame + 1) {
			return
		}
		for p.commands = 1; p.commands < len(v.Commands); p.commands++ {
			if !b.take(1) {
				return
			}
		}
	}
	for p.notes > 0 && p.notes < len(v.Notes) && b.take(1) {
		p.notes++
	}
}

// silence is why the server tells nothing, on two lines at most; none where it does.
func (v ServerPage) silence(width int) []string {
	if v.Silent == "" {
		return nil
	}
	lines := wrap(v.Silent, width-4)
	return lines[:min(len(lines), 2)]
}

// drawFacts writes so many rows of facts, each in whole parts.
func (v ServerPage) drawFacts(c *canvas, rows int) {
	for _, r := range v.Facts[:rows] {
		c.cell(2, factValue-1, Muted, r.Label)
		c.to(factValue)
		c.text(Plain, whole(r.Value, c.width-factValue))
		c.end()
	}
}

// factValue is the column at which the values of facts begin.
const factValue = 16

// limiterLines are what stands below the rule of the limiter: evidence and advice in
// full, for here is room, and the verdict of a proof.
func (v ServerPage) limiterLines(width int) []piece {
	var out []piece
	say := func(tone Tone, text string) {
		if text == "" {
			return
		}
		for i, line := range wrap(text, width-4) {
			if i == limiterMost {
				break
			}
			out = append(out, piece{tone, line})
		}
	}
	switch l := v.Limiter; {
	case l.known():
		say(Plain, l.Evidence)
		say(Accent, l.Advice)
	default:
		say(Muted, "not known yet: it takes some seconds of load")
	}
	say(Strong, v.Proof)
	return out
}

// limiterMost is how many lines one of its sentences may have.
const limiterMost = 3

// drawLimiter writes the rule with the title, and the sentences.
func (v ServerPage) drawLimiter(c *canvas, p pagePlan) {
	title := []piece{{Strong, "limiter"}}
	if v.Limiter.known() {
		title = append(title, piece{v.Limiter.tone(), v.Limiter.Title})
	}
	c.rule(title, nil)
	for _, line := range p.limiter {
		c.space(2)
		c.text(line.tone, line.text)
		c.end()
	}
}

// drawGauges writes the rule, the gauges and the times below them.
func (v ServerPage) drawGauges(c *canvas, p pagePlan) {
	right := []piece{{Muted, seconds(v.Span, roomySpace(c.width))}}
	if v.Silent == "" {
		right = append(shareOf(v.Share, c.width-breadth(c.gap(), right)), right...)
	}
	c.rule([]piece{{Plain, "server INFO"}}, right)
	for _, line := range v.silence(c.width) {
		c.space(2)
		c.text(Caution, line)
		c.end()
	}
	at := newGaugeColumns(c.width, v.Gauges)
	g := grid{span: v.Span, at: v.At, columns: at.columns}
	for i := range p.gauges {
		v.Gauges[i].draw(c, at, g, p.rows)
	}
	if p.times {
		c.space(at.chart)
		plot{columns: at.columns, bare: true}.times(c, v.Marks, g)
	}
}

// roomySpace stands between a number and its unit where there is room.
func roomySpace(width int) string {
	if width >= roomyWidth {
		return " "
	}
	return ""
}

// The columns of the table of commands, each the place where its numbers end.
const (
	commandRate  = 28
	commandCall  = 40
	commandP50   = 51
	commandP99   = 62
	commandShare = 74
)

// drawCommands writes a rule, the headings and so many rows; none without rows.
func (v ServerPage) drawCommands(c *canvas, rows int) {
	if rows <= 0 {
		return
	}
	c.rule([]piece{{Plain, "latency by command, as the server tells it"}}, []piece{{Muted, "us, without the network"}})
	c.space(2)
	c.text(Muted, "command")
	for _, h := range []struct {
		end  int
		text string
	}{{commandRate, "calls/s"}, {commandCall, "us/call"}, {commandP50, "p50 <="}, {commandP99, "p99 <="}, {commandShare, "of time"}} {
		c.right(h.end, Muted, h.text)
	}
	c.end()
	for _, row := range v.Commands[:rows] {
		c.cell(2, commandRate-11, Plain, row.Name)
		c.right(commandRate, Plain, row.Rate.thousands())
		c.right(commandCall, Plain, row.PerCall.micros())
		c.right(commandP50, Plain, row.P50.micros())
		c.right(commandP99, Plain, row.P99.micros())
		c.right(commandShare, Plain, row.Share.percent())
		c.end()
	}
}

// micros is a time in microseconds without the unit, two places after the point
// below 100; "-" when unknown.
func (d Duration) micros() string {
	if !d.OK || d.Value < 0 {
		return unknown
	}
	return Thousands(float64(d.Value) / float64(time.Microsecond))
}
