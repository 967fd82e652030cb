package paired

import (
	"fmt"
	"strconv"
)

// Words are what a sentence calls things.
type Words struct {
	A, B   string // the arms: "P=1", "P=16"; without A a sentence speaks of B alone
	Metric string // "p99"; "" is throughput, which needs no word
}

// plain is the ratio from which on a factor says more than a percentage.
const plain = 2

// Sentence is the verdict of f in the given words, within 80 columns for short
// names: "B faster: x 6.77 [6.51..7.02]", "B faster by 12.3 % [8.1..16.4 %]".
func (f Finding) Sentence(w Words) string {
	if w.B == "" {
		w.B = "B"
	}
	than := ""
	if w.A != "" {
		than = " than " + w.A
	}
	switch f.Verdict.Kind {
	case Faster, Slower:
		return fmt.Sprintf("%s %s%s%s", w.B, f.Verdict.Kind, than, f.amount(w))
	case BelowPractical:
		return "real but below " + limit(f.Limit) + ": " + f.small(w, than)
	case NoDifference:
		return "no difference larger than " + limit(f.Limit)
	}
	if f.Why == ClientBound {
		return f.clientBound(w)
	}
	return "cannot tell: " + f.doubt()
}

// clientBound says who was at the load generator's limit, and at which ratio: "client-bound:
// B at the client's limit, x 6.77 [6.51..7.02]; raise --threads".
func (f Finding) clientBound(w Words) string {
	if w.A == "" {
		w.A = "the other side"
	}
	who := w.A
	switch {
	case f.ClientA && f.ClientB:
		who = "both"
	case f.ClientB:
		who = w.B
	}
	return fmt.Sprintf("client-bound: %s at the client's limit, x %s [%s..%s]; raise --threads", who, factor(f.Ratio), factor(f.Low), factor(f.High))
}

// amount ends a claim: ": x 6.77 [6.51..7.02]", " by 12.3 % [8.1..16.4 %]", or with
// a metric ": p99 12.3 % lower [8.1..16.4 %]".
func (f Finding) amount(w Words) string {
	if f.Ratio >= plain || f.Ratio <= 1./plain {
		metric := ""
		if w.Metric != "" {
			metric = w.Metric + " "
		}
		return fmt.Sprintf(": %sx %s [%s..%s]", metric, factor(f.Ratio), factor(f.Low), factor(f.High))
	}
	by, span := f.change()
	if w.Metric != "" {
		return fmt.Sprintf(": %s %s %s %s", w.Metric, by, f.way("higher", "lower"), span)
	}
	return fmt.Sprintf(" by %s %s", by, span)
}

// small tells a difference that is no claim: "B faster by 2.1 % [0.8..2.9 %]", or
// with a metric "p99 of B 2.1 % lower [0.8..2.9 %]".
func (f Finding) small(w Words, than string) string {
	by, span := f.change()
	if w.Metric != "" {
		return fmt.Sprintf("%s of %s %s %s%s %s", w.Metric, w.B, by, f.way("higher", "lower"), than, span)
	}
	return fmt.Sprintf("%s %s%s by %s %s", w.B, f.way(string(Faster), string(Slower)), than, by, span)
}

// change is the distance from no difference in percent, and its interval.
func (f Finding) change() (by, span string) {
	size, from, to := f.Ratio-1, f.Low-1, f.High-1
	if f.Ratio < 1 {
		size, from, to = 1-f.Ratio, 1-f.High, 1-f.Low
	}
	return percent(size) + " %", fmt.Sprintf("[%s..%s %%]", percent(from), percent(to))
}

// way is one word or the other, as B has more or less of the metric.
func (f Finding) way(more, less string) string {
	if f.Ratio < 1 {
		return less
	}
	return more
}

// doubt says what a verdict lacks.
func (f Finding) doubt() string {
	if f.Why == TooFew {
		if f.Pairs == 0 {
			return "no pairs yet"
		}
		return fmt.Sprintf("%s so far, at least %d more", pairs(f.Pairs), f.More)
	}
	if f.Why == Silent {
		return "neither side answered"
	}
	noise := "noise ±" + percent(f.Noise) + " %"
	if f.Noise >= 10 { // only a server that was gone does that
		noise = "noise beyond ±1000 %"
	}
	switch {
	case f.Why == WithinFloor:
		return fmt.Sprintf("%s, but identical arms differ by %s %%", noise, percent(min(f.Floor, 10)))
	case f.More > 0:
		return fmt.Sprintf("%s, about %d more pair%s", noise, f.More, plural(f.More))
	}
	return fmt.Sprintf("%s, more than %d pairs", noise, MostPairs)
}

func pairs(n int) string { return fmt.Sprintf("%d pair%s", n, plural(n)) }

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// factor is a ratio with about three digits: 1234, 123, 12.3, 6.77, 0.43, 0.012.
func factor(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 0.1:
		return fmt.Sprintf("%.2f", v)
	case v >= 0.001:
		return fmt.Sprintf("%.3f", v)
	}
	return fmt.Sprintf("%.6f", v)
}

// percent is a share in percent with one digit behind the point, more where that
// would say 0.0 and none from a hundred on.
func percent(share float64) string {
	v := 100 * share
	switch {
	case v >= 99.95 || v <= -99.95:
		return fmt.Sprintf("%.0f", v)
	case v < 0.095 && v > -0.095:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.1f", v)
}

// limit is the practical limit as it was given: "3 %", "2.5 %".
func limit(share float64) string {
	return strconv.FormatFloat(100*share, 'g', 4, 64) + " %"
}
