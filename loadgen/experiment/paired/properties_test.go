package paired_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"fullbore/loadgen/experiment/paired"
)

// swapped are the same pairs with the sides exchanged.
func swapped(pairs []paired.Pair) []paired.Pair {
	out := make([]paired.Pair, len(pairs))
	for i, p := range pairs {
		out[i] = paired.Pair{A: p.B, B: p.A}
	}
	return out
}

func opposite(k paired.Kind) paired.Kind {
	switch k {
	case paired.Faster:
		return paired.Slower
	case paired.Slower:
		return paired.Faster
	}
	return k
}

// TestSidesAreAlike: nothing but the direction depends on which side is called A.
func TestSidesAreAlike(t *testing.T) {
	var j paired.Judge
	for _, ratio := range []float64{0.2, 0.9, 0.98, 1, 1.03, 1.1, 7} {
		for _, noise := range []float64{0.005, 0.03, 0.3} {
			pairs, twins := around(12, ratio, noise), around(8, 1, noise)
			f := j.Look(paired.Comparison{Pairs: pairs, Twins: twins})
			g := j.Look(paired.Comparison{Pairs: swapped(pairs), Twins: swapped(twins)})
			near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*math.Abs(a) }
			if !near(f.Ratio, 1/g.Ratio) || !near(f.Low, 1/g.High) || !near(f.High, 1/g.Low) || f.P != g.P || !near(f.Floor, g.Floor) || !near(f.Noise, g.Noise) {
				t.Errorf("x %v ±%v: %+v and %+v", ratio, noise, f, g)
			}
			if f.Verdict.Kind != opposite(g.Verdict.Kind) || f.More != g.More || j.Decided(f) != j.Decided(g) {
				t.Errorf("x %v ±%v: %q and %q", ratio, noise, f.Verdict.Text, g.Verdict.Text)
			}
			h := j.Look(paired.Comparison{Pairs: pairs, Twins: twins, Lower: true})
			if h.Verdict.Kind != opposite(f.Verdict.Kind) || h.Ratio != f.Ratio || h.P != f.P {
				t.Errorf("x %v ±%v, lower is better: %q and %q", ratio, noise, f.Verdict.Text, h.Verdict.Text)
			}
		}
	}
}

// TestNothingIsDropped: order does not matter, and each round does (M20).
func TestNothingIsDropped(t *testing.T) {
	var j paired.Judge
	pairs, twins := around(15, 1.05, 0.1), around(8, 1, 0.02)
	f := j.Look(paired.Comparison{Pairs: pairs, Twins: twins})
	other := append([]paired.Pair(nil), pairs...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(other), func(i, k int) { other[i], other[k] = other[k], other[i] })
	if g := j.Look(paired.Comparison{Pairs: other, Twins: twins}); math.Abs(g.Ratio-f.Ratio) > 1e-12 || g.P != f.P || g.Verdict != f.Verdict {
		t.Errorf("shuffled: %+v, want %+v", g, f)
	}
	other[3].B *= 100 // an outlier
	if g := j.Look(paired.Comparison{Pairs: other, Twins: twins}); g.Pairs != 15 || g.Noise <= f.Noise || g.High <= f.High {
		t.Errorf("with an outlier: %+v, without %+v", g, f)
	}
}

// TestServerGone: a round of nothing is the worst there is, whatever the metric, and
// stays a number.
func TestServerGone(t *testing.T) {
	const million = 1e6
	twins := evenly(8, 1, 0.01)
	gone := func(n int, p paired.Pair) []paired.Pair {
		out := make([]paired.Pair, n)
		for i := range out {
			out[i] = p
		}
		return out
	}
	for _, c := range []struct {
		name  string
		pairs []paired.Pair
		lower bool
		ratio float64
		kind  paired.Kind
	}{
		{"B gone", gone(8, paired.Pair{A: 70_000}), false, 1 / million, paired.Slower},
		{"A gone", gone(8, paired.Pair{B: 70_000}), false, million, paired.Faster},
		{"B gone, p99", gone(8, paired.Pair{A: 2e6}), true, million, paired.Slower},
		{"A gone, p99", gone(8, paired.Pair{B: 2e6}), true, 1 / million, paired.Faster},
		{"both gone", gone(8, paired.Pair{}), false, 1, paired.CannotTell},
		{"no numbers", gone(8, paired.Pair{A: math.NaN(), B: -3}), false, 1, paired.CannotTell},
		{"infinite", gone(8, paired.Pair{A: 1, B: math.Inf(1)}), false, million, paired.Faster},
		{"gone once", append(gone(1, paired.Pair{A: 70_000}), evenly(11, 1.2, 0.05)...), false, 1.19, paired.CannotTell},
	} {
		f := paired.Judge{}.Look(paired.Comparison{Pairs: c.pairs, Twins: twins, Lower: c.lower})
		if math.Abs(f.Ratio/c.ratio-1) > 0.01 || f.Verdict.Kind != c.kind || f.Pairs != len(c.pairs) {
			t.Errorf("%s: %s %+v, want x %v %s", c.name, f.Verdict.Text, f, c.ratio, c.kind)
		}
	}
}

// TestUnevenTwins: identical arms that always differ the same way are told.
func TestUnevenTwins(t *testing.T) {
	for _, c := range []struct {
		twins  []paired.Pair
		floor  float64
		uneven bool
	}{
		{evenly(8, 1.04, 0.01), 0.04, true},
		{evenly(8, 1/1.04, 0.01), 0.04, true},
		{evenly(8, 1.04, 0.06), 0.04, false}, // not all on one side
		{evenly(7, 1.04, 0.01), 0.04, false}, // p is 0.0156 at least
		{nil, 0, false},
	} {
		f := paired.Judge{}.Look(paired.Comparison{Pairs: evenly(8, 1.3, 0.01), Twins: c.twins})
		if math.Abs(f.Floor-c.floor) > 1e-9 || f.Uneven != c.uneven {
			t.Errorf("%d twins: floor %v uneven %v, want %v %v", len(c.twins), f.Floor, f.Uneven, c.floor, c.uneven)
		}
	}
}

