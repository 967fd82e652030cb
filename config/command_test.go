package config_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"fullbore/config"
	"fullbore/loadgen"
)

// TestCommand holds that flags end where the command begins, and that its words
// arrive as they were given.
func TestCommand(t *testing.T) {
	for _, c := range []struct {
		args  []string
		title string
		rows  [][]string // what is sent, a row for each command
	}{
		{[]string{"-q", "GET", "foo"}, "GET foo", [][]string{{"GET", "foo"}}},
		{[]string{"GET", "-n", "5"}, "GET -n 5", [][]string{{"GET", "-n", "5"}}},
		{[]string{"-c", "7", "lpush", "mylist", "__rand_int__"}, "lpush mylist __rand_int__", [][]string{{"lpush", "mylist", "__rand_int__"}}},
		{[]string{"--", "SET", "a", "--"}, "SET a --", [][]string{{"SET", "a", "--"}}},
		{[]string{"-q", "--", "SET", "a", "1", ";", "4", "GET", "a"}, "SET a 1 ; 4 GET a", [][]string{{"SET", "a", "1"}, {"GET", "a"}}},
		{[]string{"SET", "a", `"x\x00\n"`}, `SET a "x\x00\n"`, [][]string{{"SET", "a", "x\x00\n"}}},
		{[]string{"eval", `return redis.call("ping")`, "0"}, `eval return redis.call("ping") 0`, [][]string{{"eval", `return redis.call("ping")`, "0"}}},
		{[]string{"FT.SEARCH", "i", ""}, "FT.SEARCH i ", [][]string{{"FT.SEARCH", "i", ""}}},
		{[]string{"-t", "get", "PING"}, "PING", [][]string{{"PING"}}},
		{[]string{"4", "GET", "a"}, "4 GET a", [][]string{{"GET", "a"}}},
	} {
		got, err := config.Parse(c.args, env())
		if err != nil {
			t.Errorf("fullbore %q: %v", c.args, err)
			continue
		}
		var rows [][]string
		for _, e := range got.Plan.Workload.Mix {
			rows = append(rows, e.Test.Args)
		}
		runs := got.Runs()
		if len(runs) != 1 || runs[0].Title != c.title || !slices.EqualFunc(rows, c.rows, slices.Equal) {
			t.Errorf("fullbore %q: runs %d, title %q, rows %q; want one titled %q, rows %q", c.args, len(runs), runs[0].Title, rows, c.title, c.rows)
		}
	}
}

// TestCommandOnScreen holds that the screen sends the command too.
func TestCommandOnScreen(t *testing.T) {
	got, err := config.Parse([]string{"HSET", "h", "f", "__data__"}, terminal())
	if err != nil || !got.Interactive || got.Plan.Workload.Mix.String() != "HSET h f __data__" {
		t.Errorf("%s, %v", describe(got), err)
	}
}

// TestThousandArguments is a command of R2.
func TestThousandArguments(t *testing.T) {
	args := []string{"-P", "10", "MGET"}
	for range 1000 {
		args = append(args, "fullbore:key:__rand_int__")
	}
	got, err := config.Parse(args, env())
	if err != nil || got.Plan.Workload.Mix[0].Test.Keys != 1000 {
		t.Errorf("keys of MGET with 1000 arguments: %v", err)
	}
}

