package workload_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

// render is what redigo puts on the wire for a command.
func render(c *workload.Command) string {
	if c.Inline != nil {
		return string(c.Inline)
	}
	return renderOp(workload.Op{Name: c.Name, Args: c.Args})
}

func renderOp(op workload.Op) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n$%d\r\n%s\r\n", 1+len(op.Args), len(op.Name), op.Name)
	for _, arg := range op.Args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(text(arg)), text(arg))
	}
	return b.String()
}

func text(arg any) string {
	switch arg := arg.(type) {
	case string:
		return arg
	case []byte:
		return string(arg)
	}
	panic(fmt.Sprintf("argument %v is a %T: only strings and bytes may go into an Op", arg, arg))
}

// line is an Op as one would type it.
func line(op workload.Op) string {
	words := []string{op.Name}
	for _, arg := range op.Args {
		words = append(words, text(arg))
	}
	return strings.Join(words, " ")
}

func lines(ops []workload.Op) string {
	var all []string
	for _, op := range ops {
		all = append(all, line(op))
	}
	return strings.Join(all, "\n")
}

// load is the workload of a mix with the program's own defaults.
func load(t testing.TB, mix string) workload.Workload {
	t.Helper()
	m, err := workload.ParseMix(mix)
	if err != nil {
		t.Fatal(err)
	}
	return workload.Workload{Mix: m, Keys: workload.KeySpace{Prefix: "fullbore:"}, Payload: 3, Seed: 1}
}

// row is what the catalogue must hold, written down by hand.
type row struct {
	title, name string
	wire        string // with key space 1 and three bytes; compared exactly
	spread      string // with a key space above 1: each <k> stands for twelve digits
	keys        int
}

const (
	ten     = "fullbore:key:000000000000"
	tenData = "$25\r\nfullbore:key:000000000000\r\n$3\r\nVXK\r\n"
	tenKeys = "$25\r\nfullbore:key:000000000000\r\n"
)

