package main_test

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// onTerminal starts the program on a terminal; out, unless nil, takes its stdout.
func onTerminal(t *testing.T, out *os.File, args ...string) *ptytest.Console {
	t.Helper()
	cmd := exec.Command(program(t, plain), args...)
	cmd.Env, cmd.Dir = environment(), t.TempDir()
	if out != nil {
		cmd.Stdout = out
	}
	return ptytest.Start(t, 80, 24, cmd)
}

// TestSuiteIsWatched holds that whoever sends a report to a file sees on the terminal
// what runs and a row for what has ended, and finds nothing of it in the file (M28).
func TestSuiteIsWatched(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	path := filepath.Join(t.TempDir(), "out.csv")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	c := onTerminal(t, out, "-p", port(server), "-t", "set,get", "--duration", "1s", "-P", "4", "--csv")
	if code, _ := c.Ends(); code != 0 {
		t.Fatalf("exit code %d: %s", code, c.Output())
	}
	for _, want := range []string{
		`SET  \[[#-]{20}\] +\d+%  0:0[01] left  [\d,]+/s`, `GET  \[[#-]{20}\] +\d+%  0:0[01] left  [\d,]+/s`,
		`test +requests/s +p50 ms +p99 ms +max ms +errors\r\n`, `(\n|\x1b\[K)SET +[\d,]+ +[\d.]+ +[\d.]+ +[\d.]+ +0\r\n`, `(\n|\x1b\[K)GET +[\d,]+ +[\d.]+ +[\d.]+ +[\d.]+ +0\r\n`,
	} {
		if !regexp.MustCompile(want).MatchString(c.Output()) {
			t.Errorf("no %s on the terminal: %q", want, c.Output())
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll(); err != nil || len(rows) != 3 || rows[1][0] != "SET" || rows[2][0] != "GET" {
		t.Errorf("%v, %q", err, text)
	}
}

// TestCtrlCPrintsWhatWasMeasured holds that the first Ctrl-C ends the present test,
// and that everything measured until then is printed, the last one as partial.
func TestCtrlCPrintsWhatWasMeasured(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	c := onTerminal(t, nil, "-p", port(server), "-t", "ping_mbulk,set,get", "--duration", "2s", "--format", "text")
	c.Sees(0, "SET  [")
	c.Type("\x03")
	if code, _ := c.Ends(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	got := c.Output()
	_, second, found := strings.Cut(got, "====== SET ======")
	if !found || strings.Contains(got, "====== GET ======") || strings.Count(got, "====== PING_MBULK ======") != 1 {
		t.Fatalf("want PING_MBULK and SET: %s", got)
	}
	for _, want := range []string{
		"  partial result, ended early: stopped\r\n", "\r\nLatency by percentile distribution:\r\n0.000% <= ",
		"\r\nCumulative distribution of latencies:\r\n", "  throughput summary: ", "\r\nAverages of requests per second",
		"partial results among them: 1", "1 key under \"fullbore:\" removed",
	} {
		if !strings.Contains(second, want) {
			t.Errorf("no %q in %s", want, second)
		}
	}
	if strings.Contains(strings.Split(got, "====== SET ======")[0], "partial result") {
		t.Errorf("the finished test is marked: %s", got)
	}
}
