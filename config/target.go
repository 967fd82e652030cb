package config

import (
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

// target is the server that the flags name, nil when none of them does. A
// password, a user or a database alone mean redis-benchmark's default address.
func (o *options) target(env Env) (*target.Target, error) {
	named := o.givenOf("host", "port", "socket", "uri", "pass", "user", "dbnum")
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
	if err := o.credentials(&t, env); err != nil {
		return nil, err
	}
	if o.given("dbnum") {
		if t.DB != 0 && t.DB != o.db {
			return nil, errors.New("--dbnum: -u names another database already; give it once")
		}
		t.DB = o.db
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
	return target.TCP(o.host, o.port), nil
}

// credentials come from one place: which of two passwords was meant nobody knows,
// and the wrong one may lock an account.
//
// They come from the URI or the flags, never from both; the environment
// fills in a password that neither gives.
func (o *options) credentials(t *target.Target, env Env) error {
	switch {
	case o.given("pass") && t.Password != "":
		return errors.New("-a: the URI of -u holds a password already; give it once")
	case o.given("user") && t.Username != "":
		return errors.New("--user: the URI of -u names a user already; give it once")
	}
	preset(o, "user", &o.user, t.Username)
	preset(o, "pass", &o.password, string(t.Password))
	t.Username, t.Password = o.user, target.Secret(o.password)
	if t.Password == "" {
		t.Password = target.Secret(env.get(authVariable))
	}
	if t.Username != "" && t.Password == "" {
		return fmt.Errorf("user %q: --user needs a password: give -a PASSWORD or set %s", t.Username, authVariable)
	}
	return nil
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
