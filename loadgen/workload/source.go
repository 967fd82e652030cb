package workload

import (
	"strings"
	"sync"
)

// Source makes the generators, fixtures and stocks of one workload and shares
// the payload among them: a value may have 512 MiB, and every client sends the
// same one. It is safe for use by several goroutines.
type Source struct {
	workload Workload
	value    func() any // the boxed payload, built at the first call; never written to
}

// Source prepares to send w, which must have passed Validate. It allocates next
// to nothing until the payload is needed.
func (w Workload) Source() *Source {
	return &Source{
		workload: w,
		value:    sync.OnceValue(func() any { return payload(w.Payload) }),
	}
}

// Generator is Source().Generator(client), for a caller with one client. With
// several, keep the Source: each call here builds a payload of its own.
func (w Workload) Generator(client int) *Generator { return w.Source().Generator(client) }

// Fixtures is Source().Fixtures().
func (w Workload) Fixtures() []Fixture { return w.Source().Fixtures() }

// Stocks is Source().Stocks().
func (w Workload) Stocks() []Stock { return w.Source().Stocks() }

// payload is redis-benchmark's value of n bytes, over the 64 characters from '0'
// to 'o': a linear congruential generator that always starts at the same state,
// so that three bytes are always "VXK".
func payload(n int) []byte {
	// Bits 16 to 21 of such a generator repeat after 2^22 steps, which spares
	// most of the arithmetic for large values.
	const period = 1 << 22
	value := make([]byte, n)
	state := uint32(1234)
	for i := range min(n, period) {
		state = state*1103515245 + 12345
		value[i] = '0' + byte(state>>16)&63
	}
	for done := period; done < n; done *= 2 {
		copy(value[done:], value[:done])
	}
	return value
}

// compiler turns wire templates into bytes and remembers where digits go.
type compiler struct {
	source *Source
	digits []*[digits]byte // into the compiled arguments, in wire order
}

// argument is the boxed form of one template. A template that is nothing but
// the payload shares it; everything else belongs to the caller.
func (c *compiler) argument(template string) any {
	if template == DataMark {
		return c.source.value()
	}
	return c.bytes(template)
}

func (c *compiler) bytes(template string) []byte {
	keys := c.source.workload.Keys
	var out []byte
	var at []int
	for template != "" {
		switch {
		case eat(&template, PrefixMark):
			out = append(out, keys.Prefix...)
		case eat(&template, DataMark):
			out = append(out, c.source.value().([]byte)...)
		case keys.Size <= 1 && eat(&template, ScoreMark):
			out = append(out, '0')
		case eat(&template, RandMark), eat(&template, ScoreMark):
			at = append(at, len(out))
			out = append(out, zeros...)
		default:
			out = append(out, template[0])
			template = template[1:]
		}
	}
	if keys.Size > 1 { // otherwise the zeros stay
		for _, i := range at { // only now, because append moves the bytes
			c.digits = append(c.digits, (*[digits]byte)(out[i:]))
		}
	}
	return out
}

// eat removes mark from the front of template and tells whether it was there.
func eat(template *string, mark string) bool {
	rest, ok := strings.CutPrefix(*template, mark)
	*template = rest
	return ok
}
