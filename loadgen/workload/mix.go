package workload

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxWeight is the largest weight of a test in a mix; the smallest is 1.
const MaxWeight = 1_000_000

// Entry is one test of a mix and its share: weight out of the sum of weights.
type Entry struct {
	Test    Test
	Weight  int
	Ordered bool // the rows are a sequence: sent in turn, each Weight times; the same for all rows of a mix
}

// Mix is what a client chooses from for each command, at random by weight, or goes
// through in order when it is a sequence.
type Mix []Entry

// Ordered tells whether the mix is a sequence.
func (m Mix) Ordered() bool { return len(m) > 0 && m[0].Ordered }

// Unit is how many commands belong together: all of a sequence with their repeats,
// else one. Within a unit __rand_1st__ to __rand_9th__ keep their values.
func (m Mix) Unit() int {
	if !m.Ordered() {
		return 1
	}
	n := 0
	for _, e := range m {
		n += e.Weight
	}
	return n
}

// Single is the mix that sends t only.
func Single(t Test) Mix { return Mix{{Test: t, Weight: 1}} }

// ParseMix reads the value of --mix: names with weights ("set=1,get=10"), a
// missing weight being 1. The order is kept. A group ("lrange=2") gives its weight
// to each of its tests. Naming a test twice is refused, because whether weights
// should add up or replace each other is a guess. A mix of one test has weight 1
// whatever was asked, since its share is all anyway.
func ParseMix(s string) (Mix, error) {
	if strings.TrimSpace(s) == "" {
		return nil, errors.New("--mix: no test named: give names with weights such as set=1,get=10")
	}
	var mix Mix
	for _, part := range strings.Split(s, ",") {
		tests, weight, err := parseEntry(part)
		if err != nil {
			return nil, fmt.Errorf("--mix: %w", err)
		}
		for _, t := range tests {
			if mix.index(t.Name()) >= 0 {
				return nil, fmt.Errorf("--mix: %s is named twice in %s: give it once, with the sum of its weights", t.Name(), quote(s))
			}
			mix = append(mix, Entry{Test: t, Weight: weight})
		}
	}
	if len(mix) == 1 {
		mix[0].Weight = 1
	}
	return mix, nil
}

func parseEntry(part string) ([]Test, int, error) {
	name, digits, weighted := strings.Cut(part, "=")
	if strings.TrimSpace(name) == "" {
		return nil, 0, fmt.Errorf("empty name in %s: give names with weights such as set=1,get=10", quote(part))
	}
	tests, err := Lookup(name)
	if err != nil {
		return nil, 0, err
	}
	if !weighted {
		return tests, 1, nil
	}
	// ParseUint refuses the signs that Atoi would take.
	weight, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 32)
	if err != nil || weight < 1 || weight > MaxWeight {
		return nil, 0, fmt.Errorf("weight %s of %s: a weight is a whole number from 1 to %d, such as %s=10",
			quote(digits), quote(name), MaxWeight, tests[0].Name())
	}
	return tests, int(weight), nil
}

// String is the mix as ParseMix reads it: "set" for a single test,
// "set=1,get=10" otherwise. A sequence is as it was typed: "SET a 1 ; 4 GET a".
func (m Mix) String() string {
	if m.Ordered() {
		return m.line(Test.label)
	}
	if len(m) == 1 {
		return m[0].Test.label()
	}
	parts := make([]string, len(m))
	for i, e := range m {
		parts[i] = e.Test.label() + "=" + strconv.Itoa(e.Weight)
	}
	return strings.Join(parts, ",")
}

// Line is the mix as people type it again: what ParseLine reads for a sequence,
// every word quoted that needs it, and String otherwise.
func (m Mix) Line() string {
	if !m.Ordered() {
		return m.String()
	}
	return m.line(func(t Test) string {
		words := make([]string, len(t.Args))
		for i, arg := range t.Args {
			words[i] = requote(arg)
		}
		return strings.Join(words, " ")
	})
}

func (m Mix) line(text func(Test) string) string {
	parts := make([]string, len(m))
	for i, e := range m {
		parts[i] = text(e.Test)
		if e.Weight != 1 {
			parts[i] = strconv.Itoa(e.Weight) + " " + parts[i]
		}
	}
	return strings.Join(parts, " "+separator+" ")
}

// label is what a mix calls the test; one that is not in the catalogue has no
// name and goes by its title.
func (t Test) label() string {
	if name := t.Name(); name != "" {
		return name
	}
	return t.Title
}

func (m Mix) index(name string) int {
	return slices.IndexFunc(m, func(e Entry) bool { return e.Test.Name() == name })
}
