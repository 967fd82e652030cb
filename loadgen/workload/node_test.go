package workload_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

// partitions are ways to deal out all slots, one text per node.
func partitions() map[string][]string {
	many := make([]string, 64)
	for i := range many {
		many[i] = fmt.Sprintf("%d-%d", 256*i, 256*i+255)
	}
	return map[string][]string{
		"one node":    {"0-16383"},
		"three nodes": {"0-5460", "5461-10922", "10923-16383"},
		"uneven":      {"7", "0-6,8-99", "100-16383"},
		"in pieces":   {"0-99,5000-6000,16000-16383", "100-4999,7000-15999", "6001-6999"},
		"empty node":  {"0-8000", "", "8001-16383"},
		"sixty-four":  many,
	}
}

// clustered is a workload of mix for the node that owns slots.
func clustered(t testing.TB, mix, owned string, size int64) workload.Workload {
	t.Helper()
	w := load(t, mix)
	w.Keys.Size, w.Slots = size, slots(t, owned)
	if err := w.Validate(); err != nil {
		t.Fatal(err)
	}
	return w
}

// numberIn is the number at the end of a key, which must carry a tag.
func numberIn(t testing.TB, key string) int64 {
	t.Helper()
	head, number, ok := strings.Cut(key, "}:")
	n, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || len(number) != 12 || !strings.Contains(head, ":{") || len(head)-strings.Index(head, "{") != 4 {
		t.Fatalf("%s: no key with a tag and a number", key)
	}
	return n
}

// The nodes of every partition write the whole key space, no number twice, each key
// where it belongs and under the same name whoever writes it.
func TestNodesTogetherHoldTheKeySpace(t *testing.T) {
	for name, nodes := range partitions() {
		sizes := []int64{2, 3, 10, 63, 64, 65, 100, 1000, 1023, 1024, 1025, 1039, 1040, 1041, 5000}
		switch name {
		case "sixty-four":
			sizes = []int64{10, 1041, 5000}
		case "three nodes":
			sizes = append(sizes, 263_188) // a bit more than one round of all slots
		}
		for _, size := range sizes {
			names := make([]string, size)
			total := int64(0)
			for _, owned := range nodes {
				w := clustered(t, "get", owned, size)
				here := int64(0)
				last := int64(-1)
				for _, f := range w.Fixtures() {
					here += f.Items
					for _, op := range f.Write(0, int(f.Items)) {
						key := text(op.Args[0])
						n := numberIn(t, key)
						if n >= size || n <= last || names[n] != "" || !w.Slots.Has(workload.Slot(key)) {
							t.Fatalf("%s, %d keys: %s is not in order, written twice or in another slot than %s", name, size, key, owned)
						}
						names[n], last = key, n
					}
				}
				if got := w.KeysHere(); got != here {
					t.Fatalf("%s, %d keys, %s: KeysHere %d, written %d", name, size, owned, got, here)
				}
				total += here
			}
			if total != size || slices.Contains(names, "") {
				t.Fatalf("%s: %d of %d keys", name, total, size)
			}
		}
	}
}

func TestNumbersHaveOneNameForEver(t *testing.T) {
	names := func(owned string, size int64) []string {
		var all []string
		f := clustered(t, "get", owned, size).Fixtures()[0]
		for _, op := range f.Write(0, int(f.Items)) {
			all = append(all, text(op.Args[0]))
		}
		return all
	}
	whole := names("0-16383", 3000)
	if got := names("0-16383", 2000); !slices.Equal(got, whole[:2000]) {
		t.Error("the size of the key space changes the keys")
	}
	for _, key := range names("4000-9000", 3000) {
		if !slices.Contains(whole, key) {
			t.Fatalf("%s: a key of one node only", key)
		}
	}
}

// A node's share of the keys is that of its slots, nearly.
func TestKeysAreSpreadEvenly(t *testing.T) {
	for size, most := range map[int64]float64{100: 0.10, 1000: 0.05, 10_000: 0.02, 100_000: 0.005, workload.MaxKeys: 0.001} {
		for _, owned := range []string{"0-5460", "5461-10922", "10923-16383", "100-8291"} {
			w := clustered(t, "get", owned, size)
			share, want := float64(w.KeysHere())/float64(size), float64(w.Slots.Count())/16384
			if share < want-most || share > want+most {
				t.Errorf("%d keys, slots %s: a share of %.3f, want %.3f", size, owned, share, want)
			}
		}
	}
}

