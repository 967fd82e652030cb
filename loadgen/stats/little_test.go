package stats_test

import (
	"math"
	"testing"
	"time"

	"fullbore/loadgen/stats"
)

func TestLittleLaw(t *testing.T) {
	h := stats.NewHistogram()
	for range 1000 {
		h.Record(8 * time.Millisecond)
	}
	full := stats.Segment{
		Measured: time.Second, Clients: 5, Pipeline: 2, Latency: h.Summary(1000),
		Counters: stats.Counters{Replies: 1250},
	}
	for _, c := range []struct {
		name   string
		change func(*stats.Segment)
		want   float64 // -1 is unknown
	}{
		{"every place always taken", func(*stats.Segment) {}, 1},
		{"half of the time lost", func(s *stats.Segment) { s.Measured = 2 * time.Second }, .5},
		{"errors took their places too", func(s *stats.Segment) { s.Counters.Replies, s.Counters.Errors = 750, 500 }, 1},
		{"open loop", func(s *stats.Segment) { s.Target = 100 }, -1},
		{"no sample", func(s *stats.Segment) { s.Latency = stats.Latency{} }, -1},
		{"no time", func(s *stats.Segment) { s.Measured = 0 }, -1},
		{"no plan", func(s *stats.Segment) { s.Clients = 0 }, -1},
		{"no pipeline", func(s *stats.Segment) { s.Pipeline = 0 }, -1},
		{"more clients than integers hold", func(s *stats.Segment) { s.Clients, s.Pipeline = math.MaxInt, math.MaxInt }, 0},
	} {
		s := full
		c.change(&s)
		got, ok := s.LittleLaw()
		if ok != (c.want >= 0) || ok && math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, %v; want %v", c.name, got, ok, c.want)
		}
	}
}