func rows() []row {
	return []row{
		{"PING_INLINE", "ping_inline", "PING\r\n", "PING\r\n", 0},
		{"PING_MBULK", "ping_mbulk", "*1\r\n$4\r\nPING\r\n", "*1\r\n$4\r\nPING\r\n", 0},
		{"SET", "set", "*3\r\n$3\r\nSET\r\n" + tenData, "*3\r\n$3\r\nSET\r\n$25\r\nfullbore:key:<k>\r\n$3\r\nVXK\r\n", 1},
		{"GET", "get", "*2\r\n$3\r\nGET\r\n" + tenKeys, "*2\r\n$3\r\nGET\r\n$25\r\nfullbore:key:<k>\r\n", 1},
		{"INCR", "incr", "*2\r\n$4\r\nINCR\r\n$29\r\nfullbore:counter:000000000000\r\n", "*2\r\n$4\r\nINCR\r\n$29\r\nfullbore:counter:<k>\r\n", 1},
		{"LPUSH", "lpush", "*3\r\n$5\r\nLPUSH\r\n$15\r\nfullbore:mylist\r\n$3\r\nVXK\r\n", "", 1},
		{"RPUSH", "rpush", "*3\r\n$5\r\nRPUSH\r\n$15\r\nfullbore:mylist\r\n$3\r\nVXK\r\n", "", 1},
		{"LPOP", "lpop", "*2\r\n$4\r\nLPOP\r\n$15\r\nfullbore:mylist\r\n", "", 1},
		{"RPOP", "rpop", "*2\r\n$4\r\nRPOP\r\n$15\r\nfullbore:mylist\r\n", "", 1},
		{"SADD", "sadd", "*3\r\n$4\r\nSADD\r\n$14\r\nfullbore:myset\r\n$20\r\nelement:000000000000\r\n", "*3\r\n$4\r\nSADD\r\n$14\r\nfullbore:myset\r\n$20\r\nelement:<k>\r\n", 1},
		{"HSET", "hset", "*4\r\n$4\r\nHSET\r\n$15\r\nfullbore:myhash\r\n$20\r\nelement:000000000000\r\n$3\r\nVXK\r\n", "*4\r\n$4\r\nHSET\r\n$15\r\nfullbore:myhash\r\n$20\r\nelement:<k>\r\n$3\r\nVXK\r\n", 1},
		{"SPOP", "spop", "*2\r\n$4\r\nSPOP\r\n$14\r\nfullbore:myset\r\n", "", 1},
		{"ZADD", "zadd", "*4\r\n$4\r\nZADD\r\n$15\r\nfullbore:myzset\r\n$1\r\n0\r\n$20\r\nelement:000000000000\r\n", "*4\r\n$4\r\nZADD\r\n$15\r\nfullbore:myzset\r\n$12\r\n<k>\r\n$20\r\nelement:<k>\r\n", 1},
		{"ZPOPMIN", "zpopmin", "*2\r\n$7\r\nZPOPMIN\r\n$15\r\nfullbore:myzset\r\n", "", 1},
		{"LRANGE_100 (first 100 elements)", "lrange_100", "*4\r\n$6\r\nLRANGE\r\n$15\r\nfullbore:mylist\r\n$1\r\n0\r\n$2\r\n99\r\n", "", 1},
		{"LRANGE_300 (first 300 elements)", "lrange_300", "*4\r\n$6\r\nLRANGE\r\n$15\r\nfullbore:mylist\r\n$1\r\n0\r\n$3\r\n299\r\n", "", 1},
		{"LRANGE_500 (first 500 elements)", "lrange_500", "*4\r\n$6\r\nLRANGE\r\n$15\r\nfullbore:mylist\r\n$1\r\n0\r\n$3\r\n499\r\n", "", 1},
		{"LRANGE_600 (first 600 elements)", "lrange_600", "*4\r\n$6\r\nLRANGE\r\n$15\r\nfullbore:mylist\r\n$1\r\n0\r\n$3\r\n599\r\n", "", 1},
		{"MSET (10 keys)", "mset", "*21\r\n$4\r\nMSET\r\n" + strings.Repeat(tenData, 10), "*21\r\n$4\r\nMSET\r\n" + strings.Repeat("$25\r\nfullbore:key:<k>\r\n$3\r\nVXK\r\n", 10), 10},
		{"MGET (10 keys)", "mget", "*11\r\n$4\r\nMGET\r\n" + strings.Repeat(tenKeys, 10), "*11\r\n$4\r\nMGET\r\n" + strings.Repeat("$25\r\nfullbore:key:<k>\r\n", 10), 10},
		{"XADD", "xadd", "*5\r\n$4\r\nXADD\r\n$17\r\nfullbore:mystream\r\n$1\r\n*\r\n$7\r\nmyfield\r\n$3\r\nVXK\r\n", "", 1},
	}
}

func TestCatalogIsComplete(t *testing.T) {
	catalog := workload.Catalog()
	want := rows()
	if len(catalog) != len(want) {
		t.Fatalf("%d rows, want %d", len(catalog), len(want))
	}
	for i, got := range catalog {
		if got.Title != want[i].title || got.Name() != want[i].name || got.Keys != want[i].keys {
			t.Errorf("row %d: %q %q with %d keys, want %q %q with %d",
				i, got.Title, got.Name(), got.Keys, want[i].title, want[i].name, want[i].keys)
		}
	}
}

func TestWireBytesOfEveryRow(t *testing.T) {
	for _, want := range rows() {
		for _, size := range []int64{0, 1} {
			w := load(t, want.name)
			w.Keys.Size = size
			g := w.Generator(3)
			for range 3 { // again and again the same
				c := g.Next()
				if got := render(c); got != want.wire {
					t.Fatalf("%s with key space %d:\n got %q\nwant %q", want.title, size, got, want.wire)
				}
				if c.Keys != want.keys || c.Request != len(want.wire) || c.Test != 0 {
					t.Errorf("%s: test %d, %d keys, %d bytes; want 0, %d, %d", want.title, c.Test, c.Keys, c.Request, want.keys, len(want.wire))
				}
			}
		}
	}
}

