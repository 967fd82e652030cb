package redistest

import (
	"crypto/tls"
	"io"
	"net"
	"strconv"
	"testing"
)

// StartTLS is Start with a second port that speaks TLS, Server.TLSPort; the plain
// port stays for Do and its relatives. The server trusts a for client certificates
// and asks for none; "--tls-auth-clients", "yes" among args changes that.
func StartTLS(t testing.TB, a *Authority, p Pair, args ...string) *Server {
	t.Helper()
	port := freePort(t)
	s := Start(t, append([]string{"--tls-port", strconv.Itoa(port), "--tls-auth-clients", "no",
		"--tls-cert-file", p.CertFile, "--tls-key-file", p.KeyFile, "--tls-ca-cert-file", a.File}, args...)...)
	s.TLSPort = port
	return s
}

// freePort is free now; the server finds out whether it still is.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// Terminate stands in front of a server or a stub, speaks TLS to its clients and
// passes the plain bytes on to addr, as a TLS proxy does. Commands and Calls are
// those of the one behind.
func Terminate(t testing.TB, config *tls.Config, addr string) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		client := tls.Server(p.conn, config)
		if err := client.Handshake(); err != nil {
			return
		}
		behind, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		defer behind.Close()
		p.goWith(func() {
			_, _ = io.Copy(client, behind) // ends with either side
			p.conn.Close()
		})
		_, _ = io.Copy(behind, client)
	})
}

// Banner says its line as soon as somebody connects, as servers of mail or SSH do,
// and reads on.
func Banner(t testing.TB, words string) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		if p.write([]byte(words)) {
			_, _ = io.Copy(io.Discard, p.conn)
		}
	})
}

// Hangup closes each connection when its first bytes have come, without an answer.
func Hangup(t testing.TB) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) { _, _ = p.reader.ReadByte() })
}
