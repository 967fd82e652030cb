package redistest

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"
)

// controlTimeout ends a control command that a frozen server does not answer.
const controlTimeout = 5 * time.Second

// Try sends one command over a connection of its own, which it closes again: it
// never counts as a connection of the load. With --requirepass it sends AUTH.
func (s *Server) Try(command string, args ...any) (any, error) {
	conn, err := redis.Dial("tcp", s.Addr, redis.DialPassword(s.password),
		redis.DialConnectTimeout(controlTimeout), redis.DialReadTimeout(controlTimeout), redis.DialWriteTimeout(controlTimeout))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return conn.Do(command, args...)
}

// Do is Try for commands that have to succeed.
func (s *Server) Do(t testing.TB, command string, args ...any) any {
	t.Helper()
	reply, err := s.Try(command, args...)
	if err != nil {
		t.Fatalf("%s on %s: %v", command, s.Addr, err)
	}
	return reply
}

// DBSize is the number of keys in database 0.
func (s *Server) DBSize(t testing.TB) int64 {
	t.Helper()
	return s.Do(t, "DBSIZE").(int64)
}

// Info is one section of INFO: "clients", "stats", … as field → value.
func (s *Server) Info(t testing.TB, section string) map[string]string {
	t.Helper()
	text, err := redis.String(s.Do(t, "INFO", section), nil)
	if err != nil {
		t.Fatalf("INFO %s on %s: %v", section, s.Addr, err)
	}
	fields := make(map[string]string)
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[name] = value
		}
	}
	return fields
}

// Calls is how often the server executed a command since its start or since
// CONFIG RESETSTAT; 0 when it never did. A subcommand is "config|get".
func (s *Server) Calls(t testing.TB, command string) int64 {
	t.Helper()
	value, ok := s.Info(t, "commandstats")["cmdstat_"+strings.ToLower(command)]
	if !ok {
		return 0
	}
	for field := range strings.SplitSeq(value, ",") {
		if text, ok := strings.CutPrefix(field, "calls="); ok {
			calls, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				t.Fatalf("commandstats of %s: %q", command, value)
			}
			return calls
		}
	}
	t.Fatalf("commandstats of %s have no calls: %q", command, value)
	return 0
}
