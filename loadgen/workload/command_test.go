package workload_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

// sequence is the workload of a custom command line, split at its blanks.
func sequence(t testing.TB, line string) workload.Workload {
	t.Helper()
	steps, err := workload.ParseCommand(strings.Fields(line))
	if err != nil {
		t.Fatal(err)
	}
	w := load(t, "set")
	w.Mix = workload.Sequence(steps)
	if err := w.Validate(); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestParseCommand(t *testing.T) {
	step := func(repeat int, title string, args ...string) workload.Step {
		return workload.Step{Title: title, Args: args, Repeat: repeat}
	}
	for _, tt := range []struct {
		name  string
		words []string
		want  []workload.Step
	}{
		{"one command", []string{"set", "a", "b"}, []workload.Step{step(1, "set a b", "set", "a", "b")}},
		{"blanks stay inside words", []string{"SET", "a b", ""}, []workload.Step{step(1, "SET a b ", "SET", "a b", "")}},
		{"a sequence", []string{"set", "a", "1", ";", "4", "get", "a"},
			[]workload.Step{step(1, "set a 1", "set", "a", "1"), step(4, "get a", "get", "a")}},
		{"a separator at the end", []string{"PING", ";"}, []workload.Step{step(1, "PING", "PING")}},
		{"a quoted semicolon", []string{"SET", "a", `";"`}, []workload.Step{step(1, `SET a ";"`, "SET", "a", ";")}},
		{"a number that is an argument", []string{"INCRBY", "a", "5", ";", "ECHO", "7"},
			[]workload.Step{step(1, "INCRBY a 5", "INCRBY", "a", "5"), step(1, "ECHO 7", "ECHO", "7")}},
		{"double quotes", []string{"SET", `"a\x00\xfF\n\r\t\a\b\\\"\q"`}, []workload.Step{step(1, `SET "a\x00\xfF\n\r\t\a\b\\\"\q"`, "SET", "a\x00\xff\n\r\t\a\b\\\"q")}},
		{"single quotes", []string{"SET", `'it\'s \n'`}, []workload.Step{step(1, `SET 'it\'s \n'`, "SET", `it's \n`)}},
		{"a quoted name", []string{`"GET"`, "a"}, []workload.Step{step(1, `"GET" a`, "GET", "a")}},
		{"no quote in front, no escapes", []string{"EVAL", `return redis.call("ping").."\n"`, "0"},
			[]workload.Step{step(1, `EVAL return redis.call("ping").."\n" 0`, "EVAL", `return redis.call("ping").."\n"`, "0")}},
		{"JSON", []string{"SET", "j", `{"a":"b"}`}, []workload.Step{step(1, `SET j {"a":"b"}`, "SET", "j", `{"a":"b"}`)}},
		{"an unprintable title", []string{"SET", "a\x1b[2J\xff é"}, []workload.Step{step(1, `SET a\x1b[2J\xff é`, "SET", "a\x1b[2J\xff é")}},
		{"an empty string in quotes", []string{"SET", "a", `""`}, []workload.Step{step(1, `SET a ""`, "SET", "a", "")}},
	} {
		got, err := workload.ParseCommand(tt.words)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+q, %v\nwant %+q", tt.name, got, err, tt.want)
		}
	}
}

func TestRefusedCommands(t *testing.T) {
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{nil, "command: no command given: give a command such as SET key:__rand_int__ __data__, or several: SET a 1 ';' 4 GET a"},
		{[]string{";"}, "command: an empty command: give a command"},
		{[]string{"PING", ";", ";", "PING"}, "command: an empty command"},
		{[]string{""}, "command: a command without a name"},
		{[]string{`""`, "a"}, "command: a command without a name"},
		{[]string{"4"}, "command: an empty command"},
		{[]string{"0", "GET", "a"}, `command: "0" before a command repeats it: give one whole number from 1 to 1000000, such as 4 GET a`},
		{[]string{"1000001", "PING"}, `command: "1000001" before a command`},
		{[]string{"99999999999999999999", "PING"}, `command: "99999999999999999999" before a command`},
		{[]string{"1e3", "PING"}, `command: "1e3" before a command`},
		{[]string{"4get", "a"}, `command: "4get" before a command`},
		{[]string{"2", "3", "PING"}, `command: "3" before a command`},
		{[]string{`"3"`, "PING"}, `command: "3" before a command`},
		{[]string{"SET", `"a`}, `command: word "\"a": a quote opens the word and must close it`},
		{[]string{"SET", `"`}, `command: word "\"": a quote opens`},
		{[]string{"SET", `'a\'`}, `command: word "'a\\'": a quote opens`},
		{[]string{"SET", `"a"b`}, `command: word "\"a\"b": a quote opens`},
		{[]string{"SET", `"a" "b"`}, `command: word "\"a\" \"b\"": a quote opens`},
		{[]string{"SET", `"\xZ1"`}, `command: word "\"\\xZ1\"": escape "\\xZ1": \x takes two hex digits, such as "\x00"`},
		{[]string{"SET", `"\x1"`}, `escape "\\x1": \x takes two hex digits`},
		{[]string{"__rand_int__", "a"}, `command: placeholder in the name "__rand_int__": they may stand in arguments only`},
		{[]string{"SUBSCRIBE", "a"}, `command: "SUBSCRIBE a" does not answer each request with one reply of RESP2, so that it cannot be measured`},
		{[]string{"monitor"}, `command: "monitor" does not answer`},
		{[]string{"PING", ";", "client", "Reply", "OFF"}, `command: "client Reply" does not answer`},
		{[]string{"HELLO", "3"}, `command: "HELLO 3" does not answer`},
	} {
		_, err := workload.ParseCommand(tt.words)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "command: ") {
			t.Errorf("%q: %v\nwant %s", tt.words, err, tt.want)
		}
	}
	for _, fine := range []string{"HELLO", "HELLO 2", "CLIENT GETNAME", "BLPOP a 1"} {
		sequence(t, fine)
	}
}

