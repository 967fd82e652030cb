package insight_test

import (
	"maps"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/insight"
)

const us = time.Microsecond

func TestParse(t *testing.T) {
	type calls = map[string]insight.Call
	none := insight.Reading{Commands: -1, Main: -1}
	for _, c := range []struct {
		name, info string
		want       insight.Reading
	}{
		{"nothing", "", none},
		{"no INFO", "-NOPERM this user has no permissions\r\n\x00:::\n=", none},
		{"Redis 7", "# Server\r\nredis_version:7.0.15\r\nrun_id:ab12\r\n\r\n# Stats\r\ntotal_commands_processed:12\r\n# CPU\r\n" +
			"used_cpu_sys:9.5\r\nused_cpu_user:8.5\r\nused_cpu_sys_children:7.0\r\nused_cpu_sys_main_thread:1.25\r\nused_cpu_user_main_thread:0.5\r\n" +
			"# Commandstats\r\ncmdstat_config|get:calls=2,usec=9,usec_per_call=4.50,rejected_calls=0,failed_calls=0\r\n" +
			"cmdstat_GET:calls=10,usec=21,usec_per_call=2.10\r\n",
			insight.Reading{RunID: "ab12", Commands: 12, Main: 1750 * time.Millisecond,
				Calls: calls{"config|get": {Calls: 2, Time: 9 * us}, "get": {Calls: 10, Time: 21 * us}}}},
		{"Redis 5, nothing of the main thread", "run_id:x\nused_cpu_sys:1.5\nused_cpu_user:2.0\nused_cpu_user_children:8\n",
			insight.Reading{RunID: "x", Commands: -1, Main: 3500 * time.Millisecond, Whole: true}},
		{"half of the main thread", "used_cpu_sys:1\nused_cpu_user:2\nused_cpu_sys_main_thread:0.5\n",
			insight.Reading{Commands: -1, Main: 3 * time.Second, Whole: true}},
		{"half of the process", "used_cpu_sys:1\n", none},
		{"nothing ran yet", "# CPU\n# Commandstats\n\n# Keyspace\n", insight.Reading{Commands: -1, Main: -1, Calls: calls{}}},
		{"fractions", "cmdstat_set:calls=3,usec=4.5\n", insight.Reading{Commands: -1, Main: -1, Calls: calls{"set": {Calls: 3, Time: 4500}}}},
		{"other order, blanks", "  cmdstat_set:usec=7,p50=1,calls=3  \r", insight.Reading{Commands: -1, Main: -1, Calls: calls{"set": {Calls: 3, Time: 7 * us}}}},
		{"lines that are none", "cmdstat_set:calls=3\ncmdstat_get:usec=3\ncmdstat_:calls=1,usec=1\ncmdstat_x:calls=-1,usec=1\ncmdstat_y:calls=1,usec=-1\ncmdstat_z:nonsense\n", none},
		{"negative and no numbers", "total_commands_processed:-5\nused_cpu_sys:-1\nused_cpu_user:NaN\nused_cpu_sys_main_thread:Inf\nused_cpu_user_main_thread:x\n", none},
		{"too large", "total_commands_processed:99999999999999999999\nused_cpu_sys:1e30\nused_cpu_user:9e18\ncmdstat_a:calls=1,usec=1e300\ncmdstat_b:calls=9e3,usec=1\n", none},
		{"large", "total_commands_processed:9223372036854775807\ncmdstat_a:calls=9223372036854775807,usec=4000000000000000\n",
			insight.Reading{Commands: math.MaxInt64, Main: -1, Calls: calls{"a": {Calls: math.MaxInt64, Time: 4e15 * us}}}},
	} {
		if got := insight.Parse(c.info); !same(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func same(a, b insight.Reading) bool {
	return a.RunID == b.RunID && a.Commands == b.Commands && a.Main == b.Main && a.Whole == b.Whole &&
		maps.Equal(a.Calls, b.Calls) && (a.Calls == nil) == (b.Calls == nil)
}

// recorded reads what a Redis 7.0.15 said around a load of 50 clients with one
// command on one machine: "get-p1" is 150 000 times GET at P=1.
func recorded(t testing.TB, name string) (before, after insight.Reading) {
	t.Helper()
	read := func(when string) insight.Reading {
		text, err := os.ReadFile("testdata/" + name + "-" + when + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		return insight.Parse(string(text))
	}
	return read("before"), read("after")
}

func TestParseRecorded(t *testing.T) {
	_, after := recorded(t, "get-p1")
	want := insight.Reading{
		RunID: "df18137511c759787c1f31c63e552b48218e4bfb", Commands: 340_019, Main: 2_093_857*us + 307_198*us,
		Calls: map[string]insight.Call{
			"config|get": {Calls: 6, Time: 25 * us}, "set": {Calls: 170_000, Time: 34_787 * us},
			"info": {Calls: 15, Time: 461 * us}, "get": {Calls: 170_000, Time: 21_582 * us},
		},
	}
	if !same(after, want) {
		t.Errorf("%+v, want %+v", after, want)
	}
}

// FuzzParse: whatever a server says, figures are told or not, and can be subtracted
// and added up.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"get-p1-after", "set-p16-before"} {
		text, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), strings.ReplaceAll(string(text), "0", "1"))
	}
	f.Add("", "total_commands_processed:1")
	f.Add("cmdstat_a:calls=1,usec=4611686018427387", "cmdstat_a:calls=9223372036854775807,usec=4611686018427387\nused_cpu_sys:4e9\nused_cpu_user:4e9")
	f.Fuzz(func(t *testing.T, one, two string) {
		a, b := insight.Parse(one), insight.Parse(two)
		for _, r := range []insight.Reading{a, b} {
			if r.Commands < -1 || r.Main < -1 || r.Whole && r.Main < 0 {
				t.Fatalf("%+v", r)
			}
			for name, c := range r.Calls {
				if name == "" || name != strings.ToLower(name) || c.Calls < 0 || c.Time < 0 {
					t.Fatalf("%q %+v", name, c)
				}
			}
		}
		d, ok := insight.Between(a, b)
		if !ok {
			return
		}
		if d.Commands < 0 || d.Main < 0 {
			t.Fatalf("%+v", d)
		}
		for name, c := range d.Calls {
			if c.Calls <= 0 || c.Time < 0 {
				t.Fatalf("%q %+v", name, c)
			}
			if share, known := d.Share(name); known && !(share > 0 && share <= 1) {
				t.Fatalf("share of %q: %v", name, share)
			}
		}
		if self, ok := insight.Between(a, a); !ok || self.Commands != 0 || self.Main != 0 || len(self.Calls) != 0 {
			t.Fatalf("between a reading and itself: %+v", self)
		}
	})
}
