package insight_test

import (
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/insight"
)

// answered is a captured LATENCY HISTOGRAM as a client library gives it: redis-cli
// wrote one value in each line.
func answered(t testing.TB, name string) any {
	t.Helper()
	file, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var all, table, pairs []any
	flush := func() {
		if table != nil {
			all = append(all, append(table, pairs))
		}
		table, pairs = nil, nil
	}
	for _, line := range strings.Fields(string(file)) {
		n, err := strconv.ParseInt(line, 10, 64)
		switch {
		case err != nil && line != "calls" && line != "histogram_usec":
			flush()
			all = append(all, []byte(line))
		case err != nil:
			table = append(table, []byte(line))
		case len(table) < 3:
			table = append(table, n)
		default:
			pairs = append(pairs, n)
		}
	}
	flush()
	return all
}

func TestLatency(t *testing.T) {
	a := captured(t, "redis-7.0.15")
	b := captured(t, "redis-7.0.15-later")
	a.Latency, b.Latency = insight.ParseLatency(answered(t, "latency-7.0.15")), insight.ParseLatency(answered(t, "latency-7.0.15-later"))
	if h := a.Latency["set"]; h.Calls != 60_000 || len(h.Buckets) != 11 || h.Buckets[0] != (insight.Bucket{Bound: us, Count: 59_851}) {
		t.Fatalf("%+v", h)
	}
	d, ok := insight.Between(a, b)
	if !ok {
		t.Fatal("not one stretch")
	}
	set, get := d.Latency["set"], d.Latency["get"]
	if set.Calls != 40_000 || get.Calls != 40_000 || set.Buckets[0] != (insight.Bucket{Bound: us, Count: 39_969}) || set.Buckets[1].Count != 39_989 {
		t.Errorf("%+v", set)
	}
	for q, want := range map[float64]time.Duration{0: us, 0.5: us, 0.999: us, 0.9993: 2 * us} {
		if got, ok := set.Quantile(q); !ok || got != want {
			t.Errorf("%v: %v %v, want %v", q, got, ok, want)
		}
	}
	if twice := d.Add(d).Latency["set"]; twice.Calls != 80_000 || twice.Buckets[0].Count != 2*39_969 {
		t.Errorf("twice: %+v", twice)
	}
	if _, ok := insight.Between(b, a); ok {
		t.Error("a stretch backwards")
	}
	a.Latency = nil
	if d, ok := insight.Between(a, b); !ok || d.Latency != nil {
		t.Errorf("half told: %+v %v", d.Latency, ok)
	}
}

