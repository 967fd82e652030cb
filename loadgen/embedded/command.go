package embedded

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// Redis's own error texts.
const (
	errWrongType = "WRONGTYPE Operation against a key holding the wrong kind of value"
	errSyntax    = "ERR syntax error"
	errInteger   = "ERR value is not an integer or out of range"
	errFloat     = "ERR value is not a valid float"
	errPositive  = "ERR value is out of range, must be positive"
	errOverflow  = "ERR increment or decrement would overflow"
	errCursor    = "ERR invalid cursor"
	errDBRange   = "ERR DB index is out of range"
)

// command is one row of the command table with its own counters.
type command struct {
	name  string // lower case; a subcommand is "config|get"
	arity int    // number of words with the name; negative: at least so many
	flag  string // "readonly", "write" or "admin", as COMMAND tells it
	keys  [3]int // first key, last key, step, as COMMAND tells them
	run   func(c *session, args [][]byte)

	calls, rejected, failed int64
	spent                   time.Duration
}

// execute finds, checks, runs and counts one command. It takes the instant at
// which the command before it ended and returns its own end: one look at the
// clock per command.
func (c *session) execute(args [][]byte, start time.Time) time.Time {
	s := c.server
	cmd := s.find(args)
	c.failed = false
	if cmd == nil {
		c.fail(unknown(s, args))
		return start
	}
	if n := len(args); cmd.arity > 0 && n != cmd.arity || n < -cmd.arity {
		cmd.rejected++ // Redis does not count these as calls
		c.wrongArgs(cmd.name)
		return start
	}
	cmd.run(c, args)
	end := time.Now()
	// Counted after it ran: INFO does not see itself.
	cmd.calls++
	cmd.spent += end.Sub(start)
	s.totals.commands++
	if c.failed {
		cmd.failed++
	}
	return end
}

// find looks a command up, with its subcommand where it has some; nil when there
// is no such command. It does not allocate.
func (s *Server) find(args [][]byte) *command {
	var buffer [64]byte
	name := appendLower(buffer[:0], args[0])
	cmd := s.commands[string(name)]
	if cmd != nil && cmd.flag == container && len(args) > 1 {
		name = appendLower(append(name, '|'), args[1])
		return s.commands[string(name)]
	}
	return cmd // without its subcommand a container fails the check of its arity
}

// appendLower appends a name in lower case; names are ASCII.
func appendLower(to, name []byte) []byte {
	for _, b := range name {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		to = append(to, b)
	}
	return to
}

// unknown is Redis's refusal of a command that it does not have: up to 128 bytes
// of the name, and of the arguments as many as begin within 128 bytes.
func unknown(s *Server, args [][]byte) string {
	if parent := s.commands[strings.ToLower(string(args[0]))]; parent != nil {
		return fmt.Sprintf("ERR unknown subcommand '%.128s'. Try %s HELP.", args[1], strings.ToUpper(parent.name))
	}
	var list strings.Builder
	for _, arg := range args[1:] {
		if list.Len() >= 128 {
			break
		}
		fmt.Fprintf(&list, "'%s' ", arg[:min(len(arg), 128-list.Len())])
	}
	return fmt.Sprintf("ERR unknown command '%s', with args beginning with: %s", args[0][:min(len(args[0]), 128)], list.String())
}

// fail answers with an error.
func (c *session) fail(text string) {
	c.failed = true
	c.server.totals.errors++
	c.out.WriteError(text)
}

// wrongArgs is the error of a command with too many or too few words.
func (c *session) wrongArgs(name string) {
	c.fail("ERR wrong number of arguments for '" + name + "' command")
}

// refuse is the error of something that Redis can do and this server cannot.
func (c *session) refuse(what string) {
	c.fail("ERR the built-in demo server " + what)
}

// ok is the reply of most commands that write.
func (c *session) ok() { c.out.WriteString("OK") }

// integer answers a length or a count.
func (c *session) integer(n int) { c.out.WriteInt64(int64(n)) }

// nilArray is how RESP2 says "no array".
func (c *session) nilArray() { c.out.WriteRaw([]byte("*-1\r\n")) }

// is compares a word of a command, whatever its case.
func is(arg []byte, word string) bool { return bytes.EqualFold(arg, []byte(word)) }
