package config_test

import (
	"strings"
	"testing"

	"fullbore/config"
)

// TestFlagsOfRedisBenchmark holds that whoever brings a command line of
// redis-benchmark's either has it understood or hears what fullbore does instead.
func TestFlagsOfRedisBenchmark(t *testing.T) {
	for _, line := range []string{
		"-h 127.0.0.1 -p 6379 -c 50 -n 100000 -d 3 -q",
		"-s /tmp/redis.sock -a secret --user joe --dbnum 2",
		"-u redis://joe:secret@127.0.0.1:6379/2 --threads 4",
		"-r 100000 -P 16 -t set,lpush --csv",
		"-P16 -c10 -qt get",
		"--rps 10000 --duration 10", // valkey-benchmark's
	} {
		if _, err := config.Parse(strings.Fields(line), env()); err != nil {
			t.Errorf("fullbore %s: %v", line, err)
		}
	}
	for flag, want := range map[string]string{
		"-l":                "a long --duration",
		"-k":                "connections are kept alive",
		"-e":                "errors are always counted by code",
		"-3":                "fullbore speaks RESP2",
		"--precision":       "latencies have three significant digits",
		"-I":                "fullbore cannot do this",
		"-x":                "fullbore cannot do this",
		"--cluster":         "fullbore cannot do this",
		"--enable-tracking": "fullbore cannot do this",
		"--tls":             "fullbore cannot do this",
		"--sequential":      "fullbore cannot do this",
	} {
		_, err := config.Parse([]string{flag}, env())
		if err == nil || !strings.HasPrefix(err.Error(), "unknown flag "+flag+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("fullbore %s: %v, want it to say %q", flag, err, want)
		}
	}
}

// TestHelpSwitch holds that cobra's own flag answers in the words of all others.
func TestHelpSwitch(t *testing.T) {
	_, err := config.Parse([]string{"--help=maybe"}, env())
	if err == nil || !strings.Contains(err.Error(), "--help takes no value") {
		t.Errorf("--help=maybe: %v", err)
	}
}

// TestGivenTwice holds that the last of two values counts, as with every tool of
// this kind: people put a change at the end of a line they repeat.
func TestGivenTwice(t *testing.T) {
	got, err := config.Parse(strings.Fields("-c 5 --rate 10 --warmup 3 -c 7 --rps 20 --warmup none --duration 1"), env())
	if err != nil || got.Plan.Clients != 7 || got.Plan.Rate != 20 || got.Plan.Warmup.String() != "none" {
		t.Errorf("%s, warm-up %v, %v", describe(got), got.Plan.Warmup, err)
	}
}

// TestSwitchValues holds that a switch with a value is read like any other flag.
func TestSwitchValues(t *testing.T) {
	for args, want := range map[string]string{
		"--csv=true": "csv", "--csv=false": "text", "--json=1": "json", "--quiet=0": "text", "--csv=false --json": "json",
	} {
		got, err := config.Parse(strings.Fields(args), env())
		if err != nil || got.Format != want {
			t.Errorf("fullbore %s: format %q, %v; want %s", args, got.Format, err, want)
		}
	}
}

// TestNothingToPrintTo holds that a caller without streams loses only the text.
func TestNothingToPrintTo(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"--version"}} {
		if got, err := config.Parse(args, config.Env{}); err != nil || !got.Done {
			t.Errorf("fullbore %v: Done %v, %v", args, got.Done, err)
		}
	}
}
