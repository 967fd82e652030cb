package embedded_test

import (
	"slices"
	"strings"
	"testing"

	"fullbore/loadgen/redistest"
)

// Every line is sent to a real server and to ours, and the replies must be the
// same to the byte. A line that starts with "~" has replies in any order, a line
// that starts with "?" has replies that only have to be of one kind and length.
// "”" is the empty word.
const script = `
PING
ping hello
PING a b
ECHO x
ECHO
ECHO a b
SET k v
GET k
GET none
GET
GET a b
set K v2
GET K
SET k ''
GET k
STRLEN k
SET k
STRLEN none
SET n 41
INCR n
INCR fresh
INCR k
SET n 9223372036854775807
INCR n
SET n -1
INCR n
SET n 007
INCR n
SET n 1.5
INCR n
INCR
MSET a 1 b 2 a 3
MGET a b none a
MSET a
MSET a 1 b
MGET
LPUSH l a b c
RPUSH l d e
LLEN l
LRANGE l 0 -1
LRANGE l 1 2
LRANGE l -2 -1
LRANGE l -100 100
LRANGE l 3 1
LRANGE l 10 20
LRANGE l x 1
LRANGE l 0
LRANGE none 0 -1
LPOP l
RPOP l
LPOP l 2
LPOP l 0
LPOP l -1
LPOP l x
LPOP l 1 2
RPOP l 9
LPOP l
LPOP l 2
RPOP l
RPOP l 0
EXISTS l
LLEN l
RPUSH l 1 2 3 4 5 6
LTRIM l 1 -2
LRANGE l 0 -1
LTRIM l 0 0
LRANGE l 0 -1
LTRIM l 5 9
EXISTS l
LTRIM none 0 1
LTRIM l a b
LPUSH l
LPUSH k x
LPOP k
LLEN k
LRANGE k 0 1
LTRIM k 0 1
MGET k l a
SADD s a b c a
SADD s a
SCARD s
SISMEMBER s a
SISMEMBER s x
SISMEMBER none x
?SPOP s
SCARD s
?SPOP s 1
SPOP s 0
SPOP s -1
SPOP s x
SPOP s 1 2
?SPOP s 5
SPOP s
SPOP s 3
SCARD s
EXISTS s
SADD s x y z
~SPOP s 3
SADD k x
SPOP k
SCARD k
SADD s
HSET h f v g w
HSET h f v2 i z
HSET h f
HSET h f v g
HGET h f
HGET h none
HGET none f
HLEN h
HLEN none
HSET k f v
HGET k f
HLEN k
ZADD z 1 a 2 b 3 c
ZADD z 1 a 5 b
ZADD z 0.5 d -inf m inf x
ZADD z 1 aa 1 ab
ZADD z x a
ZADD z nan a
ZADD z 1
ZADD z 1 a 2
ZCARD z
ZSCORE z b
ZSCORE z d
ZSCORE z x
ZSCORE z none
ZSCORE none a
ZPOPMIN z
ZPOPMIN z 3
ZPOPMIN z 0
ZPOPMIN z -1
ZPOPMIN z x
ZPOPMIN z 1 2
ZPOPMIN z 100
ZPOPMIN z
ZPOPMIN z 2
ZCARD z
EXISTS z
ZADD z 1e20 big 12345678901 int
ZPOPMIN z 2
ZADD k 1 a
ZPOPMIN k
ZCARD k
XADD x
?XADD x * f v
?XADD x * f v g w
XADD x * f v g
XLEN x
XLEN none
XTRIM x MAXLEN 1
XTRIM x MAXLEN = 1
XTRIM x MAXLEN -1
XTRIM x MAXLEN a
XTRIM x MAXLEN
XTRIM none MAXLEN 1
XTRIM x MAXLEN 0
XLEN x
EXISTS x
XADD k * f v
XLEN k
XTRIM k MAXLEN 1
TYPE k
TYPE h
TYPE x
TYPE none
DBSIZE
DBSIZE x
EXISTS k k none h
EXISTS
RPUSH l 1
SADD s 1
ZADD z 1 a
TYPE l
TYPE s
TYPE z
~SCAN 0 COUNT 1000
~SCAN 0 MATCH k* COUNT 1000
~SCAN 0 match [abK] COUNT 1000
~SCAN 0 COUNT 1000 TYPE list
SCAN 0 COUNT 0
SCAN 0 COUNT x
SCAN 0 COUNT
SCAN 0 FOO 1
SCAN x
SCAN
SELECT 3
DBSIZE
SET k three
SELECT 16
SELECT -1
SELECT x
SELECT
GET k
SELECT 0
GET k
DEL k none
UNLINK l s z h x
UNLINK
DEL
DBSIZE
SET l string
LPUSH l 1
SET l again
GET l
AUTH
AUTH pw
AUTH default pw
AUTH nobody pw
AUTH a b c
CONFIG GET save
CONFIG GET appendonly
CONFIG GET maxmemory
CONFIG GET maxmemory-policy
CONFIG GET requirepass
CONFIG GET nonsense
CONFIG GET
CONFIG
CONFIG FOO
CONFIG SET a
CLIENT SETNAME me
CLIENT GETNAME
CLIENT SETNAME a\nb
CLIENT SETNAME
CLIENT FOO
CLIENT
COMMAND COUNT x
COMMAND FOO
COMMAND INFO none
NOSUCH
nosuch a b
CONFIG RESETSTAT
QUIT
`

