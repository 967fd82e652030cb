package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// profileFlag names the flag that the layers themselves need.
const profileFlag = "profile"

// setting is a flag's value, and where outside the command line it was written:
// "FULLBORE_CLIENTS", or the path and line of a profile.
type setting struct{ name, value, where string }

// layers fills in what the command line left open: from the environment, and what
// that leaves open from the profile. A flag that is set in one layer also silences
// its rivals in those below, so that --json on the command line wins over csv in a
// profile.
func (o *options) layers(set *pflag.FlagSet, env Env, groups []group) error {
	decided := map[string]bool{}
	decide := func(name string) {
		decided[name] = true
		for _, rival := range rivals(name) {
			decided[rival] = true
		}
	}
	o.typed = map[string]bool{}
	set.Visit(func(f *pflag.Flag) {
		o.typed[f.Name] = true
		decide(f.Name)
	})
	for name := range o.refused {
		decided[name] = true // written for other runs
	}
	if len(o.words) > 0 {
		decide("mix") // a command is the most explicit of all
	}
	fill := func(layer []setting) error {
		for _, s := range layer {
			if decided[s.name] || set.Lookup(s.name) == nil { // the latter is another subcommand's
				continue
			}
			if err := set.Set(s.name, s.value); err != nil {
				return fmt.Errorf("%s: %w", s.where, explain(err, groups))
			}
		}
		for _, s := range layer {
			decide(s.name)
		}
		return nil
	}
	if err := fill(fromEnvironment(env, groups)); err != nil || o.profile == "" {
		return err
	}
	layer, err := fromProfile(env, o.profile)
	if err != nil {
		return err
	}
	return fill(layer)
}

// rivals are the flags that say the same thing as name in another way.
func rivals(name string) []string {
	for _, set := range [][]string{
		{"quiet", "csv", "json", "format"},
		{"tests", "mix"},
		{"sequential", "key-dist"},
		{"count", "loop", "idle"},
		{"pass", "pass-file", "askpass"},
	} {
		if slices.Contains(set, name) {
			return set
		}
	}
	address := []string{"host", "port", "socket"}
	switch name {
	case "host", "port":
		return []string{"socket", "uri", "server"}
	case "socket": // which carries no TLS, and leads to no cluster
		return []string{"uri", "server", "tls", "cluster"}
	case "uri": // it may hold a user, a password and a database too
		return append(address, "server", "user", "pass", "pass-file", "askpass", "dbnum")
	case "server":
		return append(address, "uri", "user", "pass", "pass-file", "askpass", "dbnum", "tls", "cluster")
	}
	return nil
}

// variable is the environment's name for a flag: FULLBORE_KEY_PREFIX.
func variable(name string) string {
	return "FULLBORE_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// fromEnvironment reads the variables of all flags. An empty one is not set, as
// with NO_COLOR.
func fromEnvironment(env Env, groups []group) []setting {
	var layer []setting
	for _, g := range groups {
		for _, f := range g.flags {
			if value := env.get(variable(f.name)); value != "" && f.name != "version" {
				layer = append(layer, setting{f.name, value, variable(f.name)})
			}
		}
	}
	return layer
}
