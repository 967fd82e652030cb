package workload_test

import (
	"bufio"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/workload"
)

// wire speaks to a server with nothing but the bytes that this package makes.
type wire struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func connect(t *testing.T, addr string) wire {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return wire{t, conn, bufio.NewReader(conn)}
}

// ask sends raw bytes and returns the reply's scalars; nil becomes "(nil)".
func (w wire) ask(raw string) []string {
	w.t.Helper()
	if _, err := io.WriteString(w.conn, raw); err != nil {
		w.t.Fatal(err)
	}
	return w.reply(raw)
}

func (w wire) reply(raw string) []string {
	w.t.Helper()
	head, err := w.in.ReadString('\n')
	if err != nil {
		w.t.Fatalf("reply to %.80q: %v", raw, err)
	}
	body := strings.TrimSpace(head[1:])
	switch head[0] {
	case '-':
		w.t.Fatalf("reply to %.80q: %s", raw, body)
	case '$', '*':
		n, err := strconv.Atoi(body)
		switch {
		case err != nil:
			w.t.Fatalf("reply to %.80q: %q", raw, head)
		case n < 0:
			return []string{"(nil)"}
		case head[0] == '*':
			var all []string
			for range n {
				all = append(all, w.reply(raw)...)
			}
			return all
		}
		value := make([]byte, n+2)
		if _, err := io.ReadFull(w.in, value); err != nil {
			w.t.Fatal(err)
		}
		return []string{string(value[:n])}
	}
	return []string{body}
}

func (w wire) do(ops ...workload.Op) []string {
	w.t.Helper()
	var last []string
	for _, op := range ops {
		last = w.ask(renderOp(op))
	}
	return last
}

func (w wire) number(op workload.Op) int64 {
	w.t.Helper()
	n, err := strconv.ParseInt(w.do(op)[0], 10, 64)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// prepare does what an engine does before load, with small stocks.
func (w wire) prepare(load workload.Workload) {
	w.t.Helper()
	for _, f := range load.Fixtures() {
		w.do(f.Reset...)
		for from := int64(0); from < f.Items; from += 100 {
			w.do(f.Write(from, 100)...)
		}
	}
	for _, s := range load.Stocks() {
		if s.Fill == 0 {
			continue
		}
		for from := int64(0); from < 2500; from += 500 {
			w.do(s.Push(from, 500))
		}
		if got := w.number(s.Length); got != 2500 {
			w.t.Errorf("%s: %d items after pushing 2500", s.Key, got)
		}
	}
}

// Every row runs on a real server without an error or a miss, its keys have the
// type the row says, and Families names them all.
func TestEveryRowOnARealServer(t *testing.T) {
	server := redistest.Start(t)
	for _, test := range workload.Catalog() {
		t.Run(test.Name(), func(t *testing.T) {
			w := connect(t, server.Addr)
			w.do(workload.Op{Name: "FLUSHALL"})
			l := load(t, test.Name())
			l.Keys.Size, l.Payload = 200, 100
			w.prepare(l)
			g := l.Generator(0)
			for range 500 {
				raw := render(g.Next())
				reply := w.ask(raw)
				checkReply(t, test, raw, reply)
			}
			checkKeys(t, w, l)
		})
	}
}

func checkReply(t *testing.T, test workload.Test, raw string, reply []string) {
	t.Helper()
	if !test.Reads {
		return
	}
	if len(reply) == 0 || len(reply) < test.Values {
		t.Fatalf("%.80q: %d elements, want at least %d", raw, len(reply), test.Values)
	}
	for _, value := range reply {
		if value == "(nil)" || test.Values > 0 && len(value) != 100 {
			t.Fatalf("%.80q: %q, want 100 bytes", raw, value)
		}
	}
}

func checkKeys(t *testing.T, w wire, l workload.Workload) {
	t.Helper()
	families := l.Families()
	for _, key := range w.do(workload.Op{Name: "KEYS", Args: []any{"*"}}) {
		if len(families) != 1 || !strings.HasPrefix(key, families[0]) {
			t.Fatalf("key %s lies outside the families %v", key, families)
		}
		if got := w.do(workload.Op{Name: "TYPE", Args: []any{key}})[0]; got != l.Mix[0].Test.Type {
			t.Fatalf("%s is a %s, want %s", key, got, l.Mix[0].Test.Type)
		}
	}
}

// SPOP takes members that SADD may write again; pushed ones must still be new.
func TestPushedMembersAreNewBesideThoseOfSadd(t *testing.T) {
	w := connect(t, redistest.Start(t).Addr)
	l := load(t, "sadd=1,spop=1")
	l.Keys.Size = 100
	g := l.Source().Generator(0)
	for range 1000 {
		w.ask(render(g.Next()))
	}
	stock := l.Stocks()[0]
	before := w.number(stock.Length)
	w.do(stock.Push(0, 1000), stock.Push(1000, 1000))
	if after := w.number(stock.Length); after != before+2000 {
		t.Errorf("%d members after pushing 2000 to %d", after, before)
	}
}

func TestTrimmingReachesItsTarget(t *testing.T) {
	w := connect(t, redistest.Start(t).Addr)
	for _, name := range []string{"lpush", "rpush", "xadd"} {
		l := load(t, name)
		g, stock := l.Generator(0), l.Stocks()[0]
		for range 500 {
			w.ask(render(g.Next()))
		}
		for length := w.number(stock.Length); length > 120; length = w.number(stock.Length) {
			w.do(stock.Trim(length, 120))
		}
		if got := w.number(stock.Length); got != 120 {
			t.Errorf("%s: %d left, want 120", name, got)
		}
		w.do(stock.Trim(120, 200))
		if got := w.number(stock.Length); got != 120 {
			t.Errorf("%s: %d left after trimming what is short enough", name, got)
		}
		w.do(workload.Op{Name: "UNLINK", Args: []any{stock.Key}})
	}
}
