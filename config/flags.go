package config

import (
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/workload"
)

// options are the flags as they were given. Most bind a field of the plan
// itself; given tells which were there, because several defaults depend on
// whether there is a screen.
type options struct {
	given func(name string) bool

	plan  loadgen.Plan
	tests []workload.Test

	host, socket, uri, password, user string
	port, db                          int
	server                            string

	format           string
	quiet, csv, json bool
	theme, glyphs    string
	hertz, threads   int
	keepKeys, yes    bool
	version          bool
}

// group is a section of the help.
type group struct {
	title string
	flags []flag
}

// flag is one row of the table: one line that names a flag, binds what it sets
// and is its help.
type flag struct {
	name  string
	short string // one letter, redis-benchmark's where it has one
	arg   string // what its value is called in the help; empty for a switch
	bind  binding
	help  string
	base  string // the default, in words
}

// Limits of flags that are not the plan's.
const (
	maxPort = 65535
	maxDB   = 1<<31 - 1
	// redis-benchmark's limit for its --threads; more threads than cores only
	// take turns.
	maxThreads = 500
)

// flags is the one place to add a flag.
func (o *options) flags() []group {
	p := &o.plan
	w := &p.Workload
	return []group{
		{"Server (none named: one on 127.0.0.1:6379, else one is started)", []flag{
			{"host", "h", "HOST", hostname(&o.host), "host name or IP address", "127.0.0.1"},
			{"port", "p", "PORT", count(&o.port, 1, maxPort), "port", "6379"},
			{"socket", "s", "PATH", filled(&o.socket, "the path of a unix socket"), "unix socket; overrides host and port", "none"},
			{"uri", "u", "URI", address(&o.uri), "redis://user:password@host:port/db", "none"},
			{"pass", "a", "PASSWORD", secret(&o.password), "password", "$REDISCLI_AUTH"},
			{"user", "", "NAME", filled(&o.user, "a user name"), "ACL user; needs a password", "none"},
			{"dbnum", "", "DB", count(&o.db, 0, maxDB), "database number", "0"},
			{"server", "", "COMMAND", filled(&o.server, "builtin or a command, such as 'redis-server --io-threads 2'"), "server to start for the run: builtin, or a command", "none"},
		}},
		{"Load", []flag{
			{"clients", "c", "N", count(&p.Clients, 1, loadgen.MaxClients), "parallel connections", "50"},
			{"pipeline", "P", "N", count(&p.Pipeline, 1, loadgen.MaxPipeline), "commands in flight per connection", "1"},
			{"data-size", "d", "SIZE", size(&w.Payload, 1, loadgen.MaxPayload), "bytes of a value", "3; screen: 64"},
			{"keyspace", "r", "N", count(&w.Keys.Size, 0, workload.MaxKeys), "distinct random keys; 0 is one key", "0; screen: 100k"},
			{"tests", "t", "LIST", tests(&o.tests), "tests one by one; on the screen a mix", "all; screen: set"},
			{"mix", "", "MIX", mix(&w.Mix), "commands and weights at once, such as set=1,get=10", "none"},
			{"rate", "", "N", rate(&p.Rate), "requests per second in all: 0.5, 20k (also --rps)", "no limit"},
			{"warmup", "", "TIME", warmup(&p.Warmup), "set apart: auto (until steady), none, 2s", "auto; -n: none"},
			{"timeout", "", "TIME", duration(&p.Stall), "replace a connection that waits this long for a reply", "5s"},
			{"threads", "", "N", count(&o.threads, 1, maxThreads), "load threads; one: truer tails when the server is local", "1"},
			{"seed", "", "N", seed(&w.Seed), "same seed, same keys", "0"},
			{"key-prefix", "", "TEXT", plain(&w.Keys.Prefix), "before every key", defaultPrefix},
			{"keep-keys", "", "", toggle(&o.keepKeys), "leave the keys on the server", "off"},
		}},
		{"End", []flag{
			{"requests", "n", "N", count(&p.Requests, 1, maxInt64), "requests per test, exactly", "100k; screen, --duration: none"},
			{"duration", "", "TIME", duration(&p.Duration), "measure this long per test: 10s, 1m30s or seconds", "none"},
		}},
		{"Report (each of these also does without the screen)", []flag{
			{"quiet", "q", "", toggle(&o.quiet), "one line a test", "off"},
			{"csv", "", "", toggle(&o.csv), "redis-benchmark's CSV", "off"},
			{"json", "", "", toggle(&o.json), "one JSON object", "off"},
			{"format", "", "NAME", oneOf(&o.format, report.Formats()...), strings.Join(report.Formats(), ", "), "text"},
		}},
		{"Screen", []flag{
			{"yes", "", "", toggle(&o.yes), "start at once, without the card of what will be done", "off"},
			{"theme", "", "NAME", oneOf(&o.theme, themes()...), strings.Join(themes(), ", "), "default; mono with NO_COLOR"},
			{"glyphs", "", "NAME", oneOf(&o.glyphs, glyphs()...), strings.Join(glyphs(), ", "), "auto"},
			{"hz", "", "N", hertz(&o.hertz), "new data per second, 1, 2, 4 or 10 (also --fps)", "4"},
		}},
		{"Other", []flag{
			{"version", "v", "", toggle(&o.version), "print the version", "off"},
		}},
	}
}
