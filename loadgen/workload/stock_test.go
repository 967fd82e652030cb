package workload_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

func levels(s workload.Stock) string {
	return fmt.Sprintf("%s %d/%d/%d", line(s.Length), s.Low, s.Fill, s.High)
}

func TestStocksOfEveryRow(t *testing.T) {
	// Low/Fill/High of small items.
	const (
		pop    = "LLEN fullbore:mylist 250000/500000/0"
		grow   = "LLEN fullbore:mylist 0/0/2000000"
		both   = "LLEN fullbore:mylist 250000/500000/2000000"
		ranged = "LLEN fullbore:mylist 600/1200/2000000"
	)
	want := map[string]string{
		"lpop": pop, "rpop": pop, "lpush": grow, "rpush": grow,
		"spop":    "SCARD fullbore:myset 250000/500000/0",
		"zpopmin": "ZCARD fullbore:myzset 250000/500000/0",
		"xadd":    "XLEN fullbore:mystream 0/0/2000000",
		// One owner for a key that several tests share.
		"lpush=1,lpop=3":       both,
		"rpush,rpop,lrange":    both,
		"lrange=5,rpush":       ranged,
		"lrange_100,lpush":     "LLEN fullbore:mylist 100/200/2000000",
		"lpop,lrange_600":      pop,
		"sadd,spop,zadd":       "SCARD fullbore:myset 250000/500000/0",
		"xadd,get,lpop":        "XLEN fullbore:mystream 0/0/2000000\n" + pop,
		"lrange":               "",
		"set,get,mset,incr":    "",
		"sadd,hset,zadd,mget":  "",
		"ping_mbulk,lrange":    "",
		"lpush=1,rpush=2,mset": grow,
	}
	for _, test := range workload.Catalog() {
		if _, ok := want[test.Name()]; !ok && (test.Drains || test.Grows) {
			t.Errorf("%s: no expectation", test.Title)
		}
	}
	for mix, expected := range want {
		var got []string
		for _, s := range load(t, mix).Stocks() {
			got = append(got, levels(s))
		}
		if strings.Join(got, "\n") != expected {
			t.Errorf("%s:\n got %s\nwant %s", mix, strings.Join(got, "\n"), expected)
		}
	}
}

func TestLevelsFollowThePayload(t *testing.T) {
	for _, tt := range []struct {
		mix     string
		payload int
		want    string
	}{
		{"lpop", 1008, "LLEN fullbore:mylist 32768/65536/0"},            // 64 MiB
		{"lpop", 128 << 10, "LLEN fullbore:mylist 500/1000/0"},          // the least
		{"lpop", 16 << 20, "LLEN fullbore:mylist 31/63/0"},              // 1 GiB
		{"lpop", workload.MaxPayload, "LLEN fullbore:mylist 1/2/0"},     // still something to pop
		{"rpush", 1008, "LLEN fullbore:mylist 0/0/262144"},              // 256 MiB
		{"rpush", workload.MaxPayload, "LLEN fullbore:mylist 0/0/2"},    // never 0, which means unbounded
		{"xadd", 1008, "XLEN fullbore:mystream 0/0/262144"},             // 256 MiB
		{"lpop,rpush", 128 << 10, "LLEN fullbore:mylist 500/1000/2047"}, // trimming ends above Fill
		{"lpop,rpush", 1 << 20, "LLEN fullbore:mylist 500/1000/2000"},   // likewise
		{"lpop,lrange", 128 << 10, "LLEN fullbore:mylist 600/1200/0"},   // LRANGE_600 finds its elements
		{"lrange,lpush", 4 << 20, "LLEN fullbore:mylist 600/1200/2400"}, // likewise
		{"spop", workload.MaxPayload, "SCARD fullbore:myset 250000/500000/0"},
	} {
		w := load(t, tt.mix)
		w.Payload = tt.payload
		if got := levels(w.Stocks()[0]); got != tt.want {
			t.Errorf("%s at %d bytes: %s, want %s", tt.mix, tt.payload, got, tt.want)
		}
	}
}

// Whatever the mix and the payload, the levels must not fight each other.
func TestLevelsAreInOrder(t *testing.T) {
	mixes := []string{"lpop", "lpush", "lpop,lpush", "lpop,lrange", "lpush,lrange_100", "lpop,rpush,lrange", "xadd", "spop,zpopmin"}
	for _, mix := range mixes {
		for payload := 1; payload <= workload.MaxPayload; payload *= 2 {
			w := load(t, mix)
			w.Payload = payload
			for _, s := range w.Stocks() {
				growing, drained := s.High > 0, s.Low > 0
				switch {
				case !growing && !drained,
					drained && (s.Low >= s.Fill || s.Push == nil || s.Chunk < 1),
					growing && (s.High/2 < s.Fill || s.High/2 < 1 || s.Trim == nil):
					t.Errorf("%s at %d bytes: %s, chunk %d", mix, payload, levels(s), s.Chunk)
				}
			}
		}
	}
}

