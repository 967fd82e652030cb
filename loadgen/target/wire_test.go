package target_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

func TestBytesOnTheWire(t *testing.T) {
	m := &memory{}
	c := target.NewConn(m, time.Now())
	must(t, c.Send("SET", []any{[]byte("k"), []byte("v\r\n")}))
	must(t, c.Send("INCRBY", []any{"n", 7}))
	must(t, c.SendPrepared(target.PrepareInline([]byte("PING\r\n")), nil))
	must(t, c.Send("GET", []any{[]byte("k")}))
	if len(m.writes) != 0 {
		t.Errorf("written before Flush: %q", m.writes)
	}
	must(t, c.Flush())
	must(t, c.Flush())
	want := "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\nv\r\n\r\n" +
		"*3\r\n$6\r\nINCRBY\r\n$1\r\nn\r\n$1\r\n7\r\n" +
		"PING\r\n" +
		"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n"
	if len(m.writes) != 1 || m.written() != want {
		t.Errorf("%d writes of %q, want one of %q", len(m.writes), m.writes, want)
	}
	if c.BytesOut() != int64(len(want)) || c.Buffered() != len(want) {
		t.Errorf("BytesOut %d, Buffered %d, want %d", c.BytesOut(), c.Buffered(), len(want))
	}
}

// A batch of up to 64 KB is one write, though redigo hands it over in 4 KB.
func TestBatchIsOneWrite(t *testing.T) {
	m := &memory{}
	c := target.NewConn(m, time.Now())
	payload := bytes.Repeat([]byte("x"), 500)
	for range 100 {
		must(t, c.Send("SET", []any{[]byte("key"), payload}))
	}
	must(t, c.Flush())
	if len(m.writes) != 1 {
		t.Errorf("%d writes for %d bytes", len(m.writes), len(m.written()))
	}
	for range 1000 {
		must(t, c.Send("SET", []any{[]byte("key"), payload}))
	}
	must(t, c.Flush())
	if n := len(m.written()); len(m.writes) > 2+n/(60<<10) {
		t.Errorf("%d writes for %d bytes", len(m.writes), n)
	}
}

// A Read flushes what waits, so that a forgotten Flush cannot hang.
func TestReadFlushes(t *testing.T) {
	m := &memory{chunks: [][]byte{[]byte("+PONG\r\n")}}
	c := target.NewConn(m, time.Now())
	must(t, c.SendPrepared(target.PrepareInline([]byte("PING\r\n")), nil))
	if _, err := c.Receive(); err != nil || m.written() != "PING\r\n" {
		t.Errorf("written %q, %v", m.written(), err)
	}
	if c.Buffered() != 0 {
		t.Errorf("Buffered %d with nothing in flight", c.Buffered())
	}
	if c.BytesIn() != 7 {
		t.Errorf("BytesIn %d", c.BytesIn())
	}
}

