package target

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/gomodule/redigo/redis"
)

func TestBounds(t *testing.T) {
	for _, tt := range []struct {
		name, replies string
		want          bool
	}{
		{"replies of every kind", "+OK\r\n-ERR x\r\n:1\r\n$-1\r\n$0\r\n\r\n$3\r\n*9\r\r\n*-1\r\n*0\r\n*2\r\n*1\r\n:1\r\n$1\r\n\n\r\n", true},
		{"a value with a length in it", "$12\r\n*9999999999\r\r\n+OK\r\n", true},
		{"a value as large as Redis takes", "$536870912\r\n", true},
		{"a larger one", "$536870913\r\n", false},
		{"beyond all numbers", "$99999999999999999999999\r\n", false},
		{"no number", "*x\r\n", false},
		{"one with many zeros", "*0000000000000000000000001\r\n", false},
		{"a large array", "*1048576\r\n", true},
		{"a larger one", "*1048577\r\n", false},
		{"large ones in each other", "*600000\r\n*600000\r\n", false},
		{"large ones in a row", strings.Repeat("*2\r\n:1\r\n*1\r\n:1\r\n", 1<<18) + "*1048576\r\n", true},
		{"thirty-two in each other", strings.Repeat("*1\r\n", 32) + ":1\r\n*1\r\n", true},
		{"one more", strings.Repeat("*1\r\n", 33), false},
		{"a long error", "-" + strings.Repeat("x", 1<<19) + "\r\n+OK\r\n", true},
		{"a line without end", "-" + strings.Repeat("x", 1<<20), false},
	} {
		for _, step := range []int{1, 7, 1 << 21} {
			if step == 1 && len(tt.replies) > 1<<12 {
				continue
			}
			b, ok := bounds{}, true
			for rest := []byte(tt.replies); ok && len(rest) > 0; rest = rest[min(step, len(rest)):] {
				ok = b.within(rest[:min(step, len(rest))])
			}
			if ok != tt.want {
				t.Errorf("%s, %d bytes at a time: %v", tt.name, step, ok)
			}
		}
	}
}

// Whatever is within the bounds, redigo reads without a panic.
func FuzzBounds(f *testing.F) {
	for _, seed := range []string{"+OK\r\n*2\r\n$1\r\na\r\n:1\r\n", "*1\r\n*1\r\n*-1\r\n$-1\r\n", "$99999\r\n", "*99999\r\n*99999\r\n", "*3\r\n-ERR\r\n\r\n", "$+1\r\nab\r\n", "*-2\r\n$01\r\na\r\n"} {
		f.Add([]byte(seed))
	}
	large := regexp.MustCompile(`[0-9]{6}`)
	f.Fuzz(func(t *testing.T, stream []byte) {
		if large.Match(stream) {
			return // memory that is allowed makes the fuzzing slow, not wrong
		}
		var b bounds
		if !b.within(stream) {
			return
		}
		c := redis.NewConn(recording{recorder{io.Discard}, bytes.NewReader(stream)}, 0, 0)
		for {
			if _, err := c.Receive(); err != nil {
				if _, ok := err.(redis.Error); !ok {
					break
				}
			}
		}
	})
}

// recording is a connection on which the replies have all come already.
type recording struct {
	recorder
	replies *bytes.Reader
}

func (r recording) Read(p []byte) (int, error) { return r.replies.Read(p) }
