package main_test

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
)

// scene is one row of the fault suite: a server in some state, what happens to it
// during the run, and what the program owes its user then.
type scene struct {
	name   string
	server []string                                 // options of a redis-server of its own
	stub   func(t testing.TB) *redistest.StubServer // in its place
	before func(t testing.TB, s *redistest.Server)  // puts it into its state
	env    []string
	args   []string // beside the port and --json
	during func(t testing.TB, s *redistest.Server, p *process)
	code   int

	says   []string // in what is printed, warnings included
	silent []string // and what is nowhere in it
	check  func(t testing.TB, s *redistest.Server, r result)

	after    func(t testing.TB, s *redistest.Server) // makes it answer again, to be looked at
	blind    bool                                    // nor does it answer before the run
	command  string                                  // of the load, whose count at the server must agree; "" = the server does not survive
	idle     bool                                    // the load must not begin
	hidden   bool                                    // the server's commands have the names of hide
	keeps    int64                                   // keys that may be left
	restarts bool                                    // the server's counts are those since it began anew
}

// hide are options that take commands away from whoever does not know their new names.
func hide(names ...string) []string {
	var options []string
	for _, name := range names {
		options = append(options, "--rename-command", name, "hidden-"+name)
	}
	return options
}

// ask is Try for a server whose commands may be hidden.
func (c scene) ask(t testing.TB, s *redistest.Server, command string, args ...any) any {
	t.Helper()
	if c.hidden {
		command = "hidden-" + command
	}
	return s.Do(t, command, args...)
}

// counted is how often the server was asked for the load's command: what it executed
// and what it refused.
func (c scene) counted(t testing.TB, s *redistest.Server) (n int64) {
	t.Helper()
	if c.command == "" {
		return 0
	}
	text := string(c.ask(t, s, "INFO", "commandstats").([]byte))
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "cmdstat_"+c.command+":")
		if !ok {
			continue
		}
		for field := range strings.SplitSeq(strings.TrimSpace(rest), ",") {
			name, value, _ := strings.Cut(field, "=")
			if v, err := strconv.ParseInt(value, 10, 64); err == nil && (name == "calls" || name == "rejected_calls") {
				n += v
			}
		}
	}
	return n
}

func (c scene) keys(t testing.TB, s *redistest.Server) int64 {
	t.Helper()
	return c.ask(t, s, "DBSIZE").(int64)
}

// atOnce is how many rows run at a time: most of them wait most of the time, on a
// machine with few processors too, which is why t.Parallel is not asked.
const atOnce = 6

func scenes(t *testing.T, rows []scene) {
	t.Helper()
	places := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for _, c := range rows {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			t.Run(c.name, c.run)
		})
	}
	all.Wait()
}

func (c scene) run(t *testing.T) {
	var s *redistest.Server
	var before, keys int64
	number := ""
	if c.stub != nil {
		number = strconv.Itoa(c.stub(t).Port)
	} else {
		s = redistest.Start(t, c.server...)
		number = port(s)
		if c.before != nil {
			c.before(t, s)
		}
		if !c.blind {
			before, keys = c.counted(t, s), c.keys(t, s)
		}
	}
	args := append([]string{"-p", number, "--json"}, c.args...)
	begun := time.Now()
	p := start(t, c.env, args...)
	if c.during != nil {
		c.during(t, s, p)
	}
	o := p.wait(t)
	t.Logf("%v\n%s%s", time.Since(begun).Round(time.Millisecond), brief(o.stdout), o.stderr)
	if o.code != c.code {
		t.Errorf("exit code %d, want %d", o.code, c.code)
	}
	c.judge(t, s, o)
	if c.after != nil {
		c.after(t, s)
	}
	if s == nil || c.command == "" && c.restarts {
		return
	}
	if left := c.keys(t, s); left > keys+c.keeps {
		t.Errorf("%d keys left, want the %d of before", left, keys)
	}
	if o.stdout == "" || c.command == "" {
		return
	}
	if c.restarts {
		before = 0
	}
	r := only(t, o.stdout)
	if served := c.counted(t, s) - before; served > r.Requests+r.Lost || served < r.Requests && !c.restarts {
		t.Errorf("the server was asked %d times; reported %d and %d lost", served, r.Requests, r.Lost)
	}
}

