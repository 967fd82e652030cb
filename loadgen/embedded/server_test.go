package embedded_test

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fullbore/loadgen/embedded"
)

// 64 connections at once; every count has to be exact.
func TestManyConnections(t *testing.T) {
	const clients, rounds = 64, 50
	s := start(t)
	var wait sync.WaitGroup
	for i := range clients {
		c := dial(t, s.Addr())
		wait.Go(func() {
			mine := strconv.Itoa(i)
			batch := encode("INCR", "n") + encode("LPUSH", "l", mine) + encode("SADD", "s", mine) +
				encode("ZADD", "z", mine, mine) + encode("SET", "k:"+mine, mine) + "PING\r\n"
			for range rounds {
				c.raw(batch)
				for range 5 {
					c.reply()
				}
			}
		})
	}
	wait.Wait()
	c := dial(t, s.Addr())
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"GET", "n"}, fmt.Sprint("$", clients*rounds)},
		{[]string{"LLEN", "l"}, fmt.Sprint(":", clients*rounds)},
		{[]string{"SCARD", "s"}, fmt.Sprint(":", clients)},
		{[]string{"ZCARD", "z"}, fmt.Sprint(":", clients)},
		{[]string{"DBSIZE"}, fmt.Sprint(":", clients+4)},
	} {
		if got := c.do(tc.args...)[0]; got != tc.want {
			t.Errorf("%v = %s, want %s", tc.args, got, tc.want)
		}
	}
	stats := c.info(t, "commandstats")
	for _, name := range []string{"incr", "lpush", "sadd", "zadd", "set", "ping"} {
		want := fmt.Sprintf("calls=%d,", clients*rounds)
		if got := stats["cmdstat_"+name]; !strings.HasPrefix(got, want) {
			t.Errorf("commandstats of %s = %q, want %q", name, got, want)
		}
	}
	total := c.info(t, "stats")["total_commands_processed"]
	if want := strconv.Itoa(clients*rounds*6 + 5 + 1); total != want {
		t.Errorf("total_commands_processed = %s, want %s", total, want)
	}
	if got := c.info(t, "stats")["total_connections_received"]; got != strconv.Itoa(clients+1) {
		t.Errorf("total_connections_received = %s, want %d", got, clients+1)
	}
}

func TestInfo(t *testing.T) {
	s := start(t)
	c := dial(t, s.Addr())
	c.do("SET", "a", "1")
	c.do("GET", "a")
	c.do("GET", "b")
	c.do("LPUSH", "a", "1") // WRONGTYPE: a failed call
	c.do("GET")             // rejected: no call
	c.do("SELECT", "2")
	c.do("SET", "a", "1")
	for _, tc := range []struct{ section, name, want string }{
		{"server", "server_name", "fullbore-builtin"},
		{"server", "redis_mode", "standalone"},
		{"replication", "role", "master"},
		{"clients", "connected_clients", "1"},
		{"memory", "maxmemory", "0"},
		{"persistence", "aof_enabled", "0"},
		{"stats", "keyspace_hits", "1"},
		{"stats", "keyspace_misses", "1"},
		{"stats", "total_error_replies", "2"},
		{"keyspace", "db0", "keys=1,expires=0,avg_ttl=0"},
		{"keyspace", "db2", "keys=1,expires=0,avg_ttl=0"},
		{"keyspace", "db1", ""},
		{"default", "cmdstat_get", ""},
	} {
		if got := c.info(t, tc.section)[tc.name]; got != tc.want {
			t.Errorf("INFO %s: %s = %q, want %q", tc.section, tc.name, got, tc.want)
		}
	}
	for name, want := range map[string]string{
		"cmdstat_lpush": "failed_calls=1", "cmdstat_get": "rejected_calls=1,failed_calls=0", "cmdstat_set": "calls=2,",
	} {
		if got := c.info(t, "all")[name]; !strings.Contains(got, want) {
			t.Errorf("%s = %q, want %q in it", name, got, want)
		}
	}
	c.do("CONFIG", "RESETSTAT")
	if got := c.info(t, "commandstats")["cmdstat_get"]; got != "" {
		t.Errorf("cmdstat_get after RESETSTAT = %q, want none", got)
	}
}

// What Redis can do and this server cannot is refused in words.
func TestRefusals(t *testing.T) {
	c := dial(t, start(t).Addr())
	for _, line := range []string{
		"FLUSHALL", "FLUSHDB", "CONFIG SET save 1", "SET k v EX 10", "ZADD z NX 1 a", "XADD x 1-1 f v", "XTRIM x MINID 1",
	} {
		got := c.do(strings.Fields(line)...)[0]
		if !strings.HasPrefix(got, "-ERR the built-in demo server ") {
			t.Errorf("%s: %q, want a refusal", line, got)
		}
	}
}

