package config_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fullbore/config"
	"fullbore/loadgen/experiment"
	"fullbore/loadgen/launch"
)

// words are the arguments of a command line as a shell would make them.
func words(t testing.TB, line string) []string {
	t.Helper()
	args, err := launch.Split(line)
	if err != nil {
		t.Fatal(err)
	}
	return args
}

// compared is what a command line compares.
func compared(t *testing.T, line string, e config.Env) config.Config {
	t.Helper()
	c, err := config.Parse(words(t, line), e)
	if err != nil || c.Compare == nil {
		t.Fatalf("fullbore %s: %v, comparison %v", line, err, c.Compare)
	}
	return c
}

// armWords describe an arm: its label, its plan and its server.
func armWords(a config.Arm) string {
	s := fmt.Sprintf("%s: %s", a.Label, a.Plan)
	if a.Plan.Workload.RandomData {
		s += " random"
	}
	if a.Threads > 0 {
		s += fmt.Sprintf(" threads=%d", a.Threads)
	}
	if !a.Own {
		return s
	}
	if a.Target != nil {
		return s + fmt.Sprintf(" at %s/%d", a.Target, a.Target.DB)
	}
	s += fmt.Sprintf(" server<%s>", a.Server)
	if a.Replicas > 0 {
		s += fmt.Sprintf(" replicas=%d chained=%v", a.Replicas, a.Chained)
	}
	return s
}

func TestArms(t *testing.T) {
	const base = "base: set c=50 P=1 d=3 r=0"
	for _, c := range []struct{ line, want string }{
		{"P=1 P=16", "P=1: set c=50 P=1 d=3 r=0|P=16: set c=50 P=16 d=3 r=0"},
		{"-c 8 pipeline=2 base", "pipeline=2: set c=8 P=2 d=3 r=0|base: set c=8 P=1 d=3 r=0"},
		{"base '' ' '", base + "|" + base + "|" + base},
		{"P=1 P=1", "P=1: set c=50 P=1 d=3 r=0|P=1: set c=50 P=1 d=3 r=0"},
		{"'c=200 P=4' d=1k", "c=200 P=4: set c=200 P=4 d=3 r=0|d=1k: set c=50 P=1 d=1024 r=0"},
		{"c=200 P=4 vs base vs P=2 -d 9", "c=200 P=4: set c=200 P=4 d=9 r=0|base: set c=50 P=1 d=9 r=0|P=2: set c=50 P=2 d=9 r=0"},
		{"t=get 't=set batch=multi P=2'", "t=get: get c=50 P=1 d=3 r=0|t=set batch=multi P=2: set c=50 P=2 d=3 r=0 batch=multi"},
		{"mix=set=1,get=10 base", "mix=set=1,get=10: set=1,get=10 c=50 P=1 d=3 r=0|" + base},
		{"--mix get=1,set=2 t=get base", "t=get: get c=50 P=1 d=3 r=0|base: get=1,set=2 c=50 P=1 d=3 r=0"},
		{"-t set t=get mix=get,set base", "t=get: get c=50 P=1 d=3 r=0|mix=get,set: get=1,set=1 c=50 P=1 d=3 r=0|" + base},
		{"rtt=1ms --rtt 2ms rtt=0 base", "rtt=1ms: set c=50 P=1 d=3 r=0 rtt=1ms (simulated)|rtt=0: set c=50 P=1 d=3 r=0|base: set c=50 P=1 d=3 r=0 rtt=2ms (simulated)"},
		{"rate=5k rps=100 'rate=0' --rate 7", "rate=5k: set c=50 P=1 d=3 r=0 rate=5000|rps=100: set c=50 P=1 d=3 r=0 rate=100|rate=0: set c=50 P=1 d=3 r=0"},
		{"threads=4 base", "threads=4: set c=50 P=1 d=3 r=0 threads=4|base: set c=50 P=1 d=3 r=0 threads=1"},
		{"--threads 2 threads=4 base", "threads=4: set c=50 P=1 d=3 r=0 threads=4|base: set c=50 P=1 d=3 r=0 threads=2"},
		{"--threads 2 P=4 base", "P=4: set c=50 P=4 d=3 r=0|" + base},
		{"k=0 k=1 -k 0", "k=0: set c=50 P=1 d=3 r=0 reconnecting|k=1: set c=50 P=1 d=3 r=0"},
		{"random-data random-data=false --random-data", "random-data: set c=50 P=1 d=3 r=0 random|random-data=false: set c=50 P=1 d=3 r=0"},
		{"r=1k 'keyspace=1m key-dist=zipf'", "r=1k: set c=50 P=1 d=3 r=1000|keyspace=1m key-dist=zipf: set c=50 P=1 d=3 r=1000000"},
		{"-h a -p 7000 base h=b p=7001 u=redis://c/2 s=/tmp/x dbnum=3",
			base + "|h=b: set c=50 P=1 d=3 r=0 at b:7000/0|p=7001: set c=50 P=1 d=3 r=0 at a:7001/0|u=redis://c/2: set c=50 P=1 d=3 r=0 at c:6379/2" +
				"|s=/tmp/x: set c=50 P=1 d=3 r=0 at /tmp/x/0|dbnum=3: set c=50 P=1 d=3 r=0 at a:7000/3"},
		{"-u redis://a:1 h=b base", "h=b: set c=50 P=1 d=3 r=0 at b:6379/0|" + base},
		{"-s /tmp/y h=b base", "h=b: set c=50 P=1 d=3 r=0 at b:6379/0|" + base},
		{"--server redis-server h=b server=valkey-server", "h=b: set c=50 P=1 d=3 r=0 at b:6379/0|server=valkey-server: set c=50 P=1 d=3 r=0 server<valkey-server>"},
		{"-h a -a pw server=redis-server base", "server=redis-server: set c=50 P=1 d=3 r=0 server<redis-server>|" + base},
		{"P=1 P=2 -- SET k v ';' 2 GET k", "P=1: SET k v ; 2 GET k c=50 P=1 d=3 r=0|P=2: SET k v ; 2 GET k c=50 P=2 d=3 r=0"},
	} {
		got := compared(t, "compare "+c.line, env())
		var arms []string
		for _, a := range got.Compare.Arms {
			arms = append(arms, armWords(a))
			if p := a.Plan; p.Requests != 0 || p.Duration != 0 || p.Validate() != nil {
				t.Errorf("compare %s: arm %s has an end of its own, or is wrong: %v", c.line, a.Label, p.Validate())
			}
		}
		if s := strings.Join(arms, "|"); s != c.want {
			t.Errorf("compare %s\n got %s\nwant %s", c.line, s, c.want)
		}
		if got.Plan.Requests != 0 || !got.Mixed || len(got.Runs()) != 1 || got.Plan.Workload.Mix == nil {
			t.Errorf("compare %s: base %v", c.line, got.Plan)
		}
	}
}

