package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/report"
	"fullbore/loadgen/stats"
)

// Order is how a report is wanted, and where.
type Order struct {
	Header report.Header
	Format string // one of report.Formats(), or of report.ComparisonFormats()
	Out    *Output
	Side   io.Writer // progress and what else a watcher wants to know
	View   View
}

// Report runs the steps of a suite and writes its report, whose file is kept also when the suite
// did not come to its end: what was measured counts. For failed and err see Headless.
func (s *Session) Report(ctx context.Context, steps iter.Seq[experiment.Step], o Order) (failed bool, err error) {
	printer, err := report.New(o.Format, o.Out)
	if err != nil {
		return true, err
	}
	var progress io.Writer
	if o.View.Live {
		progress = o.Side
	}
	printer = Watched(printer, o.Format, o.Side, o.View)
	failed, err = s.Headless(ctx, s.remember(steps), o.Header, printer, progress)
	return failed, errors.Join(err, o.Out.Keep())
}

// Headless runs the steps one after another and prints each result as it comes.
// progress takes a line that overwrites itself and may be nil (M28). failed is
// true when a run met errors or ended early (M29); err is trouble that ended the
// suite, printing included.
func (s *Session) Headless(ctx context.Context, steps iter.Seq[experiment.Step], h report.Header, p report.Printer, progress io.Writer) (failed bool, err error) {
	if err := p.Begin(h); err != nil {
		return true, err
	}
	o := &follower{printer: p, progress: progress}
	err = experiment.Suite(ctx, s.Server.Target, o.follow(steps), o)
	if ctx.Err() != nil {
		o.failed = true // interrupted between two runs: the suite is not complete
	}
	return o.failed || err != nil, errors.Join(err, p.End())
}

// Introduce tells on w which server this is, where the user did not name one, and what
// is worth a warning about any: some reports have no room for that, such as for the
// mark of a certificate that nobody verified.
func (s *Session) Introduce(w io.Writer) {
	for _, note := range s.Info.Notes {
		fmt.Fprintf(w, "fullbore: %s%s\n", note, s.where)
	}
	if s.Server.Note != "" {
		fmt.Fprintf(w, "fullbore: %s\n", s.Server.Note)
	}
	if origin := s.Server.Origin(); origin != "" {
		fmt.Fprintf(w, "fullbore: %s at %s%s\n", origin, s.Server.Target, s.equipment())
	}
	if banner := s.Server.Banner(); banner != "" {
		fmt.Fprintf(w, "fullbore: %s\n", banner)
	}
}

// equipment is what sets a private server apart from others: how it was started, and
// its replicas. " (redis-server --io-threads 2, 2 replicas)", or "".
func (s *Session) equipment() string {
	var parts []string
	if strings.Contains(s.Server.Command, " ") {
		parts = append(parts, s.Server.Command)
	}
	switch n := len(s.Server.Replicas); n {
	case 0:
	case 1:
		parts = append(parts, "1 replica")
	default:
		parts = append(parts, fmt.Sprintf("%d replicas", n))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// follower prints what a suite tells it.
type follower struct {
	printer  report.Printer
	progress io.Writer
	plan     loadgen.Plan // of the run that goes on
	failed   bool
}

// follow is steps, told to f as they begin.
func (f *follower) follow(steps iter.Seq[experiment.Step]) iter.Seq[experiment.Step] {
	return func(yield func(experiment.Step) bool) {
		for s := range steps {
			if f.plan = s.Plan; !yield(s) {
				return
			}
		}
	}
}

// clearLine returns to the start of a terminal's line and empties it.
const clearLine = "\r\x1b[K"

func (f *follower) Progress(title string, s *stats.Snapshot) {
	if f.progress == nil {
		return
	}
	width, _ := size(f.progress)
	fmt.Fprint(f.progress, clearLine, report.Progress(title, s, f.plan, width))
}

func (f *follower) Finished(title string, r loadgen.Result) error {
	if f.progress != nil {
		fmt.Fprint(f.progress, clearLine)
	}
	f.failed = f.failed || r.Failed()
	return f.printer.Test(report.Entry{Test: title, Result: r})
}