// TestLastArgument holds that -x takes stdin byte for byte, and that the title does
// not show it.
func TestLastArgument(t *testing.T) {
	for _, text := range []string{"", "value\n", "\x00\xff\r\n'\"; 4", strings.Repeat("x", 1<<20)} {
		e := env()
		e.In = strings.NewReader(text)
		got, err := config.Parse([]string{"-q", "-x", "SET", "foo"}, e)
		if err != nil {
			t.Errorf("-x with %d bytes: %v", len(text), err)
			continue
		}
		args := got.Plan.Workload.Mix[0].Test.Args
		if len(args) != 3 || args[2] != text || got.Runs()[0].Title != "SET foo" {
			t.Errorf("-x with %d bytes: %d arguments, title %q", len(text), len(args), got.Runs()[0].Title)
		}
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("gone") }

func TestLastArgumentRefused(t *testing.T) {
	e := env()
	e.In = broken{}
	if _, err := config.Parse([]string{"-x", "SET", "foo"}, e); err == nil || err.Error() != "-x: read stdin: gone" {
		t.Errorf("a stdin that cannot be read: %v", err)
	}
	if arg, err := config.LastArgument(strings.NewReader("12345"), 5); err != nil || string(arg) != "12345" {
		t.Errorf("as much as an argument may have: %q, %v", arg, err)
	}
	if _, err := config.LastArgument(strings.NewReader("123456"), 5); err == nil || !strings.HasPrefix(err.Error(), "-x: stdin is longer than 5 bytes") {
		t.Errorf("more than an argument may have: %v", err)
	}
}

// TestShape holds that the flags of the workload's shape reach the plan.
func TestShape(t *testing.T) {
	got, err := config.Parse(strings.Fields("-t set -r 1m -d 64:80,1k:15,64k:5 --key-dist zipf:0.99 --random-data --expire 10-60s --batch multi -P 16 --seed 42 -k 0"), env())
	if err != nil {
		t.Fatal(err)
	}
	w := got.Plan.Workload
	if w.SizeText() != "64:80,1k:15,64k:5" || w.Payload != 64<<10 || w.Keys.Dist.String() != "zipf:0.99" || !w.RandomData ||
		w.Expire.String() != "10-60s" || w.Seed != 42 || got.Plan.Batch.String() != "multi" || !got.Plan.Reconnect {
		t.Errorf("%+v", got.Plan)
	}
	for args, want := range map[string]string{"": "uniform", "--sequential": "sequential", "--sequential --key-dist sequential": "sequential", "--key-dist gaussian": "gaussian"} {
		got, err := config.Parse(strings.Fields(args), env())
		if err != nil || got.Plan.Workload.Keys.Dist.String() != want {
			t.Errorf("fullbore %s: %v, %v; want %s", args, got.Plan.Workload.Keys.Dist, err, want)
		}
	}
}

// TestPrefill holds that what ends in a b is memory, and all else keys.
func TestPrefill(t *testing.T) {
	for text, want := range map[string]loadgen.Prefill{
		"5": {Keys: 5}, "100k": {Keys: 100_000}, "5m": {Keys: 5_000_000}, "1e6": {Keys: 1_000_000},
		"5mb": {Bytes: 5 << 20}, "2GB": {Bytes: 2 << 30}, "64kib": {Bytes: 64 << 10}, "100b": {Bytes: 100},
	} {
		got, err := config.Parse([]string{"-q", "--prefill", text}, env())
		if err != nil || got.Plan.Prefill != want {
			t.Errorf("--prefill %s: %+v, %v; want %+v", text, got.Plan.Prefill, err, want)
		}
	}
}

// TestBareNames holds that an empty prefix is one, and not the default.
func TestBareNames(t *testing.T) {
	got, err := config.Parse([]string{"-t", "set", "--key-prefix", ""}, env())
	if err != nil || got.Plan.Workload.Keys.Prefix != "" {
		t.Errorf("prefix %q, %v", got.Plan.Workload.Keys.Prefix, err)
	}
}

// TestRounds holds how often a suite runs, and that these flags do without a screen.
func TestRounds(t *testing.T) {
	for args, want := range map[string]int{"-q": 1, "--count 5": 5, "-l": 0, "-lqt set": 0, "-o x.txt": 1, "-I": 1} {
		got, err := config.Parse(strings.Fields(args), terminal())
		if err != nil || got.Rounds != want || got.Interactive || !got.MayAsk {
			t.Errorf("fullbore %s: %d rounds, interactive %v, %v; want %d", args, got.Rounds, got.Interactive, err, want)
		}
	}
	got, err := config.Parse([]string{"-I", "-c", "100"}, env())
	if err != nil || !got.Idle || got.Plan.Clients != 100 || len(got.Runs()) != 1 || got.MayAsk {
		t.Errorf("-I: %s, idle %v, %v", describe(got), got.Idle, err)
	}
}

// TestPages holds that the man page and completion come from the table of flags.
func TestPages(t *testing.T) {
	man := printed(t, "man")
	for _, want := range []string{".TH FULLBORE 1\n", ".SH KEYS AND VALUES\n", `.B \-c, \-\-clients N` + "\n", `\ex00`} {
		if !strings.Contains(man, want) {
			t.Errorf("no %q in the man page", want)
		}
	}
	if help := printed(t, "help"); help != printed(t, "--help") {
		t.Error("help and --help differ")
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if script := printed(t, "completion", shell); !strings.Contains(script, "fullbore") || len(script) < 1000 {
			t.Errorf("completion %s: %d bytes", shell, len(script))
		}
	}
	for want, typed := range map[string][]string{
		"--key-dist":    {"--key"},
		"\nget\n":       {"-t", ""},
		"\nset,lpush":   {"--tests", "set,l"},
		"\nzipf\n":      {"--key-dist", ""},
		"csv\n":         {"--format", "c"},
		"high-contrast": {"--theme", ""},
	} {
		var out bytes.Buffer
		if _, err := config.Parse(append([]string{"__complete"}, typed...), config.Env{Out: &out}); err != nil || !strings.Contains("\n"+out.String(), want) {
			t.Errorf("completion of %v: %q, %v; want %q in it", typed, out.String(), err, want)
		}
	}
}
