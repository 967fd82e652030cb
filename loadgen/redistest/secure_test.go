package redistest_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
)

// dialTLS opens a TLS connection that gives up after ten seconds.
func dialTLS(t *testing.T, port int, config *tls.Config) (*tls.Conn, error) {
	t.Helper()
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	conn, err := tls.DialWithDialer(dialer, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), config)
	if err == nil {
		conn.SetDeadline(time.Now().Add(10 * time.Second))
		t.Cleanup(func() { conn.Close() })
	}
	return conn, err
}

func TestCertificates(t *testing.T) {
	a, b := redistest.Certify(t, "a"), redistest.Certify(t, "b")
	hour := time.Hour
	for _, tt := range []struct {
		name string
		pair redistest.Pair
		ok   bool
	}{
		{"right", a.Issue(t, "right", redistest.Leaf{Names: []string{"h"}, IPs: []string{"127.0.0.1", "::1"}}), true},
		{"nameless", a.Issue(t, "h", redistest.Leaf{}), false},
		{"other name", a.Issue(t, "other", redistest.Leaf{Names: []string{"i"}}), false},
		{"other authority", b.Issue(t, "b", redistest.Leaf{Names: []string{"h"}}), false},
		{"by itself", a.Issue(t, "self", redistest.Leaf{Names: []string{"h"}, Self: true}), false},
		{"expired", a.Issue(t, "old", redistest.Leaf{Names: []string{"h"}, To: time.Now().Add(-hour / 2)}), false},
		{"too early", a.Issue(t, "new", redistest.Leaf{Names: []string{"h"}, From: time.Now().Add(hour)}), false},
		{"a client's", a.Issue(t, "client", redistest.Leaf{Names: []string{"h"}, Client: true}), false},
	} {
		loaded, err := tls.LoadX509KeyPair(tt.pair.CertFile, tt.pair.KeyFile)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		_, err = loaded.Leaf.Verify(x509.VerifyOptions{DNSName: "h", Roots: a.Pool()})
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if text, err := os.ReadFile(a.File); err != nil || !x509.NewCertPool().AppendCertsFromPEM(text) {
		t.Errorf("the authority's file: %v", err)
	}
}

func TestStartTLS(t *testing.T) {
	a := redistest.Certify(t, "a")
	leaf := a.Issue(t, "leaf", redistest.Leaf{IPs: []string{"127.0.0.1"}})
	s := redistest.StartTLS(t, a, leaf)
	conn, err := dialTLS(t, s.TLSPort, &tls.Config{RootCAs: a.Pool()})
	if err != nil {
		t.Fatal(err)
	}
	send(t, conn, "SET a 1\r\n")
	expect(t, bufio.NewReader(conn), "+OK\r\n")
	if s.DBSize(t) != 1 || s.Port == s.TLSPort || s.TLSPort == 0 {
		t.Errorf("ports %d and %d, %d keys", s.Port, s.TLSPort, s.DBSize(t))
	}
	port := s.TLSPort
	s.Restart(t)
	if _, err := dialTLS(t, port, &tls.Config{RootCAs: a.Pool()}); err != nil {
		t.Errorf("after Restart: %v", err)
	}
}

func TestTerminate(t *testing.T) {
	a := redistest.Certify(t, "a")
	leaf := a.Issue(t, "leaf", redistest.Leaf{IPs: []string{"127.0.0.1"}})
	behind := redistest.NoInfo(t)
	s := redistest.Terminate(t, &tls.Config{Certificates: []tls.Certificate{leaf.Certificate}}, behind.Addr)
	conn, err := dialTLS(t, s.Port, &tls.Config{RootCAs: a.Pool()})
	if err != nil {
		t.Fatal(err)
	}
	send(t, conn, "ECHO a\r\nINFO\r\n")
	expect(t, bufio.NewReader(conn), "$1\r\na\r\n-ERR unknown command 'INFO'")
	if behind.Calls("ECHO") != 1 {
		t.Errorf("ECHO came %d times", behind.Calls("ECHO"))
	}
	var authority x509.UnknownAuthorityError
	if _, err := dialTLS(t, s.Port, &tls.Config{}); !errors.As(err, &authority) {
		t.Errorf("without the authority: %v", err)
	}
	plain, r := dial(t, s)
	send(t, plain, "PING\r\nPING\r\nPING\r\n")
	if b, err := r.ReadByte(); err == nil && b != 0x15 {
		t.Errorf("plain bytes were answered with %q", b)
	}
}

func TestBannerAndHangup(t *testing.T) {
	_, r := dial(t, redistest.Banner(t, "SSH-2.0\r\n"))
	expect(t, r, "SSH-2.0\r\n") // unasked
	conn, r := dial(t, redistest.Hangup(t))
	silent(t, conn, r)
	send(t, conn, "x")
	if b, err := r.ReadByte(); err != io.EOF {
		t.Errorf("received %q, %v, want the end", b, err)
	}
}