func TestCommandTable(t *testing.T) {
	c := dial(t, start(t).Addr())
	if got, want := strings.Join(c.do("COMMAND", "INFO", "mset"), " "), "*1 *6 $mset :-3 *1 +write :1 :-1 :2"; got != want {
		t.Errorf("COMMAND INFO mset = %s, want %s", got, want)
	}
	count, all := c.do("COMMAND", "COUNT")[0], c.do("COMMAND")[0]
	if count[1:] != all[1:] {
		t.Errorf("COMMAND COUNT = %s, COMMAND has %s rows", count, all)
	}
	if got := c.do("COMMAND", "DOCS")[0]; got != "*0" {
		t.Errorf("COMMAND DOCS = %s, want *0", got)
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	s, err := embedded.Start()
	if err != nil {
		t.Fatal(err)
	}
	var clients []client
	for range 20 {
		c := dial(t, s.Addr())
		c.do("PING")
		clients = append(clients, c)
	}
	io.WriteString(clients[0], "*2\r\n$4\r\nECHO\r\n$100\r\nhalf") // in the middle of a command
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	for _, c := range clients {
		if got := c.reply()[0]; !strings.HasPrefix(got, "error: ") {
			t.Errorf("a connection of a closed server answered %q", got)
		}
	}
	if conn, err := net.Dial("tcp", s.Addr()); err == nil {
		conn.Close()
		t.Error("a closed server accepts")
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, want %d", runtime.NumGoroutine(), before)
		}
	}
}

// Bytes that are no protocol end their own connection and no other.
func TestBrokenClients(t *testing.T) {
	s := start(t)
	healthy := dial(t, s.Addr())
	for _, bytes := range []string{
		"*x\r\n", "*1\r\n:1\r\n", "*1\r\n$-5\r\n", "*1\r\n$9223372036854775807\r\nx\r\n", "SET a \"b\r\n", "*1\r\n$3\r\nabcde\r\n",
	} {
		c := dial(t, s.Addr())
		got := c.raw(bytes)[0]
		if !strings.HasPrefix(got, "-ERR Protocol error") && !strings.HasPrefix(got, "error: ") {
			t.Errorf("%q: %q, want a protocol error or the end", bytes, got)
		}
		if got := healthy.do("PING")[0]; got != "+PONG" {
			t.Fatalf("after %q: PING = %q on another connection", bytes, got)
		}
	}
}

// scanAll runs a whole SCAN; during is called between its steps.
func scanAll(c client, count string, during func(step int)) map[string]bool {
	seen := make(map[string]bool)
	cursor := "0"
	for step := 0; ; step++ {
		lines := c.do("SCAN", cursor, "COUNT", count)
		for _, key := range lines[3:] {
			seen[key[1:]] = true
		}
		if cursor = lines[1][1:]; cursor == "0" {
			return seen
		}
		during(step)
	}
}

// A key that is there from the first to the last step is returned, whatever is
// deleted and added meanwhile.
func TestScanUnderDeletion(t *testing.T) {
	for _, count := range []string{"1", "7", "100"} {
		c := dial(t, start(t).Addr())
		const n = 500
		for i := range n {
			c.do("SET", fmt.Sprint("key:", i), "1")
		}
		stays := func(i int) bool { return i%3 == 0 }
		next, added := 0, 0
		seen := scanAll(c, count, func(step int) {
			for range 5 { // deletes in a jumbled order, and adds now and then
				i := next * 269 % n
				next++
				if next <= n && !stays(i) {
					c.do("UNLINK", fmt.Sprint("key:", i))
				}
				if next%4 == 0 && added < 200 {
					c.do("SET", fmt.Sprint("new:", added), "1")
					added++
				}
			}
		})
		for i := range n {
			if stays(i) && !seen[fmt.Sprint("key:", i)] {
				t.Errorf("COUNT %s: key:%d stayed and was not returned", count, i)
			}
		}
	}
}

// The engine cleans up by SCAN and UNLINK of what it returns.
func TestScanAndUnlinkEverything(t *testing.T) {
	c := dial(t, start(t).Addr())
	for i := range 1000 {
		c.do("SET", fmt.Sprint("a:", i), "1")
		c.do("SET", fmt.Sprint("b:", i), "1")
	}
	cursor := "0"
	for {
		lines := c.do("SCAN", cursor, "MATCH", "a:*", "COUNT", "50")
		for _, key := range lines[3:] {
			c.do("UNLINK", key[1:])
		}
		if cursor = lines[1][1:]; cursor == "0" {
			break
		}
	}
	if got := c.do("DBSIZE")[0]; got != ":1000" {
		t.Errorf("DBSIZE = %s, want :1000", got)
	}
	if got := scanAll(c, "100", func(int) {}); len(got) != 1000 {
		t.Errorf("%d keys left by SCAN, want 1000", len(got))
	}
}
