package workload

import (
	"slices"
	"strconv"
	"strings"
)

// known is what is known of a command: whether it changes anything, and which of
// its words are keys.
type known struct {
	names  string // lower case, each between blanks; "name|word" where the first argument decides
	writes bool   // changes data, or the server itself
	find   finder // nil where there are no keys
}

// finder returns the indices of a command's words that are keys; words[0] is the
// command's name.
type finder func(words []string) []int

func (k known) locate(words []string) []int {
	if k.find == nil {
		return nil
	}
	return k.find(words)
}

// knownCommands is the table: the commands of Redis 7.0, and of later versions
// what people benchmark. A test compares it with what a server says of itself.
// For all others see lookUp.
func knownCommands() []known {
	const looks, writes = false, true
	one, all, two, second := span(1, 1, 1), span(1, -1, 1), span(1, 2, 1), span(2, 2, 1)
	return []known{
		{" bitcount bitfield_ro bitpos dump expiretime geodist geohash geopos georadius_ro georadiusbymember_ro geosearch get getbit getrange hexists hexpiretime hget hgetall hkeys hlen hmget hpexpiretime hpttl hrandfield hscan hstrlen httl hvals lindex llen lpos lrange pexpiretime pttl scard sismember smembers smismember sort_ro spublish srandmember sscan strlen substr ttl type xlen xpending xrange xrevrange zcard zcount zlexcount zmscore zrandmember zrange zrangebylex zrangebyscore zrank zrevrange zrevrangebylex zrevrangebyscore zrevrank zscan zscore ", looks, one},
		{" exists mget pfcount sdiff sinter sunion touch watch ", looks, all},
		{" lcs ", looks, two},
		{" memory|usage object|encoding object|freq object|idletime object|refcount xinfo|consumers xinfo|groups xinfo|stream ", looks, second},
		{" sintercard zdiff zinter zintercard zunion ", looks, counted(1)},
		{" eval_ro evalsha_ro fcall_ro ", looks, counted(2)},
		{" xread ", looks, streams},
		{" asking auth client command dbsize discard echo exec hello info keys lastsave latency lolwut memory multi object ping publish pubsub quit randomkey readonly readwrite role scan select slowlog time unwatch wait waitaof xinfo ", looks, nil},
		{" acl|cat acl|dryrun acl|genpass acl|getuser acl|help acl|list acl|log acl|users acl|whoami cluster|countkeysinslot cluster|getkeysinslot cluster|help cluster|info cluster|keyslot cluster|links cluster|myid cluster|nodes cluster|replicas cluster|shards cluster|slots config|get config|help function|dump function|help function|list function|stats module|help module|list script|exists script|help xgroup|help ", looks, nil},

		{" append bitfield decr decrby expire expireat geoadd getdel getex getset hdel hexpire hexpireat hgetdel hgetex hincrby hincrbyfloat hmset hpersist hpexpire hpexpireat hset hsetex hsetnx incr incrby incrbyfloat linsert lpop lpush lpushx lrem lset ltrim move persist pexpire pexpireat pfadd psetex restore restore-asking rpop rpush rpushx sadd set setbit setex setnx setrange spop srem xack xadd xautoclaim xclaim xdel xsetid xtrim zadd zincrby zpopmax zpopmin zrem zremrangebylex zremrangebyrank zremrangebyscore ", writes, one},
		{" del pfmerge sdiffstore sinterstore sunionstore unlink ", writes, all},
		{" mset msetnx ", writes, span(1, -1, 2)},
		{" blpop brpop bzpopmax bzpopmin ", writes, span(1, -2, 1)},
		{" blmove brpoplpush copy geosearchstore lmove rename renamenx rpoplpush smove zrangestore ", writes, two},
		{" bitop ", writes, span(2, -1, 1)},
		{" pfdebug xgroup|create xgroup|createconsumer xgroup|delconsumer xgroup|destroy xgroup|setid ", writes, second},
		{" eval evalsha fcall blmpop bzmpop ", writes, counted(2)},
		{" lmpop zmpop ", writes, counted(1)},
		{" zdiffstore zinterstore zunionstore ", writes, join(one, counted(2))},
		{" sort georadius georadiusbymember ", writes, join(one, after("store"), after("storedist"))},
		{" xreadgroup ", writes, streams},
		{" migrate ", writes, migrated},
		{" acl bgrewriteaof bgsave cluster config debug failover flushall flushdb function module pfselftest replicaof reset save script shutdown slaveof swapdb xgroup ", writes, nil},
	}
}

