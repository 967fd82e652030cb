//go:build bench && unix

package main_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fullbore/loadgen/experiment/versus"
	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// bench is one `make bench`: what to measure, and what came of it.
type bench struct {
	t       *testing.T
	server  *redistest.Server
	contest versus.Contest
	rounds  int
	seconds float64
	only    *regexp.Regexp
	facts   versus.Facts
	random  *rand.Rand
	page    strings.Builder // the tables in Markdown
	rows    []*versus.Row
	checks  []versus.Check
}

// TestBench compares fullbore with redis-benchmark, and with valkey-benchmark and
// memtier_benchmark where they are found, on one private server; then it measures
// what the screen, insight and clients cost. The environment may say
//
//	BENCH_ROUNDS   rounds of each row (7)
//	BENCH_SECONDS  length of a run (2; with more than two programs 1)
//	BENCH_ONLY     a regular expression that names of rows match
//	BENCH_OTHER    another build of fullbore, to be compared as well
//
// Results are in bench.out: table.md, and bench.txt for benchstat -col /tool.
func TestBench(t *testing.T) {
	b := newBench(t)
	before := b.usage()
	b.tools()
	b.screen()
	b.insight()
	b.clients()
	b.finish(before)
}

func newBench(t *testing.T) *bench {
	raiseFiles(t)
	b := &bench{t: t, server: redistest.Start(t, "--maxclients", "20000"), random: rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))}
	b.rounds = int(setting(t, "BENCH_ROUNDS", 7))
	b.only = regexp.MustCompile(os.Getenv("BENCH_ONLY"))
	found := finder(t)
	tools := []versus.Tool{versus.RedisBenchmark("redis-benchmark", found("redis-benchmark", true)), versus.Fullbore(program(t, plain))}
	if path := os.Getenv("BENCH_OTHER"); path != "" {
		other := versus.Fullbore(path)
		other.Name = "fullbore-other"
		tools = append(tools, other)
	}
	if path := found("valkey-benchmark", false); path != "" {
		tools = append(tools, versus.RedisBenchmark("valkey-benchmark", path))
	}
	if path := found("memtier_benchmark", false); path != "" {
		tools = append(tools, versus.Memtier(path))
	}
	usual := 2.0
	if len(tools) > 2 {
		usual = 1
	}
	b.seconds = setting(t, "BENCH_SECONDS", usual)
	b.contest = versus.Contest{Server: versus.Server{Host: b.server.Host, Port: b.server.Port}, Tools: tools, Seconds: b.seconds, Tell: b.say}
	b.facts = append(versus.Machine(), versus.Fact{Key: "server", Value: "redis " + b.server.Info(t, "server")["redis_version"]})
	for _, tool := range tools[:1] {
		b.facts = append(b.facts, versus.Fact{Key: "reference", Value: version(tool.Path)})
	}
	b.facts = append(b.facts, versus.Fact{Key: "revision", Value: revision()})
	b.say("on " + b.facts.String())
	return b
}

// setting is a number from the environment.
func setting(t *testing.T, name string, usual float64) float64 {
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v <= 0 {
		t.Fatalf("%s=%s: a number above 0 is wanted", name, text)
	}
	return v
}

// finder looks for programs in PATH.
func finder(t *testing.T) func(name string, needed bool) string {
	return func(name string, needed bool) string {
		path, err := exec.LookPath(name)
		if err != nil && needed {
			t.Fatalf("%s not found in PATH: install it (apt-get install redis-tools)", name)
		}
		return path
	}
}

func version(path string) string {
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return first
}

// revision names the state of the source; "" outside of a repository.
func revision() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// raiseFiles lets the server and the tools have as many connections as the system
// allows. Without a call of its own, Go would give its children the old limit.
func raiseFiles(t *testing.T) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Logf("raise the limit of open files: %v", err)
	}
}

func (b *bench) say(line string) {
	fmt.Fprintf(os.Stdout, "%s  %s\n", time.Now().Format("15:04:05"), line)
}

