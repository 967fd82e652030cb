package redistest

import (
	"fmt"
	"net"
	"testing"
	"time"
)

// Block writes each reply before it reads the next command, through socket
// buffers of a few kilobytes: a client that writes a large batch before it reads
// makes both sides wait for ever (CASES C37).
func Block(t testing.TB) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		if small, ok := p.conn.(interface{ SetWriteBuffer(int) error }); ok {
			_ = small.SetWriteBuffer(16 << 10) // a kernel that refuses only blocks later
		}
		for {
			args, ok := p.next()
			if !ok || !p.write(p.store.reply(args)) {
				return
			}
		}
	})
}

// Slow answers like a server that needs d for each command: reply i of a batch
// comes i·d after the batch (CASES C03).
func Slow(t testing.TB, d time.Duration) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		var free time.Time // when the previous reply was due
		for {
			queued := p.reader.Buffered() > 0
			args, ok := p.next()
			if !ok {
				return
			}
			// A queued command starts where the one before it ended, so that the
			// lateness of a timer does not add up.
			if now := time.Now(); !queued {
				free = now
			}
			free = free.Add(d)
			if !p.until(free) || !p.write(p.store.reply(args)) {
				return
			}
		}
	})
}

// Mute answers n commands of each connection and then nothing, while it keeps
// reading and keeps the socket (CASES C05, C35).
func Mute(t testing.TB, n int) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		for i := 0; ; i++ {
			args, ok := p.next()
			if !ok || i < n && !p.write(p.store.reply(args)) {
				return
			}
		}
	})
}

// NoInfo answers the data commands and refuses INFO, CONFIG, CLIENT, HELLO, SELECT
// and COMMAND, as a proxy or a tightly locked server does (CASES C21).
func NoInfo(t testing.TB) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		for {
			args, ok := p.next()
			if !ok {
				return
			}
			reply := p.store.reply(args)
			switch upper(args[0]) {
			case "INFO", "CONFIG", "CLIENT", "HELLO", "SELECT", "COMMAND":
				reply = unknown(args)
			}
			if !p.write(reply) {
				return
			}
		}
	})
}

// Short leaves out one reply of each connection, the one after n commands, and
// answers all others.
func Short(t testing.TB, n int) *StubServer {
	t.Helper()
	return instead(t, n, nil)
}

// Garbage sends, on each connection after n commands, a byte that opens no reply
// of the protocol instead of an answer, and answers all others.
func Garbage(t testing.TB, n int) *StubServer {
	t.Helper()
	return instead(t, n, []byte{0x7f})
}

// instead replaces one reply of each connection.
func instead(t testing.TB, n int, with []byte) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		for i := 0; ; i++ {
			args, ok := p.next()
			if !ok {
				return
			}
			reply := p.store.reply(args)
			if i == n {
				reply = with
			}
			if !p.write(reply) {
				return
			}
		}
	})
}

// Raw answers whatever arrives with the same bytes, such as an HTTP error, and
// counts arrivals instead of commands.
func Raw(t testing.TB, reply []byte) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		buffer := make([]byte, 4096)
		for {
			if _, err := p.reader.Read(buffer); err != nil {
				return
			}
			p.received.Add(1)
			if !p.write(reply) {
				return
			}
		}
	})
}

// Exact answers each command d after it arrived, however many are on the way: a
// link with a long round trip and a server that costs nothing.
func Exact(t testing.TB, d time.Duration) *StubServer {
	t.Helper()
	type due struct {
		at    time.Time
		reply []byte
	}
	return serve(t, func(p *peer) {
		queue := make(chan due, 1<<16)
		defer close(queue)
		p.goWith(func() {
			for next := range queue {
				if !p.until(next.at) || !p.write(next.reply) {
					break
				}
			}
			for range queue { // a reader that is ahead must not block
			}
		})
		for {
			args, ok := p.next()
			if !ok {
				return
			}
			queue <- due{time.Now().Add(d), p.store.reply(args)}
		}
	})
}

// Half sends, on each connection after n commands, the first half of a reply, and
// then either closes the connection or falls silent.
func Half(t testing.TB, n int, closes bool) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		for i := 0; ; i++ {
			args, ok := p.next()
			if !ok {
				return
			}
			reply := p.store.reply(args)
			switch {
			case i > n:
				continue
			case i == n && !p.write(reply[:len(reply)/2]), i == n && closes:
				return
			case i < n && !p.write(reply):
				return
			}
		}
	})
}

// Always answers each command with the same reply, such as "-LOADING …\r\n".
func Always(t testing.TB, reply string) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		for {
			if _, ok := p.next(); !ok || !p.write([]byte(reply)) {
				return
			}
		}
	})
}

// Full serves so many connections at a time and turns every other one away as a proxy
// does that has to hear a command first: it answers it with Redis's refusal and closes.
// Commands that were refused are Calls of "REFUSED", too.
func Full(t testing.TB, places int) *StubServer {
	t.Helper()
	free := make(chan struct{}, places)
	return serve(t, func(p *peer) {
		select {
		case free <- struct{}{}:
			defer func() { <-free }()
		default:
			if _, ok := p.next(); ok {
				p.mu.Lock()
				p.names["REFUSED"]++
				p.mu.Unlock()
				p.write([]byte("-ERR max number of clients reached\r\n"))
			}
			return
		}
		for {
			args, ok := p.next()
			if !ok || !p.write(p.store.reply(args)) {
				return
			}
		}
	})
}

// Reset answers n commands of each connection and then resets it: what was sent to it
// and not read is gone, as is what it has sent and the other side has not.
func Reset(t testing.TB, n int) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		for range n {
			args, ok := p.next()
			if !ok || !p.write(p.store.reply(args)) {
				return
			}
		}
		if tcp, ok := p.conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // fails only on a connection that is gone already
		}
	})
}

// Telling answers like a server that needs d for each data command, and tells of itself
// what info says, once for every INFO without a section.
func Telling(t testing.TB, d time.Duration, info func() string) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		for {
			args, ok := p.next()
			if !ok {
				return
			}
			reply, due := p.store.reply(args), time.Now().Add(d)
			if upper(args[0]) == "INFO" {
				text := ""
				if len(args) == 1 {
					text = info()
				}
				reply, due = []byte(fmt.Sprintf("$%d\r\n%s\r\n", len(text), text)), time.Now()
			}
			if !p.until(due) || !p.write(reply) {
				return
			}
		}
	})
}
