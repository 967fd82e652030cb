package workload_test

import (
	"math"
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

func TestParseDist(t *testing.T) {
	for _, tt := range []struct {
		in, text string
		want     workload.Dist
		err      string
	}{
		{in: "uniform", text: "uniform"},
		{in: " Uniform ", text: "uniform"},
		{in: "sequential", text: "sequential", want: workload.Dist{Name: "sequential"}},
		{in: "zipf", text: "zipf", want: workload.Dist{Name: "zipf", Shape: 1}},
		{in: "ZIPF:1", text: "zipf", want: workload.Dist{Name: "zipf", Shape: 1}},
		{in: "zipf:0.99", text: "zipf:0.99", want: workload.Dist{Name: "zipf", Shape: 0.99}},
		{in: "zipf:0", text: "zipf:0", want: workload.Dist{Name: "zipf"}},
		{in: "zipf:5", text: "zipf:5", want: workload.Dist{Name: "zipf", Shape: 5}},
		{in: "gaussian", text: "gaussian", want: workload.Dist{Name: "gaussian", Shape: 1.0 / 6}},
		{in: "gaussian:0.25", text: "gaussian:0.25", want: workload.Dist{Name: "gaussian", Shape: 0.25}},
		{in: "gaussian:25%", text: "gaussian:0.25", want: workload.Dist{Name: "gaussian", Shape: 0.25}},
		{in: "gaussian:5000", text: "gaussian:5000", want: workload.Dist{Name: "gaussian", Shape: 5000}},
		{in: "", err: `--key-dist: unknown distribution "": it takes uniform, sequential, zipf[:s], gaussian[:sd]`},
		{in: "zpif", err: `--key-dist: unknown distribution "zpif", did you mean zipf? it takes uniform,`},
		{in: "seq", err: `did you mean sequential?`},
		{in: "gauss:3", err: `unknown distribution "gauss", did you mean gaussian?`},
		{in: "quux", err: `unknown distribution "quux": it takes`},
		{in: "uniform:1", err: `--key-dist: uniform takes no number: give uniform alone`},
		{in: "sequential:", err: `--key-dist: sequential takes no number`},
		{in: "zipf:", err: `--key-dist: exponent "": zipf takes a number from 0 to 5, such as zipf:0.99`},
		{in: "zipf:-1", err: `exponent "-1": zipf takes`},
		{in: "zipf:nan", err: `exponent "nan"`},
		{in: "zipf:inf", err: `exponent "inf"`},
		{in: "zipf:0x1", err: `exponent "0x1"`},
		{in: "zipf:5.01", err: `exponent 5.01: zipf takes`},
		{in: "zipf:1:2", err: `exponent "1:2"`},
		{in: "gaussian:0", err: `--key-dist: deviation 0: gaussian takes a share of the range such as gaussian:0.1 or gaussian:10%, or a number of keys such as gaussian:5000`},
		{in: "gaussian:100%", err: `deviation "100%": gaussian takes`},
		{in: "gaussian:%", err: `deviation "%"`},
		{in: "gaussian:1e13", err: `deviation 1e+13`},
	} {
		got, err := workload.ParseDist(tt.in)
		if tt.err == "" && (err != nil || got != tt.want || got.String() != tt.text) {
			t.Errorf("ParseDist(%q) = %+v (%s), %v; want %+v (%s)", tt.in, got, got, err, tt.want, tt.text)
		}
		if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("ParseDist(%q): %v; want %s", tt.in, err, tt.err)
		}
	}
}

func TestDistsAreWhatParseDistTakes(t *testing.T) {
	for _, info := range workload.Dists() {
		d, err := workload.ParseDist(info.Name)
		if err != nil || d.String() != info.Name || info.About == "" || !strings.HasPrefix(info.Form, info.Name) {
			t.Errorf("%+v: %s, %v", info, d, err)
		}
	}
}

