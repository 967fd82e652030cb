package views_test

import (
	"math"
	"testing"
	"time"

	"fullbore/views"
)

func TestThousands(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {1, "1"}, {999, "999"}, {1000, "1,000"}, {1142305, "1,142,305"}, {1142304.6, "1,142,305"},
		{15.2, "15.2"}, {102.94, "102.9"}, {0.253, "0.25"}, {9.999, "10.0"}, {999.96, "1,000"}, {-1234, "-1,234"},
		{math.NaN(), "-"}, {math.Inf(1), "-"}, {math.Inf(-1), "-"}, {3e15, "3P"},
	} {
		if got := views.Thousands(tt.v); got != tt.want {
			t.Errorf("Thousands(%v) = %q, want %q", tt.v, got, tt.want)
		}
	}
}

func TestShort(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {1142305, "1.14M"}, {900_000, "900k"}, {1_200_000, "1.2M"}, {999, "999"}, {999.4, "999"}, {999.6, "1k"},
		{999_499, "999k"}, {999_600, "1M"}, {12_345, "12.3k"}, {0.5, "0.5"}, {0.025, "0.025"}, {1e21, "1.0e+03E"},
		{-1500, "-1.5k"}, {math.NaN(), "-"}, {math.Inf(1), "-"}, {0.0001, "1.0e-04"},
	} {
		if got := views.Short(tt.v); got != tt.want {
			t.Errorf("Short(%v) = %q, want %q", tt.v, got, tt.want)
		}
	}
}

func TestMillis(t *testing.T) {
	for _, tt := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0.000"}, {228 * time.Microsecond, "0.228"}, {16263 * time.Microsecond, "16.263"}, {200, "<0.001"}, {500, "0.001"},
		{999_999_400, "999.999"}, {999_999_600, "1,000.0"}, {1204500 * time.Microsecond, "1,204.5"}, {-228 * time.Microsecond, "-0.228"},
	} {
		if got := views.Millis(tt.d); got != tt.want {
			t.Errorf("Millis(%d) = %q, want %q", tt.d, got, tt.want)
		}
	}
	if got := views.Millis(math.MinInt64); len(got) > 30 {
		t.Errorf("the smallest duration is %q", got)
	}
}

func TestBytesAndClock(t *testing.T) {
	for v, want := range map[float64]string{0: "0 B", 640: "640 B", 102.9e6: "102.9 MB", 999_960: "1.0 MB", 1e18: "1000.0 PB", -1: "-"} {
		if got := views.Bytes(v); got != want {
			t.Errorf("Bytes(%v) = %q, want %q", v, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "0:00:00", 102 * time.Second: "0:01:42", 26 * time.Hour: "26:00:00", -time.Hour: "0:00:00"} {
		if got := views.Clock(d); got != want {
			t.Errorf("Clock(%v) = %q, want %q", d, got, want)
		}
	}
}
