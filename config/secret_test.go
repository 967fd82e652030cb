package config_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"fullbore/config"
)

// TestPasswordNeverRepeated tries the ways in which a password ends up where it
// does not belong (M31, C23).
func TestPasswordNeverRepeated(t *testing.T) {
	const password = "s3cr:et@wo/rd"
	for _, args := range [][]string{
		{"-a", password, "-n", "0"},
		{"-a" + password, "--bogus"},
		{"-a", password, "--user", ""},
		{"-a", "first", password},
		{"-z" + password},
		{"-z", password},
		{"--=" + password},
		{"--bogus=" + password},
		{"--bogus", password},
		{"-qz" + password},
		{"-u", password},
		{"-u", "redis://:" + password + "@localhost"},
		{"-u", "redis://" + password},
		{"-u", "redis://joe:" + password + "@localhost:port/x"},
		{"-u", "rediss://joe:" + password + "@localhost"},
		{"-u", "redis://x:y@localhost", "-a", password},
		{"-u", "redis://localhost", "-a", password, "-h", "x"},
		{"-h", "redis://:" + password + "@localhost"},
		{"-h", password},
		{"--server", "builtin", "-a", password},
		{"--pass-file", password},
		{"--pass-file=" + password, "-u", "redis://a"},
		{"-a", password, "--askpass"},
		{"-a", password, "--tls", "--cacert", "/none"},
		{"-a", password, "--cluster", "--dbnum", "2"},
		{"clean", "-a", password, "-c", "5"},
		{"clean", "-a", password, password},
		{"-u", "valkeys://:" + password + "@localhost", "--tls=false"},
		{"-a", password, "--help"},
		{"-a", password, "--version"},
		{"-a", password, "-t", "sett"},
		{"--user", "joe", "-a", password, "--dbnum", "x"},
	} {
		var out bytes.Buffer
		e := env()
		e.Out, e.Err = &out, &out
		c, err := config.Parse(args, e)
		if err == nil && !c.Done {
			t.Errorf("a command line that should fail did not: %d arguments, first %s", len(args), args[0])
		}
		all := fmt.Sprint(err) + out.String() + fmt.Sprintf("%v %+v %#v", c, c, c)
		for _, part := range []string{password, "s3cr", "et@wo", "wo/rd"} {
			if strings.Contains(all, part) {
				t.Errorf("arguments starting with %.3s…: the password was repeated: %s", args[0], all)
			}
		}
	}
}

func TestEnvironmentPasswordNeverRepeated(t *testing.T) {
	const password = "s3cr:et@wo/rd"
	for _, args := range []string{"", "-h x", "--help", "-n 0", "-u redis://x:y@z -a b", "--server builtin"} {
		var out bytes.Buffer
		e := env("REDISCLI_AUTH=" + password)
		e.Out, e.Err = &out, &out
		c, err := config.Parse(strings.Fields(args), e)
		if all := fmt.Sprint(err) + out.String() + fmt.Sprintf("%v %+v %#v", c, c, c); strings.Contains(all, "s3cr") {
			t.Errorf("fullbore %s: the password was repeated: %s", args, all)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"-q", "-n 100k -c50", "--mix set=1,get=10", "-u redis://x", "--= -x --", "-h [::1] -p1", "__complete -", "-?", "clean --key-prefix ab", "--cluster --rfr all -p 7", "--tls --sni a --insecure --tls-min 1.3", "-u rediss://:a@b --pass-file x", "compare base tls"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, " ")
		c, err := config.Parse(args, env())
		if err != nil || c.Done {
			return
		}
		runs := c.Runs()
		if len(runs) == 0 {
			t.Fatalf("%q: nothing to run", args)
		}
		for _, r := range runs {
			if err := r.Plan.Validate(); err != nil {
				t.Errorf("%q: %v", args, err)
			}
		}
	})
}
