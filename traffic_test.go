package main_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// BenchmarkTerminal measures what the screen costs the line to its user, with load
// on, on a terminal that answers no query. The budgets: 10 kB/s at 80x24, 20 kB/s
// at 120x40, nothing while paused or frozen, 1 Hz without focus, and a first frame
// within 200 ms.
func BenchmarkTerminal(b *testing.B) {
	for _, size := range []struct{ cols, rows int }{{80, 24}, {120, 40}} {
		b.Run(fmt.Sprintf("%dx%d", size.cols, size.rows), func(b *testing.B) {
			server := redistest.Start(b)
			cmd := exec.Command(program(b, plain), "-p", port(server))
			cmd.Env, cmd.Dir = environment(), b.TempDir()
			c := ptytest.Start(b, size.cols, size.rows, cmd)
			for !strings.Contains(c.Output(), "q\x1b[0m quit") {
				if c.Since() > ptytest.Patience {
					b.Fatalf("no frame: %q", c.Output())
				}
				time.Sleep(time.Millisecond)
			}
			first := c.Since()
			c.Sees(0, "RUN")
			for b.Loop() {
				b.ReportMetric(traffic(c, 10*time.Second), "B/s")
				b.ReportMetric(between(c, "f", "f"), "frozen-B/s")
				b.ReportMetric(between(c, " ", " "), "paused-B/s")
				b.ReportMetric(between(c, "\x1b[O", "\x1b[I"), "unfocused-B/s")
			}
			b.ReportMetric(float64(first.Milliseconds()), "first-frame-ms")
			b.ReportMetric(0, "ns/op") // an iteration takes as long as it is told to
			c.Type("q")
			c.Ends()
		})
	}
}

// traffic is bytes per second over a time.
func traffic(c *ptytest.Console, d time.Duration) float64 {
	from, n := c.Since(), c.Written()
	time.Sleep(d)
	return float64(c.Written()-n) / (c.Since() - from).Seconds()
}

// between is the traffic between two keys, once the first has had its effect.
func between(c *ptytest.Console, first, second string) float64 {
	c.Type(first)
	time.Sleep(1500 * time.Millisecond)
	rate := traffic(c, 3*time.Second)
	c.Type(second)
	time.Sleep(time.Second)
	return rate
}
