package config_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"fullbore/config"
	"fullbore/loadgen/workload"
)

func TestDisplay(t *testing.T) {
	for _, c := range []struct {
		args, env, theme, glyphs string
		hertz                    int
	}{
		{"", "LANG=en_US.UTF-8", "default", "block", 4},
		{"", "LANG=C.utf8", "default", "block", 4},
		{"", "", "default", "ascii", 4},
		{"", "LANG=C", "default", "ascii", 4},
		{"", "LC_ALL=C LANG=en_US.UTF-8", "default", "ascii", 4},
		{"", "LC_CTYPE=de_DE.UTF-8 LANG=C", "default", "block", 4},
		{"", "LC_ALL=de_DE.UTF-8 LC_CTYPE=C", "default", "block", 4},
		{"", "TERM=linux LANG=en_US.UTF-8", "default", "ascii", 4},
		{"", "TERM=dumb LANG=en_US.UTF-8", "default", "ascii", 4},
		{"--glyphs braille", "TERM=linux", "default", "braille", 4},
		{"--glyphs auto", "LANG=C", "default", "ascii", 4},
		{"--glyphs BLOCK", "", "default", "block", 4},
		{"", "NO_COLOR=1", "mono", "ascii", 4},
		{"--theme high-contrast", "NO_COLOR=1", "high-contrast", "ascii", 4},
		{"--theme mono", "", "mono", "ascii", 4},
		{"--hz 10", "", "default", "ascii", 10},
		{"--fps=1", "", "default", "ascii", 1},
	} {
		got, err := config.Parse(strings.Fields(c.args), terminal(strings.Fields(c.env)...))
		if err != nil || got.Theme != c.theme || got.Glyphs != c.glyphs || got.Hertz != c.hertz {
			t.Errorf("%s fullbore %s: %s %s %d, %v; want %s %s %d",
				c.env, c.args, got.Theme, got.Glyphs, got.Hertz, err, c.theme, c.glyphs, c.hertz)
		}
	}
}

func TestSwitches(t *testing.T) {
	got, err := config.Parse([]string{"--yes", "--keep-keys", "--key-prefix", "mine:", "--seed", "7"}, terminal())
	if err != nil || !got.Yes || !got.KeepKeys || got.Plan.Workload.Keys.Prefix != "mine:" || got.Plan.Workload.Seed != 7 {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = config.Parse(nil, terminal())
	if err != nil || got.Yes || got.KeepKeys || got.Plan.Workload.Keys.Prefix != "fullbore:" {
		t.Errorf("%+v, %v", got, err)
	}
}

// printed is what args print before Done.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	got, err := config.Parse(args, config.Env{Out: &out, Err: &errs, InIsTerminal: true, OutIsTerminal: true})
	if err != nil || !got.Done || errs.Len() > 0 {
		t.Errorf("fullbore %v: Done %v, %v, stderr %q", args, got.Done, err, errs.String())
	}
	return out.String()
}

func TestHelp(t *testing.T) {
	help := printed(t, "--help")
	if short := printed(t, "-?"); short != help {
		t.Error("-? and --help differ")
	}
	for i, line := range strings.Split(help, "\n") {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("line %d has %d columns: %s", i+1, n, line)
		}
		if flag := strings.Contains(line, " --") && strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "  fullbore") &&
			!strings.HasPrefix(line, "  such as: fullbore "); flag &&
			!strings.Contains(line, "(default: ") && !strings.Contains(line, "--help") {
			t.Errorf("a flag without its default: %s", line)
		}
	}
	if i, j := strings.Index(help, "Examples:\n  fullbore  "), strings.Index(help, "\nLoad:"); i < 0 || j < i {
		t.Error("the first example is not plain fullbore, or stands below the flags")
	}
	for _, name := range workload.Names() {
		if !strings.Contains(help, " "+name) {
			t.Errorf("test %s is not in the help", name)
		}
	}
}

func TestHelpExamplesParse(t *testing.T) {
	_, examples, _ := strings.Cut(printed(t, "--help"), "Examples:\n")
	examples, topics, _ := strings.Cut(examples, "\n\n")
	for line := range strings.Lines(topics) {
		if example, ok := strings.CutPrefix(line, "  such as: "); ok && !strings.Contains(line, "--profile") { // of which there is none here
			examples += "\n  " + strings.TrimSpace(example)
		}
	}
	if n := strings.Count(examples, "\n"); n < 10 {
		t.Errorf("%d examples only", n)
	}
	for _, line := range strings.Split(examples, "\n") {
		command, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
		command, _, _ = strings.Cut(command, " >")
		var args []string
		for i, part := range strings.Split(command, "'") {
			if i%2 == 1 { // between quotes
				args = append(args, part)
				continue
			}
			args = append(args, strings.Fields(part)...)
		}
		if _, err := config.Parse(args[1:], env()); args[0] != "fullbore" || err != nil {
			t.Errorf("example %q: %v", line, err)
		}
	}
}

func TestVersion(t *testing.T) {
	for _, args := range [][]string{{"-v"}, {"--version"}, {"-qv"}} {
		line := printed(t, args...)
		if !strings.HasPrefix(line, "fullbore "+config.Version()+" (go1.") || strings.Count(line, "\n") != 1 {
			t.Errorf("fullbore %v printed %q", args, line)
		}
	}
}
