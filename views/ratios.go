package views

import (
	"math"
	"strconv"
	"strings"
)

// number is a side's value for a ratio.
func (r *CompareRow) number(i int) (float64, bool) {
	if r.IsTime {
		d := at(r.Times, i)
		return float64(d.Value), d.OK
	}
	n := at(r.Numbers, i)
	return n.Value, n.OK
}

// at is an element of a list that may be too short.
func at[T any](list []T, i int) T {
	var none T
	if i < 0 || i >= len(list) {
		return none
	}
	return list[i]
}

// value writes a side's number, of all rounds or of the last one.
func (r *CompareRow) value(i int, last bool) string {
	times, numbers := r.Times, r.Numbers
	if last {
		times, numbers = r.LastTimes, r.LastNumbers
	}
	n := at(numbers, i)
	switch {
	case r.IsTime:
		return at(times, i).millis()
	case r.Short && n.OK:
		return Short(n.Value)
	}
	return n.thousands()
}

// ratio is a side over the reference, worked out where it was not given.
func (r *CompareRow) ratio(side, reference int) (Ratio, bool) {
	if given := at(r.Ratios, side); given.Value != 0 || given.Low != 0 || given.High != 0 {
		return given, isData(given.Value) && given.Value >= 0
	}
	open := at(r.Ratios, side).Open
	x, known := r.number(side)
	base, ok := r.number(reference)
	switch {
	case !known || !ok || !isData(x) || !isData(base) || x < 0 || base < 0:
		return Ratio{}, false
	case x == base:
		// Zero over zero is no change, although it is no ratio either.
		return Ratio{Value: 1, Open: open}, true
	case base == 0:
		return Ratio{}, false
	}
	return Ratio{Value: x / base, Open: open}, true
}

// hasInterval tells whether an interval came with the ratio.
func (r Ratio) hasInterval() bool {
	return isData(r.Low) && isData(r.High) && r.High > 0 && r.Low >= 0 && r.High >= r.Low
}

// unsure holds where neither better nor worse can be said.
func (r Ratio) unsure() bool { return r.Open || r.hasInterval() && r.Low <= 1 && r.High >= 1 }

// digits are the places of a ratio: close to 1 the third one is what counts.
func (r Ratio) digits() int {
	if r.Value > 0.9 && r.Value < 1.1 {
		return 3
	}
	return 2
}

// text writes "x 6.77".
func (r Ratio) text() string { return "x " + times(r.Value, r.digits()) }

// times writes a ratio with so many places below ten.
func times(v float64, places int) string {
	if v >= 0.01 && v < 9.995 {
		return strconv.FormatFloat(v, 'f', places, 64)
	}
	return factor(v)
}

// interval writes "[6.51..7.02]", shorter where there is less room, and nothing where
// even that does not fit.
func (r Ratio) interval(room int) string {
	if !r.hasInterval() {
		return ""
	}
	for _, places := range [...]int{r.digits(), 2} {
		s := times(r.Low, places) + ".." + times(r.High, places)
		switch {
		case len(s)+2 <= room:
			return "[" + s + "]"
		case len(s) <= room:
			return s
		}
	}
	return ""
}

// word says which way a ratio goes.
func (r *CompareRow) word(x Ratio) (Tone, string) {
	switch {
	case r.NoDirection:
		return Plain, ""
	case x.Value == 1 && !x.hasInterval():
		return Muted, "="
	case x.unsure():
		return Muted, "?"
	case math.Abs(x.Value-1) <= 0.005 && !x.hasInterval():
		return Muted, "="
	case (x.Value > 1) == r.MoreIsBad:
		return Bad, "worse"
	}
	return Good, "better"
}

// compared is a row's ratio for a side. A claim that the verdict does not make is made
// by no row that rests on the same ratio, or on none with an interval.
func (v *Compare) compared(r *CompareRow, side int) (Ratio, bool) {
	x, ok := r.ratio(side, v.Reference)
	if v.Competing || !at(v.Verdicts, side).Mark.claims() && (r.Label == v.Metric || !x.hasInterval()) {
		x.Open = true
	}
	return x, ok
}

// drop is the row's place in the order of leaving.
func (r *CompareRow) drop() int {
	if r.Drop != 0 {
		return r.Drop
	}
	label := strings.ToLower(r.Label)
	switch {
	case strings.HasPrefix(label, "mb/s"):
		return DropFirst + 4
	case label == "samples":
		return DropFirst + 3
	case label == "p75":
		return DropFirst + 2
	case label == "p90":
		return DropFirst + 1
	case strings.Contains(label, "/ p"):
		return DropFirst
	case strings.HasPrefix(label, "errors"):
		return 4
	case strings.HasPrefix(label, "p99.99"):
		return 3
	case label == "max":
		return 2
	case strings.HasPrefix(label, "p99.9"):
		return 1
	}
	return 0
}
