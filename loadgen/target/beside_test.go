package target_test

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"net"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

// terminated is a target over TLS whose proxy passes everything on to addr.
func terminated(t testing.TB, addr string) target.Target {
	t.Helper()
	ca := redistest.Certify(t, "test authority")
	config := &tls.Config{Certificates: []tls.Certificate{ca.Issue(t, "leaf", redistest.Leaf{IPs: []string{"127.0.0.1"}}).Certificate}}
	proxy := redistest.Terminate(t, config, addr)
	return secure(t, proxy.Host, proxy.Port, target.TLSOptions{CAFile: ca.File})
}

func load(t testing.TB, tg target.Target) *target.Conn {
	t.Helper()
	c, err := tg.Dial(t.Context(), time.Now())
	must(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// M13 over TLS against a real server: every depth, small and 64 KB values, both ways.
func TestTLSPipelines(t *testing.T) {
	ca := redistest.Certify(t, "test authority")
	s := redistest.StartTLS(t, ca, ca.Issue(t, "server", redistest.Leaf{IPs: []string{"127.0.0.1"}}))
	tg := secure(t, s.Host, s.TLSPort, target.TLSOptions{CAFile: ca.File})
	sent := int64(0)
	for _, size := range []int{3, 64 << 10} {
		payload := bytes.Repeat([]byte("x"), size)
		for _, p := range []int{1, 2, 16, 100, 1000} {
			c := load(t, tg)
			ended := make(chan error, 1)
			go func() { ended <- echo(c, payload, p) }()
			select {
			case err := <-ended:
				must(t, err)
			case <-time.After(30 * time.Second):
				c.Close()
				t.Fatalf("P=%d with %d bytes hangs", p, size)
			}
			sent += int64(p)
			// Plain bytes are counted, so that figures with and without TLS compare.
			request := len(fmt.Sprintf("*2\r\n$4\r\nECHO\r\n$%d\r\n\r\n", size)) + size
			reply := len(fmt.Sprintf("$%d\r\n\r\n", size)) + size
			if c.BytesOut() != int64(p*request) || c.BytesIn() != int64(p*reply) || c.Buffered() != 0 {
				t.Errorf("P=%d, %d bytes: out %d, in %d, buffered %d", p, size, c.BytesOut(), c.BytesIn(), c.Buffered())
			}
			c.Close()
		}
	}
	if n := s.Calls(t, "echo"); n != sent {
		t.Errorf("the server counted %d, want %d", n, sent)
	}
}

// echo sends p values and checks their replies.
func echo(c *target.Conn, payload []byte, p int) error {
	for range p {
		if err := c.Send("ECHO", []any{payload}); err != nil {
			return err
		}
	}
	if err := c.Flush(); err != nil {
		return err
	}
	last := time.Duration(0)
	for i := range p {
		r, err := c.Receive()
		if err != nil {
			return fmt.Errorf("reply %d: %w", i, err)
		}
		if r.Kind != target.Value || r.Bytes != int64(len(payload)) || r.At < last || r.At > c.Now() {
			return fmt.Errorf("reply %d: %+v after %v", i, r, last)
		}
		last = r.At
	}
	return nil
}

// C37 over TLS: a server that writes before it reads.
func TestTLSHugeBatchDoesNotHang(t *testing.T) {
	c := load(t, terminated(t, redistest.Block(t).Addr))
	payload := bytes.Repeat([]byte("x"), 16<<10)
	ended := make(chan error, 1)
	go func() {
		for range 2 { // the connection is as good as new after the first
			if err := echo(c, payload, 1600); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	select {
	case err := <-ended:
		must(t, err)
	case <-time.After(30 * time.Second):
		c.Close()
		t.Fatal("the batch hangs")
	}
}

// A frozen server takes no more bytes; Close ends the write at once, without TLS's
// farewell, and the goroutine that writes with it.
func TestTLSCloseUnblocks(t *testing.T) {
	ca := redistest.Certify(t, "test authority")
	s := redistest.StartTLS(t, ca, ca.Issue(t, "server", redistest.Leaf{IPs: []string{"127.0.0.1"}}))
	for _, bytesSent := range []int{64 << 20, 100} {
		c := load(t, secure(t, s.Host, s.TLSPort, target.TLSOptions{CAFile: ca.File}))
		must(t, verify(c))
		before := c.BytesOut()
		s.Pause()
		ended := make(chan error, 1)
		go func() {
			payload := bytes.Repeat([]byte("x"), min(bytesSent, 1<<20))
			for range max(1, bytesSent>>20) {
				if err := c.Send("SET", []any{[]byte("k"), payload}); err != nil {
					ended <- err
					return
				}
			}
			must(t, c.Flush())
			_, err := c.Receive()
			ended <- err
		}()
		for deadline := time.Now().Add(10 * time.Second); c.BytesOut() == before && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		start := time.Now()
		must(t, c.Close())
		if code := target.ErrorCode(within(t, ended)); code != "closed" {
			t.Errorf("%d bytes: code %q, want closed", bytesSent, code)
		}
		if took := time.Since(start); took > 4*time.Second { // the farewell takes five
			t.Errorf("%d bytes: closing took %v", bytesSent, took)
		}
		must(t, c.Close())
		s.Resume()
	}
}

// The server is killed in the middle of a batch that is under way: the writer ends
// and the fault has its code.
func TestTLSKilled(t *testing.T) {
	ca := redistest.Certify(t, "test authority")
	s := redistest.StartTLS(t, ca, ca.Issue(t, "server", redistest.Leaf{IPs: []string{"127.0.0.1"}}))
	c := load(t, secure(t, s.Host, s.TLSPort, target.TLSOptions{CAFile: ca.File}))
	ended := make(chan error, 1)
	go func() {
		payload := bytes.Repeat([]byte("x"), 64<<10)
		for {
			if err := echo(c, payload, 200); err != nil {
				ended <- err
				return
			}
		}
	}()
	for deadline := time.Now().Add(10 * time.Second); c.BytesIn() < 1<<20 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	s.Kill()
	switch code := target.ErrorCode(within(t, ended)); code {
	case "reset", "eof":
	default:
		t.Errorf("code %q", code)
	}
}

// bundle is a socket that keeps what is written until flush.
type bundle struct {
	net.Conn
	held []byte
	hold bool
}

func (b *bundle) Write(p []byte) (int, error) {
	if b.hold {
		b.held = append(b.held, p...)
		return len(p), nil
	}
	return b.Conn.Write(p)
}

// M2 under TLS: a reply has the stamp of the socket read that brought its last byte,
// not of the moment at which its record was decrypted.
func TestTLSStampsAreOfTheSocket(t *testing.T) {
	ca := redistest.Certify(t, "test authority")
	leaf := ca.Issue(t, "leaf", redistest.Leaf{IPs: []string{"127.0.0.1"}})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	served := make(chan error, 1)
	go func() {
		served <- func() error {
			socket, err := l.Accept()
			if err != nil {
				return err
			}
			defer socket.Close()
			b := &bundle{Conn: socket}
			conn := tls.Server(b, &tls.Config{Certificates: []tls.Certificate{leaf.Certificate}})
			buf := make([]byte, 100)
			if _, err := conn.Read(buf); err != nil {
				return err
			}
			b.hold = true
			for range 3 { // a record each, and one packet for all
				if _, err := conn.Write([]byte("+OK\r\n")); err != nil {
					return err
				}
			}
			if _, err := socket.Write(b.held); err != nil {
				return err
			}
			_, _ = conn.Read(buf) // until the client hangs up
			return nil
		}()
	}()
	c := load(t, secure(t, "127.0.0.1", l.Addr().(*net.TCPAddr).Port, target.TLSOptions{CAFile: ca.File}))
	must(t, c.SendPrepared(target.PrepareInline([]byte("PING\r\n")), nil))
	must(t, c.Flush())
	first, err := c.Receive()
	must(t, err)
	for range 2 {
		time.Sleep(5 * time.Millisecond) // a stamp taken at decryption would show it
		r, err := c.Receive()
		must(t, err)
		if r.At != first.At || r.At <= 0 {
			t.Errorf("stamps %v and %v, want one", first.At, r.At)
		}
	}
	c.Close()
	must(t, within(t, served))
}
