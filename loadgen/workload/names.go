package workload

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Names is every name that -t and --mix accept, in catalogue order, each once:
// the rows' own and those of the groups ("ping", "lrange").
func Names() []string {
	var names []string
	for _, t := range Catalog() {
		for _, name := range t.Names {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Lookup finds the tests that name stands for, in catalogue order: one, or all
// of a group. Case and surrounding spaces do not matter. The error of an unknown
// name proposes the nearest one and lists all.
func Lookup(name string) ([]Test, error) {
	word := strings.ToLower(strings.TrimSpace(name))
	var found []Test
	for _, t := range Catalog() {
		if slices.Contains(t.Names, word) {
			found = append(found, t)
		}
	}
	if found == nil {
		return nil, unknown(name)
	}
	return found, nil
}

// ParseTests reads the value of -t, a comma list of names. As in redis-benchmark
// the list only selects: the tests come in catalogue order, and naming one twice
// selects it once. Unlike there, an unknown name is an error.
func ParseTests(list string) ([]Test, error) {
	if strings.TrimSpace(list) == "" {
		return nil, errors.New("-t: no test named: give names such as set,get or lrange")
	}
	chosen := map[string]bool{}
	for _, word := range strings.Split(list, ",") {
		if strings.TrimSpace(word) == "" {
			return nil, fmt.Errorf("-t: empty name in %s: give names such as set,get", quote(list))
		}
		tests, err := Lookup(word)
		if err != nil {
			return nil, fmt.Errorf("-t: %w", err)
		}
		for _, t := range tests {
			chosen[t.Name()] = true
		}
	}
	return slices.DeleteFunc(Catalog(), func(t Test) bool { return !chosen[t.Name()] }), nil
}

func unknown(name string) error {
	known := "known tests: " + strings.Join(Names(), ", ")
	if near := nearest(strings.ToLower(strings.TrimSpace(name)), Names()); near != "" {
		return fmt.Errorf("unknown test %s, did you mean %s? %s", quote(name), near, known)
	}
	return fmt.Errorf("unknown test %s, %s", quote(name), known)
}

// meant goes between an unknown name and the list of the known ones: a question
// where one of them comes close, a colon otherwise.
func meant(word string, names []string) string {
	if near := nearest(word, names); near != "" {
		return ", did you mean " + near + "?"
	}
	return ":"
}

// nearest is the one of names that somebody who typed word most likely meant: the
// shortest that word begins, else one at most two typing errors away, else one
// that word goes on from. It is "" when no name comes close.
func nearest(word string, names []string) string {
	if word == "" {
		return ""
	}
	best := ""
	for _, name := range names {
		if strings.HasPrefix(name, word) && (best == "" || len(name) < len(best)) {
			best = name
		}
	}
	if best != "" {
		return best
	}
	// Two changes turn any two letters into "set", so a short word must share more.
	limit := min(2, len(word)-1)
	bestDistance := limit + 1
	for _, name := range names {
		if len(word) > len(name)+limit {
			continue // spares the table of distance for absurdly long words
		}
		if d := distance(word, name); d < bestDistance {
			best, bestDistance = name, d
		}
	}
	if best != "" {
		return best
	}
	if i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(word, name) }); i >= 0 {
		return names[i]
	}
	return ""
}

// distance is the Levenshtein distance in bytes; names are ASCII.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// quote shows a user's word in an error: escaped, and short enough for a line.
func quote(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return fmt.Sprintf("%q…", string(r[:most]))
	}
	return fmt.Sprintf("%q", s)
}
