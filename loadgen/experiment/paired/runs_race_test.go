//go:build race

package paired_test

// thinner divides the number of simulated experiments: the race detector makes each
// some ten times slower, and there is one goroutine here.
const thinner = 10
