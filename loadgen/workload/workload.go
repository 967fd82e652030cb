package workload

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Workload is what every client sends. It is an immutable value.
type Workload struct {
	Mix     Mix
	Keys    KeySpace
	Payload int    // bytes of a value, at least 1 (redis-benchmark's -d); the longest one where Sizes are set
	Seed    uint64 // two generators with the same seed and client send the same bytes

	Sizes      Sizes  // how long values are, in place of Payload; nil = all of Payload bytes. Set both with Sized
	RandomData bool   // every value differs; otherwise all are redis-benchmark's
	Expire     Expire // how long the keys of SET live; zero = for ever

	// Slots are those of the one node of a cluster that this is sent to: only keys in
	// them are drawn, written and kept. The keys of the catalogue's tests carry a hash
	// tag then, such as key:{fHh}:000000000064 and mylist:{fHh}. A number has the same
	// slot, and so its key the same tag, in every cluster, so that the nodes of a
	// cluster share one key space. Of collections, and of all keys where the key space
	// has one number, each node has its own. Nil: there is no cluster, and no tags.
	Slots *Slots
}

// KeySpace names the keys: Prefix + "key:" + twelve digits, and so on. Values
// compare with ==.
type KeySpace struct {
	Prefix string // before every key of the catalogue's tests, "fullbore:" by default
	Size   int64  // distinct values behind __rand_int__; 0 or 1 means one key per test
	Dist   Dist   // how often each of them is drawn; zero = equally
}

// Sized is w with values of sizes, and their longest as Payload.
func (w Workload) Sized(sizes Sizes) Workload {
	w.Payload, w.Sizes = sizes.Max(), sizes
	if len(sizes) == 1 && sizes.Fixed() {
		w.Sizes = nil // one form for what is the same
	}
	return w
}

// sizes is what counts of Payload and Sizes.
func (w Workload) sizes() Sizes {
	if len(w.Sizes) > 0 {
		return w.Sizes
	}
	return FixedSize(w.Payload)
}

// SizeText is how long values are, as -d takes it: "64", "10-4k". One size is
// always a plain number of bytes.
func (w Workload) SizeText() string {
	if sizes := w.sizes(); !sizes.Fixed() {
		return sizes.String()
	}
	return strconv.Itoa(w.sizes().Max())
}

// valueID is what tells values apart that fixtures write: lengths and content.
func (w Workload) valueID() string {
	if w.RandomData {
		return w.SizeText() + " random"
	}
	return w.SizeText()
}

// Same tells whether w and v send the same bytes, so that a Source of one serves
// the other.
func (w Workload) Same(v Workload) bool {
	return w.Keys == v.Keys && w.Seed == v.Seed && w.Slots.Equal(v.Slots) && w.Expire == v.Expire && w.RandomData == v.RandomData &&
		slices.Equal(w.sizes(), v.sizes()) && slices.EqualFunc(w.Mix, v.Mix, Entry.same)
}

// same tells whether two rows send the same and are reported under one title.
func (e Entry) same(f Entry) bool {
	return e.Weight == f.Weight && e.Ordered == f.Ordered && e.Test.Title == f.Test.Title &&
		e.Test.Custom == f.Test.Custom && e.Test.Inline == f.Test.Inline && slices.Equal(e.Test.Args, f.Test.Args)
}

// RequestBytes is the length of one unit of the mix on the wire, with values of
// mean length: what redis-benchmark calls the payload of a custom command. Of a mix
// that is no sequence it is the mean by weight.
func (w Workload) RequestBytes() int {
	var sum, weight float64
	for _, e := range w.Mix {
		n := float64(w.requestBytes(e.Test))
		sum += n * float64(e.Weight)
		weight += float64(e.Weight)
	}
	if w.Mix.Ordered() || weight == 0 {
		return int(sum)
	}
	return int(math.Round(sum / weight))
}

func (w Workload) requestBytes(t Test) int {
	if t.Inline {
		return len(strings.Join(t.Args, " ")) + len("\r\n")
	}
	n := len("*\r\n") + width(int64(len(t.Args)))
	value := int(math.Round(w.sizes().Mean()))
	for i := range t.Args {
		arg := 0
		for _, p := range w.cut(t, i) {
			switch p.kind {
			case literal:
				arg += len(p.text)
			case tagged:
				arg += tagLength
			case data:
				arg += value
			default:
				arg += digits
			}
		}
		n += bulk(arg)
	}
	if t.expires() && w.Expire != (Expire{}) {
		n += bulk(len("EX")) + bulk(width((w.Expire.Low+w.Expire.High)/2))
	}
	return n
}

// Op is a command outside the hot path: preparing, topping up, trimming.
type Op struct {
	Name string
	Args []any // strings and byte slices only
}

// Fixture is data that must be on the server before a workload's commands can
// hit. Items [0, Items) are written in any order and any split; writing twice is
// harmless or, for lists, preceded by Reset.
type Fixture struct {
	ID     string // equal IDs mean equal data: written once per run
	What   string // for people: "100000 keys of 64 bytes"
	Family string // keys it fills, for overwriting: a later fixture of the same family replaces this one
	Items  int64
	Reset  []Op // sent first, such as UNLINK of a list; may be empty
	Write  func(from int64, n int) []Op

	values string   // which values it writes, for Workload.Spoils; "" = none
	chunk  int64    // items of one pipeline; 0 = writeItems
	heads  []string // what its keys begin with, when Family is no such text
}

// writeBytes and writeItems bound one pipeline of a Fixture's commands, mostBytes
// one in which every value happens to be the longest.
const (
	writeBytes = 8 << 20
	mostBytes  = 128 << 20
	writeItems = 500
)

// Chunk is how many items to write in one pipeline: a bounded number, and a
// bounded number of bytes whatever the payload.
func (f Fixture) Chunk() int64 {
	if f.chunk == 0 {
		return writeItems
	}
	return f.chunk
}

func (s Sizes) chunk() int64 {
	return int64(min(writeItems, max(1, min(writeBytes/int(math.Ceil(s.Mean())), mostBytes/s.Max()))))
}

// Stock is a collection that a workload drains or grows without end. Between
// batches of load the engine keeps its length between Low and High.
type Stock struct {
	ID     string
	Key    string
	Length Op                            // answers the present length
	Low    int64                         // below this, push up to Fill; 0 = never drained
	Fill   int64                         // level to top up to, also the level to start with
	High   int64                         // above this, trim down to High/2; 0 = never grown
	Chunk  int                           // items one Push adds at most, so that a command stays near 1 MiB
	Push   func(from int64, n int) Op    // adds min(n, Chunk) items; from only ever grows, so that set members are new; nil when Fill is 0
	Trim   func(length, target int64) Op // removes a bounded share of what is above target; nil when High is 0
}