// must ends the comparison: something that all rows need is missing.
func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// loads are the rows of the comparison. Loads that need other data under the same
// keys have a database of their own.
func loads() []versus.Load {
	const keys, clients, size = 100_000, 50, 3
	var all []versus.Load
	for _, test := range []string{"get", "set"} {
		for _, p := range []int{1, 16, 100, 1000} {
			all = append(all, versus.Load{Test: test, Clients: clients, Pipeline: p, Size: size, Keys: keys})
		}
	}
	mget := append([]string{"MGET"}, slices.Repeat([]string{"key:__rand_int__"}, 1000)...)
	return append(all,
		versus.Load{Test: "lrange_100", Clients: clients, Pipeline: 1, Size: size, Keys: keys, DB: 1},
		versus.Load{Test: "lrange_600", Clients: clients, Pipeline: 1, Size: size, Keys: keys, DB: 2},
		versus.Load{Test: "mset", Clients: clients, Pipeline: 1, Size: size, Keys: keys},
		versus.Load{Command: mget, Label: "mget_1000", Clients: clients, Pipeline: 1, Size: size, Keys: keys},
		// A hundred thousand keys of 16 KB would be 1.6 GB.
		versus.Load{Test: "get", Clients: clients, Pipeline: 1, Size: 16 << 10, Keys: 1000, DB: 3},
		versus.Load{Test: "get", Clients: 1, Pipeline: 1, Size: size, Keys: keys},
		versus.Load{Test: "get", Clients: 1000, Pipeline: 1, Size: size, Keys: keys},
	)
}

// tools is the first part: the same loads by every program.
func (b *bench) tools() {
	var rows []*versus.Row
	for _, l := range loads() {
		if !b.only.MatchString(l.String()) {
			continue
		}
		row, err := b.contest.Row(b.t.Context(), l)
		b.must(err)
		row.Reach = []versus.Reach{
			{Metric: versus.Throughput, Limit: 1, AtLeast: true},
			{Metric: versus.CPU, Limit: 1}, {Metric: versus.NetCPU, Limit: 1},
		}
		if l.Pipeline == 1 {
			row.Reach = append(row.Reach, versus.Reach{Metric: versus.P99, Limit: 1.3})
		}
		rows = append(rows, row)
	}
	b.measure("Against redis-benchmark", rows, "fullbore")
	if len(rows) > 0 {
		b.tell("In short: fullbore as a ratio to redis-benchmark", versus.Ratios(rows, "fullbore"))
	}
}

// measure runs the rows, tells the table and holds their reaches against the arms
// of those names.
func (b *bench) measure(title string, rows []*versus.Row, arms ...string) {
	if len(rows) == 0 {
		return
	}
	b.must(versus.Measure(b.t.Context(), rows, versus.Schedule{Rounds: b.rounds, Random: b.random, Tell: b.say}))
	b.conclude(title, rows, arms...)
}

func (b *bench) conclude(title string, rows []*versus.Row, arms ...string) {
	b.rows = append(b.rows, rows...)
	for _, arm := range arms {
		b.checks = append(b.checks, versus.Checks(rows, arm)...)
	}
	b.tell(title, versus.Full(rows))
}

func (b *bench) tell(title string, table versus.Table) {
	fmt.Fprintf(os.Stdout, "\n%s\n\n%s\n", title, table.Text())
	fmt.Fprintf(&b.page, "## %s\n\n%s\n", title, table.Markdown())
}

// screen is the second part: the same load without and with the screen, on two
// sizes of terminal.
func (b *bench) screen() {
	var rows []*versus.Row
	for _, p := range []int{1, 16} {
		args := []string{
			"-p", port(b.server), "--dbnum", "4", "-t", "get", "-c", "50", "-P", strconv.Itoa(p), "-d", "3", "-r", "100k",
			"--warmup", "1s", "--duration", fmt.Sprint(b.length()), "--keep-keys",
		}
		row := &versus.Row{
			Name:    fmt.Sprintf("screen get P=%d c=50 d=3", p),
			Metrics: []versus.Metric{versus.Throughput, versus.P50, versus.P99, versus.CPU, versus.Terminal},
			Reach:   []versus.Reach{{Metric: versus.Throughput, Limit: 0.98, AtLeast: true}, {Metric: versus.P99, Limit: 1.05}},
			Arms: []versus.Arm{
				{Name: "headless", Run: b.headless(args)},
				{Name: "screen 120x40", Run: b.onScreen(120, 40, args)},
				{Name: "screen 80x24", Run: b.onScreen(80, 24, args)},
			},
		}
		if b.only.MatchString(row.Name) {
			rows = append(rows, row)
		}
	}
	b.measure("The screen's cost", rows, "screen 120x40", "screen 80x24")
}

