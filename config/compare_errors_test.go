package config_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"fullbore/config"
	"fullbore/loadgen/launch"
)

// TestCompareErrors holds what a wrong comparison says, all of it usage (M29).
func TestCompareErrors(t *testing.T) {
	const form = "an arm is written NAME=VALUE, such as P=16 or 'c=200 P=4', values with blanks in quotes; base is the command line's own setting, and a command to send goes after --"
	for _, c := range []struct{ line, want string }{
		{"", "no arms: name two to six settings, such as P=1 P=16, or base 'c=200 P=4'"},
		{"P=1", "one arm only: name what it is compared with too, such as base for the command line's own setting"},
		{"P=1 -- GET a", "one arm only: name what it is compared with too, such as base for the command line's own setting"},
		{"base P=1 P=2 P=3 P=4 P=5 P=6", "7 arms: compare takes 2 to 6; blanks within an arm are quoted, as in 'c=200 P=4', or arms are separated by vs"},
		{"P=1 vs", "vs stands between two arms; the command line's own setting is base, as in base vs P=16"},
		{"vs P=1", "vs stands between two arms; the command line's own setting is base, as in base vs P=16"},
		{"P=1 vs vs P=2", "vs stands between two arms; the command line's own setting is base, as in base vs P=16"},
		// forms
		{"P=1 16", "arm 2: " + form},
		{"P=1 P=2 SET k", "arm 3: " + form},
		{"base 'base P=2'", "arm 2: " + form},
		{"P=1 'P=2 4'", "arm 2: " + form},
		{"P=1 =2", "arm 2: " + form},
		{"P=1 P", "arm 2: P needs a value: P=VALUE"},
		{"P=1 'P=2 pipeline=3'", "arm 2: pipeline= is given twice"},
		{`P=1 "a='x"`, "arm 2: a quote is not closed"},
		{`P=1 'a=x\'`, "arm 2: it ends with a backslash"},
		// names
		{"P=1 cleints=5", "arm 2: unknown name cleints=: did you mean clients=?"},
		{"P=1 C=5", "arm 2: unknown name C=: did you mean c=?"},
		{"P=1 Clients=5", "arm 2: unknown name Clients=: did you mean clients=?"},
		{"P=1 replica=1", "arm 2: unknown name replica=: did you mean replicas=?"},
		{"P=1 zzzzzzzzzzzz=1", "arm 2: unknown name zzzzzzzzzzzz=: names are those of the flags, such as c, P, d, t, rate, rtt, batch, u or server; see fullbore --help"},
		{"P=1 'server=redis-server hosst=b'", "arm 2: unknown name hosst= after server=: did you mean host=? If the command has such a word, quote the whole command"},
		// values, judged by the table of flags
		{"P=1 P=x", `arm 2 "P=x": pipeline "x": -P takes a whole number from 1 to 100000, such as 100, 10k or 1e4`},
		{"P= P=1", `arm 1 "P=": pipeline "": -P takes a whole number from 1 to 100000, such as 100, 10k or 1e4`},
		{"P=1 rtt=11s", `arm 2 "rtt=11s": rtt "11s": --rtt takes 0 for none, or a time up to 10s such as 1ms`},
		{"P=1 h=a:1", `arm 2 "h=***": host: -h takes a host name, an IPv4 or an IPv6 address; the port goes with -p, such as -h ::1 -p 7000`},
		{"P=1 user=joe", `arm 2 "user=joe": user "joe": --user needs a password: give -a PASSWORD, --pass-file FILE or --askpass, or set REDISCLI_AUTH`},
		{"P=1 'h=a u=redis://b'", `arm 2 "h=a u=redis://b": -u and -h both name a server: give one of them, such as -u redis://host:6379 or -h host -p 6379`},
		{"P=1 'server=redis-server h=b'", `arm 2 "server=redis-server h=b": --server starts a server of its own: leave out -h`},
		{"P=1 server=", `arm 2 "server=": server "": --server takes builtin or a command, such as 'redis-server --io-threads 2'`},
		// what arms cannot differ in
		{"P=1 n=5", `arm 2 "n=5": n=: arms cannot differ in it: it has no effect here: a comparison ends when it is decided; --round sets the length of a round, --pairs the most pairs`},
		{"P=1 I", `arm 2 "I": I=: arms cannot differ in it: it has no effect here: idle connections have no speed to compare`},
		{"P=1 format=csv", `arm 2 "format=csv": format=: arms cannot differ in it: it is not part of the load: give it on the command line`},
		{"P=1 yes", `arm 2 "yes": yes=: arms cannot differ in it: it is not part of the load: give it on the command line`},
		{"P=1 profile=x", `arm 2 "profile=x": profile=: arms cannot differ in it: it is not part of the load: give it on the command line`},
		{"P=1 round=2s", `arm 2 "round=2s": round=: arms cannot differ in it: the rules are the same for all arms: give it on the command line`},
		{"P=1 seed=5", `arm 2 "seed=5": seed=: arms cannot differ in it: all arms send the same bytes, and one order of rounds is drawn for all: give it on the command line`},
		{"P=1 key-prefix=a:", `arm 2 "key-prefix=a:": key-prefix=: arms cannot differ in it: the keys of all arms are found, and removed, together: give it on the command line`},
		{"P=1 x", `arm 2 "x": x=: arms cannot differ in it: stdin can be read once only: give it on the command line, for all arms`},
		{"P=1 prefill=5", `arm 2 "prefill=5": prefill= fills a server that the other arms use too: give --prefill on the command line, or the arm a server of its own`},
		// replicas
		{"P=1 replicas=1", `arm 2 "replicas=1": replicas= needs a server= in the same arm: quote the whole arm, as in "server='redis-server' replicas=1", or separate arms by vs`},
		{"P=1 'server=redis-server replicas=9'", `arm 2 "server=redis-server replicas=9": replicas= takes 0 to 8, such as replicas=2, or replicas=2:chain where each follows the one before`},
		{"P=1 'server=redis-server replicas=1:tree'", `arm 2 "server=redis-server replicas=1:tree": replicas= takes 0 to 8, such as replicas=2, or replicas=2:chain where each follows the one before`},
		{"P=1 'server=Builtin replicas=1'", `arm 2 "server=Builtin replicas=1": replicas=: the built-in server has none; give a command such as server='redis-server' replicas=1`},
		// what is sent
		{"-t set,get P=1 t=get", `arm 2 "t=get": it names what it sends, and -t names 2 tests for all arms: give one of them`},
		{"P=1 mix=get -- SET a b", `arm 2 "mix=get": it names what it sends, and the command after -- is for all arms: give one of them`},
		{"P=1 t=set,get", `arm 2 "t=set,get": t= names 2 tests, and an arm sends one: give a mix such as mix=set=1,get=10, or -t for all arms`},
		{"P=1 'mix=set t=get'", `arm 2 "mix=set t=get": -t and --mix both name the commands: give -t set,get for one test after another, or --mix set=1,get=10`},
		// flags of runs
		{"-n 5 P=1 P=2", "-n has no effect here: a comparison ends when it is decided; --round sets the length of a round, --pairs the most pairs"},
		{"P=1 P=2 --duration 5", "--duration has no effect here: a comparison ends when it is decided; --round sets the length of a round, --pairs the most pairs"},
		{"P=1 --count 5 P=2", "--count has no effect here: every arm is measured in 8 to 30 rounds; --pairs sets the most"},
		{"P=1 P=2 -l", "-l has no effect here: a comparison ends when it is decided"},
		{"P=1 P=2 -I", "-I has no effect here: idle connections have no speed to compare"},
		{"P=1 P=2 --warmup 1", "--warmup has no effect here: the first rounds are thrown away, and --settle is set apart before each of the others"},
		{"P=1 P=2 --format hgrm", `format "hgrm": of a comparison --format takes text, quiet, csv, json, markdown, gobench`},
	} {
		_, err := config.Parse(words(t, "compare "+c.line), env())
		if err == nil || err.Error() != "compare: "+c.want {
			t.Errorf("compare %s\n got %v\nwant compare: %s", c.line, err, c.want)
		}
	}
	for line, want := range map[string]string{
		"compare --round 200ms a b":     `round "200ms": --round takes a time from 300ms to 60s, such as 500ms or 1s`,
		"compare --settle 0 a b":        `settle "0": --settle takes a time from 10ms to 10s, such as 500ms or 1s`,
		"compare --pairs 3 a b":         `pairs "3": --pairs takes a whole number from 8 to 30`,
		"compare --practical 0.03 a b":  `practical "0.03": --practical takes a percentage from 0.1 to 50, such as 3% or 3`,
		"compare --practical 51% a b":   `practical "51%": --practical takes a percentage from 0.1 to 50, such as 3% or 3`,
		"compare --practical 3k a b":    `practical "3k": --practical takes a percentage from 0.1 to 50, such as 3% or 3`,
		"compare --practical 3%% a b":   `practical "3%%": --practical takes a percentage from 0.1 to 50, such as 3% or 3`,
		"compare --practicle 3 a b":     "unknown flag --practicle: did you mean --practical?",
		"compare a b --pairs":           "--pairs needs a value: --pairs N",
		"compare -P x P=1":              `pipeline "x": -P takes a whole number from 1 to 100000, such as 100, 10k or 1e4`,
		"compare --dataset a b":         "--dataset: fullbore reads no data sets: see -d 64:80,1k:15 and --random-data for values that differ",
		"--pairs 12 -t set":             "--pairs is a flag of fullbore compare only, see fullbore compare --help",
		"compare --bogus P=1 P=2":       "unknown flag --bogus: fullbore --help lists the flags",
		"compare P=1 P=2 -- -SET a":     "command: a word after the flags is not the name of a command: flags come first, and values with blanks are quoted",
		"compare -t set --mix get a b":  "-t and --mix both name the commands: give -t set,get for one test after another, or --mix set=1,get=10",
		"compare -h a --server x P=1 b": "--server starts a server of its own: leave out -h",
	} {
		if _, err := config.Parse(words(t, line), env()); err == nil || err.Error() != want {
			t.Errorf("fullbore %s\n got %v\nwant %s", line, err, want)
		}
	}
}