func FuzzParseDist(f *testing.F) {
	for _, seed := range []string{"uniform", "sequential", "zipf", "zipf:0.99", "gaussian:10%", "gaussian:5e3", "zipf:1e-9", ":", "zipf:..", "gaussian:1e999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		d, err := workload.ParseDist(in)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "--key-dist: ") || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Fatalf("error %q", err)
			}
			return
		}
		again, err := workload.ParseDist(d.String())
		if err != nil || again != d || d.Validate() != nil {
			t.Fatalf("%q → %s → %s, %v", in, d, again, err)
		}
	})
}

// drawn is a workload of GETs under dist.
func drawn(t testing.TB, dist string, size int64) workload.Workload {
	t.Helper()
	d, err := workload.ParseDist(dist)
	if err != nil {
		t.Fatal(err)
	}
	w := load(t, "get")
	w.Keys.Size, w.Keys.Dist = size, d
	return w
}

// fits compares draws from w with the distribution function cdf(k) = P(key < k),
// by chi-square over cells that expect at least twenty draws each.
func fits(t *testing.T, w workload.Workload, cdf func(k float64) float64) {
	t.Helper()
	const draws = 60_000
	var ends []int64 // of cells, exclusive
	var expected []float64
	for from, size := int64(0), w.Keys.Size; from < size; {
		step := int64(1) // the shortest cell that expects enough; it doubles, then halves
		enough := func(n int64) bool { return draws*(cdf(float64(from+n))-cdf(float64(from))) >= 20 }
		for from+step < size && !enough(step) {
			step = min(2*step, size-from)
		}
		for step > 1 && enough(step/2) {
			step /= 2
		}
		ends = append(ends, min(from+step, size))
		expected = append(expected, draws*(cdf(float64(ends[len(ends)-1]))-cdf(float64(from))))
		from = ends[len(ends)-1]
	}
	counts := make([]int, len(ends))
	g := w.Generator(0)
	for range draws {
		k := key(t, g.Next())
		if k < 0 || k >= w.Keys.Size {
			t.Fatalf("%s: key %d of %d", w.Keys.Dist, k, w.Keys.Size)
		}
		low, high := 0, len(ends)-1
		for low < high {
			if middle := (low + high) / 2; k < ends[middle] {
				high = middle
			} else {
				low = middle + 1
			}
		}
		counts[low]++
	}
	sum, free := 0.0, float64(len(ends)-1)
	for i, n := range counts {
		if expected[i] >= 5 { // the last cell may be a rest
			sum += (float64(n) - expected[i]) * (float64(n) - expected[i]) / expected[i]
		} else if float64(n) > expected[i]+5*math.Sqrt(expected[i])+3 {
			t.Errorf("%s of %d: %d draws at the end, want %.2f", w.Keys.Dist, w.Keys.Size, n, expected[i])
		}
	}
	if sum > free+4*math.Sqrt(2*free)+8 {
		t.Errorf("%s of %d: chi-square %.1f with %.0f degrees of freedom", w.Keys.Dist, w.Keys.Size, sum, free)
	}
}

// harmonic returns the sum of k^-s for k from 1 to n as a function of n: term by term
// at first, then by the formula of Euler and Maclaurin.
func harmonic(s float64) func(n float64) float64 {
	const exact = 1000
	sums := make([]float64, exact+1)
	for k := 1; k <= exact; k++ {
		sums[k] = sums[k-1] + math.Pow(float64(k), -s)
	}
	return func(n float64) float64 {
		if n <= exact {
			return sums[int(n)]
		}
		integral := math.Log(n / exact)
		if s != 1 {
			integral = (math.Pow(n, 1-s) - math.Pow(exact, 1-s)) / (1 - s)
		}
		return sums[exact] + integral + (math.Pow(n, -s)-math.Pow(exact, -s))/2
	}
}

