package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/term"

	"fullbore/loadgen/report"
)

// View is what the user sees of a suite beside its report.
type View struct {
	Live bool // the side stream is a terminal
	Same bool // and so is the report's: what is printed on both is seen on one
}

// Watched is p with what a watcher misses of a suite on the side stream: a row for
// each finished test, where the report goes elsewhere or drowns them in blocks, or
// else the caveats that its format has no room for.
func Watched(p report.Printer, format string, side io.Writer, v View) report.Printer {
	switch {
	case v.Live && !v.Same:
		return report.Both(p, report.Rows(side))
	case v.Live && report.Blocks(format):
		b := &below{Printer: p, w: side}
		b.rows = report.Rows(&b.table)
		return b
	case report.Bare(format):
		return report.Both(p, report.Notes(side))
	}
	return p
}

// below keeps the table of the finished tests under the reports of a Printer on one
// terminal: it is taken away before a report is printed, drawn again after it, and
// stays at the end.
type below struct {
	report.Printer
	w     io.Writer
	rows  report.Printer
	table bytes.Buffer // everything that rows printed
	drawn int          // lines on the terminal, the cursor under them
}

// Test implements report.Printer.
func (b *below) Test(e report.Entry) error {
	b.erase()
	err := errors.Join(b.Printer.Test(e), b.rows.Test(e))
	_, height := size(b.w)
	// Two lines are left to the progress and to what comes before the table; what
	// has left the screen could not be erased.
	b.draw(max(1, height-2))
	return err
}

// End implements report.Printer.
func (b *below) End() error {
	b.erase()
	if b.draw(strings.Count(b.table.String(), "\n")); b.drawn > 0 {
		fmt.Fprintln(b.w) // off from what the report may end with
	}
	return b.Printer.End()
}

func (b *below) erase() {
	if b.drawn > 0 {
		fmt.Fprintf(b.w, "\r\x1b[%dA\x1b[J", b.drawn)
		b.drawn = 0
	}
}

// draw writes the head and as many of the newest rows as fit into most lines.
func (b *below) draw(most int) {
	lines := strings.SplitAfter(strings.TrimSuffix(b.table.String(), "\n"), "\n")
	if b.table.Len() == 0 {
		return
	}
	if over := len(lines) - most; over > 0 {
		lines = append(lines[:1:1], lines[min(len(lines), 1+over):]...)
	}
	width, _ := size(b.w)
	for _, line := range lines {
		line = strings.TrimSuffix(line, "\n")
		// A line that the terminal breaks is two to erase.
		fmt.Fprintln(b.w, string([]rune(line)[:min(len([]rune(line)), width)]))
	}
	b.drawn = len(lines)
}

// size is how much of a terminal's line can be written without the cursor going to
// the next one, which could not be emptied again, and how many lines there are; of w,
// or of the usual terminal. It is asked each time, because windows change.
func size(w io.Writer) (width, height int) {
	if f, ok := w.(interface{ Fd() uintptr }); ok {
		if width, height, err := term.GetSize(int(f.Fd())); err == nil && width > 1 && height > 0 {
			return width - 1, height
		}
	}
	return 79, 24
}
