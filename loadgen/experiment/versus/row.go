package versus

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
)

// Arm is one contender in a row.
type Arm struct {
	Name string
	Run  func(context.Context) (Sample, error) // one run, from its start to its end
	// Cannot says why the arm takes no part, such as a command that its program
	// does not have; "" when it does.
	Cannot string
}

// Row is one question: the same load by several arms, several times. The first
// arm is the reference.
type Row struct {
	Name    string // "get P=16 c=50": words that also make the benchmark's name
	Arms    []Arm
	Metrics []Metric // in the order of columns
	Reach   []Reach  // what is asked of every arm but the reference

	Requests int64 // of a run; 0 where a run has another end

	Rounds [][]Sample // by round, then by arm; nil where a run failed
	Faults []string   // by arm: the first failure; "" for none
}

// Schedule says how rows are measured.
type Schedule struct {
	Rounds int
	Random *rand.Rand
	Tell   func(string) // progress, a line at a time; nil for none
}

// Measure runs every row's arms. It goes through all rows in each round, so that
// a slow drift of the machine meets all of them alike and an interrupted
// comparison has something of each. A failed run leaves a hole and is told in
// Faults; only the end of ctx ends the whole.
func Measure(ctx context.Context, rows []*Row, s Schedule) error {
	orders := make([][][]int, len(rows))
	for i, r := range rows {
		orders[i] = Orders(s.Random, s.Rounds, len(r.Arms))
		r.Faults = make([]string, len(r.Arms))
	}
	for round := range s.Rounds {
		for i, r := range rows {
			if err := r.measure(ctx, orders[i][round]); err != nil {
				return fmt.Errorf("%s, round %d: %w", r.Name, round+1, err)
			}
			if s.Tell != nil {
				s.Tell(fmt.Sprintf("round %d/%d  %s", round+1, s.Rounds, r.last()))
			}
		}
	}
	return nil
}

// measure runs one round.
func (r *Row) measure(ctx context.Context, order []int) error {
	samples := make([]Sample, len(r.Arms))
	for _, arm := range order {
		if r.Arms[arm].Cannot != "" {
			continue
		}
		sample, err := r.Arms[arm].Run(ctx)
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
		if err != nil {
			if r.Faults[arm] == "" {
				r.Faults[arm] = err.Error()
			}
			continue
		}
		samples[arm] = sample
	}
	r.Rounds = append(r.Rounds, samples)
	return nil
}

// last is the newest round in a line: the first metric of each arm.
func (r *Row) last() string {
	line := r.Name + ":"
	for i, a := range r.Arms {
		cell := absent
		if v, ok := r.Rounds[len(r.Rounds)-1][i][r.Metrics[0]]; ok {
			cell = digits(v)
		}
		line += fmt.Sprintf("  %s %s", a.Name, cell)
	}
	return line + " " + r.Metrics[0].heading()
}

// Figure is the spread of a metric over the rounds of an arm.
func (r *Row) Figure(arm int, m Metric) Spread {
	var values []float64
	for _, samples := range r.Rounds {
		if v, ok := samples[arm][m]; ok {
			values = append(values, v)
		}
	}
	return Of(values)
}

// Ratio is the spread of the arm's figure over the reference's of the same
// round. It is not the ratio of the medians: what disturbed a round disturbed
// both of its arms.
func (r *Row) Ratio(arm int, m Metric) Spread {
	var ratios []float64
	for _, samples := range r.Rounds {
		ours, known := samples[arm][m]
		theirs, knownToo := samples[0][m]
		if known && knownToo && theirs > 0 {
			ratios = append(ratios, ours/theirs)
		}
	}
	return Of(ratios)
}

// trouble is why the arm has no figures, or some only; "" for neither.
func (r *Row) trouble(arm int) string {
	if why := r.Arms[arm].Cannot; why != "" {
		return "cannot run it: " + why
	}
	if arm < len(r.Faults) && r.Faults[arm] != "" {
		failed := 0
		for _, samples := range r.Rounds {
			if samples[arm] == nil {
				failed++
			}
		}
		return fmt.Sprintf("failed in %d of %d rounds: %s", failed, len(r.Rounds), r.Faults[arm])
	}
	return ""
}
