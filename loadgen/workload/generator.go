package workload

import (
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Command is one request, ready to be sent. Its bytes change with the next call
// of Next on the same generator.
type Command struct {
	Test       int    // index into the workload's Mix
	Name       string // "SET"
	Args       []any  // []byte each, without the name; not to be changed or kept
	Varies     []int  // indices of the Args whose bytes change from one call to the next
	Inline     []byte // the raw line to send instead, with its line end; nil for all but PING_INLINE
	Keys       int    // keys it names
	Reads      bool   // a nil or empty reply is a miss
	PerElement bool   // every element of the reply is a hit or a miss (MGET)
	Request    int    // bytes on the wire
	Reply      int    // bytes of a full reply, roughly; with Request the measure for M13
}

// Generator decides what one client sends. It belongs to one goroutine.
type Generator struct {
	random   rand.PCG
	size     uint64 // of the key space
	commands []compiled
	edges    []uint64 // running sums of the weights; the last is their total
}

// compiled is a command with the places where random digits go.
type compiled struct {
	command Command
	digits  []*[digits]byte
}

// Generator is client's stream of commands, the same for equal workloads and
// client numbers. It never ends.
func (s *Source) Generator(client int) *Generator {
	w := s.workload
	g := &Generator{size: uint64(max(w.Keys.Size, 1))}
	// Scrambled, because neighbouring clients and seeds differ in few bits.
	g.random.Seed(scramble(w.Seed), scramble(scramble(w.Seed)+uint64(client)))
	var total uint64
	for i, e := range w.Mix {
		total += uint64(e.Weight)
		g.edges = append(g.edges, total)
		g.commands = append(g.commands, s.compile(i, e.Test))
	}
	return g
}

func (s *Source) compile(index int, t Test) compiled {
	c := compiler{source: s}
	command := Command{
		Test: index, Name: t.Args[0], Keys: t.Keys, Reads: t.Reads, PerElement: t.PerElement,
		Reply: 16 + t.Values*bulk(s.workload.Payload),
	}
	if t.Inline {
		command.Inline = c.bytes(strings.Join(t.Args, " ") + "\r\n")
		command.Request = len(command.Inline)
		return compiled{command, c.digits}
	}
	command.Request = len("*\r\n") + len(strconv.Itoa(len(t.Args))) + bulk(len(command.Name))
	for i, template := range t.Args[1:] {
		fixed := len(c.digits)
		arg := c.argument(template)
		if len(c.digits) > fixed {
			command.Varies = append(command.Varies, i)
		}
		command.Args = append(command.Args, arg)
		command.Request += bulk(len(arg.([]byte)))
	}
	return compiled{command, c.digits}
}

// bulk is how many bytes a bulk string of n bytes takes on the wire.
func bulk(n int) int { return len("$\r\n\r\n") + len(strconv.Itoa(n)) + n }

// Next is the next command to send, valid until the following call. It does not
// allocate.
func (g *Generator) Next() *Command {
	i := 0
	if len(g.commands) > 1 {
		i = g.choose()
	}
	c := &g.commands[i]
	for _, d := range c.digits {
		put(d, g.below(g.size))
	}
	return &c.command
}

// choose picks a row by weight. Mixes are short, so that walking the sums is as
// quick as anything cleverer.
func (g *Generator) choose() int {
	last := len(g.edges) - 1
	draw := g.below(g.edges[last])
	for i, edge := range g.edges[:last] {
		if draw < edge {
			return i
		}
	}
	return last
}

// below is uniform over [0, n), without the bias that a remainder has: the high
// word of a product, with the few draws rejected that would favour some values
// (Lemire 2019).
func (g *Generator) below(n uint64) uint64 {
	high, low := bits.Mul64(g.random.Uint64(), n)
	if low < n {
		for threshold := -n % n; low < threshold; {
			high, low = bits.Mul64(g.random.Uint64(), n)
		}
	}
	return high
}

// scramble spreads every bit of x over the result (the finalizer of SplitMix64).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
