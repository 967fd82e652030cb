package target

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// TLSError says why a connection could not be secured, or was ended by TLS.
type TLSError struct {
	Text string
	Hint string // may be empty
	Err  error  // Go's own error
}

// Error is the text without the hint.
func (e *TLSError) Error() string { return e.Text }

// Unwrap is Go's own error, such as x509.HostnameError.
func (e *TLSError) Unwrap() error { return e.Err }

// errTongue ends a handshake at the first byte that TLS does not begin with.
var errTongue = errors.New("not a record of TLS")

// errPlain is what a knock on a port finds that speaks RESP without TLS.
var errPlain = errors.New("the port answers without TLS")

const (
	hintPlain  = "leave out --tls, or write redis:// in place of rediss://"
	hintClient = "give a client certificate with --cert and its key with --key"
	hintShown  = "check --cert and --key against the authority that the server trusts"
)

// failed explains what ended a handshake. met tells that another one with these
// settings had succeeded.
func (s *secured) failed(err error, met bool) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	var verification *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errTongue), isHeader(err):
		return s.stranger(err)
	case errors.Is(err, errPlain):
		return &TLSError{"the server speaks plain RESP on this port, not TLS", hintPlain, err}
	case errors.As(err, &verification):
		return s.distrust(verification)
	case isAlert(err), strings.Contains(err.Error(), "unsupported protocol version"):
		return s.refusal(err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), isReset(err):
		if s.asked {
			return s.refusal(err)
		}
		if met {
			return &TLSError{"the server closed the connection before the TLS handshake", "Redis does so when its maxclients is reached: lower -c or raise maxclients", err}
		}
		return &TLSError{"the server closed the connection instead of a TLS handshake", "is this a TLS port? If not, " + hintPlain, err}
	case errors.Is(err, context.DeadlineExceeded) && met:
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return &TLSError{"no answer to the TLS handshake within the time limit", "is this a TLS port? If not, " + hintPlain, err}
	}
	return &TLSError{"TLS handshake: " + line(strings.TrimPrefix(innermost(err), "tls: ")), "", err}
}

// stranger explains a server that answered the handshake in another tongue.
func (s *secured) stranger(err error) error {
	got := excerpt(s.floor.seen)
	nonsense := fmt.Errorf("%w: %w", &ProtocolError{Got: got, First: true}, err)
	if strings.HasPrefix(got, "-") || strings.HasPrefix(got, "+") {
		return &TLSError{`the server speaks plain RESP on this port, not TLS: it answered "` + got + `"`, hintPlain, nonsense}
	}
	return &TLSError{`the server speaks no TLS on this port: it answered "` + got + `"`, protocolHint(got), nonsense}
}

// distrust explains a certificate that does not prove the server.
func (s *secured) distrust(err *tls.CertificateVerificationError) error {
	say := func(text, hint string) error { return &TLSError{text, hint, err} }
	if e, ok := as[x509.HostnameError](err); ok {
		return say(misnamed(e))
	}
	if e, ok := as[x509.CertificateInvalidError](err); ok {
		return say(invalid(e, time.Now()))
	}
	if _, ok := as[x509.UnknownAuthorityError](err); ok {
		leaf := err.UnverifiedCertificates[0]
		what := "the server's certificate is signed by " + issuer(leaf)
		if bytes.Equal(leaf.RawIssuer, leaf.RawSubject) {
			what = "the server's certificate is signed by itself"
		}
		if s.private {
			return say(what+", not by an authority of --cacert or --cacertdir", "check which file belongs to this server")
		}
		return say(what+", which this machine does not trust", "give that authority's certificate with --cacert, or go without proof with --insecure")
	}
	return say("the server's certificate does not hold: "+line(strings.TrimPrefix(err.Err.Error(), "x509: ")), "--insecure goes without proof")
}

// issuer names who signed a certificate.
func issuer(c *x509.Certificate) string {
	if name := c.Issuer.CommonName; name != "" {
		return `"` + line(name) + `"`
	}
	return `"` + line(c.Issuer.String()) + `"`
}

