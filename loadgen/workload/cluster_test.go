package workload_test

import (
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/workload"
)

const third = "5461-10922"

// startNode is a cluster of one server that owns a third of the slots and refuses
// every key in another.
func startNode(t *testing.T) wire {
	t.Helper()
	bus, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := bus.Addr().(*net.TCPAddr).Port
	bus.Close()
	server := redistest.Start(t, "--cluster-enabled", "yes", "--cluster-require-full-coverage", "no", "--cluster-port", strconv.Itoa(port))
	w := connect(t, server.Addr)
	w.do(workload.Op{Name: "CLUSTER", Args: []any{"ADDSLOTSRANGE", "5461", "10922"}})
	for deadline := time.Now().Add(20 * time.Second); ; { // a new cluster takes two seconds
		if _, err := server.Try("SET", "foo{}{bar}", "1"); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("the cluster does not come up: %v", err)
		}
		<-time.After(20 * time.Millisecond)
	}
	return w
}

// Every row, a mix, and custom commands run on a real node of a cluster: no key in
// another's slot, no command or transaction whose keys lie in several, no miss.
func TestEveryRowOnARealNode(t *testing.T) {
	t.Parallel() // most of it is waiting for the cluster to come up
	w := startNode(t)
	everyRow(t, w)
	customRows(t, w)
	unitedBatches(t, w)
}

func everyRow(t *testing.T, w wire) {
	for _, key := range []string{"foo", "{user1000}.following", "foo{}{bar}", "foo{{bar}}zap", "foo{bar}{zap}", "}{a", "", "{}"} {
		if got := w.number(workload.Op{Name: "CLUSTER", Args: []any{"KEYSLOT", key}}); got != int64(workload.Slot(key)) {
			t.Errorf("%s: slot %d, the server says %d", key, workload.Slot(key), got)
		}
	}
	for _, test := range workload.Catalog() {
		for _, size := range []int64{1, 200, 20_000} {
			w.do(workload.Op{Name: "FLUSHALL"})
			l := clustered(t, test.Name(), third, size)
			l.Payload = 100
			w.prepare(l)
			g := l.Generator(0)
			for range 300 {
				raw := render(g.Next())
				checkReply(t, test, raw, w.ask(raw))
			}
			checkKeys(t, w, l)
		}
	}
}

func customRows(t *testing.T, w wire) {
	for _, line := range []string{
		"GET fullbore:x:__rand_int__", "GET fullbore:{tag}:__rand_int__", "GET fullbore:__rand_1st__:{tag}",
		"SET fullbore:__rand_1st__ __data__ ; GET fullbore:__rand_1st__", "MGET {__rand_1st__}:a {__rand_1st__}:b",
		"MULTI ; SET {tag}:__rand_int__ __data__ ; LPUSH l:{tag} __rand_int__ ; 3 GET {tag}:__rand_int__ ; EXEC",
		"EVAL return(1) 2 {tag}a {tag}b __rand_int__", "MSET a:{tag}:__rand_int__ 1 b:{tag}:__rand_int__ 2",
	} {
		w.do(workload.Op{Name: "FLUSHALL"})
		l := inCluster(t, line, third, 1000)
		w.prepare(l)
		g := l.Generator(0)
		for range 50 * l.Mix.Unit() {
			c := g.Next()
			if raw := render(c); strings.Contains(strings.Join(w.ask(raw), " "), "(nil)") && c.Reads && c.Name == "GET" {
				t.Fatalf("%s: %q misses", line, raw)
			}
		}
	}
}

// A united batch of any mix passes as one transaction.
func unitedBatches(t *testing.T, w wire) {
	w.do(workload.Op{Name: "FLUSHALL"})
	for _, mix := range []string{"set,get", "mset,mget,ping_mbulk", "set,lpush,hset,incr", "lpush"} {
		for _, size := range []int64{1, 200, 1_000_000} {
			l := clustered(t, mix, third, size)
			if err := l.CheckSlots(workload.Multi); err != nil {
				t.Fatal(err)
			}
			g := l.Generator(0)
			slots := map[int]bool{}
			for range 50 {
				g.Unite(20)
				w.ask("*1\r\n$5\r\nMULTI\r\n")
				for range 20 {
					c := g.Next()
					if c.Keys > 0 {
						slots[workload.Slot(text(c.Args[0]))] = true
					}
					w.ask(render(c))
				}
				w.ask("*1\r\n$4\r\nEXEC\r\n")
			}
			before := len(slots)
			for range 50 { // on their own again
				if c := g.Next(); c.Keys > 0 {
					slots[workload.Slot(text(c.Args[0]))] = true
				}
			}
			if mix == "set,get" && size == 1_000_000 && len(slots) < before+40 {
				t.Errorf("%s: commands after a batch stay in its slot", mix)
			}
			if mix == "set,get" && size == 1_000_000 && before < 40 {
				t.Errorf("%s: 50 batches in %d slots only", mix, len(slots))
			}
		}
	}
}