// judge holds what was printed against the row.
func (c scene) judge(t testing.TB, s *redistest.Server, o outcome) {
	t.Helper()
	all := o.stderr
	if c.idle != (o.stdout == "") {
		t.Fatalf("load began: %v, want %v", !c.idle, o.stdout != "")
	}
	if c.idle && strings.Count(o.stderr, "\n") != 1 {
		t.Errorf("want one line: %q", o.stderr)
	}
	if !c.idle {
		r := only(t, o.stdout)
		all += words(r)
		if c.check != nil {
			c.check(t, s, r)
		}
		if r.Requests < r.Errors.Total {
			t.Errorf("%d errors of %d requests", r.Errors.Total, r.Requests)
		}
	}
	for _, want := range c.says {
		if !strings.Contains(all, want) {
			t.Errorf("nothing says %q:\n%s", want, all)
		}
	}
	for _, no := range c.silent {
		if strings.Contains(all, no) {
			t.Errorf("%q is said:\n%s", no, all)
		}
	}
}

// words is what a result says in sentences.
func words(r result) string {
	lines := append([]string{r.Reason}, r.Warnings...)
	for _, f := range r.Faults {
		lines = append(lines, fmt.Sprintf("%s %s: %s", f.Class, f.Code, f.Text))
	}
	for code := range r.Errors.ByCode {
		lines = append(lines, "errors "+code)
	}
	return strings.Join(append(lines, r.Errors.FirstText), "\n")
}

// brief is the end of a report, for logs.
func brief(report string) string {
	if at := strings.Index(report, `"errors":`); at > 0 {
		report = report[at:]
	}
	head, _, _ := strings.Cut(report, `"series"`)
	return head + "\n"
}

// counts checks a result's figures; -1 is any number above zero.
func counts(requests, errors, lost int64) func(testing.TB, *redistest.Server, result) {
	agrees := func(got, want int64) bool { return got == want || want < 0 && got > 0 }
	return func(t testing.TB, _ *redistest.Server, r result) {
		t.Helper()
		if !agrees(r.Requests, requests) || !agrees(r.Errors.Total, errors) || !agrees(r.Lost, lost) {
			t.Errorf("requests %d, errors %d, lost %d; want %d, %d, %d (-1: some)", r.Requests, r.Errors.Total, r.Lost, requests, errors, lost)
		}
	}
}

// user gives the server an ACL user "joe", password "secret".
func user(rules ...any) func(testing.TB, *redistest.Server) {
	return func(t testing.TB, s *redistest.Server) {
		t.Helper()
		s.Do(t, "ACL", append([]any{"SETUSER", "joe", "on", ">secret"}, rules...)...)
	}
}

func joe(more ...string) []string { return append([]string{"--user", "joe", "-a", "secret"}, more...) }

// few is a counted load of one command.
func few(test string, more ...string) []string {
	return append([]string{"-t", test, "-n", "1003", "-c", "7", "-P", "5"}, more...)
}

const secretPassword = "p@s:s/w#o%r?d+= x"