// TestArmSecrets tries the ways in which an arm can hold a password: neither its
// label nor an error may show it (M31).
func TestArmSecrets(t *testing.T) {
	for arm, label := range map[string]string{
		"a=s3cret":                                        "a=***",
		"pass=s3cret":                                     "pass=***",
		"password='s3cret s3cret' P=2":                    "password=*** P=2",
		"pass-file=s3cret":                                "",
		"tls cacert=/none a=s3cret":                       "",
		"u=rediss://:s3cret@h sni=x":                      "u=rediss://***@h sni=x",
		"u=rediss://joe:s3@cret@h":                        "",
		"askpass a=s3cret":                                "",
		"u=redis://:s3cret@h:1/2":                         "u=redis://***@h:1/2",
		"uri=redis://joe:s3cret@h":                        "uri=redis://***@h",
		"u=redis://s3cret@h":                              "u=redis://***@h",
		"u=redis://h:1 P=3":                               "u=redis://h:1 P=3",
		"h=redis://:s3cret@x":                             "",
		"u=redis://:s3@cret@h":                            "",
		"u=redis://joe:s3cret":                            "",
		"u=s3cret@h":                                      "",
		"a=my s3cret":                                     "",
		"a=it's3cret":                                     "",
		"pas=s3cret":                                      "",
		"s3cret":                                          "",
		"s3cret=":                                         "",
		"u=redis://:s3cret@h a=s3cret":                    "",
		"P=x a=s3cret":                                    "",
		"server=redis-server a=s3cret":                    "",
		"server=redis-server --requirepass s3cret":        "server=redis-server --requirepass ***",
		"server=redis-server --requirepass=s3cret":        "server=redis-server --requirepass=***",
		"server='redis-server --requirepass s3cret'":      "server='redis-server --requirepass ***'",
		`server=redis-server --requirepass "s3 \"s3cret"`: "server=redis-server --requirepass ***",
		`server=redis-server '--requirepass' 's3 s3cret' --port 7`: "server=redis-server '--requirepass' *** --port 7",
		`server=redis-server --requirepass a"b s3cret"c --x 1`:     "server=redis-server --requirepass *** --x 1",
		`server=redis-server --masterauth s3cret --save ""`:        `server=redis-server --masterauth *** --save ""`,
		"server=redis-server --user joe on >s3cret ~* +@all":       "server=redis-server --user joe on >*** ~* +@all",
		"server=redis-server --user 'joe on >s3cret ~*'":           "server=redis-server --user 'joe on >*** ~*'",
		"server=sh -c 'REDISCLI_AUTH=s3cret redis-server'":         "server=sh -c 'REDISCLI_AUTH=*** redis-server'",
		"server=redis-server --tls-key-file-pass s3cret P=2":       "server=redis-server --tls-key-file-pass *** P=2",
	} {
		var out bytes.Buffer
		e := env()
		e.Out, e.Err = &out, &out
		c, err := config.Parse([]string{"compare", "base", arm}, e)
		shown := fmt.Sprint(err) + out.String() + fmt.Sprintf("%+v", c)
		got := ""
		if err == nil {
			got = c.Compare.Arms[1].Label
			shown += got + fmt.Sprintf("%v", c.Compare.Cases)
		}
		if got != label {
			t.Errorf("%s: label %q, want %q, %v", arm, got, label, err)
		}
		if strings.Contains(shown, "s3cret") && arm != "s3cret=" || strings.Contains(shown, "s3 ") {
			t.Errorf("%s: the password was repeated: %s", arm, shown)
		}
	}
}

