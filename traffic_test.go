package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/experiment/versus"
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

// BenchmarkComparison measures the same of a comparison, with two charts live, and what
// drawing costs: the processor time of the process with the screen, above that of one
// without it under the same slow load. The budget is 2 % of a core.
func BenchmarkComparison(b *testing.B) {
	const looked = 15 * time.Second
	for _, size := range []struct{ cols, rows int }{{80, 24}, {120, 40}} {
		b.Run(fmt.Sprintf("%dx%d", size.cols, size.rows), func(b *testing.B) {
			server := redistest.Start(b)
			args := []string{"compare", "-p", port(server), "-t", "get", "-c", "10", "--rate", "200", "P=1", "P=2"}
			for b.Loop() {
				bare := exec.Command(program(b, plain), append(args, "--json")...)
				bare.Env, bare.Dir = environment(), b.TempDir()
				if err := bare.Start(); err != nil {
					b.Fatal(err)
				}
				time.Sleep(3 * time.Second)
				without := spentIn(bare.Process.Pid, looked)
				if err := bare.Process.Signal(os.Interrupt); err != nil {
					b.Fatal(err)
				}
				_ = bare.Wait() // its exit code says that it was interrupted

				cmd := exec.Command(program(b, plain), append(args, "--yes")...)
				cmd.Env, cmd.Dir = environment(), b.TempDir()
				c := ptytest.Start(b, size.cols, size.rows, cmd)
				c.Sees(0, "pair")
				time.Sleep(3 * time.Second)
				written := c.Written()
				with := spentIn(cmd.Process.Pid, looked)
				b.ReportMetric(float64(c.Written()-written)/looked.Seconds(), "B/s")
				b.ReportMetric(100*with.Seconds()/looked.Seconds(), "cpu-%")
				b.ReportMetric(100*(with-without).Seconds()/looked.Seconds(), "ui-cpu-%")
				b.ReportMetric(between(c, " ", " "), "paused-B/s")
				c.Type("q")
				c.Ends()
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// spentIn is the processor time that a process uses within d.
func spentIn(pid int, d time.Duration) time.Duration {
	before := versus.Spent(pid)
	time.Sleep(d)
	return versus.Spent(pid) - before
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
