package target_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

// Whatever stands at the port instead of a Redis server, the first look and a load
// connection say so in one line.
func TestStrangers(t *testing.T) {
	ca := redistest.Certify(t, "test authority")
	leaf := ca.Issue(t, "leaf", redistest.Leaf{Names: []string{"localhost"}})
	goTLS := redistest.Terminate(t, &tls.Config{Certificates: []tls.Certificate{leaf.Certificate}}, redistest.NoInfo(t).Addr)
	for _, tt := range []struct {
		name, addr string
		code       string
		want       string
	}{
		{"web server", redistest.Raw(t, []byte("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")).Addr, "protocol",
			`not a Redis server: it answered "HTTP/1.1 400 Bad Request" (this is a web server: check -h and -p)`},
		{"SSH", redistest.Banner(t, "SSH-2.0-OpenSSH_9.6\r\n").Addr, "protocol",
			`it answered "SSH-2.0-OpenSSH_9.6" (this is an SSH server`},
		{"mail", redistest.Banner(t, "220 mail.example ESMTP\r\n").Addr, "protocol", "this is a mail or file server"},
		{"memcached", redistest.Raw(t, []byte("ERROR\r\n")).Addr, "protocol", "this is a memcached server"},
		{"database", redistest.Banner(t, "J\x00\x00\x00\x0a8.0.36\x00").Addr, "protocol", `it answered "J\x00\x00\x00" (check -h and -p)`},
		{"garbage", redistest.Garbage(t, 0).Addr, "protocol", `it answered "\x7f" (check -h and -p)`},
		{"TLS that explains itself", redistest.Raw(t, []byte("\x15\x03\x01\x00\x02\x02\x46")).Addr, "protocol", "(this looks like a TLS port: give --tls"},
		{"TLS that hangs up", goTLS.Addr, "eof", "is this a TLS port? Then give --tls"},
		{"hangs up", redistest.Hangup(t).Addr, "eof", "is this a TLS port? Then give --tls"},
		{"half a status", parting(t, "+PON"), "eof", "the server closed the connection inside a reply"},
		{"half a value", parting(t, "$10\r\nabc"), "eof", "the server closed the connection inside a reply"},
		{"half a word, then silence", redistest.Raw(t, []byte(":1")).Addr, "timeout", "no "},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, look := target.Preflight(ctx, target.Target{Network: "tcp", Address: tt.addr})
		cancel()
		c := dial(t, tt.addr)
		errs := []error{look}
		if tt.code != "timeout" {
			errs = append(errs, verify(c))
		}
		for i, err := range errs {
			if code := target.ErrorCode(err); code != tt.code && !(tt.code == "eof" && code == "reset") {
				t.Errorf("%s: code %q: %v", tt.name, code, err)
				continue
			}
			text := fmt.Sprint(err)
			want := tt.want
			if i == 1 && strings.HasPrefix(want, "is this") {
				want = "" // only the first look guesses at what silence means
			}
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s\nwant %s", tt.name, text, want)
			}
			if !strings.Contains(text, tt.addr) || strings.Contains(text, "\n") {
				t.Errorf("%s: %q", tt.name, text)
			}
		}
	}
}

// parting answers the first bytes of each connection with words and closes it, but
// reads on until then, so that nothing is reset.
func parting(t *testing.T, words string) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := conn.Read(make([]byte, 4096)); err != nil {
					return
				}
				io.WriteString(conn, words)
				conn.(*net.TCPConn).CloseWrite()
				io.Copy(io.Discard, conn)
			}()
		}
	}()
	return l.Addr().String()
}

// C22 and C23 over TLS: one way for credentials, whatever carries them.
func TestPasswordsOverTLS(t *testing.T) {
	ca := redistest.Certify(t, "test authority")
	leaf := ca.Issue(t, "leaf", redistest.Leaf{Names: []string{"localhost"}})
	s := redistest.StartTLS(t, ca, leaf, "--requirepass", "p@:/#%?+= w%40")
	s.Do(t, "ACL", "SETUSER", "be:nch", "on", ">walrus7", "~*", "+@all")
	for _, tt := range []struct{ user, want string }{
		{":p%40%3A%2F%23%25%3F+=%20w%2540@", ""},
		{"default:p%40%3A%2F%23%25%3F+=%20w%2540@", ""},
		{"be%3Anch:walrus7@", ""},
		{"", "NOAUTH"},
		{":walrus7@", "WRONGPASS"},
		{"be:nch:walrus7@", "WRONGPASS"}, // the raw colon parts user and password
	} {
		tg, err := target.Parse(fmt.Sprintf("valkeys://%slocalhost:%d/1", tt.user, s.TLSPort))
		must(t, err)
		tg, err = tg.Secure(target.TLSOptions{CAFile: ca.File})
		must(t, err)
		_, look := target.Preflight(t.Context(), tg)
		c, dialled := tg.Dial(t.Context(), time.Now())
		if dialled == nil {
			c.Close()
		}
		control, err := tg.Control(t.Context())
		if err == nil {
			_, err = control.Do("PING")
			control.Close()
		}
		for _, err := range []error{look, dialled, err} {
			if code := target.ErrorCode(err); code != tt.want || strings.Contains(fmt.Sprint(err), "walrus7") {
				t.Errorf("%q: %v, want %q", tt.user, err, tt.want)
			}
		}
	}
}

// C27: a database that is not there, over TLS and on a cluster.
func TestDatabases(t *testing.T) {
	ca := redistest.Certify(t, "test authority")
	s := redistest.StartTLS(t, ca, ca.Issue(t, "leaf", redistest.Leaf{IPs: []string{"127.0.0.1"}}))
	over := secure(t, s.Host, s.TLSPort, target.TLSOptions{CAFile: ca.File})
	cluster := redistest.Start(t, "--cluster-enabled", "yes")
	for _, tt := range []struct {
		target target.Target
		db     int
		want   string
	}{
		{over, 0, ""},
		{over, 15, ""},
		{over, 16, "ERR DB index is out of range (--dbnum"},
		{over, 99, "ERR DB index is out of range (--dbnum"},
		{target.TCP(cluster.Host, cluster.Port), 0, ""},
		{target.TCP(cluster.Host, cluster.Port), 1, "ERR SELECT is not allowed in cluster mode (a cluster has database 0 only: leave out --dbnum"},
	} {
		tt.target.DB = tt.db
		_, look := target.Preflight(t.Context(), tt.target)
		c, dialled := tt.target.Dial(t.Context(), time.Now())
		if dialled == nil {
			c.Close()
		}
		for _, err := range []error{look, dialled} {
			if text := fmt.Sprint(err); (err == nil) != (tt.want == "") || !strings.Contains(text, tt.want) {
				t.Errorf("db %d at %s: %v, want %q", tt.db, tt.target, err, tt.want)
			}
		}
	}
	if n := s.Calls(t, "select"); n != 6 { // two for each of the three that are not 0
		t.Errorf("SELECT was sent %d times, want 6", n)
	}
}
