package views

// Frame is the space a view may fill, in cells, and the theme it is drawn with.
type Frame struct {
	Width, Height int
	Theme         Theme
}

// Minimum size of the live screen (SCREENS.md); below it, TooSmall is drawn.
const (
	MinWidth  = 80
	MinHeight = 24
)

// Tone is the meaning of a piece of text; a Theme maps it to a style. Meaning is
// never carried by tone alone: without colour the words still say it.
type Tone int

// The tones.
const (
	Plain   Tone = iota
	Muted        // rules, axes, hints
	Strong       // headline numbers
	Accent       // focus
	Good         // better, running
	Bad          // worse, errors
	Caution      // warnings, settling, paused
)
