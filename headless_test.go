package main_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/workload"
	"fullbore/tui/ptytest"
)

// strangers are keys of somebody else, some of them almost under the prefix.
func strangers(t *testing.T, s *redistest.Server) (unchanged func()) {
	t.Helper()
	for _, key := range []string{"fullbore", "Fullbore:key", "xfullbore:key:000000000000", "key:__rand_int__", "counter:__rand_int__"} {
		s.Do(t, "SET", key, "17")
	}
	for _, key := range []string{"mylist", "key:1"} {
		s.Do(t, "RPUSH", key, "a", "b")
	}
	contents := func() map[string]string {
		all := map[string]string{}
		for _, key := range s.Do(t, "KEYS", "*").([]any) {
			name := string(key.([]byte))
			all[name] = string(s.Do(t, "DUMP", name).([]byte))
		}
		return all
	}
	before := contents()
	return func() {
		t.Helper()
		if after := contents(); !maps.Equal(before, after) {
			t.Errorf("keys are %v, want the same %v with the same contents", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
		}
	}
}

// rowArgs is the run of the issue: a count that neither 16 nor 7 divides.
func rowArgs(row workload.Test, more ...string) []string {
	return append([]string{"-t", row.Name(), "-n", "10007", "-P", "16", "-c", "7", "--json"}, more...)
}

// judge checks the report of a row's run against what was asked for.
func judge(t *testing.T, row workload.Test, o outcome) {
	t.Helper()
	r := only(t, o.want(t, 0).stdout)
	if r.Test != row.Title || r.Clients != 7 || r.Pipeline != 16 || r.Load != "closed" {
		t.Errorf("report of %q with %d clients, pipeline %d, %s loop", r.Test, r.Clients, r.Pipeline, r.Load)
	}
	if r.Requests != 10007 || r.Errors.Total != 0 || r.Lost != 0 || r.Partial {
		t.Errorf("requests %d, errors %d, lost %d, partial %v; want 10007 requests and nothing else", r.Requests, r.Errors.Total, r.Lost, r.Partial)
	}
	if row.Reads && (r.HitRate == nil || *r.HitRate < 0.99) {
		t.Errorf("hit rate %v, want 0.99 at least", show(r.HitRate))
	}
	if !row.Reads && r.HitRate != nil {
		t.Errorf("hit rate %v of a command that reads nothing", *r.HitRate)
	}
	p50, most := r.Latency["p50"], r.Latency["max"]
	if r.RPS == nil || p50 == nil || most == nil || *r.RPS <= 0 || *p50 <= 0 || *p50 > *most {
		t.Errorf("rps %s, p50 %s, max %s", show(r.RPS), show(p50), show(most))
	}
}

func show(v *float64) string {
	if v == nil {
		return "null"
	}
	return fmt.Sprint(*v)
}

func TestEveryRowCountsWhatTheServerCounts(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	unchanged := strangers(t, server)
	for _, row := range workload.Catalog() {
		for _, keys := range []string{"0", "1000"} {
			t.Run(row.Name()+"/r="+keys, func(t *testing.T) {
				command := row.Args[0]
				before := server.Calls(t, command)
				o := fullbore(t, rowArgs(row, "-p", port(server), "-r", keys)...)
				judge(t, row, o)
				if counted := server.Calls(t, command) - before; counted != 10007 {
					t.Errorf("the server executed %s %d times, want 10007", command, counted)
				}
				if lines := strings.Split(strings.TrimSpace(o.stderr), "\n"); len(lines) != 1 || !strings.Contains(lines[0], "removed") {
					t.Errorf("stderr has more than the count of removed keys: %s", o.stderr)
				}
			})
		}
	}
	unchanged()
}

func TestEveryRowOnTheBuiltInServer(t *testing.T) {
	t.Parallel()
	for _, row := range workload.Catalog() {
		t.Run(row.Name(), func(t *testing.T) {
			o := fullbore(t, rowArgs(row, "--server", "builtin")...)
			judge(t, row, o)
			if d := parse(t, o.stdout); d.Server.Origin != "built-in demo server" {
				t.Errorf("origin %q, want the built-in demo server", d.Server.Origin)
			}
			if !strings.Contains(o.stderr, "built-in demo server: its speed says nothing about Redis") {
				t.Errorf("no banner: %s", o.stderr)
			}
		})
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	run := func(t *testing.T, more ...string) string {
		t.Helper()
		return fullbore(t, append([]string{"-p", port(server), "-t", "get,ping,set", "-n", "2000", "-c", "5"}, more...)...).want(t, 0).stdout
	}
	// In the order of redis-benchmark's suite, whatever that of -t.
	titles := []string{"PING_INLINE", "PING_MBULK", "SET", "GET"}
	t.Run("quiet", func(t *testing.T) {
		line := `: \d+\.\d\d requests per second, p50=\d+\.\d{3} msec(?: \(stalled [^)]*\))?\n` // it may have, on a busy machine
		want := regexp.MustCompile("^" + strings.Join(titles, line) + line + `\n?$`)
		if got := run(t, "-q"); !want.MatchString(got) {
			t.Errorf("got %q, want %s", got, want)
		}
	})
	t.Run("csv", func(t *testing.T) {
		got := run(t, "--csv")
		const header = `"test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"` + "\n"
		if !strings.HasPrefix(got, header) {
			t.Errorf("header of %q, want %q", got, header)
		}
		rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var tests []string
		for _, row := range rows[1:] {
			tests = append(tests, row[0])
		}
		if !slices.Equal(tests, titles) {
			t.Errorf("rows of %v, want %v", tests, titles)
		}
	})
	t.Run("json", func(t *testing.T) {
		d := parse(t, run(t, "--json"))
		var tests []string
		for _, r := range d.Results {
			tests = append(tests, r.Test)
		}
		if !slices.Equal(tests, titles) || d.Server.Name != "redis" && d.Server.Name != "valkey" || d.Server.Address != server.Addr {
			t.Errorf("results of %v on %+v, want %v", tests, d.Server, titles)
		}
	})
	t.Run("text", func(t *testing.T) {
		got := run(t)
		for _, title := range titles {
			if !strings.Contains(got, "====== "+title+" ======") {
				t.Errorf("no section of %s in %s", title, got)
			}
		}
		if strings.Count(got, "2000 requests completed in") != 4 {
			t.Errorf("want four times 2000 requests: %s", got)
		}
	})
}

func TestMixIsOneRunOfAllItsCommands(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	gets := server.Calls(t, "get")
	r := only(t, fullbore(t, "-p", port(server), "--mix", "incr=1,get=3", "-n", "10007", "-P", "16", "-c", "7", "-r", "100", "--json").want(t, 0).stdout)
	if len(r.Commands) != 2 || r.Requests != 10007 || r.Commands[0].Requests+r.Commands[1].Requests != 10007 {
		t.Fatalf("%d requests as %+v, want 10007 of two commands", r.Requests, r.Commands)
	}
	for _, c := range r.Commands {
		counted := server.Calls(t, c.Test)
		if c.Test == "GET" {
			counted -= gets
		}
		if counted != c.Requests {
			t.Errorf("%s: %d requests, the server counted %d", c.Test, c.Requests, counted)
		}
	}
}

func TestKeepKeys(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	unchanged := strangers(t, server)
	before := server.DBSize(t)
	o := fullbore(t, "-p", port(server), "-t", "set", "-n", "5000", "-r", "50", "--key-prefix", "mine:", "--keep-keys", "-q").want(t, 0)
	kept := server.Do(t, "KEYS", "mine:*").([]any)
	if len(kept) != 50 || server.DBSize(t)-before != 50 {
		t.Errorf("%d keys kept, %d more in all; want 50", len(kept), server.DBSize(t)-before)
	}
	if !strings.Contains(o.stderr, `keys under "mine:" are left`) {
		t.Errorf("stderr %q says nothing of what is left", o.stderr)
	}
	// The next run takes them away, with a count.
	o = fullbore(t, "-p", port(server), "-t", "ping", "-n", "10", "--key-prefix", "mine:", "-q").want(t, 0)
	if !strings.Contains(o.stderr, `50 keys under "mine:" removed`) {
		t.Errorf("stderr %q, want 50 keys removed", o.stderr)
	}
	unchanged()
}

func TestUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-c 0", "1 to"},
		{"-P 0", "1 to"},
		{"-n 0", "from 1"},
		{"-n -5", "from 1"},
		{"-n abc", "such as"},
		{"-d -1", "bytes"},
		{"-t sett", "did you mean"},
		{"--clinets 5", "clients"},
		{"-p 99999", "65535"},
		{"-q 5", "such as"},
		{"-q -- -t set", "flags come first"},
		{"--cacert x", "nothing asks for TLS"},
		{"--tls-ciphers x", "leave it out"},
		{"--cluster --dbnum 1", "database 0 only"},
		{"--profile nowhere", "there is no file"},
	} {
		t.Run(c.args, func(t *testing.T) {
			o := fullbore(t, strings.Fields(c.args)...).want(t, 2)
			if o.stdout != "" || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, c.want) {
				t.Errorf("stdout %q, stderr %q; want one line with %q", o.stdout, o.stderr, c.want)
			}
		})
	}
	for _, flag := range []string{"--help", "--version", "-v"} {
		if o := fullbore(t, flag).want(t, 0); !strings.Contains(o.stdout, "fullbore") || o.stderr != "" {
			t.Errorf("%s: stdout %q, stderr %q", flag, o.stdout, o.stderr)
		}
	}
}

