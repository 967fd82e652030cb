package embedded

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/redcon"
)

// databases is the number of databases, as in Redis's default configuration.
const databases = 16

// Server is a running demo server. Its methods may be called from any goroutine.
type Server struct {
	listener net.Listener
	started  time.Time
	done     chan struct{} // closed by Close
	once     sync.Once     // guards Close
	wait     sync.WaitGroup

	// One lock for all data, held for a whole batch: like Redis, commands run one
	// after the other, and a batch pays for the lock once.
	mu       sync.Mutex
	closed   bool
	sessions map[*session]bool
	data     [databases]database
	commands map[string]*command
	totals   totals
}

// totals are the counters of INFO stats.
type totals struct {
	connections, commands, errors int64
	reads, writes                 int64 // batches read from, and written to, a socket
	hits, misses                  int64
	in                            int64 // bytes of commands
}

// Start starts a server on a free loopback port.
func Start() (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("built-in demo server: %w", err)
	}
	s := &Server{listener: listener, started: time.Now(), done: make(chan struct{}),
		sessions: make(map[*session]bool), commands: commands()}
	for i := range s.data {
		s.data[i].keys = make(map[string]*entry)
	}
	s.goWith(s.accept)
	return s, nil
}

// Addr is the address it listens on: "127.0.0.1:PORT".
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Close closes the listener and every connection and returns when all goroutines
// have ended. A second call does nothing.
func (s *Server) Close() error {
	var err error
	s.once.Do(func() {
		close(s.done)
		err = s.listener.Close()
		s.mu.Lock()
		s.closed = true
		for c := range s.sessions {
			c.conn.Close()
		}
		s.mu.Unlock()
		s.wait.Wait()
	})
	return err
}

// goWith runs f in a goroutine that Close joins.
func (s *Server) goWith(f func()) {
	s.wait.Add(1)
	go func() {
		defer s.wait.Done()
		// The parser of a hostile client's bytes may panic; that ends its own
		// connection and nothing else.
		defer func() { _ = recover() }()
		f()
	}()
}

// accept serves connections until the listener is closed.
func (s *Server) accept() {
	var id int64
	for {
		conn, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as too many open files: others may close theirs
			select {
			case <-s.done:
				return
			case <-time.After(10 * time.Millisecond):
				continue
			}
		}
		id++
		c := &session{server: s, conn: conn, id: id, out: redcon.NewWriter(conn)}
		if !s.admit(c) {
			conn.Close()
			return
		}
		s.goWith(c.serve)
	}
}

// admit registers a connection; false when the server is closing.
func (s *Server) admit(c *session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.sessions[c] = true
	s.totals.connections++
	return true
}

// session is one client's connection.
type session struct {
	server *Server
	conn   net.Conn
	out    *redcon.Writer
	id     int64
	name   string // CLIENT SETNAME
	db     int
	quit   bool // QUIT was answered
	failed bool // the present command was answered with an error
}

// serve reads batches of commands, runs each under the server's lock and writes
// all its replies at once.
func (c *session) serve() {
	defer c.leave()
	reader := redcon.NewReader(c.conn)
	for !c.quit {
		batch, err := reader.ReadCommands()
		if err != nil {
			if strings.HasPrefix(err.Error(), "Protocol error") {
				c.out.WriteError("ERR " + err.Error())
				_ = c.out.Flush() // the connection is given up anyway
			}
			return
		}
		c.run(batch)
		if c.out.Flush() != nil {
			return
		}
	}
}

// run runs a batch. The lock is released by defer, so that a panic in a command
// does not stop the other connections.
func (c *session) run(batch []redcon.Command) {
	s := c.server
	s.mu.Lock()
	defer s.mu.Unlock()
	s.totals.reads++
	s.totals.writes++
	clock := time.Now()
	for _, command := range batch {
		if c.quit { // nothing after a QUIT is answered
			return
		}
		s.totals.in += int64(len(command.Raw))
		clock = c.execute(command.Args, clock)
	}
}

// leave forgets the connection.
func (c *session) leave() {
	c.server.mu.Lock()
	delete(c.server.sessions, c)
	c.server.mu.Unlock()
	c.conn.Close()
}
