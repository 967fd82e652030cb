package insight

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Side is one of two measurements that are compared, and what the server said of
// itself meanwhile.
type Side struct {
	Name    string // for sentences: "GET", "P=16"
	Command string // what was timed, as in Delta.Calls: "get"; "" = several
	Delta   Delta
}

const (
	// apart is by how much the server's figures have to differ to have an order: less
	// is the scatter between two rounds.
	apart = 0.05
	// minor is the part of the main thread's time below which a command's execution
	// cannot be what made a difference.
	minor = 0.5
)

// Contradicts reports whether the server's own figures have the two sides the other
// way round than the load saw them, and says so in a sentence (M24). ratio is the
// observed speed of b in that of a, above 1 where b was faster. where says under which
// settings, "at P=1"; it may be empty.
//
// Two commands are held against each other by how long each of their calls was
// executed. The execution of one command is no reason for a difference between its
// arms, so there the main thread's CPU for each command counts. Without figures, or
// with figures less than 5 % apart, nothing contradicts.
func Contradicts(a, b Side, ratio float64, where string) (string, bool) {
	// Comparisons with NaN are false, so what is no ratio gives no order.
	if !(ratio > 0) || ratio == 1 {
		return "", false
	}
	slow, fast := a, b
	if ratio < 1 {
		slow, fast = b, a
	}
	executed := slow.Command != fast.Command && slow.Command != "" && fast.Command != ""
	costSlow, costFast, known := costs(slow, fast, executed)
	if !known || float64(costFast) <= (1+apart)*float64(costSlow) {
		return "", false
	}
	return explain(slow, fast, where, executed), true
}

// costs are what the server says each command took.
func costs(slow, fast Side, executed bool) (s, f time.Duration, known bool) {
	var haveSlow, haveFast bool
	if executed {
		s, haveSlow = slow.Delta.PerCall(slow.Command)
		f, haveFast = fast.Delta.PerCall(fast.Command)
	} else {
		s, haveSlow = slow.Delta.PerCommand()
		f, haveFast = fast.Delta.PerCommand()
	}
	return s, f, haveSlow && haveFast && (executed || slow.Delta.Whole == fast.Delta.Whole)
}

// explain is the sentence: "at P=1 the timed command is 4-6 % of the server's CPU, so
// 'GET below SET' there is not command execution"; and where the command is much of it,
// or its part unknown, the server's figures.
func explain(slow, fast Side, where string, executed bool) string {
	order := fmt.Sprintf("'%s below %s'", slow.Name, fast.Name)
	there := ""
	if where != "" {
		where, there = where+" ", "there "
	}
	shareSlow, haveSlow := slow.Delta.Share(slow.Command)
	shareFast, haveFast := fast.Delta.Share(fast.Command)
	if executed && haveSlow && haveFast && max(shareSlow, shareFast) < minor {
		return fmt.Sprintf("%sthe timed command is %s of the server's CPU, so %s %sis not command execution",
			where, span(shareSlow, shareFast), order, there)
	}
	costSlow, costFast, _ := costs(slow, fast, executed)
	format := "%sthe server's main thread needs %s a command with %s and %s with %s, so %s %sis not the server's work"
	switch {
	case executed:
		format = "%sthe server takes %s to execute %s and %s to execute %s, so %s %sis not the server's work"
	case slow.Delta.Whole:
		format = "%sthe server needs %s of CPU a command with %s and %s with %s, so %s %sis not the server's work"
	}
	return fmt.Sprintf(format, where, micros(costSlow), slow.Name, micros(costFast), fast.Name, order, there)
}

// span is a range of shares in percent: "4-6 %", "5 %", "below 1 %".
func span(a, b float64) string {
	low, high := math.Round(100*min(a, b)), math.Round(100*max(a, b))
	switch {
	case high < 1:
		return "below 1 %"
	case low == high:
		return fmt.Sprintf("%.0f %%", high)
	}
	return fmt.Sprintf("%.0f-%.0f %%", low, high)
}

// micros is a time in microseconds with about three digits: "0.62 µs", "12.3 µs".
func micros(d time.Duration) string {
	v := float64(d) / float64(time.Microsecond)
	text := fmt.Sprintf("%.2f", v)
	if v >= 10 {
		text = fmt.Sprintf("%.1f", v)
	}
	return strings.TrimSuffix(text, ".0") + " µs"
}
