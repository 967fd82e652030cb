package embedded

// container marks a command that consists of its subcommands.
const container = "container"

// commands is the command table, by name. To add a command is to add its row.
func commands() map[string]*command {
	one, all, pairs, none := [3]int{1, 1, 1}, [3]int{1, -1, 1}, [3]int{1, -1, 2}, [3]int{}
	rows := []*command{
		{name: "set", arity: -3, flag: "write", keys: one, run: set},
		{name: "get", arity: 2, flag: "readonly", keys: one, run: get},
		{name: "incr", arity: 2, flag: "write", keys: one, run: incr},
		{name: "mset", arity: -3, flag: "write", keys: pairs, run: mset},
		{name: "mget", arity: -2, flag: "readonly", keys: all, run: mget},
		{name: "strlen", arity: 2, flag: "readonly", keys: one, run: strlen},

		{name: "lpush", arity: -3, flag: "write", keys: one, run: lpush},
		{name: "rpush", arity: -3, flag: "write", keys: one, run: rpush},
		{name: "lpop", arity: -2, flag: "write", keys: one, run: lpop},
		{name: "rpop", arity: -2, flag: "write", keys: one, run: rpop},
		{name: "llen", arity: 2, flag: "readonly", keys: one, run: llen},
		{name: "lrange", arity: 4, flag: "readonly", keys: one, run: lrange},
		{name: "ltrim", arity: 4, flag: "write", keys: one, run: ltrim},

		{name: "sadd", arity: -3, flag: "write", keys: one, run: sadd},
		{name: "spop", arity: -2, flag: "write", keys: one, run: spop},
		{name: "scard", arity: 2, flag: "readonly", keys: one, run: scard},
		{name: "sismember", arity: 3, flag: "readonly", keys: one, run: sismember},

		{name: "hset", arity: -4, flag: "write", keys: one, run: hset},
		{name: "hget", arity: 3, flag: "readonly", keys: one, run: hget},
		{name: "hlen", arity: 2, flag: "readonly", keys: one, run: hlen},

		{name: "zadd", arity: -4, flag: "write", keys: one, run: zadd},
		{name: "zpopmin", arity: -2, flag: "write", keys: one, run: zpopmin},
		{name: "zcard", arity: 2, flag: "readonly", keys: one, run: zcard},
		{name: "zscore", arity: 3, flag: "readonly", keys: one, run: zscore},

		{name: "xadd", arity: -5, flag: "write", keys: one, run: xadd},
		{name: "xlen", arity: 2, flag: "readonly", keys: one, run: xlen},
		{name: "xtrim", arity: -4, flag: "write", keys: one, run: xtrim},

		{name: "del", arity: -2, flag: "write", keys: all, run: del},
		{name: "unlink", arity: -2, flag: "write", keys: all, run: del},
		{name: "exists", arity: -2, flag: "readonly", keys: all, run: exists},
		{name: "type", arity: 2, flag: "readonly", keys: one, run: typeOf},
		{name: "dbsize", arity: 1, flag: "readonly", keys: none, run: dbsize},
		{name: "scan", arity: -2, flag: "readonly", keys: none, run: scan},
		{name: "flushall", arity: -1, flag: "write", keys: none, run: flush},
		{name: "flushdb", arity: -1, flag: "write", keys: none, run: flush},
	}
	table := make(map[string]*command)
	for _, row := range append(rows, connectionCommands()...) {
		table[row.name] = row
	}
	return table
}

// connectionCommands are the rows that touch no key: connections and the server.
func connectionCommands() []*command {
	return []*command{
		{name: "ping", arity: -1, flag: "fast", run: ping},
		{name: "echo", arity: 2, flag: "fast", run: echo},
		{name: "quit", arity: -1, flag: "fast", run: quit},
		{name: "auth", arity: -2, flag: "fast", run: auth},
		{name: "select", arity: 2, flag: "fast", run: selectDB},
		{name: "info", arity: -1, flag: "admin", run: info},

		{name: "config", arity: -2, flag: container},
		{name: "config|get", arity: -3, flag: "admin", run: configGet},
		{name: "config|set", arity: -4, flag: "admin", run: configSet},
		{name: "config|resetstat", arity: 2, flag: "admin", run: configResetStat},

		{name: "client", arity: -2, flag: container},
		{name: "client|id", arity: 2, flag: "admin", run: clientID},
		{name: "client|setname", arity: 3, flag: "admin", run: clientSetName},
		{name: "client|getname", arity: 2, flag: "admin", run: clientGetName},
		{name: "client|setinfo", arity: 4, flag: "admin", run: clientSetInfo},

		{name: "command", arity: -1, flag: container, run: commandAll},
		{name: "command|count", arity: 2, flag: "admin", run: commandCount},
		{name: "command|info", arity: -2, flag: "admin", run: commandInfo},
		{name: "command|docs", arity: -2, flag: "admin", run: commandDocs},
	}
}
