package tui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ladder answers the value one step above (up) or below v; at its ends it
// answers the end.
type ladder func(v int64, up bool) int64

// climb takes n steps, upwards when n is positive.
func (l ladder) climb(v int64, n int) int64 {
	for ; n > 0; n-- {
		v = l(v, true)
	}
	for ; n < 0; n++ {
		v = l(v, false)
	}
	return v
}

// rungs is a ladder of fixed ascending values. A value between two rungs moves to
// the next one in the direction of the step.
func rungs(values ...int64) ladder {
	return func(v int64, up bool) int64 {
		if up {
			for _, r := range values {
				if r > v {
					return r
				}
			}
			return max(v, values[len(values)-1])
		}
		for i := len(values) - 1; i >= 0; i-- {
			if values[i] < v {
				return values[i]
			}
		}
		return min(v, values[0])
	}
}

// oneTwoFive is the ladder 1 2 5 10 20 50 … from low to high.
func oneTwoFive(low, high int64) ladder {
	var values []int64
	for decade := int64(1); decade <= high; decade *= 10 {
		for _, m := range [3]int64{1, 2, 5} {
			if v := m * decade; v >= low && v <= high {
				values = append(values, v)
			}
		}
	}
	return rungs(values...)
}

// powersOfTwo is the ladder low, 2×low, … up to high.
func powersOfTwo(low, high int64) ladder {
	var values []int64
	for v := low; v <= high; v *= 2 {
		values = append(values, v)
	}
	return rungs(values...)
}

// count is n as short as it is exact: 100k, 2M, 123456.
func count(n int64) string {
	switch {
	case n != 0 && n%1e9 == 0:
		return strconv.FormatInt(n/1e9, 10) + "G"
	case n != 0 && n%1e6 == 0:
		return strconv.FormatInt(n/1e6, 10) + "M"
	case n != 0 && n%1e3 == 0:
		return strconv.FormatInt(n/1e3, 10) + "k"
	}
	return strconv.FormatInt(n, 10)
}

// bytesText is n bytes as short as it is exact: 64 B, 4 KB, 1 MB; a KB is 1024.
func bytesText(n int) string {
	switch {
	case n != 0 && n%(1<<20) == 0:
		return strconv.Itoa(n>>20) + " MB"
	case n != 0 && n%(1<<10) == 0:
		return strconv.Itoa(n>>10) + " KB"
	}
	return strconv.Itoa(n) + " B"
}

var errNumber = errors.New("not a number")

// parseCount reads "50", "20k", "1.5M", "100_000" or "100,000": k, M and G are
// powers of 1000.
func parseCount(s string) (int64, error) {
	return parseUnits(s, 1000, [3]string{"k", "m", "g"})
}

// parseBytes reads "64", "64B", "16k", "16 KB", "1MiB": K, M and G are powers of
// 1024, as Redis counts memory.
func parseBytes(s string) (int64, error) {
	t := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s)), "b")
	return parseUnits(strings.TrimSuffix(t, "i"), 1024, [3]string{"k", "m", "g"})
}

// parseUnits is parseDecimal for values that must come out whole.
func parseUnits(s string, base float64, units [3]string) (int64, error) {
	v, err := parseDecimal(s, base, units)
	if err != nil {
		return 0, err
	}
	if whole := int64(v); float64(whole) == v {
		return whole, nil
	}
	return 0, fmt.Errorf("%q: not a whole number", s)
}

// parseDecimal reads a number with an optional unit; the unit's place in units is
// the power of base.
func parseDecimal(s string, base float64, units [3]string) (float64, error) {
	t := strings.ToLower(strings.TrimSpace(s))
	factor := 1.0
	for i, u := range units {
		if rest, ok := strings.CutSuffix(t, u); ok {
			t = rest
			for ; i >= 0; i-- {
				factor *= base
			}
			break
		}
	}
	t = strings.NewReplacer("_", "", ",", "").Replace(strings.TrimSpace(t))
	if t == "" || strings.Trim(t, "0123456789.") != "" {
		return 0, fmt.Errorf("%q: %w", s, errNumber)
	}
	v, err := strconv.ParseFloat(t, 64)
	if err != nil || v*factor > 1e15 {
		return 0, fmt.Errorf("%q: %w", s, errNumber)
	}
	return v * factor, nil
}
