// Package paired says whether B differs from A, from pairs of short measurements
// taken back to back: an exact test, an estimate with its exact interval, and one
// of a few verdicts in words (M19–M23). It knows numbers only.
package paired
