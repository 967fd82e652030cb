package config

import (
	"strings"

	"fullbore/loadgen"
	"fullbore/loadgen/report"
	"fullbore/loadgen/workload"
)

// flags is the one place to add a flag. What a group sets is bound to the plan
// where it can be; the help, the man page, profiles, the environment and
// completion all read this table.
func (o *options) flags() []group {
	return o.noting([]group{o.serverFlags(), o.tlsFlags(), o.loadFlags(), o.dataFlags(), o.endFlags(), o.reportFlags(), o.screenFlags(), o.otherFlags()})
}

// noting has every value that was understood kept as text too.
func (o *options) noting(groups []group) []group {
	for _, g := range groups {
		for i, f := range g.flags {
			g.flags[i].bind.set = func(text string) error {
				err := f.bind.set(text)
				if err == nil {
					if o.texts == nil {
						o.texts = map[string]string{}
					}
					o.texts[f.name] = text
				}
				return err
			}
		}
	}
	return groups
}

func (o *options) serverFlags() group {
	return group{"Server (none named: one on 127.0.0.1:6379, else one is started)",
		"-h 10.0.0.5 -a secret --user joe", []flag{
			{"host", "h", "HOST", hostname(&o.host), "host name or IP address", "127.0.0.1"},
			{"port", "p", "PORT", count(&o.port, 1, maxPort), "port", "6379"},
			{"socket", "s", "PATH", filled(&o.socket, "the path of a unix socket"), "unix socket; overrides host and port", "none"},
			{"uri", "u", "URI", address(&o.uri), "redis://user:password@host:port/db, rediss:// for TLS", "none"},
			{"pass", "a", "PASSWORD", secret(&o.password), "password", "$REDISCLI_AUTH"},
			{"pass-file", "", "FILE", filled(&o.passFile, "the path of a file"), "password: the first line of a file", "none"},
			{"askpass", "", "", toggle(&o.askPass), "password: ask for it on the terminal", "off"},
			{"user", "", "NAME", filled(&o.user, "a user name"), "ACL user; needs a password", "none"},
			{"dbnum", "", "DB", count(&o.db, 0, maxDB), "database number", "0"},
			{"cluster", "", "", toggle(&o.cluster), "the server is a node of a cluster: load all of it", "off"},
			{replicasName, "", "no|yes|all", oneOf(&o.readFrom, readsFrom()...), "whether replicas answer reads in a cluster (also --rfr)", "no"},
			{"server", "", "COMMAND", filled(&o.server, "builtin or a command, such as 'redis-server --io-threads 2'"), "server to start for the run: builtin, or a command", "none"},
		}}
}

func (o *options) tlsFlags() group {
	s := &o.tlsOptions
	return group{"TLS (asked for by --tls or -u rediss://)",
		"-h 10.0.0.5 --tls --sni redis.example.com", []flag{
			{"tls", "", "", toggle(&o.tls), "secure every connection", "off"},
			{"sni", "", "NAME", filled(&s.ServerName, "a host name"), "name to ask for, which the certificate has to prove", "the host"},
			{"cacert", "", "FILE", filled(&s.CAFile, "the path of a PEM file"), "authorities to trust", "this machine's"},
			{"cacertdir", "", "DIR", filled(&s.CADir, "the path of a folder of PEM files"), "a folder of them", "none"},
			{"cert", "", "FILE", filled(&s.CertFile, "the path of a PEM file"), "client certificate; needs --key", "none"},
			{"key", "", "FILE", filled(&s.KeyFile, "the path of a PEM file"), "its private key", "none"},
			{"insecure", "", "", toggle(&s.Insecure), "trust whoever answers (also --tls-skip-verify)", "off"},
			{"tls-min", "", "VERSION", filled(&s.MinVersion, "1.0, 1.1, 1.2 or 1.3").offering([]string{"1.0", "1.1", "1.2", "1.3"}), "least version: 1.0, 1.1, 1.2 or 1.3", "1.2"},
		}}
}

func (o *options) loadFlags() group {
	p := &o.plan
	return group{"Load", "-t set,get -c 100 -P 16 -q", []flag{
		{"tests", "t", "LIST", tests(&o.tests), "tests one by one; on the screen a mix", "all; screen: set"},
		{"mix", "", "MIX", mix(&p.Workload.Mix), "commands and weights at once, such as set=1,get=10", "none"},
		{"stdin", "x", "", toggle(&o.stdin), "the last argument of COMMAND is read from stdin", "off"},
		{"clients", "c", "N", count(&p.Clients, 1, loadgen.MaxClients), "parallel connections", "50"},
		{"pipeline", "P", "N", count(&p.Pipeline, 1, loadgen.MaxPipeline), "commands in flight per connection", "1"},
		{"batch", "", "NAME", batch(&p.Batch), "how P commands travel: " + strings.Join(batches(), ", "), "pipeline"},
		{"rate", "", "N", rate(&p.Rate), "requests per second in all: 0.5, 20k (also --rps)", "no limit"},
		{"rtt", "", "TIME", roundTrip(&p.RTT), "simulated round trip: every reply comes this much later", "0"},
		{"keep-alive", "k", "0|1", zeroOrOne(&o.keepAlive), "0: a new connection for every batch", "1"},
		{"timeout", "", "TIME", duration(&p.Stall), "replace a connection that waits this long for a reply", "5s"},
		{"threads", "", "N", count(&o.threads, 1, maxThreads), "load threads; one: truer tails when the server is local", "1"},
	}}
}

