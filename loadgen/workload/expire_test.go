package workload_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

func TestParseExpire(t *testing.T) {
	for _, tt := range []struct {
		in, text  string
		low, high int64
		err       string
	}{
		{in: "60", text: "60s", low: 60, high: 60},
		{in: "10-60s", text: "10-60s", low: 10, high: 60},
		{in: " 10 - 60 ", text: "10-60s", low: 10, high: 60},
		{in: "1-5m", text: "60-300s", low: 60, high: 300},
		{in: "30s-5m", text: "30-300s", low: 30, high: 300},
		{in: "1H-2D", text: "3600-172800s", low: 3600, high: 172800},
		{in: "", err: `--expire: time "": --expire takes seconds such as 60, or a range such as 10-60s, 5m or 1h-2d`},
		{in: "0", err: "--expire: 0 seconds: --expire takes seconds"},
		{in: "0-10", err: "--expire: 0 seconds"},
		{in: "-5", err: `--expire: time ""`},
		{in: "10-", err: `--expire: time ""`},
		{in: "1.5s", err: `--expire: time "1.5s"`},
		{in: "10ms", err: `--expire: time "10ms"`},
		{in: "10x", err: `--expire: time "10x"`},
		{in: "60-10s", err: "--expire: 60 to 10 seconds: the smaller one comes first, such as 10-60s"},
		{in: "10000000001", err: "--expire: 10000000001 seconds"},
		{in: "1000000000000d", err: "--expire: 86400000000000000 seconds: --expire takes"},
		{in: "9999999999999d", err: `--expire: time "9999999999999d"`},
	} {
		got, err := workload.ParseExpire(tt.in)
		if tt.err == "" && (err != nil || got != workload.Expire{Low: tt.low, High: tt.high} || got.String() != tt.text) {
			t.Errorf("ParseExpire(%q) = %s, %v; want %s", tt.in, got, err, tt.text)
		}
		if tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)) {
			t.Errorf("ParseExpire(%q): %v; want %s", tt.in, err, tt.err)
		}
	}
	if never := (workload.Expire{}); never.String() != "" || never.Validate() != nil {
		t.Errorf("no expiry: %q, %v", never, never.Validate())
	}
}

func FuzzParseExpire(f *testing.F) {
	for _, seed := range []string{"60", "10-60s", "1m-1h", "-", "0", "9999999999999999999d", "1s-2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		e, err := workload.ParseExpire(in)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "--expire: ") || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Fatalf("error %q", err)
			}
			return
		}
		again, err := workload.ParseExpire(e.String())
		if err != nil || again != e || e == (workload.Expire{}) || e.Validate() != nil {
			t.Fatalf("%q → %s → %s, %v", in, e, again, err)
		}
	})
}

// expiring is ParseExpire; "" is for ever.
func expiring(t testing.TB, s string) workload.Expire {
	t.Helper()
	if s == "" {
		return workload.Expire{}
	}
	e, err := workload.ParseExpire(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestSetExpires(t *testing.T) {
	w := load(t, "set=1,get=1,mset=1,incr=1")
	w.Expire = expiring(t, "8-12s")
	g := w.Generator(0)
	counts := map[int64]int{}
	for range 40_000 {
		c := g.Next()
		if c.Name != "SET" {
			if strings.Contains(render(c), "EX") {
				t.Fatalf("%q", render(c))
			}
			continue
		}
		if len(c.Args) != 4 || text(c.Args[2]) != "EX" {
			t.Fatalf("%q", render(c))
		}
		n, err := strconv.ParseInt(text(c.Args[3]), 10, 64)
		if err != nil || text(c.Args[3]) != strconv.FormatInt(n, 10) {
			t.Fatalf("time to live %q", c.Args[3])
		}
		counts[n]++
	}
	for n := int64(8); n <= 12; n++ {
		if math.Abs(float64(counts[n])-2000) > 4*math.Sqrt(2000) {
			t.Errorf("%d seconds: %d times, want about 2000", n, counts[n])
		}
	}
	if len(counts) != 5 {
		t.Errorf("times to live: %v", counts)
	}
}

func TestParseBatch(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want workload.Batch
		err  string
	}{
		{in: "pipeline", want: workload.Pipelined},
		{in: " MULTI", want: workload.Multi},
		{in: "none", want: workload.Unbatched},
		{in: "mutli", err: `--batch: unknown mode "mutli", did you mean multi? it takes pipeline, multi, none`},
		{in: "", err: `--batch: unknown mode "": it takes pipeline, multi, none`},
	} {
		got, err := workload.ParseBatch(tt.in)
		if tt.err == "" && (err != nil || got != tt.want || got.Validate() != nil) {
			t.Errorf("ParseBatch(%q) = %q, %v", tt.in, got, err)
		}
		if tt.err != "" && (err == nil || err.Error() != tt.err) {
			t.Errorf("ParseBatch(%q): %v; want %s", tt.in, err, tt.err)
		}
	}
	if err := workload.Batch("all").Validate(); err == nil {
		t.Error("a mode that there is not is valid")
	}
	for _, b := range workload.Batches() {
		if again, err := workload.ParseBatch(b.Batch.String()); err != nil || again != b.Batch || b.Name != b.Batch.String() || b.About == "" {
			t.Errorf("%+v: %q, %v", b, again, err)
		}
	}
}

func FuzzParseBatch(f *testing.F) {
	for _, seed := range []string{"pipeline", "multi", "none", "", "MULTI ", "nnoe"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		b, err := workload.ParseBatch(in)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "--batch: ") || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Fatalf("error %q", err)
			}
			return
		}
		if again, err := workload.ParseBatch(b.String()); err != nil || again != b {
			t.Fatalf("%q → %s → %s, %v", in, b, again, err)
		}
	})
}
