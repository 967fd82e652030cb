// Package experiment answers a question with several runs: for now a suite, one
// test after another as redis-benchmark does it.
package experiment
