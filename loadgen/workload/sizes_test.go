package workload_test

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

func TestParseSizes(t *testing.T) {
	for _, tt := range []struct {
		in, text string
		want     workload.Sizes
		err      string
	}{
		{in: "100", text: "100", want: workload.FixedSize(100)},
		{in: " 1K ", text: "1k", want: workload.FixedSize(1024)},
		{in: "1.5kb", text: "1536", want: workload.FixedSize(1536)},
		{in: "1e3", text: "1000", want: workload.FixedSize(1000)},
		{in: "512m", text: "512m", want: workload.FixedSize(512 << 20)},
		{in: "0.5GiB", text: "512m", want: workload.FixedSize(512 << 20)},
		{in: "10-4k", text: "10-4k", want: workload.Sizes{{10, 4096, 1}}},
		{in: "7-7", text: "7", want: workload.FixedSize(7)},
		{in: "10-4k:9", text: "10-4k", want: workload.Sizes{{10, 4096, 1}}},
		{in: "64:80,1k:15,64k:5", text: "64:80,1k:15,64k:5", want: workload.Sizes{{64, 64, 80}, {1024, 1024, 15}, {65536, 65536, 5}}},
		{in: "64,1-2k:3", text: "64:1,1-2k:3", want: workload.Sizes{{64, 64, 1}, {1, 2048, 3}}},
		{in: "", err: "-d: no size given: -d takes bytes such as 100, a range such as 10-4k, or sizes with weights such as 64:80,1k:15,64k:5"},
		{in: "0", err: "-d: payload 0: -d takes 1 to 536870912 bytes"},
		{in: "0-10", err: "-d: payload 0: -d takes 1"},
		{in: "513m", err: "-d: payload 537919488: -d takes 1 to 536870912 bytes"},
		{in: "3g", err: `-d: size "3g": -d takes bytes`},
		{in: "-1", err: `-d: size "": -d takes bytes`},
		{in: "abc", err: `-d: size "abc"`},
		{in: "1.3", err: `-d: size "1.3"`},
		{in: "1e999", err: `-d: size "1e999"`},
		{in: "10-", err: `-d: size ""`},
		{in: "1-2-3", err: `-d: size "2-3"`},
		{in: "4k-10", err: "-d: sizes 4k-10: the smaller one comes first, such as 10-4k"},
		{in: "64:", err: `-d: weight "" of size "64": a weight is a whole number from 1 to 1000000, such as 1k:15`},
		{in: "64:0", err: "-d: weight 0 of size 64: a weight"},
		{in: "64:-1", err: `-d: weight "-1" of size "64"`},
		{in: "64:1000001", err: "-d: weight 1000001 of size 64"},
		{in: "64:1,", err: `-d: size ""`},
		{in: "1\x1b[2J", err: `-d: size "1\x1b[2J"`},
		{in: strings.Repeat("1,", 1000) + "1", err: "-d: 1001 sizes: at most 1000"},
	} {
		got, err := workload.ParseSizes(tt.in)
		if tt.err == "" && (err != nil || !reflect.DeepEqual(got, tt.want) || got.String() != tt.text) {
			t.Errorf("ParseSizes(%q) = %v (%s), %v; want %v (%s)", tt.in, got, got, err, tt.want, tt.text)
		}
		if tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)) {
			t.Errorf("ParseSizes(%q): %v; want %s", tt.in, err, tt.err)
		}
	}
}

func FuzzParseSizes(f *testing.F) {
	for _, seed := range []string{"100", "10-4k", "64:80,1k:15,64k:5", "1e3", "1.5k-2m:7", ":", "-", ",", "0", "99999999999999999999", "1e99g"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		sizes, err := workload.ParseSizes(in)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "-d: ") || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Fatalf("error %q", err)
			}
			return
		}
		again, err := workload.ParseSizes(sizes.String())
		if err != nil || !reflect.DeepEqual(again, sizes) || sizes.Validate() != nil {
			t.Fatalf("%q → %s → %s, %v", in, sizes, again, err)
		}
		if m := sizes.Mean(); sizes.Min() < 1 || m < float64(sizes.Min()) || m > float64(sizes.Max()) || sizes.Max() > workload.MaxPayload {
			t.Fatalf("%q: %d to %d, mean %g", in, sizes.Min(), sizes.Max(), m)
		}
	})
}

func TestSizesInFigures(t *testing.T) {
	for _, tt := range []struct {
		in       string
		min, max int
		mean     float64
		fixed    bool
	}{
		{"100", 100, 100, 100, true},
		{"10-20", 10, 20, 15, false},
		{"64:80,1k:15,64k:5", 64, 65536, 0.8*64 + 0.15*1024 + 0.05*65536, false},
		{"5:1,5:9", 5, 5, 5, true},
	} {
		s := sized(t, tt.in)
		if s.Min() != tt.min || s.Max() != tt.max || math.Abs(s.Mean()-tt.mean) > 1e-9 || s.Fixed() != tt.fixed {
			t.Errorf("%s: %d to %d, mean %g, fixed %v", tt.in, s.Min(), s.Max(), s.Mean(), s.Fixed())
		}
	}
	if none := workload.Sizes(nil); none.Min() != 0 || none.Max() != 0 || none.Mean() != 0 || none.String() != "" || none.Validate() != nil {
		t.Errorf("no sizes: %d %d %g %q", none.Min(), none.Max(), none.Mean(), none)
	}
}

