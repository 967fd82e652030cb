package config

// nearest is the long flag, or other name of one, that a misspelt name most
// likely means; empty when none is near.
func nearest(name string, groups []group) string {
	names := []string{"rps", "fps", "password", "rfr", "help"}
	for _, g := range groups {
		for _, f := range g.flags {
			names = append(names, f.name)
		}
	}
	// A third of the letters wrong, and one more for the short names: beyond that
	// a hint is a guess, and a wrong hint costs more time than none.
	best, least := "", len(name)/3+2
	for _, n := range names {
		if d := distance(name, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance is the number of letters to insert, drop or replace, or of
// neighbours to swap, between a and b (optimal string alignment).
func distance(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
