// Package redistest gives tests a server to talk to: a real redis-server on a
// loopback port of its own (Start), or a stub that misbehaves in one particular
// way (Block, Slow, Mute, NoInfo, Short, Garbage, Raw, Exact).
//
// Only tests import it. A missing redis-server fails the test: a test that is
// skipped where the server is missing hides a hole.
package redistest