// C03: replies that come one by one get a stamp each; replies that come in one
// piece share it; a reply in two pieces gets that of the second (M2).
func TestStamps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		base := time.Now()
		c := target.NewConn(here, base)
		go func() {
			defer there.Close()
			for range 10 {
				time.Sleep(time.Millisecond)
				io.WriteString(there, "+OK\r\n")
			}
			time.Sleep(time.Millisecond)
			io.WriteString(there, "$5\r\nab")
			time.Sleep(time.Millisecond)
			io.WriteString(there, "cde\r\n:1\r\n")
		}()
		for i := range 12 {
			r, err := c.Receive()
			must(t, err)
			want := time.Duration(i+1) * time.Millisecond
			if i >= 10 {
				want = 12 * time.Millisecond
			}
			if r.At != want {
				t.Errorf("reply %d at %v, want %v", i, r.At, want)
			}
		}
		// The stamp is of the arrival, not of the Receive.
		time.Sleep(time.Second)
		if now := c.Now(); now != 1012*time.Millisecond {
			t.Errorf("now %v", now)
		}
		_, err := c.Receive()
		if target.ErrorCode(err) != "eof" {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestNoAllocations(t *testing.T) {
	array := "*10\r\n" + strings.Repeat("$3\r\nabc\r\n", 9) + "$-1\r\n"
	for name, reply := range map[string]string{
		"status":  "+OK\r\n",
		"pong":    "+PONG\r\n",
		"integer": ":12345\r\n",
		"value":   "$3\r\nVXK\r\n",
		"nil":     "$-1\r\n",
		"array":   array,
		"big":     "$16384\r\n" + strings.Repeat("x", 16384) + "\r\n",
	} {
		for _, p := range []int{1, 16, 1000} {
			e := &endless{burst: []byte(strings.Repeat(reply, min(p, max(1, 60_000/len(reply)))))}
			p := len(e.burst) / len(reply)
			c := target.NewConn(e, time.Now())
			args := []any{[]byte("key:000000000001"), bytes.Repeat([]byte("x"), 64)}
			batch := func() {
				for range p {
					must(t, c.Send("SET", args))
				}
				must(t, c.Flush())
				for range p {
					_, err := c.Receive()
					must(t, err)
				}
			}
			// The buffers grow until a burst is one read.
			for range 8 {
				batch()
			}
			if n := testing.AllocsPerRun(20, batch); n != 0 {
				t.Errorf("%s, P=%d: %v allocations a batch", name, p, n)
			}
		}
	}
}

// C37: a server that writes before it reads, and a batch far larger than every
// buffer in between.
func TestHugeBatchDoesNotHang(t *testing.T) {
	stub := redistest.Block(t)
	c := dial(t, stub.Addr)
	payload := bytes.Repeat([]byte("x"), 16<<10)
	finished := make(chan error, 1)
	go func() {
		for range 800 {
			if err := c.Send("ECHO", []any{payload}); err != nil {
				finished <- err
				return
			}
		}
		finished <- c.Flush()
	}()
	select {
	case err := <-finished:
		must(t, err)
	case <-time.After(30 * time.Second):
		c.Close()
		t.Fatal("the batch hangs")
	}
	last := time.Duration(0)
	for i := range 800 {
		r, err := c.Receive()
		must(t, err)
		if r.Kind != target.Value || r.Bytes != 16<<10 || r.At < last {
			t.Fatalf("reply %d: %+v after %v", i, r, last)
		}
		last = r.At
	}
	if c.Buffered() != 0 || c.BytesOut() < 800*16<<10 || c.BytesIn() < 800*16<<10 {
		t.Errorf("Buffered %d, out %d, in %d", c.Buffered(), c.BytesOut(), c.BytesIn())
	}
}

// A frozen server takes no more bytes; Close from another goroutine ends the wait.
func TestCloseUnblocks(t *testing.T) {
	t.Run("reading", func(t *testing.T) {
		c := dial(t, redistest.Mute(t, 0).Addr)
		ended := make(chan error, 1)
		must(t, c.Send("PING", nil))
		must(t, c.Flush())
		go func() {
			_, err := c.Receive()
			ended <- err
		}()
		must(t, c.Close())
		if code := target.ErrorCode(within(t, ended)); code != "closed" {
			t.Errorf("code %q, want closed", code)
		}
		must(t, c.Close())
	})
	t.Run("writing", func(t *testing.T) {
		server := redistest.Start(t)
		c := dial(t, server.Addr)
		server.Pause()
		payload := bytes.Repeat([]byte("x"), 1<<20)
		ended := make(chan error, 1)
		go func() {
			for range 64 { // more than the sockets hold
				if err := c.Send("SET", []any{[]byte("k"), payload}); err != nil {
					ended <- err
					return
				}
			}
			_, err := c.Receive()
			ended <- err
		}()
		for deadline := time.Now().Add(10 * time.Second); c.BytesOut() == 0 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		must(t, c.Close())
		if code := target.ErrorCode(within(t, ended)); code != "closed" {
			t.Errorf("code %q, want closed", code)
		}
	})
}

// A server that turns a client away says why and closes; the words must arrive even
// when the client's write fails first (C33).
func TestLastWords(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "-ERR max number of clients reached\r\n")
			conn.Close()
		}
	}()
	for range 50 {
		c := dial(t, l.Addr().String())
		for range 3 { // the second write meets a broken pipe
			must(t, c.Send("PING", nil))
			must(t, c.Flush())
		}
		r, err := c.Receive()
		must(t, err)
		if r.Kind != target.Failure || r.Err != "ERR max number of clients reached" {
			t.Fatalf("got %+v", r)
		}
		_, err = c.Receive()
		if code := target.ErrorCode(err); code != "eof" && code != "reset" {
			t.Fatalf("then %v", err)
		}
		c.Close()
	}
}

func TestErrorsNameTheAddress(t *testing.T) {
	stub := redistest.Garbage(t, 0)
	c := dial(t, stub.Addr)
	must(t, c.Send("PING", nil))
	must(t, c.Flush())
	_, err := c.Receive()
	if !strings.Contains(fmt.Sprint(err), "read from "+stub.Addr+": not a Redis server") {
		t.Errorf("got %v", err)
	}
	var e *target.Error
	if !errors.As(err, &e) || e.Addr != stub.Addr {
		t.Errorf("got %#v", err)
	}
	if _, again := c.Receive(); target.ErrorCode(again) != "protocol" {
		t.Errorf("then %v", again)
	}
}

func dial(t *testing.T, addr string) *target.Conn {
	t.Helper()
	c, err := target.Target{Network: "tcp", Address: addr}.Dial(t.Context(), time.Now())
	must(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func within(t *testing.T, c <-chan error) error {
	t.Helper()
	select {
	case err := <-c:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("still waiting")
		return nil
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
