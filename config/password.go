package config

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"fullbore/loadgen/target"
)

// credentials come from one place: which of two passwords was meant nobody knows,
// and the wrong one may lock an account.
//
// They come from the URI or the flags, never from both; the environment fills in a
// password that neither gives. One that is asked for comes at the very end, see ask.
func (o *options) credentials(t *target.Target, env Env) error {
	ways := o.passwordFlags()
	switch {
	case len(ways) > 1:
		return fmt.Errorf("%s and %s both give a password: give one of them", ways[0], ways[1])
	case len(ways) > 0 && t.Password != "":
		return fmt.Errorf("%s: the URI of -u holds a password already; give it once", ways[0])
	case o.given("user") && t.Username != "":
		return errors.New("--user: the URI of -u names a user already; give it once")
	}
	preset(o, "user", &o.user, t.Username)
	preset(o, "pass", &o.password, string(t.Password))
	t.Username, t.Password = o.user, target.Secret(o.password)
	if o.given("pass-file") {
		var err error
		if t.Password, err = o.fromFile(); err != nil {
			return err
		}
	}
	if t.Password == "" && !o.askPass {
		t.Password = target.Secret(env.get(authVariable))
	}
	if t.Username != "" && t.Password == "" && !o.askPass {
		return fmt.Errorf("user %q: --user needs a password: give -a PASSWORD, --pass-file FILE or --askpass, or set %s", t.Username, authVariable)
	}
	return nil
}

// passwordFlags are those that were given.
func (o *options) passwordFlags() []string {
	given := o.givenOf("pass", "pass-file")
	if o.askPass {
		given = append(given, "--askpass")
	}
	return given
}

// longestPassword is more than any server takes, and less than a file has that was
// named by mistake.
const longestPassword = 64 << 10

// fromFile is the first line of --pass-file. A file that others can read is remarked
// upon, once.
func (o *options) fromFile() (target.Secret, error) {
	wrong := func(err error) error {
		return fmt.Errorf("--pass-file: %w: it takes a file with the password on its first line", err)
	}
	f, err := os.Open(o.passFile)
	if err != nil {
		// A path that is none may be the password itself, and is not repeated.
		var told *fs.PathError
		if errors.As(err, &told) {
			err = told.Err
		}
		return "", wrong(err)
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, longestPassword+1)).ReadString('\n')
	line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return "", wrong(err)
	case len(line) > longestPassword:
		return "", wrong(fmt.Errorf("the first line of %s has more than %d bytes", o.passFile, longestPassword))
	case line == "":
		return "", wrong(fmt.Errorf("the first line of %s is empty", o.passFile))
	}
	// A pipe or a device belongs to whoever made it.
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && readByOthers(info.Mode().Perm()) {
		o.exposed = o.passFile
	}
	return target.Secret(line), nil
}

// ask reads the password for everything that --askpass is to open, once.
func (o *options) ask(env Env) error {
	if len(o.asking) == 0 {
		return nil
	}
	const instead = "give --pass-file FILE, or set " + authVariable
	switch {
	case o.stdin:
		return errors.New("--askpass: -x has stdin for the last argument: " + instead)
	case !env.InIsTerminal || env.ReadSecret == nil:
		return errors.New("--askpass: stdin is no terminal to ask on: " + instead)
	}
	if _, err := fmt.Fprint(env.Err, "Password: "); err != nil {
		return fmt.Errorf("--askpass: %w", err)
	}
	line, err := env.ReadSecret()
	fmt.Fprintln(env.Err) // the user's own was not shown; where this fails, so does the next line
	switch {
	case err != nil:
		return fmt.Errorf("--askpass: %w", err)
	case line == "":
		return errors.New("--askpass: no password was given: leave it out where the server has none")
	}
	for _, t := range o.asking {
		t.Password = target.Secret(line)
	}
	return nil
}