func TestWireBytesWithManyKeys(t *testing.T) {
	number := regexp.MustCompile(`\d{12}`)
	for _, want := range rows() {
		if want.spread == "" {
			want.spread = want.wire
		}
		w := load(t, want.name)
		w.Keys.Size = workload.MaxKeys
		g := w.Generator(0)
		for range 20 {
			got := render(g.Next())
			if shape := number.ReplaceAllString(got, "<k>"); shape != want.spread {
				t.Fatalf("%s:\n got %q\nwant %q", want.title, shape, want.spread)
			}
			seen := map[string]bool{}
			for _, k := range number.FindAllString(got, -1) {
				if seen[k] {
					t.Errorf("%s: %s twice in one command, out of 10^12 numbers", want.title, k)
				}
				seen[k] = true
			}
		}
	}
}

func TestReplyEstimateFollowsThePayload(t *testing.T) {
	for name, values := range map[string]int{"ping": 0, "set": 0, "get": 1, "lpop": 1, "mget": 10, "lrange_600": 600, "incr": 0} {
		w := load(t, name)
		w.Payload = 1000
		if got := w.Generator(0).Next().Reply; got < values*1000 || got > values*1010+100 {
			t.Errorf("%s: a reply of about %d bytes, want about %d", name, got, values*1000)
		}
	}
}

func TestReadsAndWrites(t *testing.T) {
	reads := "get lpop rpop spop zpopmin lrange_100 lrange_300 lrange_500 lrange_600 mget"
	neither := "ping_inline ping_mbulk"
	pure := "get lrange_100 lrange_300 lrange_500 lrange_600 mget"
	for _, test := range workload.Catalog() {
		in := func(list string) bool { return strings.Contains(" "+list+" ", " "+test.Name()+" ") }
		if test.Reads != in(reads) {
			t.Errorf("%s: Reads is %v", test.Title, test.Reads)
		}
		if want := !in(pure) && !in(neither); test.Writes != want {
			t.Errorf("%s: Writes is %v", test.Title, test.Writes)
		}
		if want := test.Name() == "mget"; test.PerElement != want {
			t.Errorf("%s: PerElement is %v", test.Title, test.PerElement)
		}
	}
}

// The values are those of redis-benchmark 7.0.15, read back from a server.
func TestPayloadIsThatOfRedisBenchmark(t *testing.T) {
	value := func(n int) string {
		w := load(t, "set")
		w.Payload = n
		return text(w.Generator(0).Next().Args[1])
	}
	for n, want := range map[int]string{1: "V", 3: "VXK", 40: "VXKeHogKgJ=[5V9_X^b?48OKF2jGA<f:iR@50o7d"} {
		if got := value(n); got != want {
			t.Errorf("%d bytes: %q, want %q", n, got, want)
		}
	}
	long := value(9_000_000) // beyond two periods of the sequence
	if got, want := long[4194300:4194321], "QKX0VXKeHogKgJ=[5V9_X"; got != want {
		t.Errorf("around 4 MiB: %q, want %q", got, want)
	}
	if got := long[8_999_990:]; got != long[8_999_990-1<<22:][:10] {
		t.Errorf("end of 9 MB: %q", got)
	}
}

func TestInlineCommandsHoldOneValue(t *testing.T) {
	w := load(t, "set").Sized(workload.Sizes{{Low: 2, High: 3, Weight: 1}})
	w.Mix = workload.Single(workload.Test{Title: "ECHO", Args: []string{"ECHO", "__data__"}, Inline: true})
	if c := w.Generator(0).Next(); string(c.Inline) != "ECHO VXK\r\n" || c.Request != 10 {
		t.Errorf("%q (%d bytes)", c.Inline, c.Request)
	}
}

func TestPlaceholdersInsideLargerArguments(t *testing.T) {
	test := workload.Test{Title: "custom", Args: []string{"EVAL", "x__data__y__data__", "__prefix__a:__rand_int__:b:__rand_int__", "__rand", "_", ""}}
	w := workload.Workload{Mix: workload.Single(test), Keys: workload.KeySpace{Prefix: "p__rand_int__:"}, Payload: 3}
	got := render(w.Generator(0).Next())
	want := renderOp(workload.Op{Name: "EVAL", Args: []any{"xVXKyVXK", "p__rand_int__:a:000000000000:b:000000000000", "__rand", "_", ""}})
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
