package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/report"
	"fullbore/loadgen/session"
	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// Comparison is what `fullbore compare` asks for: arms, the cases each of them is
// measured in, and how.
type Comparison struct {
	Arms  []Arm // two to six, in the order given
	Cases []experiment.Case
	Rules experiment.Rules // zero where nothing was asked for
}

// Arm is one side of a comparison: the base of the command line and what differs. Its
// plan is complete: it holds the mix that this arm sends, in a case that has none of
// its own. Where no arm asks for threads, Threads is 0.
type Arm = session.Side

const (
	leastArms, mostArms = 2, 6
	baseArm             = "base"
	// defaultTest is what a comparison sends when nothing names a test, with a screen
	// and without: all of the catalogue would take most of an hour.
	defaultTest = "set"
)

func (o *options) compareFlags() group {
	r := &o.rules
	return group{"Comparison", "compare --round 500ms --pairs 12 --practical 5% P=1 P=16", []flag{
		{"round", "", "TIME", between(&r.Round, 300*time.Millisecond, time.Minute), "measured time of a round", "1s"},
		{"settle", "", "TIME", between(&r.Settle, 10*time.Millisecond, 10*time.Second), "set apart before each round", "250ms"},
		{"pairs", "", "N", count(&r.Pairs, 8, 30), "at most so many pairs a case, 8 to 30; fewer once decided", "30"},
		{"practical", "", "PERCENT", percent(&r.Practical, 0.1, 50), "a difference below this matters to nobody", "3%"},
	}}
}

// compareRefuses are what a comparison decides by itself.
func compareRefuses() map[string]string {
	const length = "has no effect here: a comparison ends when it is decided; --round sets the length of a round, --pairs the most pairs"
	return map[string]string{
		"requests": length, "duration": length,
		"count":  "has no effect here: every arm is measured in 8 to 30 rounds; --pairs sets the most",
		"loop":   "has no effect here: a comparison ends when it is decided",
		"idle":   "has no effect here: idle connections have no speed to compare",
		"warmup": "has no effect here: the first rounds are thrown away, and --settle is set apart before each of the others",
	}
}

// compare makes the comparison of c from the arms in words.
func (o *options) compare(c *Config, words []string, env Env) error {
	if !c.Interactive && !slices.Contains(report.ComparisonFormats(), c.Format) {
		return fmt.Errorf("format %q: of a comparison --format takes %s", c.Format, strings.Join(report.ComparisonFormats(), ", "))
	}
	texts, err := armTexts(words)
	if err != nil {
		return err
	}
	// Rounds have their own length; without a screen the root would count requests.
	c.Plan.Requests, c.Plan.Duration = 0, 0
	cases, err := o.baseCases(c)
	if err != nil {
		return err
	}
	c.Mixed, c.Tests, c.Plan.Workload.Mix = true, nil, cases[0].Mix
	o.rules.Seed = c.Plan.Workload.Seed
	comparison := &Comparison{Rules: o.rules}
	var arms []laid
	for i, text := range texts {
		arm, err := o.arm(text, c, env)
		if err != nil {
			return armError(i, arm.label, err)
		}
		arms = append(arms, arm)
	}
	if comparison.Cases, err = o.cases(cases, arms); err != nil {
		return err
	}
	threads := slices.ContainsFunc(arms, func(l laid) bool { return l.given["threads"] })
	for _, l := range arms {
		if threads {
			l.arm.Threads = l.threads
		}
		comparison.Arms = append(comparison.Arms, l.arm)
	}
	c.Compare = comparison
	return o.armsUnsecured(c.Target, arms)
}

// armsUnsecured is unsecured for a comparison, whose line is the base of every arm.
func (o *options) armsUnsecured(base *target.Target, arms []laid) error {
	for _, l := range arms {
		if l.arm.Target != nil && l.arm.Target.TLS != nil {
			return nil
		}
	}
	return o.unsecured(base)
}

// armError says which arm an error is about. label is empty where it could not be
// told which of its words are passwords.
func armError(i int, label string, err error) error {
	if label == "" {
		return fmt.Errorf("arm %d: %w", i+1, err)
	}
	return fmt.Errorf("arm %d %q: %w", i+1, label, err)
}

// armTexts are the arms in the words of the command line: each word is one, or all
// the words between two vs.
func armTexts(words []string) ([]string, error) {
	texts := words
	if slices.Contains(words, "vs") {
		texts = nil
		from := 0
		for i := range len(words) + 1 {
			if i < len(words) && words[i] != "vs" {
				continue
			}
			if from == i {
				return nil, errors.New("vs stands between two arms; the command line's own setting is base, as in base vs P=16")
			}
			texts = append(texts, strings.Join(words[from:i], " "))
			from = i + 1
		}
	}
	switch n := len(texts); {
	case n == 0:
		return nil, errors.New("no arms: name two to six settings, such as P=1 P=16, or base 'c=200 P=4'")
	case n < leastArms:
		return nil, errors.New("one arm only: name what it is compared with too, such as base for the command line's own setting")
	case n > mostArms:
		return nil, fmt.Errorf("%d arms: compare takes %d to %d; blanks within an arm are quoted, as in 'c=200 P=4', or arms are separated by vs", n, leastArms, mostArms)
	}
	return texts, nil
}

// baseCases are the cases of the command line alone: one for each test, else one of
// the command or the mix.
func (o *options) baseCases(c *Config) ([]experiment.Case, error) {
	switch {
	case len(o.words) > 0 || o.given("mix"):
		return []experiment.Case{{Title: title(c.Plan.Workload.Mix), Mix: c.Plan.Workload.Mix}}, nil
	case !o.given("tests"):
		mix, err := workload.ParseMix(defaultTest)
		return []experiment.Case{{Title: title(mix), Mix: mix}}, err
	}
	var cases []experiment.Case
	for _, t := range o.tests {
		cases = append(cases, experiment.Case{Title: t.Title, Mix: workload.Single(t)})
	}
	return cases, nil
}

// cases are those of the whole comparison. One alone leaves the mix to the arms'
// plans, so that a screen can change it.
func (o *options) cases(base []experiment.Case, arms []laid) ([]experiment.Case, error) {
	var titles []string
	differ := false
	for i, l := range arms {
		if t := title(l.arm.Plan.Workload.Mix); !slices.Contains(titles, t) {
			titles = append(titles, t)
		}
		if !l.sends() {
			continue
		}
		differ = true
		if len(base) > 1 {
			return nil, armError(i, l.label, fmt.Errorf("it names what it sends, and -t names %d tests for all arms: give one of them", len(base)))
		}
		if len(o.words) > 0 {
			return nil, armError(i, l.label, errors.New("it names what it sends, and the command after -- is for all arms: give one of them"))
		}
	}
	switch {
	case differ:
		return []experiment.Case{{Title: strings.Join(titles, ", ")}}, nil
	case len(base) == 1:
		return []experiment.Case{{Title: base[0].Title}}, nil
	}
	return base, nil
}

// title is what reports call a mix.
func title(mix workload.Mix) string {
	if len(mix) == 1 && !mix.Ordered() {
		return mix[0].Test.Title
	}
	return mix.String()
}
