package embedded

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// settings are what CONFIG GET tells, as name and value: what a benchmark prints in
// its head, and what is asked before a load starts.
func (s *Server) settings() [][2]string {
	host, port, _ := strings.Cut(s.Addr(), ":")
	return [][2]string{
		{"appendfsync", "everysec"},
		{"appendonly", "no"},
		{"bind", host},
		{"databases", strconv.Itoa(databases)},
		{"io-threads", "1"},
		{"maxclients", "10000"},
		{"maxmemory", "0"},
		{"maxmemory-policy", "noeviction"},
		{"port", port},
		{"requirepass", ""},
		{"save", ""},
		{"timeout", "0"},
	}
}

// configGet answers the settings that match any of the patterns.
func configGet(c *session, args [][]byte) {
	var found []string
	for _, setting := range c.server.settings() {
		matches := func(arg []byte) bool { return glob(string(appendLower(nil, arg)), setting[0]) }
		if slices.ContainsFunc(args[2:], matches) {
			found = append(found, setting[0], setting[1])
		}
	}
	c.strings(found)
}

// strings answers with an array of bulk strings.
func (c *session) strings(list []string) {
	c.out.WriteArray(len(list))
	for _, text := range list {
		c.out.WriteBulkString(text)
	}
}

// configSet refuses everything: a setting that is accepted and does nothing would
// be a lie about the measurement.
func configSet(c *session, _ [][]byte) { c.refuse("refuses CONFIG SET: it has nothing to set") }

// configResetStat starts all counters again, those of single commands included.
func configResetStat(c *session, _ [][]byte) {
	for _, cmd := range c.server.commands {
		cmd.calls, cmd.rejected, cmd.failed, cmd.spent = 0, 0, 0, 0
	}
	c.server.totals = totals{}
	c.ok()
}

// commandCount counts subcommands as part of their command.
func commandCount(c *session, _ [][]byte) { c.integer(len(c.server.topLevel())) }

// commandDocs has nothing to tell; redis-cli asks for it when it starts.
func commandDocs(c *session, _ [][]byte) { c.out.WriteArray(0) }

// commandAll is COMMAND: clients learn from it where the keys are.
func commandAll(c *session, _ [][]byte) {
	names := c.server.topLevel()
	c.out.WriteArray(len(names))
	for _, name := range names {
		c.describe(c.server.commands[name])
	}
}

// commandInfo describes the commands named, and all without a name.
func commandInfo(c *session, args [][]byte) {
	if len(args) == 2 {
		commandAll(c, args)
		return
	}
	c.out.WriteArray(len(args) - 2)
	for _, name := range args[2:] {
		c.describe(c.server.commands[string(appendLower(nil, name))])
	}
}

// describe writes one row of COMMAND: name, arity, flags, first key, last key, step.
func (c *session) describe(cmd *command) {
	if cmd == nil {
		c.out.WriteNull()
		return
	}
	c.out.WriteArray(6)
	c.out.WriteBulkString(cmd.name)
	c.integer(cmd.arity)
	c.out.WriteArray(1)
	c.out.WriteString(cmd.flag)
	for _, n := range cmd.keys {
		c.integer(n)
	}
}

// topLevel are the names of the commands without subcommands, in order.
func (s *Server) topLevel() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(s.commands)) {
		if !strings.Contains(name, "|") {
			names = append(names, name)
		}
	}
	return names
}
