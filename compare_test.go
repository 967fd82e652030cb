package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// comparison is the JSON report of a comparison, as far as the tests look into it.
type comparison struct {
	Schema int
	Kind   string
	Rules  struct {
		Round float64 `json:"round_seconds"`
		Pairs int
	}
	Arms []struct {
		Letter, Label     string
		Clients, Pipeline int
		RTT               *float64 `json:"rtt_simulated_ms"`
		Threads           *int
		Server            struct {
			Name, Version, Address, Origin, Command string
			Replicas                                int
		}
		Tests []struct {
			Test, Metric      string
			Median, Low, High *float64
			Rounds            []compared
			Twins             []compared `json:"twin_rounds"`
		}
		Lost int64
	}
	Comparisons []struct {
		Test, A, B string
		Pairs      int
		Ratio      *float64
		Low        *float64 `json:"ratio_low"`
		High       *float64 `json:"ratio_high"`
		P          *float64
		Floor      *float64 `json:"noise_floor"`
		Verdict    struct{ Kind, Text string }
	}
	Partial bool
	Reason  string
}

type compared struct {
	Pair    int
	Value   *float64
	Replies int64
}

// contest reads a report and checks what holds of every one of them.
func contest(t *testing.T, text string) comparison {
	t.Helper()
	var c comparison
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatalf("JSON report: %v\n%s", err, text)
	}
	if c.Schema != 1 || c.Kind != "comparison" {
		t.Errorf("schema %d, kind %q", c.Schema, c.Kind)
	}
	for i, a := range c.Arms {
		if a.Letter != string(rune('A'+i)) || a.Server.Version == "" {
			t.Errorf("arm %d: letter %q, server version %q", i, a.Letter, a.Server.Version)
		}
		for _, test := range a.Tests {
			var values []float64
			for _, r := range test.Rounds {
				if r.Value != nil && r.Replies > 0 {
					values = append(values, *r.Value)
				}
			}
			// A busy machine has other things to do for the time of a round; such a one
			// has no value, and the range no lower end.
			silent := len(test.Rounds) - len(values)
			if len(test.Rounds) == 0 {
				continue
			}
			if silent > len(test.Rounds)/2 || silent == 0 && test.Low == nil {
				t.Errorf("arm %s, %s: %d of %d rounds without a reply", a.Letter, test.Test, silent, len(test.Rounds))
			} else if test.High == nil || *test.High != slices.Max(values) || silent == 0 && *test.Low != slices.Min(values) {
				t.Errorf("arm %s, %s: the range of %v is not theirs", a.Letter, test.Test, values)
			}
		}
	}
	return c
}

// fewest is the least that a comparison can be decided by, also of its twins.
const fewest = 8

// short are the arguments of a comparison of a few of the shortest rounds.
func short(more ...string) []string {
	return append([]string{"compare", "--round", "300ms", "--settle", "30ms", "--pairs", "8", "-c", "8"}, more...)
}

// whole checks that nothing is missing from a comparison that came to its end.
func (c comparison) whole(t *testing.T, tests int) {
	t.Helper()
	if c.Partial || c.Reason != "" || c.Rules.Round != 0.3 {
		t.Errorf("partial %v (%s), rules %+v", c.Partial, c.Reason, c.Rules)
	}
	for i, a := range c.Arms {
		if len(a.Tests) != tests {
			t.Errorf("arm %s: %d tests, want %d", a.Letter, len(a.Tests), tests)
		}
		for _, test := range a.Tests {
			if n := len(test.Rounds); n < fewest || n > c.Rules.Pairs || (len(test.Twins) == fewest) != (i == 0) {
				t.Errorf("arm %s, %s: %d rounds and %d of a twin", a.Letter, test.Test, n, len(test.Twins))
			}
		}
	}
	if want := tests * (len(c.Arms) - 1); len(c.Comparisons) != want {
		t.Errorf("%d comparisons, want %d", len(c.Comparisons), want)
	}
	for _, v := range c.Comparisons {
		if v.Pairs < fewest || v.A != "A" || v.Ratio == nil || v.P == nil || v.Floor == nil || *v.Low > *v.Ratio || *v.Ratio > *v.High {
			t.Errorf("%s, %s: %+v", v.Test, v.B, v)
		}
		if kinds := []string{"faster", "slower", "below_practical", "no_difference", "cannot_tell"}; !slices.Contains(kinds, v.Verdict.Kind) || v.Verdict.Text == "" {
			t.Errorf("%s, %s: verdict %+v", v.Test, v.B, v.Verdict)
		}
	}
}

