package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/workload"
)

// planWords are the load of an arm in a few words, without the test, which is the
// row's: "c=50 P=16 d=3 keys=100000, closed loop, rtt 1ms simulated".
func (a contender) planWords() string {
	p := a.arm.Plan
	s := fmt.Sprintf("%s d=%s keys=%d", a.depth(), p.Workload.SizeText(), p.Workload.Keys.Size)
	if dist := p.Workload.Keys.Dist; dist != (workload.Dist{}) {
		s += " dist=" + dist.String()
	}
	if p.Rate > 0 {
		s += ", open loop at " + requestRate(p.Rate) + "/s"
	} else {
		s += ", closed loop"
	}
	if p.Batch != workload.Pipelined {
		s += ", batch=" + p.Batch.String()
	}
	if p.RTT > 0 {
		s += ", " + rttWords(p.RTT)
	}
	if p.Reconnect {
		s += ", reconnecting"
	}
	if a.arm.Threads > 0 {
		s += fmt.Sprintf(", %d client threads", a.arm.Threads)
	}
	return clean(s)
}

// depth is C and P, which stand beside every verdict (C16).
func (a contender) depth() string {
	return fmt.Sprintf("c=%d P=%d", a.arm.Plan.Clients, a.arm.Plan.Pipeline)
}

func rttWords(d time.Duration) string { return fmt.Sprintf("rtt %v simulated", d) }

// depths are C and P of two arms: "c=50 P=1 and c=50 P=16".
func depths(a, b contender) string {
	if a.depth() == b.depth() {
		return a.depth()
	}
	return a.depth() + " and " + b.depth()
}

// simulated marks that replies were delayed on purpose: "rtt 1ms simulated", behind
// it the letters where not all arms are meant; empty when none is.
func (c contrast) simulated() string {
	letters := map[time.Duration][]string{}
	var order []time.Duration
	for _, a := range c.arms {
		d := a.arm.Plan.RTT
		if letters[d] = append(letters[d], a.letter); len(letters[d]) == 1 && d > 0 {
			order = append(order, d)
		}
	}
	var out []string
	for _, d := range order {
		words := rttWords(d)
		if len(letters[d]) < len(c.arms) {
			words += " in " + strings.Join(letters[d], ", ")
		}
		out = append(out, words)
	}
	return strings.Join(out, "; ")
}

// serverWords are where an arm was measured: "127.0.0.1:6379, redis 7.0.15
// (standalone), private redis-server, started with: redis-server --io-threads 2".
func (c contrast) serverWords(a contender) string {
	p := a.arm.Place
	h := About(p.Target, p.Info)
	h.Origin = p.Origin
	s := strings.TrimPrefix(strings.TrimSpace(title(h)), "at ")
	if p.Replicas > 0 {
		s += fmt.Sprintf(", replicas: %d", p.Replicas)
	}
	if p.Command != "" {
		s += ", started with: " + c.told(p.Command)
	}
	if h.Save != Unknown || h.Appendonly != Unknown {
		s += fmt.Sprintf(", save %q, appendonly %s", h.Save, h.Appendonly)
	}
	return clean(s)
}

// servers are a line for each, with the letters of the arms that it serves.
func (c contrast) servers() []string {
	var order []string
	letters := map[string][]string{}
	for _, a := range c.arms {
		s := c.serverWords(a)
		if !slices.Contains(order, s) {
			order = append(order, s)
		}
		letters[s] = append(letters[s], a.letter)
	}
	var out []string
	for _, s := range order {
		out = append(out, fmt.Sprintf("server of %s: %s", strings.Join(letters[s], ", "), cmp.Or(s, Unknown)))
	}
	return out
}

// ruleWords say how it was measured.
func (c contrast) ruleWords() string {
	r := c.s.Rules
	return fmt.Sprintf("rounds of %v after %v to settle, all arms in random order (seed %d); at most %d pairs; practical limit %s",
		r.Round, r.Settle, r.Seed, r.Pairs, percent(r.Practical))
}

// percent is a share as people read it: 0.03 is "3 %", 0.0123 "1.2 %".
func percent(share float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", 100*share), ".0") + " %"
}

