package target

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Secret is a password. Whatever prints, logs or encodes it gets three stars
// (M31); string(s) is the password itself, for the one place that sends it.
//
// fmt cannot call methods on what sits in an unexported struct field: keep a
// Target in an exported field of anything that is ever printed whole.
type Secret string

// String is "***", or nothing for an empty password.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "***"
}

// GoString keeps %#v from printing the password.
func (s Secret) GoString() string { return strconv.Quote(s.String()) }

// MarshalText keeps encoders such as JSON from writing the password.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue keeps structured logs from writing the password.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Target is a server and how to be let in. It is a comparable value (two TLS are
// equal when they were loaded as one); the zero value is not usable, see TCP, Unix
// and Parse.
type Target struct {
	Network  string // "tcp" or "unix"
	Address  string // "host:port" with brackets around IPv6, or the socket's path
	Username string // ACL user; empty for the default user
	Password Secret // empty for none
	DB       int    // database number; 0 sends no SELECT
	TLS      *TLS   // nil for none; see Secure
}

const (
	defaultHost = "127.0.0.1"
	defaultPort = 6379
)

// TCP is the target at host and port. IPv6 addresses are taken with and without
// brackets; an empty host is 127.0.0.1.
func TCP(host string, port int) Target {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		host = strings.TrimSuffix(inner, "]")
	}
	if host == "" {
		host = defaultHost
	}
	return Target{Network: "tcp", Address: net.JoinHostPort(host, strconv.Itoa(port))}
}

// ParseHost is TCP for what a user typed behind -h and -p: a name, an IPv4 address, or
// an IPv6 address with or without brackets and zone. The error does not repeat the
// host, since a whole URI with its password is pasted there at times (M31).
func ParseHost(host string, port int) (Target, error) {
	ok := isName(host)
	if strings.ContainsRune(host, ':') {
		inner, opened := strings.CutPrefix(host, "[")
		inner, closed := strings.CutSuffix(inner, "]")
		address, err := literal(inner)
		if ok = err == nil && opened == closed; ok {
			host = address
		}
	}
	switch {
	case !ok && strings.Contains(host, "://"):
		return Target{}, errors.New("-h takes a host alone: a URI goes with -u")
	case !ok:
		return Target{}, errors.New("-h takes a host name, an IPv4 or an IPv6 address; the port goes with -p, such as -h ::1 -p 7000")
	case port < 1 || port > 65535:
		return Target{}, fmt.Errorf("-p %d: a port is a number from 1 to 65535", port)
	}
	return TCP(host, port), nil
}

// Unix is the target at a socket's path.
func Unix(path string) Target { return Target{Network: "unix", Address: path} }

// String is the address alone, such as "127.0.0.1:6379" or the socket's path;
// never a user or a password, so that %v and %+v are safe.
func (t Target) String() string { return t.Address }

// GoString is the value as Go would write it, with stars for the password.
func (t Target) GoString() string {
	return fmt.Sprintf("target.Target{Network:%q, Address:%q, Username:%q, Password:%#v, DB:%d, TLS:%v}",
		t.Network, t.Address, t.Username, t.Password, t.DB, t.TLS != nil)
}

// LogValue is the address, for structured logs.
func (t Target) LogValue() slog.Value { return slog.StringValue(t.String()) }

// Local reports whether t is on this machine for certain: a socket path, a
// loopback or unspecified address, or the name localhost. Other names are not
// looked up.
func (t Target) Local() bool {
	if t.Network == "unix" {
		return true
	}
	host, _, err := net.SplitHostPort(t.Address)
	if err != nil {
		return false
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	// Dialling 0.0.0.0 or :: reaches this machine.
	return err == nil && (ip.Unmap().IsLoopback() || ip.IsUnspecified())
}
