// Package tui is the interactive screen: keys become the next Plan, ticks become
// the next frame, and a supervisor outside Bubble Tea owns the run.
//
// From a key to the load: a key press computes the next Plan from the last one
// that was wanted, the knob shows it at once, and the plan goes into a queue
// that a goroutine of the supervisor feeds to Engine.Apply. From the load to the
// pixels: a tick loads Engine.Snapshot and present.go maps it to the plain
// structs of package views. Update does no I/O, waits for nothing, computes no
// percentile and reads no clock.
//
// A comparison is a second screen of the same kind: keys become the next
// experiment.Settings, and contrast.go and columns.go map experiment.State to views.
// The supervisor runs both as tasks, of which one at a time is under load.
//
// The terminal may be slow, gone or frozen: every byte for it passes through an
// outlet that never blocks the program, so that neither the load nor the way out
// depends on somebody reading the screen (SCREENS.md, "What goes wrong in
// terminals").
package tui

// The blank import must stay first in the order of initialisation; see there.
import _ "fullbore/tui/background"
