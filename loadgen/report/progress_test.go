package report_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/stats"
)

// live is a snapshot of a run of 50 clients that measures.
func live(done int64, measured time.Duration) *stats.Snapshot {
	return &stats.Snapshot{
		State: stats.Measuring, Connected: 50, Clients: 50,
		Current: stats.Segment{Measured: measured, Counters: stats.Counters{Replies: done}},
		Total:   stats.Counters{Replies: done},
		Window: stats.Segment{
			Measured: 5 * time.Second, Counters: stats.Counters{Replies: 434_785},
			Latency: latencies(1000, 100*time.Microsecond, 700*time.Microsecond, 100_000),
		},
	}
}

func TestProgress(t *testing.T) {
	counted, timed := loadgen.Plan{Requests: 1_000_000}, loadgen.Plan{Duration: 10 * time.Second}
	with := func(s *stats.Snapshot, change func(*stats.Snapshot)) *stats.Snapshot {
		change(s)
		return s
	}
	for _, c := range []struct {
		what string
		s    *stats.Snapshot
		p    loadgen.Plan
		want string
	}{
		{"by count", live(425_000, 5*time.Second), counted, "SET  [########------------]   42%  0:07 left  86,957/s  p99 0.694 ms"},
		{"by time", live(425_000, 7500*time.Millisecond), timed, "SET  [###############-----]   75%  0:03 left  86,957/s  p99 0.694 ms"},
		{"the nearer end", live(900_000, time.Second), loadgen.Plan{Requests: 1_000_000, Duration: time.Hour}, "SET  [##################--]   90%  0:02 left  86,957/s  p99 0.694 ms"},
		{"without end", live(1, 3700*time.Second), loadgen.Plan{}, "SET  1:01:40 so far  86,957/s  p99 0.694 ms"},
		{"over the end", live(2_000_000, 5*time.Second), counted, "SET  [####################]  100%  0:00 left  86,957/s  p99 0.694 ms"},
		{"errors are done too", with(live(400_000, 5*time.Second), func(s *stats.Snapshot) {
			s.Current.Counters.Errors, s.Current.Counters.Lost, s.Total.Errors, s.Total.Lost, s.Connected = 24_900, 100, 24_900, 100, 49
		}), counted, "SET   42%  0:07 left  86,957/s  p99 0.694 ms  24,900 errors, 100 lost, 49 of 50 clients"},
		{"silence", with(live(0, time.Second), func(s *stats.Snapshot) { s.Window = stats.Segment{Measured: time.Second} }), counted, "SET  [--------------------]    0%  no reply yet"},
		{"preparing", &stats.Snapshot{State: stats.Preparing, Clients: 50, Progress: stats.Progress{What: "writing 100000 keys of 3 bytes", Done: 37_900, Total: 100_000}},
			counted, "SET  [#######-------------]   37%  writing 100000 keys of 3 bytes"},
		{"connecting", &stats.Snapshot{State: stats.Preparing, Clients: 50, Connected: 12}, counted, "SET  connecting, 12 of 50 clients"},
		{"warming up", with(live(0, 0), func(s *stats.Snapshot) { s.State = stats.Settling }), counted, "SET  warming up  86,957/s  p99 0.694 ms"},
		{"ending", with(live(0, 0), func(s *stats.Snapshot) { s.State = stats.Draining }), counted, "SET  waiting for the last replies"},
		{"paused", with(live(0, 0), func(s *stats.Snapshot) { s.State = stats.Paused }), counted, "SET  paused"},
		{"nothing", &stats.Snapshot{}, loadgen.Plan{}, "SET"},
	} {
		if got := report.Progress("SET", c.s, c.p, 90); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.what, got, c.want)
		}
	}
}

// TestProgressDegrades holds what a narrow terminal loses, and in which order.
func TestProgressDegrades(t *testing.T) {
	var got []string
	for width := 100; width >= 0; width-- {
		line := report.Progress("SET", live(425_000, 5*time.Second), loadgen.Plan{Requests: 1_000_000}, width)
		if len(line) > width {
			t.Errorf("%d columns of %d: %q", len(line), width, line)
		}
		if !slices.Contains(got, line) && width >= 10 {
			got = append(got, line)
		}
	}
	want := []string{
		"SET  [########------------]   42%  0:07 left  86,957/s  p99 0.694 ms",
		"SET   42%  0:07 left  86,957/s  p99 0.694 ms",
		"SET   42%  0:07 left  86,957/s",
		"SET   42%  86,957/s",
		"SET   42%",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// FuzzProgress holds that a line is a line: ASCII, not too wide, and no number that
// is none, whatever a snapshot has.
func FuzzProgress(f *testing.F) {
	f.Add("GET", "measuring", int64(5), int64(10), int64(time.Second), int64(time.Second), 80)
	f.Add("LPUSH \x1b[2J ключ", "preparing", int64(-5), int64(0), int64(-1), int64(0), 20)
	f.Add("", "draining", int64(1)<<62, int64(1)<<62, int64(1)<<62, int64(1)<<62, -4)
	f.Fuzz(func(t *testing.T, title, state string, done, all, measured, end int64, width int) {
		if undefined().MatchString(title) || undefined().MatchString(state) {
			title, state = "ключ", "measuring"
		}
		s := live(done, time.Duration(measured))
		s.State, s.Progress = stats.State(state), stats.Progress{What: title, Done: done, Total: all}
		s.Window.Counters.Replies, s.Window.Measured = done, time.Duration(measured)
		s.History, s.Connected = []stats.Segment{s.Current}, int(all)
		line := report.Progress(title, s, loadgen.Plan{Requests: all, Duration: time.Duration(end)}, width)
		if len(line) > max(0, width) || undefined().MatchString(line) || strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
			t.Errorf("%q in %d columns", line, width)
		}
	})
}