func (o *options) dataFlags() group {
	w := &o.plan.Workload
	return group{"Keys and values", "-t set,get -r 1m --key-dist zipf -d 64:80,1k:15,64k:5", []flag{
		{"keyspace", "r", "N", count(&w.Keys.Size, 0, workload.MaxKeys), "distinct random keys; 0 is one key", "0; screen: 100k"},
		{"key-dist", "", "NAME", distribution(&w.Keys.Dist), strings.Join(distributions(), ", "), "uniform"},
		{"sequential", "", "", toggle(&o.sequential), "the same as --key-dist sequential", "off"},
		{"key-prefix", "", "TEXT", plain(&w.Keys.Prefix), "before every key; '' gives redis-benchmark's names", defaultPrefix},
		{"data-size", "d", "SIZE", sizes(&o.sizes), "bytes of a value: 100, 10-4k or 64:80,1k:15", "3; screen: 64"},
		{"random-data", "", "", toggle(&w.RandomData), "every value differs", "off"},
		{"expire", "", "TIME", expire(&w.Expire), "time to live of what the test set writes: 60 or 10-60s", "none"},
		{"prefill", "", "N|SIZE", prefill(&o.plan.Prefill), "write data first: this many keys, or memory (512mb)", "none"},
		{"seed", "", "N", seed(&w.Seed), "same seed, same bytes", "0"},
		{"keep-keys", "", "", toggle(&o.keepKeys), "leave the keys on the server", "off"},
	}}
}

func (o *options) endFlags() group {
	p := &o.plan
	return group{"Beginning and end", "-t get --warmup 2 --duration 10 --count 5", []flag{
		{"requests", "n", "N", count(&p.Requests, 1, maxInt64), "requests per test, exactly", "100k; screen, --duration: none"},
		{"duration", "", "TIME", duration(&p.Duration), "measure this long per test: 10s, 1m30s or seconds", "none"},
		{"warmup", "", "TIME", warmup(&p.Warmup), "set apart: auto (until steady), none, 2s", "auto; -n: none"},
		{"count", "", "N", count(&o.count, 1, maxCount), "run the tests this many times", "1"},
		{"loop", "l", "", toggle(&o.loop), "run the tests over and over, until interrupted", "off"},
		{"idle", "I", "", toggle(&o.idle), "only hold -c idle connections, until interrupted", "off"},
	}}
}

func (o *options) reportFlags() group {
	formats := report.Formats()
	return group{"Report (each of these also does without the screen)", "-t set -n 1m --json -o set.json", []flag{
		{"quiet", "q", "", toggle(&o.quiet), "one line a test", "off"},
		{"csv", "", "", toggle(&o.csv), "redis-benchmark's CSV", "off"},
		{"json", "", "", toggle(&o.json), "one JSON object", "off"},
		{"format", "", "NAME", oneOf(&o.format, formats...), strings.Join(formats, ", "), "text"},
		{"output", "o", "FILE", filled(&o.output, "the path of a file"), "write the report there, all at once at the end", "stdout"},
		{"precision", "", "N", count(&o.precision, 0, maxPrecision), "no effect: latencies always have 3 significant digits", "3"},
		{"show-errors", "e", "", toggle(&o.showError), "no effect: errors are always counted and shown", "off"},
	}}
}

func (o *options) screenFlags() group {
	return group{"Screen", "--theme high-contrast --glyphs braille", []flag{
		{"theme", "", "NAME", oneOf(&o.theme, themes()...), strings.Join(themes(), ", "), "default; mono with NO_COLOR"},
		{"glyphs", "", "NAME", oneOf(&o.glyphs, glyphs()...), strings.Join(glyphs(), ", "), "auto"},
		{"hz", "", "N", hertz(&o.hertz), "new data per second, 1, 2, 4 or 10 (also --fps)", "4"},
	}}
}

func (o *options) otherFlags() group {
	return group{"Other", "--profile nightly -n 1m", []flag{
		{"yes", "", "", toggle(&o.yes), "consent to what fullbore would ask about; start at once", "off"},
		{profileFlag, "", "NAME", filled(&o.profile, "the name of a profile"), "flags from ~/.config/fullbore/NAME.conf, one a line", "none"},
		{"version", "v", "", toggle(&o.version), "print the version", "off"},
	}}
}