// inCluster is the workload of a custom command line on the node that owns slots.
func inCluster(t testing.TB, line, owned string, size int64) workload.Workload {
	t.Helper()
	w := sequence(t, line)
	w.Keys.Size, w.Slots = size, slots(t, owned)
	if err := w.Validate(); err != nil {
		t.Fatal(err)
	}
	return w
}

// The tag of a slot is the first in alphabetical order; with one node of all slots
// number 0 is in slot 0.
func TestWireBytesInACluster(t *testing.T) {
	const zero, one = "fullbore:key:{fHh}:000000000000", "fullbore:key:{fHh}:000000000064"
	for name, want := range map[string]string{
		"ping_inline": "PING\r\n",
		"set":         "*3\r\n$3\r\nSET\r\n$31\r\n" + zero + "\r\n$3\r\nVXK\r\n",
		"get":         "*2\r\n$3\r\nGET\r\n$31\r\n" + zero + "\r\n",
		"incr":        "*2\r\n$4\r\nINCR\r\n$35\r\nfullbore:counter:{fHh}:000000000000\r\n",
		"lpush":       "*3\r\n$5\r\nLPUSH\r\n$21\r\nfullbore:mylist:{fHh}\r\n$3\r\nVXK\r\n",
		"sadd":        "*3\r\n$4\r\nSADD\r\n$20\r\nfullbore:myset:{fHh}\r\n$20\r\nelement:000000000000\r\n",
		"lrange_100":  "*4\r\n$6\r\nLRANGE\r\n$21\r\nfullbore:mylist:{fHh}\r\n$1\r\n0\r\n$2\r\n99\r\n",
		"mget":        "*11\r\n$4\r\nMGET\r\n" + strings.Repeat("$31\r\n"+zero+"\r\n", 10),
	} {
		w := clustered(t, name, "0-16383", 0)
		if got := render(w.Generator(0).Next()); got != want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, want)
		}
		if w.RequestBytes() != len(want) {
			t.Errorf("%s: %d bytes, want %d", name, w.RequestBytes(), len(want))
		}
	}
	w := clustered(t, "mget", "0-16383", 70)
	w.Keys.Dist = workload.Dist{Name: "sequential"}
	want := "*11\r\n$4\r\nMGET\r\n" + strings.Repeat("$31\r\n"+zero+"\r\n$31\r\n"+one+"\r\n", 5)
	if got := render(w.Generator(0).Next()); got != want {
		t.Errorf("two keys of a group:\n got %q\nwant %q", got, want)
	}
}

// What engines rely on for prepared commands: equal forms have equal lengths, and
// differ in the arguments of Varies only. Nothing is allocated.
func TestFormsInACluster(t *testing.T) {
	lines := []string{"SET a:{tag}:__rand_1st__ __data__ ; GET a:{tag}:__rand_1st__", "SET a:__rand_int__ x{tag}__data__", "SET a:__rand_1st__ 1 ; GET b:__rand_1st__"}
	var all []workload.Workload
	for _, line := range lines {
		all = append(all, inCluster(t, line, third, 5000))
	}
	for _, test := range workload.Catalog() {
		all = append(all, clustered(t, test.Name(), third, 1_000_000))
	}
	random := inCluster(t, "SET a:{tag}:__rand_int__ <{tag}__rand_int__:__data__>", third, 5000)
	random.RandomData = true
	all = append(all, random, clustered(t, "set,get,mset,lpush,zadd", third, 1_000_000))
	for _, w := range all {
		s := w.Source()
		g := s.Generator(0)
		forms := map[int][]any{}
		for range 500 {
			c := g.Next()
			if got := render(c); len(got) != c.Request || strings.Contains(got, workload.TagMark) {
				t.Fatalf("%s: Request %d of %q", w.Mix, c.Request, got)
			}
			first, ok := forms[c.Form]
			if !ok {
				first = make([]any, len(c.Args))
				for i, arg := range c.Args {
					first[i] = text(arg)
				}
				forms[c.Form] = first
			}
			varies := map[int]bool{}
			for _, i := range c.Varies {
				varies[i] = true
			}
			for i, arg := range c.Args {
				if len(text(arg)) != len(text(first[i])) || !varies[i] && text(arg) != first[i] {
					t.Fatalf("%s: argument %d became %q after %q", w.Mix, i, text(arg), first[i])
				}
			}
		}
		if len(forms) > s.Forms() {
			t.Errorf("%s: %d forms, %d announced", w.Mix, len(forms), s.Forms())
		}
		if n := testing.AllocsPerRun(200, func() { g.Next() }); n != 0 {
			t.Errorf("%s: %v allocations per command", w.Mix, n)
		}
	}
}

