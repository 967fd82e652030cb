package target_test

import (
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

// C33 without a byte on the load connections: after a round trip on an older one, all
// that were turned away know it, and nobody else does.
func TestTurnedAway(t *testing.T) {
	s := redistest.Start(t)
	control, err := target.TCP(s.Host, s.Port).Control(t.Context())
	must(t, err)
	defer control.Close()
	_, err = control.Do("CONFIG", "SET", "maxclients", 10)
	must(t, err)
	var conns []*target.Conn
	for range 50 {
		conns = append(conns, dial(t, s.Addr))
	}
	_, err = control.Do("PING")
	must(t, err)
	served := 0
	for _, c := range conns {
		// A machine that is busy for the one millisecond makes a single look see nothing.
		var err error
		for look := 0; look < 20 && err == nil; look++ {
			err = c.TurnedAway()
		}
		if err == nil {
			served++
			continue
		}
		text := err.Error()
		if code := target.ErrorCode(err); code == "ERR" && !strings.Contains(text, "dial "+s.Addr+": ERR max number of clients reached (the server's maxclients") || code != "ERR" && code != "reset" {
			t.Fatalf("turned away: %v", err)
		}
		if c.BytesOut() != 0 {
			t.Errorf("%d bytes were sent", c.BytesOut())
		}
	}
	if served < 8 || served > 9 { // the connection that asked for readiness may still count
		t.Errorf("%d of 50 served, want 9", served)
	}
	for _, c := range conns {
		if c.BytesIn() > 0 {
			continue
		}
		must(t, c.Send("PING", nil))
		must(t, c.Flush())
		r, err := c.Receive()
		if err != nil || r.Kind != target.Status {
			t.Fatalf("served: %+v, %v", r, err)
		}
		must(t, c.TurnedAway())
	}
	text, err := target.Text(control.Do("INFO", "commandstats"))
	must(t, err)
	if strings.Contains(text, "cmdstat_echo") {
		t.Errorf("ECHO was sent:\n%s", text)
	}
}

func TestTurnedAwayByOthers(t *testing.T) {
	for _, tt := range []struct{ words, code, want string }{
		{"-DENIED Redis is running in protected mode because protected mode is enabled\r\n", "DENIED", "loopback"},
		{"-ERR max number of clients reached\r\n", "ERR", "lower -c"},
		{"SSH-2.0-OpenSSH\r\n", "protocol", "this is an SSH server"},
		{"+OK\r\n", "io", "a reply before it was asked"},
	} {
		c := dial(t, redistest.Banner(t, tt.words).Addr)
		var err error
		for deadline := time.Now().Add(10 * time.Second); err == nil && time.Now().Before(deadline); {
			err = c.TurnedAway()
		}
		if code := target.ErrorCode(err); code != tt.code || !strings.Contains(err.Error(), tt.want) || c.BytesOut() != 0 {
			t.Errorf("%q: %v", tt.words, err)
		}
	}
	// One that says nothing serves, as far as one can know.
	must(t, dial(t, redistest.Mute(t, 0).Addr).TurnedAway())
	must(t, load(t, terminated(t, redistest.NoInfo(t).Addr)).TurnedAway())
}
