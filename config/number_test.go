package config_test

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/config"
)

// number is a text and what it is read as; -1 means that it is refused.
type number struct {
	text string
	want int64
}

func TestParseCount(t *testing.T) {
	for _, n := range []number{
		{"0", 0}, {"1", 1}, {"007", 7}, {"100000", 100_000}, {"3000000000", 3_000_000_000},
		{"100k", 100_000}, {"100K", 100_000}, {"5m", 5_000_000}, {"5M", 5_000_000}, {"2g", 2_000_000_000},
		{"1e5", 100_000}, {"1E6", 1_000_000}, {"1e+3", 1000}, {"1.5k", 1500}, {"2.5e3", 2500}, {"1e3k", 1_000_000},
		{"10e-1", 1}, {".5k", 500}, {"9223372036854775807", math.MaxInt64}, {"9e18", 9_000_000_000_000_000_000},
		{"", -1}, {"-5", -1}, {"+5", -1}, {"abc", -1}, {"k", -1}, {"e5", -1}, {"1e", -1}, {"1.5", -1}, {"1.2345k", -1},
		{"0x10", -1}, {"1_000", -1}, {"1,000", -1}, {" 1", -1}, {"1 k", -1}, {"1kb", -1}, {"1..2", -1}, {".", -1},
		{"nan", -1}, {"inf", -1}, {"9223372036854775808", -1}, {"1e19", -1}, {"1e99", -1}, {"1e999999999", -1},
		{"10000000000g", -1}, {strings.Repeat("9", 100), -1}, {"1/2", -1}, {"١", -1},
	} {
		check(t, "ParseCount", n, config.ParseCount)
	}
}

func TestParseSize(t *testing.T) {
	for _, n := range []number{
		{"0", 0}, {"64", 64}, {"64b", 64}, {"1k", 1024}, {"1K", 1024}, {"16KB", 16 << 10}, {"16kib", 16 << 10},
		{"1mb", 1 << 20}, {"1M", 1 << 20}, {"1g", 1 << 30}, {"1GiB", 1 << 30}, {"0.5k", 512}, {"1e3", 1000},
		{"", -1}, {"-1", -1}, {"0.3k", -1}, {"1x", -1}, {"1kk", -1}, {"1bk", -1}, {"1 kb", -1}, {"8589934592g", -1}, {"NaN", -1},
	} {
		check(t, "ParseSize", n, config.ParseSize)
	}
}

func check(t *testing.T, name string, n number, parse func(string) (int64, bool)) {
	t.Helper()
	got, ok := parse(n.text)
	if ok != (n.want >= 0) || ok && got != n.want {
		t.Errorf("%s(%q) = %d, %v; want %d", name, n.text, got, ok, n.want)
	}
}

func TestParseRate(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "0.1": .1, "0.5": .5, ".5": .5, "1e-2": .01, "5000": 5000, "20k": 20_000, "500k": 500_000, "1e6": 1e6, "2.5k": 2500,
	} {
		if got, ok := config.ParseRate(text); !ok || got != want {
			t.Errorf("ParseRate(%q) = %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-1", "max", "NaN", "Inf", "1e1000", "5/s"} {
		if got, ok := config.ParseRate(text); ok {
			t.Errorf("ParseRate(%q) = %v; want it refused", text, got)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"10s": 10 * time.Second, "10": 10 * time.Second, "1m30s": 90 * time.Second,
		"0.5": 500 * time.Millisecond, "250ms": 250 * time.Millisecond, "2h": 2 * time.Hour,
	} {
		if got, ok := config.ParseDuration(text); !ok || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "0", "0s", "-1", "-10s", "ten", "NaN", "inf", "1e300", "10001h", "10 s", "10x"} {
		if got, ok := config.ParseDuration(text); ok {
			t.Errorf("ParseDuration(%q) = %v; want it refused", text, got)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"rate", "rate", 0}, {"rat", "rate", 1},
		{"raet", "rate", 1}, {"fsp", "fps", 1}, {"pipelin", "pipeline", 1}, {"kitten", "sitting", 3},
	} {
		if got := config.Distance(c.a, c.b); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func FuzzParseCount(f *testing.F) {
	for _, s := range []string{"1", "100k", "1e6", "-5", "abc", "3000000000", "1e999999999", "9223372036854775808", "1.5", ".5m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := config.ParseCount(s)
		// Plain digits are the oracle: strconv and the parser must agree on them.
		if plain, err := strconv.ParseUint(s, 10, 63); err == nil && len(s) <= 40 && (!ok || n != int64(plain)) {
			t.Errorf("ParseCount(%q) = %d, %v; want %d", s, n, ok, plain)
		}
		if !ok {
			return
		}
		if n < 0 {
			t.Errorf("ParseCount(%q) = %d, below 0", s, n)
		}
		if again, ok := config.ParseCount(strconv.FormatInt(n, 10)); !ok || again != n {
			t.Errorf("ParseCount(%q) = %d, which reads back as %d, %v", s, n, again, ok)
		}
	})
}

func FuzzParseSize(f *testing.F) {
	for _, s := range []string{"64", "1k", "16KB", "1mb", "1GiB", "-1", "0.5k", "1kk", "9999999999g"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := config.ParseSize(s)
		if !ok {
			return
		}
		if n < 0 {
			t.Errorf("ParseSize(%q) = %d, below 0", s, n)
		}
		if again, ok := config.ParseSize(strconv.FormatInt(n, 10) + "b"); !ok || again != n {
			t.Errorf("ParseSize(%q) = %d, which reads back as %d, %v", s, n, again, ok)
		}
	})
}

func FuzzParseDuration(f *testing.F) {
	for _, s := range []string{"10s", "10", "1m30s", "-1", "NaN", "0x1p9", "1e300", "1e-300"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, ok := config.ParseDuration(s); ok && d <= 0 {
			t.Errorf("ParseDuration(%q) = %v, not above 0", s, d)
		}
	})
}
