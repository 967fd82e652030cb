package report

import (
	"fmt"
	"io"

	"fullbore/loadgen"
)

// quiet prints redis-benchmark's -q: a line a test and an empty line at the end.
// Errors, doubts and an early end stand behind the numbers, where they leave
// scripts that look for the numbers alone.
type quiet struct{ w io.Writer }

func (q *quiet) Begin(Header) error { return nil }

func (q *quiet) Test(e Entry) error {
	s := whole(e.Result)
	p50, ok := s.Latency.Quantile(.50)
	_, err := fmt.Fprintf(q.w, "%s: %s requests per second, p50=%s msec%s\n",
		clean(e.Test), throughput(s, absent), latency(p50, ok, dash), marks(e.Result))
	return err
}

func (q *quiet) End() error {
	_, err := fmt.Fprintln(q.w)
	return err
}

// marks are what must not be missed in a single line; empty after a clean run, so
// that such a line is redis-benchmark's to the byte. Caveats has the rest.
func marks(r loadgen.Result) string {
	var s string
	if n := r.Total.Errors; n > 0 {
		s += fmt.Sprintf(" (errors: %d", n)
		if words := codeWords(codes(r.Faults)); words != "" {
			s += ": " + words
		}
		s += ")"
	}
	if r.Total.Lost > 0 {
		s += fmt.Sprintf(" (lost: %d)", r.Total.Lost)
	}
	if requests(r.Total) == 0 {
		s += " (" + silence(r) + ")"
	}
	for _, d := range doubts(r) {
		if d.mark != "" {
			s += " (" + d.mark + ")"
		}
	}
	if r.Partial {
		s += " (" + ending(r) + ")"
	}
	return s
}
