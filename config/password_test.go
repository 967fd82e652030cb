package config_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"fullbore/config"
	"fullbore/loadgen/session"
)

// odd is a password with all that a URI gives a meaning to (C23).
const odd = `p@:/#%?+= w%40"'\`

// TestPasswordFile holds that a file gives its first line, whatever is in it, and one
// way only gives a password.
func TestPasswordFile(t *testing.T) {
	for text, want := range map[string]string{
		odd: odd, odd + "\n": odd, odd + "\r\nsecond line\n": odd, " lead and trail \n": " lead and trail ", "\tx": "\tx",
	} {
		path := passwordFile(t, text)
		for _, args := range [][]string{{"--pass-file", path}, {"--pass-file", path, "-h", "a", "--user", "joe"}, {"-u", "redis://a", "--pass-file=" + path}} {
			var out bytes.Buffer
			e := env("REDISCLI_AUTH=outer")
			e.Err = &out
			if got, err := config.Parse(args, e); err != nil || string(got.Target.Password) != want || out.Len() > 0 {
				t.Errorf("%q in %q: %q, %v, told %q", text, args, string(got.Target.Password), err, out.String())
			}
		}
	}
	empty, long := passwordFile(t, "\nsecond"), passwordFile(t, strings.Repeat("x", 70_000))
	right := passwordFile(t, "s3cret")
	for line, want := range map[string]string{
		"--pass-file /none/x":                        "--pass-file: no such file or directory: it takes a file with the password on its first line",
		"--pass-file " + empty:                       "--pass-file: the first line of " + empty + " is empty: it takes a file with the password on its first line",
		"--pass-file " + long:                        "--pass-file: the first line of " + long + " has more than 65536 bytes: it takes a file with the password on its first line",
		"--pass-file " + t.TempDir():                 "is a directory",
		"-a x --pass-file " + right:                  "-a and --pass-file both give a password: give one of them",
		"--askpass --pass-file " + right:             "--pass-file and --askpass both give a password: give one of them",
		"--askpass -a x":                             "-a and --askpass both give a password: give one of them",
		"-u redis://:y@a --pass-file " + right:       "--pass-file: the URI of -u holds a password already; give it once",
		"-u redis://:y@a --askpass":                  "--askpass: the URI of -u holds a password already; give it once",
		"--server redis-server --pass-file " + right: "--server starts a server of its own: leave out --pass-file",
		"--server redis-server --askpass":            "--server starts a server of its own: leave out --askpass",
	} {
		if _, err := config.Parse(strings.Fields(line), terminal()); err == nil || !strings.HasSuffix(err.Error(), want) && !strings.Contains(err.Error(), want) {
			t.Errorf("fullbore %s\n got %v\nwant %s", line, err, want)
		}
	}
}

// TestPasswordLayers holds that one way of giving a password silences the others in
// layers below.
func TestPasswordLayers(t *testing.T) {
	path := passwordFile(t, "filed")
	for _, c := range []struct{ line, variable, want string }{
		{"-h a", "FULLBORE_PASS_FILE=" + path, "filed"},
		{"-h a -a typed", "FULLBORE_PASS_FILE=" + path, "typed"},
		{"-h a --pass-file " + path, "FULLBORE_PASS=other", "filed"},
		{"-h a --pass-file " + path, "FULLBORE_ASKPASS=true", "filed"},
		{"-u redis://:inner@a", "FULLBORE_PASS_FILE=" + path, "inner"},
		{"-u redis://a", "FULLBORE_PASS_FILE=/none", ""}, // written for another server
	} {
		if got, err := config.Parse(strings.Fields(c.line), env(c.variable)); err != nil || string(got.Target.Password) != c.want {
			t.Errorf("fullbore %s with %s: %v, %v", c.line, c.variable, got.Target, err)
		}
	}
}

// TestExposedPasswordFile holds that a file which everybody can read is used, with a
// remark that names it and not what is in it.
func TestExposedPasswordFile(t *testing.T) {
	path := passwordFile(t, "s3cret")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--pass-file", path}, {"compare", "base", "pass-file=" + path}, {"clean", "--pass-file", path}} {
		var out bytes.Buffer
		e := env()
		e.Err = &out
		got, err := config.Parse(args, e)
		want := fmt.Sprintf("fullbore: --pass-file: everybody on this machine can read %s; chmod 600 makes it yours alone\n", path)
		if err != nil || out.String() != want || len(got.Remarks) != 1 {
			t.Errorf("%q: %v, told %q", args, err, out.String())
		}
	}
}

// asked is a terminal on which somebody types answer, with what is told there.
func asked(answer string, err error) (config.Env, *bytes.Buffer, *int) {
	out, times := new(bytes.Buffer), new(int)
	e := terminal("REDISCLI_AUTH=outer")
	e.Err = out
	e.ReadSecret = func() (string, error) {
		*times++
		return answer, err
	}
	return e, out, times
}

// TestAskPass holds that a password is asked for once, after everything else was found
// in order, and goes to all that the flag is for.
func TestAskPass(t *testing.T) {
	for line, want := range map[string]int{
		"--askpass": 1, "-h a --user joe --askpass": 1, "-s /x --askpass -q": 1, "-u redis://joe@a --askpass": -1, "-u redis://a --tls --askpass": 1,
		"clean --askpass": 1, "--askpass=false -h a": 0,
	} {
		e, out, times := asked(odd, nil)
		got, err := config.Parse(strings.Fields(line), e)
		switch {
		case want < 0: // a name without a colon is a password
			if err == nil || *times > 0 {
				t.Errorf("fullbore %s: %v, asked %d times", line, err, *times)
			}
		case err != nil || *times != want || want == 1 && (string(got.Target.Password) != odd || out.String() != "Password: \n"):
			t.Errorf("fullbore %s: %v, %v, asked %d times, told %q", line, got.Target, err, *times, out.String())
		case want == 0 && string(got.Target.Password) != "outer":
			t.Errorf("fullbore %s: not asked, and not from the environment", line)
		}
	}
	e, _, times := asked(odd, nil)
	got := compared(t, "compare --askpass h=a 'h=b P=2' u=redis://c 'h=d a=own' server=redis-server base", e)
	var passwords []string
	for _, a := range got.Compare.Arms {
		if a.Target != nil {
			passwords = append(passwords, a.Target.Address+" "+string(a.Target.Password))
		}
	}
	if want := "a:6379 " + odd + ",b:6379 " + odd + ",c:6379 outer,d:6379 own"; strings.Join(passwords, ",") != want || *times != 1 || string(got.Target.Password) != odd {
		t.Errorf("arms: %q, asked %d times; want %q", passwords, *times, want)
	}
}

func TestAskPassErrors(t *testing.T) {
	const instead = "give --pass-file FILE, or set REDISCLI_AUTH"
	for _, c := range []struct {
		line, answer string
		err          error
		pipe         bool
		want         string
		times        int
	}{
		{"--askpass", "", nil, false, "--askpass: no password was given: leave it out where the server has none", 1},
		{"--askpass", "", errors.New("input/output error"), false, "--askpass: input/output error", 1},
		{"--askpass", "x", nil, true, "--askpass: stdin is no terminal to ask on: " + instead, 0},
		{"--askpass -q -x SET a", "x", nil, false, "--askpass: -x has stdin for the last argument: " + instead, 0},
		{"--askpass -c 0", "x", nil, false, "-c takes", 0},
		{"--askpass --insecure", "x", nil, false, "--insecure says how TLS is done", 0},
		{"compare --askpass P=0 P=1", "x", nil, false, "-P takes", 0},
		{"compare base askpass", "x", nil, false, "askpass=: arms cannot differ in it: the password is asked for once", 0},
		{"clean --askpass extra", "x", nil, false, "clean: it takes flags only", 0},
	} {
		e, _, times := asked(c.answer, c.err)
		e.InIsTerminal = !c.pipe
		if _, err := config.Parse(strings.Fields(c.line), e); err == nil || !strings.Contains(err.Error(), c.want) || *times != c.times {
			t.Errorf("fullbore %s: %v, asked %d times\nwant %s", c.line, err, *times, c.want)
		}
	}
	e, _, _ := asked("", session.ErrInterrupted)
	if _, err := config.Parse([]string{"--askpass"}, e); !errors.Is(err, session.ErrInterrupted) {
		t.Errorf("ctrl+c: %v", err)
	}
	if _, err := config.Parse([]string{"--askpass"}, terminal()); err == nil || !strings.Contains(err.Error(), "no terminal") {
		t.Errorf("nothing to read from: %v", err)
	}
}
