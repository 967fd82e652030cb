package workload_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

// shapes is a workload for every feature that decides what is sent.
func shapes(t testing.TB) map[string]workload.Workload {
	t.Helper()
	all := map[string]workload.Workload{}
	add := func(name string, w workload.Workload, change func(*workload.Workload)) {
		w.Keys.Size, w.Seed = 100_000, 42
		change(&w)
		if err := w.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = w
	}
	mix := load(t, "set=2,mget=1,zadd=3,hset,ping,lpush")
	line := sequence(t, "SET a:__rand_1st__ <__data__> ; 3 GET a:__rand_1st__ ; ZADD z __rand_int__ __data__")
	for _, info := range workload.Dists() {
		d, err := workload.ParseDist(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		for name, w := range map[string]workload.Workload{"mix": mix, "line": line} {
			add(info.Name+" "+name, w, func(w *workload.Workload) { w.Keys.Dist = d })
		}
	}
	for _, sizes := range []string{"10-4k", "64:80,1k:15,20k:5"} {
		for name, w := range map[string]workload.Workload{"mix": mix, "line": line} {
			add(sizes+" "+name, w, func(w *workload.Workload) { *w = w.Sized(sized(t, sizes)) })
			add(sizes+" random "+name, w, func(w *workload.Workload) { *w = w.Sized(sized(t, sizes)); w.RandomData = true })
		}
	}
	for name, w := range map[string]workload.Workload{"mix": mix, "line": line} {
		add("slots "+name, w, func(w *workload.Workload) { w.Slots = slots(t, "0-9000") })
	}
	add("random", mix, func(w *workload.Workload) { w.RandomData = true })
	add("expire", mix, func(w *workload.Workload) { w.Expire = workload.Expire{Low: 10, High: 1000} })
	return all
}

// record is what each of the clients sends in its first n commands, all clients
// taking turns.
func record(w workload.Workload, clients, n int) []string {
	s := w.Source()
	var all []*workload.Generator
	for i := range clients {
		all = append(all, s.Generator(i))
	}
	sums := make([]string, clients)
	for range n {
		for i, g := range all {
			sums[i] += render(g.Next())
		}
	}
	for i := range sums {
		sums[i] = fmt.Sprintf("%x", sha256.Sum256([]byte(sums[i])))
	}
	return sums
}

// The same seed gives each client the same bytes, however many others there are
// and whichever runs first. Only sequential keys are dealt out between clients.
func TestSameSeedSameBytesForEveryClientCount(t *testing.T) {
	for name, w := range shapes(t) {
		const n = 100
		whole := record(w, 7, n)
		if !slices.Equal(record(w, 7, n), whole) {
			t.Errorf("%s: 7 clients send other bytes the second time", name)
		}
		if !strings.HasPrefix(name, "sequential") {
			for _, clients := range []int{1, 2, 5} {
				if got := record(w, clients, n); !slices.Equal(got, whole[:clients]) {
					t.Errorf("%s: of %d clients not all send what they send among 7", name, clients)
				}
			}
			if slices.Contains(whole[1:], whole[0]) {
				t.Errorf("%s: two clients send the same bytes", name)
			}
		}
		other := w
		other.Seed++
		if name != "sequential line" && record(other, 1, n)[0] == whole[0] {
			t.Errorf("%s: another seed, the same bytes", name)
		}
	}
}

// With sequential keys it is the sum of all clients that stays the same.
func TestSequentialClientsTogetherSendTheSame(t *testing.T) {
	gather := func(clients int) string {
		w := drawn(t, "sequential", 1000)
		s := w.Source()
		var all []*workload.Generator
		for i := range clients {
			all = append(all, s.Generator(i))
		}
		var sent []string
		for i := range 600 {
			sent = append(sent, render(all[i%clients].Next()))
		}
		slices.Sort(sent)
		return strings.Join(sent, "")
	}
	for _, clients := range []int{2, 3, 50} {
		if gather(clients) != gather(1) {
			t.Errorf("%d clients send other keys than one", clients)
		}
	}
}

func TestFixturesOfOneSeedAreTheSame(t *testing.T) {
	for _, random := range []bool{false, true} {
		w := load(t, "get,lrange_100").Sized(sized(t, "10-100"))
		w.Keys.Size, w.RandomData = 50, random
		text := func(w workload.Workload, step int64) string {
			var b strings.Builder
			for _, f := range w.Fixtures() {
				for from := int64(0); from < f.Items; from += step {
					b.WriteString(lines(f.Write(from, int(step))))
					b.WriteString("\n")
				}
			}
			return b.String()
		}
		if text(w, 7) != text(w, 50) {
			t.Errorf("random %v: the split changes the values", random)
		}
	}
}

func TestSame(t *testing.T) {
	base := load(t, "set=1,get=2")
	for name, change := range map[string]func(*workload.Workload){
		"payload":  func(w *workload.Workload) { w.Payload++ },
		"sizes":    func(w *workload.Workload) { *w = w.Sized(sized(t, "1-3")) },
		"random":   func(w *workload.Workload) { w.RandomData = true },
		"expiry":   func(w *workload.Workload) { w.Expire = workload.Expire{Low: 1, High: 1} },
		"seed":     func(w *workload.Workload) { w.Seed++ },
		"keys":     func(w *workload.Workload) { w.Keys.Size = 5 },
		"dist":     func(w *workload.Workload) { w.Keys.Dist = workload.Dist{Name: "zipf", Shape: 1} },
		"prefix":   func(w *workload.Workload) { w.Keys.Prefix = "x" },
		"a weight": func(w *workload.Workload) { w.Mix = load(t, "set=1,get=3").Mix },
		"a row":    func(w *workload.Workload) { w.Mix = load(t, "set=1,mget=2").Mix },
		"slots":    func(w *workload.Workload) { w.Slots = slots(t, "0-16383") },
		"fewer":    func(w *workload.Workload) { w.Mix = w.Mix[:1] },
	} {
		w := base
		change(&w)
		if w.Same(base) || base.Same(w) || !w.Same(w) {
			t.Errorf("%s makes no difference", name)
		}
	}
	if w := base.Sized(workload.FixedSize(3)); !w.Same(base) || !load(t, "set=1,get=2").Same(base) {
		t.Error("equal workloads differ")
	}
	near, far := clustered(t, "set", "0-99", 0), clustered(t, "set", "0-99,200", 0)
	if near.Same(far) || !near.Same(clustered(t, "set", "50-99,0-60", 0)) {
		t.Error("slots are not compared by what they contain")
	}
	one, two := sequence(t, "SET a 1"), sequence(t, "SET a 1")
	two.Mix[0].Test.Args = []string{"SET", "a", "2"} // as an argument from stdin does: the title stays
	if one.Same(two) || !one.Same(sequence(t, "SET a 1")) {
		t.Error("custom commands are told apart by their titles alone")
	}
}

func TestRequestBytes(t *testing.T) {
	for _, line := range []string{"PING", "SET a:__rand_int__ __data__", "SET a 1 ; 4 GET a ; MGET a b c"} {
		w := sequence(t, line)
		w.Keys.Size = 1000
		g := w.Generator(0)
		want := 0
		for range w.Mix.Unit() {
			want += len(render(g.Next()))
		}
		if got := w.RequestBytes(); got != want {
			t.Errorf("%s: %d bytes, want %d", line, got, want)
		}
	}
	for _, mix := range []string{"set", "ping_inline", "mset", "get"} {
		w := load(t, mix)
		w.Expire = workload.Expire{Low: 10, High: 99}
		if got, want := w.RequestBytes(), len(render(w.Generator(0).Next())); got != want {
			t.Errorf("%s: %d bytes, want %d", mix, got, want)
		}
	}
	if got, want := load(t, "ping_inline=3,ping_mbulk=1").RequestBytes(), (3*6+14)/4; got != want {
		t.Errorf("a mix: %d bytes on average, want %d", got, want)
	}
	if got := (workload.Workload{}).RequestBytes(); got != 0 {
		t.Errorf("nothing: %d bytes", got)
	}
}
