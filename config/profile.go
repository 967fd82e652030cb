package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"fullbore/loadgen/launch"

	"github.com/spf13/pflag"
)

// profilePath is where the profile of that name lies, by the XDG base directories.
func profilePath(env Env, name string) (string, error) {
	if filepath.Base(name) != name || strings.HasPrefix(name, ".") || strings.Contains(name, `\`) {
		return "", fmt.Errorf("profile %q: --profile takes a name, such as nightly for ~/.config/fullbore/nightly.conf", name)
	}
	base := env.get("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) { // the standard says to ignore such a value
		home := env.get("HOME")
		if home == "" {
			home = env.get("USERPROFILE")
		}
		base = filepath.Join(home, ".config")
	}
	return filepath.Join(base, "fullbore", name+".conf"), nil
}

// fromProfile reads a profile: on each line one flag, or several, written as on the
// command line. Blank lines, and those that begin with #, are comments.
func fromProfile(env Env, name string) ([]setting, error) {
	path, err := profilePath(env, name)
	if err != nil {
		return nil, err
	}
	if env.ReadFile == nil {
		return nil, fmt.Errorf("profile %q: no files can be read here", name)
	}
	text, err := env.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("profile %q: there is no file %s; it takes a flag on each line, such as --clients 100", name, path)
	} else if err != nil {
		return nil, fmt.Errorf("profile %q: %w", name, err)
	}
	var layer []setting
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		where := fmt.Sprintf("%s:%d", path, number)
		settings, err := fromLine(line, where)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		layer = append(layer, settings...)
	}
	return layer, nil
}

// fromLine reads one line with the parser of the command line. Nothing of a line
// that is wrong is repeated but a flag's name: the rest may be a password.
func fromLine(line, where string) (layer []setting, err error) {
	words, err := launch.Split(line)
	if err != nil {
		return nil, errors.New("a quote is not closed")
	}
	set := pflag.NewFlagSet(where, pflag.ContinueOnError)
	set.SetOutput(io.Discard)
	groups := new(options).flags()
	for _, s := range subcommands() { // a profile may serve several
		groups = append(groups, s.own(new(options)))
	}
	enlist(set, groups)
	set.Bool("help", false, "")
	strange := ""
	err = set.ParseAll(words, func(f *pflag.Flag, value string) error {
		if f.Name == profileFlag || f.Name == "version" || f.Name == "help" {
			strange = f.Name
		}
		layer = append(layer, setting{f.Name, value, where})
		return nil
	})
	switch {
	case strange != "":
		return nil, fmt.Errorf("--%s belongs on the command line, not in a profile", strange)
	case err != nil:
		return nil, explain(err, groups)
	case set.NArg() > 0:
		return nil, errors.New("a word is no flag: write flags as on the command line, such as --clients 100, and quote values with blanks")
	}
	return layer, nil
}