// ratioWords are an estimate: "x 6.77"; a dash when it is none. Near 1 a third
// decimal tells 1.004 from 1.
func ratioWords(r float64) string {
	if !finite(r) || r < 0 {
		return dash
	}
	return "x " + factor(r)
}

func factor(r float64) string {
	switch {
	case r >= 100:
		return fmt.Sprintf("%.0f", r)
	case r >= 10:
		return fmt.Sprintf("%.1f", r)
	case r >= 2:
		return fmt.Sprintf("%.2f", r)
	}
	return fmt.Sprintf("%.3f", r)
}

// verdictWord is a verdict in a cell; what is real and large enough to act on has a
// star.
func verdictWord(k paired.Kind) string {
	switch k {
	case paired.Faster:
		return "* faster"
	case paired.Slower:
		return "* slower"
	case paired.BelowPractical:
		return "real, small"
	case paired.NoDifference:
		return "no difference"
	}
	return "cannot tell"
}

// verdictKey explains the words of verdictWord.
func (c contrast) verdictKey() string {
	limit := percent(c.s.Rules.Practical)
	return fmt.Sprintf("*: a real difference; real, small: real but below %s; no difference: none larger than %s", limit, limit)
}

// verdictText is the sentence of a finding on arm b, in letters: the one it came with
// may call the arms otherwise. There is no number to an arm that gave no replies.
func (c contrast) verdictText(o experiment.Outcome, b contender) string {
	f := b.finding(o)
	if who := c.mute(o, b); who != "" && f.Pairs > 0 {
		claim := "cannot tell"
		if f.Verdict.Kind == paired.Faster || f.Verdict.Kind == paired.Slower {
			claim = b.letter + " " + string(f.Verdict.Kind)
		}
		return fmt.Sprintf("%s: most rounds of %s had no reply", claim, who)
	}
	w := paired.Words{B: b.letter}
	if o.Metric == experiment.TailP99 {
		w.Metric = "p99"
	}
	if len(c.arms) > 2 {
		w.A = c.arms[0].letter
	}
	return f.Sentence(w)
}

// mute names those of the reference and b whose rounds mostly had no reply; a ratio
// of them would be one of nothing.
func (c contrast) mute(o experiment.Outcome, b contender) string {
	var who []string
	for _, a := range []contender{c.arms[0], b} {
		if m := a.measured(o); !(m.Median > 0) {
			who = append(who, a.letter)
		}
	}
	return strings.Join(who, " and ")
}

// interval is the ratio of b to the reference with the interval around it:
// "x 6.77 [6.51..7.02]".
func (c contrast) interval(o experiment.Outcome, b contender) string {
	f := b.finding(o)
	if f.Pairs == 0 || c.mute(o, b) != "" || !finite(f.Low) || !finite(f.High) {
		return dash
	}
	return fmt.Sprintf("%s [%s..%s]", ratioWords(f.Ratio), factor(f.Low), factor(f.High))
}

// conditions are what a verdict must be read with: C and P, the noise floor, the
// pairs, and whether replies were delayed.
func (c contrast) conditions(o experiment.Outcome, b contender) string {
	f := b.finding(o)
	s := depths(c.arms[0], b)
	if words := c.simulated(); words != "" {
		s += "; " + words
	}
	if f.Pairs == 0 {
		return s + "; no pairs"
	}
	floor := "not measured"
	if len(o.Twins) > 0 {
		floor = percent(f.Floor)
	}
	s += fmt.Sprintf("; noise floor %s; pairs: %d", floor, f.Pairs)
	if finite(f.P) {
		s += fmt.Sprintf("; p %.2g", f.P)
	}
	return s
}

// valueName is what the values of a metric are, with their unit.
func valueName(m experiment.Metric) string {
	if m == experiment.TailP99 {
		return "p99 ms"
	}
	return "requests/s"
}

// valueWords is a value of a metric for a table; nothing happened at 0.
func valueWords(m experiment.Metric, v float64) string {
	switch {
	case !(v > 0) || !finite(v) || m == experiment.TailP99 && v >= math.MaxInt64:
		return absent
	case m == experiment.TailP99:
		return short(time.Duration(v), true)
	}
	return shortRate(v, true)
}
