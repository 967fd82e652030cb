// Package views draws: every view is a plain value, and Render(Frame) turns it
// into a string. Same value and frame, same string.
//
// Laws, tested over every view and size: never wider or taller than the frame;
// no clock, no environment, no global style; as space shrinks a view drops its
// legend, then its axis, then all but one line, then everything. Colour and
// glyphs belong to the Theme, so ASCII and NO_COLOR are themes, not branches.
// The package imports nothing else of this module.
package views