func sized(t testing.TB, s string) workload.Sizes {
	t.Helper()
	sizes, err := workload.ParseSizes(s)
	if err != nil {
		t.Fatal(err)
	}
	return sizes
}

func TestSizedKeepsPayloadInStep(t *testing.T) {
	w := load(t, "set")
	if fixed := w.Sized(sized(t, "1k")); fixed.Payload != 1024 || fixed.Sizes != nil || fixed.SizeText() != "1024" {
		t.Errorf("a fixed size: %d, %v, %s", fixed.Payload, fixed.Sizes, fixed.SizeText())
	}
	if varied := w.Sized(sized(t, "10-4k")); varied.Payload != 4096 || varied.SizeText() != "10-4k" || varied.Sized(workload.FixedSize(3)).Sizes != nil {
		t.Errorf("a range: %d, %s", varied.Payload, varied.SizeText())
	}
}

// Each length is drawn as often as its weight says.
func TestLengthsFollowTheirWeights(t *testing.T) {
	many := make([]string, 40)
	for i := range many {
		many[i] = fmt.Sprintf("%d:%d", i+1, i%7+1)
	}
	for _, in := range []string{"3", "1-2", "10-40", "64:80,1k:15,64k:5", "5:1,10-19:10", "1-3:2,2-4:1", strings.Join(many, ",")} {
		w := load(t, "set").Sized(sized(t, in))
		expected := map[int]float64{}
		total := 0
		for _, s := range sized(t, in) {
			total += s.Weight
		}
		const draws = 50_000
		for _, s := range sized(t, in) {
			for n := s.Low; n <= s.High; n++ {
				expected[n] += draws * float64(s.Weight) / float64(total) / float64(s.High-s.Low+1)
			}
		}
		g := w.Generator(0)
		counts := map[int]int{}
		for range draws {
			counts[len(g.Next().Args[1].([]byte))]++
		}
		sum, free := 0.0, float64(len(expected)-1)
		for n, c := range counts {
			if expected[n] == 0 {
				t.Fatalf("%s: a value of %d bytes", in, n)
			}
			sum += (float64(c) - expected[n]) * (float64(c) - expected[n]) / expected[n]
		}
		if len(counts) != len(expected) || sum > free+4*math.Sqrt(2*free)+8 {
			t.Errorf("%s: %d lengths of %d, chi-square %.1f", in, len(counts), len(expected), sum)
		}
	}
}

// Commands of one Form differ in the bytes of their varying arguments only, which
// is what an engine needs that writes over a copy.
func TestFormsHoldWhatTheyPromise(t *testing.T) {
	for _, tt := range []struct {
		mix, sizes, expire string
		random             bool
		forms              int
		fluid              bool
	}{
		{mix: "set,get", sizes: "3", forms: 2},
		{mix: "set", sizes: "64:80,1k:15,64k:5", forms: 3},
		{mix: "get,set,lpush", sizes: "1-4", forms: 1 + 4 + 4},
		{mix: "set", sizes: "1-32", forms: 32},
		{mix: "set", sizes: "1-33", forms: 1, fluid: true},
		{mix: "mset", sizes: "3", forms: 1},
		{mix: "mset", sizes: "3-4", forms: 1, fluid: true},
		{mix: "set", sizes: "100", random: true, forms: 1},
		{mix: "set,mset", sizes: "100", random: true, forms: 2},
		{mix: "set", sizes: "10:1,20:1", random: true, forms: 2},
		{mix: "set", sizes: "3", expire: "10-60s", forms: 1},
		{mix: "set,get", sizes: "3", expire: "5-120", forms: 4},
		{mix: "set", sizes: "1-16", expire: "5-60", forms: 32},
		{mix: "set", sizes: "1-16", expire: "5-100", forms: 1, fluid: true},
	} {
		w := load(t, tt.mix).Sized(sized(t, tt.sizes))
		w.RandomData, w.Keys.Size = tt.random, 1000
		w.Expire = expiring(t, tt.expire)
		s := w.Source()
		name := fmt.Sprintf("%s -d %s %s %v", tt.mix, tt.sizes, tt.expire, tt.random)
		if s.Forms() != tt.forms {
			t.Errorf("%s: %d forms, want %d", name, s.Forms(), tt.forms)
		}
		checkForms(t, name, s, tt.fluid)
	}
}

