// Package experiment answers a question with several runs: a suite measures one
// test after another as redis-benchmark does it, a comparison measures arms in turn
// until their rounds say whether they differ.
package experiment
