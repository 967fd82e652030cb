package tui

import (
	"strconv"
	"testing"
)

func TestLadders(t *testing.T) {
	clients, sizes := oneTwoFive(1, 10_000), powersOfTwo(1, 1<<20)
	for _, c := range []struct {
		l          ladder
		from, want int64
		n          int
	}{
		{clients, 50, 100, 1}, {clients, 50, 20, -1}, {clients, 37, 50, 1}, {clients, 37, 20, -1}, {clients, 1, 1, -1}, {clients, 10_000, 10_000, 1},
		{clients, 20_000, 20_000, 1}, {clients, 20_000, 10_000, -1}, {clients, 1, 1000, 9}, {clients, 5000, 5, -9},
		{sizes, 64, 128, 1}, {sizes, 100, 128, 1}, {sizes, 100, 64, -1}, {sizes, 1, 1, -1}, {sizes, 1 << 20, 1 << 20, 3},
	} {
		if got := c.l.climb(c.from, c.n); got != c.want {
			t.Errorf("%d steps from %d: %d, want %d", c.n, c.from, got, c.want)
		}
	}
}

// Up and down again is where one started, for every rung of every ladder.
func TestLaddersGoBothWays(t *testing.T) {
	for _, l := range []ladder{oneTwoFive(1, stepKeys), powersOfTwo(1, stepPayload)} {
		for v := int64(1); l(v, true) != v; v = l(v, true) {
			if back := l(l(v, true), false); back != v {
				t.Errorf("%d goes up and comes down to %d", v, back)
			}
		}
	}
}

func TestEveryKnobStaysValid(t *testing.T) {
	for _, k := range knobs() {
		for _, by := range []int{-1, 1, -k.big, k.big} {
			p := firstPlan()
			for range 60 {
				p = k.move(p, by)
				if err := p.Validate(); err != nil {
					t.Fatalf("%s by %d: %v", k.name, by, err)
				}
				// What the strip shows can be typed, and means the same.
				q, err := k.parse(p, k.value(p))
				if err != nil || k.value(q) != k.value(p) {
					t.Fatalf("%s shows %q, which reads as %q, %v", k.name, k.value(p), k.value(q), err)
				}
			}
		}
	}
}

func TestParseCountAndBytes(t *testing.T) {
	for _, c := range []struct {
		parse func(string) (int64, error)
		text  string
		want  int64 // -1 = refused
	}{
		{parseCount, "50", 50}, {parseCount, " 20k ", 20_000}, {parseCount, "1.5M", 1_500_000}, {parseCount, "100_000", 100_000}, {parseCount, "1,000", 1000},
		{parseCount, "2G", 2_000_000_000}, {parseCount, "0", 0}, {parseCount, "", -1}, {parseCount, "k", -1}, {parseCount, "-5", -1}, {parseCount, "+5", -1}, {parseCount, "1e5", -1},
		{parseCount, "0x10", -1}, {parseCount, "1.2.3", -1}, {parseCount, "1.2345", -1}, {parseCount, "NaN", -1}, {parseCount, "inf", -1}, {parseCount, "99999999999999999999", -1}, {parseCount, "5kk", -1},
		{parseBytes, "64", 64}, {parseBytes, "64B", 64}, {parseBytes, "64 b", 64}, {parseBytes, "16k", 16 << 10}, {parseBytes, "16 KB", 16 << 10}, {parseBytes, "1MiB", 1 << 20}, {parseBytes, "1.5k", 1536}, {parseBytes, "B", -1}, {parseBytes, "x", -1},
	} {
		got, err := c.parse(c.text)
		if c.want < 0 {
			if err == nil {
				t.Errorf("%q reads as %d", c.text, got)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%q reads as %d, %v; want %d", c.text, got, err, c.want)
		}
	}
}

func FuzzKnobText(f *testing.F) {
	for _, s := range []string{"50", "20k", "1.5M", "64 KB", "1MiB", "max", "set=1,get=10", "", "-1", "1e999", "é", "9,9", "0.0000001", "999999999999999G",
		"01 ,0", "1 PING", "1 a=b", `SET "a b" 1 ; 2 GET 'x'`, "\"\\x00\" 1", "10-4k,9:2", "zipf:.5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, k := range knobs() {
			p, err := k.parse(firstPlan(), text)
			if err != nil {
				continue
			}
			if err := p.Validate(); err != nil {
				t.Errorf("%s takes %s, which is not valid: %v", k.name, strconv.Quote(text), err)
			}
			if q, err := k.parse(p, k.value(p)); err != nil || k.value(q) != k.value(p) {
				t.Errorf("%s takes %s and shows %q, which reads as %q, %v", k.name, strconv.Quote(text), k.value(p), k.value(q), err)
			}
		}
	})
}