// Commands whose nil or empty reply is a miss, and those of whose reply every
// element is a hit or a miss.
const (
	misses     = " get getex getdel getset hget lindex lpos lrange hgetall hkeys hvals hrandfield smembers srandmember sinter sunion sdiff zrange zrangebyscore zrangebylex zrevrange zrevrangebyscore zrevrangebylex zrank zrevrank zscore zrandmember zunion zinter zdiff xrange xrevrange xread xreadgroup dump geodist geosearch georadius_ro georadiusbymember_ro lpop rpop spop zpopmin zpopmax blpop brpop bzpopmin bzpopmax lmpop zmpop blmpop bzmpop lmove rpoplpush blmove brpoplpush randomkey "
	eachMisses = " mget hmget zmscore geopos geohash hgetex hgetdel "
)

// lookUp is what is known of a command. Of one that is not in the table it is
// assumed that it writes and that its first argument is a key.
func lookUp(args []string) (k known, ok bool) {
	name := listed(args[0])
	full := name
	if len(args) > 1 {
		full = listed(args[0] + "|" + args[1])
	}
	rows := knownCommands()
	for _, word := range []string{full, name} {
		for _, row := range rows {
			if strings.Contains(row.names, word) {
				return row, true
			}
		}
	}
	return known{writes: true, find: span(1, 1, 1)}, false
}

// listed is a name as the lists hold it. A blank in a name would find its way
// between two of them.
func listed(name string) string {
	return " " + strings.ToLower(strings.ReplaceAll(name, " ", "?")) + " "
}

// commandNames is every known command, for proposals.
func commandNames() []string {
	var names []string
	for _, row := range knownCommands() {
		for _, name := range strings.Fields(row.names) {
			name, _, _ = strings.Cut(name, "|")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// singular tells whether a command answers each request with one reply of RESP2.
func singular(args []string) bool {
	const streaming = " subscribe psubscribe ssubscribe unsubscribe punsubscribe sunsubscribe monitor sync psync replconf "
	second := ""
	if len(args) > 1 {
		second = strings.ToLower(args[1])
	}
	switch strings.ToLower(args[0]) {
	case "client":
		return second != "reply"
	case "hello":
		return second == "" || second == "2"
	}
	return !strings.Contains(streaming, listed(args[0]))
}

// span is keys from first to last, step apart; a negative last counts from the end,
// as in the reply to COMMAND.
func span(first, last, step int) finder {
	return func(words []string) []int {
		end := last
		if end < 0 {
			end += len(words)
		}
		var at []int
		for i := first; i <= min(end, len(words)-1); i += step {
			at = append(at, i)
		}
		return at
	}
}

// counted is keys behind the word at index i, which is their number.
func counted(i int) finder {
	return func(words []string) []int {
		if i >= len(words) {
			return nil
		}
		n, err := strconv.Atoi(words[i])
		if err != nil || n < 1 {
			return nil
		}
		return span(i+1, i+min(n, len(words)), 1)(words)
	}
}

// after is the key behind an option.
func after(option string) finder {
	return func(words []string) []int {
		for i := 2; i+1 < len(words); i++ {
			if strings.EqualFold(words[i], option) {
				return []int{i + 1}
			}
		}
		return nil
	}
}

// join is the keys of several finders.
func join(finders ...finder) finder {
	return func(words []string) []int {
		var at []int
		for _, f := range finders {
			at = append(at, f(words)...)
		}
		return at
	}
}

// streams is the first half of what follows STREAMS; the other half are IDs.
func streams(words []string) []int {
	for i, w := range words {
		if i > 0 && strings.EqualFold(w, "streams") {
			return span(i+1, i+(len(words)-i-1)/2, 1)(words)
		}
	}
	return nil
}

// migrated is the one key of MIGRATE, or those behind KEYS.
func migrated(words []string) []int {
	for i, w := range words {
		if i > 5 && strings.EqualFold(w, "keys") {
			return span(i+1, -1, 1)(words)
		}
	}
	return span(3, 3, 1)(words)
}
