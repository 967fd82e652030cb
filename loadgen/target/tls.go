package target

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// TLSOptions say how connections are to be secured; the zero value is what --tls
// alone means: TLS 1.2 or later, proven by this machine's authorities, for the host
// that is dialled. It is a comparable value of what the user wrote, see Load.
type TLSOptions struct {
	ServerName string // --sni: the name to ask for and to prove; empty for the host dialled
	CAFile     string // --cacert: PEM file; with CADir it replaces the system's authorities
	CADir      string // --cacertdir: folder of PEM files
	CertFile   string // --cert: client certificate and what signed it, PEM
	KeyFile    string // --key: its private key, PEM
	Insecure   bool   // --insecure: whoever answers is taken for the server
	MinVersion string // --tls-min: "1.0" to "1.3"; empty for 1.2
}

// TLS is TLSOptions with the files behind them read and found in order. They are read
// once: ten thousand connections need not, and a file that is replaced meanwhile
// cannot split a run in two. nil is no TLS at all.
type TLS struct {
	options  TLSOptions
	config   *tls.Config      // each connection takes a clone
	identity *tls.Certificate // of the client; nil for none
	// met is set by the first handshake that succeeds. Later on silence and a closed
	// door do not mean a port without TLS any more.
	met atomic.Bool
}

// Load reads and checks what o names. Errors name the flag at fault and the form
// it takes.
func (o TLSOptions) Load() (*TLS, error) {
	version, err := tlsVersion(o.MinVersion)
	if err != nil {
		return nil, err
	}
	if err := checkServerName(o.ServerName); err != nil {
		return nil, err
	}
	// Record sizes that grow with time would cut the first batches after a pause
	// into a system call for each 1 KB.
	s := &TLS{options: o, config: &tls.Config{
		MinVersion: version, InsecureSkipVerify: o.Insecure, DynamicRecordSizingDisabled: true,
	}}
	if s.config.RootCAs, err = o.authorities(); err != nil {
		return nil, err
	}
	if s.identity, err = o.client(); err != nil {
		return nil, err
	}
	return s, nil
}

// Options are what s was loaded from.
func (s *TLS) Options() TLSOptions { return s.options }

// errSocketTLS is also what connect says: going without TLS in silence would be worse.
var errSocketTLS = errors.New("--tls: a unix socket carries no TLS: leave it out, or give -h and -p instead of the socket")

// Secure is t over TLS, by options that are loaded here. A unix socket is refused:
// no server speaks TLS there, and its bytes never leave the machine.
func (t Target) Secure(o TLSOptions) (Target, error) {
	if t.Network == "unix" {
		return Target{}, errSocketTLS
	}
	s, err := o.Load()
	if err != nil {
		return Target{}, err
	}
	t.TLS = s
	return t, nil
}

// tlsVersion reads --tls-min, also as redis.conf spells it ("TLSv1.3").
func tlsVersion(s string) (uint16, error) {
	switch strings.TrimPrefix(strings.ToLower(s), "tlsv") {
	case "1.0", "1":
		return tls.VersionTLS10, nil
	case "1.1":
		return tls.VersionTLS11, nil
	case "", "1.2":
		return tls.VersionTLS12, nil
	case "1.3":
		return tls.VersionTLS13, nil
	}
	return 0, fmt.Errorf("--tls-min %q: it takes 1.0, 1.1, 1.2 or 1.3", s)
}

// checkServerName refuses what would end as a certificate for the wrong name.
func checkServerName(name string) error {
	_, err := netip.ParseAddr(name)
	if name == "" || err == nil {
		return nil
	}
	if strings.ContainsAny(name, ":/@ []") || excerpt([]byte(name)) != name {
		return fmt.Errorf("--sni %q: it takes a host name without a port, such as redis.example.com", name)
	}
	return nil
}