// TestArmQuotes goes through the ways in which a server's command reaches an arm: a
// shell leaves the quotes inside and takes those around it.
func TestArmQuotes(t *testing.T) {
	for _, c := range []struct{ arm, label, server string }{
		{`server=redis-server --io-threads 2`, `server=redis-server --io-threads 2`, `redis-server --io-threads 2`},
		{`server='redis-server --io-threads 2'`, `server='redis-server --io-threads 2'`, `redis-server --io-threads 2`},
		{`server=redis-server --save "" --io-threads 2`, `server=redis-server --save "" --io-threads 2`, `redis-server --save "" --io-threads 2`},
		{`server='redis-server --save "" --io-threads 2'`, `server='redis-server --save "" --io-threads 2'`, `redis-server --save "" --io-threads 2`},
		{`server="redis-server --save ''"`, `server="redis-server --save ''"`, `redis-server --save ''`},
		{`server="redis-server --save \"\""`, `server="redis-server --save \"\""`, `redis-server --save ""`},
		{`server='/my redis/redis-server' --port 0`, `server='/my redis/redis-server' --port 0`, `'/my redis/redis-server' --port 0`},
		{`server=/my\ redis/redis-server --x`, `server=/my\ redis/redis-server --x`, `/my\ redis/redis-server --x`},
		{`server=redis-server  --a   --b=c`, `server=redis-server  --a   --b=c`, `redis-server  --a   --b=c`},
		{"server=redis-server\t--a\n--b", `server=redis-server --a --b`, "redis-server\t--a\n--b"},
		{`server=taskset -c 1 env LANG=C redis-server`, `server=taskset -c 1 env LANG=C redis-server`, `taskset -c 1 env LANG=C redis-server`},
		{`P=2 server=redis-server --port=7 base random-data`, `P=2 server=redis-server --port=7 base random-data`, `redis-server --port=7 base random-data`},
		{`server=redis-server --a P=2`, `server=redis-server --a P=2`, `redis-server --a`},
		{`server='redis-server --a P=2'`, `server='redis-server --a P=2'`, `redis-server --a P=2`},
		{`server=builtin`, `server=builtin`, `builtin`},
	} {
		got, err := config.Parse([]string{"compare", c.arm, "base"}, env())
		if err != nil {
			t.Errorf("%s: %v", c.arm, err)
			continue
		}
		if a := got.Compare.Arms[0]; !a.Own || a.Server != c.server || a.Label != c.label {
			t.Errorf("%s: server <%s> label <%s>, want <%s> <%s>", c.arm, a.Server, a.Label, c.server, c.label)
		}
	}
	got := compared(t, `compare server='redis-server --save "" --io-threads 2' replicas=1 vs 'server=redis-server replicas=2:chain' vs server=redis-server replicas=0:chain`, env())
	var replicas []string
	for _, a := range got.Compare.Arms {
		replicas = append(replicas, fmt.Sprintf("%s %d %v", a.Server, a.Replicas, a.Chained))
	}
	if s := strings.Join(replicas, "|"); s != `redis-server --save "" --io-threads 2 1 false|redis-server 2 true|redis-server 0 false` {
		t.Errorf("replicas: %s", s)
	}
	// Other values lose their quotes.
	got = compared(t, `compare "a='my pass' d='64:80,1k:15'" base`, env())
	if a := got.Compare.Arms[0]; string(a.Target.Password) != "my pass" || a.Plan.Workload.SizeText() != "64:80,1k:15" || a.Label != "a=*** d='64:80,1k:15'" {
		t.Errorf("quoted values: %s, %s", a.Label, a.Plan)
	}
}

