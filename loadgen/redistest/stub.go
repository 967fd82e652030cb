package redistest

import (
	"bufio"
	"bytes"
	"errors"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// StubServer is a server that misbehaves in one way. It ends with the test.
type StubServer struct {
	Addr string // "127.0.0.1:PORT"
	Host string
	Port int

	t        testing.TB
	listener net.Listener
	store    store
	received atomic.Int64
	done     chan struct{} // closed when the test ends; wakes every wait
	wait     sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool // open connections
	names map[string]int64  // commands received by name
}

// peer is one connection of a stub, as its behaviour sees it.
type peer struct {
	*StubServer
	conn   net.Conn
	reader *bufio.Reader
}

// serve starts a stub; behave runs once per connection, in its own goroutine,
// and returns when the connection fails or the stub ends.
func serve(t testing.TB, behave func(*peer)) *StubServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().(*net.TCPAddr)
	s := &StubServer{Addr: addr.String(), Host: addr.IP.String(), Port: addr.Port, t: t, listener: listener,
		store: newStore(), done: make(chan struct{}), conns: make(map[net.Conn]bool), names: make(map[string]int64)}
	s.goWith(func() { s.accept(behave) })
	t.Cleanup(s.close)
	return s
}

// accept serves connections until the listener is closed.
func (s *StubServer) accept(behave func(*peer)) {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns[conn] = true
		s.mu.Unlock()
		s.goWith(func() {
			defer s.forget(conn)
			// A small buffer: what a stub has not read stays in the socket, as it
			// does with a busy server.
			behave(&peer{StubServer: s, conn: conn, reader: bufio.NewReaderSize(conn, 4096)})
		})
	}
}

// goWith runs f in a goroutine that close joins.
func (s *StubServer) goWith(f func()) {
	s.wait.Add(1)
	go func() {
		defer s.wait.Done()
		defer func() {
			if p := recover(); p != nil {
				s.t.Errorf("stub: panic: %v", p)
			}
		}()
		f()
	}()
}

func (s *StubServer) forget(conn net.Conn) {
	s.mu.Lock()
	delete(s.conns, conn)
	s.mu.Unlock()
	conn.Close()
}

// close ends the listener and the connections and joins every goroutine.
func (s *StubServer) close() {
	close(s.done)
	s.listener.Close()
	// A connection accepted at this very moment is in conns before its
	// goroutine runs; the accept loop has ended when wait returns.
	stopped := make(chan struct{})
	go func() { defer close(stopped); s.wait.Wait() }()
	for {
		s.mu.Lock()
		for conn := range s.conns {
			conn.Close()
		}
		s.mu.Unlock()
		select {
		case <-stopped:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Commands is the number of commands received on all connections.
func (s *StubServer) Commands() int64 { return s.received.Load() }

// Calls is the number of commands of one name received, whatever the answer was.
func (s *StubServer) Calls(name string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[strings.ToUpper(name)]
}

// Open is the number of connections open now.
func (s *StubServer) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// next reads and counts one command; false when the connection is over.
func (p *peer) next() ([][]byte, bool) {
	args, err := readCommand(p.reader)
	if err != nil {
		var broken protocolError
		if errors.As(err, &broken) {
			p.write([]byte("-ERR Protocol error: " + string(broken) + "\r\n"))
		}
		return nil, false
	}
	p.received.Add(1)
	p.mu.Lock()
	p.names[string(bytes.ToUpper(args[0]))]++
	p.mu.Unlock()
	return args, true
}

// write writes a reply at once; false when the connection is over.
func (p *peer) write(reply []byte) bool {
	_, err := p.conn.Write(reply)
	return err == nil
}

// until waits for an instant; false when the stub ends first. The last stretch is
// spent yielding instead of sleeping, because a sleep may end a millisecond late.
func (p *peer) until(at time.Time) bool {
	const stretch = 200 * time.Microsecond
	if d := time.Until(at) - stretch; d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-p.done:
			return false
		}
	}
	for time.Until(at) > 0 {
		runtime.Gosched()
	}
	return true
}
