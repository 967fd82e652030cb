// Package embedded is the built-in demo server: a small Redis-protocol server in
// memory, so that the first command works on a machine without Redis.
//
// It knows the commands of the test catalogue and those that the engine needs
// around them, with Redis's own replies and error texts. What it does not know it
// refuses in words instead of pretending. Its speed says nothing about Redis.
package embedded