func TestPush(t *testing.T) {
	for _, tt := range []struct {
		mix  string
		size int64
		from int64
		n    int
		want string
	}{
		{"lpop", 1, 7, 3, "RPUSH fullbore:mylist VXK VXK VXK"},
		{"spop", 1, 0, 2, "SADD fullbore:myset element:000000000001 element:000000000002"},
		{"spop", 1, 2, 1, "SADD fullbore:myset element:000000000003"},
		// After the members that SADD writes.
		{"spop,sadd", 1000, 0, 2, "SADD fullbore:myset element:000000001000 element:000000001001"},
		{"zpopmin", 0, 5, 1, "ZADD fullbore:myzset 0 element:000000000006"},
		{"spop", workload.MaxKeys, 5, 1, "SADD fullbore:myset element:1000000000005"},
		{"lpop", 1, 0, 0, "RPUSH fullbore:mylist VXK"}, // never a command without items
	} {
		w := load(t, tt.mix)
		w.Keys.Size = tt.size
		if got := line(w.Stocks()[0].Push(tt.from, tt.n)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.mix, got, tt.want)
		}
	}
}

func TestPushedScoresLieWhereThoseOfZaddLie(t *testing.T) {
	w := load(t, "zpopmin")
	w.Keys.Size = 1000
	op := w.Stocks()[0].Push(0, 100)
	scores := map[string]bool{}
	for i := 1; i < len(op.Args); i += 2 {
		score := text(op.Args[i])
		if !regexp.MustCompile(`^000000000\d{3}$`).MatchString(score) {
			t.Fatalf("score %q", score)
		}
		scores[score] = true
	}
	if len(op.Args) != 1+2*100 || len(scores) < 80 {
		t.Errorf("%d arguments with %d scores", len(op.Args), len(scores))
	}
}

func TestPushStaysNearOneMiB(t *testing.T) {
	for payload, want := range map[int]int{3: 1000, 64 << 10: 15, 1 << 20: 1, 16 << 20: 1} {
		w := load(t, "rpop")
		w.Payload = payload
		s := w.Stocks()[0]
		if got := len(s.Push(0, 5000).Args) - 1; got != want || s.Chunk != want {
			t.Errorf("%d bytes: %d items in a command, chunk %d, want %d", payload, got, s.Chunk, want)
		}
	}
}

func TestTrim(t *testing.T) {
	list, stream := load(t, "lpush").Stocks()[0], load(t, "xadd").Stocks()[0]
	for _, tt := range []struct {
		s              workload.Stock
		length, target int64
		want           string
	}{
		{list, 2_000_001, 1_000_000, "LTRIM fullbore:mylist 0 -10001"},
		{list, 1_000_003, 1_000_000, "LTRIM fullbore:mylist 0 -4"},
		{list, 1_000_000, 1_000_000, "LTRIM fullbore:mylist 0 -1"}, // keeps everything
		{list, 5, 1_000_000, "LTRIM fullbore:mylist 0 -1"},
		{stream, 2_000_001, 1_000_000, "XTRIM fullbore:mystream MAXLEN 1990001"},
		{stream, 1_000_003, 1_000_000, "XTRIM fullbore:mystream MAXLEN 1000000"},
		{stream, 5, 1_000_000, "XTRIM fullbore:mystream MAXLEN 5"},
	} {
		if got := line(tt.s.Trim(tt.length, tt.target)); got != tt.want {
			t.Errorf("%d to %d: %s, want %s", tt.length, tt.target, got, tt.want)
		}
	}
}

func TestStockIDs(t *testing.T) {
	id := func(mix string, payload int) string {
		w := load(t, mix)
		w.Payload = payload
		return w.Stocks()[0].ID
	}
	if id("lpop", 3) == id("lpop", 4) || id("lpop", 3) == id("lpush", 3) || id("xadd", 3) == id("xadd", 1<<20) {
		t.Error("other items or levels, but the same ID")
	}
	// The running number of set members must go on.
	if id("spop", 3) != id("spop", 64) || id("spop", 3) != id("spop,sadd", 3) {
		t.Error("the members of a set do not depend on payload or mix, its ID does")
	}
}