// TestAll: Holm at the end gives at least what Bonferroni gave on the way, for the
// whole family even where part of it was not measured.
func TestAll(t *testing.T) {
	twins := evenly(8, 1, 0.01)
	cs := []paired.Comparison{
		{Pairs: evenly(10, 2.2, 0.01), Twins: twins},
		{Pairs: evenly(12, 1, 0.02), Twins: twins},
		{Pairs: evenly(8, 2.2, 0.01), Twins: twins},
		{},
	}
	j := paired.Judge{Family: 4}
	fs := j.All(cs)
	for i, want := range []struct {
		raw, p float64
		kind   paired.Kind
	}{
		{2. / 1024, 4 * 2. / 1024, paired.Faster},
		{1, 1, paired.NoDifference},
		{2. / 256, 3 * 2. / 256, paired.CannotTell}, // third of four, and not below 0.01
		{1, 1, paired.CannotTell},
	} {
		f := fs[i]
		if f.Raw != want.raw || f.P != want.p || f.Verdict.Kind != want.kind {
			t.Errorf("%d: raw %v p %v %s, want %+v", i, f.Raw, f.P, f.Verdict.Kind, want)
		}
		if look := j.Look(cs[i]); look.P < f.P || look.Raw != f.Raw {
			t.Errorf("%d: p %v by Bonferroni, %v by Holm", i, look.P, f.P)
		}
	}
	// A part of the family says no more than it does among all of it.
	if part := j.All(cs[:1]); part[0].P != fs[0].P {
		t.Errorf("alone: p %v, want %v", part[0].P, fs[0].P)
	}
	if none := j.All(nil); len(none) != 0 {
		t.Errorf("findings of nothing: %v", none)
	}
}

// TestMoreIsAboutRight: as many pairs as it asks for do decide, more often than not.
func TestMoreIsAboutRight(t *testing.T) {
	var j paired.Judge
	asked, enough := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := &scene{noise: 0.08, drift: func(int) float64 { return 0 }, rand: r}
		var c paired.Comparison
		take := func(n int) {
			for range n {
				c.Pairs = append(c.Pairs, paired.Pair{A: s.measure(1), B: s.measure(1.08)})
			}
		}
		c.Twins = evenly(8, 1, 0.01)
		take(8)
		f := j.Look(c)
		if f.Why != paired.Noisy || f.More == 0 {
			continue
		}
		asked++
		take(f.More)
		if g := j.Look(c); g.Verdict.Kind != paired.CannotTell {
			enough++
		}
		if f.More > 22 {
			t.Errorf("%d more pairs after 8, never beyond 30", f.More)
		}
	}
	t.Logf("decided by the number asked for: %d of %d", enough, asked)
	if asked < 50 || enough < asked*4/10 {
		t.Errorf("decided by the number asked for: %d of %d", enough, asked)
	}
}

// FuzzJudge: whatever is measured, findings are finite and consistent, and short.
func FuzzJudge(f *testing.F) {
	pack := func(vs ...float64) []byte {
		var b []byte
		for _, v := range vs {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	var plenty []float64
	for i := range 60 {
		plenty = append(plenty, float64(1000+i%7), float64(1100-i%5))
	}
	f.Add(pack(1, 2, 3, 4), false, 3, 0.03)
	f.Add(pack(plenty...), false, 1, 0.03)
	f.Add(pack(plenty...), true, -1, math.NaN())
	f.Add(pack(0, 0, math.Inf(1), 1, math.NaN(), -1, math.MaxFloat64, 5e-324, 5e-324, math.MaxFloat64), true, 1, 1e300)
	f.Fuzz(func(t *testing.T, data []byte, lower bool, family int, practical float64) {
		c := paired.Comparison{Words: paired.Words{A: "P=1", B: "P=16"}, Lower: lower}
		for ; len(data) >= 16 && len(c.Pairs) < 40; data = data[16:] {
			c.Pairs = append(c.Pairs, paired.Pair{
				A: math.Float64frombits(binary.LittleEndian.Uint64(data)),
				B: math.Float64frombits(binary.LittleEndian.Uint64(data[8:])),
			})
		}
		c.Twins = c.Pairs[len(c.Pairs)/2:]
		j := paired.Judge{Family: family, Practical: practical}
		looked := j.Look(c)
		for _, g := range append(j.All([]paired.Comparison{c, {}}), looked) {
			for _, v := range []float64{g.Ratio, g.Low, g.High, g.P, g.Raw, g.Floor, g.Noise, g.Limit, g.Confidence} {
				if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
					t.Fatalf("%+v", g)
				}
			}
			if g.Low > g.Ratio || g.Ratio > g.High || g.P < g.Raw || g.P > 1 || g.More < 0 || g.More > paired.MostPairs {
				t.Fatalf("%+v", g)
			}
			if text := g.Verdict.Text; text == "" || practical < 10 && len(text) > 80 || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Fatalf("%q", text)
			}
			if (g.Verdict.Kind == paired.CannotTell) != (g.Why != "") {
				t.Fatalf("%+v", g)
			}
		}
		if len(c.Pairs) >= paired.MostPairs && !j.Decided(looked) {
			t.Fatalf("not decided after %d pairs", len(c.Pairs))
		}
	})
}
