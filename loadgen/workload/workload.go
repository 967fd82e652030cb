package workload

// Workload is what every client sends. It is an immutable value.
type Workload struct {
	Mix     Mix
	Keys    KeySpace
	Payload int    // bytes of a value, at least 1 (redis-benchmark's -d)
	Seed    uint64 // two generators with the same seed and client send the same bytes
}

// KeySpace names the keys: Prefix + "key:" + twelve digits, and so on.
type KeySpace struct {
	Prefix string // before every key the program touches, "fullbore:" by default
	Size   int64  // distinct values behind __rand_int__; 0 or 1 means one key per test
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

	payload int // bytes of a value it writes, for Workload.Spoils; 0 = none
}

// writeBytes and writeItems bound one pipeline of a Fixture's commands.
const (
	writeBytes = 8 << 20
	writeItems = 500
)

// Chunk is how many items to write in one pipeline: a bounded number, and a
// bounded number of bytes whatever the payload.
func (f Fixture) Chunk() int64 {
	return int64(min(writeItems, max(1, writeBytes/max(1, f.payload))))
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
