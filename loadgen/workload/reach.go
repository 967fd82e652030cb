package workload

import (
	"slices"
	"strings"
)

// Reach is what a custom command touches outside the keys that are fullbore's own.
type Reach struct {
	Command string   // the row's title
	Keys    []string // keys outside, as they are written, each once; none where the command names none, such as FLUSHALL
	Writes  bool     // changes data or the server; of an unknown command it is assumed
	Known   bool     // the command is in the table of known commands
	Near    string   // a known command that may have been meant, "" = none
}

// Outside lists the custom commands of m that may touch what is not fullbore's own:
// those that name keys without prefix, and those that change something and name no
// key at all. An empty prefix fences nothing in: every key lies outside it. To be
// asked about before load begins are those that write, see Reach.Writes.
//
// Scripts are judged by the keys that they are given; what else they touch cannot
// be known.
func (m Mix) Outside(prefix string) []Reach {
	var all []Reach
	for _, e := range m {
		if !e.Test.Custom {
			continue
		}
		k, ok := lookUp(e.Test.Args)
		inside, outside := e.Test.keys(prefix)
		nameless := len(inside) == 0 && len(outside) == 0 && k.writes
		if len(outside) == 0 && !nameless {
			continue
		}
		r := Reach{Command: e.Test.Title, Keys: outside, Writes: k.writes, Known: ok}
		if !ok {
			r.Near = nearest(strings.ToLower(e.Test.Args[0]), commandNames())
		}
		all = append(all, r)
	}
	return all
}

// keys is the words of a custom command that are keys, each once, told apart by
// whether they lie under prefix.
func (t Test) keys(prefix string) (inside, outside []string) {
	k, _ := lookUp(t.Args)
	seen := map[string]bool{}
	for _, i := range k.locate(t.Args) {
		key := t.Args[i]
		switch {
		case seen[key]:
		case prefix != "" && strings.HasPrefix(key, prefix):
			inside = append(inside, key)
		default:
			outside = append(outside, key)
		}
		seen[key] = true
	}
	return inside, outside
}

// heads is what the names of a test's keys under the prefix begin with: all of a key
// without placeholders, and all up to the first one of the others. In a cluster a tag
// counts as one.
func (w Workload) heads(t Test) []string {
	if !t.Custom {
		family := t.family(w.Keys.Prefix)
		switch {
		case family == "":
			return nil
		case w.Slots != nil && !strings.HasSuffix(family, ":"):
			family += ":"
		}
		return []string{family}
	}
	inside, _ := t.keys(w.Keys.Prefix)
	heads := make([]string, 0, len(inside))
	for _, key := range inside {
		heads = append(heads, key[:w.firstMark(key)])
	}
	slices.Sort(heads)
	return slices.Compact(heads)
}
