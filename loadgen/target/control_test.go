package target_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

func control(t *testing.T, tg target.Target) *target.Control {
	t.Helper()
	c, err := tg.Control(t.Context())
	must(t, err)
	t.Cleanup(c.Close)
	return c
}

func TestControlReplies(t *testing.T) {
	s := redistest.Start(t)
	c := control(t, target.TCP(s.Host, s.Port))
	_, err := c.Do("SET", "n", 41)
	must(t, err)
	if n, err := target.Int64(c.Do("INCR", "n")); n != 42 || err != nil {
		t.Errorf("INCR: %d, %v", n, err)
	}
	if n, err := target.Int64(c.Do("GET", "n")); n != 42 || err != nil {
		t.Errorf("GET as a number: %d, %v", n, err)
	}
	if text, err := target.Text(c.Do("PING")); text != "PONG" || err != nil {
		t.Errorf("PING: %q, %v", text, err)
	}
	if reply, err := c.Do("GET", "none"); reply != nil || err != nil {
		t.Errorf("GET of nothing: %v, %v", reply, err)
	}
	if _, err := target.Text(c.Do("GET", "none")); err == nil || err.Error() != "reply: nil returned" {
		t.Errorf("Text of nil: %v", err)
	}
	if list, err := target.Strings(c.Do("MGET", "n", "none")); !reflect.DeepEqual(list, []string{"42", ""}) || err != nil {
		t.Errorf("MGET: %q, %v", list, err)
	}
	_, err = target.Int64(c.Do("LPUSH", "n", "x"))
	var refused target.ReplyError
	if !errors.As(err, &refused) || target.Code(string(refused)) != "WRONGTYPE" {
		t.Errorf("LPUSH on a string: %v", err)
	}
	must(t, justErr(c.Do("MULTI")))
	must(t, justErr(c.Do("LPUSH", "n", "x")))
	reply, err := c.Do("EXEC")
	if list, ok := reply.([]any); !ok || err != nil || !errors.As(list[0].(error), &refused) {
		t.Errorf("EXEC: %v, %v", reply, err)
	}
}

func justErr(_ any, err error) error { return err }

func TestControlPipelineAndScan(t *testing.T) {
	s := redistest.Start(t)
	c := control(t, target.TCP(s.Host, s.Port))
	value := strings.Repeat("v", 5000)
	replies, err := c.Pipeline(1000, func(i int) (string, []any) {
		if i == 7 {
			return "NOSUCH", []any{"x"}
		}
		return "SET", []any{fmt.Sprintf("key:%d", i), value}
	})
	must(t, err)
	for i, r := range replies {
		if e, refused := r.(target.ReplyError); refused != (i == 7) {
			t.Errorf("reply %d: %v %v", i, r, e)
		}
	}
	if _, err := target.Text(replies[7], nil); target.ErrorCode(err) != "ERR" {
		t.Errorf("reading a refused element: %v", err)
	}
	if len(replies) != 1000 || s.DBSize(t) != 999 {
		t.Errorf("%d replies, %d keys", len(replies), s.DBSize(t))
	}
	found := map[string]bool{}
	for cursor := "0"; ; {
		reply, err := c.Do("SCAN", cursor, "COUNT", 100)
		must(t, err)
		next, keys, err := target.Scan(reply)
		must(t, err)
		for _, k := range keys {
			found[k] = true
		}
		if cursor = next; cursor == "0" {
			break
		}
	}
	if len(found) != 999 {
		t.Errorf("scanned %d keys", len(found))
	}
	for _, bad := range []any{nil, "x", []any{[]byte("0")}, []any{[]byte("0"), []byte("0")}} {
		if _, _, err := target.Scan(bad); err == nil {
			t.Errorf("%v passes for a scan reply", bad)
		}
	}
}

// Replies far larger than the sockets' buffers must not hang a Pipeline either.
func TestControlPipelineAgainstBlockingServer(t *testing.T) {
	stub := redistest.Block(t)
	c := control(t, target.TCP(stub.Host, stub.Port))
	value := strings.Repeat("v", 16<<10)
	replies, err := c.Pipeline(400, func(int) (string, []any) { return "ECHO", []any{value} })
	if err != nil || len(replies) != 400 {
		t.Errorf("%d replies, %v", len(replies), err)
	}
}

func TestControlDialsAgain(t *testing.T) {
	s := redistest.Start(t)
	c := control(t, target.TCP(s.Host, s.Port))
	must(t, justErr(c.Do("PING")))
	s.Kill()
	_, err := c.Do("PING")
	if code := target.ErrorCode(err); code != "eof" && code != "reset" {
		t.Errorf("after a kill: %v", err)
	}
	if !strings.Contains(err.Error(), "PING at "+s.Addr) {
		t.Errorf("the error names no address: %v", err)
	}
	if _, err = c.Do("PING"); target.ErrorCode(err) != "refused" {
		t.Errorf("while it is down: %v", err)
	}
	s.Restart(t)
	must(t, justErr(c.Do("PING")))
}

func TestControlClose(t *testing.T) {
	stub := redistest.Mute(t, 0)
	c := control(t, target.TCP(stub.Host, stub.Port))
	ended := make(chan error, 1)
	go func() {
		_, err := c.Do("PING")
		ended <- err
	}()
	for deadline := time.Now().Add(5 * time.Second); stub.Calls("PING") == 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	c.Close()
	if err := within(t, ended); target.ErrorCode(err) != "closed" {
		t.Errorf("under way: %v", err)
	}
	if _, err := c.Do("PING"); target.ErrorCode(err) != "closed" {
		t.Errorf("afterwards: %v", err)
	}
	c.Close()
}

