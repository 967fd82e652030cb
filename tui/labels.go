package tui

import (
	"slices"
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment"
)

// armLabels are what sets each arm apart under these plans: the user's words for it
// while they are true, and after a knob was turned, or for arms that were made on the
// screen, the part of its plan in which it is not as another.
func armLabels(arms []experiment.Arm, plans []loadgen.Plan) []string {
	var words [][]string
	for _, p := range plans {
		words = append(words, strings.Fields(p.String()))
	}
	out := make([]string, len(arms))
	for i, a := range arms {
		if a.Label != "" && a.Plan.Changes(plans[i]) == "" {
			out[i] = a.Label
			continue
		}
		common := func(w string) bool {
			return !slices.ContainsFunc(words, func(of []string) bool { return !slices.Contains(of, w) })
		}
		out[i] = strings.Join(slices.DeleteFunc(slices.Clone(words[i]), common), " ")
	}
	return out
}

// labelled is a state whose arms carry the labels of their present plans, for reports.
func labelled(s *experiment.State, began []experiment.Arm) *experiment.State {
	if s == nil || len(s.Arms) != len(began) {
		return s
	}
	var plans []loadgen.Plan
	for _, side := range s.Arms {
		plans = append(plans, side.Arm.Plan)
	}
	out := *s
	out.Arms = slices.Clone(s.Arms)
	for i, label := range armLabels(began, plans) {
		out.Arms[i].Arm.Label = label
	}
	return &out
}
