package main_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"fullbore/loadgen/launch"
	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// compatN is how many requests a test of these command lines makes; neither 16 nor
// 7 divides it.
const compatN = 1003

// habit is a command line as people write it for redis-benchmark.
type habit struct {
	line    string
	refused bool // by both
	// feeds names commands that fullbore also sends to prepare another test of the
	// line, so that the server counts more of them.
	feeds string
}

// habits come from redis-benchmark's own help, from the Redis documentation on
// benchmarks and pipelining, and from published experiments. Numbers are those of
// the source; see local.
func habits() []habit {
	return []habit{
		// redis-benchmark --help
		{line: "", feeds: "set rpush sadd zadd lpush"},
		{line: "-h 192.168.1.1 -p 6379 -n 100000 -c 20", feeds: "set rpush sadd zadd lpush"},
		{line: "-t set -n 1000000 -r 100000000"},
		{line: "-t ping,set,get -n 100000 --csv", feeds: "set"},
		{line: `-r 10000 -n 10000 eval 'return redis.call("ping")' 0`},
		{line: "-r 10000 -n 10000 lpush mylist __rand_int__"},
		// The Redis documentation
		{line: "-q -n 100000", feeds: "set rpush sadd zadd lpush"},
		{line: "-t set,lpush -n 100000 -q"},
		{line: "-n 100000 -q script load \"redis.call('set','foo','bar')\""},
		{line: "-r 1000000 -n 2000000 -t get,set,lpush,lpop -P 16 -q", feeds: "set lpush rpush"},
		{line: "-r 1000000 -n 2000000 -t get,set,lpush,lpop -q", feeds: "set lpush rpush"},
		{line: "-t set -r 100000 -n 1000000"},
		{line: "-n 1000000 -t set,get -P 16 -q", feeds: "set"},
		{line: "-q -n 100000 -d 256 -t get,set", feeds: "set"},
		{line: "-q -n 100000 -c 1 -t ping"},
		{line: "-n 100000 -q -P 16 -c 1 -t ping_mbulk"},
		{line: "-r 10000 -n 10000 -q zadd myzset __rand_int__ element:__rand_int__"},
		{line: "-n 10000 -q set key:__rand_int__ value -r 100", refused: true}, // flags end at the command
		// Published experiments
		{line: "-q --csv -t set,get,incr -n 200000 -c 50", feeds: "set"},
		{line: "-q --csv -t set,get,incr -n 200000 -c 50 -P 16", feeds: "set"},
		{line: "-P 1000 -q -n 100000 -t get,set,lrange_100,lrange_600,mset", feeds: "set lpush rpush"},
		{line: "-q -n 10000 -P 10 mget fullbore:a fullbore:b fullbore:c fullbore:d"},
		{line: "-c 50 -n 100000 -t lrange", feeds: "lpush rpush"},
		{line: "-n 100000 -d 500 -t set,get,lpush,rpush", feeds: "set rpush"},
		{line: "-n 100000 --threads 2 -t set -q"},
		{line: "--csv -d 10 -t set -n 100000"},
		{line: "--csv -d 102400 -t set -n 100 -c 5"},
		{line: "--csv -d 204800 -t get -n 100 -c 5"},
		// Every flag, short and joined
		{line: "-c 7 -n 1000 -P 3 -d 30 -r 10 -q -t set"},
		{line: "-s SOCKET -t set -q"},
		{line: "-u redis://127.0.0.1:6379 -t set -q"},
		{line: "-u redis://127.0.0.1:6379/2 -t set -q"},
		{line: "--dbnum 3 -t set,incr -q"},
		{line: "-a secret -t set -q", refused: true},
		{line: "--user joe -a secret -t set -q", refused: true},
		{line: "-k 1 -t set -q"},
		{line: "-k 0 -c 5 -t set -q"},
		{line: "-e -t set -q"},
		{line: "--precision 3 -t set -q"},
		{line: "-r 100 -t sadd,hset,incr --csv"},
		{line: "-r 100 -t zadd -P 7 --csv"},
		{line: "-t spop --csv"},
		{line: "-t zpopmin --csv"},
		{line: "-t lpop,rpop --csv"},
		{line: "-t rpush,lpush --csv"},
		{line: "-t hset -d 64 --csv"},
		{line: "-t mset -r 1000 --csv"},
		{line: "-t incr -c 7 -P 16 --csv"},
		{line: "-t PING_INLINE,Set --csv"},
		{line: "-t ping_inline -P 16 --csv"},
		{line: "-t incr -x -q -r 100 -P 3"},
		// Commands of one's own
		{line: "-q get foo"},
		{line: "--csv set foo bar"},
		{line: `-q set foo 'say "hello, world"'`},
		{line: "--csv -r 1000 hset h:__rand_int__ f:__rand_int__ v"},
		{line: "-q -P 16 -c 7 incr counter"},
		{line: "-q -t set get foo"},
		{line: "-q set foo -n 5", refused: true},
		{line: `-q set foo "\x00\xff"`},
		{line: "-q -r 50 setex foo:__rand_int__ 100 bar"},
		{line: "-q xadd mystream * myfield value"},
		{line: "-q -r 100 geoadd places 13.361389 38.115556 p:__rand_int__"},
		{line: "-q -r 100 pfadd visitors __rand_int__"},
		{line: "-q setbit bits 7 1"},
		{line: "-q dbsize", feeds: "dbsize"},
		{line: "-q echo hello", feeds: "echo"},
		{line: "-q time"},
		{line: "--csv -r 100 zrangebyscore myzset 0 __rand_int__"},
		{line: "-q bitcount foo"},
		{line: "-q type foo"},
		// What is wrong
		{line: "-q --bogus", refused: true},
		{line: "-q -n", refused: true},
		{line: "-q -t", refused: true},
		{line: "-q nosuch foo", refused: true},
		{line: "-q get", refused: true},
		{line: "-q -u http://127.0.0.1 -t set", refused: true},
		{line: "-q -s /nowhere/redis.sock -t set -n 10", refused: true},
	}
}

