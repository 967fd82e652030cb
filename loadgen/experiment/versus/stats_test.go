package versus_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fullbore/loadgen/experiment/versus"
)

func TestOf(t *testing.T) {
	for _, tc := range []struct {
		in   []float64
		want versus.Spread
	}{
		{nil, versus.Spread{}},
		{[]float64{3}, versus.Spread{Median: 3, Low: 3, High: 3, N: 1}},
		{[]float64{9, 1, 2}, versus.Spread{Median: 2, Low: 1, High: 9, N: 3}},
		{[]float64{4, 1, 2, 9}, versus.Spread{Median: 3, Low: 1, High: 9, N: 4}},
	} {
		before := slices.Clone(tc.in)
		if got := versus.Of(tc.in); got != tc.want {
			t.Errorf("Of(%v) = %+v, want %+v", tc.in, got, tc.want)
		}
		if !slices.Equal(before, tc.in) {
			t.Errorf("Of changed %v to %v", before, tc.in)
		}
	}
}

func TestSpreadInWords(t *testing.T) {
	for _, tc := range []struct {
		in            versus.Spread
		figure, ratio string
	}{
		{versus.Spread{}, "–", "–"},
		{versus.Spread{Median: 1234567.8, Low: 1, High: 2, N: 1}, "1,234,568", "1234567.80 (1.00–2.00)"},
		{versus.Spread{Median: 123, N: 1}, "123", "123.00 (0.00–0.00)"},
		{versus.Spread{Median: 12.34, N: 1}, "12.3", "12.34 (0.00–0.00)"},
		{versus.Spread{Median: 1.005, Low: 0.991, High: 1.2, N: 7}, "1.00", "1.00 (0.99–1.20)"},
		{versus.Spread{Median: 0.0474, N: 1}, "0.047", "0.05 (0.00–0.00)"},
		{versus.Spread{Median: -1234, N: 1}, "-1,234", "-1234.00 (0.00–0.00)"},
		{versus.Spread{Median: -123, N: 1}, "-123", "-123.00 (0.00–0.00)"},
	} {
		if got := tc.in.String(); got != tc.figure {
			t.Errorf("%+v: %q, want %q", tc.in, got, tc.figure)
		}
		if got := tc.in.Ratio(); got != tc.ratio {
			t.Errorf("%+v: ratio %q, want %q", tc.in, got, tc.ratio)
		}
	}
}

// Each arm takes each place once in as many rounds as there are arms.
func TestOrdersAreBalanced(t *testing.T) {
	for arms := 1; arms <= 5; arms++ {
		orders := versus.Orders(rand.New(rand.NewPCG(7, uint64(arms))), 4*arms+1, arms)
		if len(orders) != 4*arms+1 {
			t.Fatalf("%d arms: %d rounds, want %d", arms, len(orders), 4*arms+1)
		}
		for block := range 4 {
			places := map[[2]int]int{}
			for _, order := range orders[block*arms : (block+1)*arms] {
				for place, arm := range order {
					places[[2]int{place, arm}]++
				}
			}
			for place := range arms {
				for arm := range arms {
					if places[[2]int{place, arm}] != 1 {
						t.Errorf("%d arms, block %d: arm %d takes place %d %d times, want once", arms, block, arm, place, places[[2]int{place, arm}])
					}
				}
			}
		}
	}
}

func TestOrdersAreRandom(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		orders := versus.Orders(rand.New(rand.NewPCG(seed, 1)), 2, 3)
		seen[fmt.Sprint(orders[0])]++
	}
	// Six orders, each expected 67 times; a fair choice misses this far less than
	// once in a million, and the seeds are fixed anyway.
	if len(seen) != 6 {
		t.Errorf("%d different orders of three arms, want 6: %v", len(seen), seen)
	}
	for order, n := range seen {
		if n < 30 || n > 110 {
			t.Errorf("order %s came %d times of 400, want about 67", order, n)
		}
	}
}