func TestSameAsRedis(t *testing.T) {
	theirs := dial(t, redistest.Start(t).Addr)
	ours := dial(t, start(t).Addr())
	for line := range strings.Lines(strings.TrimSpace(script)) {
		line = strings.TrimSpace(line)
		mode := line[0]
		args := strings.Fields(strings.TrimLeft(line, "~?"))
		for i := range args {
			args[i] = strings.ReplaceAll(strings.ReplaceAll(args[i], "''", ""), `\n`, "\n")
		}
		want, got := theirs.do(args...), ours.do(args...)
		switch mode {
		case '~':
			slices.Sort(want)
			slices.Sort(got)
		case '?':
			want, got = kinds(want), kinds(got)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", line, got, want)
		}
	}
	if got := ours.reply(); got[0] != "error: EOF" {
		t.Errorf("after QUIT: %q, want the end", got)
	}
}

// kinds keeps the first byte of every line of a reply.
func kinds(lines []string) []string {
	for i := range lines {
		lines[i] = lines[i][:1]
	}
	return lines
}

// Long arguments in the refusal of an unknown command are cut as Redis cuts them.
func TestUnknownCommandText(t *testing.T) {
	theirs := dial(t, redistest.Start(t).Addr)
	ours := dial(t, start(t).Addr())
	long := strings.Repeat("y", 200)
	for _, args := range [][]string{
		{strings.Repeat("x", 200)},
		{"nope", long, "z"},
		{"nope", long[:100], long[:100], "z"},
		{"nope", long[:124], "b", "c"},
		{"no\r\npe", "a\r\nb"},
		{"", ""},
	} {
		want, got := theirs.do(args...), ours.do(args...)
		if !slices.Equal(got, want) {
			t.Errorf("%.20q:\n got %q\nwant %q", args, got, want)
		}
	}
}

func TestBytesOnTheWire(t *testing.T) {
	theirs := dial(t, redistest.Start(t).Addr)
	ours := dial(t, start(t).Addr())
	for _, tc := range []struct {
		bytes   string
		replies int
	}{
		{"PING\r\n", 1},
		{"PING\n", 1},
		{"  SET  a   1 \r\nGET a\r\n", 2},
		{"SET q \"a b\\n\"\r\nGET q\r\n", 2},
		{"\r\nPING\r\n", 1},
		{strings.Repeat("PING\r\n", 500) + encode("GET", "a") + "PING x\r\n", 502},
		{encode("SET", "bin", "\x00\r\n\xff") + encode("GET", "bin") + encode("STRLEN", "bin"), 3},
		{encode("SET", "big", strings.Repeat("x", 1<<20)) + encode("GET", "big"), 2},
	} {
		for i := range tc.replies {
			bytes := ""
			if i == 0 {
				bytes = tc.bytes
			}
			want, got := theirs.raw(bytes), ours.raw(bytes)
			if !slices.Equal(got, want) {
				t.Errorf("%.40q, reply %d:\n got %.60q\nwant %.60q", tc.bytes, i, got, want)
			}
		}
	}
}

// The patterns of SCAN are Redis's.
func TestPatterns(t *testing.T) {
	theirs := dial(t, redistest.Start(t).Addr)
	ours := dial(t, start(t).Addr())
	keys := []string{"", "a", "b", "ab", "abc", "a*c", "a\\c", "[a]", "aXbXc", "fullbore:key:000000000001", "a-c", "^", "]", "aaaaaaaaaaaaaaaab"}
	for _, c := range []client{theirs, ours} {
		for _, key := range keys {
			c.do("SET", key, "1")
		}
	}
	for _, pattern := range []string{
		"*", "", "?", "a", "a*", "*b", "a?c", "a\\*c", "a\\\\c", "[ab]", "[^a]", "[a-b]*", "[b-a]", "\\[a\\]", "a*b*c", "fullbore:*",
		"*:*:*1", "a**", "?*", "[\\]]", "a[*]c", "a[a-z]c", "[", "[a", "[^", "a\\", "*a*a*a*a*a*c", "[a-", "[]", "[^]", "*[c]",
	} {
		want, got := theirs.do("SCAN", "0", "COUNT", "1000", "MATCH", pattern), ours.do("SCAN", "0", "COUNT", "1000", "MATCH", pattern)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("MATCH %q:\n got %q\nwant %q", pattern, got, want)
		}
	}
}
