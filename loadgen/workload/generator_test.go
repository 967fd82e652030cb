package workload_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

// key is the number in the first argument of a command.
func key(t *testing.T, c *workload.Command) int64 {
	t.Helper()
	arg := text(c.Args[0])
	n, err := strconv.ParseInt(arg[len(arg)-12:], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// chiSquare of counts against equal shares.
func chiSquare(counts []int) float64 {
	total := 0
	for _, n := range counts {
		total += n
	}
	expected, sum := float64(total)/float64(len(counts)), 0.0
	for _, n := range counts {
		sum += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	return sum
}

func TestKeysAreUniform(t *testing.T) {
	// 10^12 is the hard one: a remainder or a float of 32 bits would show there.
	for _, size := range []int64{2, 3, 100, 1000, workload.MaxKeys} {
		w := load(t, "get")
		w.Keys.Size = size
		g := w.Generator(0)
		cells := make([]int, min(size, 1000))
		for range 200 * len(cells) {
			k := key(t, g.Next())
			if k < 0 || k >= size {
				t.Fatalf("key %d of %d", k, size)
			}
			cells[k/(size/int64(len(cells)))]++
		}
		// Mean and spread of the distribution; four deviations, with a fixed seed.
		free := float64(len(cells) - 1)
		if got := chiSquare(cells); got > free+4*math.Sqrt(2*free)+4 {
			t.Errorf("size %d: chi-square %.1f with %.0f degrees of freedom", size, got, free)
		}
	}
}

// Keys of one command and of neighbouring clients and seeds must not follow each
// other: equal keys appear as often as chance has it.
func TestStreamsAreIndependent(t *testing.T) {
	const size, draws = 50, 20_000
	w, next := load(t, "get"), load(t, "get")
	w.Keys.Size, next.Keys.Size = size, size
	next.Seed++
	for name, pair := range map[string][2]*workload.Generator{
		"clients": {w.Generator(0), w.Generator(1)},
		"seeds":   {w.Generator(0), next.Generator(0)},
		"crossed": {w.Generator(1), next.Generator(0)},
	} {
		differences := make([]int, size)
		for range draws {
			a, b := key(t, pair[0].Next()), key(t, pair[1].Next())
			differences[(a-b+size)%size]++
		}
		if got := chiSquare(differences); got > 49+4*math.Sqrt(98) {
			t.Errorf("%s: chi-square %.1f of the differences, want about 49", name, got)
		}
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	w := load(t, "set=2,mget=1,zadd=3,ping=1")
	w.Keys.Size = 1_000_000
	record := func(w workload.Workload, client int) string {
		var b strings.Builder
		g := w.Generator(client)
		for range 200 {
			b.WriteString(render(g.Next()))
		}
		return b.String()
	}
	first := record(w, 7)
	if record(w, 7) != first {
		t.Error("the same seed and client gave other bytes")
	}
	if record(w, 8) == first {
		t.Error("clients 7 and 8 send the same bytes")
	}
	w.Seed++
	if record(w, 7) == first {
		t.Error("seeds 1 and 2 send the same bytes")
	}
}

func TestWeightsAreKept(t *testing.T) {
	w := load(t, "set=1,get=10,incr=5,ping=2")
	g := w.Generator(0)
	const draws = 200_000
	counts := make([]int, len(w.Mix))
	for range draws {
		c := g.Next()
		if want := w.Mix[c.Test].Test.Args[0]; c.Name != want {
			t.Fatalf("test %d is %s, want %s", c.Test, c.Name, want)
		}
		counts[c.Test]++
	}
	for i, e := range w.Mix {
		share := float64(e.Weight) / 20
		deviation := math.Sqrt(draws * share * (1 - share))
		if math.Abs(float64(counts[i])-draws*share) > 4*deviation {
			t.Errorf("%s: %d of %d, want a share of %.2f", e.Test.Title, counts[i], draws, share)
		}
	}
}

func TestExtremeWeights(t *testing.T) {
	w := load(t, "set=1,get=1000000")
	g := w.Generator(0)
	sets := 0
	for range 100_000 {
		if g.Next().Test == 0 {
			sets++
		}
	}
	if sets > 5 {
		t.Errorf("%d SETs of 100000, want 0.1 on average", sets)
	}
}

func TestNextDoesNotAllocate(t *testing.T) {
	mixes := []string{"set=1,get=10,mset=1,lrange=1,ping=3,zadd=2"}
	for _, test := range workload.Catalog() {
		mixes = append(mixes, test.Name())
	}
	for _, mix := range mixes {
		w := load(t, mix)
		w.Keys.Size = 1_000_000
		g := w.Generator(0)
		if n := testing.AllocsPerRun(1000, func() { g.Next() }); n != 0 {
			t.Errorf("%s: %v allocations per command", mix, n)
		}
	}
}

func TestClientsShareThePayload(t *testing.T) {
	w := load(t, "set=1,mset=1")
	w.Payload = 8 << 20
	s := w.Source()
	one, two := s.Generator(0), s.Generator(1)
	value := func(g *workload.Generator) *byte { return &g.Next().Args[1].([]byte)[0] }
	first := value(one)
	if value(two) != first || value(one) != first {
		t.Error("two clients of one source hold two payloads")
	}
	fixture := load(t, "get")
	fixture.Payload = 8 << 20
	ops := fixture.Fixtures()[0].Write(0, 1)
	ops = append(ops, fixture.Fixtures()[0].Write(0, 1)...)
	if &ops[0].Args[1].([]byte)[0] == &ops[1].Args[1].([]byte)[0] {
		t.Error("two sources share a payload: this test shows nothing")
	}
}

func BenchmarkNext(b *testing.B) {
	for _, mix := range []string{"ping_mbulk", "set", "get", "zadd", "mset", "set=1,get=10", "set,get,incr,lpush,rpush,lpop,sadd,hset"} {
		b.Run(mix, func(b *testing.B) {
			w := load(b, mix)
			w.Keys.Size = 1_000_000
			g := w.Generator(0)
			b.ReportAllocs()
			for b.Loop() {
				g.Next()
			}
		})
	}
}
