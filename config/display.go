package config

import "strings"

// themes and glyphs are names only: what they look like is the views' business.
func themes() []string { return []string{"default", "mono", "high-contrast"} }
func glyphs() []string { return []string{"auto", "ascii", "block", "braille"} }

// themeFor follows NO_COLOR (no-color.org) unless a theme was asked for.
//
// The variable's mere presence counts, whatever it holds, but an empty one does
// not: that is the standard's word.
func (o *options) themeFor(env Env) string {
	switch {
	case o.given("theme"):
		return o.theme
	case env.get("NO_COLOR") != "":
		return "mono"
	}
	return "default"
}

// glyphsFor decides auto: a console font or a locale that is not UTF-8 would
// turn blocks into question marks or break the columns.
func (o *options) glyphsFor(env Env) string {
	if o.given("glyphs") && o.glyphs != "auto" {
		return o.glyphs
	}
	if term := env.get("TERM"); term == "linux" || term == "dumb" || !utf8Locale(env) {
		return "ascii"
	}
	return "block"
}

// utf8Locale asks the first variable that is set, in the order of setlocale(3);
// none at all is the C locale, which is not UTF-8.
func utf8Locale(env Env) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(env.get(name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return false
}
