package versus

import "fmt"

// Reach is a bound on a figure: a ratio to the reference, or the figure itself.
type Reach struct {
	Metric   Metric
	Limit    float64
	AtLeast  bool // the limit is the lowest good value, else the highest
	Absolute bool // of the figure itself, not of its ratio
}

// Check is one bound held against what was measured.
type Check struct {
	Row, Arm string
	Reach    Reach
	Got      Spread
}

// Met reports whether the median keeps the bound. Without a figure it does not.
func (c Check) Met() bool {
	if c.Got.N == 0 {
		return false
	}
	if c.Reach.AtLeast {
		return c.Got.Median >= c.Reach.Limit
	}
	return c.Got.Median <= c.Reach.Limit
}

// Clear reports whether every single round says the same as the median: where it
// is false, noise could have turned the answer.
func (c Check) Clear() bool {
	inside := func(v float64) bool { return (v >= c.Reach.Limit) == (c.Got.Median >= c.Reach.Limit) }
	return c.Got.N > 0 && inside(c.Got.Low) && inside(c.Got.High)
}

// String is the check in a line: what, how much, against which bound.
func (c Check) String() string {
	sign, word := "≤", "met"
	if c.Reach.AtLeast {
		sign = "≥"
	}
	got, limit, unit := c.Got.Ratio(), fmt.Sprintf("%.2f", c.Reach.Limit), "×"
	if c.Reach.Absolute {
		got, limit, unit = c.Got.String(), digits(c.Reach.Limit), ""
	}
	switch {
	case c.Got.N == 0:
		word = "not measured"
	case !c.Met():
		word = fmt.Sprintf("MISSED by %.1f %%", 100*c.distance())
	}
	if c.Got.N > 0 && !c.Clear() {
		word += " (rounds differ)"
	}
	return fmt.Sprintf("%s, %s: %s %s%s, reach %s %s: %s", c.Row, c.Arm, c.Reach.Metric.heading(), unit, got, sign, limit, word)
}

// distance is how far beyond the limit the median lies, as a share of the limit.
func (c Check) distance() float64 {
	d := c.Got.Median/c.Reach.Limit - 1
	return max(d, -d)
}

// Checks holds every reach of the rows against the arm of that name, in the
// rows that have it.
func Checks(rows []*Row, arm string) []Check {
	var out []Check
	for _, r := range rows {
		for i, a := range r.Arms {
			if a.Name != arm {
				continue
			}
			for _, reach := range r.Reach {
				got := r.Ratio(i, reach.Metric)
				if reach.Absolute {
					got = r.Figure(i, reach.Metric)
				}
				out = append(out, Check{Row: r.Name, Arm: arm, Reach: reach, Got: got})
			}
		}
	}
	return out
}
