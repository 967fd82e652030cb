package target_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"fullbore/loadgen/target"
)

func TestErrorCode(t *testing.T) {
	system := func(e syscall.Errno) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{Port: 1}, Err: os.NewSyscallError("connect", e)}
	}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{system(syscall.ECONNREFUSED), "refused"},
		{system(syscall.ECONNRESET), "reset"},
		{system(syscall.EPIPE), "reset"},
		{system(syscall.ETIMEDOUT), "timeout"},
		{system(syscall.EHOSTUNREACH), "unreachable"},
		{system(syscall.ENETUNREACH), "unreachable"},
		{system(syscall.ENOENT), "missing"},
		{system(syscall.EACCES), "denied"},
		{system(syscall.EMFILE), "files"},
		{system(syscall.EADDRNOTAVAIL), "ports"},
		{system(syscall.EINVAL), "io"},
		{io.EOF, "eof"},
		{io.ErrUnexpectedEOF, "eof"},
		{net.ErrClosed, "closed"},
		{context.Canceled, "canceled"},
		{context.DeadlineExceeded, "timeout"},
		{os.ErrDeadlineExceeded, "timeout"},
		{&net.DNSError{Name: "h", IsNotFound: true}, "name"},
		{&net.DNSError{Name: "h", IsTimeout: true}, "timeout"},
		{&target.ProtocolError{Got: "x"}, "protocol"},
		{target.ReplyError("WRONGTYPE Operation against"), "WRONGTYPE"},
		{fmt.Errorf("outer: %w", target.ReplyError("OOM")), "OOM"},
		{errors.New("something else"), "io"},
	} {
		if got := target.ErrorCode(tt.err); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
		if got := target.ErrorCode(&target.Error{Op: "dial", Addr: "a", Err: tt.err}); tt.err != nil && got != tt.want {
			t.Errorf("%v inside an Error: %q, want %q", tt.err, got, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	// A port that was free a moment ago.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	addr := l.Addr().String()
	l.Close()
	_, err = target.Target{Network: "tcp", Address: addr}.Dial(t.Context(), time.Now())
	if !strings.HasPrefix(fmt.Sprint(err), "dial "+addr+": connection refused (") || !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("got %v", err)
	}
}

func TestCodeAndKind(t *testing.T) {
	for text, want := range map[string]string{"": "", "ERR x y": "ERR", "OOM": "OOM"} {
		if got := target.Code(text); got != want {
			t.Errorf("Code(%q) = %q", text, got)
		}
	}
	for kind, want := range map[target.Kind]string{0: "none", target.Status: "status", target.Failure: "failure", 99: "unknown"} {
		if kind.String() != want {
			t.Errorf("%d: %s, want %s", kind, kind, want)
		}
	}
}
