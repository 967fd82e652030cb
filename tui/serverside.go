package tui

import (
	"fmt"
	"strings"
	"time"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
)

// server is what the server says of itself for each side (M24): the CPU of its main
// thread for a command, and how long it executed the command. Only what is known of
// every side is told.
func (x contrast) server(out experiment.Outcome) string {
	main, whole := "main thread us/command", false
	var threads, calls []string
	for at, arm := range x.order {
		m, name := out.Arms[arm], string(rune('A'+at))
		whole = whole || m.Server.Whole
		if d, ok := m.Server.PerCommand(); ok {
			threads = append(threads, name+" "+micros(d))
		}
		if d, ok := m.Server.PerCall(m.Command); ok {
			calls = append(calls, name+" "+micros(d))
		}
	}
	if whole { // a server that tells of all threads together
		main = "CPU us/command"
	}
	var facts []string
	if len(threads) == len(x.order) {
		facts = append(facts, main+"  "+strings.Join(threads, "  "))
	}
	if len(calls) == len(x.order) {
		facts = append(facts, "us/call  "+strings.Join(calls, "  "))
	}
	return strings.Join(facts, "   ")
}

// micros is a time in microseconds with about three digits.
func micros(d time.Duration) string {
	v := float64(d) / float64(time.Microsecond)
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// explained says where the server had the side in focus and the reference the other
// way round than the verdict; empty where there is no such verdict.
func (x contrast) explained(out experiment.Outcome) string {
	a, b := x.order[0], x.side
	if a == b {
		b = x.order[1]
	}
	f := out.Findings[b]
	switch f.Verdict.Kind {
	case paired.Faster, paired.Slower, paired.BelowPractical:
	default:
		return ""
	}
	if out.Metric != experiment.Throughput {
		return ""
	}
	names := lettersOf(x.order)
	side := func(arm int) insight.Side {
		return insight.Side{Name: names[arm], Command: out.Arms[arm].Command, Delta: out.Arms[arm].Server}
	}
	one, two := side(a), side(b)
	if one.Command != two.Command && one.Command != "" && two.Command != "" {
		one.Name, two.Name = strings.ToUpper(one.Command), strings.ToUpper(two.Command)
	}
	where := ""
	if p, q := x.set.Plans[a].Pipeline, x.set.Plans[b].Pipeline; p == q {
		where = fmt.Sprintf("at P=%d", p)
	}
	text, _ := insight.Contradicts(one, two, f.Ratio, where)
	return text
}
