package workload

import (
	"math/big"
	"strconv"
	"strings"
)

// parseBytes reads a number of bytes: 100, 1k, 1.5k, 16KB, 1m, 1e3. The units are
// powers of 1024, as memory is counted and as Redis writes it. A sign, a blank, hex
// and a part of a byte are refused.
func parseBytes(s string) (int64, bool) {
	const longest = 40 // characters: far more than makes sense, and few enough for exact arithmetic
	figures := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	unit, ok := ByteUnit(strings.ToLower(s[len(figures):]))
	if !ok || figures == "" || len(figures) > longest || strings.Trim(figures, "0123456789.eE") != "" {
		return 0, false
	}
	if e := strings.IndexAny(figures, "eE"); e >= 0 && len(figures)-e > len("e99") {
		return 0, false // nobody means 1e999999999
	}
	v, ok := new(big.Rat).SetString(figures)
	if !ok {
		return 0, false
	}
	v.Mul(v, new(big.Rat).SetInt64(unit))
	if !v.IsInt() || !v.Num().IsInt64() {
		return 0, false
	}
	return v.Num().Int64(), true
}

// ByteUnit is how many bytes a unit of sizes stands for, in lower case: "", "k",
// "kb", "kib" and so on, as powers of 1024; false for any other word.
func ByteUnit(unit string) (int64, bool) {
	switch unit {
	case "", "b":
		return 1, true
	case "k", "kb", "kib":
		return 1 << 10, true
	case "m", "mb", "mib":
		return 1 << 20, true
	case "g", "gb", "gib":
		return 1 << 30, true
	}
	return 0, false
}

// bytesText is n as parseBytes reads it, in the largest unit that leaves it whole.
func bytesText(n int) string {
	for i, unit := range []string{"g", "m", "k"} {
		if size := 1 << (30 - 10*i); n >= size && n%size == 0 {
			return strconv.Itoa(n/size) + unit
		}
	}
	return strconv.Itoa(n)
}
