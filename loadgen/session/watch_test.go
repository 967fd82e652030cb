package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/session"
	"fullbore/loadgen/stats"
)

// screen is what is left to read of a terminal that knows the few sequences in use.
type screen struct {
	lines []string
	row   int
	fresh bool // the next character overwrites the line from its start
}

func (s *screen) Write(b []byte) (int, error) {
	part := regexp.MustCompile(`\x1b\[(\d*)([AJK])|\r|\n|[^\x1b\r\n]+`)
	for _, m := range part.FindAllStringSubmatch(string(b), -1) {
		for len(s.lines) <= s.row {
			s.lines = append(s.lines, "")
		}
		switch {
		case m[2] == "A":
			n, _ := strconv.Atoi(m[1])
			s.row = max(0, s.row-n)
		case m[2] == "J":
			s.lines = append(s.lines[:s.row], "")
		case m[2] == "K":
			s.lines[s.row] = ""
		case m[0] == "\r":
			s.fresh = true
		case m[0] == "\n":
			s.row++
		case s.fresh:
			s.lines[s.row] = m[0]
		default:
			s.lines[s.row] += m[0]
		}
		if m[0] != "\r" {
			s.fresh = false
		}
	}
	return len(b), nil
}

func (s *screen) text() string { return strings.TrimRight(strings.Join(s.lines, "\n"), "\n") }

// finished is a test of one second with that many requests.
func finished(title string, n int64) report.Entry {
	h := stats.NewHistogram()
	h.RecordN(time.Millisecond, n)
	s := stats.Segment{Measured: time.Second, Counters: stats.Counters{Sent: n, Replies: n, Batches: n}, Latency: h.Summary(n)}
	return report.Entry{Test: title, Result: loadgen.Result{Segments: []stats.Segment{s}, Total: s.Counters}}
}

// watched is a printer of a format on out, with what watchers get on side.
func watched(t *testing.T, format string, out, side io.Writer, v session.View) report.Printer {
	t.Helper()
	p, err := report.New(format, out)
	if err != nil {
		t.Fatal(err)
	}
	return session.Watched(p, format, side, v)
}

const (
	tableHead = "test                       requests/s    p50 ms    p99 ms    max ms   errors\n"
	rowOne    = "ONE                             1,000     1.000     1.000     1.000        0\n"
	rowTwo    = "TWO                             2,000     1.000     1.000     1.000        0\n"
)

// TestTableUnderReports holds that on one terminal the table stands once, under the
// reports, after each test and at the end.
func TestTableUnderReports(t *testing.T) {
	s := &screen{}
	p := watched(t, "text", s, s, session.View{Live: true, Same: true})
	if err := errors.Join(p.Begin(report.Header{Tool: "fullbore"}), p.Test(finished("ONE", 1000))); err != nil {
		t.Fatal(err)
	}
	if got := s.text() + "\n"; !strings.HasSuffix(got, "\n\n"+tableHead+rowOne) {
		t.Errorf("after one test:\n%s", got)
	}
	// The line of progress comes and goes below it.
	fmt.Fprint(s, "\r\x1b[Kgoing on")
	fmt.Fprint(s, "\r\x1b[K")
	if err := p.Test(finished("TWO", 2000)); err != nil {
		t.Fatal(err)
	}
	got := s.text() + "\n"
	if !strings.HasSuffix(got, "\n\n"+tableHead+rowOne+rowTwo) || strings.Count(got, tableHead) != 1 || strings.Contains(got, "going on") {
		t.Errorf("after two tests:\n%s", got)
	}
	if err := p.End(); err != nil {
		t.Fatal(err)
	}
	got = s.text()
	if !strings.Contains(got, "\n\n"+tableHead+rowOne+rowTwo+"\nAverages of requests per second") || strings.Count(got, tableHead) != 1 {
		t.Errorf("at the end:\n%s", got)
	}
	if strings.Count(got, "====== ") != 2 || strings.Count(got, "Summary:") != 2 {
		t.Errorf("a report was erased:\n%s", got)
	}
}

// TestTableLeavesRoom holds that a long suite shows the newest rows on a terminal of
// 24 lines, and all of them at the end.
func TestTableLeavesRoom(t *testing.T) {
	s := &screen{}
	p := watched(t, "json", s, s, session.View{Live: true, Same: true})
	for i := range 40 {
		if err := p.Test(finished(fmt.Sprintf("T%02d", i), 1000)); err != nil {
			t.Fatal(err)
		}
	}
	_, table, _ := strings.Cut(s.text()+"\n", tableHead)
	if rows := strings.Split(strings.TrimSuffix(table, "\n"), "\n"); len(rows) != 21 || !strings.HasPrefix(rows[0], "T19 ") || !strings.HasPrefix(rows[20], "T39 ") {
		t.Errorf("%d rows:\n%s", len(rows), table)
	}
	if err := p.End(); err != nil {
		t.Fatal(err)
	}
	if got := s.text(); strings.Count(got, "1.000        0") != 40 || strings.Count(got, tableHead) != 1 {
		t.Errorf("not all rows at the end:\n%s", got)
	}
}

// TestSideStream holds who gets what beside the report.
func TestSideStream(t *testing.T) {
	partial := finished("ONE", 1000)
	partial.Result.Partial, partial.Result.Reason = true, "stopped"
	const note = "fullbore: ONE: partial result, ended early: stopped\n"
	const mark = "  partial result, ended early: stopped\n"
	for _, c := range []struct {
		format string
		view   session.View
		want   string
	}{
		{"text", session.View{}, ""},
		{"csv", session.View{}, note},
		{"csv", session.View{Live: true, Same: true}, note},
		{"csv", session.View{Live: true}, tableHead + rowOne + mark},
		{"text", session.View{Live: true}, tableHead + rowOne + mark},
		{"quiet", session.View{Live: true, Same: true}, ""},
		{"json", session.View{Live: true, Same: true}, tableHead + rowOne + mark},
	} {
		var out, side bytes.Buffer
		p := watched(t, c.format, &out, &side, c.view)
		if err := p.Test(partial); err != nil {
			t.Fatal(err)
		}
		if side.String() != c.want {
			t.Errorf("%s, %+v: %q, want %q", c.format, c.view, side.String(), c.want)
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s: the report steers the terminal: %q", c.format, out.String())
		}
	}
}
