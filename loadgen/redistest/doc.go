// Package redistest gives tests a server to talk to: a real redis-server on a
// loopback port of its own (Start), or a stub that misbehaves in one particular
// way (Block, Slow, Mute, NoInfo, Short, Garbage, Raw, Exact, Banner, Hangup).
// StartCluster joins real servers to a cluster, which Astray and Mapped imitate.
// Certify makes an authority for StartTLS and for Terminate, a TLS proxy.
//
// Only tests import it. A missing redis-server fails the test: a test that is
// skipped where the server is missing hides a hole.
package redistest
