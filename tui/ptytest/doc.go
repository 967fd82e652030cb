// Package ptytest runs a program on a terminal and looks at it, for tests: as raw
// bytes of a pseudo-terminal (Console), where timing, modes and traffic count, and
// through tmux (Window), where it matters what a person would see.
package ptytest
