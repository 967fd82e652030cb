package paired_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"fullbore/loadgen/experiment/paired"
)

// around are n pairs whose ratios scatter about ratio by about noise (of the
// logarithm), the same at every call.
func around(n int, ratio, noise float64) []paired.Pair {
	r := rand.New(rand.NewPCG(uint64(n), 99))
	out := make([]paired.Pair, n)
	for i := range out {
		a := 50_000 * math.Exp(0.2*r.NormFloat64()) // shared by both sides
		out[i] = paired.Pair{A: a, B: a * ratio * math.Exp(noise*r.NormFloat64())}
	}
	return out
}

// evenly are pairs whose ratios are spread evenly over ratio ± noise, as logarithms:
// no chance, for exact expectations.
func evenly(n int, ratio, noise float64) []paired.Pair {
	out := make([]paired.Pair, n)
	for i := range out {
		at := 0.0
		if n > 1 {
			at = 2*float64(i)/float64(n-1) - 1
		}
		out[i] = paired.Pair{A: 1000, B: 1000 * ratio * math.Exp(noise*at)}
	}
	return out
}

func TestVerdicts(t *testing.T) {
	level := evenly(8, 1.002, 0.02)
	for _, c := range []struct {
		name    string
		c       paired.Comparison
		judge   paired.Judge
		kind    paired.Kind
		why     paired.Reason
		text    string
		decided bool
	}{
		{name: "factor", c: paired.Comparison{Pairs: evenly(8, 6.77, 0.06), Twins: level},
			kind: paired.Faster, text: "B faster: x 6.77 [6.49..7.07]", decided: true},
		{name: "percent", c: paired.Comparison{Pairs: evenly(12, 1.123, 0.06), Twins: level},
			kind: paired.Faster, text: "B faster by 12.3 % [9.3..15.4 %]", decided: true},
		{name: "named", c: paired.Comparison{Words: paired.Words{A: "P=1", B: "P=16"}, Pairs: evenly(8, 2, 0), Twins: level},
			kind: paired.Faster, text: "P=16 faster than P=1: x 2.00 [2.00..2.00]", decided: true},
		{name: "slower", c: paired.Comparison{Pairs: evenly(12, 1/1.123, 0.06), Twins: level},
			kind: paired.Slower, text: "B slower by 11.0 % [8.5..13.3 %]", decided: true},
		{name: "slower by a factor", c: paired.Comparison{Pairs: evenly(9, 0.02, 0.1), Twins: level},
			kind: paired.Slower, text: "B slower: x 0.020 [0.019..0.021]", decided: true},
		{name: "lower is faster", c: paired.Comparison{Lower: true, Words: paired.Words{Metric: "p99"}, Pairs: evenly(8, 0.43, 0.05), Twins: level},
			kind: paired.Faster, text: "B faster: p99 x 0.43 [0.41..0.45]", decided: true},
		{name: "higher is slower", c: paired.Comparison{Lower: true, Words: paired.Words{Metric: "p99"}, Pairs: evenly(12, 1.2, 0.05), Twins: level},
			kind: paired.Slower, text: "B slower: p99 20.0 % higher [17.3..22.8 %]", decided: true},
		{name: "small", c: paired.Comparison{Pairs: evenly(12, 1.02, 0.01), Twins: level},
			kind: paired.BelowPractical, text: "real but below 3 %: B faster by 2.0 % [1.5..2.5 %]", decided: true},
		{name: "small, of a metric", c: paired.Comparison{Lower: true, Words: paired.Words{B: "P=4", Metric: "p99"}, Pairs: evenly(12, 1/1.02, 0.01), Twins: level},
			kind: paired.BelowPractical, text: "real but below 3 %: p99 of P=4 2.0 % lower [1.5..2.4 %]", decided: true},
		{name: "small, perhaps", c: paired.Comparison{Pairs: evenly(14, 1.025, 0.025), Twins: level},
			kind: paired.BelowPractical, text: "real but below 3 %: B faster by 2.5 % [1.5..3.5 %]"},
		{name: "none", c: paired.Comparison{Pairs: evenly(12, 1.002, 0.03), Twins: level},
			kind: paired.NoDifference, text: "no difference larger than 3 %", decided: true},
		{name: "none, other limit", judge: paired.Judge{Practical: 0.025}, c: paired.Comparison{Pairs: evenly(12, 1, 0.02), Twins: level},
			kind: paired.NoDifference, text: "no difference larger than 2.5 %", decided: true},
		{name: "noisy", c: paired.Comparison{Pairs: evenly(14, 1.08, 0.13), Twins: level},
			kind: paired.CannotTell, why: paired.Noisy, text: "cannot tell: noise ±5.1 %, about 8 more pairs"},
		{name: "hopeless", c: paired.Comparison{Pairs: evenly(12, 1.02, 0.6), Twins: level},
			kind: paired.CannotTell, why: paired.Noisy, text: "cannot tell: noise ±31.4 %, more than 30 pairs"},
		{name: "last pair", c: paired.Comparison{Pairs: evenly(30, 1.02, 0.6), Twins: level},
			kind: paired.CannotTell, why: paired.Noisy, text: "cannot tell: noise ±15.6 %, more than 30 pairs", decided: true},
		{name: "below the floor", c: paired.Comparison{Pairs: evenly(12, 1.08, 0.02), Twins: evenly(8, 1/1.09, 0.01)},
			kind: paired.CannotTell, why: paired.WithinFloor, text: "cannot tell: noise ±0.9 %, but identical arms differ by 9.0 %"},
		{name: "floor above the limit", c: paired.Comparison{Pairs: evenly(12, 1.001, 0.02), Twins: evenly(8, 1.05, 0.02)},
			kind: paired.CannotTell, why: paired.WithinFloor, text: "cannot tell: noise ±0.9 %, but identical arms differ by 5.0 %", decided: true},
		{name: "nothing yet", c: paired.Comparison{}, kind: paired.CannotTell, why: paired.TooFew, text: "cannot tell: no pairs yet"},
		{name: "too few", c: paired.Comparison{Pairs: evenly(7, 5, 0.01), Twins: evenly(7, 1, 0.01)},
			kind: paired.CannotTell, why: paired.TooFew, text: "cannot tell: 7 pairs so far, at least 1 more"},
		{name: "no floor", c: paired.Comparison{Pairs: evenly(9, 5, 0.01), Twins: evenly(6, 1, 0.01)},
			kind: paired.CannotTell, why: paired.TooFew, text: "cannot tell: 9 pairs so far, at least 2 more"},
		{name: "clear of the noise", c: paired.Comparison{Pairs: evenly(8, 1.12, 0.05), Twins: level}, // p is 0.008
			kind: paired.Faster, text: "B faster by 12.0 % [8.1..16.1 %]", decided: true},
		{name: "not clear of the noise", c: paired.Comparison{Pairs: evenly(8, 1.08, 0.05), Twins: level}, // the same p
			kind: paired.CannotTell, why: paired.Noisy, text: "cannot tell: noise ±3.6 %, about 5 more pairs"},
		{name: "one of many", judge: paired.Judge{Family: 12}, c: paired.Comparison{Pairs: evenly(8, 5, 0.01), Twins: level},
			kind: paired.CannotTell, why: paired.Noisy, text: "cannot tell: noise ±0.7 %, about 5 more pairs"},
	} {
		f := c.judge.Look(c.c)
		if f.Verdict != (paired.Verdict{Kind: c.kind, Text: c.text}) || f.Why != c.why {
			t.Errorf("%s: %s %s %q, want %s %s %q", c.name, f.Verdict.Kind, f.Why, f.Verdict.Text, c.kind, c.why, c.text)
		}
		if got := c.judge.Decided(f); got != c.decided {
			t.Errorf("%s: decided %v, want %v", c.name, got, c.decided)
		}
		if len(f.Verdict.Text) > 78 || strings.Contains(f.Verdict.Text, "best") {
			t.Errorf("%s: %q", c.name, f.Verdict.Text)
		}
	}
}