// Keys without a tag are drawn until their slots are right.
func TestCustomKeysAreHere(t *testing.T) {
	for line, keys := range map[string][]int{
		"GET a:__rand_int__": {0}, "GET x{__rand_int__}y": {0}, "SET a:__rand_1st__ __rand_1st__": {0},
		"SET a:{tag}:__rand_int__ {tag}": {0}, "MSET {__rand_2nd__}a 1 {__rand_2nd__}b __rand_int__": {0, 2},
		"MGET a{tag} b:{tag}:__rand_int__ c:__rand_int__:{tag}": {0, 1, 2}, "BITOP AND {tag}a {tag}b": {1, 2},
	} {
		for _, owned := range []string{third, "16000-16383", "100"} {
			if owned == "100" && !strings.Contains(line, "tag") {
				continue
			}
			w := inCluster(t, line, owned, 2_000_000)
			g := w.Generator(0)
			seen := map[string]bool{}
			for range 500 {
				c := g.Next()
				for _, i := range keys {
					if slot := workload.Slot(text(c.Args[i])); !w.Slots.Has(slot) {
						t.Fatalf("%s in %s: %q lies in slot %d", line, owned, text(c.Args[i]), slot)
					}
				}
				seen[render(c)] = true
			}
			if len(seen) < 25 && strings.Contains(line, "rand") {
				t.Errorf("%s in %s: %d different commands of 500", line, owned, len(seen))
			}
		}
	}
}

func TestKeysHere(t *testing.T) {
	for _, tt := range []struct {
		line, owned string
		size, want  int64
	}{
		{"PING", third, 100, 1}, {"PING", "", 100, 0},
		{"GET foo", "12182", 100, 1}, {"GET foo", "12181", 100, 0},
		{"SET bar 1 ; GET foo", "12182", 100, 0}, {"SET bar 1 ; GET foo", "5061,12182", 100, 1},
		{"GET {tag}", third, 100, 1}, {"LPUSH x:{tag} 1", "77", 100, 1},
		{"GET {tag}:__rand_int__", "0-16383", 100, 100}, {"GET {tag}:__rand_int__", "1", 100, 0},
		{"GET a:__rand_int__", "0-16383", 100, 100}, {"GET a:__rand_int__", "1", 2, 0},
		{"GET tag", strconv.Itoa(workload.Slot("tag")), 0, 1}, {"GET tag", "0", 0, 0},
		{"SET a:__rand_1st__ 1 ; GET b:__rand_1st__", "0-16383", 1_000_000, 1_000_000},
	} {
		if got := inCluster(t, tt.line, tt.owned, tt.size).KeysHere(); got != tt.want {
			t.Errorf("%s in %s: %d of %d keys, want %d", tt.line, tt.owned, got, tt.size, tt.want)
		}
	}
	near := inCluster(t, "GET a:__rand_int__", third, 9_000_000).KeysHere()
	if near < 2_700_000 || near > 3_300_000 {
		t.Errorf("about a third of nine million: %d", near)
	}
	if got := load(t, "lpush").KeysHere(); got != 1 {
		t.Errorf("without a cluster: %d", got)
	}
}

