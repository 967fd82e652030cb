// Package versus compares whole programs that put load on one server: the same
// load by each of them, in interleaved rounds of random order, told as medians
// and as ratios within a round.
//
// A Load becomes the command line of each Tool; a Row is one load (or any other
// question) with an Arm for each contender, the first of which the others are
// held against; Measure fills the rows round by round; tables and benchmark lines
// are made from rows alone. Every client is measured from outside as a process,
// so that nothing it does is left out, whatever it says about itself.
//
// Rules from METHOD.md: arms of a round stand back to back and never in blocks
// (M19), every round is kept and the best one is never reported (M20).
package versus