// TestRefusals: CASES C20 to C27. Whatever optional command a server keeps from its
// clients, the load runs, and each refusal is met once.
func TestRefusals(t *testing.T) {
	everything := []string{"CONFIG", "INFO", "HELLO", "SELECT", "CLIENT", "COMMAND", "DBSIZE", "SCAN", "UNLINK", "ECHO", "PING"}
	known := func(t testing.TB, s *redistest.Server, r result) {
		t.Helper()
		counts(1003, 0, 0)(t, s, r)
	}
	scenes(t, []scene{
		{name: "C20 no CONFIG", server: []string{"--rename-command", "CONFIG", ""}, args: few("set"), command: "set", check: known},
		{name: "C20 a user without CONFIG", before: user("allkeys", "+@all", "-config"), args: joe(few("set")...), command: "set", check: known},
		{name: "C20 a user without CONFIG GET alone", before: user("allkeys", "+@all", "-config|get"), args: joe(few("set")...), command: "set", check: known},
		{name: "C21 no INFO", server: []string{"--rename-command", "INFO", "hidden-INFO", "--rename-command", "DBSIZE", "hidden-DBSIZE"}, hidden: true, args: few("set"), command: "set", check: known},
		{name: "C21 NOINFO stub", stub: redistest.NoInfo, args: few("set"), check: known, says: []string{"removed"}},
		{name: "C21 a user with GET, SET and PING", before: user("-@all", "+get", "+set", "+ping", "~bench:*"),
			args: joe(few("set", "--key-prefix", "bench:")...), command: "set", keeps: 1, says: []string{`1 key under "bench:" may be left`, "NOPERM"}, check: known},
		{name: "C21 a user with GET and SET alone", before: user("-@all", "+get", "+set", "~bench:*"),
			args: joe(few("get", "--key-prefix", "bench:", "-r", "300")...), command: "get", keeps: 300, says: []string{`300 keys under "bench:" may be left`}, check: known},
		{name: "C21 and DEL", before: user("-@all", "+get", "+set", "+del", "~bench:*"),
			args: joe(few("get", "--key-prefix", "bench:", "-r", "3000")...), says: []string{`3000 keys under "bench:" removed`}, silent: []string{"may be left"}, command: "get"},
		{name: "C21 and UNLINK, and a list", before: user("-@all", "+rpush", "+set", "+unlink", "~bench:*"),
			args: joe(few("rpush", "--key-prefix", "bench:")...), command: "rpush", says: []string{`1 key under "bench:" removed`}},
		{name: "everything is hidden at once", server: hide(everything...), hidden: true, args: few("get", "-r", "500"), command: "get", check: known,
			says: []string{`500 keys under "fullbore:" removed`}},
		{name: "C26 no HELLO", server: hide("HELLO"), args: few("set"), command: "set", check: known},
		{name: "C26 no HELLO, AUTH alone", server: append(hide("HELLO"), "--requirepass", "secret"), args: few("set", "-a", "secret"), check: known},
		{name: "C27 db 99", args: few("set", "--dbnum", "99"), code: 1, idle: true, says: []string{"DB index is out of range", "--dbnum"}},
		{name: "C27 db 1 of a cluster", server: []string{"--cluster-enabled", "yes"}, args: few("set", "--dbnum", "1"), code: 1, idle: true, says: []string{"SELECT is not allowed in cluster mode", "--dbnum"}},
		{name: "C27 db 1 without SELECT", server: hide("SELECT"), args: few("set", "--dbnum", "1"), code: 1, idle: true, says: []string{"SELECT 1 at", "unknown command"}},
		{name: "C27 db 1 that the user may not select", before: user("allkeys", "+@all", "-select"), args: joe(few("set", "--dbnum", "1")...), code: 1, idle: true, says: []string{"NOPERM", "--user"}},
		{name: "C27 db 0 sends no SELECT", args: few("set", "--dbnum", "0"), command: "set", check: func(t testing.TB, s *redistest.Server, r result) {
			if n := s.Calls(t, "select"); n != 0 {
				t.Errorf("%d times SELECT", n)
			}
		}},
	})
}