func TestControlTakesTurns(t *testing.T) {
	s := redistest.Start(t)
	c := control(t, target.TCP(s.Host, s.Port))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				want := fmt.Sprint(i, j)
				if got, err := target.Text(c.Do("ECHO", want)); got != want || err != nil {
					t.Errorf("got %q, %v; want %q", got, err, want)
				}
			}
		})
	}
	all.Wait()
}

// The handshake is under ctx, and no deadline of it is left behind.
func TestHandshakeLimits(t *testing.T) {
	stub := redistest.Mute(t, 0)
	tg := target.TCP(stub.Host, stub.Port)
	tg.Password = "secret"
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := tg.Dial(ctx, time.Now()); target.ErrorCode(err) != "timeout" {
		t.Errorf("Dial: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := tg.Control(ctx); target.ErrorCode(err) != "canceled" {
		t.Errorf("Control: %v", err)
	}

	s := redistest.Start(t, "--requirepass", "secret")
	tg = target.TCP(s.Host, s.Port)
	tg.Password, tg.DB = "secret", 3
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
	c, err := tg.Dial(ctx, time.Now())
	must(t, err)
	defer c.Close()
	cancel() // the context is over; the connection is not
	must(t, c.Send("SET", []any{[]byte("k"), []byte("v")}))
	must(t, c.Flush())
	if r, err := c.Receive(); err != nil || r.Kind != target.Status {
		t.Errorf("SET: %+v, %v", r, err)
	}
	if n, err := target.Int64(control(t, tg).Do("DBSIZE")); n != 1 || err != nil {
		t.Errorf("database 3 has %d keys, %v", n, err)
	}
}

func TestDatabaseZeroSendsNoSelect(t *testing.T) {
	s := redistest.Start(t)
	c, err := target.TCP(s.Host, s.Port).Dial(t.Context(), time.Now())
	must(t, err)
	defer c.Close()
	must(t, verify(c))
	must(t, verify(c))
	if s.Calls(t, "select") != 0 || s.Calls(t, "auth") != 0 || s.Calls(t, "echo") != 2 || s.Calls(t, "hello") != 0 {
		t.Errorf("select %d auth %d echo %d hello %d", s.Calls(t, "select"), s.Calls(t, "auth"), s.Calls(t, "echo"), s.Calls(t, "hello"))
	}
}

// verify has the connection serve one command, and is what its reply says of the
// connection itself (M11).
func verify(c *target.Conn) error {
	if err := c.Send("ECHO", []any{"fullbore"}); err != nil {
		return err
	}
	if err := c.Flush(); err != nil {
		return err
	}
	r, err := c.Receive()
	if err != nil {
		return err
	}
	return c.Refused(r)
}

// Idle connections are known to be closed before anything is sent on them.
func TestIdle(t *testing.T) {
	s := redistest.Start(t)
	c := dial(t, s.Addr)
	must(t, verify(c))
	must(t, c.Idle())
	sent := c.BytesOut()
	s.Do(t, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
	var err error
	for deadline := time.Now().Add(5 * time.Second); err == nil && time.Now().Before(deadline); {
		err = c.Idle()
	}
	if target.ErrorCode(err) != "eof" || c.BytesOut() != sent {
		t.Errorf("%v, and %d bytes were sent", err, c.BytesOut()-sent)
	}
	chatty := dial(t, redistest.Banner(t, "+OK\r\n").Addr)
	for err = nil; err == nil; {
		err = chatty.Idle()
	}
	if !strings.Contains(err.Error(), "before it was asked") {
		t.Errorf("a reply to nothing: %v", err)
	}
}

func TestRepliesThatRefuseTheConnection(t *testing.T) {
	for reply, want := range map[string]string{
		"$8\r\nfullbore\r\n": "",
		"-NOPERM this user has no permissions to run the 'echo' command\r\n": "",
		"-ERR unknown command 'ECHO'\r\n":                                    "",
		"-ERR max number of clients reached\r\n":                             "ERR",
		"-NOAUTH Authentication required.\r\n":                               "NOAUTH",
		"-LOADING Redis is loading the dataset in memory\r\n":                "LOADING",
		"HTTP/1.1 400 Bad Request\r\n\r\n":                                   "protocol",
	} {
		stub := redistest.Raw(t, []byte(reply))
		c := dial(t, stub.Addr)
		err := verify(c)
		if target.ErrorCode(err) != want {
			t.Errorf("%q: %v, want %q", reply, err, want)
		}
		if want != "" && !strings.Contains(err.Error(), stub.Addr) {
			t.Errorf("%q: the error names no address: %v", reply, err)
		}
	}
}

// A server full at maxclients tells on the first reply (C33).
func TestMaxClients(t *testing.T) {
	s := redistest.Start(t, "--maxclients", "3")
	tg := target.TCP(s.Host, s.Port)
	served := 0
	for range 6 {
		c, err := tg.Dial(t.Context(), time.Now())
		must(t, err)
		defer c.Close()
		if err = verify(c); err == nil {
			served++
			continue
		}
		if !strings.Contains(err.Error(), "max number of clients reached (the server's maxclients is reached: lower -c") {
			t.Errorf("got %v", err)
		}
	}
	if served != 3 {
		t.Errorf("%d of 6 served", served)
	}
	_, err := target.Preflight(t.Context(), tg)
	if err == nil || !strings.Contains(err.Error(), "max number of clients reached") {
		t.Errorf("Preflight: %v", err)
	}
}
