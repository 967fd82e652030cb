package target

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// scheme is one kind of URI.
type scheme struct {
	name  string
	parse func(rest string) (Target, error) // of what follows "name://"
	tls   bool                              // what parse gives is secured as --tls alone does it
}

// schemes is the table of target kinds: one row adds one.
func schemes() []scheme {
	return []scheme{
		{"redis", parseTCP, false},
		{"valkey", parseTCP, false},
		{"unix", parseUnix, false},
		{"rediss", parseTCP, true},
		{"valkeys", parseTCP, true},
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
	errDBs    = errors.New("the database stands behind / and behind ?db= with two numbers: give it once, such as /2")
	errQuery  = errors.New("the only parameter understood after ? is db, such as ?db=2")
	errPath   = errors.New("a socket takes three slashes, such as unix:///run/redis.sock")
)

// Parse understands redis://user:password@host:port/db, the same with valkey://,
// over TLS with rediss:// and valkeys:// (Secure then sets what --tls alone does not),
// and unix://user:password@/path?db=n. Everything after the scheme may be left
// out; the defaults are 127.0.0.1, 6379 and database 0, with TLS too. The user, the
// password, the host and a socket's path are percent-decoded exactly once, and +
// stays +. A user without a colon is a password, as redis-cli has it.
func Parse(uri string) (Target, error) {
	name, rest, ok := strings.Cut(uri, "://")
	if ok {
		for _, s := range schemes() {
			if strings.EqualFold(s.name, name) {
				t, err := s.parse(rest)
				if err == nil && s.tls {
					t, err = t.Secure(TLSOptions{})
				}
				if err != nil {
					return Target{}, fmt.Errorf("-u %s://…: %w", s.name, err)
				}
				return t, nil
			}
		}
	}
	return Target{}, errors.New("-u takes redis://user:password@host:port/db, rediss://… for TLS, valkey://…, valkeys://… or unix:///path; this one begins with none of them")
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
	inPath := strings.Trim(path, "/")
	if inPath != "" {
		if err := t.database(inPath); err != nil {
			return Target{}, err
		}
	}
	db := t.DB
	if err := t.query(query); err != nil {
		return Target{}, err
	}
	if inPath != "" && t.DB != db {
		return Target{}, errDBs
	}
	return t, nil
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
	if strings.ContainsFunc(path, unicode.IsControl) {
		return Target{}, errPath // it would break the line of every message
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
		host, number, closed = strings.Cut(inner, "]")
		if host, err = literal(host); !closed || err != nil {
			return "", 0, errHost
		}
		if number != "" && number[0] != ':' {
			return "", 0, errHost
		}
		number = strings.TrimPrefix(number, ":")
	} else {
		if host, number, _ = strings.Cut(s, ":"); strings.ContainsRune(number, ':') {
			return "", 0, errHost // a bare IPv6 address: where the port begins is anybody's guess
		}
		if host, err = url.PathUnescape(host); err != nil || !isName(host) {
			return "", 0, errHost
		}
	}
	if number == "" {
		return host, defaultPort, nil
	}
	port, err = digits(number)
	if err != nil || port < 1 || port > 65535 {
		return "", 0, errPort
	}
	return host, port, nil
}

// literal reads what stands between brackets: an address, perhaps with a zone behind
// "%25", as RFC 6874 has it, or behind the "%" that ping and ip print.
func literal(s string) (string, error) {
	ip, zone, zoned := strings.Cut(s, "%")
	if zoned {
		var err error
		if encoded, ok := strings.CutPrefix(zone, "25"); ok {
			zone, err = url.PathUnescape(encoded)
		}
		if err != nil || zone == "" || !isName(zone) {
			return "", errHost
		}
		zone = "%" + zone
	}
	if a, err := netip.ParseAddr(ip); err != nil || zoned && !a.Is6() {
		return "", errHost
	}
	return ip + zone, nil
}

// isName reports whether s may be a host's name: anything that does not look like
// another part of the URI, or would break a line.
func isName(s string) bool {
	return !strings.ContainsAny(s, " []\\\"<>^`{|}/?#@:%") && !strings.ContainsFunc(s, unicode.IsControl)
}

// digits is a number without sign, which strconv alone would let pass.
func digits(s string) (int, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(s)
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
	n, err := digits(s)
	if err != nil {
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