// TestCompareDepths is R1 in short rounds: deeper pipelines are faster in every
// test, and the server has its keys back afterwards.
func TestCompareDepths(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	unchanged := strangers(t, server)
	// Eight pairs cannot decide two tests at once, whatever they say: 2 x 2/256 > 0.01.
	// On a busy machine it may take many; the comparison ends when it is decided.
	o := fullbore(t, short("-p", port(server), "-t", "set,get", "--pairs", "30", "--rtt", farEnough, "--json", "P=1", "P=16")...).want(t, 0)
	c := contest(t, o.stdout)
	c.whole(t, 2)
	if a, b := c.Arms[0], c.Arms[1]; a.Label != "P=1" || b.Label != "P=16" || a.Pipeline != 1 || b.Pipeline != 16 || a.Clients != 8 || a.Server.Address != server.Addr || a.RTT == nil || *a.RTT != 5 {
		t.Errorf("arms %+v", c.Arms)
	}
	for i, test := range []string{"SET", "GET"} {
		v := c.Comparisons[i]
		if v.Test != test || v.B != "B" || v.Verdict.Kind != "faster" || *v.Low < 1.03 || *v.P > 0.05 {
			t.Errorf("%s: %+v, want faster", test, v)
		}
	}
	if want := `fullbore: \d+ keys? under "fullbore:" removed` + "\n"; !regexp.MustCompile("^" + want + "$").MatchString(o.stderr) {
		t.Errorf("stderr %q, want %s", o.stderr, want)
	}
	unchanged()
}

// TestCompareServersFarAway holds that a simulated round trip slows down what waits for
// it and stands beside the numbers, and that every server is left as it was, without a
// word of its password.
func TestCompareServersFarAway(t *testing.T) {
	t.Parallel()
	one, two := redistest.Start(t), redistest.Start(t, "--requirepass", "hunter2")
	one.Do(t, "SET", "theirs", "1")
	o := fullbore(t, short("-p", port(one), "-t", "get", "--rtt", "1ms", "--pairs", "12",
		"P=1", "P=4 u=redis://:hunter2@"+two.Addr)...).want(t, 0)
	// On a busy machine it is open how much faster B is, and whether that can be told.
	if !regexp.MustCompile(`B faster|cannot tell|client-bound|no difference|real but below`).MatchString(o.stdout) || strings.Contains(o.stdout, "B slower") {
		t.Errorf("no verdict, or a wrong one:\n%s", o.stdout)
	}
	for _, want := range []string{"P=1", "P=4", "GET", "rtt 1ms simulated", one.Addr, two.Addr} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("no %q in the report:\n%s", want, o.stdout)
		}
	}
	for _, s := range []*redistest.Server{one, two} {
		// 8 connections that wait 1 ms for each reply cannot do more than 8,000 a second.
		if n := s.Calls(t, "get"); n == 0 || n > 400_000 {
			t.Errorf("%d calls", n)
		}
		if want := `removed on ` + s.Addr + "\n"; !strings.Contains(o.stderr, want) {
			t.Errorf("no %q in %q", want, o.stderr)
		}
	}
	cleaned(t, one, 1)
	cleaned(t, two, 0)
	if strings.Contains(o.stdout+o.stderr, "hunter2") {
		t.Errorf("a password is told:\n%s\n%s", o.stdout, o.stderr)
	}
}

