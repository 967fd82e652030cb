package workload_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/workload"
)

// words makes a command of count words, each different.
func words(name string, count int) []string {
	args := strings.Split(name, "|")
	for i := len(args); i < count; i++ {
		args = append(args, "w"+strconv.Itoa(i))
	}
	return args
}

// custom is the row of one command.
func custom(t *testing.T, args []string) (workload.Mix, workload.Test) {
	t.Helper()
	steps, err := workload.ParseCommand(args)
	if err != nil {
		t.Fatal(err)
	}
	mix := workload.Sequence(steps)
	return mix, mix[0].Test
}

// outside is the keys that a command names, when none of them is inside.
func outside(mix workload.Mix) []string {
	if reach := mix.Outside(""); len(reach) > 0 {
		return reach[0].Keys
	}
	return nil
}

// measurable tells whether a command answers once; the others are refused.
func measurable(name string) bool {
	_, err := workload.ParseCommand(words(name, 2))
	return err == nil
}

// What the table knows is what the server says of itself, for every command and
// subcommand that it has.
func TestKnownCommandsAreTheServers(t *testing.T) {
	w := connect(t, redistest.Start(t).Addr)
	ask := func(args ...any) []string { return w.do(workload.Op{Name: "COMMAND", Args: args}) }
	names := ask("LIST")
	for _, container := range []string{"memory", "object", "xinfo", "xgroup", "acl", "cluster", "config", "function", "module", "script", "client", "command", "latency", "pubsub", "slowlog"} {
		names = append(names, subcommands(ask("INFO", container), container)...)
	}
	if len(names) < 300 {
		t.Fatalf("%d commands", len(names))
	}
	for _, name := range names {
		if !measurable(name) {
			if !strings.Contains(" subscribe psubscribe ssubscribe unsubscribe punsubscribe sunsubscribe monitor sync psync replconf client|reply hello ", " "+name+" ") {
				t.Errorf("%s is refused", name)
			}
			continue
		}
		info := ask("INFO", name)
		i := 2 // flags follow the name and the arity; then numbers
		for ; strings.Trim(info[i], "-0123456789") != ""; i++ {
		}
		flags := info[2:i]
		first, last, step := integer(t, info[i]), integer(t, info[i+1]), integer(t, info[i+2])
		args := words(name, 9)
		mix, test := custom(t, args)
		if reach := mix.Outside(""); len(reach) > 0 && !reach[0].Known {
			t.Errorf("%s is not in the table", name)
		}
		if slices.Contains(flags, "write") && !test.Writes || slices.Contains(flags, "readonly") && test.Writes {
			t.Errorf("%s: Writes is %v, the server's flags are %v", name, test.Writes, flags)
		}
		if slices.Contains(flags, "movablekeys") || strings.HasPrefix(name, "xinfo|") && first == 0 {
			continue // see below
		}
		want := spanned(args, first, last, step)
		if got := outside(mix); !slices.Equal(got, want) {
			t.Errorf("%s: keys %v, the server says %v (%d %d %d)", name, got, want, first, last, step)
		}
	}
}

