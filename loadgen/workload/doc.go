// Package workload decides what is sent: the catalogue of tests, mixes of them,
// key spaces, payloads, and the data that must exist before a command can hit.
//
// Everything here is a value or a pure generator: no connection, no clock.
package workload