// alone runs the program with a folder for temporary files of its own, and checks that
// it leaves neither a file there nor a process that works in it.
func alone(t *testing.T, args ...string) outcome {
	t.Helper()
	// Short, because a socket in it has only so much room; and not t.TempDir, which
	// would remove what is to be found.
	dir, err := os.MkdirTemp("", "alone-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	o := start(t, []string{"TMPDIR=" + dir}, args...).wait(t)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	folders, err := filepath.Glob("/proc/[0-9]*/cwd") // of Linux; elsewhere the folder has to do
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range folders {
		if at, err := os.Readlink(link); err == nil && strings.HasPrefix(at, dir) {
			t.Errorf("%s still works in %s", filepath.Dir(link), at)
		}
	}
	return o
}

// TestCompareThreads is R5 in short rounds: each arm has its own server and the load
// generator its own number of threads.
func TestCompareThreads(t *testing.T) {
	t.Parallel()
	o := alone(t, short("-t", "set", "-P", "16", "--json",
		"server='redis-server --io-threads 1'", "server='redis-server --io-threads 2' threads=2")...).want(t, 0)
	c := contest(t, o.stdout)
	c.whole(t, 1)
	for i, command := range []string{"redis-server --io-threads 1", "redis-server --io-threads 2"} {
		if s := c.Arms[i].Server; s.Command != command || s.Origin != "private redis-server" || s.Name != "redis" || c.Arms[i].RTT != nil {
			t.Errorf("arm %d: %+v", i, s)
		}
		if !strings.Contains(o.stderr, "fullbore: private redis-server at "+c.Arms[i].Server.Address+" ("+command+")") {
			t.Errorf("arm %d is not introduced: %s", i, o.stderr)
		}
	}
	if n := c.Arms[1].Threads; n == nil || *n != 2 {
		t.Errorf("threads %v, want 2", n)
	}
}

// TestComparePersistence is R6 in short rounds: what an append-only file and replicas
// cost.
func TestComparePersistence(t *testing.T) {
	t.Parallel()
	o := alone(t, short("-t", "set", "--json", "server='redis-server'",
		"server='redis-server --appendonly yes --appendfsync always'", "server='redis-server' replicas=2:chain")...).want(t, 0)
	c := contest(t, o.stdout)
	c.whole(t, 1)
	for i, replicas := range []int{0, 0, 2} {
		if s := c.Arms[i].Server; s.Replicas != replicas {
			t.Errorf("arm %d: %d replicas, want %d", i, s.Replicas, replicas)
		}
	}
}

// TestCompareInterrupted holds that a signal gives what was measured until then, and
// removes keys and servers all the same (M29).
func TestCompareInterrupted(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		p := start(t, nil, short("-p", port(server), "-t", "set", "--json", "P=1", "P=16", "server=redis-server")...)
		address, pid := private(t, p)
		before := server.Calls(t, "set")
		ptytest.Await(t, "rounds", func() bool { return server.Calls(t, "set") > before+20_000 })
		if err := p.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		c := contest(t, p.wait(t).want(t, code).stdout)
		if !c.Partial || c.Reason == "" || len(c.Arms) != 3 {
			t.Errorf("%v: partial %v (%s), %d arms", signal, c.Partial, c.Reason, len(c.Arms))
		}
		cleaned(t, server, 0)
		gone(t, pid, address)
	}
}

// TestCompareServerThatDies holds that lost connections are a failure, and what was
// measured before counts.
func TestCompareServerThatDies(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	p := start(t, nil, short("-p", port(server), "-t", "set", "--json", "P=1", "P=16")...)
	ptytest.Await(t, "rounds", func() bool { return server.Calls(t, "set") > 50_000 })
	server.Kill()
	o := p.wait(t).want(t, 1)
	if !json.Valid([]byte(o.stdout)) || !strings.Contains(o.stderr, "may be left") {
		t.Errorf("stdout %s, stderr %s", o.stdout, o.stderr)
	}
}

func TestCompareMisuse(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"compare"}, "arm"},
		{[]string{"compare", "P=1"}, "arm"},
		{[]string{"compare", "P=1", "P=x"}, "P=x"},
		{[]string{"compare", "P=1", "PP=2"}, "PP"},
		{[]string{"compare", "P=1", "P=2", "--pairs", "3"}, "--pairs"},
		{[]string{"compare", "P=1", "P=2", "--format", "hgrm"}, "--format"},
		{[]string{"compare", "server=redis-server", "replicas=99 server=redis-server"}, "replicas"},
	} {
		o := fullbore(t, c.args...).want(t, 2)
		if o.stdout != "" || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%v: stderr %q, want %q in it", c.args, o.stderr, c.want)
		}
	}
	o := alone(t, "compare", "--json", "server=redis-server", "server=no-such-redis-server").want(t, 1)
	if !strings.Contains(o.stderr, "arm 2 \"server=no-such-redis-server\": --server: program \"no-such-redis-server\" not found") {
		t.Errorf("stderr %q", o.stderr)
	}
}