// length is that of a run with or without the screen: long enough for the screen
// to have drawn often.
func (b *bench) length() time.Duration {
	return max(time.Duration(2*b.seconds*float64(time.Second)), 3*time.Second)
}

func (b *bench) headless(args []string) func(context.Context) (versus.Sample, error) {
	return func(ctx context.Context) (versus.Sample, error) {
		out, err := versus.Run(ctx, false, program(b.t, plain), append(args, "--json")...)
		if err != nil {
			return nil, err
		}
		report, err := versus.ParseFullbore(out.Stdout)
		return figures(report, out.CPU), err
	}
}

func figures(r versus.Report, cpu time.Duration) versus.Sample {
	s := versus.Sample{versus.Throughput: r.RPS, versus.P50: r.P50, versus.P99: r.P99}
	if r.Requests > 0 {
		s[versus.CPU] = float64(cpu.Nanoseconds()) / 1e3 / float64(r.Requests)
	}
	return s
}

// onScreen runs the program on a terminal that is read all the time, and takes its
// results from the file that the key w writes. Nobody looks at the terminal while
// it measures: that would take processor time from it.
func (b *bench) onScreen(cols, rows int, args []string) func(context.Context) (versus.Sample, error) {
	return func(context.Context) (versus.Sample, error) {
		cmd := exec.Command(program(b.t, plain), append(args, "--yes")...)
		cmd.Env, cmd.Dir = environment(), b.t.TempDir()
		c := ptytest.Start(b.t, cols, rows, cmd)
		time.Sleep(1500 * time.Millisecond) // the start and the warm-up
		from, written := c.Since(), c.Written()
		time.Sleep(b.length() - time.Second)
		traffic := float64(c.Written()-written) / (c.Since() - from).Seconds()
		c.Sees(0, "the run has ended")
		c.Type("w")
		c.Sees(0, "saved to")
		c.Type("q")
		if code, _ := c.Ends(); code != 0 {
			return nil, fmt.Errorf("exit code %d", code)
		}
		saved, err := filepath.Glob(filepath.Join(cmd.Dir, "fullbore-*.json"))
		if err != nil || len(saved) != 1 {
			return nil, fmt.Errorf("saved results: %v, %v", saved, err)
		}
		text, err := os.ReadFile(saved[0])
		if err != nil {
			return nil, err
		}
		report, err := versus.ParseFullbore(text)
		if err != nil && !errors.Is(err, versus.ErrPartial) {
			return nil, err
		}
		s := figures(report, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		s[versus.Terminal] = traffic
		return s, nil
	}
}

// clients is the third part: what the number of clients costs.
func (b *bench) clients() {
	contest := b.contest
	contest.Watch = true
	var rows []*versus.Row
	counts := []int{10, 100, 1000, 10_000}
	for _, n := range counts {
		l := versus.Load{Test: "get", Label: "clients get", Clients: n, Pipeline: 1, Size: 3, Keys: 100_000}
		if !b.only.MatchString(l.String()) {
			return // memory and speed are held against those of fewer clients
		}
		row, err := contest.Row(b.t.Context(), l)
		b.must(err)
		row.Metrics = []versus.Metric{versus.Throughput, versus.P99, versus.Resident, versus.PerClient, versus.Connect}
		for i, tool := range contest.Tools {
			row.Arms[i].Run = arriving(contest, tool, l, row.Requests)
		}
		rows = append(rows, row)
	}
	most := rows[len(rows)-1]
	most.Reach = []versus.Reach{{Metric: versus.Connect, Limit: 3, Absolute: true}, {Metric: versus.PerClient, Limit: 24, Absolute: true}}
	b.must(versus.Measure(b.t.Context(), rows, versus.Schedule{Rounds: b.rounds, Random: b.random, Tell: b.say}))
	versus.ShareMemory(rows, counts)
	b.conclude("The cost of clients", rows, "fullbore")
	for i, arm := range most.Arms {
		if arm.Name == "fullbore" {
			b.checks = append(b.checks, versus.Check{
				Row: most.Name + " against c=100", Arm: arm.Name, Reach: versus.Reach{Metric: versus.Throughput, Limit: 0.8, AtLeast: true},
				Got: versus.Across(most, rows[1], i, versus.Throughput),
			})
		}
	}
}

// arriving is a run during which the server's connections are counted.
func arriving(c versus.Contest, tool versus.Tool, l versus.Load, n int64) func(context.Context) (versus.Sample, error) {
	return func(ctx context.Context) (versus.Sample, error) {
		stop, err := versus.Arrivals(ctx, c.Server, l.Clients)
		if err != nil {
			return nil, err
		}
		s, err := c.Once(ctx, tool, l, n)
		took, notAll := stop()
		if err == nil && notAll == nil {
			s[versus.Connect] = took.Seconds()
		}
		return s, errors.Join(err, notAll)
	}
}

// usage is the processor time spent so far.
type usage struct {
	at                time.Time
	all, ours, stolen time.Duration
	known             bool
}

// usage splits the machine's time into ours (this process, the clients, the
// server) and the rest.
func (b *bench) usage() usage {
	u := usage{at: time.Now(), ours: versus.Spent(b.server.PID)}
	u.all, u.stolen, u.known = versus.Busy()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if syscall.Getrusage(who, &r) == nil {
			u.ours += time.Duration(r.Utime.Nano() + r.Stime.Nano())
		}
	}
	return u
}

