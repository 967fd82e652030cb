package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/report"
	"fullbore/loadgen/session"
)

// rival is an arm of a SET with that pipeline.
func rival(t *testing.T, label string, pipeline int) session.Side {
	t.Helper()
	s := side(label, "fullbore:")
	s.Plan.Clients, s.Plan.Pipeline = 4, pipeline
	s.Plan.Workload.Mix, s.Plan.Workload.Payload = line(t, "SET fullbore:a 1"), 1
	return s
}

// compare compares in short rounds; the report goes to out.
func compare(ctx context.Context, t *testing.T, f *session.Fleet, w streams) (failed bool, err error) {
	t.Helper()
	out, err := session.OpenOutput("", w.out)
	if err != nil {
		t.Fatal(err)
	}
	rules := experiment.Rules{Round: 300 * time.Millisecond, Settle: 20 * time.Millisecond, Pairs: 8}
	return f.Compare(ctx, []experiment.Case{{Title: "SET"}}, rules, session.Order{
		Header: report.Header{Tool: "fullbore"}, Format: w.format, Out: out, Side: w.side, View: w.view,
	})
}

type streams struct {
	format    string
	out, side io.Writer
	view      session.View
}

// TestCompareInterrupted holds that the progress is seen on a terminal, and that an
// interrupt gives what was measured until then, marked as partial.
func TestCompareInterrupted(t *testing.T) {
	server := redistest.Start(t)
	f := fleet(t, at(server), rival(t, "P=1", 1), rival(t, "P=16", 16))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	line := regexp.MustCompile(`\r\x1b\[KSET  pair [2-8] of at most 8  A \d+[\dkM./s]*  B \d+[\dkM./s]*  at most 0:\d\d left`)
	seen := false
	side := &watcher{see: func(text string) {
		if line.MatchString(text) {
			seen = true
			cancel()
		}
	}}
	var out bytes.Buffer
	failed, err := compare(ctx, t, f, streams{"json", &out, side, session.View{Live: true}})
	if !failed || err != nil {
		t.Errorf("failed %v, %v; want failed without an error", failed, err)
	}
	if !seen {
		t.Errorf("no line of progress: %q", side.text.String())
	}
	var told struct {
		Partial bool
		Reason  string
		Arms    []struct{ Label string }
	}
	if err := json.Unmarshal(out.Bytes(), &told); err != nil || !told.Partial || told.Reason == "" || len(told.Arms) != 2 {
		t.Errorf("%v, %+v", err, told)
	}
	_, last, _ := strings.Cut(side.text.String()[strings.LastIndex(side.text.String(), "\r"):], "\x1b[K")
	if !strings.Contains(last, "P=16") || !strings.Contains(last, "SET") {
		t.Errorf("who watches does not see the report: %q", last)
	}
}

// TestCompareInBareFormats holds that a table without room for caveats is told of an
// early end beside it, and that nobody is shown a progress that is not for a terminal.
func TestCompareInBareFormats(t *testing.T) {
	server := redistest.Start(t)
	f := fleet(t, at(server), rival(t, "P=1", 1), rival(t, "P=16", 16))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, side bytes.Buffer
	failed, err := compare(ctx, t, f, streams{"csv", &out, &side, session.View{}})
	if !failed || err != nil || !strings.HasPrefix(side.String(), "fullbore: the comparison ended early: ") || strings.Count(side.String(), "\n") != 1 {
		t.Errorf("failed %v, %v, told %q", failed, err, side.String())
	}
}

func TestCompareErrors(t *testing.T) {
	server := redistest.Start(t)
	one := fleet(t, at(server), rival(t, "P=1", 1))
	var out bytes.Buffer
	if failed, err := compare(t.Context(), t, one, streams{"json", &out, io.Discard, session.View{}}); !failed || err == nil || !json.Valid(out.Bytes()) {
		t.Errorf("one arm: failed %v, %v, %s", failed, err, out.String())
	}
	if failed, err := compare(t.Context(), t, one, streams{"hgrm", &out, io.Discard, session.View{}}); !failed || err == nil || !strings.Contains(err.Error(), "--format takes text") {
		t.Errorf("a format without comparisons: failed %v, %v", failed, err)
	}
}