// checkForms replays every command over the first one of its form.
func checkForms(t *testing.T, name string, s *workload.Source, fluid bool) {
	t.Helper()
	first := map[int][][]byte{}
	sawFluid := false
	g := s.Generator(1)
	for range 3000 {
		c := g.Next()
		sawFluid = sawFluid || c.Fluid
		if c.Form < 0 || c.Form >= s.Forms() {
			t.Fatalf("%s: form %d of %d", name, c.Form, s.Forms())
		}
		if want := len(render(c)); c.Request != want {
			t.Fatalf("%s: %d bytes, says %d", name, want, c.Request)
		}
		if c.Fluid {
			continue
		}
		form, ok := first[c.Form]
		if !ok {
			for _, arg := range c.Args {
				form = append(form, bytes.Clone(arg.([]byte)))
			}
			first[c.Form] = form
		}
		for _, i := range c.Varies {
			if len(form[i]) != len(c.Args[i].([]byte)) {
				t.Fatalf("%s: form %d has %d and %d bytes in argument %d", name, c.Form, len(form[i]), len(c.Args[i].([]byte)), i)
			}
			copy(form[i], c.Args[i].([]byte))
		}
		for i, arg := range c.Args {
			if !bytes.Equal(form[i], arg.([]byte)) {
				t.Fatalf("%s: form %d, argument %d: %.40q, replayed %.40q", name, c.Form, i, arg, form[i])
			}
		}
	}
	if sawFluid != fluid {
		t.Errorf("%s: fluid is %v", name, sawFluid)
	}
}

// Values of every size are what redis-benchmark's would be, random ones are not.
func TestContentOfValues(t *testing.T) {
	w := load(t, "set").Sized(sized(t, "1-50"))
	g := w.Generator(0)
	for range 200 {
		if got := text(g.Next().Args[1]); !strings.HasPrefix("VXKeHogKgJ=[5V9_X^b?48OKF2jGA<f:iR@50o7dxxxxxxxxxxx", got[:min(len(got), 40)]) {
			t.Fatalf("value %q", got)
		}
	}
}

func TestRandomValuesDiffer(t *testing.T) {
	for _, size := range []string{"8", "16", "100", "16k", "17k"} {
		w := load(t, "set,mset").Sized(sized(t, size))
		w.RandomData = true
		s := w.Source()
		one, two := s.Generator(0), s.Generator(1)
		seen := map[string]bool{}
		values := 0
		for range 200 {
			for _, g := range []*workload.Generator{one, two} {
				args := g.Next().Args
				for i := 1; i < len(args); i += 2 {
					seen[text(args[i])] = true
					values++
					if strings.Trim(text(args[i]), alphabet()) != "" {
						t.Fatalf("value %q", args[i])
					}
				}
			}
		}
		if len(seen) != values {
			t.Errorf("%s bytes: %d different values of %d", size, len(seen), values)
		}
	}
}

func alphabet() string {
	var b strings.Builder
	for c := '0'; c <= 'o'; c++ {
		b.WriteRune(c)
	}
	return b.String()
}

// A mutable slice inside an interface value is not a thing the language has; this
// holds box to what the compiler makes of it.
func TestBoxesFollowTheirSlices(t *testing.T) {
	w := load(t, "set").Sized(sized(t, "1-5000"))
	w.RandomData = true
	s := w.Source()
	all := []*workload.Generator{s.Generator(0), s.Generator(1), s.Generator(2)}
	lengths := make([]map[int]bool, len(all))
	for i := range lengths {
		lengths[i] = map[int]bool{}
	}
	held := all[2].Next() // must not change with the others
	before := strings.Clone(text(held.Args[1]))
	for range 2000 {
		for i, g := range all[:2] {
			args := g.Next().Args
			value, again := args[1].([]byte), args[1]
			lengths[i][len(value)] = true
			if !bytes.Equal(value, again.([]byte)) || cap(value) < len(value) {
				t.Fatalf("%d bytes, then %d", len(value), len(again.([]byte)))
			}
		}
	}
	if len(lengths[0]) < 1000 || len(lengths[1]) < 1000 || text(held.Args[1]) != before {
		t.Errorf("%d and %d lengths of 5000; the third client's value changed: %v", len(lengths[0]), len(lengths[1]), text(held.Args[1]) != before)
	}
}

func TestValuesDoNotAllocate(t *testing.T) {
	for _, mix := range []string{"set", "mset", "set=1,get=3,lpush=1"} {
		for _, sizes := range []string{"100", "10-4k", "64:80,1k:15,64k:5", "1-20"} {
			for _, random := range []bool{false, true} {
				w := load(t, mix).Sized(sized(t, sizes))
				w.RandomData, w.Keys.Size, w.Expire = random, 1000, workload.Expire{Low: 5, High: 2000}
				g := w.Generator(0)
				for range 2000 { // as long as a buffer may grow
					g.Next()
				}
				if n := testing.AllocsPerRun(1000, func() { g.Next() }); n != 0 {
					t.Errorf("%s -d %s, random %v: %v allocations per command", mix, sizes, random, n)
				}
			}
		}
	}
}

func BenchmarkValues(b *testing.B) {
	for _, sizes := range []string{"100", "10-4k", "64:80,1k:15,64k:5"} {
		for _, random := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/random=%v", sizes, random), func(b *testing.B) {
				w := load(b, "set").Sized(sized(b, sizes))
				w.RandomData, w.Keys.Size = random, 1_000_000
				g := w.Generator(0)
				b.ReportAllocs()
				for b.Loop() {
					g.Next()
				}
			})
		}
	}
}
