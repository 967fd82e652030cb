package target_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/target"

	"github.com/gomodule/redigo/redis"
)

// oracle reads stream with redigo's own parser and says what a Reply should say.
// ended tells how it stopped: at the end of the stream, or at nonsense.
func oracle(stream []byte) (replies []target.Reply, ended error) {
	conn := redis.NewConn(&memory{chunks: [][]byte{stream}}, 0, 0)
	for {
		reply, err := conn.Receive()
		refused, isError := err.(redis.Error)
		switch {
		case isError:
			reply = refused
		case err != nil:
			return replies, err
		}
		replies = append(replies, describe(reply))
	}
}

func describe(reply any) target.Reply {
	var r target.Reply
	switch v := reply.(type) {
	case nil:
		r.Kind = target.Nil
	case string:
		r.Kind = target.Status
	case int64:
		r.Kind = target.Integer
	case []byte:
		r.Kind, r.Bytes = target.Value, int64(len(v))
	case redis.Error:
		r.Kind, r.Err = target.Failure, string(v)
		if v == "" {
			r.Err = "ERR (the server gave no text)"
		}
	case []any:
		r.Kind, r.Elements = target.Array, len(v)
		for _, e := range v {
			d := describe(e)
			r.Bytes += d.Bytes
			if e == nil {
				r.Nils++
			}
			if d.Kind == target.Failure {
				r.Failures++
			}
			if r.Err == "" {
				r.Err = d.Err
			}
		}
	}
	return r
}

// skimmed reads chunks with a Conn.
func skimmed(chunks ...[]byte) (replies []target.Reply, ended error) {
	conn := target.NewConn(&memory{chunks: chunks}, time.Now())
	for {
		r, err := conn.Receive()
		if err != nil {
			return replies, err
		}
		r.At = 0
		replies = append(replies, r)
	}
}

// same fails unless chunks say to a Conn what their sum says to redigo.
func same(t *testing.T, chunks ...[]byte) {
	t.Helper()
	want, wantEnd := oracle(bytes.Join(chunks, nil))
	got, gotEnd := skimmed(chunks...)
	if len(got) != len(want) {
		t.Fatalf("%d replies, redigo reads %d; ended with %v, redigo with %v; chunks %q", len(got), len(want), gotEnd, wantEnd, chunks)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("reply %d: %+v, want %+v; chunks %q", i, got[i], want[i], chunks)
		}
	}
	var nonsense *target.ProtocolError
	isNonsense := errors.As(gotEnd, &nonsense)
	// A stream that ends within a stray line is nonsense to the skimmer at once,
	// while redigo waits for the line to end.
	if ended := errors.Is(wantEnd, io.EOF) || errors.Is(wantEnd, io.ErrUnexpectedEOF); !ended && !isNonsense {
		t.Fatalf("ended with %v, redigo with %v; chunks %q", gotEnd, wantEnd, chunks)
	}
}

func TestReplies(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, tt := range []struct {
		stream string
		want   target.Reply
	}{
		{"+OK\r\n", target.Reply{Kind: target.Status}},
		{"+\r\n", target.Reply{Kind: target.Status}},
		{"+" + long + "\r\n", target.Reply{Kind: target.Status}},
		{":-12\r\n", target.Reply{Kind: target.Integer}},
		{"$3\r\nabc\r\n", target.Reply{Kind: target.Value, Bytes: 3}},
		{"$0\r\n\r\n", target.Reply{Kind: target.Value}},
		{"$4\r\n\r\n\r\n\r\n", target.Reply{Kind: target.Value, Bytes: 4}},
		{"$5\r\n-ERR \r\n", target.Reply{Kind: target.Value, Bytes: 5}},
		{"$200000\r\n" + long + "\r\n", target.Reply{Kind: target.Value, Bytes: 200_000}},
		{"$-1\r\n", target.Reply{Kind: target.Nil}},
		{"*-1\r\n", target.Reply{Kind: target.Nil}},
		{"*0\r\n", target.Reply{Kind: target.Array}},
		{"*3\r\n$-1\r\n$1\r\na\r\n*-1\r\n", target.Reply{Kind: target.Array, Elements: 3, Nils: 2, Bytes: 1}},
		{"*2\r\n*2\r\n$-1\r\n*0\r\n*1\r\n*1\r\n:1\r\n", target.Reply{Kind: target.Array, Elements: 2}},
		{"-WRONGTYPE Operation\r\n", target.Reply{Kind: target.Failure, Err: "WRONGTYPE Operation"}},
		{"-\r\n", target.Reply{Kind: target.Failure, Err: "ERR (the server gave no text)"}},
		{"*3\r\n+OK\r\n-ERR first\r\n-ERR second\r\n", target.Reply{Kind: target.Array, Elements: 3, Failures: 2, Err: "ERR first"}},
	} {
		for _, size := range []int{1, 2, 7, 4096, 1 << 20} {
			got, err := skimmed(pieces([]byte(tt.stream), size)...)
			if len(got) != 1 || got[0] != tt.want || !errors.Is(err, io.EOF) {
				t.Errorf("%.40q in pieces of %d: %+v, %v; want %+v", tt.stream, size, got, err, tt.want)
			}
		}
	}
}