// TestErrorRepliesAreData: a full server refuses writes; that ends nothing (M30).
func TestErrorRepliesAreData(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--maxmemory", "3mb", "--maxmemory-policy", "noeviction")
	before := server.Calls(t, "set")
	o := fullbore(t, "-p", port(server), "-t", "set", "-n", "10007", "-P", "16", "-c", "7", "-d", "4k", "-r", "100k", "--json").want(t, 1)
	r := only(t, o.stdout)
	if r.Requests != 10007 || r.Errors.Total == 0 || r.Errors.ByCode["OOM"] != r.Errors.Total || r.Partial {
		t.Errorf("requests %d, errors %+v, partial %v; want 10007, some of them OOM", r.Requests, r.Errors, r.Partial)
	}
	// The server counts what it refuses for want of memory apart from its calls.
	if counted := server.Calls(t, "set") - before; counted != r.Requests-r.Errors.Total {
		t.Errorf("the server executed %d of %d requests with %d errors", counted, r.Requests, r.Errors.Total)
	}
	if n := server.DBSize(t); n != 0 {
		t.Errorf("%d keys left", n)
	}
}

// running waits until the server has executed a command of the load.
func running(t testing.TB, server *redistest.Server, command string) {
	t.Helper()
	ptytest.Await(t, "load on the server", func() bool { return server.Calls(t, command) > 1000 })
}