// cases are titles, with a plus where the case says itself what is sent.
func cases(c config.Config) string {
	var titles []string
	for _, k := range c.Compare.Cases {
		if k.Mix != nil {
			k.Title += "+"
		}
		titles = append(titles, k.Title)
	}
	return strings.Join(titles, "|")
}

func TestCases(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"compare P=1 P=2", "SET"},
		{"compare -t get P=1 P=2", "GET"},
		{"compare -t incr,set,get P=1 P=2", "SET+|GET+|INCR+"},
		{"-qt get,set compare P=1 P=2", "SET+|GET+"},
		{"compare --mix set=1,get=2 P=1 P=2", "set=1,get=2"},
		{"compare --mix get P=1 P=2", "GET"},
		{"compare t=get t=set", "GET, SET"},
		{"compare -t incr t=get base t=get", "GET, INCR"},
		{"compare t=get 't=get P=2'", "GET"},
		{"compare P=1 P=2 -- HSET h f v", "HSET h f v"},
		{"compare -t set,get P=1 P=2 -- HSET h f v", "HSET h f v"}, // as without a comparison, with a remark
	} {
		for _, e := range []config.Env{env(), terminal()} {
			if got := compared(t, c.line, e); cases(got) != c.want {
				t.Errorf("fullbore %s: cases %s, want %s", c.line, cases(got), c.want)
			}
		}
	}
	all := compared(t, "compare -t ALL P=1 P=2", env())
	if n := len(all.Compare.Cases); n != len(mustParse(t, "").Tests) {
		t.Errorf("-t all: %d cases", n)
	}
}

func mustParse(t *testing.T, line string) config.Config {
	t.Helper()
	c, err := config.Parse(words(t, line), env())
	if err != nil {
		t.Fatalf("fullbore %s: %v", line, err)
	}
	return c
}

func TestRules(t *testing.T) {
	for line, want := range map[string]experiment.Rules{
		"compare base base":                                    {},
		"compare --round 300ms --settle 10ms base base":        {Round: 300 * time.Millisecond, Settle: 10 * time.Millisecond},
		"compare base base --round 60 --settle 10s":            {Round: time.Minute, Settle: 10 * time.Second},
		"compare base --pairs 8 base --practical 3%":           {Pairs: 8, Practical: 0.03},
		"--pairs 30 compare base base --practical=0.1":         {Pairs: 30, Practical: 0.001},
		"--practical 50% --seed 7 compare base base":           {Practical: 0.5, Seed: 7},
		"-qt set compare base base --practical 2.5 --seed=007": {Practical: 0.025, Seed: 7},
	} {
		got := compared(t, line, env())
		if got.Compare.Rules != want {
			t.Errorf("fullbore %s: %+v", line, got.Compare.Rules)
		}
		for _, a := range got.Compare.Arms {
			if a.Plan.Workload.Seed != want.Seed {
				t.Errorf("fullbore %s: %s has seed %d", line, a.Label, a.Plan.Workload.Seed)
			}
		}
	}
}

