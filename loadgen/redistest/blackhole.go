package redistest

import (
	"net"
	"strconv"
	"testing"
	"time"
)

// BlackHole is an address at which connecting neither succeeds nor fails, as behind
// a firewall that drops packets: a listener that accepts nobody and whose queue is
// full. It holds the connections that fill the queue.
func BlackHole(t testing.TB) *StubServer {
	t.Helper()
	addr, closeListener, err := listenShort()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(closeListener)
	for range 64 {
		conn, err := net.DialTimeout("tcp", addr, 200*time.Millisecond)
		if err == nil {
			t.Cleanup(func() { conn.Close() })
			continue
		}
		host, number, err := net.SplitHostPort(addr)
		if err != nil {
			t.Fatal(err)
		}
		port, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		return &StubServer{Addr: addr, Host: host, Port: port, t: t}
	}
	t.Fatal("the queue of a listener that accepts nobody takes everybody")
	return nil
}
