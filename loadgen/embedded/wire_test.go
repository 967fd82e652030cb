package embedded_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/embedded"
)

// start starts a demo server that ends with the test.
func start(t testing.TB) *embedded.Server {
	t.Helper()
	s, err := embedded.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// client speaks the protocol byte by byte: a client library would hide the
// difference between a nil array and a nil bulk.
type client struct {
	net.Conn
	r *bufio.Reader
}

func dial(t testing.TB, addr string) client {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(60 * time.Second))
	return client{conn, bufio.NewReader(conn)}
}

// encode writes a command as an array of bulk strings.
func encode(args ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, arg := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(arg), arg)
	}
	return b.String()
}

// do sends one command and returns the reply's lines: one without children, or
// the head and the children of an array.
func (c client) do(args ...string) []string { return c.raw(encode(args...)) }

func (c client) raw(bytes string) []string {
	if _, err := io.WriteString(c, bytes); err != nil {
		return []string{"error: " + err.Error()}
	}
	return c.reply()
}

// reply reads one reply; the bulk "ab" is read as "$ab", a nil bulk as "$-1".
func (c client) reply() []string {
	line, err := c.r.ReadString('\n')
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	line = strings.TrimSuffix(line, "\r\n")
	n, _ := strconv.Atoi(line[1:])
	switch {
	case line[0] == '$' && n >= 0:
		body := make([]byte, n+2)
		if _, err := io.ReadFull(c.r, body); err != nil {
			return []string{"error: " + err.Error()}
		}
		return []string{"$" + string(body[:n])}
	case line[0] == '*':
		lines := []string{line}
		for range n {
			lines = append(lines, c.reply()...)
		}
		return lines
	default:
		return []string{line}
	}
}

// info is the demo server's INFO as field → value.
func (c client) info(t testing.TB, section string) map[string]string {
	t.Helper()
	fields := make(map[string]string)
	for _, line := range strings.Split(c.do("INFO", section)[0], "\r\n") {
		if name, value, ok := strings.Cut(line, ":"); ok {
			fields[name] = value
		}
	}
	return fields
}