func integer(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func spanned(args []string, first, last, step int) []string {
	if first == 0 {
		return nil
	}
	if last < 0 {
		last += len(args)
	}
	var keys []string
	for i := first; i <= last; i += step {
		keys = append(keys, args[i])
	}
	return keys
}

func subcommands(info []string, container string) []string {
	var names []string
	for _, word := range info {
		if strings.HasPrefix(word, container+"|") {
			names = append(names, word)
		}
	}
	return names
}

// Where keys lie depends on the words, the server is asked for the keys themselves.
func TestKeysOfCommandsWithMovableKeys(t *testing.T) {
	w := connect(t, redistest.Start(t).Addr)
	for _, line := range []string{
		"EVAL script 2 a b c", "EVALSHA sha 1 a b", "EVAL_RO script 1 a", "FCALL f 3 a b c d", "FCALL_RO f 1 a",
		"ZUNIONSTORE to 2 a b WEIGHTS 1 2", "ZINTERSTORE to 1 a", "ZDIFFSTORE to 2 a b",
		"ZUNION 2 a b WITHSCORES", "ZINTER 1 a", "ZDIFF 2 a b", "SINTERCARD 2 a b LIMIT 3", "ZINTERCARD 1 a",
		"LMPOP 2 a b LEFT", "ZMPOP 1 a MIN", "BLMPOP 1 2 a b LEFT", "BZMPOP 0.5 1 a MAX",
		"XREAD COUNT 2 STREAMS a b 0 0", "XREAD STREAMS a 0", "XREADGROUP GROUP g c STREAMS a b > >",
		"SORT a BY x GET y STORE b", "SORT a", "SORT_RO a LIMIT 0 1",
		"GEORADIUS a 1 2 3 m STORE b", "GEORADIUSBYMEMBER a m 3 m STOREDIST b",
		"MIGRATE host 1 a 0 10 COPY", "MIGRATE host 1 \"\" 0 10 KEYS a b c",
		"MSET a 1 b 2 c 3", "BITOP AND to a b", "BLPOP a b 1", "GEOSEARCHSTORE a b FROMMEMBER m BYRADIUS 1 m", "OBJECT ENCODING a", "MEMORY USAGE a",
	} {
		mix, err := workload.ParseLine(line)
		if err != nil {
			t.Fatal(err)
		}
		args := []any{"GETKEYS"}
		for _, arg := range mix[0].Test.Args {
			args = append(args, arg)
		}
		want := w.do(workload.Op{Name: "COMMAND", Args: args})
		got := outside(mix)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || mix[0].Test.Keys != len(want) {
			t.Errorf("%s: keys %v (%d), the server says %v", line, got, mix[0].Test.Keys, want)
		}
	}
	for _, odd := range []string{"EVAL script", "EVAL script x a", "EVAL script 99999999999 a", "ZUNION -1 a", "XREAD COUNT 1", "MIGRATE a", "MSET", "BITOP", "SORT"} {
		mix, err := workload.ParseLine(odd)
		if err != nil {
			t.Fatal(err)
		}
		mix.Outside("x") // what the server will refuse must not upset us
	}
}

func TestWhatCustomRowsCount(t *testing.T) {
	for _, tt := range []struct {
		line                       string
		keys                       int
		reads, writes, eachElement bool
	}{
		{"PING", 0, false, false, false},
		{"get a", 1, true, false, false},
		{"MGET a b c", 3, true, false, true},
		{"MSET a 1 b 2", 2, false, true, false},
		{"DEL a b a", 3, false, true, false},
		{"EXISTS a b", 2, false, false, false},
		{"HMGET h a b c", 1, true, false, true},
		{"LPOP l", 1, true, true, false},
		{"EVAL x 2 a b", 2, false, true, false},
		{"EVAL x 0", 0, false, true, false},
		{"JSON.SET doc $ 1", 1, false, true, false},
		{"NOSUCH", 0, false, true, false},
		{"config get save", 0, false, false, false},
		{"CONFIG SET save 1", 0, false, true, false},
	} {
		mix, err := workload.ParseLine(tt.line)
		if err != nil {
			t.Fatal(err)
		}
		test := mix[0].Test
		if test.Keys != tt.keys || test.Reads != tt.reads || test.Writes != tt.writes || test.PerElement != tt.eachElement || !test.Custom {
			t.Errorf("%s: %d keys, reads %v, writes %v, per element %v", tt.line, test.Keys, test.Reads, test.Writes, test.PerElement)
		}
	}
}

func TestOutside(t *testing.T) {
	for _, tt := range []struct{ line, prefix, want string }{
		{"SET fullbore:a 1", "fullbore:", ""},
		{"SET a 1 ; GET fullbore:b", "fullbore:", "SET a 1 [a] writes"},
		{"GET a", "fullbore:", "GET a [a]"},
		{"MSET fullbore:a 1 b 2 c 3 b 4", "fullbore:", "MSET fullbore:a 1 b 2 c 3 b 4 [b c] writes"},
		{"SET key:__rand_int__ __data__", "fullbore:", "SET key:__rand_int__ __data__ [key:__rand_int__] writes"},
		{"SET fullbore:a 1", "", "SET fullbore:a 1 [fullbore:a] writes"},
		{"PING ; KEYS * ; CONFIG GET save", "fullbore:", ""},
		{"FLUSHALL", "fullbore:", "FLUSHALL [] writes"},
		{"EVAL x 1 fullbore:a", "fullbore:", ""},
		{"EVAL x 0", "fullbore:", "EVAL x 0 [] writes"},
		{"sett a 1", "fullbore:", "sett a 1 [a] writes unknown set"},
		{"JSON.SET fullbore:a $ 1", "fullbore:", ""},
		{"FROBNICATE", "fullbore:", "FROBNICATE [] writes unknown"},
		{"CONFIG SET save 1", "fullbore:", "CONFIG SET save 1 [] writes"},
	} {
		mix, err := workload.ParseLine(tt.line)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range mix.Outside(tt.prefix) {
			s := fmt.Sprint(r.Command, " ", r.Keys)
			if r.Writes {
				s += " writes"
			}
			if !r.Known {
				s = strings.TrimSpace(s + " unknown " + r.Near)
			}
			got = append(got, s)
		}
		if strings.Join(got, "\n") != tt.want {
			t.Errorf("%s under %q: %q, want %q", tt.line, tt.prefix, got, tt.want)
		}
	}
	if reach := load(t, "set,get").Mix.Outside("x"); len(reach) != 0 {
		t.Errorf("tests of the catalogue: %v", reach)
	}
}
