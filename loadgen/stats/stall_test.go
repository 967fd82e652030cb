package stats_test

import (
	"testing"
	"time"

	"fullbore/loadgen/stats"
)

func TestStalled(t *testing.T) {
	for _, c := range []struct {
		name    string
		target  float64
		gaps    int64
		longest time.Duration
		want    bool
	}{
		{"nothing", 0, 0, 0, false},
		{"short of the limit", 0, 0, 99 * time.Millisecond, false},
		{"closed loop", 0, 1, 101 * time.Millisecond, true},
		{"fast schedule", 20_000, 1, 101 * time.Millisecond, true},
		{"five a second", 5, 40, 201 * time.Millisecond, false},
		{"five a second, stopped", 5, 40, 600 * time.Millisecond, true},
		{"one in two seconds", .5, 5, 2001 * time.Millisecond, false},
		{"one in two seconds, one lost", .5, 5, 4200 * time.Millisecond, true},
	} {
		s := stats.Segment{Target: c.target, Gaps: stats.Gaps{Count: c.gaps, Longest: c.longest}}
		if got := s.Stalled(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
