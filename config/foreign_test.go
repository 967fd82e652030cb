package config_test

import (
	"bytes"
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
		"-t set -r 100 --sequential --seed 5 --warmup 2 --duration 5",
		"-- set key:__rand_int__ __data__ ; 4 get key:__rand_int__",
		"-e -k 1 --precision 3 -l -t ping",
		"-I -c 100",
		"--cluster -p 7000 --rfr all -q", // valkey-benchmark's
		"--cluster-mode -p 7000 -q",      // memtier's
		"-h localhost --tls --sni redis.example.com --insecure -q",
		"-h localhost --tls --tls-skip-verify -q",
		"-r 10000 -n 10000 lpush mylist __rand_int__",
	} {
		if _, err := config.Parse(strings.Fields(line), env()); err != nil {
			t.Errorf("fullbore %s: %v", line, err)
		}
	}
	for flag, want := range map[string]string{
		"-3":                "speaks RESP2 only",
		"--enable-tracking": "leave it out",
		"--tls-ciphers":     "leaves the ciphers to Go",
		"--tls-protocols":   "--tls-min 1.3",
		"--num-functions":   "FCALL NAME 1 KEY after the flags",
		"--dataset":         "reads no data sets",
		"--fuzz":            "does not fuzz servers",
		"--mptcp":           "TCP and unix sockets only",
		"--test-time":       "--duration 10",
		"--ratio":           "--mix set=1,get=10",
	} {
		_, err := config.Parse([]string{flag, "x"}, env())
		if err == nil || !strings.HasPrefix(err.Error(), flag+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("fullbore %s: %v, want it to say %q", flag, err, want)
		}
	}
}

// TestNoEffect holds that what is accepted for redis-benchmark's sake alone says so.
func TestNoEffect(t *testing.T) {
	for args, want := range map[string]string{
		"-e -q":                   "option -e has no effect",
		"--precision 0":           "--precision has no effect",
		"-x -q -t set":            "option -x has no effect",
		"-t set -q GET key":       "option -t is ignored",
		"-k 0 -t ping":            "-k 0: every batch leaves a closed connection",
		"--precision 3 -k 1 -q":   "",
		"-t set -q":               "",
		"-t set --csv -e GET key": "option -t is ignored: a command is given\nfullbore: option -e",
	} {
		var out bytes.Buffer
		e := env()
		e.Err = &out
		_, err := config.Parse(strings.Fields(args), e)
		if err != nil || !strings.Contains(out.String(), want) || (want == "") != (out.Len() == 0) {
			t.Errorf("fullbore %s: printed %q, %v; want %q", args, out.String(), err, want)
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