func TestCompareHelp(t *testing.T) {
	help := printed(t, "compare", "--help")
	for _, args := range [][]string{{"help", "compare"}, {"compare", "-?"}, {"compare", "P=1", "-?"}, {"-c", "5", "compare", "--help"}} {
		if other := printed(t, args...); other != help {
			t.Errorf("fullbore %v prints another help:\n%s", args, other)
		}
	}
	for i, line := range strings.Split(help, "\n") {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("line %d has %d columns: %s", i+1, n, line)
		}
	}
	for _, part := range []string{"--round TIME", "--settle TIME", "--pairs N", "--practical PERCENT", "replicas=2:chain", "base", " vs ", "8th pair", "--rtt 1ms"} {
		if !strings.Contains(help, part) {
			t.Errorf("%s is not in the help", part)
		}
	}
	_, examples, _ := strings.Cut(help, "Examples:\n")
	examples, _, _ = strings.Cut(examples, "\n\n")
	seen := 0
	for line := range strings.Lines(examples) {
		command, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
		if command, ok := strings.CutPrefix(command, "fullbore "); ok {
			seen++
			compared(t, command, env())
		}
	}
	if seen < 8 {
		t.Errorf("%d examples only", seen)
	}
	if root := printed(t, "--help"); !strings.Contains(root, "\nSubcommands (fullbore NAME --help tells more):\n  compare  ") {
		t.Error("the root's help does not name compare")
	}
	man := printed(t, "man")
	for _, part := range []string{".SH FULLBORE COMPARE\n", `\-\-practical PERCENT`, `replicas=2:chain`} {
		if !strings.Contains(man, part) {
			t.Errorf("%s is not in the man page", part)
		}
	}
	if page := printed(t, "compare", "--version"); page != printed(t, "-v") {
		t.Errorf("compare --version prints %q", page)
	}
}

