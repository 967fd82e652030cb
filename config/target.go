package config

import (
	"cmp"
	"errors"
	"fmt"

	"fullbore/loadgen/target"
)

// authVariable is redis-cli's name for a password that stays out of ps.
const authVariable = "REDISCLI_AUTH"

const (
	defaultHost = "127.0.0.1"
	defaultPort = 6379
)

// target is the server that the flags name, nil when none of them does. A password, a
// user, a database or TLS alone mean redis-benchmark's default address.
func (o *options) target(env Env) (*target.Target, error) {
	named := o.givenOf("host", "port", "socket", "uri", "pass", "pass-file", "askpass", "user", "dbnum", "tls", "cluster")
	if len(named) == 0 {
		return nil, nil
	}
	if o.given("server") {
		return nil, fmt.Errorf("--server starts a server of its own: leave out %s", named[0])
	}
	t, err := o.address()
	if err != nil {
		return nil, err
	}
	if t, err = o.secured(t); err != nil {
		return nil, err
	}
	if err := o.credentials(&t, env); err != nil {
		return nil, err
	}
	if o.given("dbnum") {
		if t.DB != 0 && t.DB != o.db {
			return nil, errors.New("--dbnum: -u names another database already; give it once")
		}
		t.DB = o.db
	}
	if err := o.clustered(t); err != nil {
		return nil, err
	}
	if o.askPass {
		o.asking = append(o.asking, &t)
	}
	return &t, nil
}

// address combines -h, -p, -s and -u.
// A URI names the whole server, so that half of it from another flag would be a
// guess at what was meant.
func (o *options) address() (target.Target, error) {
	if o.given("uri") {
		if named := o.givenOf("host", "port", "socket"); len(named) > 0 {
			return target.Target{}, fmt.Errorf("-u and %s both name a server: give one of them, such as -u redis://host:6379 or -h host -p 6379", named[0])
		}
		return target.Parse(o.uri) // its errors name -u and repeat nothing of it
	}
	if o.given("socket") { // overrides host and port, as in redis-benchmark
		return target.Unix(o.socket), nil
	}
	preset(o, "host", &o.host, defaultHost)
	preset(o, "port", &o.port, defaultPort)
	return target.ParseHost(o.host, o.port)
}

// readsFrom are the words of --replicas, which are those of valkey-benchmark's --rfr.
func readsFrom() []string { return []string{"no", "yes", "all"} }

// clustered says what keeps t from being a node of a cluster that is to be loaded.
func (o *options) clustered(t target.Target) error {
	switch {
	case !o.cluster:
		return nil
	case t.Network == "unix":
		return errors.New("--cluster: the nodes of a cluster are reached by host and port, not by a socket: give -h and -p of one of them")
	case t.DB > 0:
		return errors.New("--cluster: a cluster has database 0 only: leave out --dbnum, and the number in -u")
	}
	return nil
}

// reads is who answers reads in a cluster, "" where there is none.
func (o *options) reads() (string, error) {
	switch {
	case o.cluster:
		return cmp.Or(o.readFrom, "no"), nil
	case o.given(replicasName) && o.typed[replicasName] && o.readFrom != "no":
		return "", errors.New("--replicas reads from the replicas of a cluster: give --cluster too")
	}
	return "", nil
}

// givenOf are those of the named flags that were given, as people write them.
func (o *options) givenOf(names ...string) []string {
	var given []string
	for _, name := range names {
		if o.given(name) {
			given = append(given, written(name, o.flags()))
		}
	}
	return given
}
