package target

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// scheme is one kind of URI.
type scheme struct {
	name  string
	parse func(rest string) (Target, error) // of what follows "name://"
}

// schemes is the table of target kinds: one row adds one.
func schemes() []scheme {
	return []scheme{
		{"redis", parseTCP},
		{"valkey", parseTCP},
		{"unix", parseUnix},
		{"rediss", refuseTLS},
		{"valkeys", refuseTLS},
	}
}

// Forms of the errors below. None of them repeats any part of the URI: a missing
// @ or a raw character may turn the password into what looks like a host, a port
// or a path (M31). That is also why url.Parse, which quotes its input, is not used.
var (
	errEncode = errors.New("the user or password holds a raw @ : / # ? or %: percent-encode it, such as %40 for @, %3A for :, %2F for /, %23 for #, %3F for ? and %25 for %")
	errHost   = errors.New("the host must be a name, an IPv4 address, or an IPv6 address in [ ]")
	errPort   = errors.New("the port must be a number from 1 to 65535")
	errDB     = errors.New("the database must be a number from 0, such as /2")
	errQuery  = errors.New("the only parameter understood after ? is db, such as ?db=2")
	errPath   = errors.New("a socket takes three slashes, such as unix:///run/redis.sock")
)

// Parse understands redis://user:password@host:port/db, the same with valkey://,
// and unix://user:password@/path?db=n. Everything after the scheme may be left
// out; the defaults are 127.0.0.1, 6379 and database 0. The user, the password
// and a socket's path are percent-decoded exactly once, and + stays +. A user
// without a colon is a password, as redis-cli has it.
func Parse(uri string) (Target, error) {
	name, rest, ok := strings.Cut(uri, "://")
	if ok {
		for _, s := range schemes() {
			if strings.EqualFold(s.name, name) {
				t, err := s.parse(rest)
				if err != nil {
					return Target{}, fmt.Errorf("-u %s://…: %w", s.name, err)
				}
				return t, nil
			}
		}
	}
	return Target{}, errors.New("-u takes redis://user:password@host:port/db, valkey://… or unix:///path; this one begins with neither")
}

func refuseTLS(string) (Target, error) {
	return Target{}, errors.New("TLS is not supported yet: use redis:// or valkey:// with a port that speaks plain RESP")
}

func parseTCP(rest string) (Target, error) {
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, tail := rest[:end], rest[end:]
	at := strings.LastIndexByte(authority, '@')
	// An @ behind the end of the authority means that it ended too early, inside
	// a password; two of them in front mean that one was not encoded.
	if strings.ContainsRune(tail, '@') || strings.Count(authority, "@") > 1 {
		return Target{}, errEncode
	}
	host, port, err := splitHost(authority[at+1:])
	if err != nil {
		return Target{}, err
	}
	t := TCP(host, port)
	if at >= 0 {
		if err := t.credentials(authority[:at]); err != nil {
			return Target{}, err
		}
	}
	path, query, _ := strings.Cut(tail, "?")
	if db := strings.Trim(path, "/"); db != "" {
		if err := t.database(db); err != nil {
			return Target{}, err
		}
	}
	return t, t.query(query)
}

func parseUnix(rest string) (Target, error) {
	authority, path, found := strings.Cut(rest, "/")
	path, query, _ := strings.Cut(path, "?")
	user, isUser := strings.CutSuffix(authority, "@")
	switch {
	case strings.ContainsRune(user, '@'), authority != "" && !isUser && strings.ContainsRune(rest, '@'):
		return Target{}, errEncode
	case !found || path == "" || authority != "" && !isUser:
		return Target{}, errPath
	}
	path, err := url.PathUnescape(path)
	if err != nil {
		return Target{}, fmt.Errorf("the path holds a raw %%: percent-encode it as %%25")
	}
	t := Unix("/" + path)
	if isUser {
		if err := t.credentials(user); err != nil {
			return Target{}, err
		}
	}
	return t, t.query(query)
}

// splitHost takes "", "host", "host:port", "[::1]" and "[::1]:port".
func splitHost(s string) (host string, port int, err error) {
	number := ""
	if inner, isBracket := strings.CutPrefix(s, "["); isBracket {
		var closed bool
		if host, number, closed = strings.Cut(inner, "]"); !closed || net.ParseIP(zoneless(host)) == nil {
			return "", 0, errHost
		}
		if number != "" && number[0] != ':' {
			return "", 0, errHost
		}
		number = strings.TrimPrefix(number, ":")
		host = strings.Replace(host, "%25", "%", 1) // a zone, as RFC 6874 writes it
	} else if host, number, _ = strings.Cut(s, ":"); strings.ContainsRune(number, ':') {
		return "", 0, errHost // a bare IPv6 address: where the port begins is anybody's guess
	}
	if strings.ContainsAny(host, " []\\\"<>^`{|}") {
		return "", 0, errHost
	}
	if number == "" {
		return host, defaultPort, nil
	}
	port, err = strconv.Atoi(number)
	if err != nil || port < 1 || port > 65535 {
		return "", 0, errPort
	}
	return host, port, nil
}

func zoneless(ip string) string {
	ip, _, _ = strings.Cut(ip, "%")
	return ip
}

// credentials reads "user:password", ":password" or "password". The first raw
// colon parts them, so that a raw colon later on does no harm.
func (t *Target) credentials(s string) error {
	user, password, both := strings.Cut(s, ":")
	if !both {
		user, password = "", s
	}
	var err error
	if t.Username, err = url.PathUnescape(user); err != nil {
		return errEncode
	}
	plain, err := url.PathUnescape(password)
	if err != nil {
		return errEncode
	}
	t.Password = Secret(plain)
	return nil
}

func (t *Target) database(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return errDB
	}
	t.DB = n
	return nil
}

func (t *Target) query(s string) error {
	if s == "" {
		return nil
	}
	db, ok := strings.CutPrefix(s, "db=")
	if !ok {
		return errQuery
	}
	return t.database(db)
}
