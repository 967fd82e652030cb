package embedded

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The ring against a plain slice.
func TestDequeAgainstSlice(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var d deque[int]
	var want []int
	for i := range 20000 {
		switch op := random.IntN(9); {
		case op < 3:
			d.pushBack(i)
			want = append(want, i)
		case op < 5:
			d.pushFront(i)
			want = slices.Insert(want, 0, i)
		case op < 6 && len(want) > 0:
			if got := d.popFront(); got != want[0] {
				t.Fatalf("step %d: popFront = %d, want %d", i, got, want[0])
			}
			want = want[1:]
		case op < 7 && len(want) > 0:
			if got := d.popBack(); got != want[len(want)-1] {
				t.Fatalf("step %d: popBack = %d, want %d", i, got, want[len(want)-1])
			}
			want = want[:len(want)-1]
		case random.IntN(500) == 0:
			k := random.IntN(len(want) + 1)
			d.drop(k)
			want = want[k:]
		case random.IntN(500) == 0:
			k := random.IntN(len(want) + 1)
			d.cut(k)
			want = want[:k]
		}
		if d.n != len(want) {
			t.Fatalf("step %d: %d items, want %d", i, d.n, len(want))
		}
		for j := range want {
			if i%100 == 0 && *d.at(j) != want[j] {
				t.Fatalf("step %d: item %d = %d, want %d", i, j, *d.at(j), want[j])
			}
		}
	}
	d.cut(0)
	if len(d.ring) > 64 {
		t.Errorf("an empty deque keeps room for %d items", len(d.ring))
	}
}

func TestZsetOrder(t *testing.T) {
	z := newZset()
	random := rand.New(rand.NewPCG(3, 4))
	scores := make(map[string]float64)
	for range 2000 {
		member, score := string(rune('a'+random.IntN(26))), float64(random.IntN(5))
		_, known := scores[member]
		if z.add([]byte(member), score) == known {
			t.Fatalf("add %s: new = %v", member, known)
		}
		scores[member] = score
	}
	last := ranked{score: -1}
	for z.order.Len() > 0 {
		r := z.order.PopMin().(*ranked)
		if r.score < last.score || r.score == last.score && r.member <= last.member {
			t.Errorf("%v after %v", *r, last)
		}
		if scores[r.member] != r.score {
			t.Errorf("%s has score %v, want %v", r.member, r.score, scores[r.member])
		}
		last = *r
		delete(scores, r.member)
	}
	if len(scores) != 0 {
		t.Errorf("members missing: %v", scores)
	}
}

func TestParseInt(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "1": true, "-1": true, "9223372036854775807": true, "-9223372036854775808": true,
		"": false, "-": false, "+1": false, "01": false, "-0": false, " 1": false, "1 ": false, "1.0": false, "1_0": false,
		"9223372036854775808": false, "x": false, "-+1": false,
	} {
		if _, ok := parseInt([]byte(text)); ok != want {
			t.Errorf("parseInt(%q) = %v, want %v", text, ok, want)
		}
	}
}

// No pattern panics or hangs, and a text matches itself with every byte escaped.
func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{{"*", "a"}, {"[a-", "b"}, {"a\\", "a\\"}, {"*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaa"}, {"[^]", "x"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		glob(pattern, text)
		var escaped []byte
		for i := range len(text) {
			escaped = append(escaped, '\\', text[i])
		}
		if !glob(string(escaped), text) {
			t.Errorf("%q does not match itself", text)
		}
	})
}

func BenchmarkPushPop(b *testing.B) {
	l := newList()
	item := []byte("VXK")
	for b.Loop() {
		l.pushFront(item)
		l.popBack()
	}
}
