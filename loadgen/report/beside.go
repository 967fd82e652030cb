package report

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Bare reports whether a format has no room for caveats, so that a partial result
// looks like any other in it: its Notes belong on another stream.
func Bare(format string) bool { return format == "csv" }

// Blocks reports whether a format prints many lines for a test, among which nobody
// who watches finds how the tests compare.
func Blocks(format string) bool { return format == "text" || format == "json" || format == "hgrm" }

// Both is a Printer that prints on p and then on q. What one of them cannot write
// does not keep the other from it.
func Both(p, q Printer) Printer { return both{p, q} }

type both struct{ first, second Printer }

func (b both) Begin(h Header) error { return errors.Join(b.first.Begin(h), b.second.Begin(h)) }
func (b both) Test(e Entry) error   { return errors.Join(b.first.Test(e), b.second.Test(e)) }
func (b both) End() error           { return errors.Join(b.first.End(), b.second.End()) }

// Notes is a Printer of the caveats alone, a line each; silent after a clean run.
func Notes(w io.Writer) Printer { return notes{w} }

type notes struct{ w io.Writer }

func (notes) Begin(Header) error { return nil }
func (notes) End() error         { return nil }

func (n notes) Test(e Entry) error {
	var b strings.Builder
	for _, c := range Caveats(e) {
		fmt.Fprintf(&b, "fullbore: %s: %s\n", clean(e.Test), c)
	}
	_, err := io.WriteString(n.w, b.String())
	return err
}

// Rows is a Printer for those who watch a suite while its report goes elsewhere: a
// table of at most 80 columns that grows by a row with each test, caveats below the
// row they concern.
func Rows(w io.Writer) Printer { return &rows{w: w} }

type rows struct {
	w     io.Writer
	begun bool
}

const (
	rowTitle  = 24 // columns of the title
	rowFormat = "%-*s %12s %9s %9s %9s %8s\n"
)

func (r *rows) Begin(Header) error { return nil }
func (r *rows) End() error         { return nil }

func (r *rows) Test(e Entry) error {
	var b strings.Builder
	if !r.begun {
		r.begun = true
		fmt.Fprintf(&b, rowFormat, rowTitle, "test", "requests/s", "p50 ms", "p99 ms", "max ms", "errors")
	}
	s := whole(e.Result)
	p50, have50 := s.Latency.Quantile(.50)
	p99, have99 := s.Latency.Quantile(.99)
	fmt.Fprintf(&b, rowFormat, rowTitle, shorten(clean(e.Test), rowTitle), shortRate(s.Throughput()),
		short(p50, have50), short(p99, have99), short(highest(s.Latency)), grouped(float64(e.Result.Total.Errors)))
	for _, c := range Caveats(e) {
		// One column less than the line: a terminal's last one is better left free.
		fmt.Fprintln(&b, shorten("  "+c, summaryWidth-1))
	}
	_, err := io.WriteString(r.w, b.String())
	return err
}

// shorten is s in at most n columns, with a mark where something is missing.
func shorten(s string, n int) string {
	switch {
	case utf8.RuneCountInString(s) <= n:
		return s
	case n < 1:
		return ""
	}
	return string([]rune(s)[:n-1]) + "~"
}
