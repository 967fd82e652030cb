package redistest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// protocolError is what a server says of bytes that are no command.
type protocolError string

func (e protocolError) Error() string { return "protocol error: " + string(e) }

// maxBulk bounds one argument (Redis's proto-max-bulk-len).
const maxBulk = 512 << 20

// readCommand reads one command, inline or as an array of bulk strings; it has at
// least one argument. Empty lines are skipped, as Redis does.
func readCommand(r *bufio.Reader) ([][]byte, error) {
	for {
		line, err := readLine(r)
		if err != nil {
			return nil, err
		}
		if !bytes.HasPrefix(line, []byte("*")) {
			if args := bytes.Fields(line); len(args) > 0 {
				return args, nil
			}
			continue
		}
		n, err := strconv.Atoi(string(line[1:]))
		if err != nil || n > 1<<20 {
			return nil, protocolError("invalid multibulk length")
		}
		if n <= 0 {
			continue
		}
		args := make([][]byte, 0, min(n, 1024))
		for range n {
			arg, err := readBulk(r)
			if err != nil {
				return nil, err
			}
			args = append(args, arg)
		}
		return args, nil
	}
}

// readLine reads up to a line feed and drops the line ending.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}

// readBulk reads "$5\r\nhello\r\n".
func readBulk(r *bufio.Reader) ([]byte, error) {
	head, err := readLine(r)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(head, []byte("$")) {
		return nil, protocolError(fmt.Sprintf("expected '$', got %q", head))
	}
	n, err := strconv.Atoi(string(head[1:]))
	if err != nil || n < 0 || n > maxBulk {
		return nil, protocolError("invalid bulk length")
	}
	// The buffer grows with what arrives, not with what the head promises.
	var body bytes.Buffer
	if _, err := io.CopyN(&body, r, int64(n)+2); err != nil {
		return nil, err
	}
	if !bytes.HasSuffix(body.Bytes(), []byte("\r\n")) {
		return nil, protocolError("expected a line ending after a bulk")
	}
	return body.Bytes()[:n], nil
}

// store is the small memory behind the stubs' answers.
type store struct {
	mu   *sync.Mutex
	data map[string][]byte
}

func newStore() store { return store{new(sync.Mutex), make(map[string][]byte)} }

// reply answers one command. It knows what a connection needs to come up and the
// simplest data commands; everything else is unknown.
func (s store) reply(args [][]byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch name := upper(args[0]); {
	case name == "PING" && len(args) == 1:
		return []byte("+PONG\r\n")
	case name == "PING" || name == "ECHO" && len(args) == 2:
		return bulk(args[1])
	case name == "GET" && len(args) == 2:
		value, ok := s.data[string(args[1])]
		if !ok {
			return []byte("$-1\r\n")
		}
		return bulk(value)
	case name == "SET" && len(args) == 3:
		s.data[string(args[1])] = args[2]
		return []byte("+OK\r\n")
	case name == "INCR" && len(args) == 2:
		value, ok := s.data[string(args[1])]
		if !ok {
			value = []byte("0")
		}
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil {
			return []byte("-ERR value is not an integer or out of range\r\n")
		}
		s.data[string(args[1])] = strconv.AppendInt(nil, n+1, 10)
		return fmt.Appendf(nil, ":%d\r\n", n+1)
	case name == "DEL" || name == "UNLINK" || name == "EXISTS":
		return fmt.Appendf(nil, ":%d\r\n", s.count(args[1:], name != "EXISTS"))
	case name == "DBSIZE":
		return fmt.Appendf(nil, ":%d\r\n", len(s.data))
	case name == "INFO":
		return bulk([]byte("# Server\r\nredis_version:7.0.0\r\nredis_mode:standalone\r\nrole:master\r\n"))
	case name == "CONFIG" || name == "COMMAND":
		return []byte("*0\r\n")
	case name == "AUTH" || name == "SELECT" || name == "CLIENT" || name == "QUIT":
		return []byte("+OK\r\n")
	default:
		return unknown(args)
	}
}

// count counts the keys that exist, and removes them on request.
func (s store) count(keys [][]byte, remove bool) (n int) {
	for _, key := range keys {
		if _, ok := s.data[string(key)]; ok {
			n++
			if remove {
				delete(s.data, string(key))
			}
		}
	}
	return n
}

// unknown is Redis's refusal of a command that it does not have.
func unknown(args [][]byte) []byte {
	var beginning strings.Builder
	for _, arg := range args[1:] {
		fmt.Fprintf(&beginning, "'%.128s' ", arg)
	}
	text := fmt.Sprintf("-ERR unknown command '%.128s', with args beginning with: %s", args[0], beginning.String())
	// A line ending inside an argument would end the error early.
	return []byte(strings.NewReplacer("\r", " ", "\n", " ").Replace(text) + "\r\n")
}

func bulk(value []byte) []byte { return fmt.Appendf(nil, "$%d\r\n%s\r\n", len(value), value) }

func upper(name []byte) string { return string(bytes.ToUpper(name)) }