// TestCompareScreen holds that a comparison goes to the screen when a run would, and
// that its arms have the screen's defaults there.
func TestCompareScreen(t *testing.T) {
	for line, screen := range map[string]bool{
		"compare P=1 P=2":                  true,
		"compare -t set,get P=1 P=2":       true,
		"compare P=1 P=2 --pairs 8":        true,
		"compare P=1 P=2 -q":               false,
		"compare P=1 P=2 -o x":             false,
		"compare P=1 P=2 --format gobench": false,
		"--csv compare P=1 P=2":            false,
	} {
		got := compared(t, line, terminal())
		if got.Interactive != screen {
			t.Errorf("fullbore %s: interactive %v", line, got.Interactive)
		}
		want := "P=2: set c=50 P=2 d=3 r=0"
		if screen {
			want = "P=2: set c=50 P=2 d=64 r=100000"
		}
		arm := got.Compare.Arms[1]
		if len(got.Compare.Cases) > 1 {
			arm.Plan.Workload.Mix = compared(t, "compare base base", env()).Plan.Workload.Mix
		}
		if s := armWords(arm); s != want {
			t.Errorf("fullbore %s: %s, want %s", line, s, want)
		}
	}
	if got := compared(t, "compare P=1 P=2", env()); got.Interactive || got.Format != "text" {
		t.Errorf("without a terminal: interactive %v, format %s", got.Interactive, got.Format)
	}
	for _, format := range []string{"text", "quiet", "csv", "json", "markdown", "gobench"} {
		if got := compared(t, "compare P=1 P=2 --format "+format, env()); got.Format != format {
			t.Errorf("--format %s: %s", format, got.Format)
		}
	}
}

// TestCompareLayers holds that arms lie over the command line, that over the
// environment, and that over a profile; what only other runs have a use for is no
// error in those.
func TestCompareLayers(t *testing.T) {
	const profile = "-c 10\n-P 2 -h a\n-n 5 --duration 3 --count 2 --warmup 1\n--csv\n--pairs 12 --round 2s\n"
	e := profiled(profile, "FULLBORE_PIPELINE=3", "FULLBORE_REQUESTS=7", "FULLBORE_LOOP=true", "FULLBORE_PRACTICAL=5%", "REDISCLI_AUTH=s3cret")
	got := compared(t, "--profile nightly compare -d 9 base P=4 u=redis://b server=redis-server --round 1s", e)
	var arms []string
	for _, a := range got.Compare.Arms {
		arms = append(arms, armWords(a))
	}
	want := "base: set c=10 P=3 d=9 r=0|P=4: set c=10 P=4 d=9 r=0|u=redis://b: set c=10 P=3 d=9 r=0 at b:6379/0|server=redis-server: set c=10 P=3 d=9 r=0 server<redis-server>"
	if s := strings.Join(arms, "|"); s != want {
		t.Errorf("got %s\nwant %s", s, want)
	}
	if r := (experiment.Rules{Round: time.Second, Pairs: 12, Practical: 0.05}); got.Compare.Rules != r || got.Format != "csv" || got.Target.String() != "a:6379" {
		t.Errorf("rules %+v, format %s, target %v", got.Compare.Rules, got.Format, got.Target)
	}
	if p := got.Compare.Arms[2].Target.Password; string(p) != "s3cret" {
		t.Error("the password of the environment did not reach an arm's server")
	}
	// A profile with rules of comparisons serves other runs too.
	if c, err := config.Parse([]string{"--profile", "nightly"}, profiled("--pairs 12\n-c 3")); err != nil || c.Plan.Clients != 3 {
		t.Errorf("--pairs in a profile of a run: %v", err)
	}
}

// TestCommandsStayCommands: what looks like a subcommand and is none is sent.
func TestCommandsStayCommands(t *testing.T) {
	for line, want := range map[string]string{
		"SET compare x":        "SET compare x",
		"-- compare P=1 P=2":   "compare P=1 P=2",
		"-q -- compare P=1":    "compare P=1",
		"help x":               "help x",
		"help compare x":       "help compare x",
		"-h compare GET x":     "GET x",
		"-q COMPARE a b":       "COMPARE a b",
		"-c 5 SET -x compare":  "SET -x compare",
		"man compare":          "man compare",
		"-a compare -q SET a":  "SET a",
		"comparer -q":          "comparer -q",
		"-t set 'compare ' P1": "",
	} {
		c, err := config.Parse(words(t, line), env())
		if want == "" {
			if err == nil {
				t.Errorf("fullbore %s: no error", line)
			}
			continue
		}
		if err != nil || c.Compare != nil || c.Plan.Workload.Mix.String() != want {
			t.Errorf("fullbore %s: %v, sends %v", line, err, c.Plan.Workload.Mix)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "0s": 0, "0ms": 0, "1ms": time.Millisecond, "0.5ms": 500 * time.Microsecond, "10s": 10 * time.Second, "10": 10 * time.Second, "0.25": 250 * time.Millisecond,
	} {
		if c, err := config.Parse([]string{"--rtt", text}, env()); err != nil || c.Plan.RTT != want {
			t.Errorf("--rtt %s: %v, %v", text, c.Plan.RTT, err)
		}
	}
	for _, text := range []string{"", "x", "-1ms", "11s", "1ms,2ms"} {
		_, err := config.Parse([]string{"--rtt=" + text}, env())
		if want := fmt.Sprintf("rtt %q: --rtt takes 0 for none, or a time up to 10s such as 1ms", text); err == nil || err.Error() != want {
			t.Errorf("--rtt=%s: %v", text, err)
		}
	}
}
