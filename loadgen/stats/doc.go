// Package stats holds what was measured: histograms, counters, the shards that
// workers record into, and the immutable snapshots that screens and reports read.
//
// Units: every latency is a time.Duration in whole nanoseconds; every instant is
// a time.Duration since the start of the run, read from the monotonic clock
// (METHOD.md M7). Nothing here reads a clock, prints, or knows of Redis.
package stats