func TestCompareCompletion(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{""}, []string{"compare\ttwo", "help\t"}},
		{[]string{"comp"}, []string{"compare\t", "completion\t"}},
		{[]string{"help", ""}, []string{"compare\t"}},
		{[]string{"compare", ""}, []string{"base\n", "vs\n", "pipeline=\n", "rtt=\n", "replicas=\n", "server=\n"}},
		{[]string{"compare", "--pr"}, []string{"--practical\t", "--prefill\t"}},
		{[]string{"compare", "--batch", ""}, []string{"pipeline\n", "multi\n"}},
		{[]string{"compare", "-t", "get,a"}, []string{"get,all\n"}},
	} {
		var out bytes.Buffer
		if _, err := config.Parse(append([]string{"__complete"}, c.args...), config.Env{Out: &out}); err != nil {
			t.Errorf("complete %q: %v", c.args, err)
		}
		got := out.String()
		for _, want := range c.want {
			if !strings.Contains("\n"+got, "\n"+want) {
				t.Errorf("complete %q: no %q in %q", c.args, want, got)
			}
		}
		if strings.Contains(got, "key-prefix=") || strings.Contains(got, "seed=") {
			t.Errorf("complete %q offers what arms cannot differ in: %q", c.args, got)
		}
	}
}

// FuzzArms holds that an arm that is taken can be told by its label, and taken again
// from it.
func FuzzArms(f *testing.F) {
	for _, s := range []string{"P=16", "c=200 P=4", "", "base", "server=redis-server --save \"\" --io-threads 2", "server='redis-server' replicas=2:chain",
		"u=redis://:pw@h a=x", "a='b c'", "random-data t=get", "mix=set=1,get=2", `P="1"`, `server=\"`, "d=64:80,1k:15 rtt=1ms", "h=[::1] p=1", "P=\\", "server= x", "P=1\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "-") { // a flag
			return
		}
		c, err := config.Parse([]string{"compare", "base", text}, env())
		if text == "vs" || err != nil {
			return
		}
		if len(c.Compare.Arms) != 2 {
			t.Fatalf("%q: %d arms", text, len(c.Compare.Arms))
		}
		arm := c.Compare.Arms[1]
		if err := arm.Plan.Validate(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if arm.Own != (arm.Target != nil || arm.Server != "") {
			t.Errorf("%q: own %v, target %v, server %q", text, arm.Own, arm.Target, arm.Server)
		}
		if arm.Label == "" || strings.ContainsAny(arm.Label, "\n\r\t\x00\x1b") {
			t.Errorf("%q: label %q", text, arm.Label)
		}
		if strings.Contains(arm.Label, "***") || launchable(arm.Label) != launchable(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
			return // not all of it is there
		}
		again, err := config.Parse([]string{"compare", "base", arm.Label}, env())
		if err != nil || armWords(again.Compare.Arms[1]) != armWords(arm) {
			t.Errorf("%q: its label %q is another arm: %v", text, arm.Label, err)
		}
	})
}

// launchable tells whether a text has its quotes closed.
func launchable(text string) bool {
	_, err := launch.Split(text)
	return err == nil
}