// authorities are those of --cacert and --cacertdir together, nil for the system's.
func (o TLSOptions) authorities() (*x509.CertPool, error) {
	if o.CAFile == "" && o.CADir == "" {
		return nil, nil
	}
	pool := x509.NewCertPool()
	if o.CAFile != "" {
		text, err := readPEM("--cacert", o.CAFile)
		if err != nil {
			return nil, err
		}
		if !pool.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("--cacert %s: no certificate in it: it takes a PEM file with -----BEGIN CERTIFICATE-----", o.CAFile)
		}
	}
	if o.CADir != "" {
		if err := addFolder(pool, o.CADir); err != nil {
			return nil, err
		}
	}
	return pool, nil
}

// addFolder adds the certificates of every file in a folder. Other files may lie
// there too, such as lists of what was revoked and keys that not everybody may read;
// names do not matter, while OpenSSL wants hashes.
func addFolder(pool *x509.CertPool, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("--cacertdir %s: %w: it takes a folder of PEM files", dir, bare(err))
	}
	found := false
	trouble := errors.New("no certificate in it")
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // follows links
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			trouble = fmt.Errorf("%s: %w", e.Name(), bare(err))
		}
		found = pool.AppendCertsFromPEM(text) || found
	}
	if !found {
		return fmt.Errorf("--cacertdir %s: %w: it takes a folder of PEM files", dir, trouble)
	}
	return nil
}

// client is the certificate to show, nil for none.
func (o TLSOptions) client() (*tls.Certificate, error) {
	switch {
	case o.CertFile == "" && o.KeyFile == "":
		return nil, nil
	case o.KeyFile == "":
		return nil, errors.New("--cert goes with --key, the PEM file of its private key; one file for both may be given twice")
	case o.CertFile == "":
		return nil, errors.New("--key goes with --cert, the PEM file of its certificate; one file for both may be given twice")
	}
	certificate, err := readPEM("--cert", o.CertFile)
	if err != nil {
		return nil, err
	}
	key, err := readPEM("--key", o.KeyFile)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(certificate, []byte("-----BEGIN CERTIFICATE-----")) {
		return nil, fmt.Errorf("--cert %s: no certificate in it: it takes a PEM file with -----BEGIN CERTIFICATE-----", o.CertFile)
	}
	if encrypted(key) {
		return nil, fmt.Errorf("--key %s: the key is encrypted: decrypt it first, such as with openssl pkey -in KEY -out PLAINKEY", o.KeyFile)
	}
	pair, err := tls.X509KeyPair(certificate, key)
	switch {
	case err == nil:
		return &pair, nil
	case strings.Contains(err.Error(), "does not match public key"):
		return nil, fmt.Errorf("--key %s: does not belong to the certificate of --cert %s: the two take a pair", o.KeyFile, o.CertFile)
	case !bytes.Contains(key, []byte("PRIVATE KEY-----")):
		return nil, fmt.Errorf("--key %s: no private key in it: it takes a PEM file with -----BEGIN PRIVATE KEY-----", o.KeyFile)
	}
	return nil, fmt.Errorf("--cert %s with --key %s: %s: they take PEM files", o.CertFile, o.KeyFile, strings.TrimPrefix(err.Error(), "tls: "))
}

// encrypted reports whether a key in either of the two old forms needs a passphrase.
func encrypted(key []byte) bool {
	for {
		block, rest := pem.Decode(key)
		if block == nil {
			return false
		}
		if block.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED") {
			return true
		}
		key = rest
	}
}

// maxPEM bounds a file; the bundle of all the web's authorities takes 0.3 MB.
const maxPEM = 16 << 20

// readPEM reads a whole file, which may be a pipe from a program that knows secrets.
func readPEM(flag, path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: it takes a PEM file that can be read", flag, path, bare(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxPEM))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: it takes a PEM file that can be read", flag, path, bare(err))
	}
	return text, nil
}

// bare is a file's error without the path, which stands before it already.
func bare(err error) error {
	if p, ok := as[*os.PathError](err); ok {
		return p.Err
	}
	return err
}