// local is a line as words, made to run here: on this server, and with numbers that
// take a moment only.
func (h habit) local(t *testing.T, server *redistest.Server) []string {
	t.Helper()
	line := strings.ReplaceAll(h.line, "127.0.0.1:6379", server.Addr)
	words, err := launch.Split(strings.ReplaceAll(line, "SOCKET", server.Dir+"/s.sock"))
	if err != nil {
		t.Fatalf("%s: %v", h.line, err)
	}
	for i, word := range words[:max(0, len(words)-1)] {
		value, number := words[i+1], 0
		if n, err := strconv.Atoi(value); err == nil {
			number = n
		}
		switch {
		case word == "-h":
			words[i+1] = server.Host
		case word == "-p":
			words[i+1] = port(server)
		case word == "-n" && number > compatN:
			words[i+1] = strconv.Itoa(compatN)
		case word == "-r" && number > 1000:
			words[i+1] = "1000"
		}
	}
	if !slices.Contains(words, "-n") {
		words = append([]string{"-n", strconv.Itoa(compatN)}, words...)
	}
	if !slices.ContainsFunc(words, func(w string) bool { return w == "-s" || w == "-u" || w == "-p" }) {
		words = append([]string{"-p", port(server)}, words...)
	}
	return words
}

// figure is the value of a flag in words, otherwise if it is not there.
func figure(words []string, flag string, otherwise int64) int64 {
	if i := slices.Index(words, flag); i >= 0 && i+1 < len(words) {
		if n, err := strconv.ParseInt(words[i+1], 10, 64); err == nil {
			return n
		}
	}
	return otherwise
}

// calls are the server's counts of commands, without those that only set up
// connections or ask about the server.
func calls(t *testing.T, server *redistest.Server) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	for field, value := range server.Info(t, "commandstats") {
		name := strings.TrimPrefix(field, "cmdstat_")
		if slices.Contains([]string{"config|get", "config|resetstat", "auth", "select", "info", "flushall"}, name) {
			continue
		}
		var n int64
		if _, err := fmt.Sscanf(value, "calls=%d,", &n); err == nil {
			all[name] = n
		}
	}
	return all
}

// fresh empties the server and its counts.
func fresh(t *testing.T, server *redistest.Server) {
	t.Helper()
	server.Do(t, "FLUSHALL")
	server.Do(t, "CONFIG", "RESETSTAT")
}

// redisBenchmark runs the original to its end.
func redisBenchmark(t *testing.T, words []string) outcome {
	t.Helper()
	path, err := exec.LookPath("redis-benchmark")
	if err != nil {
		t.Fatal("redis-benchmark not found in PATH: install it (apt-get install redis-tools)")
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), path, words...)
	cmd.Stdout, cmd.Stderr, cmd.Env = &stdout, &stderr, environment()
	err = cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// TestRedisBenchmarkLines runs what people have in their fingers through both
// programs against one server: both take a line or both refuse it, the server counts
// the same commands, and the reports have the same rows.
func TestRedisBenchmarkLines(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--unixsocket", "s.sock")
	if n := len(habits()); n < 60 {
		t.Errorf("%d lines, want 60 at least", n)
	}
	for _, h := range habits() {
		t.Run(h.line, func(t *testing.T) {
			words := h.local(t, server)
			fresh(t, server)
			original := redisBenchmark(t, words)
			sent := calls(t, server)
			fresh(t, server)
			ours := fullbore(t, append([]string{"--yes"}, words...)...)
			if (original.code != 0) != h.refused || (ours.code != 0) != h.refused {
				t.Fatalf("exit codes %d of redis-benchmark, %d of fullbore; want refused %v\n%s%s", original.code, ours.code, h.refused, original.stderr, ours.stderr)
			}
			if h.refused {
				if !strings.HasPrefix(ours.stderr, "fullbore: ") {
					t.Errorf("no reason: %q", ours.stderr)
				}
				return
			}
			h.compareCalls(t, words, sent, calls(t, server))
			h.compareRows(t, words, original.stdout, ours.stdout)
		})
	}
}

