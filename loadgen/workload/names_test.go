package workload_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

func titles(tests []workload.Test) string {
	var names []string
	for _, t := range tests {
		names = append(names, t.Name())
	}
	return strings.Join(names, " ")
}

func TestLookup(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"set", "set"},
		{" SeT ", "set"},
		{"ping", "ping_inline ping_mbulk"},
		{"PING_MBULK", "ping_mbulk"},
		{"lrange", "lrange_100 lrange_300 lrange_500 lrange_600"},
		{"lrange_500", "lrange_500"},
		{"mget", "mget"},
	} {
		got, err := workload.Lookup(tt.name)
		if err != nil || titles(got) != tt.want {
			t.Errorf("Lookup(%q) = %s, %v; want %s", tt.name, titles(got), err, tt.want)
		}
	}
}

func TestUnknownNames(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"sett", `unknown test "sett", did you mean set? known tests: ping_inline, ping, ping_mbulk, set,`},
		{"gett", `did you mean get?`},
		{"GTE", `did you mean get?`},
		{"lpsuh", `did you mean lpush?`},
		{"lrange100", `did you mean lrange_100?`},
		{"zpop", `did you mean zpopmin?`},
		{"zpopm", `did you mean zpopmin?`},
		{"incrby", `did you mean incr?`},
		{"xaddfoo", `did you mean xadd?`},
		{"p", `did you mean ping?`},
		{"lrange_", `did you mean lrange_100?`},
		{"x", `did you mean xadd?`},
		{"q", `unknown test "q", known tests`},
		{"qt", `unknown test "qt", known tests`},
		{"", `unknown test "", known tests`},
		{"quux", `unknown test "quux", known tests: ping_inline,`},
		{"a\nb", `unknown test "a\nb", known tests`},
		{strings.Repeat("я", 90), "unknown test \"" + strings.Repeat("я", 40) + "\"…, known tests"},
	} {
		_, err := workload.Lookup(tt.name)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Lookup(%q): %v\nwant %s", tt.name, err, tt.want)
		}
	}
}

func TestNamesAreKnownAndDistinct(t *testing.T) {
	names := workload.Names()
	for i, name := range names {
		if _, err := workload.Lookup(name); err != nil {
			t.Error(err)
		}
		if slices.Contains(names[:i], name) || name != strings.ToLower(name) {
			t.Errorf("name %q", name)
		}
	}
	for _, group := range []string{"ping", "lrange", "set", "xadd"} {
		if !slices.Contains(names, group) {
			t.Errorf("no name %q in %v", group, names)
		}
	}
}

func TestParseTests(t *testing.T) {
	for _, tt := range []struct{ list, want, err string }{
		{list: "get,set", want: "set get"}, // catalogue order, as redis-benchmark
		{list: "set", want: "set"},
		{list: " GET , ping,get,ping_inline", want: "ping_inline ping_mbulk get"},
		{list: "xadd,lrange", want: "lrange_100 lrange_300 lrange_500 lrange_600 xadd"},
		{list: "", err: "-t: no test named"},
		{list: "  ", err: "-t: no test named"},
		{list: "set,,get", err: `-t: empty name in "set,,get"`},
		{list: "set,", err: `-t: empty name`},
		{list: "sett,gett", err: `-t: unknown test "sett", did you mean set?`},
		{list: "set get", err: `-t: unknown test "set get", did you mean set?`},
		{list: "set=1", err: `-t: unknown test "set=1", did you mean set?`},
	} {
		got, err := workload.ParseTests(tt.list)
		if tt.err == "" && (err != nil || titles(got) != tt.want) {
			t.Errorf("ParseTests(%q) = %s, %v; want %s", tt.list, titles(got), err, tt.want)
		}
		if tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)) {
			t.Errorf("ParseTests(%q): %v; want %s", tt.list, err, tt.err)
		}
	}
}

