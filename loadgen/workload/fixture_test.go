package workload_test

import (
	"slices"
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

// summary is a fixture in one line, with what it removes.
func summary(fixtures []workload.Fixture) string {
	var all []string
	for _, f := range fixtures {
		s := f.ID + " | " + f.What + " | " + f.Family
		if len(f.Reset) > 0 {
			s += " | " + lines(f.Reset)
		}
		if f.Items == 1 {
			s += " | " + lines(f.Write(0, 100))
		}
		all = append(all, s)
	}
	return strings.Join(all, "\n")
}

func TestFixturesOfEveryRow(t *testing.T) {
	const (
		keys  = "keys fullbore:key: n=1000 d=64 | 1000 keys of 64 bytes | fullbore:key:"
		list  = "list fullbore:mylist n=600 d=64 | a list of 600 elements of 64 bytes | fullbore:mylist | UNLINK fullbore:mylist"
		fresh = "empty list fullbore:mylist d=64 | an empty fullbore:mylist | fullbore:mylist | UNLINK fullbore:mylist"
	)
	want := map[string]string{
		"ping_inline": "", "ping_mbulk": "", "set": "", "incr": "", "sadd": "", "hset": "", "zadd": "", "mset": "", "xadd": "",
		"get": keys, "mget": keys,
		"lrange_100": list, "lrange_300": list, "lrange_500": list, "lrange_600": list,
		"lpush": fresh, "rpush": fresh, "lpop": fresh, "rpop": fresh,
		"spop":    "empty set fullbore:myset | an empty fullbore:myset | fullbore:myset | UNLINK fullbore:myset",
		"zpopmin": "empty zset fullbore:myzset | an empty fullbore:myzset | fullbore:myzset | UNLINK fullbore:myzset",
		// Mixes: one fixture a family.
		"get=5,mget=1,set=3": keys,
		"lrange":             list,
		"lrange,lpush":       fresh,
		"lpop,lpush,lrange":  fresh,
		"lpop,get":           keys + "\n" + fresh,
	}
	for _, test := range workload.Catalog() {
		if _, ok := want[test.Name()]; !ok {
			t.Errorf("%s: no expectation", test.Title)
		}
	}
	for mix, expected := range want {
		w := load(t, mix)
		w.Keys.Size, w.Payload = 1000, 64
		if got := summary(w.Fixtures()); got != expected {
			t.Errorf("%s:\n got %s\nwant %s", mix, got, expected)
		}
	}
}

func TestKeysFixtureWritesEveryKeyOnce(t *testing.T) {
	w := load(t, "mget=1,get=2")
	w.Keys.Size = 10
	fixtures := w.Fixtures()
	if len(fixtures) != 1 || fixtures[0].Items != 10 || len(fixtures[0].Reset) != 0 {
		t.Fatalf("fixtures: %+v", fixtures)
	}
	write := fixtures[0].Write
	if got, want := lines(write(3, 2)), "SET fullbore:key:000000000003 VXK\nSET fullbore:key:000000000004 VXK"; got != want {
		t.Errorf("items 3 and 4:\n%s", got)
	}
	// Any split writes the same items; what lies outside is left out.
	var split []workload.Op
	for from := int64(0); from < 12; from += 3 {
		split = append(split, write(from, 3)...)
	}
	if got, want := lines(split), lines(write(0, 100)); got != want || len(split) != 10 {
		t.Errorf("split:\n%s\nwhole:\n%s", got, want)
	}
	for _, outside := range [][]workload.Op{write(10, 5), write(99, 1), write(0, 0), write(0, -1)} {
		if len(outside) != 0 {
			t.Errorf("outside the items: %s", lines(outside))
		}
	}
}

func TestFixtureOfOneKey(t *testing.T) {
	for _, size := range []int64{0, 1} {
		w := load(t, "get")
		w.Keys.Size, w.Payload = size, 1
		f := w.Fixtures()[0]
		if got := lines(f.Write(0, 100)); got != "SET fullbore:key:000000000000 V" || f.What != "1 key of 1 byte" {
			t.Errorf("size %d: %s (%s)", size, got, f.What)
		}
	}
}

func TestListFixture(t *testing.T) {
	for _, tt := range []struct {
		mix     string
		payload int
		items   int64
	}{
		{"lrange_100", 3, 600},
		{"lrange_600", 3, 600},
		{"lrange_100", 1 << 20, 100}, // 600 MiB would be felt
		{"lrange_100,lrange_300", 1 << 20, 300},
	} {
		w := load(t, tt.mix)
		w.Payload = tt.payload
		f := w.Fixtures()[0]
		if f.Items != tt.items || len(f.Write(0, 10_000)) != int(tt.items) {
			t.Errorf("%s at %d bytes: %d items", tt.mix, tt.payload, f.Items)
		}
	}
	w := load(t, "lrange_100")
	if got := lines(w.Fixtures()[0].Write(598, 10)); got != "RPUSH fullbore:mylist VXK\nRPUSH fullbore:mylist VXK" {
		t.Errorf("last items:\n%s", got)
	}
}

// The ID is the engine's only way to know that data must be written again.
func TestFixtureIDs(t *testing.T) {
	id := func(mix string, size int64, payload int, prefix string) string {
		w := load(t, mix)
		w.Keys, w.Payload = workload.KeySpace{Prefix: prefix, Size: size}, payload
		return w.Fixtures()[0].ID
	}
	same := [][2]string{
		{id("get", 100, 3, "a:"), id("mget", 100, 3, "a:")},
		{id("get", 100, 3, "a:"), id("get,set,incr", 100, 3, "a:")},
		{id("get", 0, 3, "a:"), id("get", 1, 3, "a:")},
		{id("lpush", 100, 3, "a:"), id("rpop", 1, 3, "a:")}, // alternating must not drain the list
		{id("lrange_100", 1, 3, "a:"), id("lrange_600", 1, 3, "a:")},
		{id("spop", 1, 3, "a:"), id("spop", 1, 64, "a:")}, // members have no payload
	}
	for _, pair := range same {
		if pair[0] != pair[1] {
			t.Errorf("IDs differ: %s and %s", pair[0], pair[1])
		}
	}
	different := []string{
		id("get", 100, 3, "a:"), id("get", 101, 3, "a:"), id("get", 100, 4, "a:"), id("get", 100, 3, "b:"),
		id("lpop", 1, 3, "a:"), id("lpop", 1, 4, "a:"), id("lrange", 1, 3, "a:"), id("lrange", 1, 4, "a:"),
		id("spop", 1, 3, "a:"), id("zpopmin", 1, 3, "a:"), id("spop", 1, 3, "b:"),
	}
	slices.Sort(different)
	if n := len(slices.Compact(slices.Clone(different))); n != len(different) {
		t.Errorf("equal IDs among %q", different)
	}
}

func TestSpoils(t *testing.T) {
	at := func(mix string, payload int, prefix string) workload.Workload {
		w := load(t, mix)
		w.Payload, w.Keys.Prefix = payload, prefix
		return w
	}
	keys := at("get", 64, "a:").Fixtures()[0]
	list := at("lrange_100", 64, "a:").Fixtures()[0]
	for _, tt := range []struct {
		name string
		w    workload.Workload
		f    workload.Fixture
		want bool
	}{
		{"SET of the same size", at("set", 64, "a:"), keys, false},
		{"SET of another size", at("set", 65, "a:"), keys, true},
		{"MSET among others", at("ping,mset", 65, "a:"), keys, true},
		{"SET elsewhere", at("set", 65, "b:"), keys, false},
		{"reads only", at("get", 65, "a:"), keys, false},
		{"INCR writes other keys", at("incr", 65, "a:"), keys, false},
		{"LPUSH of another size", at("lpush", 65, "a:"), list, true},
		{"SET and the list", at("set", 65, "a:"), list, false},
		{"an unknown fixture", at("set", 65, "a:"), workload.Fixture{Family: "a:key:"}, false},
	} {
		if got := tt.w.Spoils(tt.f); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestFamilies(t *testing.T) {
	for mix, want := range map[string]string{
		"ping":             "",
		"set":              "fullbore:key:",
		"get":              "fullbore:key:", // its fixture writes
		"mset,get,set":     "fullbore:key:",
		"incr":             "fullbore:counter:",
		"lrange,lpop":      "fullbore:mylist",
		"xadd,hset,spop":   "fullbore:mystream fullbore:myhash fullbore:myset",
		"set,zadd,zpopmin": "fullbore:key: fullbore:myzset",
	} {
		if got := strings.Join(load(t, mix).Families(), " "); got != want {
			t.Errorf("%s: %q, want %q", mix, got, want)
		}
	}
}
