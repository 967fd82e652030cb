package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// alias gives flags the other names that users of other tools know them by.
func alias(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "rps":
		name = "rate"
	case "fps":
		name = "hz"
	case "password":
		name = "pass"
	case "rfr":
		name = replicasName
	case "cluster-mode":
		name = "cluster"
	case "tls-skip-verify":
		name = "insecure"
	}
	return pflag.NormalizedName(name)
}

// explain puts pflag's errors into fullbore's words: the flag, what was wrong and
// a form it takes. pflag repeats whole arguments, and with them passwords; these
// texts are made from the parts that cannot hold one.
func explain(err error, groups []group) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	switch {
	case errors.As(err, &unknown):
		return errors.New(unknownFlag(unknown, groups))
	case errors.As(err, &missing):
		f := find(missing.GetFlag().Name, groups)
		text := fmt.Sprintf("%s needs a value: %s %s", f.written(), f.written(), f.arg)
		if f.name == "host" {
			text += " (help is --help or -?)"
		}
		return errors.New(text)
	case errors.As(err, &invalid):
		return invalidValue(find(invalid.GetFlag().Name, groups), invalid)
	}
	return errors.New("an argument is not a flag that can be read; fullbore --help lists them")
}

// invalidValue names the flag, what was given and what it takes.
func invalidValue(f flag, err *pflag.InvalidValueError) error {
	switch {
	case f.bind.takes == "": // its parser names the flag and tells more than a form could
		return err.Unwrap()
	case f.bind.private:
		return fmt.Errorf("%s: %s takes %s", f.name, f.written(), f.bind.takes)
	}
	return fmt.Errorf("%s %q: %s takes %s", f.name, err.GetValue(), f.written(), f.bind.takes)
}

// unknownFlag helps on: with the nearest name, or with what fullbore does instead.
func unknownFlag(err *pflag.NotExistError, groups []group) string {
	name := err.GetSpecifiedName()
	given := "--" + name
	if err.GetSpecifiedShortnames() != "" {
		given = "-" + name
	}
	// The rest of a cluster of letters is left out: in -xsecret it is a value.
	if instead := foreign(given); instead != "" {
		return given + ": " + instead
	}
	for _, s := range subcommands() {
		if own := s.own(new(options)); find(name, []group{own}).help != "" {
			return fmt.Sprintf("%s is a flag of fullbore %s only, see fullbore %s --help", given, s.name, s.name)
		}
	}
	text := fmt.Sprintf("unknown flag %s", given)
	if near := nearest(name, groups); near != "" && strings.HasPrefix(given, "--") {
		return fmt.Sprintf("%s: did you mean --%s?", text, near)
	}
	return text + ": fullbore --help lists the flags"
}

// find is the row of that name; every flag that pflag knows has one but help.
//
// A walk over some thirty rows, because it runs once, on the way to an error.
func find(name string, groups []group) flag {
	for _, g := range groups {
		for _, f := range g.flags {
			if f.name == name {
				return f
			}
		}
	}
	return flag{name: name, bind: binding{takes: "no value"}}
}

// written is the flag as most people write it: -c, --rate. Errors name one form
// only, so that they can be searched for.
func (f flag) written() string {
	if f.short != "" {
		return "-" + f.short
	}
	return "--" + f.name
}

func written(name string, groups []group) string { return find(name, groups).written() }
