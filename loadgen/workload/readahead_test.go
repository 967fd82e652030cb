package workload_test

import (
	"slices"
	"strings"
	"testing"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/workload"
)

func TestFixturesOfCustomCommands(t *testing.T) {
	const keys = "keys fullbore:key: n=1000 d=64 | 1000 keys of 64 bytes | fullbore:key:"
	for _, tt := range []struct{ line, want string }{
		{"GET fullbore:key:__rand_int__", keys},
		{"MGET fullbore:key:__rand_int__ fullbore:key:__rand_1st__", keys},
		{"GET key:__rand_int__", ""}, // not ours
		{"PING ; SET fullbore:key:__rand_int__ __data__", ""},
		{"SET fullbore:key:__rand_1st__ x ; GET fullbore:key:__rand_1st__", ""}, // the line writes it itself
		{"INCR fullbore:n ; GET fullbore:n", ""},
		{"GET fullbore:a:__rand_int__:b", "keys fullbore:a:000000000000:b n=1000 d=64 | 1000 keys of 64 bytes | fullbore:a:000000000000:b"},
		{"GET fullbore:__rand_int__:__rand_int__", ""}, // a million keys
		{"GET fullbore:__data__", ""},
		{"HGETALL fullbore:h ; LRANGE fullbore:l 0 9", ""},
	} {
		w := sequence(t, tt.line)
		w.Keys.Size, w.Payload = 1000, 64
		if got := summary(w.Fixtures()); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.line, got, tt.want)
		}
		if w.Keys.Prefix = ""; len(w.Fixtures()) != 0 {
			t.Errorf("%s: without a prefix all keys may be the user's: %s", tt.line, summary(w.Fixtures()))
		}
	}
}

func TestFixtureOfFixedKeys(t *testing.T) {
	w := sequence(t, "STRLEN fullbore:c ; MGET fullbore:b x fullbore:a fullbore:b")
	f := w.Fixtures()
	if len(f) != 1 || f[0].What != "3 keys of 3 bytes" || lines(f[0].Write(0, 10)) != "SET fullbore:a VXK\nSET fullbore:b VXK\nSET fullbore:c VXK" {
		t.Fatalf("%s\n%s", summary(f), lines(f[0].Write(0, 10)))
	}
	other := sequence(t, "MGET fullbore:b fullbore:a").Fixtures()[0]
	if other.ID == f[0].ID || other.Family == f[0].Family {
		t.Errorf("other keys, the same fixture: %s", other.ID)
	}
	one := sequence(t, "GET fullbore:__rand_int__x")
	if got := lines(one.Fixtures()[0].Write(0, 10)); got != "SET fullbore:000000000000x VXK" {
		t.Errorf("one key: %s", got)
	}
}

func TestCustomCommandsSpoil(t *testing.T) {
	keys := load(t, "get").Fixtures()[0]
	fixed := sequence(t, "MGET fullbore:a fullbore:b").Fixtures()[0]
	sides := sequence(t, "GET fullbore:u:__rand_int__:x")
	sides.Keys.Size = 10
	around := sides.Fixtures()[0]
	for _, tt := range []struct {
		line string
		f    workload.Fixture
		want bool
	}{
		{"DEL fullbore:key:__rand_int__", keys, true},
		{"DEL fullbore:key:000000000001", keys, true},
		{"DEL fullbore:__rand_int__", keys, true}, // it may be one of them
		{"DEL fullbore:other", keys, false},
		{"DEL key:__rand_int__", keys, false},
		{"GET fullbore:key:__rand_int__", keys, false},
		{"FLUSHALL", keys, true},
		{"EVAL x 0", keys, true},
		{"SET fullbore:b 1", fixed, true},
		{"SET fullbore:c 1", fixed, false},
		{"SET fullbore:u:__rand_int__:x 1", around, true},
		{"SET fullbore:v:__rand_int__:x 1", around, false},
	} {
		if got := sequence(t, tt.line).Spoils(tt.f); got != tt.want {
			t.Errorf("%s and %s: %v", tt.line, tt.f.ID, got)
		}
	}
}

func TestOtherValuesSpoil(t *testing.T) {
	base := load(t, "get,set").Sized(sized(t, "10-20"))
	f := base.Fixtures()[0]
	if base.Spoils(f) {
		t.Error("a workload spoils its own fixture")
	}
	for name, change := range map[string]func(*workload.Workload){
		"sizes":  func(w *workload.Workload) { *w = w.Sized(sized(t, "10-21")) },
		"random": func(w *workload.Workload) { w.RandomData = true },
		"expiry": func(w *workload.Workload) { w.Expire = workload.Expire{Low: 5, High: 5} },
	} {
		w := base
		if change(&w); !w.Spoils(f) {
			t.Errorf("%s: not spoilt", name)
		}
		if name != "expiry" && w.Fixtures()[0].ID == f.ID {
			t.Errorf("%s: the same ID", name)
		}
	}
}

func TestFamiliesOfCustomCommands(t *testing.T) {
	for line, want := range map[string]string{
		"SET fullbore:a 1 ; GET fullbore:b":           "fullbore:a fullbore:b",
		"SET fullbore:a:b__rand_int__ 1":              "fullbore:a:",
		"SET fullbore:__rand_int__ 1":                 "fullbore:",
		"SET a:__rand_int__ 1 ; PING":                 "",
		"MGET fullbore:x:__rand_1st__ fullbore:x:y:1": "fullbore:x: fullbore:x:y:1",
	} {
		if got := strings.Join(sequence(t, line).Families(), " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// A real server takes a sequence of every feature, and reads hit.
func TestCustomCommandsOnARealServer(t *testing.T) {
	c := connect(t, redistest.Start(t).Addr)
	w := sequence(t, `MGET fullbore:key:__rand_int__ fullbore:fixed ; MULTI ; SET fullbore:m:__rand_1st__ __data__ ; 2 GET fullbore:m:__rand_1st__ ; EXEC ; SET fullbore:bin "\x00\r\n" ; STRLEN fullbore:bin`)
	w = w.Sized(sized(t, "5-40"))
	w.Keys.Size, w.RandomData = 100, true
	c.prepare(w)
	g := w.Generator(0)
	for range 200 {
		hit := c.ask(render(g.Next()))
		if slices.Contains(hit, "(nil)") {
			t.Fatalf("a miss: %q", hit)
		}
		for range 4 {
			c.ask(render(g.Next()))
		}
		if done := c.ask(render(g.Next())); len(done) != 3 || done[1] != done[2] || done[1] == "(nil)" {
			t.Fatalf("EXEC: %q", done)
		}
		c.ask(render(g.Next()))
		if n := c.ask(render(g.Next())); n[0] != "3" {
			t.Fatalf("three bytes became %s", n[0])
		}
	}
}

// The test SET writes keys that expire, of the lengths that were asked for.
func TestExpiringValuesOnARealServer(t *testing.T) {
	c := connect(t, redistest.Start(t).Addr)
	w := load(t, "set").Sized(sized(t, "5-40"))
	w.Expire = expiring(t, "50-200")
	g := w.Generator(0)
	for range 100 {
		c.ask(render(g.Next()))
		length := c.number(workload.Op{Name: "STRLEN", Args: []any{"fullbore:key:000000000000"}})
		left := c.number(workload.Op{Name: "TTL", Args: []any{"fullbore:key:000000000000"}})
		if length < 5 || length > 40 || left < 40 || left > 200 {
			t.Fatalf("%d bytes for %d seconds", length, left)
		}
	}
}