// compareCalls holds that fullbore sent each test of the line exactly -n times.
// redis-benchmark goes on to the end of a pipeline, which tells how many tests there
// were.
func (h habit) compareCalls(t *testing.T, words []string, theirs, ours map[string]int64) {
	t.Helper()
	n, p := figure(words, "-n", 0), figure(words, "-P", 1)
	whole := (n + p - 1) / p * p
	for name, sent := range theirs {
		want := (sent + whole/2) / whole * n // it may leave its last pipeline unfinished
		if name == "lpush" && h.ranges() {
			want -= n // redis-benchmark fills its list with a test of its own
		}
		fed := slices.Contains(strings.Fields(h.feeds), name)
		if got := ours[name]; got != want && (!fed || got < want) {
			t.Errorf("fullbore sent %s %d times, redis-benchmark %d; want %d", name, got, sent, want)
		}
	}
	if len(theirs) == 0 {
		t.Error("redis-benchmark sent nothing")
	}
}

// ranges tells whether the line runs the LRANGE tests.
func (h habit) ranges() bool {
	return strings.Contains(h.line, "lrange") || h.suite()
}

// suite tells whether the line runs all tests.
func (h habit) suite() bool { return slices.Contains(strings.Fields(h.feeds), "zadd") }

// needed is the row that redis-benchmark prints of filling its list.
const needed = "LPUSH (needed to benchmark LRANGE)"

// compareRows holds that both reports name the same tests in the same order; of the
// whole suite, fullbore has more.
func (h habit) compareRows(t *testing.T, words []string, theirs, ours string) {
	t.Helper()
	want, got := titles(t, words, theirs), titles(t, words, ours)
	want = slices.DeleteFunc(want, func(title string) bool { return title == needed })
	if h.suite() {
		got = slices.DeleteFunc(got, func(title string) bool { return !slices.Contains(want, title) })
	}
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("rows of fullbore %q\nwant those of redis-benchmark %q\n%s", got, want, ours)
	}
}

// titles are the tests that a report names, read as scripts read it.
func titles(t *testing.T, words []string, report string) (names []string) {
	t.Helper()
	if slices.Contains(words, "--csv") {
		return csvTitles(t, report)
	}
	row := regexp.MustCompile(`^====== (.*) ======$`)
	if slices.Contains(words, "-q") {
		row = regexp.MustCompile(`^(.*): (?:\d+\.\d\d|inf|n/a) requests per second, p50=(?:\d+\.\d{3}|-) msec(?: \(.*\))? *$`) // with a doubt, on a busy machine
	}
	for line := range strings.Lines(report) {
		// redis-benchmark writes its progress into the same stream.
		line = strings.TrimRight(line, "\n")
		line = line[strings.LastIndex(line, "\r")+1:]
		if m := row.FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
		}
	}
	return names
}

// csvTitles reads a CSV report and checks its columns.
func csvTitles(t *testing.T, report string) (names []string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(report)).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("CSV: %v\n%s", err, report)
	}
	header := "test rps avg_latency_ms min_latency_ms p50_latency_ms p95_latency_ms p99_latency_ms max_latency_ms"
	if got := strings.Join(rows[0], " "); got != header {
		t.Errorf("CSV header %s, want %s", got, header)
	}
	for _, row := range rows[1:] {
		names = append(names, row[0])
		for i, field := range row[1:] {
			if _, err := strconv.ParseFloat(field, 64); err != nil && field != "" {
				t.Errorf("%s: column %s holds %q", row[0], rows[0][i+1], field)
			}
		}
	}
	return names
}

// TestEndlessLines holds that -l and -I go on until they are interrupted.
func TestEndlessLines(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	loop := start(t, nil, "-p", port(server), "-l", "-q", "-n", "100", "-t", "ping_mbulk")
	rounds := func() int { return strings.Count(loop.stdout.String(), "PING_MBULK: ") }
	ptytest.Await(t, "three rounds", func() bool { return rounds() >= 3 }, loop.stderr.String)
	interrupt(t, loop)
	loop.wait(t).want(t, 130)

	fresh(t, server)
	idle := start(t, nil, "-p", port(server), "-I", "-c", "30")
	ptytest.Await(t, "thirty clients", func() bool { return strings.Contains(idle.stderr.String(), "clients: 30\n") }, idle.stderr.String)
	if n, err := strconv.Atoi(server.Info(t, "clients")["connected_clients"]); err != nil || n < 30 {
		t.Errorf("the server has %d clients, want 30 at least", n)
	}
	interrupt(t, idle)
	if o := idle.wait(t).want(t, 130); o.stdout != "" || server.Calls(t, "ping") > 0 {
		t.Errorf("a report %q, or %d pings, of connections that are idle", o.stdout, server.Calls(t, "ping"))
	}
}

// interrupt is ctrl+c.
func interrupt(t *testing.T, p *process) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}
