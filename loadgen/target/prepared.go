package target

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/gomodule/redigo/redis"
)

// Prepared is a command as redigo writes it, with the places of the arguments
// that change from one sending to the next. It is immutable: connections share it.
//
// Why: formatting a command costs redigo about 100 ns, and a deep pipeline is made
// of nothing else. redigo formats each command of a workload once; after that its
// bytes are copied and the changing ones written over.
type Prepared struct {
	wire  []byte
	spots []spot
}

// spot is where an argument that changes lies in the bytes of the command.
type spot struct{ arg, offset int }

// MaxPrepared is the longest command that is prepared; beyond it the copy would
// cost more than the formatting saves.
const MaxPrepared = 16 << 10

// Prepare formats a command of []byte arguments. varies lists the indices of those
// whose bytes change; their lengths must not.
func Prepare(name string, args []any, varies []int) (*Prepared, error) {
	var out bytes.Buffer
	c := redis.NewConn(recorder{&out}, 0, 0)
	if err := c.Send(name, args...); err != nil {
		return nil, fmt.Errorf("format %s: %w", name, err)
	}
	if err := c.Flush(); err != nil {
		return nil, fmt.Errorf("format %s: %w", name, err)
	}
	p := &Prepared{wire: out.Bytes()}
	for _, i := range varies {
		p.spots = append(p.spots, spot{i, offset(name, args, i)})
	}
	return p, nil
}

// PrepareInline takes a raw line, its CRLF included.
func PrepareInline(line []byte) *Prepared { return &Prepared{wire: bytes.Clone(line)} }

// Len is the number of bytes on the wire.
func (p *Prepared) Len() int { return len(p.wire) }

// offset is where the bytes of args[i] begin: behind the header of the array, the
// bulk strings before it, and its own header.
func offset(name string, args []any, i int) int {
	n := header(len(args)+1) + header(len(name)) + len(name) + 2
	for _, a := range args[:i] {
		n += header(len(a.([]byte))) + len(a.([]byte)) + 2
	}
	return n + header(len(args[i].([]byte)))
}

// header is the length of "$n\r\n" and of "*n\r\n".
func header(n int) int { return len("$\r\n") + len(strconv.Itoa(n)) }

// recorder is a net.Conn that keeps what is written.
type recorder struct{ io.Writer }

func (recorder) Read([]byte) (int, error)         { return 0, io.EOF }
func (recorder) Close() error                     { return nil }
func (recorder) LocalAddr() net.Addr              { return nil }
func (recorder) RemoteAddr() net.Addr             { return nil }
func (recorder) SetDeadline(time.Time) error      { return nil }
func (recorder) SetReadDeadline(time.Time) error  { return nil }
func (recorder) SetWriteDeadline(time.Time) error { return nil }
