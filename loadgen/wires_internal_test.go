package loadgen

import (
	"bytes"
	"net"
	"testing"
	"time"

	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// sink is a net.Conn that keeps what is written.
type sink struct{ bytes.Buffer }

func (*sink) Close() error                     { return nil }
func (*sink) LocalAddr() net.Addr              { return nil }
func (*sink) RemoteAddr() net.Addr             { return nil }
func (*sink) SetDeadline(time.Time) error      { return nil }
func (*sink) SetReadDeadline(time.Time) error  { return nil }
func (*sink) SetWriteDeadline(time.Time) error { return nil }

// What is replayed from prepared bytes is what redigo writes, for every row of the
// catalogue, with every changing digit in its place.
func TestPreparedCommandsAreWhatRedigoWrites(t *testing.T) {
	for _, test := range workload.Catalog() {
		w := workload.Workload{
			Mix: workload.Single(test), Payload: 100, Seed: 7,
			Keys: workload.KeySpace{Prefix: "fullbore:", Size: 1_000_000},
		}
		post := newPost(nil, nil, w)
		var formatted, replayed sink
		plain, fast := target.NewConn(&formatted, time.Now()), target.NewConn(&replayed, time.Now())
		a, b := post.source.Generator(3), post.source.Generator(3)
		for range 200 {
			c := a.Next()
			if c.Inline != nil {
				formatted.Write(c.Inline)
			} else if err := plain.Send(c.Name, c.Args); err != nil {
				t.Fatal(err)
			}
			c = b.Next()
			p := post.wires.of(c)
			if p == nil {
				t.Fatalf("%s is not prepared", test.Title)
			}
			if p.Len() != c.Request {
				t.Errorf("%s: %d bytes, the generator says %d", test.Title, p.Len(), c.Request)
			}
			if err := fast.SendPrepared(p, c.Args); err != nil {
				t.Fatal(err)
			}
		}
		plain.Flush()
		fast.Flush()
		if !bytes.Equal(formatted.Bytes(), replayed.Bytes()) {
			t.Errorf("%s: replayed\n%.300q\nredigo writes\n%.300q", test.Title, replayed.String(), formatted.String())
		}
	}
}

// Commands too long to be worth a copy go through redigo's own Send.
func TestLongCommandsAreNotPrepared(t *testing.T) {
	mix, err := workload.ParseMix("set")
	if err != nil {
		t.Fatal(err)
	}
	w := workload.Workload{Mix: mix, Payload: target.MaxPrepared}
	post := newPost(nil, nil, w)
	if p := post.wires.of(post.source.Generator(0).Next()); p != nil {
		t.Errorf("a command of %d bytes was prepared", p.Len())
	}
}
