package report

import (
	"io"
	"strings"
)

// csv prints redis-benchmark's --csv: the same header, every field quoted. The
// standard library's writer quotes only where it must, and scripts compare whole
// lines, so the quoting is done here; unlike redis-benchmark's it doubles quotes
// inside a title. What is not known is an empty field. There is no column for
// doubts, and a new one would break every script that counts them: Caveats are for
// another stream.
type csv struct{ w io.Writer }

func (c *csv) Begin(Header) error {
	return c.row("test", "rps", "avg_latency_ms", "min_latency_ms", "p50_latency_ms",
		"p95_latency_ms", "p99_latency_ms", "max_latency_ms")
}

func (c *csv) Test(e Entry) error {
	s := whole(e.Result)
	return c.row(append([]string{clean(e.Test), throughput(s, "")}, figures(s.Latency, "")...)...)
}

func (c *csv) End() error { return nil }

// row writes one line; a line end inside a title would be legal CSV and still
// break every script, which is why titles come cleaned.
func (c *csv) row(fields ...string) error {
	for i, f := range fields {
		fields[i] = `"` + strings.ReplaceAll(f, `"`, `""`) + `"`
	}
	_, err := io.WriteString(c.w, strings.Join(fields, ",")+"\n")
	return err
}