// TestLoadConnectionsSendTheLoadAlone: AUTH and SELECT if asked, the workload, and
// nothing else; what is optional is asked for once.
func TestLoadConnectionsSendTheLoadAlone(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, "--requirepass", "secret")
	before := map[string]int64{}
	quiet := []string{"echo", "ping", "hello", "client|setname", "client|setinfo", "command", "command|docs"}
	for _, name := range quiet {
		before[name] = s.Calls(t, name)
	}
	auth := s.Calls(t, "auth")
	only(t, fullbore(t, append(few("set", "-c", "40", "--dbnum", "2", "--json"), "-p", port(s), "-a", "secret")...).want(t, 0).stdout)
	for _, name := range quiet {
		if n := s.Calls(t, name) - before[name]; n != 0 {
			t.Errorf("%d times %s", n, name)
		}
	}
	if n := s.Calls(t, "select"); n < 40 || n > 45 {
		t.Errorf("%d times SELECT for 40 clients and the connections beside them", n)
	}
	if n := s.Calls(t, "auth") - auth; n < 40 || n > 60 { // those of this test's own questions too
		t.Errorf("%d times AUTH for 40 clients and the connections beside them", n)
	}
	if n := s.Calls(t, "info"); n > 60 {
		t.Errorf("%d times INFO", n)
	}
}

// TestCredentials: CASES C22 and C23.
func TestCredentials(t *testing.T) {
	locked := []string{"--requirepass", "sesame"}
	odd := []string{"--requirepass", secretPassword}
	const escaped = "p%40s%3As%2Fw%23o%25r%3Fd%2B%3D%20x"
	served := func(t testing.TB, s *redistest.Server, r result) { t.Helper(); counts(1003, 0, 0)(t, s, r) }
	off := func(t testing.TB, s *redistest.Server) {
		s.Do(t, "ACL", "SETUSER", "joe", "off", ">secret", "allkeys", "+@all")
	}
	scenes(t, []scene{
		{name: "C22 none", server: locked, args: few("set"), code: 1, idle: true, restarts: true, says: []string{"NOAUTH", "-a"}},
		{name: "C22 wrong", server: locked, args: few("set", "-a", "open barley"), code: 1, idle: true, restarts: true, says: []string{"WRONGPASS", "-a"}, silent: []string{"barley"}},
		{name: "C22 right", server: locked, args: few("get", "-a", "sesame", "-r", "100"), command: "get", check: served},
		{name: "C22 user and password", before: user("allkeys", "+@all"), args: joe(few("get", "-r", "100")...), command: "get", check: served},
		{name: "C22 for a server without one", args: few("set", "-a", "sesame"), code: 1, idle: true, says: []string{"AUTH", "leave out -a"}},
		{name: "C22 a user that is off", before: off, args: joe(few("set")...), code: 1, idle: true, says: []string{"WRONGPASS"}},
		{name: "C22 wrong, from the environment", server: locked, env: []string{"REDISCLI_AUTH=open barley"}, args: few("set"), code: 1, idle: true, restarts: true, says: []string{"WRONGPASS", "REDISCLI_AUTH"}, silent: []string{"barley"}},
		{name: "C23 flag", server: odd, args: few("set", "-a", secretPassword), command: "set", check: served, silent: []string{"s:s/w"}},
		{name: "C23 environment", server: odd, env: []string{"REDISCLI_AUTH=" + secretPassword}, args: few("set"), command: "set", check: served, silent: []string{"s:s/w"}},
	})
	for _, c := range []struct {
		name, uri string
		code      int
		says      string
	}{
		{"C23 URI", "redis://:" + escaped + "@%s", 0, ""},
		{"C23 URI with a user", "redis://default:" + escaped + "@%s/0", 0, ""},
		{"C23 URI, raw", "redis://:" + secretPassword + "@%s", 2, "percent"},
		{"C23 URI, encoded twice", "redis://:" + strings.ReplaceAll(escaped, "%", "%25") + "@%s", 1, "WRONGPASS"},
		{"C23 URI, another alphabet", "redis://:%%C3%%BC%%26%%22@%s", 1, "WRONGPASS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := redistest.Start(t, odd...)
			uri := strings.Replace(strings.ReplaceAll(c.uri, "%%", "%"), "@%s", "@"+s.Addr, 1)
			o := fullbore(t, append(few("set", "--json"), "-u", uri)...).want(t, c.code)
			if !strings.Contains(o.stderr, c.says) || strings.Contains(o.stderr+o.stdout, "s:s/w") || strings.Contains(o.stderr+o.stdout, "p%40s") {
				t.Errorf("want %q and no password: %s", c.says, o.stderr)
			}
			if c.code == 0 && only(t, o.stdout).Requests != 1003 {
				t.Errorf("%s", o.stdout)
			}
			if n := s.DBSize(t); n != 0 {
				t.Errorf("%d keys left", n)
			}
		})
	}
}

