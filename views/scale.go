package views

import (
	"math"
	"slices"
	"time"
)

// axis is the vertical axis of a chart: rows cells high, from low to high, linear
// or by powers of ten. The zero axis has no data: everything on it is empty.
type axis struct {
	rows      int
	low, high float64 // for a log axis the exponents
	log       bool
	every     int // rows between two labels
}

// paces are the distances from one label to the next, times a power of ten. They
// lie close together, so that little of the plot's height is left unused.
func paces() [9]float64 { return [...]float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8} }

// linear fits an axis around the values. The labels are multiples of a round number
// and stand exactly at the upper edge of their rows.
//
// ScaleAuto starts from zero as well until the low is above half of the high: only
// then is there something to see by looking closer.
func linear(values []float64, rows int, scale Scale) axis {
	low, high := extent(values)
	if rows <= 0 || high <= 0 {
		return axis{rows: rows}
	}
	if scale == ScaleAuto && low > high/2 {
		// Never closer than a fifth of the value: noise should look like noise. A
		// constant series comes to lie in the middle.
		if need := high / 5; high-low < need {
			middle := low + (high-low)/2
			low, high = middle-need/2, middle+need/2
		}
	} else {
		low = 0
	}
	a := axis{rows: rows, every: every(rows)}
	a.low, a.high = round(low, high, rows, a.every)
	if !isData(a.high) || a.high <= a.low {
		return axis{rows: rows}
	}
	return a
}

// extent gives the lowest value and a high that one spike cannot lift: when the
// highest is more than four times the 98th percentile, that percentile with a
// tenth to spare is the high, and the spike is cut off. Without values both are 0.
func extent(values []float64) (low, high float64) {
	sorted := make([]float64, 0, len(values))
	for _, v := range values {
		if isData(v) {
			sorted = append(sorted, v)
		}
	}
	if len(sorted) == 0 {
		return 0, 0
	}
	slices.Sort(sorted)
	low, high = max(0, sorted[0]), sorted[len(sorted)-1]
	// Rounded down, so that among a few values the highest is never its own judge.
	if p98 := sorted[(len(sorted)-1)*98/100]; len(sorted) >= 8 && p98 > 0 && high > 4*p98 {
		high = p98 * 1.1
	}
	return min(low, high), high
}

// round widens low..high to an axis of so many rows whose labels, every rows apart,
// are round. Where the first fit has labels of more than three digits it looks for
// the next wider one.
func round(low, high float64, rows, every int) (float64, float64) {
	least := (high - low) / float64(rows) * float64(every)
	power := math.Pow(10, math.Floor(math.Log10(least)))
	var first [2]float64
	for _, p := range [...]float64{power, power * 10, power * 100} {
		for _, pace := range paces() {
			pace *= p
			if pace < least*(1-1e-9) {
				continue
			}
			bottom := math.Floor(low/pace+1e-9) * pace
			top := bottom + pace/float64(every)*float64(rows)
			if top < high*(1-1e-9) {
				continue
			}
			if first[1] == 0 {
				first = [2]float64{bottom, top}
			}
			if brief(bottom, top, pace) {
				return bottom, top
			}
		}
	}
	return first[0], first[1]
}

// brief holds when every label from bottom to top is exact with three digits.
func brief(bottom, top, pace float64) bool {
	for v := bottom; v < top+pace/2; v += pace {
		if v <= pace/1e6 {
			continue
		}
		digit := math.Pow(10, math.Floor(math.Log10(v)+1e-9)-2)
		if q := v / digit; math.Abs(q-math.Round(q)) > 1e-6 {
			return false
		}
	}
	return true
}

// every is the number of rows from one label to the next: four to six labels.
func every(rows int) int {
	if rows <= 6 {
		return 1
	}
	return (rows + 5) / 6
}

// decades fits a log axis around latencies in seconds, in whole powers of ten.
func decades(b latencyBins, rows int) axis {
	low, high := math.Inf(1), 0.0
	for _, series := range [...][]float64{b.p50, b.p99, b.p999} {
		for _, v := range series {
			if isData(v) && v > 0 {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if high == 0 || rows <= 0 {
		return axis{rows: rows, log: true}
	}
	// A hair of tolerance keeps an exact power of ten in its own decade.
	bottom := math.Floor(math.Log10(low) + 1e-9)
	top := math.Ceil(math.Log10(high) - 1e-9)
	return axis{rows: rows, low: bottom, high: max(top, bottom+1), log: true}
}

// steps is how high a value stands, in steps of per to a row; at least one for
// what is not zero, more than rows*per for what the axis cuts off.
func (a axis) steps(v float64, per int) int {
	total := a.rows * per
	if !isData(v) || v <= 0 || a.high <= a.low {
		return 0
	}
	x := v
	if a.log {
		x = math.Log10(v)
	}
	part := (x - a.low) / (a.high - a.low)
	if part > 1+1e-9 {
		return total + 1
	}
	return max(1, min(total, int(math.Round(part*float64(total)))))
}

// label is the text at a row, counted from the top: the value of the row's upper
// edge. Empty where no label belongs. The lower edge of the last row has its label
// on the line below it, so that labels are as far apart as their values.
func (a axis) label(row int) string {
	above := a.rows - row
	switch {
	case a.log:
		return a.decade(row)
	case a.high <= a.low || above%a.every != 0:
		return ""
	}
	return Short(a.low + (a.high-a.low)/float64(a.rows)*float64(above))
}

// foot is the label of the axis line, where the plot begins.
func (a axis) foot() string {
	switch {
	case !a.log:
		return Short(a.low)
	case a.high <= a.low:
		return ""
	}
	return power(int(a.low))
}

// decade is the label of the power of ten nearest to the upper edge of a row.
func (a axis) decade(row int) string {
	if a.high <= a.low {
		return ""
	}
	for e := a.high; e > a.low; e-- {
		at := int(math.Ceil((a.high-e)/(a.high-a.low)*float64(a.rows) - 0.5))
		if at == row {
			return power(int(e))
		}
	}
	return ""
}

// power writes a power of ten of a second: "10 us", "0.1 ms", "1 ms", "1 s".
func power(e int) string {
	d := time.Duration(math.Round(math.Pow(10, float64(e)) * 1e9))
	switch {
	case e >= 0:
		return Short(math.Pow(10, float64(e))) + " s"
	case e >= -4:
		return Short(float64(d)/1e6) + " ms"
	case e >= -6:
		return Short(float64(d)/1e3) + " us"
	}
	return Short(float64(d)) + " ns"
}
