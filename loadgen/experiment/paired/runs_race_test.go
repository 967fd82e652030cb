//go:build race

package paired_test

// thinner divides the number of simulated experiments: the race detector makes each
// some twenty times slower, and there is nothing concurrent to find here. Fewer of
// them scatter more, which slack allows for, as a share.
const (
	thinner = 40
	slack   = 0.03
)