func TestParseMix(t *testing.T) {
	for _, tt := range []struct{ in, want, err string }{
		{in: "set", want: "set"},
		{in: "SET = 7", want: "set"},
		{in: "set,get", want: "set=1,get=1"},
		{in: "get=10, set", want: "get=10,set=1"}, // the order is kept
		{in: "lrange=2,xadd=1000000", want: "lrange_100=2,lrange_300=2,lrange_500=2,lrange_600=2,xadd=1000000"},
		{in: "ping", want: "ping_inline=1,ping_mbulk=1"},
		{in: "", err: "--mix: no test named"},
		{in: ",", err: `--mix: empty name in ""`},
		{in: "set=1,", err: `--mix: empty name in ""`},
		{in: "=3", err: `--mix: empty name in "=3"`},
		{in: "gett=1", err: `--mix: unknown test "gett", did you mean get?`},
		{in: "set=0", err: `--mix: weight "0" of "set": a weight is a whole number from 1 to 1000000, such as set=10`},
		{in: "set=", err: `--mix: weight "" of "set"`},
		{in: "set=-1", err: `--mix: weight "-1"`},
		{in: "set=+1", err: `--mix: weight "+1"`},
		{in: "set=1.5", err: `--mix: weight "1.5"`},
		{in: "set=1000001", err: `--mix: weight "1000001"`},
		{in: "set=99999999999999999999", err: `--mix: weight "99999999999999999999"`},
		{in: "set=1=2", err: `--mix: weight "1=2"`},
		{in: "set=1,get=2,SET=3", err: `--mix: set is named twice in "set=1,get=2,SET=3": give it once, with the sum of its weights`},
		{in: "ping,ping_mbulk", err: `--mix: ping_mbulk is named twice`},
	} {
		got, err := workload.ParseMix(tt.in)
		if tt.err == "" && (err != nil || got.String() != tt.want) {
			t.Errorf("ParseMix(%q) = %s, %v; want %s", tt.in, got, err, tt.want)
		}
		if tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)) {
			t.Errorf("ParseMix(%q): %v; want %s", tt.in, err, tt.err)
		}
	}
}

func TestMixStringOfOtherMixes(t *testing.T) {
	if got := (workload.Mix{}).String(); got != "" {
		t.Errorf("empty mix: %q", got)
	}
	if got := workload.Single(workload.Test{Title: "EVAL x"}).String(); got != "EVAL x" {
		t.Errorf("a test outside the catalogue: %q", got)
	}
}

func TestSingleIsWhatParseMixGives(t *testing.T) {
	for _, test := range workload.Catalog() {
		got, err := workload.ParseMix(test.Name())
		if err != nil || !reflect.DeepEqual(got, workload.Single(test)) {
			t.Errorf("%s: %v, %v", test.Name(), got, err)
		}
	}
}

func FuzzParseMix(f *testing.F) {
	for _, seed := range []string{"set", "set=1,get=10", "lrange=3,ping", "set=0", "=", ",", "sett", "set=1,set=2", "SET = 5 ,\tget", "set=\xff", "xadd=1000000"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		mix, err := workload.ParseMix(in)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "--mix: ") || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Fatalf("error %q", err)
			}
			return
		}
		w := workload.Workload{Mix: mix, Payload: 1}
		if err := w.Validate(); err != nil {
			t.Fatalf("ParseMix(%q) took what Validate refuses: %v", in, err)
		}
		again, err := workload.ParseMix(mix.String())
		if err != nil || !reflect.DeepEqual(again, mix) {
			t.Fatalf("%q → %q → %v, %v", in, mix, again, err)
		}
	})
}

func FuzzParseTests(f *testing.F) {
	for _, seed := range []string{"set", "set,get", "ping,lrange", "", ",", "sett,gett", "SET, get ", "set=1", strings.Repeat("x", 300)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		tests, err := workload.ParseTests(in)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "-t: ") || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Fatalf("error %q", err)
			}
			return
		}
		again, err := workload.ParseTests(strings.ReplaceAll(titles(tests), " ", ","))
		if len(tests) == 0 || err != nil || !reflect.DeepEqual(again, tests) {
			t.Fatalf("%q → %s → %s, %v", in, titles(tests), titles(again), err)
		}
	})
}
