package insight

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Histogram is how long the calls of one command took by the server's own clock, as
// LATENCY HISTOGRAM tells it (Redis 7.0 and later): counts below bounds that double.
type Histogram struct {
	Calls   int64
	Buckets []Bucket // bounds rising, counts not falling
}

// Bucket says that Count calls took up to Bound, those of smaller bounds included.
type Bucket struct {
	Bound time.Duration
	Count int64
}

// ParseLatency reads the reply of LATENCY HISTOGRAM as RESP2 has it: names and tables
// in turn, a table being the names "calls" and "histogram_usec" and their values in
// turn. What does not have that shape is left out; nil when nothing has it.
func ParseLatency(reply any) map[string]Histogram {
	list, _ := reply.([]any)
	var all map[string]Histogram
	for i := 0; i+1 < len(list); i += 2 {
		name, ok := text(list[i])
		h, whole := histogram(list[i+1])
		if !ok || !whole || name == "" {
			continue
		}
		if all == nil {
			all = map[string]Histogram{}
		}
		all[strings.ToLower(name)] = h
	}
	return all
}

// histogram reads the table of one command.
func histogram(reply any) (h Histogram, ok bool) {
	table, _ := reply.([]any)
	for i := 0; i+1 < len(table); i += 2 {
		switch key, _ := text(table[i]); key {
		case "calls":
			if h.Calls, ok = integer(table[i+1]); !ok {
				return h, false
			}
		case "histogram_usec":
			if h.Buckets, ok = buckets(table[i+1]); !ok {
				return h, false
			}
		}
	}
	// The last count is that of all calls, unless some took longer than any bound.
	n := len(h.Buckets)
	return h, n > 0 && h.Buckets[n-1].Count <= h.Calls
}

func buckets(reply any) ([]Bucket, bool) {
	pairs, _ := reply.([]any)
	all := make([]Bucket, 0, len(pairs)/2)
	var last Bucket
	for i := 0; i+1 < len(pairs); i += 2 {
		us, ok := integer(pairs[i])
		n, counted := integer(pairs[i+1])
		b := Bucket{Bound: time.Duration(us) * time.Microsecond, Count: n}
		if !ok || !counted || us > int64(longest/time.Microsecond) || b.Bound <= last.Bound || n < last.Count {
			return nil, false
		}
		all, last = append(all, b), b
	}
	return all, true
}

// text is a name, however the reply has it.
func text(reply any) (string, bool) {
	switch v := reply.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	}
	return "", false
}

// integer is a number from 0 on, however the reply has it.
func integer(reply any) (int64, bool) {
	n, ok := reply.(int64)
	if s, is := text(reply); is {
		v, err := strconv.ParseInt(s, 10, 64)
		n, ok = v, err == nil
	}
	return n, ok && n >= 0 && n <= largest
}

// below is how many calls took up to a bound. Servers leave out bounds that nothing
// fell below, so that of the next smaller one stands for it.
func (h Histogram) below(bound time.Duration) int64 {
	i, found := slices.BinarySearchFunc(h.Buckets, bound, func(b Bucket, t time.Duration) int {
		return int(min(1, max(-1, b.Bound-t)))
	})
	switch {
	case found:
		return h.Buckets[i].Count
	case i > 0:
		return h.Buckets[i-1].Count
	}
	return 0
}

// joined goes through the bounds of both and has f put their counts together.
func (h Histogram) joined(o Histogram, f func(x, y int64) int64) Histogram {
	sum := Histogram{Calls: f(h.Calls, o.Calls)}
	bounds := make([]time.Duration, 0, len(h.Buckets)+len(o.Buckets))
	for _, b := range slices.Concat(h.Buckets, o.Buckets) {
		bounds = append(bounds, b.Bound)
	}
	slices.Sort(bounds)
	var last int64
	for _, bound := range slices.Compact(bounds) {
		n := f(h.below(bound), o.below(bound))
		if n != last {
			sum.Buckets = append(sum.Buckets, Bucket{Bound: bound, Count: n})
		}
		last = n
	}
	return sum
}

// Quantile is a time that the part q of the calls, 0 to 1, did not take longer than:
// a bound, so that the truth may be as low as half of it. False when unknown.
func (h Histogram) Quantile(q float64) (time.Duration, bool) {
	if h.Calls <= 0 || !(q >= 0 && q <= 1) {
		return 0, false
	}
	for _, b := range h.Buckets {
		if float64(b.Count) >= q*float64(h.Calls) && b.Count > 0 {
			return b.Bound, true
		}
	}
	return 0, false
}

// took is the calls between two tables; false when a count fell, nil when either is
// not told.
func took(a, b map[string]Histogram) (map[string]Histogram, bool) {
	if a == nil || b == nil {
		return nil, true
	}
	for name, was := range a {
		if b[name].Calls < was.Calls {
			return nil, false
		}
	}
	d := map[string]Histogram{}
	for name, is := range b {
		h := is.joined(a[name], func(x, y int64) int64 { return x - y })
		for i, b := range h.Buckets {
			if b.Count < 0 || i > 0 && b.Count < h.Buckets[i-1].Count {
				return nil, false
			}
		}
		if h.Calls > 0 {
			d[name] = h
		}
	}
	return d, true
}

// together is two tables as one; nil when either is not told.
func together(a, b map[string]Histogram) map[string]Histogram {
	if a == nil || b == nil {
		return nil
	}
	sum := map[string]Histogram{}
	for name, h := range a {
		sum[name] = h
	}
	for name, h := range b {
		sum[name] = sum[name].joined(h, func(x, y int64) int64 { return min(largest, x) + min(largest, y) })
	}
	return sum
}
