package config_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"fullbore/config"
)

// profiled is env with one profile, nightly, and these variables.
func profiled(text string, variables ...string) config.Env {
	e := env(append(variables, "HOME=/home/joe")...)
	e.ReadFile = func(path string) ([]byte, error) {
		switch path {
		case "/home/joe/.config/fullbore/nightly.conf", "/xdg/fullbore/nightly.conf":
			return []byte(text), nil
		case "/home/joe/.config/fullbore/locked.conf":
			return nil, errors.New("permission denied")
		}
		return nil, fs.ErrNotExist
	}
	return e
}

// TestPrecedence holds default < profile < environment < command line, for single
// flags and for those that say the same thing in another way.
func TestPrecedence(t *testing.T) {
	const text = "# nightly\n\n--clients 10\n  -P 2 -t set,get\n--csv\n"
	for _, c := range []struct {
		args      string
		variables []string
		want      string
	}{
		{"--profile nightly", nil, "csv c=10 P=2 d=3 r=0 n=100000 tests=SET+GET"},
		{"", []string{"FULLBORE_PROFILE=nightly"}, "csv c=10 P=2 d=3 r=0 n=100000 tests=SET+GET"},
		{"", []string{"FULLBORE_CLIENTS=20"}, "text c=20 P=1 d=3 r=0 n=100000 tests=all"},
		{"--profile nightly", []string{"FULLBORE_CLIENTS=20"}, "csv c=20 P=2 d=3 r=0 n=100000 tests=SET+GET"},
		{"--profile nightly -c 30", []string{"FULLBORE_CLIENTS=20"}, "csv c=30 P=2 d=3 r=0 n=100000 tests=SET+GET"},
		{"--profile nightly --json", nil, "json c=10 P=2 d=3 r=0 n=100000 tests=SET+GET"},
		{"--profile nightly", []string{"FULLBORE_QUIET=true"}, "quiet c=10 P=2 d=3 r=0 n=100000 tests=SET+GET"},
		{"--profile nightly --csv=false", nil, "text c=10 P=2 d=3 r=0 n=100000 tests=SET+GET"},
		{"--profile nightly --mix get", nil, "csv c=10 P=2 d=3 r=0 n=100000 mix=get"},
		{"--profile nightly -n 5 GET a", []string{"FULLBORE_MIX=set"}, "csv c=10 P=2 d=3 r=0 n=5 mix=GET a"},
		{"-n 5", []string{"FULLBORE_CLIENTS=", "FULLBORE_KEYSPACE=1k"}, "text c=50 P=1 d=3 r=1000 n=5 tests=all"},
	} {
		got, err := config.Parse(strings.Fields(c.args), profiled(text, c.variables...))
		if err != nil || describe(got) != c.want {
			t.Errorf("fullbore %s with %v: %s, %v\nwant %s", c.args, c.variables, describe(got), err, c.want)
		}
	}
}

// TestProfiledServer holds that another server on the command line takes the place
// of the profile's, whichever way each of them is named.
func TestProfiledServer(t *testing.T) {
	for args, want := range map[string]string{
		"":                 "10.0.0.5:7000",
		"-h ::1":           "[::1]:7000",
		"-u redis://other": "other:6379",
		"-s /tmp/x":        "/tmp/x",
	} {
		got, err := config.Parse(append(strings.Fields(args), "--profile", "nightly"), profiled("-h 10.0.0.5 -p 7000\n-a 'two words' --user joe"))
		if err != nil || got.Target.String() != want {
			t.Errorf("fullbore %s: %v, %v; want %s", args, got.Target, err, want)
		}
		if secret := string(got.Target.Password); args == "" && secret != "two words" || strings.HasPrefix(args, "-u") && secret != "" {
			t.Errorf("fullbore %s: the wrong password", args)
		}
	}
	got, err := config.Parse([]string{"--profile", "nightly", "-h", "10.0.0.6"}, profiled("-s /tmp/x"))
	if err != nil || got.Target.String() != "10.0.0.6:6379" {
		t.Errorf("-h over a profile's socket: %v, %v", got.Target, err)
	}
	got, err = config.Parse([]string{"--profile", "nightly", "--server", "builtin"}, profiled("-h 10.0.0.5 -a x"))
	if err != nil || got.Target != nil || got.Server != "builtin" {
		t.Errorf("--server: %v, %v", got.Target, err)
	}
	got, err = config.Parse([]string{"--profile", "nightly"}, profiled("-h 10.0.0.6", "XDG_CONFIG_HOME=/xdg"))
	if err != nil || got.Target.String() != "10.0.0.6:6379" {
		t.Errorf("XDG_CONFIG_HOME: %v, %v", got.Target, err)
	}
}

// TestLayerErrors holds that a fault is found where it was written, and that
// nothing of a line is repeated that may be a password.
func TestLayerErrors(t *testing.T) {
	const path = "/home/joe/.config/fullbore/nightly.conf"
	for _, c := range []struct {
		text, variable, want string
	}{
		{"-c 5\n\n# x\n--clients many\n", "", path + `:4: clients "many": -c takes`},
		{"--clinets 5", "", path + ":1: unknown flag --clinets: did you mean --clients?"},
		{"clients 5", "", path + ":1: a word is no flag"},
		{"-c 5 GET s3cret", "", path + ":1: a word is no flag"},
		{"-a 's3cret", "", path + ":1: a quote is not closed"},
		{"--pipeline", "", path + ":1: -P needs a value: -P N"},
		{"--profile other", "", path + ":1: --profile belongs on the command line"},
		{"-qv", "", path + ":1: --version belongs on the command line"},
		{"--help", "", path + ":1: --help belongs on the command line"},
		{"--dataset x", "", path + ":1: --dataset: fullbore reads no data sets"},
		{"-u s3cret -c x", "", path + ":1: clients"},
		{"--csv\n--json", "", "--json: the report is to be csv already"},
		{"", "FULLBORE_CLIENTS=many", `FULLBORE_CLIENTS: clients "many": -c takes`},
		{"", "FULLBORE_CSV=maybe", `FULLBORE_CSV: csv "maybe": --csv takes`},
		{"", "FULLBORE_HOST=redis://:s3cret@x", `FULLBORE_HOST: host: -h takes`},
		{"", "FULLBORE_TESTS=sett", `FULLBORE_TESTS: -t: unknown test "sett", did you mean set?`},
	} {
		_, err := config.Parse([]string{"--profile", "nightly", "-n", "5"}, profiled(c.text, c.variable))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q %s: %v\nwant %s", c.text, c.variable, err, c.want)
		}
	}
	for name, want := range map[string]string{
		"weekly": `profile "weekly": there is no file /home/joe/.config/fullbore/weekly.conf; it takes a flag on each line`,
		"locked": `profile "locked": permission denied`,
		"a/b":    `profile "a/b": --profile takes a name`,
		".x":     `profile ".x": --profile takes a name`,
	} {
		if _, err := config.Parse([]string{"--profile", name}, profiled("")); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("--profile %s: %v\nwant %s", name, err, want)
		}
	}
}

func FuzzProfile(f *testing.F) {
	for _, s := range []string{"-c 5\n#x\n--csv", "--", "-a 'x", "GET a", "-", "--=\n-=", "-h x -u y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := config.Parse([]string{"--profile", "nightly"}, profiled(text))
		if err == nil && (c.Done || len(c.Runs()) == 0) {
			t.Errorf("%q: nothing to run", text)
		}
	})
}
