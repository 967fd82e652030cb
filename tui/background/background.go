// Package background tells lipgloss the terminal's background before Bubble Tea
// asks for it.
//
// Bubble Tea v1 asks the terminal for its background colour (OSC 11) in its own
// package initialiser, and on a terminal that does not answer it waits 5.0 s,
// even for --version. Its question is not sent when lipgloss already knows the
// answer. Go initialises packages that are ready in the order of their import
// paths, and "fullbore/…" sorts before "github.com/charmbracelet/bubbletea", so
// the initialiser below runs first as long as this package imports lipgloss and
// nothing that leads to Bubble Tea.
//
// The answer itself is of no consequence: themes use the sixteen palette colours
// and never an adaptive one. A test in a real pseudo-terminal guards all this.
package background

import "github.com/charmbracelet/lipgloss"

// The one init of the program: nothing else runs early enough.
func init() {
	lipgloss.SetHasDarkBackground(true)
}
