package config_test

import (
	"strings"
	"testing"
	"time"

	"fullbore/config"
	"fullbore/loadgen"
)

// TestWarmup holds the forms of --warmup and when there is one without it: a
// counted run counts from its first request (M12).
func TestWarmup(t *testing.T) {
	auto, none := loadgen.Warmup{Auto: true}, loadgen.Warmup{}
	for _, c := range []struct {
		args string
		env  config.Env
		want loadgen.Warmup
	}{
		{"", env(), none}, // 100k requests per test
		{"-q -t get", env(), none},
		{"--duration 5", env(), auto},
		{"--duration 5 -n 1000", env(), none},
		{"-n 1000", env(), none},
		{"", terminal(), auto},
		{"-n 1000", terminal(), none},
		{"--duration 5 --warmup none", env(), none},
		{"--warmup none", terminal(), none},
		{"--warmup auto -n 1000", env(), auto},
		{"--warmup AUTO", env(), auto},
		{"--warmup 2", env(), loadgen.Warmup{Time: 2 * time.Second}},
		{"--warmup 2s", env(), loadgen.Warmup{Time: 2 * time.Second}},
		{"--warmup=0.25 --duration 1", env(), loadgen.Warmup{Time: 250 * time.Millisecond}},
		{"--warmup 250ms", terminal(), loadgen.Warmup{Time: 250 * time.Millisecond}},
		{"--warmup 0", terminal(), none},
		{"--warmup 0s --duration 1", env(), none},
	} {
		got, err := config.Parse(strings.Fields(c.args), c.env)
		if err != nil || got.Plan.Warmup != c.want {
			t.Errorf("fullbore %s: warm-up %v, %v; want %v", c.args, got.Plan.Warmup, err, c.want)
			continue
		}
		// What a report says was asked for is a form that is read back.
		word := got.Plan.Warmup.String()
		if again, err := config.Parse([]string{"--warmup", word}, env()); err != nil || again.Plan.Warmup != c.want {
			t.Errorf("--warmup %s: %v, %v; want %v", word, again.Plan.Warmup, err, c.want)
		}
	}
}

func TestTimeout(t *testing.T) {
	for args, want := range map[string]time.Duration{
		"":                5 * time.Second,
		"--timeout 2":     2 * time.Second,
		"--timeout=500ms": 500 * time.Millisecond,
		"--timeout 1m30s": 90 * time.Second,
	} {
		got, err := config.Parse(strings.Fields(args), env())
		if err != nil || got.Plan.Stall != want {
			t.Errorf("fullbore %s: %v, %v; want %v", args, got.Plan.Stall, err, want)
		}
	}
}

func TestThreads(t *testing.T) {
	for args, want := range map[string]int{"": 1, "--threads 1": 1, "--threads 4": 4, "--threads=500": 500} {
		for _, e := range []config.Env{env(), terminal()} {
			got, err := config.Parse(strings.Fields(args), e)
			if err != nil || got.Threads != want {
				t.Errorf("fullbore %s: %d threads, %v; want %d", args, got.Threads, err, want)
			}
		}
	}
}

// TestTimingReachesEveryRun holds that tests that run one after another are all
// measured in the same way.
func TestTimingReachesEveryRun(t *testing.T) {
	got, err := config.Parse(strings.Fields("-t set,get,incr --rate 0.5 --warmup 3 --timeout 2 --duration 10"), env())
	if err != nil {
		t.Fatal(err)
	}
	runs := got.Runs()
	if len(runs) != 3 {
		t.Fatalf("%d runs, want 3", len(runs))
	}
	for _, r := range runs {
		p := r.Plan
		if p.Rate != .5 || p.Warmup.Time != 3*time.Second || p.Stall != 2*time.Second || p.Duration != 10*time.Second {
			t.Errorf("%s: rate %v, warm-up %v, timeout %v, duration %v", r.Title, p.Rate, p.Warmup, p.Stall, p.Duration)
		}
	}
}

// TestHelpOfTiming holds that the flags that decide how numbers come about say so.
func TestHelpOfTiming(t *testing.T) {
	help := printed(t, "--help")
	for _, want := range []string{
		"--rate N               requests per second in all: 0.5, 20k (also --rps) (default: no limit)",
		"--warmup TIME          set apart: auto (until steady), none, 2s (default: auto; -n: none)",
		"--timeout TIME         replace a connection that waits this long for a reply (default: 5s)",
		"--threads N            load threads; one: truer tails when the server is local (default: 1)",
	} {
		if !strings.Contains(help, want) {
			t.Errorf("the help lacks %q", want)
		}
	}
}

func FuzzWarmup(f *testing.F) {
	for _, s := range []string{"auto", "none", "0", "2", "2s", "-1", "NaN", "1e300", "1h30m", "0.000000001"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := config.Parse([]string{"--warmup=" + s, "--duration", "1"}, env())
		if err != nil {
			if !strings.Contains(err.Error(), "--warmup takes auto, none") {
				t.Errorf("--warmup %q: %v does not name the flag and its forms", s, err)
			}
			return
		}
		if w := got.Plan.Warmup; w.Auto && w.Time != 0 || w.Time < 0 {
			t.Errorf("--warmup %q: %+v", s, w)
		}
	})
}