func TestLatencyShapes(t *testing.T) {
	type list = []any
	one := func(pairs ...any) any { return list{"SET", list{"calls", int64(3), "histogram_usec", list(pairs)}} }
	whole := map[string]insight.Histogram{"set": {Calls: 3, Buckets: []insight.Bucket{{us, 1}, {4 * us, 3}}}}
	for _, c := range []struct {
		name  string
		reply any
		want  map[string]insight.Histogram
	}{
		{"as it should be", one(int64(1), int64(1), int64(4), int64(3)), whole},
		{"numbers in text", list{[]byte("set"), list{[]byte("calls"), []byte("3"), []byte("histogram_usec"), list{"1", "1", "4", "3"}}}, whole},
		{"unknown parts", list{"set", list{"new", nil, "calls", int64(3), "histogram_usec", list{int64(1), int64(1), int64(4), int64(3)}}, "x"}, whole},
		{"nothing", list{}, nil},
		{"no list", "ERR unknown command", nil},
		{"no reply", nil, nil},
		{"no table", list{"set", "x"}, nil},
		{"no buckets", list{"set", list{"calls", int64(3)}}, nil},
		{"no calls", list{"set", list{"histogram_usec", list{int64(1), int64(1)}}}, nil},
		{"no name", list{int64(1), list{"calls", int64(3), "histogram_usec", list{int64(1), int64(3)}}}, nil},
		{"falling counts", one(int64(1), int64(2), int64(4), int64(1)), nil},
		{"falling bounds", one(int64(4), int64(1), int64(2), int64(3)), nil},
		{"more than all", one(int64(1), int64(4)), nil},
		{"negative", one(int64(1), int64(-1)), nil},
		{"too long", one(int64(1)<<62, int64(1)), nil},
	} {
		if got := insight.ParseLatency(c.reply); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	for _, h := range []insight.Histogram{{}, {Calls: 5}, {Calls: 5, Buckets: []insight.Bucket{{us, 1}}}} {
		if got, ok := h.Quantile(0.9); ok {
			t.Errorf("%+v: %v", h, got)
		}
	}
}

// FuzzParseLatency: whatever the numbers, what is taken over can be subtracted.
func FuzzParseLatency(f *testing.F) {
	f.Add(int64(3), int64(1), int64(1), int64(4), int64(3), "set")
	f.Add(int64(0), int64(-1), int64(1)<<62, int64(9), int64(0), "")
	f.Fuzz(func(t *testing.T, calls, b1, n1, b2, n2 int64, name string) {
		r := insight.ParseLatency([]any{name, []any{"calls", calls, "histogram_usec", []any{b1, n1, b2, n2}}})
		for name, h := range r {
			if name == "" || h.Calls < 0 || len(h.Buckets) != 2 || h.Buckets[0].Bound >= h.Buckets[1].Bound {
				t.Fatalf("%q %+v", name, h)
			}
		}
		reading := insight.Reading{Latency: r}
		if d, ok := insight.Between(reading, reading); !ok || len(d.Latency) != 0 {
			t.Fatalf("between a reading and itself: %+v %v", d.Latency, ok)
		}
	})
}

// TestLatencyBounds: servers leave out bounds that nothing fell between, so that two
// looks have different ones.
func TestLatencyBounds(t *testing.T) {
	type list = []insight.Bucket
	reading := func(calls int64, buckets ...insight.Bucket) insight.Reading {
		return insight.Reading{Latency: map[string]insight.Histogram{"get": {Calls: calls, Buckets: buckets}}}
	}
	at := func(bound time.Duration, n int64) insight.Bucket { return insight.Bucket{Bound: bound, Count: n} }
	for _, c := range []struct {
		name string
		a, b insight.Reading
		want list
		ok   bool
	}{
		{"a bound in between is new", reading(10, at(us, 4), at(4*us, 10)), reading(30, at(us, 4), at(2*us, 14), at(4*us, 30)),
			list{at(2*us, 10), at(4*us, 20)}, true},
		{"a longer call", reading(10, at(us, 10)), reading(12, at(us, 11), at(8*us, 12)), list{at(us, 1), at(8*us, 2)}, true},
		{"a shorter call", reading(10, at(4*us, 10)), reading(11, at(us, 1), at(4*us, 11)), list{at(us, 1)}, true},
		{"a command that is new", insight.Reading{Latency: map[string]insight.Histogram{}}, reading(2, at(us, 2)), list{at(us, 2)}, true},
		{"counts fell below a bound", reading(10, at(us, 9), at(4*us, 10)), reading(12, at(us, 3), at(4*us, 12)), nil, false},
		{"calls fell", reading(10, at(us, 10)), reading(9, at(us, 9)), nil, false},
		{"a command is gone", reading(10, at(us, 10)), insight.Reading{Latency: map[string]insight.Histogram{}}, nil, false},
	} {
		d, ok := insight.Between(c.a, c.b)
		if got := d.Latency["get"].Buckets; ok != c.ok || !reflect.DeepEqual(got, []insight.Bucket(c.want)) {
			t.Errorf("%s: %+v %v, want %+v %v", c.name, got, ok, c.want, c.ok)
		}
	}
	one, _ := insight.Between(reading(0), reading(2, at(us, 2)))
	two, _ := insight.Between(reading(0), reading(3, at(4*us, 3)))
	one.Elapsed, two.Elapsed = time.Second, time.Second
	sum := one.Add(two)
	if got := sum.Latency["get"]; got.Calls != 5 || !reflect.DeepEqual(got.Buckets, list{at(us, 2), at(4*us, 5)}) {
		t.Errorf("together: %+v", got)
	}
	if got := one.Latency["get"]; got.Calls != 2 || len(got.Buckets) != 1 {
		t.Errorf("a sum changed its part: %+v", got)
	}
}