func TestServerThatDies(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	p := start(t, nil, "-p", port(server), "-t", "set", "--duration", "2s", "--warmup", "none", "--json")
	running(t, server, "set")
	server.Kill()
	r := only(t, p.wait(t).want(t, 1).stdout)
	if r.Requests == 0 || r.Lost == 0 {
		t.Errorf("requests %d, lost %d; want both", r.Requests, r.Lost)
	}
	if !strings.Contains(p.stderr.String(), "may be left") {
		t.Errorf("stderr does not say that keys may be left: %s", p.stderr.String())
	}
}

func TestSignalsGiveThePartialResult(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signal syscall.Signal
		code   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}} {
		t.Run(c.signal.String(), func(t *testing.T) {
			server := redistest.Start(t)
			unchanged := strangers(t, server)
			p := start(t, nil, "-p", port(server), "-t", "incr", "-r", "5000", "--duration", "60s", "-P", "16", "--json")
			running(t, server, "incr")
			asked := time.Now()
			if err := p.cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			o := p.wait(t).want(t, c.code)
			took := time.Since(asked)
			t.Logf("gone %v after %v", took.Round(time.Millisecond), c.signal)
			if took > hangs {
				t.Errorf("gone after %v, want about 1 s at most", took)
			}
			r := only(t, o.stdout)
			if !r.Partial || r.Reason == "" || r.Test != "INCR" {
				t.Errorf("result of %s, partial %v, reason %q; want a partial one of INCR", r.Test, r.Partial, r.Reason)
			}
			if counted := server.Calls(t, "incr"); counted < r.Requests || counted > r.Requests+r.Lost {
				t.Errorf("the server executed %d; reported %d and %d lost", counted, r.Requests, r.Lost)
			}
			unchanged()
		})
	}
}

func TestFrozenServerDoesNotHoldUpTheEnd(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	p := start(t, nil, "-p", port(server), "-t", "set", "--duration", "60s", "--json")
	running(t, server, "set")
	server.Pause()
	time.Sleep(300 * time.Millisecond) // every client now waits for a reply that does not come
	asked := time.Now()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	o := p.wait(t).want(t, 143)
	t.Logf("gone %v after SIGTERM with a frozen server", time.Since(asked).Round(time.Millisecond))
	if took := time.Since(asked); took > hangs {
		t.Errorf("gone after %v, want about 1 s at most", took)
	}
	if r := only(t, o.stdout); !r.Partial || r.Lost == 0 {
		t.Errorf("partial %v, lost %d; want what was in flight as lost", r.Partial, r.Lost)
	}
	if !strings.Contains(o.stderr, "may be left") {
		t.Errorf("stderr does not say that keys may be left: %s", o.stderr)
	}
	server.Resume()
}