// Every key that is drawn lies in the node's slots and the key space, with every
// distribution; a sequence visits each of them once.
func TestDrawnKeysAreHere(t *testing.T) {
	for _, dist := range []string{"uniform", "sequential", "zipf", "zipf:0", "gaussian", "gaussian:100%", "gaussian:5000", "gaussian:3"} {
		d, err := workload.ParseDist(strings.Replace(dist, "100%", "99%", 1))
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int64{2, 100, 5000, 1_000_000} {
			for _, owned := range []string{"0-5460", "123", "9000-9010,12000"} {
				w := clustered(t, "set,get,incr", owned, size)
				w.Keys.Dist = d
				if w.KeysHere() == 0 {
					continue
				}
				s := w.Source()
				gens := []*workload.Generator{s.Generator(0), s.Generator(1)}
				seen := map[int64]bool{}
				draws := min(w.KeysHere(), 2000)
				for i := range draws {
					c := gens[i%2].Next()
					key := text(c.Args[0])
					n := numberIn(t, key)
					if n < 0 || n >= size || !w.Slots.Has(workload.Slot(key)) {
						t.Fatalf("%s of %d in %s: %s", dist, size, owned, key)
					}
					seen[n] = true
				}
				if dist == "sequential" && int64(len(seen)) != draws {
					t.Errorf("%d of %d keys in %d commands", len(seen), w.KeysHere(), draws)
				}
			}
		}
	}
}

// Within a node the distributions keep their shapes.
func TestShapesWithinANode(t *testing.T) {
	const size, draws = 3000, 100_000
	counts := func(dist string) []int {
		w := clustered(t, "get", "5461-10922", size)
		var err error
		if w.Keys.Dist, err = workload.ParseDist(dist); err != nil {
			t.Fatal(err)
		}
		f := w.Fixtures()[0]
		at := map[string]int{}
		for i, op := range f.Write(0, int(f.Items)) {
			at[text(op.Args[0])] = i
		}
		all := make([]int, f.Items)
		g := w.Generator(0)
		for range draws {
			i, ok := at[text(g.Next().Args[0])]
			if !ok {
				t.Fatal("a key that the fixture does not write")
			}
			all[i]++
		}
		return all
	}
	n := len(counts("uniform"))
	if got := chiSquare(counts("uniform")); got > float64(n)+200 {
		t.Errorf("uniform: chi-square %.0f of %d keys", got, n)
	}
	zipf := counts("zipf")
	if r := float64(zipf[0]) / float64(zipf[9]); r < 8.5 || r > 11.5 {
		t.Errorf("zipf: the first key comes %.1f times as often as the tenth, want 10", r)
	}
	for _, dist := range []string{"gaussian", "gaussian:500"} { // 500 keys are a sixth of the whole key space
		inner := 0
		for _, c := range counts(dist)[n/3 : 2*n/3] {
			inner += c
		}
		if share := float64(inner) / draws; share < 0.66 || share > 0.71 {
			t.Errorf("%s: %.3f within one deviation, want 0.68", dist, share)
		}
	}
}

// A node without a key of a small key space says so, and its generator ends.
func TestNoKeyHere(t *testing.T) {
	empty := 0
	for _, owned := range partitions()["sixty-four"] {
		w := clustered(t, "get,lpush,mset", owned, 10)
		key := text(w.Generator(0).Next().Args[0])
		if !w.Slots.Has(workload.Slot(key)) {
			t.Errorf("%s: %s lies elsewhere", owned, key)
		}
		if w.KeysHere() == 0 {
			empty++
		}
	}
	if empty != 54 {
		t.Errorf("%d of 64 nodes without one of 10 keys, want 54", empty)
	}
}