// TestBind: a claim is taken back where the load generator was the limit, whosever.
func TestBind(t *testing.T) {
	f := paired.Finding{Pairs: 9, Ratio: 2.5, Low: 2.4, High: 2.6, Verdict: paired.Verdict{Kind: paired.Faster, Text: "faster"}}
	for _, c := range []struct {
		a, b bool
		w    paired.Words
		want string
	}{
		{false, true, paired.Words{}, "B"},
		{true, false, paired.Words{}, "the other side"},
		{true, false, paired.Words{A: "P=1", B: "P=2"}, "P=1"},
		{true, true, paired.Words{A: "P=1", B: "P=2"}, "both"},
	} {
		got := f.Bind(c.a, c.b, c.w)
		if want := "client-bound: " + c.want + " at the client's limit, x 2.50 [2.40..2.60]; raise --threads"; got.Verdict.Text != want || got.Sentence(c.w) != want {
			t.Errorf("%q, want %q", got.Verdict.Text, want)
		}
		if got.Verdict.Kind != paired.CannotTell || got.Why != paired.ClientBound || got.Ratio != f.Ratio {
			t.Errorf("%+v", got)
		}
	}
	if got := f.Bind(false, false, paired.Words{}); got != f {
		t.Errorf("%+v without a reason", got)
	}
}
