package views_test

import (
	"regexp"
	"strings"
	"testing"

	"fullbore/views"
)

// A theme asks no environment: the same bytes whatever the terminal claims to be.
func TestThemeIgnoresTheEnvironment(t *testing.T) {
	draw := func() string {
		return live().Render(views.Frame{Width: 120, Height: 40, Theme: views.DefaultTheme(views.Block)})
	}
	want := draw()
	for _, env := range []map[string]string{
		{"TERM": "dumb", "NO_COLOR": "1", "COLORTERM": ""},
		{"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": ""},
		{"TERM": "", "CLICOLOR_FORCE": "1", "COLORFGBG": "0;15"},
	} {
		for k, v := range env {
			t.Setenv(k, v)
		}
		if draw() != want {
			t.Errorf("another frame with %v", env)
		}
	}
}

// Only the sixteen colours of the user's palette, bold and faint.
func TestThemesUseThePalette(t *testing.T) {
	allowed := regexp.MustCompile(`^(0|1|2|3[0-7]|9[0-7]|1;3[0-7]|1;9[0-7])?$`)
	code := regexp.MustCompile("\x1b\\[([0-9;]*)m")
	for _, name := range views.ThemeNames() {
		theme, err := views.ThemeByName(name, views.Block)
		if err != nil {
			t.Fatal(err)
		}
		out := live().Render(views.Frame{Width: 120, Height: 40, Theme: theme})
		codes := code.FindAllStringSubmatch(out, -1)
		for _, c := range codes {
			if !allowed.MatchString(c[1]) {
				t.Errorf("%s: escape code %q", name, c[0])
			}
		}
		if strings.Count(out, "\x1b") != len(codes) {
			t.Errorf("%s: escape codes that are no colours", name)
		}
		if (len(codes) == 0) != (name == "mono") {
			t.Errorf("%s: %d escape codes", name, len(codes))
		}
	}
}

// A chart row is one run of labels and one of bars, however many cells it has.
func TestFewEscapeCodes(t *testing.T) {
	out := throughput().Render(views.Frame{Width: 120, Height: 20, Theme: views.DefaultTheme(views.Block)})
	for i, line := range strings.Split(out, "\n")[1:] {
		if n := strings.Count(line, "\x1b"); n > 6 {
			t.Errorf("line %d has %d escape codes: %q", i+1, n, line)
		}
	}
}

func TestNames(t *testing.T) {
	for _, name := range views.GlyphNames() {
		g, err := views.GlyphsByName(name)
		if err != nil || g.String() != name {
			t.Errorf("%s: %v, %v", name, g, err)
		}
	}
	if _, err := views.GlyphsByName("runes"); err == nil || !strings.Contains(err.Error(), "ascii, block, braille") {
		t.Errorf("error %v names no accepted form", err)
	}
	if _, err := views.ThemeByName("pink", views.ASCII); err == nil || !strings.Contains(err.Error(), "default, mono, high-contrast") {
		t.Errorf("error %v names no accepted form", err)
	}
	if g := views.Glyphs(99).String(); g != "ascii" {
		t.Errorf("unknown glyphs are %q", g)
	}
}

func TestPaint(t *testing.T) {
	if got := views.MonoTheme(views.Block).Paint(views.Bad, "x"); got != "x" {
		t.Errorf("mono paints %q", got)
	}
	if got := views.DefaultTheme(views.ASCII).Paint(views.Accent, "x"); got != "\x1b[36mx\x1b[0m" {
		t.Errorf("accent paints %q", got)
	}
	if got := views.DefaultTheme(views.ASCII).Paint(views.Tone(77), "x"); got != "x" {
		t.Errorf("an unknown tone paints %q", got)
	}
}