func TestCheckSlots(t *testing.T) {
	for line, want := range map[string]string{
		"SET a 1 ; GET b":                          "",
		"MSET a 1 b 2":                             "different slots",
		"MSET {a}1 1 {a}2 2":                       "",
		"MSET {user1000}.x 1 user1000 2":           "",
		"MSET a:__rand_int__ 1 a:__rand_int__ 2":   "different slots",
		"MSET a:__rand_1st__ 1 b:__rand_1st__ 2":   "different slots",
		"MSET {__rand_1st__}a 1 {__rand_1st__}b 2": "",
		"MSET a:{tag}:__rand_int__ 1 {tag} 2":      "",
		"MSET a:{tag} 1 tag 2":                     "different slots",
		"MSET {x}{tag} 1 {x} 2":                    "",
		"MULTI ; SET a 1 ; GET b ; EXEC":           "different slots",
		"MULTI ; SET a 1 ; EXEC ; GET b":           "",
		"MULTI ; 2 GET a:__rand_int__ ; EXEC":      "different slots",
		"MULTI ; GET a:__rand_int__ ; EXEC":        "",
		"MULTI ; SET {tag}a 1 ; GET {tag}b ; EXEC": "",
		"SET a:__data__ 1":                         "a value decides",
		"SET {tag}__data__ 1":                      "",
		"GET {a{tag}":                              "a { stands before",
		"GET {}{tag}":                              "a { stands before",
		"GET {a}{tag}":                             "",
		"GET {tag}{tag":                            "",
		"PING ; INFO":                              "",
	} {
		w := sequence(t, line)
		w.Keys.Size = 1000
		err := w.CheckSlots(workload.Pipelined)
		if (err == nil) != (want == "") {
			t.Errorf("%s: %v", line, err)
		} else if err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "{tag}") || !strings.HasPrefix(err.Error(), "command ")) {
			t.Errorf("%s: %v", line, err)
		}
		w.Slots = slots(t, third)
		if invalid := w.Validate(); (invalid == nil) != (err == nil) {
			t.Errorf("%s: Validate says %v, CheckSlots %v", line, invalid, err)
		}
	}
	for line, ok := range map[string]bool{"GET a:__rand_int__": false, "GET {tag}:__rand_int__": true, "SET a 1 ; GET b": false, "SET a 1 ; GET a": true} {
		w := sequence(t, line)
		w.Keys.Size = 1000
		if err := w.CheckSlots(workload.Multi); (err == nil) != ok {
			t.Errorf("%s in one transaction: %v", line, err)
		}
	}
	w := load(t, "set")
	w.Keys.Prefix = "{app}:"
	if err := w.CheckSlots(workload.Pipelined); err == nil || !strings.Contains(err.Error(), "--key-prefix") {
		t.Errorf("a prefix with a tag: %v", err)
	}
}

// Whatever passes Validate and has keys on a node stays on it.
func FuzzCustomInACluster(f *testing.F) {
	for _, seed := range []string{
		"GET a:__rand_int__", "MSET {tag}a 1 {tag}b 2", "MULTI ; GET {tag}__rand_1st__ ; 2 SET {tag} 1 ; EXEC", "GET {__rand_1st__}{tag}",
		"SET a:__rand_1st__ 1 ; GET b:{tag}:__rand_1st__", "EVAL x 2 a{b} c{b}", "GET {a{tag}}", "LPUSH {tag}:__data__ x{tag}__rand_int____data__", "GET x{__rand_2nd__",
	} {
		f.Add(seed, int64(5000))
	}
	owned, err := workload.ParseSlots("0-99,3000-9000")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line string, size int64) {
		mix, err := workload.ParseLine(line)
		if err != nil {
			return
		}
		w := workload.Workload{Mix: mix, Keys: workload.KeySpace{Prefix: "p:", Size: size}, Payload: 3, Slots: owned}
		if w.Validate() != nil || mix.Unit() > 100 {
			return
		}
		if w.KeysHere() == 0 {
			w.Generator(0).Next() // it ends
			return
		}
		for _, fixture := range w.Fixtures() {
			fixture.Write(0, 10)
		}
		g := w.Generator(0)
		for range 3 * mix.Unit() {
			c := g.Next()
			words := append([]string{c.Name}, make([]string, len(c.Args))...)
			for i, arg := range c.Args {
				words[i+1] = text(arg)
			}
			// Where the keys are is what the template says: filling it in adds none.
			if found := workload.KeyIndices(mix[c.Test].Test.Args); len(found) > 0 {
				first := workload.Slot(words[found[0]])
				for _, i := range found {
					if slot := workload.Slot(words[i]); slot != first || !owned.Has(slot) {
						t.Fatalf("%q: %q in slot %d, first %d", line, words[i], slot, first)
					}
				}
			}
		}
	})
}
