package embedded

import (
	"math"
	"strconv"
)

// parseInt reads a 64-bit integer as strictly as Redis: no sign plus, no leading
// zero, no space, no "-0".
func parseInt(text []byte) (int64, bool) {
	if len(text) == 0 || len(text) > 20 {
		return 0, false
	}
	digits := text
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || digits[0] == '+' || digits[0] == '0' && len(text) > 1 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, err == nil
}

// parseScore reads a score; "inf" is one, "nan" is none.
func parseScore(text []byte) (float64, bool) {
	f, err := strconv.ParseFloat(string(text), 64)
	return f, err == nil && !math.IsNaN(f)
}

// formatScore writes a score as the shortest text that reads back as the same.
func formatScore(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f == math.Trunc(f) && math.Abs(f) < 1<<53:
		return strconv.FormatInt(int64(f), 10)
	default:
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
}

// window turns Redis's inclusive range with negative indexes into a half-open one
// within n items; from == to when nothing is in it.
func window(start, stop int64, n int) (from, to int) {
	if start < 0 {
		start = max(0, start+int64(n))
	}
	if stop < 0 {
		stop += int64(n)
	}
	stop = min(stop, int64(n)-1)
	if start > stop {
		return 0, 0
	}
	return int(start), int(stop) + 1
}