// others says how much of the machine went to somebody else: figures of a machine
// that others use as well are worth little.
func (b *bench) others(before usage) string {
	after := b.usage()
	whole := after.at.Sub(before.at).Seconds() * float64(slices.Max([]int{1, cores(b.facts)}))
	if !after.known || whole <= 0 {
		return "unknown"
	}
	share := func(d time.Duration) float64 { return 100 * d.Seconds() / whole }
	rest := (after.all - before.all) - (after.ours - before.ours)
	return fmt.Sprintf("other programs took %.0f %% of the processors, the hypervisor %.1f %%", max(share(rest), 0), share(after.stolen-before.stolen))
}

func cores(facts versus.Facts) int {
	for _, f := range facts {
		if f.Key == "cores" {
			n, _ := strconv.Atoi(f.Value)
			return n
		}
	}
	return 1
}

// finish tells which reaches are met, and writes the files.
func (b *bench) finish(before usage) {
	b.facts = append(b.facts, versus.Fact{Key: "rounds", Value: strconv.Itoa(b.rounds)}, versus.Fact{Key: "quiet", Value: b.others(before)})
	var met, missed []string
	for _, c := range b.checks {
		if c.Met() {
			met = append(met, c.String())
		} else {
			missed = append(missed, c.String())
		}
	}
	verdicts := fmt.Sprintf("%d of %d reaches met\n\nmissed:\n  %s\nmet:\n  %s\n",
		len(met), len(b.checks), strings.Join(missed, "\n  "), strings.Join(met, "\n  "))
	fmt.Fprintf(os.Stdout, "\n%s\n%s\n", verdicts, b.facts)
	fmt.Fprintf(&b.page, "## Reach\n\n```\n%s```\n\n%s\n", verdicts, b.legend())
	b.must(os.MkdirAll("bench.out", 0o755))
	b.must(os.WriteFile(filepath.Join("bench.out", "table.md"), []byte(b.page.String()), 0o644))
	b.must(os.WriteFile(filepath.Join("bench.out", "bench.txt"), []byte(versus.Lines(b.rows, b.facts)), 0o644))
	b.say("written: bench.out/table.md, and bench.out/bench.txt for benchstat -col /tool")
}

// legend says how to read the tables.
func (b *bench) legend() string {
	return fmt.Sprintf(`Medians of %d interleaved rounds in random order; × is the median of the ratios within a round, with its range.
Every client is one process, measured from outside: CPU is its user and system time for each request; net CPU is
without what a run of one request takes, which for fullbore includes writing the keys that it reads. Latencies are as
each program defines them: with a pipeline, redis-benchmark's is the time to the first reply of a batch.

Measured on: %s.
`, b.rounds, b.facts)
}
