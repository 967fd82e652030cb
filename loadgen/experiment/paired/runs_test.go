//go:build !race

package paired_test

const (
	thinner = 1
	slack   = 0
)