// lasting is a load that goes on for a while.
func lasting(test, duration string, more ...string) []string {
	return append([]string{"-t", test, "--duration", duration, "--warmup", "none", "-c", "10", "-P", "4", "-r", "1000"}, more...)
}

// after runs f once the load has begun, and some time later.
func later(test string, rest time.Duration, f func(t testing.TB, s *redistest.Server)) func(testing.TB, *redistest.Server, *process) {
	return func(t testing.TB, s *redistest.Server, _ *process) {
		t.Helper()
		running(t, s, test)
		time.Sleep(rest)
		f(t, s)
	}
}

// gap checks that the time line shows a hole of this length at least, and that no
// latency is as long.
func gap(least time.Duration) func(testing.TB, *redistest.Server, result) {
	return func(t testing.TB, _ *redistest.Server, r result) {
		t.Helper()
		if r.Longest < float64(least.Milliseconds()) {
			t.Errorf("longest gap %v ms, want %v", r.Longest, least)
		}
		if most := r.Latency["max"]; most == nil || *most >= float64(least.Milliseconds()) {
			t.Errorf("max latency %s ms with a gap of %v", show(most), least)
		}
	}
}

// all checks several things.
func all(checks ...func(testing.TB, *redistest.Server, result)) func(testing.TB, *redistest.Server, result) {
	return func(t testing.TB, s *redistest.Server, r result) {
		t.Helper()
		for _, check := range checks {
			check(t, s, r)
		}
	}
}

// within checks how long was measured: the run ends on time, whatever happens.
func within(seconds float64) func(testing.TB, *redistest.Server, result) {
	return func(t testing.TB, _ *redistest.Server, r result) {
		t.Helper()
		if r.Seconds < seconds-.2 || r.Seconds > seconds+1 {
			t.Errorf("%v s measured, want %v", r.Seconds, seconds)
		}
	}
}

