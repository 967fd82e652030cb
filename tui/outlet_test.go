package tui

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// pipe is an outlet into a pipe that is read only when the test wants.
func pipe(t *testing.T) (*outlet, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	o := newOutlet(w)
	t.Cleanup(func() { o.close(); r.Close(); w.Close() })
	return o, r
}

func TestOutletDelivers(t *testing.T) {
	o, r := pipe(t)
	for _, s := range []string{"one ", "two ", "three"} {
		if n, err := io.WriteString(o, s); n != len(s) || err != nil {
			t.Errorf("wrote %d, %v", n, err)
		}
	}
	if !o.drain(10 * time.Second) {
		t.Fatal("not drained")
	}
	got := make([]byte, 13)
	if _, err := io.ReadFull(r, got); err != nil || string(got) != "one two three" {
		t.Errorf("read %q, %v", got, err)
	}
	if o.recovered() {
		t.Error("nothing was lost, and yet a repaint is asked for")
	}
}

// A stalled terminal loses whole writes, costs the writer no time, and asks for
// one repaint when it is read again.
func TestOutletLosesFramesAndNotTime(t *testing.T) {
	o, r := pipe(t)
	frame := bytes.Repeat([]byte("x"), 10_000)
	write := func() {
		if n, err := o.Write(frame); n != len(frame) || err != nil {
			t.Fatalf("wrote %d, %v", n, err)
		}
	}
	eventually(t, "a full pipe", func() bool { write(); return !o.drain(10 * time.Millisecond) })
	for range 20 { // more than the outlet holds
		write()
	}
	if o.recovered() {
		t.Error("recovered while nobody reads")
	}
	var got bytes.Buffer
	go func() { _, _ = io.Copy(&got, r) }()
	if !o.drain(10 * time.Second) {
		t.Fatal("not drained although somebody reads")
	}
	if !o.recovered() || o.recovered() {
		t.Error("want exactly one repaint")
	}
}

func TestOutletKnowsWhichScreenIsOn(t *testing.T) {
	o, _ := pipe(t)
	if !o.left() {
		t.Error("the alternate screen is on from the start")
	}
	_, _ = io.WriteString(o, enterAlt)
	if o.left() {
		t.Error("entering went unnoticed")
	}
	_, _ = io.WriteString(o, leaveAlt)
	if !o.left() {
		t.Error("leaving went unnoticed")
	}
}

func TestOutletAfterClose(t *testing.T) {
	o, _ := pipe(t)
	o.close()
	o.close()
	if n, err := io.WriteString(o, "late"); n != 4 || err != nil {
		t.Errorf("a late write gives %d, %v", n, err)
	}
}

func TestScreenIsRepaintedAfterAStall(t *testing.T) {
	c := open(t, "screen", 200, 60)
	c.sees("q quit")
	clears := func() int { return strings.Count(c.output.String(), "\x1b[2J") }
	before := clears()
	c.stall.Store(true)
	for range 60 {
		c.types("?")
		time.Sleep(40 * time.Millisecond)
	}
	c.stall.Store(false)
	eventually(t, "a repaint", func() bool { return clears() > before })
	c.types("q")
	c.ends()
}
