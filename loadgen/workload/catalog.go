package workload

import "strings"

// The placeholders of a wire template. redis-benchmark's own are kept as they are;
// custom commands have those and valkey-benchmark's, see ParseCommand.
const (
	PrefixMark = "__prefix__"   // KeySpace.Prefix
	RandMark   = "__rand_int__" // twelve digits, a value of its own at each occurrence
	ScoreMark  = "__score__"    // like RandMark, but a plain 0 while there is only one key
	DataMark   = "__data__"     // a value of Workload.Payload bytes, or of Sizes
)

// Redis's names of the types that need care before or during a run; the other
// types only ever appear as text.
const (
	typeString = "string"
	typeList   = "list"
	typeSet    = "set"
	typeZset   = "zset"
	typeStream = "stream"
)

// Test is one row of the catalogue: a command, what it touches, and what must be
// kept in order around it.
type Test struct {
	Title  string   // exactly what redis-benchmark prints
	Names  []string // what -t and --mix accept; the first is this row's alone, the others name a group
	Args   []string // wire template, Args[0] the command's name
	Type   string   // type of its keys as the TYPE command tells it; "" = no keys
	Inline bool     // sent as a plain line instead of an array
	Writes bool     // changes data
	Reads  bool     // a nil or empty reply is a miss
	Keys   int      // keys per command
	Values int      // payload-sized values that a full reply brings

	PerElement bool // every element of the reply is a hit or a miss of its own
	Custom     bool // written by the user: Args are sent as they are, only placeholders are filled in
	Drains     bool // takes items away and needs a Stock that is topped up
	Grows      bool // adds items without end and needs a Stock that is trimmed
}

// Name is the row's own name, "" for a Test that has none.
func (t Test) Name() string {
	if len(t.Names) == 0 {
		return ""
	}
	return t.Names[0]
}

// Catalog is every built-in test in the order in which redis-benchmark runs
// them. A new test is one more row here; names, help, mixes, fixtures and the
// tests that visit every row pick it up.
//
// redis-benchmark's row "LPUSH (needed to benchmark LRANGE)" is missing on
// purpose: it is preparation, and here a Fixture does it.
func Catalog() []Test {
	return []Test{
		{Title: "PING_INLINE", Names: words("ping_inline ping"), Args: words("PING"), Inline: true},
		{Title: "PING_MBULK", Names: words("ping_mbulk ping"), Args: words("PING")},
		{Title: "SET", Names: words("set"), Args: words("SET __prefix__key:__rand_int__ __data__"), Type: typeString, Writes: true, Keys: 1},
		{Title: "GET", Names: words("get"), Args: words("GET __prefix__key:__rand_int__"), Type: typeString, Reads: true, Keys: 1, Values: 1},
		{Title: "INCR", Names: words("incr"), Args: words("INCR __prefix__counter:__rand_int__"), Type: typeString, Writes: true, Keys: 1},
		{Title: "LPUSH", Names: words("lpush"), Args: words("LPUSH __prefix__mylist __data__"), Type: typeList, Writes: true, Keys: 1, Grows: true},
		{Title: "RPUSH", Names: words("rpush"), Args: words("RPUSH __prefix__mylist __data__"), Type: typeList, Writes: true, Keys: 1, Grows: true},
		{Title: "LPOP", Names: words("lpop"), Args: words("LPOP __prefix__mylist"), Type: typeList, Writes: true, Reads: true, Keys: 1, Values: 1, Drains: true},
		{Title: "RPOP", Names: words("rpop"), Args: words("RPOP __prefix__mylist"), Type: typeList, Writes: true, Reads: true, Keys: 1, Values: 1, Drains: true},
		{Title: "SADD", Names: words("sadd"), Args: words("SADD __prefix__myset element:__rand_int__"), Type: typeSet, Writes: true, Keys: 1},
		{Title: "HSET", Names: words("hset"), Args: words("HSET __prefix__myhash element:__rand_int__ __data__"), Type: "hash", Writes: true, Keys: 1},
		{Title: "SPOP", Names: words("spop"), Args: words("SPOP __prefix__myset"), Type: typeSet, Writes: true, Reads: true, Keys: 1, Drains: true},
		{Title: "ZADD", Names: words("zadd"), Args: words("ZADD __prefix__myzset __score__ element:__rand_int__"), Type: typeZset, Writes: true, Keys: 1},
		{Title: "ZPOPMIN", Names: words("zpopmin"), Args: words("ZPOPMIN __prefix__myzset"), Type: typeZset, Writes: true, Reads: true, Keys: 1, Drains: true},
		{Title: "LRANGE_100 (first 100 elements)", Names: words("lrange_100 lrange"), Args: words("LRANGE __prefix__mylist 0 99"), Type: typeList, Reads: true, Keys: 1, Values: 100},
		{Title: "LRANGE_300 (first 300 elements)", Names: words("lrange_300 lrange"), Args: words("LRANGE __prefix__mylist 0 299"), Type: typeList, Reads: true, Keys: 1, Values: 300},
		{Title: "LRANGE_500 (first 500 elements)", Names: words("lrange_500 lrange"), Args: words("LRANGE __prefix__mylist 0 499"), Type: typeList, Reads: true, Keys: 1, Values: 500},
		{Title: "LRANGE_600 (first 600 elements)", Names: words("lrange_600 lrange"), Args: words("LRANGE __prefix__mylist 0 599"), Type: typeList, Reads: true, Keys: 1, Values: 600},
		{Title: "MSET (10 keys)", Names: words("mset"), Args: words("MSET" + strings.Repeat(" __prefix__key:__rand_int__ __data__", 10)), Type: typeString, Writes: true, Keys: 10},
		{Title: "MGET (10 keys)", Names: words("mget"), Args: words("MGET" + strings.Repeat(" __prefix__key:__rand_int__", 10)), Type: typeString, Reads: true, Keys: 10, Values: 10, PerElement: true},
		{Title: "XADD", Names: words("xadd"), Args: words("XADD __prefix__mystream * myfield __data__"), Type: typeStream, Writes: true, Keys: 1, Grows: true},
	}
}

func words(s string) []string { return strings.Fields(s) }

// family is the part of the test's first key that all its keys have in common:
// "fullbore:key:" for keys with digits, the whole key otherwise. It is "" for a
// test whose template names no key under the prefix.
func (t Test) family(prefix string) string {
	for _, arg := range t.Args {
		if key, ok := strings.CutPrefix(arg, PrefixMark); ok {
			key, _, _ = strings.Cut(key, RandMark)
			return prefix + key
		}
	}
	return ""
}

// family is the test's family of keys in w. In a cluster that of keys with digits
// contains TagMark, and any other is the key of this node.
func (w Workload) family(t Test) string {
	if w.Slots == nil {
		return t.family(w.Keys.Prefix)
	}
	args := make([]string, len(t.Args))
	for i, arg := range t.Args {
		args[i] = withTag(arg)
	}
	t.Args = args
	family := t.family(w.Keys.Prefix)
	if t.has(TagMark + ":" + RandMark) {
		return family
	}
	return fillTag(family, w.Slots.tag(w.Slots.home()))
}

// has tells whether the template contains mark.
func (t Test) has(mark string) bool {
	for _, arg := range t.Args {
		if strings.Contains(arg, mark) {
			return true
		}
	}
	return false
}
