package views

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// tones is the number of tones a Theme knows.
const tones = int(Caution) + 1

// Theme is how meaning becomes ink: a glyph set and one pen per Tone. The zero
// Theme is ASCII without a single escape code, as MonoTheme(ASCII). A Theme is a
// value: copy it, compare it, use it from any goroutine.
type Theme struct {
	Glyphs Glyphs
	pens   [tones]pen
}

// pen is what is written before and after a run of text in one tone. Keeping the
// two halves lets a line change tone without rendering a style for each piece.
type pen struct{ before, after string }

// DefaultTheme uses the terminal's own ANSI colours (0-15), faint and bold, so
// that it follows the user's palette and needs no question to the terminal.
func DefaultTheme(glyphs Glyphs) Theme {
	s := plainStyle()
	return inked(glyphs, [tones]lipgloss.Style{
		Plain:   s,
		Muted:   s.Faint(true),
		Strong:  s.Bold(true),
		Accent:  s.Foreground(lipgloss.Color("6")),
		Good:    s.Foreground(lipgloss.Color("2")),
		Bad:     s.Foreground(lipgloss.Color("1")),
		Caution: s.Foreground(lipgloss.Color("3")),
	})
}

// MonoTheme writes no escape code at all: NO_COLOR, dumb terminals, files.
func MonoTheme(glyphs Glyphs) Theme { return Theme{Glyphs: glyphs} }

// HighContrastTheme has nothing faint and only the bright half of the palette.
func HighContrastTheme(glyphs Glyphs) Theme {
	s := plainStyle()
	bold := s.Bold(true)
	return inked(glyphs, [tones]lipgloss.Style{
		Plain:   s,
		Muted:   s,
		Strong:  bold.Foreground(lipgloss.Color("15")),
		Accent:  bold.Foreground(lipgloss.Color("14")),
		Good:    bold.Foreground(lipgloss.Color("10")),
		Bad:     bold.Foreground(lipgloss.Color("9")),
		Caution: bold.Foreground(lipgloss.Color("11")),
	})
}

// ThemeNames lists the names that ThemeByName accepts.
func ThemeNames() []string { return []string{"default", "mono", "high-contrast"} }

// ThemeByName makes the theme of that name; the error lists the names there are.
func ThemeByName(name string, glyphs Glyphs) (Theme, error) {
	switch name {
	case "default":
		return DefaultTheme(glyphs), nil
	case "mono":
		return MonoTheme(glyphs), nil
	case "high-contrast":
		return HighContrastTheme(glyphs), nil
	}
	return Theme{}, fmt.Errorf("theme %q: want one of %s", name, strings.Join(ThemeNames(), ", "))
}

// Paint writes text in a tone. Line breaks and widths are the caller's affair.
func (t Theme) Paint(tone Tone, text string) string {
	p := t.pen(tone)
	return p.before + text + p.after
}

// pen looks a tone up; a tone nobody knows is plain.
func (t Theme) pen(tone Tone) pen {
	if tone < 0 || int(tone) >= tones {
		return pen{}
	}
	return t.pens[tone]
}

// plainStyle belongs to a renderer whose colour profile is stated, so that no
// environment and no terminal is asked: the same theme everywhere, also in tests.
func plainStyle() lipgloss.Style {
	r := lipgloss.NewRenderer(io.Discard, termenv.WithProfile(termenv.ANSI))
	r.SetColorProfile(termenv.ANSI)
	r.SetHasDarkBackground(true)
	return r.NewStyle()
}

// inked cuts every style into its two halves once, when the theme is made.
func inked(glyphs Glyphs, styles [tones]lipgloss.Style) Theme {
	t := Theme{Glyphs: glyphs}
	for i, s := range styles {
		before, after, _ := strings.Cut(s.Render("x"), "x")
		t.pens[i] = pen{before, after}
	}
	return t
}