// killLoad closes every connection but its own, by CLIENT KILL.
func killLoad(t testing.TB, s *redistest.Server) {
	t.Helper()
	s.Do(t, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
}

// fillUp takes every place that the server has.
func fillUp(t testing.TB, s *redistest.Server) (holders []net.Conn) {
	t.Helper()
	s.Do(t, "CONFIG", "SET", "maxclients", 3)
	for range 3 {
		c, err := net.Dial("tcp", s.Addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		holders = append(holders, c)
	}
	return holders
}

func restart(t testing.TB, s *redistest.Server) { s.Restart(t) }
func kill(t testing.TB, s *redistest.Server)    { s.Kill() }
func pause(t testing.TB, s *redistest.Server)   { s.Pause() }

// TestFaults: CASES C35 and what the issue adds to it.
func TestFaults(t *testing.T) {
	some := counts(-1, 0, -1)
	scenes(t, []scene{
		{name: "C35 nothing listens", stub: nobody, args: few("set"), code: 1, idle: true, says: []string{"connection refused", "is a server running there"}},
		{name: "C35 kill -9", args: lasting("set", "3s"), during: later("set", time.Second/2, kill), code: 1, restarts: true,
			check: all(some, within(3)), says: []string{"lost ", "dial refused", "may be left"}},
		{name: "kill -9 of a counted load", args: []string{"-t", "set", "-n", "50m", "--timeout", "1s"}, during: later("set", 0, kill), code: 1, restarts: true,
			check: func(t testing.TB, s *redistest.Server, r result) {
				some(t, s, r)
				if !r.Partial {
					t.Error("not partial")
				}
			}, says: []string{"no connection to the server"}},
		{name: "C35 CLIENT KILL", args: lasting("set", "2s"), during: later("set", 0, killLoad), code: 1, command: "set", check: all(some, within(2)), says: []string{"lost "}},
		{name: "CLIENT KILL again and again", args: lasting("get", "2s"), code: 1, command: "get", check: all(some, within(2)),
			during: later("get", 0, func(t testing.TB, s *redistest.Server) {
				for range 10 {
					killLoad(t, s)
					time.Sleep(50 * time.Millisecond)
				}
			})},
		{name: "CLIENT KILL of a counted load", args: []string{"-t", "incr", "-n", "200k", "-c", "10", "-P", "4"}, during: later("incr", 0, killLoad), code: 1, command: "incr",
			check: func(t testing.TB, s *redistest.Server, r result) {
				if r.Requests+r.Lost != 200_000 || r.Lost == 0 || r.Partial {
					t.Errorf("requests %d, lost %d, partial %v; want 200000 together", r.Requests, r.Lost, r.Partial)
				}
			}},
		{name: "C35 restart after 2 s", args: lasting("set", "4s"), code: 1, command: "set", restarts: true, check: all(some, within(4), gap(1900*time.Millisecond)),
			during: later("set", 0, func(t testing.TB, s *redistest.Server) {
				s.Kill()
				time.Sleep(2 * time.Second)
				s.Restart(t)
			}), says: []string{"dial refused", "the server began anew"}},
		{name: "restarted empty under reads", args: lasting("get", "3s"), during: later("get", 0, restart), code: 1, command: "get", restarts: true, check: all(some, within(3)),
			says: []string{"hit rate", "the server began anew", "reads miss"}},
		{name: "C35 MUTE", stub: func(t testing.TB) *redistest.StubServer { return redistest.Mute(t, 200) }, args: lasting("set", "3s", "--timeout", "500ms"), code: 1, check: all(some, within(3)), says: []string{"no reply for 500ms"}},
		{name: "MUTE from the first reply on, counted", stub: func(t testing.TB) *redistest.StubServer { return redistest.Mute(t, 0) }, args: []string{"-t", "ping", "-n", "1000"}, code: 1, idle: true, says: []string{"no answer within the time limit"}},
		{name: "MUTE after the first look, counted", stub: func(t testing.TB) *redistest.StubServer { return redistest.Mute(t, 9) }, args: []string{"-t", "ping_mbulk", "-n", "1000", "--timeout", "300ms"}, code: 1, check: some, says: []string{"no reply for 300ms"}},
		{name: "SIGSTOP for ever of a counted load", args: []string{"-t", "set", "-n", "50m", "--timeout", "500ms"}, during: later("set", 0, pause), code: 1, restarts: true,
			check: some, says: []string{"timeout timeout", "the server answers on no connection", "may be left"}},
		{name: "C35 SIGSTOP for ever", args: lasting("set", "3s", "--timeout", "1s"), during: later("set", time.Second/2, pause), code: 1, restarts: true,
			check: all(some, within(3), gap(time.Second)), says: []string{"timeout timeout", "may be left"}},
		{name: "SIGSTOP and SIGCONT", args: lasting("set", "3s"), code: 0, command: "set", check: within(3),
			during: later("set", 0, func(t testing.TB, s *redistest.Server) {
				s.Pause()
				time.Sleep(time.Second)
				s.Resume()
			}), silent: []string{"lost"}},
		{name: "CLIENT PAUSE", args: lasting("set", "3s"), code: 0, command: "set", check: within(3),
			during: later("set", 0, func(t testing.TB, s *redistest.Server) { s.Do(t, "CLIENT", "PAUSE", 700, "WRITE") })},
		{name: "a black hole", stub: func(t testing.TB) *redistest.StubServer { return redistest.BlackHole(t) }, args: few("set"), code: 1, idle: true, says: []string{"no answer within the time limit"}},
		{name: "half a reply and then silence", stub: func(t testing.TB) *redistest.StubServer { return redistest.Half(t, 50, false) }, args: lasting("get", "2s", "--timeout", "300ms", "-r", "0"), code: 1, check: all(some, within(2)), says: []string{"no reply for 300ms"}},
		{name: "half a reply and then the end", stub: func(t testing.TB) *redistest.StubServer { return redistest.Half(t, 50, true) }, args: lasting("get", "1s", "-r", "0"), code: 1, check: all(some, within(1)), says: []string{"inside a reply"}},
		{name: "half a reply to the first question", stub: func(t testing.TB) *redistest.StubServer { return redistest.Half(t, 0, true) }, args: few("set"), code: 1, idle: true, says: []string{"inside a reply"}},
		{name: "reset", stub: func(t testing.TB) *redistest.StubServer { return redistest.Reset(t, 50) }, args: lasting("set", "1s"), code: 1, check: all(some, within(1)), says: []string{"lost reset"}},
		{name: "reset at the first question", stub: func(t testing.TB) *redistest.StubServer { return redistest.Reset(t, 0) }, args: few("set"), code: 1, idle: true, says: []string{"connection reset"}},
		{name: "garbage", stub: func(t testing.TB) *redistest.StubServer { return redistest.Garbage(t, 50) }, args: lasting("set", "1s"), code: 1, check: all(some, within(1)), says: []string{"not a reply"}},
		{name: "one reply too few", stub: func(t testing.TB) *redistest.StubServer { return redistest.Short(t, 50) }, args: lasting("set", "2s", "--timeout", "300ms"), code: 1, check: all(some, within(2)), says: []string{"no reply for 300ms"}},
		{name: "a web server", stub: func(t testing.TB) *redistest.StubServer {
			return redistest.Raw(t, []byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
		}, args: few("set"), code: 1, idle: true, says: []string{"not a Redis server", "this is a web server"}},
		{name: "a mail server", stub: func(t testing.TB) *redistest.StubServer { return redistest.Banner(t, "220 mail ESMTP\r\n") }, args: few("set"), code: 1, idle: true, says: []string{"this is a mail or file server"}},
		{name: "one that hangs up", stub: func(t testing.TB) *redistest.StubServer { return redistest.Hangup(t) }, args: few("set"), code: 1, idle: true, says: []string{"closed"}},
		{name: "slow", stub: func(t testing.TB) *redistest.StubServer { return redistest.Slow(t, 5*time.Millisecond) }, args: []string{"-t", "set", "-c", "2", "-P", "5", "-n", "103"}, check: counts(103, 0, 0)},
		{name: "slower than --timeout", stub: func(t testing.TB) *redistest.StubServer { return redistest.Slow(t, 150*time.Millisecond) }, args: lasting("set", "1s", "-c", "2", "-P", "2", "--timeout", "100ms"), code: 1, check: within(1), says: []string{"no reply for 100ms"}},
		{name: "C37 BLOCK", stub: redistest.Block, args: []string{"-n", "3200", "-c", "2", "-P", "800", "-d", "16k", "ECHO", "__data__"}, check: counts(3200, 0, 0)},
		{name: "C37 BLOCK, a large value", stub: redistest.Block, args: []string{"-t", "set", "-n", "20", "-c", "2", "-P", "10", "-d", "4m"}, check: counts(20, 0, 0)},
	})
}

// nobody is a port on which nobody listens.
func nobody(t testing.TB) *redistest.StubServer {
	t.Helper()
	n, err := strconv.Atoi(idlePort(t))
	if err != nil {
		t.Fatal(err)
	}
	return &redistest.StubServer{Port: n}
}