func TestParseLine(t *testing.T) {
	for _, tt := range []struct{ line, text, again, err string }{
		{line: "set a 1 ; 4 get a", text: "set a 1 ; 4 get a", again: "set a 1 ; 4 get a"},
		{line: "  SET\t\"a b\"  'c d' ", text: `SET "a b" 'c d'`, again: `SET "a b" "c d"`},
		{line: `SET a "\x00;\n"`, text: `SET a "\x00;\n"`, again: `SET a "\x00;\n"`},
		{line: `SET a ";"`, text: `SET a ";"`, again: `SET a ";"`},
		{line: `SET a "\"" '\a'`, text: `SET a "\"" '\a'`, again: `SET a "\"" \a`},
		{line: `SET a it's""`, text: `SET a it's""`, again: `SET a it's""`},
		{line: `SET a ""`, text: `SET a ""`, again: `SET a ""`},
		{line: "", err: "command: no command given"},
		{line: "SET 'a b", err: `command: word "'a b": a quote opens`},
		{line: `SET "a"b c`, err: `command: word "\"a\"b c": a quote opens`},
	} {
		mix, err := workload.ParseLine(tt.line)
		if tt.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), tt.err) {
				t.Errorf("%q: %v, want %s", tt.line, err, tt.err)
			}
			continue
		}
		if err != nil || mix.String() != tt.text || mix.Line() != tt.again {
			t.Errorf("%q: %s and %s, %v; want %s and %s", tt.line, mix, mix.Line(), err, tt.text, tt.again)
		}
	}
	if mix := load(t, "set=1,get=10").Mix; mix.Line() != "set=1,get=10" {
		t.Errorf("a mix that is no sequence: %s", mix.Line())
	}
}

func FuzzParseCommand(f *testing.F) {
	for _, seed := range []string{"set a b", "2 set a \"\\x00\" ; get a", "; ;", "'", `"\x`, "0 ping", "__rand_1st__", `a ";"`, "eval 'x y' 1 k", "\xff \x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		mix, err := workload.ParseLine(line)
		steps, plain := workload.ParseCommand(strings.Split(line, " "))
		for _, e := range []error{err, plain} {
			if e != nil && (!strings.HasPrefix(e.Error(), "command: ") || strings.ContainsAny(e.Error(), "\n\x1b")) {
				t.Fatalf("error %q", e)
			}
		}
		if plain == nil {
			if w := (workload.Workload{Mix: workload.Sequence(steps), Payload: 1}); w.Validate() != nil {
				t.Fatalf("%q: taken, and refused by Validate: %v", line, w.Validate())
			}
		}
		if err != nil {
			return
		}
		again, err := workload.ParseLine(mix.Line())
		if err != nil {
			t.Fatalf("%q → %q: %v", line, mix.Line(), err)
		}
		for i, e := range again {
			if !reflect.DeepEqual(e.Test.Args, mix[i].Test.Args) || e.Weight != mix[i].Weight {
				t.Fatalf("%q → %q: %q, want %q", line, mix.Line(), e.Test.Args, mix[i].Test.Args)
			}
		}
		if strings.ContainsFunc(mix.String(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Fatalf("title %q", mix)
		}
		mix.Outside("a")
		w := workload.Workload{Mix: mix, Payload: 3, Keys: workload.KeySpace{Prefix: "a", Size: 10}}
		w.Fixtures()
		if c := w.Generator(0).Next(); c.Request != len(render(c)) {
			t.Fatalf("%q: %d bytes, says %d", line, len(render(c)), c.Request)
		}
	})
}

