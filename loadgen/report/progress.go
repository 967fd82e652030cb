package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/stats"
)

const (
	barWidth      = 20                   // cells of the bar
	progressTitle = 24                   // columns of the title
	longestLeft   = 100 * 24 * time.Hour // a time left beyond this is a guess nobody plans by
)

// Progress is a line on what a run does right now: what it runs, a bar and the time
// left where p has an end, the live rate and p99, and trouble. It is ASCII and at
// most width columns wide; a narrow terminal loses the bar first, then the latency,
// then the time left.
func Progress(title string, s *stats.Snapshot, p loadgen.Plan, width int) string {
	name := shorten(ascii(title), progressTitle)
	doing, part, left := stage(s, p)
	live := liveRate(s)
	bar, share, p99 := "", "", ""
	if part >= 0 {
		bar, share = progressBar(part), fmt.Sprintf("%3.0f%%", math.Floor(100*part))
	}
	if v, ok := s.Window.Latency.Quantile(.99); ok && loaded(s) {
		p99 = "p99 " + short(v, true) + " ms"
	}
	trouble := liveTrouble(s)
	for _, parts := range [][]string{
		{name, bar, share, doing, left, live, p99, trouble},
		{name, share, doing, left, live, p99, trouble},
		{name, share, doing, left, live, trouble},
		{name, share, doing, live, trouble},
		{name, share, doing, trouble},
	} {
		if line := joined(parts); len(line) <= width {
			return line
		}
	}
	return shorten(joined([]string{name, share, doing}), width)
}

// joined puts two blanks between what is there.
func joined(parts []string) string {
	var there []string
	for _, p := range parts {
		if p != "" {
			there = append(there, p)
		}
	}
	return strings.Join(there, "  ")
}

// loaded reports whether load runs that the window tells of.
func loaded(s *stats.Snapshot) bool { return s.State == stats.Measuring || s.State == stats.Settling }

// stage is what a run does where that is not simply to measure, how much of it is
// done (negative: nobody knows) and the time that is left of it in words.
func stage(s *stats.Snapshot, p loadgen.Plan) (doing string, part float64, left string) {
	switch {
	case s.State == stats.Preparing && s.Progress.Total > 0:
		return ascii(s.Progress.What), portion(float64(s.Progress.Done), float64(s.Progress.Total)), ""
	case s.State == stats.Preparing && s.Connected < s.Clients:
		return fmt.Sprintf("connecting, %d of %d clients", s.Connected, s.Clients), -1, ""
	case s.State == stats.Settling:
		return "warming up", -1, ""
	case s.State == stats.Draining:
		return "waiting for the last replies", -1, ""
	case s.State != stats.Measuring:
		return ascii(string(s.State)), -1, ""
	}
	part, rest := remaining(s, p)
	if rest >= 0 && rest <= longestLeft {
		left = clock(rest) + " left"
	} else if part < 0 {
		left = clock(measuredFor(s)) + " so far"
	}
	return "", part, left
}

// remaining is how much of a plan is done and the time it will still take; negative
// when nobody knows. Of two ends the nearer one counts.
func remaining(s *stats.Snapshot, p loadgen.Plan) (part float64, rest time.Duration) {
	part, rest = -1, -1
	if p.Duration > 0 {
		done := measuredFor(s)
		part, rest = portion(done.Seconds(), p.Duration.Seconds()), max(0, p.Duration-done)
	}
	if p.Requests > 0 {
		var done int64
		for _, h := range append([]stats.Segment{s.Current}, s.History...) {
			done += requests(h.Counters) + h.Counters.Lost
		}
		part = max(part, portion(float64(done), float64(p.Requests)))
		if pace, ok := stats.Rate(requests(s.Window.Counters), s.Window.Measured); ok {
			// In seconds first: a slow pace gives more than a Duration holds.
			if sec := float64(max(0, p.Requests-done)) / pace; sec < longestLeft.Seconds() && (rest < 0 || sec < rest.Seconds()) {
				rest = time.Duration(sec * float64(time.Second))
			}
		}
	}
	return part, rest
}

func measuredFor(s *stats.Snapshot) time.Duration {
	d := s.Current.Measured
	for _, h := range s.History {
		d += h.Measured
	}
	return d
}

// portion is done of all, between 0 and 1; negative when all is nothing.
func portion(done, all float64) float64 {
	if !(all > 0) {
		return -1
	}
	return min(1, max(0, done/all))
}

func progressBar(part float64) string {
	n := int(part * barWidth)
	return "[" + strings.Repeat("#", n) + strings.Repeat("-", barWidth-n) + "]"
}

// clock is a time as minutes and seconds, with hours where there are any; it rounds
// up, so that 0:00 means that the end is there.
func clock(d time.Duration) string {
	s := int64(math.Ceil(d.Seconds()))
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// liveRate is the rate of the last seconds.
func liveRate(s *stats.Snapshot) string {
	if !loaded(s) {
		return ""
	}
	rate, ok := s.Window.Throughput()
	if !ok {
		return "no reply yet"
	}
	return shortRate(rate, true) + "/s"
}

// liveTrouble are what a watcher may want to end the run for.
func liveTrouble(s *stats.Snapshot) string {
	var out []string
	if n := s.Total.Errors; n > 0 {
		out = append(out, grouped(float64(n))+" errors")
	}
	if n := s.Total.Lost; n > 0 {
		out = append(out, grouped(float64(n))+" lost")
	}
	if loaded(s) && s.Connected < s.Clients {
		out = append(out, fmt.Sprintf("%d of %d clients", s.Connected, s.Clients))
	}
	return strings.Join(out, ", ")
}

// ascii is s for any terminal: what is not printable ASCII becomes a question mark.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}
