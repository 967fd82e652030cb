package target

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// A control connection tells half a reply from none, when the server closes and when
// it falls silent.
func TestTapHalfReplies(t *testing.T) {
	for _, tt := range []struct {
		words  string
		closes bool
		want   error
		code   string
	}{
		{"", true, io.EOF, "eof"},
		{"+PON", true, io.ErrUnexpectedEOF, "eof"},
		{"$3\r\nab", true, io.ErrUnexpectedEOF, "eof"},
		{"+PONG\r\n", true, io.EOF, "eof"},
		{"", false, os.ErrDeadlineExceeded, "timeout"},
		{":1", false, errHalf, "timeout"},
	} {
		here, there := net.Pipe()
		go func() {
			_, _ = io.WriteString(there, tt.words)
			if tt.closes {
				there.Close()
			}
		}()
		p := &tap{Conn: here}
		err := p.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		for buf := make([]byte, 64); err == nil; {
			_, err = p.Read(buf)
		}
		if !errors.Is(err, tt.want) || errors.Is(err, errHalf) != (tt.want == errHalf) || ErrorCode(err) != tt.code {
			t.Errorf("%q: %v (%s), want %v", tt.words, err, ErrorCode(err), tt.want)
		}
		here.Close()
		there.Close()
	}
}
