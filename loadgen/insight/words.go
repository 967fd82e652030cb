package insight

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// percent is a share in words: "97 %", "0.4 %".
func percent(share float64) string {
	p := 100 * share
	if p > 0 && p < 9.95 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", p), ".0") + " %"
	}
	return fmt.Sprintf("%.0f %%", p)
}

// amount is a count with three digits at most: "143 k", "1.25 M", "950".
func amount(v float64) string {
	for _, u := range []struct {
		at   float64
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if v >= 0.9995*u.at {
			return digits(v/u.at) + u.name
		}
	}
	return digits(v)
}

// digits is a number with three digits at most, and none after the point that is 0.
func digits(v float64) string {
	after := 0
	switch {
	case v < 0.9995:
		after = 3
	case v < 9.995:
		after = 2
	case v < 99.95:
		after = 1
	}
	s := strconv.FormatFloat(v, 'f', after, 64)
	if after > 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// perSecond is a rate: "143 k/s", "950/s".
func perSecond(v float64) string { return amount(v) + "/s" }

// brief is a time: "0.35 ms", "12 us", "1.2 s".
func brief(t time.Duration) string {
	switch {
	case t >= time.Second:
		return digits(t.Seconds()) + " s"
	case t >= 100*time.Microsecond:
		return digits(float64(t)/float64(time.Millisecond)) + " ms"
	}
	return digits(float64(t)/float64(time.Microsecond)) + " us"
}

// cores is a number of processors: "2 cores", "1 core", "0.5 cores".
func cores(n float64) string {
	if math.Abs(n-1) < 0.005 {
		return "1 core"
	}
	return digits(n) + " cores"
}
