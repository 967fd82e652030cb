package target_test

import (
	"bytes"
	"io"
	"net"
	"time"
)

// memory is a net.Conn without a network: it plays back chunks, one a Read, and
// keeps what is written, one record a Write.
type memory struct {
	chunks [][]byte
	writes [][]byte
	rest   []byte
}

func (m *memory) Read(p []byte) (int, error) {
	if len(m.rest) == 0 {
		if len(m.chunks) == 0 {
			return 0, io.EOF
		}
		m.rest, m.chunks = m.chunks[0], m.chunks[1:]
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func (m *memory) Write(p []byte) (int, error) {
	m.writes = append(m.writes, bytes.Clone(p))
	return len(p), nil
}

func (m *memory) written() string                { return string(bytes.Join(m.writes, nil)) }
func (m *memory) Close() error                   { return nil }
func (*memory) LocalAddr() net.Addr              { return nil }
func (*memory) RemoteAddr() net.Addr             { return &net.UnixAddr{Name: "memory", Net: "unix"} }
func (*memory) SetDeadline(time.Time) error      { return nil }
func (*memory) SetReadDeadline(time.Time) error  { return nil }
func (*memory) SetWriteDeadline(time.Time) error { return nil }

// endless is a net.Conn that answers the same burst over and over; a Read never
// crosses the end of one.
type endless struct {
	memory
	burst []byte
	at    int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.burst[e.at:])
	e.at = (e.at + n) % len(e.burst)
	return n, nil
}

func (e *endless) Write(p []byte) (int, error) { return len(p), nil }
