//go:build verify && linux

package main_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// exact is a server that answers each command a fixed time after it arrived, to a
// few microseconds: one thread that never sleeps while a reply is due. It is the
// truth that added latency is measured against, and keeps its own account of how
// exact it was. (redistest.Exact needs a goroutine per connection, whose waits
// would take all of a small machine.)
type exact struct {
	port int
	hold time.Duration

	stop   chan struct{}
	wait   sync.WaitGroup
	fault  error // read after the end
	epoll  int
	listen int
	peers  map[int]*[]byte // what has come of the next command, by descriptor
	queue  []reply         // oldest first; all are held equally long

	mu    sync.Mutex
	pings []time.Time     // arrivals of PING, which is the load
	held  []time.Duration // how long each was really held
}

// reply waits for its time.
type reply struct {
	fd      int
	arrived time.Time
	text    []byte
	ping    bool
}

// startExact starts the stub; it ends with the test.
func startExact(t *testing.T, hold time.Duration) *exact {
	t.Helper()
	s := &exact{hold: hold, stop: make(chan struct{}), peers: map[int]*[]byte{}}
	if err := s.open(); err != nil {
		t.Fatalf("start the stub: %v", err)
	}
	s.wait.Go(func() {
		defer func() {
			if v := recover(); v != nil {
				s.fault = fmt.Errorf("panic: %v", v)
			}
		}()
		runtime.LockOSThread()
		s.fault = s.serve()
	})
	t.Cleanup(func() {
		close(s.stop)
		s.wait.Wait()
		if s.fault != nil {
			t.Errorf("the stub: %v", s.fault)
		}
	})
	return s
}

func (s *exact) open() (err error) {
	if s.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	if s.listen, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0); err != nil {
		return err
	}
	if err = unix.Bind(s.listen, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return os.NewSyscallError("bind", err)
	}
	if err = unix.Listen(s.listen, 1024); err != nil {
		return os.NewSyscallError("listen", err)
	}
	addr, err := unix.Getsockname(s.listen)
	if err != nil {
		return err
	}
	s.port = addr.(*unix.SockaddrInet4).Port
	return s.watch(s.listen)
}

func (s *exact) watch(fd int) error {
	return unix.EpollCtl(s.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

// serve runs until the stub is stopped.
func (s *exact) serve() error {
	defer func() {
		for fd := range s.peers {
			unix.Close(fd)
		}
		unix.Close(s.listen)
		unix.Close(s.epoll)
	}()
	events := make([]unix.EpollEvent, 256)
	for {
		select {
		case <-s.stop:
			return nil
		default:
		}
		patience := 1 // milliseconds
		if len(s.queue) > 0 {
			patience = 0
		}
		n, err := unix.EpollWait(s.epoll, events, patience)
		if err != nil && err != unix.EINTR {
			return os.NewSyscallError("epoll_wait", err)
		}
		now := time.Now()
		for _, e := range events[:max(n, 0)] {
			if err := s.ready(int(e.Fd), now); err != nil {
				return err
			}
		}
		s.answer()
	}
}

// ready takes new connections, or what has come on one.
func (s *exact) ready(fd int, now time.Time) error {
	if fd == s.listen {
		peer, _, err := unix.Accept4(fd, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
		if err != nil {
			return nil // it has gone again
		}
		if err := unix.SetsockoptInt(peer, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
			return err
		}
		s.peers[peer] = new([]byte)
		return s.watch(peer)
	}
	if s.peers[fd] == nil {
		return nil // it was closed a moment ago
	}
	var buffer [16 << 10]byte
	n, err := unix.Read(fd, buffer[:])
	switch {
	case err == unix.EAGAIN || err == unix.EINTR:
		return nil
	case err != nil || n == 0:
		delete(s.peers, fd)
		// Closing alone does not end the watch while a child that is just being
		// started still shares the socket.
		_ = unix.EpollCtl(s.epoll, unix.EPOLL_CTL_DEL, fd, nil)
		s.queue = slices.DeleteFunc(s.queue, func(r reply) bool { return r.fd == fd })
		return unix.Close(fd)
	}
	pending := append(*s.peers[fd], buffer[:n]...)
	for {
		args, rest, whole := command(pending)
		if !whole {
			break
		}
		pending = rest
		s.take(fd, now, args)
	}
	*s.peers[fd] = pending
	return nil
}

// command cuts one command off the front of what has come.
func command(b []byte) (args [][]byte, rest []byte, whole bool) {
	number := func(mark byte) (n int, ok bool) {
		end := bytes.Index(b, []byte("\r\n"))
		if end < 1 || b[0] != mark {
			return 0, false
		}
		n, err := strconv.Atoi(string(b[1:end]))
		b = b[end+2:]
		return n, err == nil
	}
	n, ok := number('*')
	if !ok {
		return nil, nil, false
	}
	for range n {
		size, ok := number('$')
		if !ok || len(b) < size+2 {
			return nil, nil, false
		}
		args, b = append(args, b[:size]), b[size+2:]
	}
	return args, b, true
}

// take puts a command's reply in line.
func (s *exact) take(fd int, now time.Time, args [][]byte) {
	r := reply{fd: fd, arrived: now, text: []byte("+OK\r\n")}
	switch name := string(bytes.ToUpper(args[0])); name {
	case "PING":
		r.text, r.ping = []byte("+PONG\r\n"), true
		s.mu.Lock()
		s.pings = append(s.pings, now)
		s.mu.Unlock()
	case "ECHO":
		r.text = fmt.Appendf(nil, "$%d\r\n%s\r\n", len(args[1]), args[1])
	case "INFO":
		const text = "# Server\r\nredis_version:7.0.0\r\nredis_mode:standalone\r\nrole:master\r\n"
		r.text = fmt.Appendf(nil, "$%d\r\n%s\r\n", len(text), text)
	case "CONFIG", "COMMAND":
		r.text = []byte("-ERR unknown command\r\n")
	case "SCAN":
		r.text = []byte("*2\r\n$1\r\n0\r\n*0\r\n")
	}
	s.queue = append(s.queue, r)
}

// answer writes what is due.
func (s *exact) answer() {
	for len(s.queue) > 0 {
		r := s.queue[0]
		now := time.Now()
		if now.Sub(r.arrived) < s.hold {
			return
		}
		s.queue = s.queue[1:]
		_, _ = unix.Write(r.fd, r.text) // a peer that has gone is noticed by its read
		if r.ping {
			s.mu.Lock()
			s.held = append(s.held, now.Sub(r.arrived))
			s.mu.Unlock()
		}
	}
}

// account gives what was counted since the last call.
func (s *exact) account() (pings []time.Time, held []time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pings, held = s.pings, s.held
	s.pings, s.held = nil, nil
	return pings, held
}

// quantile is of durations, in milliseconds.
func quantile(of []time.Duration, q float64) float64 {
	if len(of) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(of))
	return float64(sorted[int(q*float64(len(sorted)-1))].Nanoseconds()) / 1e6
}

// probe asks the stub one request at a time over a connection of its own, as plain
// as can be: what any client sees at least.
func (s *exact) probe(t *testing.T, times int) []time.Duration {
	t.Helper()
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var took []time.Duration
	buffer := make([]byte, 64)
	for range times {
		begun := time.Now()
		if _, err := conn.Write([]byte("*1\r\n$4\r\nPING\r\n")); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Read(buffer); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(begun))
	}
	return took
}