func TestNonsense(t *testing.T) {
	for stream, want := range map[string]string{
		"HTTP/1.1 400 Bad Request\r\nServer: x\r\n": `not a Redis server: it answered "HTTP/1.1 400 Bad Request"`,
		"+OK\r\n\x00\xff":             `not a reply: "\x00\xff"`,
		"+OK\n":                       `not a Redis server: it answered "+OK"`,
		"$3\r\nabc+OK\r\n":            `not a Redis server: it answered "+OK"`,
		"$x\r\n":                      `"$x"`,
		"$\r\n":                       `"$"`,
		"$99999999999999999999\r\n":   `"$99999999999999999999"`,
		":\r\n":                       `":"`,
		":-\r\n":                      `":-"`,
		"*1 \r\n":                     `"*1 "`,
		"\r\n":                        `"\r\n"`,
		strings.Repeat("*1\r\n", 300): `"*1"`,
		strings.Repeat("\x01", 300):   `"` + strings.Repeat(`\x01`, 20) + `"`,
	} {
		for _, size := range []int{1, 1 << 10} {
			_, err := skimmed(pieces([]byte(stream), size)...)
			if target.ErrorCode(err) != "protocol" {
				t.Errorf("%.30q in pieces of %d: %v", stream, size, err)
			}
			if size > 1 && !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%.30q: %v, want %s", stream, err, want)
			}
		}
	}
}

// An unterminated stray line must not wait for its end: nothing more may come.
func TestNonsenseIsToldAtOnce(t *testing.T) {
	conn := target.NewConn(&memory{chunks: [][]byte{[]byte("+OK\r\nx")}}, time.Now())
	if _, err := conn.Receive(); err != nil {
		t.Fatalf("the reply before it: %v", err)
	}
	if _, err := conn.Receive(); target.ErrorCode(err) != "protocol" {
		t.Errorf("got %v, want a protocol error", err)
	}
}

func TestLongErrorIsCut(t *testing.T) {
	text := "ERR " + strings.Repeat("y", 100_000)
	got, err := skimmed(pieces([]byte("-"+text+"\r\n:1\r\n"), 1000)...)
	if len(got) != 2 || !errors.Is(err, io.EOF) {
		t.Fatalf("%d replies, %v", len(got), err)
	}
	if e := got[0].Err; !strings.HasPrefix(text, e) || len(e) < 4000 || len(e) > 5000 {
		t.Errorf("kept %d bytes of the error", len(e))
	}
}

// Random streams, cut at every position.
func TestAgainstRedigo(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		var stream []byte
		for range 1 + r.IntN(4) {
			stream = randomReply(r, stream, 0)
		}
		if seed%5 == 4 { // spoil one byte
			stream[r.IntN(len(stream))] = byte(r.IntN(256))
		}
		same(t, stream)
		for cut := range stream {
			same(t, stream[:cut], stream[cut:])
		}
		for size := 1; size < 9; size++ {
			same(t, pieces(stream, size)...)
		}
	}
}

func FuzzAgainstRedigo(f *testing.F) {
	f.Add([]byte("*2\r\n$3\r\na\r\n\r\n:1\r\n-ERR x\r\n$-1\r\n"), 3)
	f.Add([]byte("*2\r\n*-1\r\n*1\r\n-E\r\n+OK\r\n"), 1)
	f.Add([]byte("$3\r\nabcHTTP/1.1\r\n"), 7)
	f.Add([]byte("+a\n+\r\r\n\n"), 2)
	f.Fuzz(func(t *testing.T, stream []byte, size int) {
		if len(stream) > 1<<16 || huge(stream) {
			return
		}
		same(t, pieces(stream, max(1, size%257))...)
	})
}

// huge reports whether redigo, as the oracle, would allocate what a header asks for.
func huge(stream []byte) bool {
	for line := range bytes.SplitSeq(stream, []byte("\r\n")) {
		for i, c := range line {
			if (c == '$' || c == '*') && len(line)-i > 6 {
				return true
			}
		}
	}
	return bytes.Count(stream, []byte("*")) > 200 // deeper than the skimmer follows
}

func randomReply(r *rand.Rand, out []byte, depth int) []byte {
	kinds := 7
	if depth > 3 {
		kinds = 5
	}
	switch r.IntN(kinds) {
	case 0:
		return append(out, []string{"+OK\r\n", "+PONG\r\n", "+\r\n", "+a\rb\r\n"}[r.IntN(4)]...)
	case 1:
		return append(out, []string{"-ERR x\r\n", "-WRONGTYPE y\r\n", "-\r\n"}[r.IntN(3)]...)
	case 2:
		return fmt.Appendf(out, ":%d\r\n", r.IntN(2000)-1000)
	case 3:
		return append(out, []string{"$-1\r\n", "*-1\r\n", "*0\r\n", "$0\r\n\r\n"}[r.IntN(4)]...)
	case 4:
		body := make([]byte, r.IntN(20))
		for i := range body {
			body[i] = "\r\n+-:$*a1"[r.IntN(9)]
		}
		return append(append(append(append(out, '$'), strconv.Itoa(len(body))...), "\r\n"+string(body)...), "\r\n"...)
	}
	n := r.IntN(4)
	out = fmt.Appendf(out, "*%d\r\n", n)
	for range n {
		out = randomReply(r, out, depth+1)
	}
	return out
}

func pieces(b []byte, size int) (out [][]byte) {
	for len(b) > size {
		out, b = append(out, b[:size]), b[size:]
	}
	return append(out, b)
}