func TestZipfFollowsItsFormula(t *testing.T) {
	for _, dist := range []string{"zipf", "zipf:0", "zipf:0.2", "zipf:0.99", "zipf:1.000000001", "zipf:1.2", "zipf:5"} {
		for _, size := range []int64{2, 10, 1_000_000, workload.MaxKeys} {
			w := drawn(t, dist, size)
			s := w.Keys.Dist.Shape
			if s > 1 && s < 1.1 {
				s = 1 // the formula above loses its digits so close to 1
			}
			sum := harmonic(s)
			fits(t, w, func(k float64) float64 { return sum(k) / sum(float64(size)) })
		}
	}
}

func TestGaussianFollowsItsFormula(t *testing.T) {
	for _, dist := range []string{"gaussian", "gaussian:0.01", "gaussian:0.45", "gaussian:0.9", "gaussian:20", "gaussian:700", "gaussian:1000000"} {
		for _, size := range []int64{2, 7, 1000, workload.MaxKeys} {
			w := drawn(t, dist, size)
			sd := w.Keys.Dist.Shape
			if sd < 1 {
				sd *= float64(size)
			}
			normal := func(x float64) float64 { return math.Erfc(-(x-float64(size)/2)/(sd*math.Sqrt2)) / 2 }
			low := normal(0)
			total := normal(float64(size)) - low
			fits(t, w, func(k float64) float64 { return (normal(k) - low) / total })
		}
	}
}

// Whatever the number of clients, size commands in a row name every key once.
func TestSequentialFillsTheKeySpaceExactly(t *testing.T) {
	for _, tt := range []struct {
		mix  string
		keys int // random keys of one command
	}{{"set", 1}, {"zadd", 1}, {"mset", 10}} {
		for _, clients := range []int{1, 3, 10} {
			const size = 120
			w := drawn(t, "sequential", size)
			w.Mix = load(t, tt.mix).Mix
			source := w.Source()
			var all []*workload.Generator
			for i := range clients {
				all = append(all, source.Generator(i))
			}
			for round := range 2 {
				seen := map[string]int{}
				for i := range size / tt.keys {
					for _, arg := range all[i%clients].Next().Args {
						if s := text(arg); strings.Contains(s, ":0000") { // a key or a member
							seen[s]++
						}
					}
				}
				if len(seen) != size {
					t.Errorf("%s, %d clients, round %d: %d of %d keys", tt.mix, clients, round, len(seen), size)
				}
			}
		}
	}
}

// A command's keys follow each other, also over the end of the key space.
func TestSequentialWrapsInsideACommand(t *testing.T) {
	w := drawn(t, "sequential", 15)
	w.Mix = load(t, "mget").Mix
	g := w.Generator(0)
	next := 0
	for range 6 {
		for _, arg := range g.Next().Args {
			if want := string(numberedKey(next % 15)); text(arg) != want {
				t.Fatalf("key %s, want %s", text(arg), want)
			}
			next++
		}
	}
}

func numberedKey(n int) []byte {
	b := []byte("fullbore:key:000000000000")
	for i := len(b) - 1; n > 0; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
	return b
}

func TestDrawingDoesNotAllocate(t *testing.T) {
	for _, dist := range []string{"uniform", "sequential", "zipf", "zipf:0.99", "zipf:0", "gaussian", "gaussian:0.9", "gaussian:100"} {
		for _, mix := range []string{"get", "mget", "zadd=1,set=3"} {
			w := drawn(t, dist, 1_000_000)
			w.Mix = load(t, mix).Mix
			g := w.Generator(0)
			if n := testing.AllocsPerRun(1000, func() { g.Next() }); n != 0 {
				t.Errorf("%s, %s: %v allocations per command", dist, mix, n)
			}
		}
	}
}

func BenchmarkDist(b *testing.B) {
	for _, dist := range []string{"uniform", "sequential", "zipf", "zipf:0.99", "zipf:1.5", "gaussian", "gaussian:0.9"} {
		b.Run(dist, func(b *testing.B) {
			g := drawn(b, dist, 1_000_000).Generator(0)
			b.ReportAllocs()
			for b.Loop() {
				g.Next()
			}
		})
	}
}
