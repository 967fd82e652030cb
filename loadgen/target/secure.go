package target

import (
	"context"
	"crypto/tls"
	"net"
	"sync/atomic"
	"time"
)

// secured is a socket under TLS, as connect returns it.
//
// Nothing above it may let a write deadline pass unless the connection is to end:
// TLS cannot take up half a record again. Read deadlines do no harm.
type secured struct {
	*tls.Conn
	floor *floor
	// asked and showed say whether the server wanted a client certificate and got
	// one. TLS 1.3 refuses it only after the handshake, at the first Read.
	asked, showed bool
	private       bool // proven by --cacert or --cacertdir, not by the system
	spoke         bool // the server has sent data; only the reader touches it
}

// floor is the socket beneath TLS. It stamps bytes where they arrive, before they
// are decrypted (M2), and keeps the first of them, which tell what a server that
// speaks no TLS speaks instead.
type floor struct {
	net.Conn
	at    time.Time // of the latest Read; only the reader touches it
	seen  []byte    // how the server began; the reader's too
	heard atomic.Bool
}

// What the first record from a server may be (RFC 8446, 5.1).
const (
	recordAlert     = 21
	recordHandshake = 22
)

// Read costs one clock reading per system call.
func (f *floor) Read(p []byte) (int, error) {
	n, err := f.Conn.Read(p)
	if n > 0 {
		f.at = time.Now()
		if !f.heard.Load() {
			f.seen = append(f.seen, p[:min(n, excerptMax)]...)
			f.heard.Store(true)
			if p[0] != recordAlert && p[0] != recordHandshake {
				return 0, errTongue // TLS would wait for a whole header, which may never come
			}
		}
	}
	return n, err
}

// Read explains what ends it.
func (s *secured) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	if n > 0 {
		s.spoke = true
	}
	if err != nil {
		err = s.refusal(err)
	}
	return n, err
}

// Close closes the socket without TLS's farewell: that one waits up to five seconds
// for a server that takes no more bytes, and a frozen server has many connections.
// To the server it is the end of the connection all the same.
func (s *secured) Close() error { return s.floor.Close() }

// knockAfter is how long a server may leave the handshake without a single byte
// before it is asked in plain RESP as well, see plain.
const knockAfter = time.Second

// secure does the handshake on a fresh socket within ctx. It owns the socket: on
// failure it is closed.
func (t Target) secure(ctx context.Context, socket net.Conn) (net.Conn, error) {
	s := &secured{floor: &floor{Conn: socket}, private: t.TLS.config.RootCAs != nil}
	s.Conn = tls.Client(s.floor, t.clientConfig(s))

	handshake, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	stop := func() {}
	if !t.TLS.met.Load() {
		stop = t.suspicious(handshake, giveUp, s.floor)
	}
	err := s.Conn.HandshakeContext(handshake)
	stop()
	if err == nil {
		t.TLS.met.Store(true)
		return s, nil
	}
	s.Close()
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case context.Cause(handshake) == errPlain:
		err = errPlain
	}
	return nil, trouble("TLS with", t.Address, s.failed(err, t.TLS.met.Load()))
}

// suspicious knocks on the port in plain RESP when a handshake stays without a single
// byte, and gives it up with errPlain when there is an answer: Redis without TLS waits
// for the end of a line that a handshake never sends, so that the most frequent
// mistake of all would show as silence. stop ends it and waits for its end.
func (t Target) suspicious(ctx context.Context, giveUp context.CancelCauseFunc, f *floor) (stop func()) {
	ended := make(chan struct{})
	knock := time.AfterFunc(knockAfter, func() {
		defer close(ended)
		defer func() { _ = recover() }() // a diagnosis is not worth a crash
		if !f.heard.Load() && t.plain(ctx) {
			giveUp(errPlain)
		}
	})
	return func() {
		if !knock.Stop() {
			giveUp(nil) // ends the knock as well; the first cause stays
			<-ended
		}
	}
}

// clientConfig is the configuration of one connection. An address in place of a
// name is proven by the certificate's addresses and is not sent along, which TLS
// does not allow.
func (t Target) clientConfig(s *secured) *tls.Config {
	config := t.TLS.config.Clone()
	if config.ServerName = t.TLS.options.ServerName; config.ServerName == "" {
		host, _, _ := net.SplitHostPort(t.Address) // dialled already, so it parses
		config.ServerName = zoneless(host)
	}
	// Asked for by hand, to know that the server asked. The certificate is shown
	// whatever authorities the server lists: its refusal says more than its silence.
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		s.asked = true
		if t.TLS.identity == nil {
			return &tls.Certificate{}, nil
		}
		s.showed = true
		return t.TLS.identity, nil
	}
	return config
}

// plain reports whether the port answers a PING without TLS. What it answers does
// not matter: a server that asks for a password refuses in plain RESP too. A TLS
// server drops the line.
func (t Target) plain(ctx context.Context) bool {
	var dialer net.Dialer
	socket, err := dialer.DialContext(ctx, t.Network, t.Address)
	if err != nil {
		return false
	}
	defer socket.Close()
	release := guard(ctx, socket)
	defer release()
	if _, err := socket.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	answer := make([]byte, 1)
	n, _ := socket.Read(answer) // nothing read is an answer as well
	return n == 1 && begins(answer[0])
}

// protocol is what was negotiated, such as "TLS 1.3", with a mark when nobody
// proved to be the server.
func (s *secured) protocol(o TLSOptions) string {
	name := tls.VersionName(s.ConnectionState().Version)
	if o.Insecure {
		name += ", certificate not verified"
	}
	return name
}
