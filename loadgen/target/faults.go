package target

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Error is trouble with a server, told in one line: what was tried, where, what
// came of it in the server's own words, and which flag may help.
type Error struct {
	Op   string // "dial", "AUTH at", "read from"
	Addr string
	Text string
	Hint string // may be empty
	Err  error
}

// Error is "dial 127.0.0.1:1: connection refused (is a server running there? …)".
func (e *Error) Error() string {
	s := e.Op + " " + e.Addr + ": " + e.Text
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// Unwrap is the cause: a ReplyError, a *ProtocolError, or the transport's error.
func (e *Error) Unwrap() error { return e.Err }

// ProtocolError says that the bytes received are not a reply.
type ProtocolError struct {
	Got   string // the first of them, printable, at most 80 characters
	First bool   // no reply had come before: most likely not a Redis server at all
}

// Error quotes the bytes.
func (e *ProtocolError) Error() string {
	if e.First {
		return `not a Redis server: it answered "` + e.Got + `"`
	}
	return `not a reply: "` + e.Got + `"`
}

// excerptMax is how much of a stray answer is shown.
const excerptMax = 80

// excerpt is the first line of b with everything unprintable escaped.
func excerpt(b []byte) string {
	b = b[:min(len(b), excerptMax)]
	s := string(b)
	if line, _, cut := strings.Cut(s, "\n"); cut {
		if line = strings.TrimRight(line, "\r"); line != "" {
			s = line
		}
	}
	s = strconv.QuoteToASCII(s)
	s = s[1 : len(s)-1]
	return s[:min(len(s), excerptMax)]
}

// cause is one row of the table of transport errors.
type cause struct {
	match error
	code  string
	text  string
	hint  string
}

func causes() []cause {
	return []cause{
		{context.Canceled, "canceled", "interrupted", ""},
		{errHalf, "timeout", "the server stopped in the middle of a reply: no more within the time limit", ""},
		{context.DeadlineExceeded, "timeout", "no answer within the time limit", ""},
		{os.ErrDeadlineExceeded, "timeout", "no answer within the time limit", ""},
		{syscall.ETIMEDOUT, "timeout", "connection timed out", ""},
		{syscall.ECONNREFUSED, "refused", "connection refused", "is a server running there? -h and -p, -s or -u name another"},
		{syscall.ECONNRESET, "reset", "connection reset by the server", ""},
		{syscall.EPIPE, "reset", "connection closed by the server", ""},
		{syscall.ECONNABORTED, "reset", "connection aborted", ""},
		{syscall.EHOSTUNREACH, "unreachable", "no route to the host", "check -h"},
		{syscall.ENETUNREACH, "unreachable", "network is unreachable", "check -h"},
		{syscall.EHOSTDOWN, "unreachable", "host is down", "check -h"},
		{syscall.ENOENT, "missing", "no such socket", "-s takes the path of the server's unix socket"},
		{syscall.ENOTDIR, "missing", "no such socket", "-s takes the path of the server's unix socket"},
		{errLongPath, "missing", "no socket can have a path of this length", "about 100 bytes are the most: give -s a shorter one, such as through a link"},
		{syscall.EACCES, "denied", "permission denied", "may this user open the socket that -s names?"},
		{syscall.EPERM, "denied", "not permitted", ""},
		{syscall.EMFILE, "files", "too many open files", "raise ulimit -n or lower -c"},
		{syscall.ENFILE, "files", "too many open files in the system", "lower -c"},
		{syscall.EADDRNOTAVAIL, "ports", "no free local port", "lower -c, or wait for closed connections to expire"},
		{net.ErrClosed, "closed", "connection was closed", ""},
		{io.ErrUnexpectedEOF, "eof", "the server closed the connection inside a reply", ""},
		{io.EOF, "eof", "the server closed the connection", ""},
	}
}

// ErrorCode puts an error of this package into a word for counting: the first
// word of an error reply ("NOAUTH"), or "refused", "reset", "eof", "timeout",
// "protocol", "unreachable", "missing" (no such socket), "denied", "name" (host not
// found), "tls" (no certificate, or none that holds, and the like), "files" (ulimit
// -n), "ports", "closed" (by ourselves), "canceled", and "io" for the rest. It is "" for nil.
func ErrorCode(err error) string {
	if err == nil {
		return ""
	}
	code, _, _ := describe(err)
	return code
}

// describe finds the code, the words and the hint for a cause of trouble.
func describe(err error) (code, text, hint string) {
	if unsafe, ok := as[*TLSError](err); ok {
		if code = ErrorCode(unsafe.Err); code == "io" {
			code = "tls"
		}
		return code, unsafe.Text, unsafe.Hint
	}
	if reply, ok := as[ReplyError](err); ok {
		return Code(string(reply)), string(reply), replyHint(string(reply))
	}
	if nonsense, ok := as[*ProtocolError](err); ok {
		return "protocol", nonsense.Error(), protocolHint(nonsense.Got)
	}
	if dns, ok := as[*net.DNSError](err); ok && !dns.IsTimeout {
		return "name", "host not found", "-h takes a host name or an address"
	}
	for _, c := range causes() {
		if errors.Is(err, c.match) {
			return c.code, c.text, c.hint
		}
	}
	if t, ok := as[net.Error](err); ok && t.Timeout() {
		return "timeout", "no answer within the time limit", ""
	}
	return "io", innermost(err), ""
}

// innermost leaves out what net puts around the system's words: the address, which
// the Error around it names already.
func innermost(err error) string {
	if op, ok := as[*net.OpError](err); ok {
		err = op.Err
	}
	return err.Error()
}

// as is errors.As with its target as the result.
func as[E error](err error) (E, bool) {
	var e E
	ok := errors.As(err, &e)
	return e, ok
}

// trouble is err told with its operation and address.
func trouble(op, addr string, err error) *Error {
	if e, ok := as[*Error](err); ok {
		return e // told already
	}
	_, text, hint := describe(err)
	return &Error{Op: op, Addr: addr, Text: text, Hint: hint, Err: err}
}

// replyHint names the flag behind a refusal, found by how its text begins.
func replyHint(text string) string {
	rows := []struct{ prefix, hint string }{
		{"NOAUTH", "give the password with -a, and --user for an ACL user, or in REDISCLI_AUTH"},
		{"WRONGPASS", "check -a and --user, or REDISCLI_AUTH"},
		{"ERR invalid password", "check -a or REDISCLI_AUTH"},
		{"ERR AUTH ", "the server asks for no password: leave out -a and REDISCLI_AUTH, or set requirepass on the server"},
		{"ERR Client sent AUTH", "the server asks for no password: leave out -a and REDISCLI_AUTH"},
		{"ERR wrong number of arguments for 'auth'", "--user needs a server with ACLs, Redis 6 or later"},
		{"DENIED", "the server is in protected mode: connect over loopback, or give it a password"},
		{"ERR max number of clients", "the server's maxclients is reached: lower -c or raise maxclients"},
		{"LOADING", "the server is still reading its data: try again in a while"},
		{"ERR DB index is out of range", "--dbnum asks for a database that the server does not have"},
		{"ERR invalid DB index", "--dbnum asks for a database that the server does not have"},
		{"ERR SELECT is not allowed in cluster mode", "a cluster has database 0 only: leave out --dbnum"},
		{"NOPERM", "the ACL user may not run this command: --user names another"},
	}
	for _, r := range rows {
		if strings.HasPrefix(text, r.prefix) {
			return r.hint
		}
	}
	return ""
}

// hintTLS is for a server that takes plain RESP for a broken handshake.
const hintTLS = "this looks like a TLS port: give --tls, or write rediss:// in place of redis://"

func protocolHint(got string) string {
	switch {
	case strings.HasPrefix(got, `\x15\x03`), strings.HasPrefix(got, `\x16\x03`):
		return hintTLS
	case strings.HasPrefix(got, "HTTP/"):
		return "this is a web server: check -h and -p"
	case strings.HasPrefix(got, "SSH-"):
		return "this is an SSH server: check -h and -p"
	case strings.HasPrefix(got, "220"):
		return "this is a mail or file server: check -h and -p"
	case got == "ERROR", strings.HasPrefix(got, "CLIENT_ERROR"):
		return "this is a memcached server: check -h and -p"
	}
	return "check -h and -p"
}