// The ten keys of MSET and MGET differ and lie in one slot.
func TestKeysOfOneCommandShareASlot(t *testing.T) {
	for _, size := range []int64{20_000, 100_000, 10_000_000} {
		for _, mix := range []string{"mset", "mget"} {
			w := clustered(t, mix, "5461-10922", size)
			g := w.Generator(0)
			for range 2000 {
				keys := map[string]bool{}
				first := -1
				for _, arg := range g.Next().Args {
					key := text(arg)
					if !strings.Contains(key, "{") {
						continue
					}
					keys[key] = true
					if first < 0 {
						first = workload.Slot(key)
					}
					if n := numberIn(t, key); workload.Slot(key) != first || !w.Slots.Has(first) || n >= size {
						t.Fatalf("%s among %d: %s, first slot %d", mix, size, key, first)
					}
				}
				if len(keys) < 8 { // the group in which the key space ends may be short
					t.Fatalf("%s among %d: %d different keys", mix, size, len(keys))
				}
			}
		}
	}
}

// The data of a node: names, sizes and what spoils it.
func TestFixturesAndStocksInACluster(t *testing.T) {
	w := clustered(t, "get,lrange_100,spop,xadd", third, 1000)
	home := text(clustered(t, "lpush", third, 0).Generator(0).Next().Args[0])
	tag := strings.TrimPrefix(home, "fullbore:mylist:")
	list, set, stream := home, "fullbore:myset:"+tag, "fullbore:mystream:"+tag
	want := "keys fullbore:key:{tag}: n=328 d=3 slots=5461-10922 | 328 keys of 3 bytes | fullbore:key:{tag}:\n" +
		"list " + list + " n=600 d=3 | a list of 600 elements of 3 bytes | " + list + " | UNLINK " + list + "\n" +
		"empty set " + set + " | an empty " + set + " | " + set + " | UNLINK " + set
	if got := summary(w.Fixtures()); got != want {
		t.Errorf("fixtures:\n got %s\nwant %s", got, want)
	}
	for i, stock := range w.Stocks() {
		if want := []string{set, stream}[i]; stock.Key != want || line(stock.Length) != []string{"SCARD ", "XLEN "}[i]+want {
			t.Errorf("stock %s: %s, want %s", stock.Key, line(stock.Length), want)
		}
	}
	if got := strings.Join(w.Families(), " "); got != "fullbore:key: fullbore:mylist: fullbore:myset: fullbore:mystream:" {
		t.Errorf("families %s", got)
	}
	for i, spoils := range map[int]string{0: "set", 1: "lpush"} {
		other := clustered(t, spoils, third, 1000)
		other.Payload = 4
		if f := w.Fixtures()[i]; !other.Spoils(f) || clustered(t, spoils, third, 1000).Spoils(f) {
			t.Errorf("%s of another size and %s", spoils, f.ID)
		}
	}
}

// Each node has collections of its own, in a slot of its own.
func TestEachNodeHasItsOwnCollections(t *testing.T) {
	for name, nodes := range partitions() {
		seen := map[string]bool{}
		for _, owned := range nodes {
			for _, test := range []string{"lpush", "set"} { // without -r a node has one string key too
				w := clustered(t, test, owned, 1)
				key := text(w.Generator(7).Next().Args[0])
				if owned == "" {
					continue
				}
				if seen[key] || !w.Slots.Has(workload.Slot(key)) || w.KeysHere() != 1 {
					t.Errorf("%s: %s of %s is another node's, or KeysHere is %d", name, key, owned, w.KeysHere())
				}
				seen[key] = true
			}
		}
	}
}

// The quick way to write a key space writes what the fixture does.
func TestFillingInACluster(t *testing.T) {
	for _, size := range []int64{0, 1, 7, 2000} {
		for _, owned := range []string{"0-8191", "8192-16383"} {
			w := clustered(t, "get,mset", owned, size)
			w.Keys.Dist = workload.Dist{Name: "zipf", Shape: 1}
			f := w.Fixtures()[0]
			filling, ok := w.Filling(f)
			if !ok {
				t.Fatalf("%s: no filling", f.ID)
			}
			var sent []string
			g := filling.Generator(0)
			for range f.Items {
				sent = append(sent, "SET "+text(g.Next().Args[0])+" VXK")
			}
			if got, want := strings.Join(sent, "\n"), lines(f.Write(0, int(f.Items))); got != want {
				t.Errorf("%d keys in %s:\n got %.200s\nwant %.200s", size, owned, got, want)
			}
		}
	}
	w := inCluster(t, "GET fullbore:key:__rand_int__", third, 100)
	if _, ok := w.Filling(w.Fixtures()[0]); ok {
		t.Error("keys without a tag are filled in with one")
	}
}