func TestAppendArg(t *testing.T) {
	steps, err := workload.ParseCommand([]string{"PING", ";", "SET", "a"})
	if err != nil {
		t.Fatal(err)
	}
	longer := workload.AppendArg(steps, []byte("\x00\"\\x41;"))
	if got := longer[1].Args; !reflect.DeepEqual(got, []string{"SET", "a", "\x00\"\\x41;"}) || longer[1].Title != "SET a" {
		t.Errorf("%q (%s)", got, longer[1].Title)
	}
	if len(steps[1].Args) != 2 || len(longer[0].Args) != 1 {
		t.Errorf("other steps changed: %q, %q", steps, longer)
	}
}

// Commands go out as they are written, quotes and {tag} included.
func TestCustomCommandsAreSentAsWritten(t *testing.T) {
	steps, err := workload.ParseCommand([]string{"sEt", "user:{tag}:1", `"\x00"`, "__prefix__", "__score__", "__rand_0th__", "___", "__rand_int_"})
	if err != nil {
		t.Fatal(err)
	}
	w := load(t, "set")
	w.Mix, w.Keys.Size, w.Expire = workload.Sequence(steps), 1000, workload.Expire{Low: 1, High: 9}
	want := renderOp(workload.Op{Name: "sEt", Args: []any{"user:{tag}:1", "\x00", "__prefix__", "__score__", "__rand_0th__", "___", "__rand_int_"}})
	if got := render(w.Generator(0).Next()); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestPlaceholdersOfOneKey(t *testing.T) {
	for _, size := range []int64{0, 1} {
		w := sequence(t, "ZADD z __rand_int__ a:__rand_1st__:__rand_int__ __data____data__x")
		w.Keys.Size = size
		if got, want := render(w.Generator(0).Next()), renderOp(workload.Op{Name: "ZADD", Args: []any{"z", zero, "a:" + zero + ":" + zero, "VXKVXKx"}}); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

const zero = "000000000000"

// numbers is every twelve digits of a command.
func numbers(c *workload.Command) []string {
	return regexp.MustCompile(`\d{12}`).FindAllString(render(c), -1)
}

// Within one unit __rand_1st__ keeps its value, over all commands and repeats;
// __rand_int__ never does.
func TestNumbersWithinAUnit(t *testing.T) {
	w := sequence(t, "SET a:__rand_1st__ x__rand_2nd__y ; 2 GET a:__rand_1st__ ; MGET __rand_9th__ __rand_int__ __rand_int__ __rand_9th__")
	w.Keys.Size = workload.MaxKeys
	g := w.Generator(0)
	seen := map[string]int{}
	for range 100 {
		set := numbers(g.Next())
		first, second := numbers(g.Next()), numbers(g.Next())
		mget := numbers(g.Next())
		if first[0] != set[0] || second[0] != set[0] || set[0] == set[1] || mget[0] != mget[3] || mget[1] == mget[2] {
			t.Fatalf("one unit: %v %v %v %v", set, first, second, mget)
		}
		for _, n := range []string{set[0], set[1], mget[0], mget[1], mget[2]} {
			seen[n]++
		}
	}
	if len(seen) != 500 {
		t.Errorf("%d different numbers in 100 units, want 500", len(seen))
	}
}

// A command of a mix that is no sequence is a unit by itself.
func TestNumbersWithinACommandOfAMix(t *testing.T) {
	test := workload.Test{Title: "x", Custom: true, Args: []string{"SET", "__rand_1st__", "__rand_1st__"}}
	w := load(t, "get")
	w.Mix, w.Keys.Size = append(w.Mix, workload.Entry{Test: test, Weight: 1}), workload.MaxKeys
	g := w.Generator(0)
	seen := map[string]bool{}
	for range 200 {
		if c := g.Next(); c.Name == "SET" {
			n := numbers(c)
			if n[0] != n[1] || seen[n[0]] {
				t.Fatalf("numbers %v", n)
			}
			seen[n[0]] = true
		}
	}
}

func TestSequencesKeepTheirOrder(t *testing.T) {
	w := sequence(t, "MULTI ; 3 INCR a ; GET a ; EXEC")
	if w.Mix.Unit() != 6 || !w.Mix.Ordered() || w.Mix.String() != "MULTI ; 3 INCR a ; GET a ; EXEC" {
		t.Errorf("unit of %d, ordered %v, %s", w.Mix.Unit(), w.Mix.Ordered(), w.Mix)
	}
	g := w.Generator(0)
	var names, rows []string
	note := func() {
		c := g.Next()
		names, rows = append(names, c.Name), append(rows, fmt.Sprint(c.Test))
	}
	for range 8 {
		note()
	}
	g.Rewind()
	for range 2 {
		note()
	}
	if got := strings.Join(names, " "); got != "MULTI INCR INCR INCR GET EXEC MULTI INCR MULTI INCR" {
		t.Errorf("order: %s", got)
	}
	if got := strings.Join(rows, " "); got != "0 1 1 1 2 3 0 1 0 1" {
		t.Errorf("rows: %s", got)
	}
	if c := w.Mix[2].Test; c.Reads {
		t.Error("a queued GET is taken for a hit")
	}
	if single := load(t, "get").Mix; single.Unit() != 1 || single.Ordered() {
		t.Error("a test of the catalogue is a sequence")
	}
	mixed := append(load(t, "get").Mix, w.Mix...)
	if err := (workload.Workload{Mix: mixed, Payload: 1}).Validate(); err == nil || !strings.Contains(err.Error(), "some rows are a sequence") {
		t.Errorf("half a sequence: %v", err)
	}
}

func TestSequencesDoNotAllocate(t *testing.T) {
	for _, line := range []string{
		"SET a:__rand_int__ __data__",
		"3 SET a:__rand_1st__ x__data__y__data__ ; GET a:__rand_1st__ ; PING",
		"MGET" + strings.Repeat(" key:__rand_int__", 1000),
		"MSET" + strings.Repeat(" key:__rand_int__:__rand_3rd__ {__data__}", 100),
	} {
		for _, sizes := range []string{"100", "10-400"} {
			for _, random := range []bool{false, true} {
				w := sequence(t, line).Sized(sized(t, sizes))
				w.Keys.Size, w.RandomData = 1000, random
				g := w.Generator(0)
				if n := testing.AllocsPerRun(300, func() { g.Next() }); n != 0 {
					t.Errorf("%.40s -d %s, random %v: %v allocations per command", line, sizes, random, n)
				}
			}
		}
	}
}

// Every argument may hold anything, any number of times, and the wire shows it.
func TestMixedArguments(t *testing.T) {
	for _, random := range []bool{false, true} {
		w := sequence(t, "X <__data__|__data__> a__rand_int__b__rand_int__ __rand_1st__=__data__,__rand_1st__ __data__")
		w = w.Sized(sized(t, "2-5"))
		w.Keys.Size, w.RandomData = 1000, random
		g := w.Generator(0)
		shape := regexp.MustCompile(`^\*5\r\n\$1\r\nX\r\n\$\d+\r\n<[0-o]{2,5}\|[0-o]{2,5}>\r\n\$26\r\na0{9}\d{3}b0{9}\d{3}\r\n\$\d+\r\n(0{9}\d{3})=[0-o]{2,5},(0{9}\d{3})\r\n\$\d\r\n[0-o]{2,5}\r\n$`)
		for range 100 {
			c := g.Next()
			m := shape.FindStringSubmatch(render(c))
			if m == nil || m[1] != m[2] || c.Request != len(render(c)) || !c.Fluid {
				t.Fatalf("%q (%d bytes, fluid %v)", render(c), c.Request, c.Fluid)
			}
		}
	}
}

func TestThousandsOfFixedArgumentsAreShared(t *testing.T) {
	s := sequence(t, "MGET"+strings.Repeat(" key:1", 1000)).Source()
	one, two := s.Generator(0).Next(), s.Generator(1).Next()
	if &one.Args[999].([]byte)[0] != &two.Args[999].([]byte)[0] || one.Keys != 1000 || len(one.Varies) != 0 {
		t.Errorf("%d keys, %d varying; the arguments are not shared", one.Keys, len(one.Varies))
	}
}

func BenchmarkCustom(b *testing.B) {
	for name, line := range map[string]string{
		"set":       "SET a:__rand_int__ __data__",
		"sequence":  "SET a:__rand_1st__ __data__ ; 4 GET a:__rand_1st__",
		"mget1000":  "MGET" + strings.Repeat(" key:__rand_int__", 1000),
		"mget fix":  "MGET" + strings.Repeat(" key:1", 1000),
		"mset data": "MSET" + strings.Repeat(" key:__rand_int__ {__data__}", 100),
	} {
		b.Run(name, func(b *testing.B) {
			w := sequence(b, line)
			w.Keys.Size = 1_000_000
			if name == "mset data" {
				w.RandomData = true
			}
			g := w.Generator(0)
			b.ReportAllocs()
			for b.Loop() {
				g.Next()
			}
		})
	}
}