func row(metric versus.Metric, rounds ...[2]float64) *versus.Row {
	r := &versus.Row{Name: "get P=1 c=50 d=3", Metrics: []versus.Metric{metric}, Arms: []versus.Arm{{Name: "redis-benchmark"}, {Name: "fullbore"}}}
	for _, pair := range rounds {
		samples := make([]versus.Sample, 2)
		for arm, v := range pair {
			if !math.IsNaN(v) {
				samples[arm] = versus.Sample{metric: v}
			}
		}
		r.Rounds = append(r.Rounds, samples)
	}
	return r
}

// In rounds of very different speed the ratio within the round is what counts; the
// ratio of the medians (200/150 here) is not.
func TestRatioIsThatWithinARound(t *testing.T) {
	r := row(versus.Throughput, [2]float64{100, 110}, [2]float64{1000, 1200}, [2]float64{150, 200})
	got := r.Ratio(1, versus.Throughput)
	if want := (versus.Spread{Median: 1.2, Low: 1.1, High: 200.0 / 150, N: 3}); math.Abs(got.Median-want.Median) > 1e-9 || math.Abs(got.Low-want.Low) > 1e-9 || math.Abs(got.High-want.High) > 1e-9 || got.N != 3 {
		t.Errorf("ratio %+v, want %+v", got, want)
	}
	if f := r.Figure(1, versus.Throughput); f.Median != 200 || f.N != 3 {
		t.Errorf("figure %+v, want a median of 200 from 3", f)
	}
}

func TestHolesAreLeftOut(t *testing.T) {
	nan := math.NaN()
	r := row(versus.P99, [2]float64{1, 2}, [2]float64{nan, 3}, [2]float64{1, nan}, [2]float64{0, 5})
	if got := r.Ratio(1, versus.P99); got.N != 1 || got.Median != 2 {
		t.Errorf("ratio %+v, want 2 from the one round that has both, and none over zero", got)
	}
	if got := r.Figure(1, versus.P99); got.N != 3 || got.Median != 3 {
		t.Errorf("figure %+v, want 3 from three rounds", got)
	}
}

func TestChecks(t *testing.T) {
	least := versus.Reach{Metric: versus.Throughput, Limit: 1, AtLeast: true}
	most := versus.Reach{Metric: versus.P99, Limit: 1.3}
	absolute := versus.Reach{Metric: versus.PerClient, Limit: 24, Absolute: true}
	for _, tc := range []struct {
		reach      versus.Reach
		rounds     [][2]float64
		met, clear bool
		want       string
	}{
		{least, [][2]float64{{100, 110}, {100, 120}}, true, true, "requests/s ×1.15 (1.10–1.20), reach ≥ 1.00: met"},
		{least, [][2]float64{{100, 90}, {100, 120}}, true, false, "requests/s ×1.05 (0.90–1.20), reach ≥ 1.00: met (rounds differ)"},
		{least, [][2]float64{{100, 80}, {100, 60}}, false, true, "requests/s ×0.70 (0.60–0.80), reach ≥ 1.00: MISSED by 30.0 %"},
		{most, [][2]float64{{1, 2.6}}, false, true, "p99 ms ×2.60 (2.60–2.60), reach ≤ 1.30: MISSED by 100.0 %"},
		{most, [][2]float64{{1, 1.3}}, true, true, "p99 ms ×1.30 (1.30–1.30), reach ≤ 1.30: met"},
		{absolute, [][2]float64{{2, 30}}, false, true, "KB/client 30.0, reach ≤ 24.0: MISSED by 25.0 %"},
		{least, nil, false, false, "requests/s ×–, reach ≥ 1.00: not measured"},
	} {
		r := row(tc.reach.Metric, tc.rounds...)
		r.Reach = []versus.Reach{tc.reach}
		checks := versus.Checks([]*versus.Row{r}, "fullbore")
		if len(checks) != 1 {
			t.Fatalf("%d checks, want 1", len(checks))
		}
		c := checks[0]
		if want := r.Name + ", fullbore: " + tc.want; c.Met() != tc.met || c.Clear() != tc.clear || c.String() != want {
			t.Errorf("met %v, clear %v, %q; want %v, %v, %q", c.Met(), c.Clear(), c, tc.met, tc.clear, want)
		}
	}
	if got := versus.Checks([]*versus.Row{row(versus.P99)}, "nobody"); len(got) != 0 {
		t.Errorf("checks of an arm that is not there: %v", got)
	}
}
