package insight

import (
	"math"
	"testing"
	"time"
)

func TestProcessors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Told[Processors]
	}{
		{"all fields", "cpu  10 1 5 80 2 1 1 3 9 9\ncpu0 1 2\ncpu1 1 2\nintr 5\ncpu9 1\n", Tell(Processors{Total: 103, Idle: 82, Steal: 3, Count: 2})},
		{"an old kernel", "cpu 10 1 5 80\n", Tell(Processors{Total: 96, Idle: 80})},
		{"too few", "cpu 10 1 5\n", Told[Processors]{}},
		{"another line first", "intr 1\ncpu 1 1 1 1\n", Told[Processors]{}},
		{"negative", "cpu 10 -1 5 80\n", Told[Processors]{}},
		{"too large", "cpu 10 1 5 9223372036854775807\n", Told[Processors]{}},
		{"nothing", "", Told[Processors]{}},
	} {
		if got := processors(c.text); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestSpent: idle time may fall by a tick, and no share leaves 0 to 1.
func TestSpent(t *testing.T) {
	at := func(total, idle, steal int64) Told[Processors] {
		return Tell(Processors{Total: total, Idle: idle, Steal: steal})
	}
	for _, c := range []struct {
		name        string
		a, b        Told[Processors]
		busy, steal Told[float64]
	}{
		{"a quarter idle", at(100, 50, 0), at(200, 75, 10), Tell(0.75), Tell(0.1)},
		{"idle fell", at(100, 50, 0), at(200, 49, 0), Tell(1.0), Tell(0.0)},
		{"more idle than time", at(100, 50, 0), at(110, 90, 0), Tell(0.0), Tell(0.0)},
		{"no time", at(100, 50, 0), at(100, 50, 0), Told[float64]{}, Told[float64]{}},
		{"stolen time fell", at(100, 50, 9), at(200, 60, 1), Told[float64]{}, Told[float64]{}},
		{"not told", Told[Processors]{}, at(200, 60, 1), Told[float64]{}, Told[float64]{}},
	} {
		if busy, steal := spent(c.a, c.b); busy != c.busy || steal != c.steal {
			t.Errorf("%s: %+v %+v", c.name, busy, steal)
		}
	}
}

func TestSmallFiles(t *testing.T) {
	type wait = Told[Scheduled]
	for text, want := range map[string]wait{
		"700 300 2\n": Tell(Scheduled{700, 300}), "700 300": Tell(Scheduled{700, 300}), "700": {}, "": {}, "x 1 1": {}, "1 -1 1": {},
	} {
		if got := scheduled(text); got != want {
			t.Errorf("schedstat %q: %+v", text, got)
		}
	}
	for text, want := range map[string]Told[time.Duration]{
		"some avg10=0.00 avg60=0.00 avg300=0.00 total=7\nfull avg10=0 total=9\n": Tell(7 * time.Microsecond),
		"full avg10=0 total=9\nsome avg10=0.00 total=7":                          Tell(7 * time.Microsecond),
		"full avg10=0 total=9": {}, "some": {}, "some total=-1": {}, "some total=x": {}, "": {},
	} {
		if got := pressure(text); got != want {
			t.Errorf("pressure %q: %+v", text, got)
		}
	}
	for list, want := range map[string]Told[int]{
		"0": Tell(1), "0-7": Tell(8), "0,2-3": Tell(3), "0-3,8,10-11": Tell(7),
		"": {}, "x": {}, "3-1": {}, "0-": {}, "-1": {}, "0-99999999": {}, "0,,1": {},
	} {
		if got := counting(list); got != want {
			t.Errorf("list %q: %+v", list, got)
		}
	}
	for text, want := range map[string]Told[Throttle]{
		"nr_throttled 3\nthrottled_usec 5\n": Tell(Throttle{3, 5 * time.Microsecond}),
		"nr_throttled 3\nthrottled_time 5\n": Tell(Throttle{3, 5}),
		"nr_throttled 3\n":                   Tell(Throttle{3, 0}),
		"usage_usec 3\n":                     {}, "nr_throttled -3\n": {}, "nr_throttled 9223372036854775807": {}, "": {},
	} {
		if got := throttle(text); got != want {
			t.Errorf("cpu.stat %q: %+v", text, got)
		}
	}
}

func TestMemberships(t *testing.T) {
	got := memberships("12:cpuset:/a\n4:cpuacct,cpu:/b:with:colons\n0::/c\nx\n5:memory\n0::relative\n")
	if len(got) != 2 || got[1] != "/b:with:colons" || got[2] != "/c" {
		t.Errorf("%v", got)
	}
	dirs := groupMount{version: 2, root: "/", point: "/sys/fs/cgroup"}.dirs("/a/../../b/./c")
	if len(dirs) != 3 || dirs[0] != "sys/fs/cgroup/b/c" || dirs[2] != "sys/fs/cgroup" {
		t.Errorf("%v", dirs)
	}
}

// TestRuntime works out by hand what two looks at the Go runtime differ by.
func TestRuntime(t *testing.T) {
	bound := []float64{math.Inf(-1), 0, 1e-6, 1e-3, math.Inf(1)}
	at := func(counts ...uint64) spread { return spread{counts, bound} }
	a := RuntimeReading{sched: at(0, 100, 0, 0), pauses: at(0, 1, 1, 0)}
	b := RuntimeReading{sched: at(0, 190, 9, 1), pauses: at(0, 1, 3, 1)}
	sched, gc := b.since(a)
	if sched != Tell(time.Millisecond) {
		t.Errorf("99 of 100 goroutines waited up to %+v", sched)
	}
	// Two pauses of at most a millisecond, and one of at least one.
	if gc != Tell(Pauses{Count: 3, Total: 3 * time.Millisecond, Worst: time.Millisecond}) {
		t.Errorf("pauses %+v", gc)
	}
	if sched, gc := b.since(b); sched.Known || gc != Tell(Pauses{}) {
		t.Errorf("nothing happened: %+v %+v", sched, gc)
	}
	for name, other := range map[string]RuntimeReading{
		"fell": {sched: at(0, 900, 0, 0), pauses: at(9, 9, 9, 9)}, "of another version": {sched: at(1), pauses: at(1)}, "nothing": {},
	} {
		if sched, gc := b.since(other); sched.Known || gc.Known {
			t.Errorf("%s: %+v %+v", name, sched, gc)
		}
	}
	if low := (spread{[]uint64{5}, []float64{math.Inf(-1), -1}}).upper(0); low != 0 {
		t.Errorf("a time below nothing: %v", low)
	}
}

func TestWords(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0 %", 0.0004: "0 %", 0.004: "0.4 %", 0.0177: "1.8 %", 0.05: "5 %", 0.0996: "10 %", 0.97: "97 %", 1: "100 %", 3.8: "380 %",
	} {
		if got := percent(v); got != want {
			t.Errorf("percent(%v) = %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{
		0: "0", 5: "5", 943: "943", 999.4: "999", 999.9: "1 k", 1204: "1.2 k", 14_280: "14.3 k", 142_857: "143 k", 999_600: "1 M", 1.25e9: "1.25 G", 0.25: "0.25",
	} {
		if got := amount(v); got != want {
			t.Errorf("amount(%v) = %q, want %q", v, got, want)
		}
	}
	for v, want := range map[time.Duration]string{
		0: "0 us", 12 * time.Microsecond: "12 us", 99_900: "99.9 us", 350 * time.Microsecond: "0.35 ms", 1060 * time.Microsecond: "1.06 ms",
		640 * time.Millisecond: "640 ms", 1200 * time.Millisecond: "1.2 s", 90 * time.Second: "90 s",
	} {
		if got := brief(v); got != want {
			t.Errorf("brief(%v) = %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{1: "1 core", 2: "2 cores", 0.5: "0.5 cores", 2.5: "2.5 cores", 64: "64 cores"} {
		if got := cores(v); got != want {
			t.Errorf("cores(%v) = %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{117_500_000: "940 Mbit/s", 125e6: "1 Gbit/s", 10: "80 bit/s"} {
		if got := bits(v); got != want {
			t.Errorf("bits(%v) = %q, want %q", v, got, want)
		}
	}
	for text, want := range map[string]string{"": "", " ERR a \r\n b": "ERR a", "\n": ""} {
		if got := line(text); got != want {
			t.Errorf("line(%q) = %q", text, got)
		}
	}
}
