package stats_test

import (
	"testing"
	"time"

	"fullbore/loadgen/stats"
)

// line makes a time line of intervals that end every 100 ms, a little off, with
// 1000 replies each while the server answers.
func line(length time.Duration, answers func(at time.Duration) bool) (points []stats.Point) {
	last := time.Duration(0)
	for k := 1; time.Duration(k)*100*time.Millisecond <= length; k++ {
		end := time.Duration(k)*100*time.Millisecond + time.Duration(k%3)*time.Millisecond
		p := stats.Point{At: 7*time.Second + end, Span: end - last}
		for at := last; at < end; at += time.Millisecond {
			if answers(at) {
				p.Replies += 10
			}
		}
		points, last = append(points, p), end
	}
	return points
}

func TestSeriesKeepsEverySample(t *testing.T) {
	points := line(5300*time.Millisecond, func(time.Duration) bool { return true })
	points[20].Errors = 7
	series := stats.Series(points)
	var replies, want, errors int64
	var span time.Duration
	for _, p := range points {
		want += p.Replies
	}
	for i, s := range series {
		replies, errors, span = replies+s.Replies, errors+s.Errors, span+s.Span
		if s.At != time.Duration(i)*time.Second {
			t.Errorf("second %d begins at %v", i, s.At)
		}
	}
	if replies != want || errors != 7 || span != points[len(points)-1].At-7*time.Second {
		t.Errorf("%d replies, %d errors in %v; want %d, 7, all of the time", replies, errors, span, want)
	}
	for _, s := range series[:4] {
		if s.Replies < 9_900 || s.Replies > 10_100 {
			t.Errorf("second at %v: %d replies, want about 10000", s.At, s.Replies)
		}
	}
}

// C02: two seconds of silence are at least one empty second, wherever they begin.
func TestSeriesShowsAFreeze(t *testing.T) {
	for _, begin := range []time.Duration{2000, 2030, 2100, 2450, 2777, 2999} {
		begin *= time.Millisecond
		series := stats.Series(line(6*time.Second, func(at time.Duration) bool { return at < begin || at >= begin+2*time.Second }))
		empty := 0
		for _, s := range series {
			if s.Replies == 0 {
				empty++
			}
		}
		if empty < 1 {
			t.Errorf("freeze at %v: %d empty seconds: %+v", begin, empty, series)
		}
	}
}

// A sampler that was held up for most of a second does not pile it into one.
func TestSeriesSpreadsLongIntervals(t *testing.T) {
	series := stats.Series([]stats.Point{
		{At: 500 * time.Millisecond, Span: 500 * time.Millisecond, Replies: 500},
		{At: 2500 * time.Millisecond, Span: 2 * time.Second, Replies: 2000, Errors: 3},
		{At: 3 * time.Second, Span: 500 * time.Millisecond, Replies: 500},
	})
	want := []int64{1000, 1000, 1000}
	var errors int64
	for i, s := range series {
		errors += s.Errors
		if s.Replies != want[i] {
			t.Errorf("second %d: %d replies, want %d", i, s.Replies, want[i])
		}
	}
	if errors != 3 || len(series) != 3 || stats.Series(nil) != nil {
		t.Errorf("%d errors in %d seconds", errors, len(series))
	}
}

func TestRatesAreKeptOrNot(t *testing.T) {
	summary := func(d time.Duration) stats.Latency {
		h := stats.NewHistogram()
		h.RecordN(d, 100_000)
		return h.Summary(100_000)
	}
	tests := []struct {
		name         string
		replies      int64
		latency, lag time.Duration
		keeps        bool
	}{
		{"kept", 10_000, 10 * time.Millisecond, 500 * time.Microsecond, true},
		{"below 99 % of the target", 9_890, 10 * time.Millisecond, time.Microsecond, false},
		{"behind by more than a tenth of the median", 10_000, 10 * time.Millisecond, 1100 * time.Microsecond, false},
		{"a fast server, and a lag nobody avoids", 10_000, 100 * time.Microsecond, 60 * time.Microsecond, true},
		{"a fast server, and a real lag", 10_000, 100 * time.Microsecond, 300 * time.Microsecond, false},
	}
	for _, tt := range tests {
		s := stats.Segment{
			Target: 1000, Measured: 10 * time.Second, Counters: stats.Counters{Replies: tt.replies},
			Latency: summary(tt.latency), Lag: summary(tt.lag),
		}
		if keeps, known := s.KeepsRate(); keeps != tt.keeps || !known {
			t.Errorf("%s: keeps %v (known %v)", tt.name, keeps, known)
		}
	}
	if _, known := (stats.Segment{Measured: time.Second, Counters: stats.Counters{Replies: 5}}).KeepsRate(); known {
		t.Error("a closed loop has no rate to keep")
	}
}
