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

	"github.com/gomodule/redigo/redis"
)

// answerer is a loopback server that costs next to nothing: it counts requests of
// one known size and answers each with the same bytes.
func answerer(b *testing.B, request int, reply []byte) (addr string) {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(b, err)
	answer(b, l, request, reply)
	return l.Addr().String()
}

// answer does so for the first connection that l accepts.
func answer(b *testing.B, l net.Listener, request int, reply []byte) {
	b.Cleanup(func() { l.Close() })
	most := max(1, (256<<10)/len(reply))
	replies := bytes.Repeat(reply, most)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		buf := make([]byte, 64<<10)
		for have := 0; ; {
			n, err := conn.Read(buf)
			if err != nil {
				return
			}
			have += n
			for ; have >= request; have -= request * min(most, have/request) {
				if _, err := conn.Write(replies[:len(reply)*min(most, have/request)]); err != nil {
					return
				}
			}
		}
	}()
}

type reader struct{ name, reply string }

func replies() []reader {
	return []reader{
		{"OK", "+OK\r\n"},
		{"3B", "$3\r\nVXK\r\n"},
		{"16KB", "$16384\r\n" + string(bytes.Repeat([]byte("x"), 16384)) + "\r\n"},
		{"array100", "*100\r\n" + string(bytes.Repeat([]byte("$3\r\nVXK\r\n"), 100))},
	}
}

const benchRequest = "*2\r\n$3\r\nGET\r\n$16\r\nkey:000000000001\r\n"

// batcher is what a worker does with a connection, for redigo alone and for Conn.
type batcher interface {
	send() error
	flush() error
	receive() error
}

type withSkimmer struct {
	conn *target.Conn
	args []any
}

func (w withSkimmer) send() error  { return w.conn.Send("GET", w.args) }
func (w withSkimmer) flush() error { return w.conn.Flush() }
func (w withSkimmer) receive() error {
	_, err := w.conn.Receive()
	return err
}

type without struct {
	conn redis.Conn
	args []any
}

func (w without) send() error  { return w.conn.Send("GET", w.args...) }
func (w without) flush() error { return w.conn.Flush() }
func (w without) receive() error {
	_, err := w.conn.Receive()
	return err
}

// One op is one command: Send, its share of a Flush, Receive.
func BenchmarkCommand(b *testing.B) {
	args := []any{[]byte("key:000000000001")}
	for _, r := range replies() {
		for _, p := range []int{1, 16, 100} {
			b.Run(fmt.Sprintf("%s/P=%d/skimmer", r.name, p), func(b *testing.B) {
				tg := target.Target{Network: "tcp", Address: answerer(b, len(benchRequest), []byte(r.reply))}
				c, err := tg.Dial(b.Context(), time.Now())
				must(b, err)
				defer c.Close()
				batches(b, p, withSkimmer{c, args})
			})
			b.Run(fmt.Sprintf("%s/P=%d/redigo", r.name, p), func(b *testing.B) {
				c, err := redis.Dial("tcp", answerer(b, len(benchRequest), []byte(r.reply)))
				must(b, err)
				defer c.Close()
				batches(b, p, without{c, args})
			})
		}
	}
}

// What TLS costs: one op is one command, as above. Both sides share the processor.
func BenchmarkCommandTLS(b *testing.B) {
	ca := redistest.Certify(b, "bench")
	leaf := ca.Issue(b, "leaf", redistest.Leaf{IPs: []string{"127.0.0.1"}})
	args := []any{[]byte("key:000000000001")}
	for _, r := range replies() {
		for _, p := range []int{1, 16, 100, 1000} {
			b.Run(fmt.Sprintf("%s/P=%d", r.name, p), func(b *testing.B) {
				l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{leaf.Certificate}})
				must(b, err)
				answer(b, l, len(benchRequest), []byte(r.reply))
				c, err := secure(b, "127.0.0.1", l.Addr().(*net.TCPAddr).Port, target.TLSOptions{CAFile: ca.File}).Dial(b.Context(), time.Now())
				must(b, err)
				defer c.Close()
				batches(b, p, withSkimmer{c, args})
			})
		}
	}
}

func batches(b *testing.B, p int, c batcher) {
	b.ReportAllocs()
	b.ResetTimer()
	for done := 0; done < b.N; done += p {
		for range p {
			if err := c.send(); err != nil {
				b.Fatal(err)
			}
		}
		if err := c.flush(); err != nil {
			b.Fatal(err)
		}
		for range p {
			if err := c.receive(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkSkim is the cost of reading replies alone, without a network.
func BenchmarkSkim(b *testing.B) {
	for _, r := range replies() {
		b.Run(r.name, func(b *testing.B) {
			e := &endless{burst: bytes.Repeat([]byte(r.reply), max(1, (60<<10)/len(r.reply)))}
			c := target.NewConn(e, time.Now())
			b.SetBytes(int64(len(r.reply)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Receive(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
