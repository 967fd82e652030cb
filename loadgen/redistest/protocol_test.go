package redistest

import (
	"bufio"
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestReadCommand(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"PING\r\n", "PING"},
		{"\r\n*0\r\nSET a  1\n", "SET|a|1"},
		{"*2\r\n$4\r\nECHO\r\n$4\r\na\r\nb\r\n", "ECHO|a\r\nb"},
		{"*1\r\n$0\r\n\r\n", ""},
		{"*x\r\n", "protocol error: invalid multibulk length"},
		{"*1\r\n:1\r\n", "protocol error: expected '$', got \":1\""},
		{"*1\r\n$-1\r\n", "protocol error: invalid bulk length"},
		{"*1\r\n$1\r\nabc", "protocol error: expected a line ending after a bulk"},
		{"*1\r\n$9\r\nabc", "EOF"},
	} {
		args, err := readCommand(bufio.NewReader(strings.NewReader(tc.in)))
		got := string(bytes.Join(args, []byte("|")))
		if err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%q: %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestStoreReplies(t *testing.T) {
	s := newStore()
	for _, tc := range []struct{ in, want string }{
		{"ping", "+PONG\r\n"},
		{"ECHO x", "$1\r\nx\r\n"},
		{"GET a", "$-1\r\n"},
		{"SET a -5", "+OK\r\n"},
		{"INCR a", ":-4\r\n"},
		{"INCR b", ":1\r\n"},
		{"SET a x", "+OK\r\n"},
		{"INCR a", "-ERR value is not an integer or out of range\r\n"},
		{"DBSIZE", ":2\r\n"},
		{"EXISTS a b c", ":2\r\n"},
		{"UNLINK a b", ":2\r\n"},
		{"CONFIG GET save", "*0\r\n"},
		{"AUTH x", "+OK\r\n"},
		{"LOLWUT 1", "-ERR unknown command 'LOLWUT', with args beginning with: '1' \r\n"},
	} {
		if got := string(s.reply(bytes.Fields([]byte(tc.in)))); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.in, got, tc.want)
		}
	}
	if got := string(unknown([][]byte{[]byte("a\r\nb")})); strings.Count(got, "\n") != 1 {
		t.Errorf("an error reply of several lines: %q", got)
	}
}

// Whatever the bytes are, the parser ends without a panic, and what it accepts
// has a name.
func FuzzReadCommand(f *testing.F) {
	for _, seed := range []string{"PING\r\n", "*1\r\n$4\r\nPING\r\n", "*-1\r\n", "*1\r\n$536870912\r\nx", "\n\n\n", "*9999999\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		r := bufio.NewReader(bytes.NewReader(in))
		for {
			args, err := readCommand(r)
			if err != nil {
				var broken protocolError
				if errors.As(err, &broken) && broken == "" {
					t.Error("a protocol error without a text")
				}
				return
			}
			if len(args) == 0 {
				t.Fatalf("%q: a command without a name", in)
			}
		}
	})
}
