package experiment

import (
	"slices"
	"strconv"

	"fullbore/loadgen/workload"
)

// prefixes says under which prefix each arm keeps its keys. Arms with the same data
// on the same server share it: SET and GET of the same size meet in the same keys,
// and the server holds them once. An arm whose data differ from all before it (size
// of values, number of keys, expiry, random data, or commands that spoil what the
// other reads) has a prefix of its own below that of the command line, such as
// "fullbore:2:", so that rounds of one do not rewrite what rounds of the other read.
// It goes with the session's keys when these are removed.
//
// Commands as the user wrote them name their keys themselves, so arms that send
// such always stay under their own plan's prefix.
func prefixes(arms []Arm) []string {
	out := make([]string, len(arms))
	for i, a := range arms {
		base := a.Plan.Workload.Keys.Prefix
		out[i] = base
		if slices.ContainsFunc(a.Plan.Workload.Mix, custom) {
			continue
		}
		for j, b := range arms[:i] {
			if a.Place.Target != b.Place.Target || base != b.Plan.Workload.Keys.Prefix {
				continue
			}
			if sameData(a.Plan.Workload, b.Plan.Workload) {
				out[i] = out[j]
				break
			}
			out[i] = base + strconv.Itoa(i+1) + ":"
		}
	}
	return out
}

func custom(e workload.Entry) bool { return e.Test.Custom }

// sameData tells whether v and w can work on the same keys without one of them
// changing what the other finds there.
func sameData(v, w workload.Workload) bool {
	if !sameValues(v, w) {
		return false
	}
	if v.Mix.Line() == w.Mix.Line() {
		return true
	}
	// Collections that are drained or grown belong to one test.
	return len(v.Stocks())+len(w.Stocks()) == 0 && !spoils(v, w) && !spoils(w, v)
}

// sameValues tells whether both write the same under as many keys.
func sameValues(v, w workload.Workload) bool {
	return v.SizeText() == w.SizeText() && v.Keys.Size == w.Keys.Size && v.Expire == w.Expire && v.RandomData == w.RandomData
}

func spoils(v, w workload.Workload) bool {
	return slices.ContainsFunc(w.Fixtures(), v.Spoils)
}