// misnamed tells the names that a certificate is for.
func misnamed(e x509.HostnameError) (text, hint string) {
	const most = 3
	names := append([]string(nil), e.Certificate.DNSNames...)
	for _, ip := range e.Certificate.IPAddresses {
		names = append(names, ip.String())
	}
	text = "the server's certificate is for "
	switch n := len(names); {
	case n == 0:
		text += "no host at all (a common name alone does not count)"
	case n > most:
		text += line(strings.Join(names[:most], ", ")) + " and others"
	default:
		text += line(strings.Join(names, ", "))
	}
	return text + ", not for " + line(e.Host), "--sni gives the name to ask for; --insecure goes without proof"
}

// invalid explains a certificate of the chain that is not good (any more).
func invalid(e x509.CertificateInvalidError, now time.Time) (text, hint string) {
	whose := "the server's certificate"
	if e.Cert.IsCA {
		whose = "the certificate of the authority " + `"` + line(e.Cert.Subject.CommonName) + `"`
	}
	const layout = "2006-01-02 15:04 MST"
	switch {
	case e.Reason == x509.Expired && now.Before(e.Cert.NotBefore):
		return whose + " is not valid before " + e.Cert.NotBefore.UTC().Format(layout), "is this machine's clock right?"
	case e.Reason == x509.Expired:
		return whose + " expired on " + e.Cert.NotAfter.UTC().Format(layout), "the server needs a new one; --insecure goes without proof"
	case e.Reason == x509.NotAuthorizedToSign:
		return whose + " is signed by a certificate that is no authority", "check --cacert"
	case e.Reason == x509.IncompatibleUsage:
		return whose + " is not meant for servers (its extended key usage)", "the server needs another; --insecure goes without proof"
	}
	return whose + " does not hold: " + line(strings.TrimPrefix(e.Error(), "x509: ")), "--insecure goes without proof"
}

// refusal explains an end that the server announced by an alert, or without a word
// after it had asked for a client certificate. Anything else stays as it is.
func (s *secured) refusal(err error) error {
	missing := s.asked && !s.showed && !s.spoke
	if !isAlert(err) {
		switch {
		case missing && (errors.Is(err, io.EOF) || isReset(err)):
			return &TLSError{"the server asked for a client certificate and closed the connection without one", hintClient, err}
		case strings.Contains(err.Error(), "unsupported protocol version"):
			return &TLSError{"the server's TLS is older than --tls-min allows", "--tls-min takes 1.0 to 1.3; without it 1.2 is the least", err}
		}
		return err
	}
	alert := strings.TrimPrefix(innermost(err), "tls: ")
	switch alert {
	case "protocol version not supported":
		return &TLSError{"the server's TLS is older than --tls-min allows", "--tls-min takes 1.0 to 1.3; without it 1.2 is the least", err}
	case "unrecognized name":
		return &TLSError{"the server knows no host of the name asked for", "--sni gives another", err}
	case "certificate required":
		return &TLSError{"the server requires a client certificate", hintClient, err}
	case "handshake failure", "bad certificate", "unsupported certificate", "revoked certificate", "expired certificate",
		"unknown certificate", "unknown certificate authority", "access denied", "error decrypting message", "certificate unobtainable":
		if missing {
			return &TLSError{"the server requires a client certificate", hintClient, err}
		}
		if s.showed && !s.spoke {
			return &TLSError{"the server refuses the client certificate of --cert: " + line(alert), hintShown, err}
		}
	}
	return &TLSError{"the server ended TLS: " + line(alert), "", err}
}

// isAlert reports whether err is an alert that the server sent. Its type is Go's own
// secret.
func isAlert(err error) bool {
	op, ok := as[*net.OpError](err)
	return ok && op.Op == "remote error"
}

// isHeader reports whether a record did not begin as TLS.
func isHeader(err error) bool {
	_, ok := as[tls.RecordHeaderError](err)
	return ok
}

func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNABORTED)
}

// line is text from outside, fit to stand in one line; excerpt would keep the first.
func line(s string) string {
	s = strconv.QuoteToASCII(s)
	s = s[1 : len(s)-1]
	return s[:min(len(s), excerptMax)]
}
