package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Authority signs certificates for one test; nothing trusts it that is not told to.
type Authority struct {
	File string // its own certificate, PEM
	Dir  string // where its certificate and all that it signs lie; gone with the test

	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// Leaf says what a certificate is for. The zero value is a server's certificate
// without any name, good from an hour ago for a day.
type Leaf struct {
	Names    []string // DNS names
	IPs      []string
	From, To time.Time // zero for the default
	Client   bool      // for a client in place of a server
	Self     bool      // signed by itself in place of the authority
}

// Pair is a certificate with its key, as files and as a value.
type Pair struct {
	CertFile, KeyFile string
	tls.Certificate
}

// Certify founds an authority.
func Certify(t testing.TB, name string) *Authority {
	t.Helper()
	a := &Authority{Dir: t.TempDir()}
	a.File = filepath.Join(a.Dir, "ca.pem")
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	var der []byte
	der, a.key = sign(t, template, nil, nil)
	var err error
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	write(t, a.File, "CERTIFICATE", der)
	return a
}

// Issue signs a certificate and leaves it and its key as name.pem and name.key.
func (a *Authority) Issue(t testing.TB, name string, l Leaf) Pair {
	t.Helper()
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, DNSNames: l.Names,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	if l.Client {
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	}
	for _, ip := range l.IPs {
		template.IPAddresses = append(template.IPAddresses, net.ParseIP(ip))
	}
	if !l.From.IsZero() {
		template.NotBefore = l.From
	}
	if !l.To.IsZero() {
		template.NotAfter = l.To
	}
	parent, parentKey := a.cert, a.key
	if l.Self {
		parent, parentKey = nil, nil
	}
	der, key := sign(t, template, parent, parentKey)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	p := Pair{CertFile: filepath.Join(a.Dir, name+".pem"), KeyFile: filepath.Join(a.Dir, name+".key")}
	write(t, p.CertFile, "CERTIFICATE", der)
	write(t, p.KeyFile, "PRIVATE KEY", secret)
	p.Certificate = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	return p
}

// Pool is the authority as what a Go server asks client certificates from.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// sign makes a key and a certificate for it; without a parent it signs itself.
func sign(t testing.TB, template, parent *x509.Certificate, parentKey *ecdsa.PrivateKey) ([]byte, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, big.NewInt(1<<62)); err != nil {
		t.Fatal(err)
	}
	if parent == nil {
		parent, parentKey = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, parentKey)
	if err != nil {
		t.Fatal(err)
	}
	return der, key
}

func write(t testing.TB, path, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}
