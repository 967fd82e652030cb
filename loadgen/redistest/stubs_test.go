package redistest_test

import (
	"bufio"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
)

// dial opens a connection that gives up after ten seconds.
func dial(t *testing.T, s *redistest.StubServer) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	return conn, bufio.NewReader(conn)
}

func send(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatalf("send %.20q: %v", text, err)
	}
}

func expect(t *testing.T, r *bufio.Reader, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if n, err := io.ReadFull(r, got); string(got[:n]) != want {
		t.Fatalf("received %q, %v, want %q", got[:n], err, want)
	}
}

// silent checks that nothing more comes.
func silent(t *testing.T, conn net.Conn, r *bufio.Reader) {
	t.Helper()
	conn.SetReadDeadline(time.Now().Add(30 * time.Millisecond))
	if b, err := r.ReadByte(); err == nil {
		t.Errorf("received %q, want nothing", b)
	}
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
}

func TestStubAnswers(t *testing.T) {
	for _, tc := range []struct {
		name       string
		start      func() *redistest.StubServer
		send, want string
		commands   int64
	}{
		{"block", func() *redistest.StubServer { return redistest.Block(t) }, "SET a 1\r\nGET a\r\n", "+OK\r\n$1\r\n1\r\n", 2},
		{"mute", func() *redistest.StubServer { return redistest.Mute(t, 1) }, "PING\r\nPING\r\nPING\r\n", "+PONG\r\n", 3},
		{"noinfo", func() *redistest.StubServer { return redistest.NoInfo(t) }, "SELECT 0\r\nPING\r\n",
			"-ERR unknown command 'SELECT', with args beginning with: '0' \r\n+PONG\r\n", 2},
		{"short", func() *redistest.StubServer { return redistest.Short(t, 1) }, "ECHO a\r\nECHO b\r\nECHO c\r\n", "$1\r\na\r\n$1\r\nc\r\n", 3},
		{"garbage", func() *redistest.StubServer { return redistest.Garbage(t, 1) }, "PING\r\nPING\r\n", "+PONG\r\n\x7f", 2},
		{"raw", func() *redistest.StubServer { return redistest.Raw(t, []byte("HTTP/1.1 400\r\n")) }, "\x16\x03\x01", "HTTP/1.1 400\r\n", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := tc.start()
			conn, r := dial(t, s)
			send(t, conn, tc.send)
			expect(t, r, tc.want)
			silent(t, conn, r)
			if got := s.Commands(); got != tc.commands {
				t.Errorf("commands = %d, want %d", got, tc.commands)
			}
		})
	}
}

func TestProtocolErrorIsAnswered(t *testing.T) {
	s := redistest.NoInfo(t)
	conn, r := dial(t, s)
	send(t, conn, "*x\r\n")
	expect(t, r, "-ERR Protocol error: invalid multibulk length\r\n")
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("after a protocol error: %v, want EOF", err)
	}
}

// Lower bounds only: a busy machine may be late, but never early.
func TestSlowSpacesReplies(t *testing.T) {
	const d = 3 * time.Millisecond
	s := redistest.Slow(t, d)
	conn, r := dial(t, s)
	start := time.Now()
	send(t, conn, strings.Repeat("PING\r\n", 10))
	for i := 1; i <= 10; i++ {
		expect(t, r, "+PONG\r\n")
		if got := time.Since(start); got < time.Duration(i)*d {
			t.Errorf("reply %d after %v, want at least %v", i, got, time.Duration(i)*d)
		}
	}
}

func TestExactDelaysEachAlike(t *testing.T) {
	const d = 50 * time.Millisecond
	s := redistest.Exact(t, d)
	conn, r := dial(t, s)
	start := time.Now()
	send(t, conn, strings.Repeat("PING\r\n", 100))
	expect(t, r, strings.Repeat("+PONG\r\n", 100))
	if got := time.Since(start); got < d || got > 50*d {
		t.Errorf("100 replies after %v, want %v for all of them together", got, d)
	}
	if got := s.Calls("ping"); got != 100 {
		t.Errorf("calls of ping = %d, want 100", got)
	}
}

// C37: neither side moves once both directions are full.
func TestBlockBlocks(t *testing.T) {
	s := redistest.Block(t)
	conn, _ := dial(t, s)
	conn.SetDeadline(time.Now().Add(300 * time.Millisecond))
	command := "*2\r\n$4\r\nECHO\r\n$16384\r\n" + strings.Repeat("x", 16384) + "\r\n"
	_, err := io.WriteString(conn, strings.Repeat(command, 2000))
	if timeout, ok := err.(net.Error); !ok || !timeout.Timeout() {
		t.Errorf("2000 commands written without reading: %v, want a timeout", err)
	}
}

func TestStubsLeaveNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("inner", func(t *testing.T) {
		for _, s := range []*redistest.StubServer{
			redistest.Block(t), redistest.Slow(t, time.Hour), redistest.Mute(t, 0), redistest.Exact(t, time.Hour),
		} {
			conn, _ := dial(t, s)
			send(t, conn, "PING\r\nPING\r\n")
		}
	})
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, want %d", runtime.NumGoroutine(), before)
		}
	}
}
