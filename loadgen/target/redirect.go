package target

import (
	"strconv"
	"strings"
)

// RedirectKind is which way a node of a cluster sends a command on.
type RedirectKind string

// The two redirects of the Redis cluster specification.
const (
	Moved RedirectKind = "MOVED" // the slot is another node's: the map is out of date
	Ask   RedirectKind = "ASK"   // this key has already gone ahead, the rest of its slot follows
)

// Redirect is a refusal that names the node to turn to.
type Redirect struct {
	Kind RedirectKind
	Slot int
	// Address is "host:port" with brackets around IPv6. A node that does not know its
	// own host leaves it out; Target.At puts that of the node asked there.
	Address string
}

// String is the redirect as a server writes it.
func (r Redirect) String() string {
	return string(r.Kind) + " " + strconv.Itoa(r.Slot) + " " + r.Address
}

// ParseRedirect reads the text of an error reply, such as "MOVED 3999 127.0.0.1:6381";
// false for any other. A proxy's words behind the address are passed over.
func ParseRedirect(text string) (Redirect, bool) {
	code, rest, _ := strings.Cut(text, " ")
	kind := RedirectKind(code)
	if kind != Moved && kind != Ask {
		return Redirect{}, false
	}
	number, rest, _ := strings.Cut(rest, " ")
	slot, err := digits(number)
	if err != nil || slot >= slotCount {
		return Redirect{}, false
	}
	where, _, _ := strings.Cut(strings.TrimRight(rest, "\r\n"), " ")
	address, ok := splitAddress(where)
	return Redirect{kind, slot, address}, ok
}

// splitAddress reads "host:port" as servers write it: the port follows the last colon,
// and an IPv6 address stands in front of it with or without brackets.
func splitAddress(text string) (string, bool) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return "", false
	}
	host := text[:at]
	if inner, ok := strings.CutPrefix(host, "["); ok {
		if host, ok = strings.CutSuffix(inner, "]"); !ok {
			return "", false
		}
	}
	port, err := digits(text[at+1:])
	if err != nil {
		return "", false
	}
	return place(host, int64(port))
}
