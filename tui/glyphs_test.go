package tui

import (
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"fullbore/config"
	"fullbore/views"
)

// configured is the theme that a command line without flags gives in the present
// environment.
func configured() views.Theme {
	c, err := config.Parse(nil, config.Env{
		Getenv: os.Getenv, InIsTerminal: true, OutIsTerminal: true, ErrIsTerminal: true,
	})
	if err != nil {
		panic(err)
	}
	return themeOf(Look{Theme: c.Theme, Glyphs: c.Glyphs})
}

// TestGlyphsFollowTheTerminal holds that a console font and a locale that is not
// UTF-8 get no byte beyond ASCII, be it in a chart or in a server's words: what they
// do not know they draw as something else, of another width (SCREENS.md, 11).
func TestGlyphsFollowTheTerminal(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   []string
		ascii bool
	}{
		{"console", []string{"TERM=linux", "LC_ALL=en_US.UTF-8"}, true},
		{"dumb", []string{"TERM=dumb", "LC_ALL=en_US.UTF-8"}, true},
		{"C locale", []string{"LC_ALL=C"}, true},
		{"no locale", []string{"LC_ALL=", "LC_CTYPE=", "LANG="}, true},
		{"latin", []string{"LC_ALL=", "LC_CTYPE=de_DE.ISO-8859-1", "LANG=en_US.UTF-8"}, true},
		{"utf-8", []string{"LC_ALL=C.UTF-8"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, "configured", 80, 24, c.env...)
			s.sees("throughput")
			s.types("q")
			s.ends()
			shown := ansi.Strip(s.output.String())
			if strings.IndexFunc(shown, func(r rune) bool { return r > '~' }) < 0 != c.ascii {
				t.Errorf("only ASCII %v, want %v:\n%s", !c.ascii, c.ascii, shown)
			}
		})
	}
}
