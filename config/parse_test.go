package config_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"fullbore/config"
	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/target"
)

// env is a process with these variables ("NAME=value") and no terminal.
func env(variables ...string) config.Env {
	return config.Env{Getenv: func(name string) string {
		for _, v := range variables {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}}
}

// terminal is env with all streams on a terminal.
func terminal(variables ...string) config.Env {
	e := env(variables...)
	e.InIsTerminal, e.OutIsTerminal, e.ErrIsTerminal = true, true, true
	return e
}

// describe is the part of a Config that flags change, in words, without a
// target's secrets.
func describe(c config.Config) string {
	s := c.Format
	if c.Interactive {
		s = "screen"
	}
	w := c.Plan.Workload
	s += fmt.Sprintf(" c=%d P=%d d=%d r=%d n=%d", c.Plan.Clients, c.Plan.Pipeline, w.Payload, w.Keys.Size, c.Plan.Requests)
	if c.Plan.Duration > 0 {
		s += " for=" + c.Plan.Duration.String()
	}
	if c.Plan.Rate > 0 {
		s += fmt.Sprintf(" rate=%g", c.Plan.Rate)
	}
	if c.Mixed {
		return s + " mix=" + w.Mix.String()
	}
	var titles []string
	for _, r := range c.Runs() {
		titles = append(titles, r.Title)
	}
	if len(titles) > 4 {
		return s + " tests=all"
	}
	return s + " tests=" + strings.Join(titles, "+")
}

func TestLoad(t *testing.T) {
	const base = "text c=50 P=1 d=3 r=0 n=100000 "
	for _, c := range []struct{ args, want string }{
		{"", base + "tests=all"},
		{"-n 100k", base + "tests=all"},
		{"-n 1e5", base + "tests=all"},
		{"-n100k", base + "tests=all"},
		{"-n=100k", base + "tests=all"},
		{"--requests 100k", base + "tests=all"},
		{"--requests=100000", base + "tests=all"},
		{"-n 3000000000", "text c=50 P=1 d=3 r=0 n=3000000000 tests=all"},
		{"-c50 -P 16 -d 64 -r 100000 -t set,get -q", "quiet c=50 P=16 d=64 r=100000 n=100000 tests=SET+GET"},
		{"-qt get,set", "quiet c=50 P=1 d=3 r=0 n=100000 tests=SET+GET"},
		{"-q -t SET", "quiet c=50 P=1 d=3 r=0 n=100000 tests=SET"},
		{"--quiet --tests set", "quiet c=50 P=1 d=3 r=0 n=100000 tests=SET"},
		{"-t ping", base + "tests=PING_INLINE+PING_MBULK"},
		{"--clients 7 --pipeline 2 --data-size 1k --keyspace 1m", "text c=7 P=2 d=1024 r=1000000 n=100000 tests=all"},
		{"-d 16KB", "text c=50 P=1 d=16384 r=0 n=100000 tests=all"},
		{"-d 1mb", "text c=50 P=1 d=1048576 r=0 n=100000 tests=all"},
		{"-r 0", base + "tests=all"},
		{"--csv", "csv c=50 P=1 d=3 r=0 n=100000 tests=all"},
		{"--csv -q", "csv c=50 P=1 d=3 r=0 n=100000 tests=all"},
		{"--json -q", "json c=50 P=1 d=3 r=0 n=100000 tests=all"},
		{"--format json --json", "json c=50 P=1 d=3 r=0 n=100000 tests=all"},
		{"--format CSV", "csv c=50 P=1 d=3 r=0 n=100000 tests=all"},
		{"--duration 10s", "text c=50 P=1 d=3 r=0 n=0 for=10s tests=all"},
		{"--duration 10", "text c=50 P=1 d=3 r=0 n=0 for=10s tests=all"},
		{"--duration 1m30s -n 5", "text c=50 P=1 d=3 r=0 n=5 for=1m30s tests=all"},
		{"--rate 50k", "text c=50 P=1 d=3 r=0 n=100000 rate=50000 tests=all"},
		{"--rps 0.5", "text c=50 P=1 d=3 r=0 n=100000 rate=0.5 tests=all"},
		{"--rate 0", base + "tests=all"},
		{"--mix set=1,get=10", base + "mix=set=1,get=10"},
		{"--mix set", base + "mix=set"},
	} {
		got, err := config.Parse(strings.Fields(c.args), env())
		if err != nil || describe(got) != c.want {
			t.Errorf("fullbore %s: %s, %v\nwant %s", c.args, describe(got), err, c.want)
		}
	}
}

func TestScreenLoad(t *testing.T) {
	const base = "screen c=50 P=1 d=64 r=100000 n=0 "
	for _, c := range []struct{ args, want string }{
		{"", base + "mix=set"},
		{"-t set,get", base + "mix=set=1,get=1"},
		{"-t get", base + "mix=get"},
		{"--mix set=1,get=10", base + "mix=set=1,get=10"},
		{"-d 3 -r 0", "screen c=50 P=1 d=3 r=0 n=0 mix=set"},
		{"-n 1000 --duration 5", "screen c=50 P=1 d=64 r=100000 n=1000 for=5s mix=set"},
		{"-q", "quiet c=50 P=1 d=3 r=0 n=100000 tests=all"},
		{"--csv", "csv c=50 P=1 d=3 r=0 n=100000 tests=all"},
		{"--json --mix set", "json c=50 P=1 d=3 r=0 n=100000 mix=set"},
		{"--format text", "text c=50 P=1 d=3 r=0 n=100000 tests=all"},
	} {
		got, err := config.Parse(strings.Fields(c.args), terminal())
		if err != nil || describe(got) != c.want {
			t.Errorf("fullbore %s: %s, %v\nwant %s", c.args, describe(got), err, c.want)
		}
		auto := (got.Interactive || got.Plan.Duration > 0) && got.Plan.Requests == 0
		if got.Plan.Warmup != (loadgen.Warmup{Auto: auto}) {
			t.Errorf("fullbore %s: warm-up %v, want auto %v", c.args, got.Plan.Warmup, auto)
		}
	}
}

func TestTerminals(t *testing.T) {
	for _, c := range []struct {
		in, out, err, interactive, progress bool
	}{
		{true, true, true, true, false},
		{true, true, false, true, false},
		{false, true, true, false, true},
		{true, false, true, false, true},
		{false, false, false, false, false},
	} {
		e := env()
		e.InIsTerminal, e.OutIsTerminal, e.ErrIsTerminal = c.in, c.out, c.err
		got, err := config.Parse(nil, e)
		if err != nil || got.Interactive != c.interactive || got.Progress != c.progress {
			t.Errorf("%+v: Interactive %v, Progress %v, %v", c, got.Interactive, got.Progress, err)
		}
	}
}

func TestTarget(t *testing.T) {
	tcp := func(host string, port int) target.Target { return target.TCP(host, port) }
	with := func(t target.Target, user, password string, db int) target.Target {
		t.Username, t.Password, t.DB = user, target.Secret(password), db
		return t
	}
	for _, c := range []struct {
		args string
		want target.Target
	}{
		{"-h example.org", tcp("example.org", 6379)},
		{"-hexample.org -p7000", tcp("example.org", 7000)},
		{"--host example.org --port 7000", tcp("example.org", 7000)},
		{"-p 7000", tcp("127.0.0.1", 7000)},
		{"-h ::1", tcp("::1", 6379)},
		{"-h [::1] -p 7000", tcp("::1", 7000)},
		{"-h fe80::1%eth0", tcp("fe80::1%eth0", 6379)},
		{"-s /tmp/redis.sock", target.Unix("/tmp/redis.sock")},
		{"-s /tmp/redis.sock -h example.org -p 7000", target.Unix("/tmp/redis.sock")},
		{"-u redis://example.org:7000/2", with(tcp("example.org", 7000), "", "", 2)},
		{"--uri redis://joe:p%40ss@example.org", with(tcp("example.org", 6379), "joe", "p@ss", 0)},
		{"-a hunter2", with(tcp("127.0.0.1", 6379), "", "hunter2", 0)},
		{"-ahunter2 --user joe", with(tcp("127.0.0.1", 6379), "joe", "hunter2", 0)},
		{"--password hunter2", with(tcp("127.0.0.1", 6379), "", "hunter2", 0)},
		{"-u redis://example.org -a hunter2 --user joe", with(tcp("example.org", 6379), "joe", "hunter2", 0)},
		{"-u redis://:hunter2@example.org --user joe", with(tcp("example.org", 6379), "joe", "hunter2", 0)},
		{"--dbnum 3", with(tcp("127.0.0.1", 6379), "", "", 3)},
		{"-a -n", with(tcp("127.0.0.1", 6379), "", "-n", 0)},
	} {
		got, err := config.Parse(strings.Fields(c.args), env())
		if err != nil || got.Target == nil || *got.Target != c.want {
			t.Errorf("fullbore %s: %#v, %v; want %#v", c.args, got.Target, err, c.want)
		}
	}
}

func TestNoTarget(t *testing.T) {
	got, err := config.Parse([]string{"-q"}, env("REDISCLI_AUTH=hunter2"))
	if err != nil || got.Target != nil || got.Auth != "hunter2" {
		t.Errorf("Target %v, Auth set %v, %v", got.Target, got.Auth != "", err)
	}
	got, err = config.Parse([]string{"--server", "redis-server --io-threads 2"}, env("REDISCLI_AUTH=hunter2"))
	if err != nil || got.Target != nil || got.Server != "redis-server --io-threads 2" || got.Auth != "" {
		t.Errorf("Target %v, Server %q, Auth set %v, %v", got.Target, got.Server, got.Auth != "", err)
	}
}

func TestPasswordFromEnvironment(t *testing.T) {
	for args, want := range map[string]target.Secret{
		"-h example.org":                       "outer",
		"-h example.org --user joe":            "outer",
		"-h example.org -a inner":              "inner",
		"-u redis://example.org":               "outer",
		"-u redis://:inner@example.org":        "inner",
		"-s /tmp/redis.sock":                   "outer",
		"-u redis://example.org -a inner -q":   "inner",
		"-u redis://joe:inner@example.org/3 -": "",
	} {
		got, err := config.Parse(strings.Fields(args), env("REDISCLI_AUTH=outer"))
		if want == "" {
			if err == nil {
				t.Errorf("fullbore %s: no error", args)
			}
			continue
		}
		if err != nil || got.Target.Password != want {
			t.Errorf("fullbore %s: %#v, %v; want password %q", args, got.Target, err, string(want))
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-n 0", `requests "0": -n takes a whole number from 1, such as 100, 10k or 1e4`},
		{"-n -5", `requests "-5": -n takes a whole number from 1`},
		{"-n abc", `requests "abc": -n takes a whole number from 1`},
		{"-n 1.5", `requests "1.5": -n takes a whole number from 1`},
		{"-n 99999999999999999999", `-n takes a whole number from 1`},
		{"-n NaN", `requests "NaN": -n takes`},
		{"-c 0", `clients "0": -c takes a whole number from 1 to 100000`},
		{"--clients=-1", `clients "-1": -c takes a whole number from 1 to 100000`},
		{"-c 100001", `-c takes a whole number from 1 to 100000`},
		{"-P 0", `pipeline "0": -P takes a whole number from 1 to 100000`},
		{"-d -1", `-d takes bytes such as 100, a range such as 10-4k, or sizes with weights`},
		{"-d 0", `payload 0: -d takes 1 to 536870912 bytes`},
		{"-d 1g", `payload 1073741824: -d takes 1 to 536870912 bytes`},
		{"-d 64:80,1k:x", `-d`},
		{"--key-dist zipff", `--key-dist: unknown distribution "zipff", did you mean zipf?`},
		{"--sequential --key-dist zipf", `--sequential: --key-dist is zipf already`},
		{"--expire 60-10", `--expire: 60 to 10 seconds: the smaller one comes first`},
		{"--batch mutli", `--batch: unknown mode "mutli", did you mean multi?`},
		{"-k 2", `keep-alive "2": -k takes 1 or 0`},
		{"--precision 5", `precision "5": --precision takes a whole number from 0 to 4`},
		{"--prefill 0", `prefill "0": --prefill takes a number of keys such as 100k or 5m, or memory such as 512mb`},
		{"--prefill 5kb5", `prefill "5kb5": --prefill takes`},
		{"--prefill -1gb", `prefill "-1gb": --prefill takes`},
		{"--count 0", `count "0": --count takes a whole number from 1 to 1000`},
		{"--count 2 -l", `-l and --count both say how often`},
		{"-I -l", `-I: idle connections run no tests`},
		{"--mix set SET a b", `--mix: a command is given too`},
		{"-q 4", `command: `},
		{"-q ; ;", `command: `},
		{"-q GET a ; -n 5", `command: a word after the flags is not the name of a command`},
		{"-q SUBSCRIBE a", `"SUBSCRIBE`},
		{"--profile ../x", `profile "../x": --profile takes a name`},
		{"-r -1", `keyspace "-1": -r takes a whole number from 0 to 1000000000000`},
		{"-p 0", `port "0": -p takes a whole number from 1 to 65535`},
		{"-p 65536", `port "65536": -p takes a whole number from 1 to 65535`},
		{"-t sett,gett", `-t: unknown test "sett", did you mean set?`},
		{"--mix gett=3", `--mix: unknown test "gett", did you mean get?`},
		{"--mix set=0", `weight`},
		{"-t set --mix get", "-t and --mix both name the commands"},
		{"--duration 0", `duration "0": --duration takes a time above 0, such as 10s`},
		{"--duration ten", `duration "ten": --duration takes a time above 0`},
		{"--rate -1", `rate "-1": --rate takes requests per second`},
		{"--rps 1e10", `rate "1e10": --rate takes requests per second`},
		{"--hz 3", `hz "3": --hz takes 1, 2, 4 or 10`},
		{"--theme pink", `theme "pink": --theme takes default, mono or high-contrast`},
		{"--glyphs x", `glyphs "x": --glyphs takes auto, ascii, block or braille`},
		{"--format xml", `format "xml": --format takes text, quiet, csv`},
		{"--csv --json", "--json: the report is to be csv already"},
		{"--csv=maybe", `csv "maybe": --csv takes no value, or true or false`},
		{"--pipelin 3", "unknown flag --pipelin: did you mean --pipeline?"},
		{"--keyspcae 3", "unknown flag --keyspcae: did you mean --keyspace?"},
		{"--fsp 3", "unknown flag --fsp: did you mean --fps?"},
		{"--xyzzyx", "unknown flag --xyzzyx: fullbore --help lists the flags"},
		{"-z", "unknown flag -z: fullbore --help lists the flags"},
		{"--threads 0", `threads "0": --threads takes a whole number from 1 to 500`},
		{"--threads 501", `threads "501": --threads takes a whole number from 1 to 500`},
		{"--threads all", `threads "all": --threads takes a whole number`},
		{"--thread 2", "unknown flag --thread: did you mean --threads?"},
		{"--warmup -1", `warmup "-1": --warmup takes auto, none, or a time such as 2s or seconds as a plain number`},
		{"--warmup later", `warmup "later": --warmup takes auto, none`},
		{"--warmup 1e300", `warmup "1e300": --warmup takes auto, none`},
		{"--warm-up 1", "unknown flag --warm-up: did you mean --warmup?"},
		{"--timeout 0", `timeout "0": --timeout takes a time above 0, such as 10s`},
		{"--timeout none", `timeout "none": --timeout takes a time above 0`},
		{"--timeout", "--timeout needs a value: --timeout TIME"},
		{"--rate fast", `rate "fast": --rate takes requests per second, such as 0.5, 5000 or 50k; 0 is no limit`},
		{"--rps -1", `rate "-1": --rate takes requests per second`},
		{"--rate 2g", `rate "2g": --rate takes requests per second`},
		{"-h", "-h needs a value: -h HOST (help is --help or -?)"},
		{"--rate", "--rate needs a value: --rate N"},
		{"-h localhost:6380", "host: -h takes a host name, an IPv4 or an IPv6 address; the port goes with -p"},
		{"-h redis://localhost", "host: -h takes a host alone: a URI goes with -u"},
		{"-h [::1", "host: -h takes"},
		{"-h [example.org]", "host: -h takes"},
		{"-u localhost", "-u takes redis://user:password@host:port/db"},
		{"-u redis://a -h b", "-u and -h both name a server"},
		{"-p 1 --uri redis://a", "-u and -p both name a server"},
		{"-s /x -u redis://a", "-u and -s both name a server"},
		{"--server builtin -p 7000", "--server starts a server of its own: leave out -p"},
		{"--user joe", `user "joe": --user needs a password: give -a PASSWORD, --pass-file FILE or --askpass, or set REDISCLI_AUTH`},
		{"-u redis://:x@a -a y", "-a: the URI of -u holds a password already"},
		{"-u redis://joe:x@a --user jim", "--user: the URI of -u names a user already"},
		{"-u redis://a/2 --dbnum 3", "--dbnum: -u names another database already"},
		{"--key-prefix a*", "--key-prefix takes plain text"},
		{"-- -n", "command: a word after the flags is not the name of a command"},
		{"--=x", "an argument is not a flag"},
	} {
		var out bytes.Buffer
		e := env()
		e.Out, e.Err = &out, &out
		got, err := config.Parse(strings.Fields(c.args), e)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("fullbore %s: %v\nwant %s", c.args, err, c.want)
		}
		if got.Done || out.Len() > 0 {
			t.Errorf("fullbore %s: Done %v, printed %q", c.args, got.Done, out.String())
		}
	}
}

func TestEmptyValues(t *testing.T) {
	for _, name := range []string{"-h", "-s", "-u", "-a", "-t", "-n", "-d", "--user", "--mix", "--server", "--theme", "--duration",
		"--rate", "--warmup", "--timeout", "--threads", "--key-dist", "--expire", "--batch", "-k", "-o", "--count", "--profile"} {
		if got, err := config.Parse([]string{name, ""}, env()); err == nil {
			t.Errorf("fullbore %s '': no error, %s", name, describe(got))
		}
	}
}

func TestCalls(t *testing.T) {
	// A fresh command per call: nothing of the first call is left in the second.
	if _, err := config.Parse([]string{"-c", "7", "-q", "-a", "x"}, env()); err != nil {
		t.Fatal(err)
	}
	got, err := config.Parse(nil, config.Env{})
	if err != nil || got.Plan.Clients != 50 || got.Format != "text" || got.Target != nil {
		t.Errorf("second call: %s, target %v, %v", describe(got), got.Target, err)
	}
}

func TestFormatsAreReports(t *testing.T) {
	for _, name := range report.Formats() {
		got, err := config.Parse([]string{"--format", name}, env())
		if err != nil || got.Format != name {
			t.Errorf("--format %s: %q, %v", name, got.Format, err)
		}
	}
}

func TestMixedRunTitles(t *testing.T) {
	for args, want := range map[string]string{"--mix set": "SET", "--mix set=1,get=10": "set=1,get=10"} {
		got, err := config.Parse(strings.Fields(args), env())
		if err != nil {
			t.Fatal(err)
		}
		if runs := got.Runs(); len(runs) != 1 || runs[0].Title != want {
			t.Errorf("fullbore %s: runs %v, want one titled %s", args, runs, want)
		}
	}
}

func TestRunsHaveTheirOwnMix(t *testing.T) {
	got, err := config.Parse([]string{"-t", "set,get", "-P", "4"}, env())
	if err != nil {
		t.Fatal(err)
	}
	runs := got.Runs()
	for i, want := range []string{"set", "get"} {
		if mix := runs[i].Plan.Workload.Mix.String(); mix != want || runs[i].Plan.Pipeline != 4 {
			t.Errorf("run %d: mix %s, want %s", i, mix, want)
		}
	}
	if len(got.Plan.Workload.Mix) != 0 {
		t.Error("the base plan of tests that run one after another has a mix")
	}
}
