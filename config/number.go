package config

import (
	"math/big"
	"strconv"
	"strings"
	"time"
)

// The longest number that is read: far beyond any that makes sense, and short
// enough for exact arithmetic.
const longestNumber = 40

// scaled reads a decimal number, perhaps with a fraction or an exponent, and the
// unit behind it. The value is exact: 1.5k is 1500, and no count is rounded
// through a float. A sign, a blank, hex, "inf" and "nan" are no numbers here.
func scaled(s string, unit func(string) (int64, bool)) (*big.Rat, bool) {
	digits, rest := split(s)
	if digits == "" || len(digits) > longestNumber {
		return nil, false
	}
	value, ok := new(big.Rat).SetString(digits)
	if !ok {
		return nil, false
	}
	scale, ok := unit(strings.ToLower(rest))
	if !ok {
		return nil, false
	}
	return value.Mul(value, new(big.Rat).SetInt64(scale)), true
}

// split cuts s behind its number. An e is an exponent only when one or two
// digits follow, so that nobody's typing error asks for 1e999999999.
func split(s string) (digits, rest string) {
	end := len(s) - len(strings.TrimLeft(s, "0123456789."))
	tail := s[end:]
	if end > 0 && (strings.HasPrefix(tail, "e") || strings.HasPrefix(tail, "E")) {
		exponent := strings.TrimLeft(tail[1:], "0123456789")
		sign := 0
		if n := len(tail) - 1 - len(exponent); n == 0 && (strings.HasPrefix(tail[1:], "+") || strings.HasPrefix(tail[1:], "-")) {
			sign = 1
			exponent = strings.TrimLeft(tail[2:], "0123456789")
		}
		if n := len(tail) - 1 - sign - len(exponent); n == 1 || n == 2 {
			end = len(s) - len(exponent)
		}
	}
	return s[:end], s[end:]
}

// integer is v when it is a whole number of 64 bits.
func integer(v *big.Rat, ok bool) (int64, bool) {
	if !ok || !v.IsInt() || !v.Num().IsInt64() {
		return 0, false
	}
	return v.Num().Int64(), true
}

// parseRate reads a rate, which unlike a count may have a fraction: one request
// in ten seconds is 0.1.
func parseRate(s string) (float64, bool) {
	v, ok := scaled(s, thousands)
	if !ok {
		return 0, false
	}
	f, _ := v.Float64()
	return f, true
}

// longestDuration is more than a year, and far from the end of time.Duration.
const longestDuration = 10_000 * time.Hour

// parseDuration reads a time above 0, at most longestDuration: "10s", "1m30s", or seconds as a plain number.
func parseDuration(s string) (time.Duration, bool) {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		s += "s"
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d > 0 && d <= longestDuration
}