// What custom reads find was written before, on the node where it belongs.
func TestCustomFixturesInACluster(t *testing.T) {
	for line, total := range map[string]int{
		"GET fullbore:a:__rand_int__": 500, "GET fullbore:{tag}:__rand_1st__:x": 500, "GET fullbore:__rand_int__{tag}": 500,
		"GET fullbore:key:{tag}:__rand_int__": 500, "MGET fullbore:{x}a fullbore:{x}b": 2, "GET fullbore:{tag}": 3,
		"SET fullbore:{tag}:__rand_int__ 1 ; GET fullbore:{tag}:__rand_int__": 0,
	} {
		written := map[string]bool{}
		for _, owned := range partitions()["three nodes"] {
			w := inCluster(t, line, owned, 500)
			mine := map[string]bool{}
			for _, f := range w.Fixtures() {
				for _, op := range f.Write(0, int(f.Items)) {
					key := text(op.Args[0])
					if written[key] || !w.Slots.Has(workload.Slot(key)) {
						t.Fatalf("%s: %s is written twice or lies elsewhere", line, key)
					}
					written[key], mine[key] = true, true
				}
			}
			g := w.Generator(0)
			for i := 0; i < 100 && total > 0 && w.KeysHere() > 0; i++ {
				if key := text(g.Next().Args[0]); !mine[key] {
					t.Fatalf("%s: %s is read and was not written", line, key)
				}
			}
		}
		if len(written) != total {
			t.Errorf("%s: %d keys written, want %d", line, len(written), total)
		}
	}
	for line, want := range map[string]string{
		"GET fullbore:a:{tag}:__rand_int__": "fullbore:a:", "GET fullbore:a{tag}": "fullbore:", "GET fullbore:a": "fullbore:a",
	} {
		if got := strings.Join(inCluster(t, line, third, 10).Families(), " "); got != want {
			t.Errorf("%s: families %q, want %q", line, got, want)
		}
	}
	w := sequence(t, "GET fullbore:a{tag}")
	if got := strings.Join(w.Families(), " "); got != "fullbore:a{tag}" {
		t.Errorf("without a cluster: families %q", got)
	}
	w.Slots = slots(t, third)
	if out := w.Mix.Outside("fullbore:"); len(out) != 0 {
		t.Errorf("outside: %v", out)
	}
}

func BenchmarkNextInACluster(b *testing.B) {
	for _, mix := range []string{"set", "get", "mset", "lpush", "set=1,get=10", "zipf get", "sequential set"} {
		for _, owned := range []string{"", third} {
			name := "no cluster"
			if owned != "" {
				name = "a third"
			}
			b.Run(mix+"/"+name, func(b *testing.B) {
				dist, test, ok := strings.Cut(mix, " ")
				if !ok {
					dist, test = "uniform", mix
				}
				w := load(b, test)
				w.Keys.Size = 1_000_000
				if owned != "" {
					w.Slots = slots(b, owned)
				}
				var err error
				if w.Keys.Dist, err = workload.ParseDist(dist); err != nil {
					b.Fatal(err)
				}
				next(b, w)
			})
		}
	}
	b.Run("custom/by trying", func(b *testing.B) { next(b, inCluster(b, "GET fullbore:key:__rand_int__", third, 1_000_000)) })
	b.Run("custom/with a tag", func(b *testing.B) { next(b, inCluster(b, "GET fullbore:{tag}:__rand_int__", third, 1_000_000)) })
}

func next(b *testing.B, w workload.Workload) {
	g := w.Generator(0)
	b.ReportAllocs()
	for b.Loop() {
		g.Next()
	}
}

func BenchmarkSlot(b *testing.B) {
	key := []byte("fullbore:key:000000012345")
	for b.Loop() {
		workload.Slot(key)
	}
}
