package target_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

// secure is host:port over TLS.
func secure(t testing.TB, host string, port int, o target.TLSOptions) target.Target {
	t.Helper()
	tg, err := target.TCP(host, port).Secure(o)
	must(t, err)
	return tg
}

// C25: what is right is let in, by every kind of connection.
func TestTLS(t *testing.T) {
	ca := redistest.Certify(t, "test authority")
	server := ca.Issue(t, "server", redistest.Leaf{Names: []string{"localhost", "cache.example"}, IPs: []string{"127.0.0.1", "::1"}})
	client := ca.Issue(t, "client", redistest.Leaf{Client: true})
	s := redistest.StartTLS(t, ca, server, "--tls-auth-clients", "yes", "--requirepass", "hunter2")
	s.Do(t, "CONFIG", "SET", "bind", "127.0.0.1 ::1")
	shown := target.TLSOptions{CertFile: client.CertFile, KeyFile: client.KeyFile}
	with := func(change func(*target.TLSOptions)) target.TLSOptions {
		o := shown
		change(&o)
		return o
	}
	byFile := with(func(o *target.TLSOptions) { o.CAFile = ca.File })
	for _, tt := range []struct {
		host    string
		options target.TLSOptions
		want    string // Info.TLS
	}{
		{"127.0.0.1", byFile, "TLS 1.3"},
		{"localhost", byFile, "TLS 1.3"},
		{"LOCALHOST", byFile, "TLS 1.3"},
		{"::1", byFile, "TLS 1.3"},
		{"[::1]", byFile, "TLS 1.3"},
		{"127.0.0.1", with(func(o *target.TLSOptions) { o.CADir = ca.Dir }), "TLS 1.3"},
		{"127.0.0.1", with(func(o *target.TLSOptions) { o.CAFile, o.ServerName = ca.File, "cache.example" }), "TLS 1.3"},
		{"127.0.0.1", with(func(o *target.TLSOptions) { o.CAFile, o.ServerName = ca.File, "::1" }), "TLS 1.3"},
		{"127.0.0.1", with(func(o *target.TLSOptions) { o.CAFile, o.MinVersion = ca.File, "1.3" }), "TLS 1.3"},
		{"127.0.0.1", with(func(o *target.TLSOptions) { o.Insecure, o.ServerName = true, "wrong.example" }), "TLS 1.3, certificate not verified"},
	} {
		tg := secure(t, tt.host, s.TLSPort, tt.options)
		tg.Password, tg.DB = "hunter2", 1
		info, err := target.Preflight(t.Context(), tg)
		if err != nil || info.TLS != tt.want || info.Keys != 0 || info.RTT <= 0 {
			t.Errorf("%s %+v: %+v, %v", tt.host, tt.options, info, err)
		}
		if marked := len(info.Notes) == 1 && strings.HasPrefix(info.Notes[0], "certificate not verified"); marked != tt.options.Insecure {
			t.Errorf("%+v: notes %q", tt.options, info.Notes)
		}
		c, err := tg.Dial(t.Context(), time.Now())
		must(t, err)
		must(t, verify(c))
		c.Close()
	}
}

// fault is a row of TestTLSFaults.
type fault struct {
	name   string
	target target.Target
	code   string
	want   string // in the text of Preflight's error
	cause  func(error) bool
}

// C25: each mistake has a line of its own, within the limit, from the first look and
// from a load connection.
func TestTLSFaults(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for _, f := range tlsFaults(t) {
		start := time.Now()
		_, err := target.Preflight(t.Context(), f.target)
		if took := time.Since(start); took > target.Limit+5*time.Second { // a machine may be busy
			t.Errorf("%s: %v passed", f.name, took)
		}
		if code := target.ErrorCode(err); code != f.code {
			t.Errorf("%s: code %q, want %q: %v", f.name, code, f.code, err)
			continue
		}
		text := err.Error()
		if !strings.Contains(text, f.want) || !strings.Contains(text, f.target.Address) || strings.Contains(text, "\n") {
			t.Errorf("%s: %s\nwant %s", f.name, text, f.want)
		}
		if strings.Contains(text, "hunter2") {
			t.Errorf("%s: the password is in %s", f.name, text)
		}
		if f.cause != nil && !f.cause(err) {
			t.Errorf("%s: the cause of %v is lost", f.name, err)
		}
		line := strings.ReplaceAll(text, f.target.Address, "ADDR")
		if other, twice := texts[line]; twice {
			t.Errorf("%s and %s have one text: %s", f.name, other, line)
		}
		texts[line] = f.name
		t.Logf("%s: %s", f.name, text)

		c, err := f.target.Dial(t.Context(), time.Now())
		if err == nil {
			err = verify(c)
			c.Close()
		}
		if code := target.ErrorCode(err); code != f.code {
			t.Errorf("%s by Dial: code %q, want %q: %v", f.name, code, f.code, err)
		}
	}
}

func isA[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

func tlsFaults(t *testing.T) []fault {
	ca, other := redistest.Certify(t, "test authority"), redistest.Certify(t, "other\nauthority")
	behind := redistest.NoInfo(t)
	now := time.Now()
	serving := func(l redistest.Leaf, by *redistest.Authority, change ...func(*tls.Config)) target.Target {
		config := &tls.Config{Certificates: []tls.Certificate{by.Issue(t, "leaf", l).Certificate}}
		for _, c := range change {
			c(config)
		}
		tg := secure(t, "127.0.0.1", redistest.Terminate(t, config, behind.Addr).Port, target.TLSOptions{CAFile: ca.File})
		tg.Password = "hunter2"
		return tg
	}
	with := func(tg target.Target, change func(*target.TLSOptions)) target.Target {
		o := tg.TLS.Options()
		change(&o)
		tg, err := tg.Secure(o)
		must(t, err)
		return tg
	}
	local := redistest.Leaf{IPs: []string{"127.0.0.1"}}
	right := serving(local, ca)
	demanding := func(c *tls.Config) { c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, ca.Pool() }
	old := func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }
	foreign := other.Issue(t, "foreign", redistest.Leaf{Client: true})
	late := ca.Issue(t, "late", redistest.Leaf{Client: true, From: now.Add(-time.Hour), To: now.Add(-time.Minute)})
	show := func(p redistest.Pair) func(*target.TLSOptions) {
		return func(o *target.TLSOptions) { o.CertFile, o.KeyFile = p.CertFile, p.KeyFile }
	}
	at := func(s *redistest.StubServer) target.Target {
		return secure(t, s.Host, s.Port, target.TLSOptions{CAFile: ca.File})
	}
	authority, hostname, invalid := isA[x509.UnknownAuthorityError], isA[x509.HostnameError], isA[x509.CertificateInvalidError]
	return []fault{
		{name: "no authority given", target: with(right, func(o *target.TLSOptions) { o.CAFile = "" }), code: "tls", cause: authority,
			want: `signed by "test authority", which this machine does not trust (give that authority's certificate with --cacert`},
		{name: "another authority", target: serving(local, other), code: "tls", cause: authority,
			want: `signed by "other\nauthority", not by an authority of --cacert`},
		{name: "signed by itself", target: serving(redistest.Leaf{Self: true, IPs: local.IPs}, ca), code: "tls", cause: authority,
			want: "signed by itself, not by"},
		{name: "wrong address", target: serving(redistest.Leaf{Names: []string{"a.example"}, IPs: []string{"10.0.0.1"}}, ca), code: "tls", cause: hostname,
			want: "is for a.example, 10.0.0.1, not for 127.0.0.1 (--sni"},
		{name: "wrong --sni", target: with(right, func(o *target.TLSOptions) { o.ServerName = "b.example" }), code: "tls", cause: hostname,
			want: "is for 127.0.0.1, not for b.example"},
		{name: "many names", target: serving(redistest.Leaf{Names: []string{"a", "b", "c", "d"}}, ca), code: "tls", cause: hostname,
			want: "is for a, b, c and others, not for"},
		{name: "no names", target: serving(redistest.Leaf{}, ca), code: "tls", cause: hostname, want: "for no host at all"},
		{name: "expired", target: serving(redistest.Leaf{IPs: local.IPs, From: now.Add(-2 * time.Hour), To: now.Add(-time.Hour)}, ca), code: "tls",
			cause: invalid, want: "expired on " + now.Add(-time.Hour).UTC().Format("2006-01-02 15:04")},
		{name: "not yet valid", target: serving(redistest.Leaf{IPs: local.IPs, From: now.Add(time.Hour)}, ca), code: "tls",
			cause: invalid, want: "not valid before " + now.Add(time.Hour).UTC().Format("2006-01-02 15:04")},
		{name: "a client's certificate", target: serving(redistest.Leaf{IPs: local.IPs, Client: true}, ca), code: "tls", cause: invalid,
			want: "not meant for servers"},
		{name: "client certificate missing", target: serving(local, ca, demanding), code: "tls", want: "requires a client certificate (give a client certificate with --cert"},
		{name: "client certificate foreign", target: with(serving(local, ca, demanding), show(foreign)), code: "tls",
			want: "refuses the client certificate of --cert: "},
		{name: "client certificate foreign, TLS 1.2", target: with(serving(local, ca, demanding, old), show(foreign)), code: "tls",
			want: "refuses the client certificate of --cert: unknown certificate authority"},
		{name: "client certificate expired", target: with(serving(local, ca, demanding), show(late)), code: "tls",
			want: "refuses the client certificate of --cert: expired certificate"},
		{name: "old server", target: with(serving(local, ca, old), func(o *target.TLSOptions) { o.MinVersion = "1.3" }), code: "tls",
			want: "older than --tls-min allows (--tls-min takes 1.0 to 1.3"},
		{name: "plain RESP", target: at(redistest.Banner(t, "-ERR max number of clients reached\r\n")), code: "protocol",
			want: `speaks plain RESP on this port, not TLS: it answered "-ERR max`},
		{name: "web server", target: at(redistest.Raw(t, []byte("HTTP/1.1 400 Bad Request\r\n\r\n"))), code: "protocol",
			want: `speaks no TLS on this port: it answered "HTTP/1.1 400 Bad Request" (this is a web server`},
		{name: "SSH", target: at(redistest.Banner(t, "SSH-2.0-OpenSSH_9.6\r\n")), code: "protocol", want: "this is an SSH server"},
		{name: "half a word", target: at(redistest.Banner(t, "+O")), code: "protocol", want: `it answered "+O"`},
		{name: "hangs up", target: at(redistest.Hangup(t)), code: "eof", want: "closed the connection instead of a TLS handshake (is this a TLS port?"},
		{name: "nobody", target: secure(t, "127.0.0.1", 1, target.TLSOptions{}), code: "refused", want: "connection refused"},
	}
}

// The same against OpenSSL, which words its alerts in its own way.
func TestTLSFaultsOfRedis(t *testing.T) {
	t.Parallel()
	ca := redistest.Certify(t, "test authority")
	foreign := redistest.Certify(t, "other").Issue(t, "foreign", redistest.Leaf{Client: true})
	s := redistest.StartTLS(t, ca, ca.Issue(t, "server", redistest.Leaf{IPs: []string{"127.0.0.1"}}), "--tls-auth-clients", "yes")
	old := redistest.StartTLS(t, ca, ca.Issue(t, "old", redistest.Leaf{IPs: []string{"127.0.0.1"}}), "--tls-auth-clients", "yes", "--tls-protocols", "TLSv1.2")
	none := target.TLSOptions{CAFile: ca.File}
	wrong := target.TLSOptions{CAFile: ca.File, CertFile: foreign.CertFile, KeyFile: foreign.KeyFile}
	for _, tt := range []struct {
		name   string
		target target.Target
		code   string
		want   string
	}{
		{"missing, 1.3", secure(t, s.Host, s.TLSPort, none), "tls", "client certificate"},
		{"missing, 1.2", secure(t, s.Host, old.TLSPort, none), "tls", "requires a client certificate (give"},
		{"foreign, 1.3", secure(t, s.Host, s.TLSPort, wrong), "tls", "refuses the client certificate of --cert: "},
		{"foreign, 1.2", secure(t, s.Host, old.TLSPort, wrong), "tls", "refuses the client certificate of --cert: "},
		{"1.3 asked of 1.2", secure(t, s.Host, old.TLSPort, target.TLSOptions{CAFile: ca.File, MinVersion: "1.3"}), "tls", "--tls-min"},
		{"TLS to the plain port", secure(t, s.Host, s.Port, none), "tls", "speaks plain RESP on this port, not TLS (leave out --tls"},
		{"plain to the TLS port", target.TCP(s.Host, s.TLSPort), "reset", "TLS port? Then give --tls"},
	} {
		_, err := target.Preflight(t.Context(), tt.target)
		code := target.ErrorCode(err)
		if code == "eof" && tt.code == "reset" { // which of the two, the kernel decides
			code = "reset"
		}
		if code != tt.code || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: code %q: %v", tt.name, code, err)
		}
		t.Logf("%s: %v", tt.name, err)
	}
}

// C33 over TLS: Redis says nothing to a client too many, since it speaks TLS to none
// before it has let it in.
func TestTLSFull(t *testing.T) {
	t.Parallel()
	ca := redistest.Certify(t, "test authority")
	s := redistest.StartTLS(t, ca, ca.Issue(t, "server", redistest.Leaf{IPs: []string{"127.0.0.1"}}))
	tg := secure(t, s.Host, s.TLSPort, target.TLSOptions{CAFile: ca.File})
	s.Do(t, "CONFIG", "SET", "maxclients", 3)
	var served int
	var err error
	for range 5 {
		var c *target.Conn
		if c, err = tg.Dial(t.Context(), time.Now()); err == nil {
			defer c.Close()
			err = verify(c)
		}
		if err != nil {
			break
		}
		served++
	}
	code := target.ErrorCode(err)
	if served != 3 || code != "eof" && code != "reset" || !strings.Contains(err.Error(), "lower -c or raise maxclients") {
		t.Errorf("%d of 5 served, then %v", served, err)
	}
}

// A server that was met and then freezes is slow, not a port without TLS: nobody
// knocks, and the words are those of any server.
func TestTLSFrozen(t *testing.T) {
	t.Parallel()
	ca := redistest.Certify(t, "test authority")
	s := redistest.StartTLS(t, ca, ca.Issue(t, "server", redistest.Leaf{IPs: []string{"127.0.0.1"}}))
	tg := secure(t, s.Host, s.TLSPort, target.TLSOptions{CAFile: ca.File})
	load(t, tg)
	s.Pause()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := tg.Dial(ctx, time.Now())
	if text := fmt.Sprint(err); target.ErrorCode(err) != "timeout" || strings.Contains(text, "TLS port") || !strings.Contains(text, "TLS with "+tg.Address) {
		t.Errorf("got %v", err)
	}
	s.Resume()
}

// A frozen server and an impatient user: both end in time, and apart.
func TestTLSSilence(t *testing.T) {
	t.Parallel()
	tg := secure(t, "127.0.0.1", redistest.Mute(t, 0).Port, target.TLSOptions{})
	ctx, cancel := context.WithTimeout(t.Context(), 1200*time.Millisecond)
	defer cancel()
	_, err := target.Preflight(ctx, tg)
	if target.ErrorCode(err) != "timeout" || !strings.Contains(fmt.Sprint(err), "no answer to the TLS handshake within the time limit (is this a TLS port?") {
		t.Errorf("silence: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err = tg.Control(ctx); target.ErrorCode(err) != "canceled" {
		t.Errorf("canceled: %v", err)
	}
}

func TestTLSOptions(t *testing.T) {
	ca := redistest.Certify(t, "test authority")
	one, two := ca.Issue(t, "one", redistest.Leaf{Client: true}), ca.Issue(t, "two", redistest.Leaf{Client: true})
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	key, err := os.ReadFile(one.KeyFile)
	must(t, err)
	locked := file("locked", strings.ReplaceAll(string(key), "PRIVATE", "ENCRYPTED PRIVATE"))
	both, err := os.ReadFile(one.CertFile)
	must(t, err)
	together := file("both.pem", string(key)+string(both))
	none := filepath.Join(t.TempDir(), "none.pem")
	type o = target.TLSOptions
	for _, tt := range []struct {
		options o
		want    string // "" = in order
	}{
		{o{}, ""},
		{o{Insecure: true, ServerName: "h.example", MinVersion: "TLSv1.3"}, ""},
		{o{ServerName: "10.0.0.1"}, ""},
		{o{ServerName: "fe80::1"}, ""},
		{o{CAFile: ca.File, CADir: ca.Dir}, ""},
		{o{CertFile: one.CertFile, KeyFile: one.KeyFile}, ""},
		{o{CertFile: together, KeyFile: together}, ""},
		{o{CAFile: none}, "--cacert " + none + ": no such file or directory: it takes a PEM file"},
		{o{CAFile: t.TempDir()}, "is a directory"},
		{o{CAFile: one.KeyFile}, "no certificate in it: it takes a PEM file with -----BEGIN CERTIFICATE-----"},
		{o{CADir: none}, "--cacertdir " + none + ": no such file or directory: it takes a folder"},
		{o{CADir: ca.File}, "--cacertdir " + ca.File + ": not a directory"},
		{o{CADir: t.TempDir()}, "no certificate in it: it takes a folder"},
		{o{CertFile: one.CertFile}, "--cert goes with --key"},
		{o{KeyFile: one.KeyFile}, "--key goes with --cert"},
		{o{CertFile: none, KeyFile: one.KeyFile}, "--cert " + none + ": no such file"},
		{o{CertFile: one.CertFile, KeyFile: none}, "--key " + none + ": no such file"},
		{o{CertFile: one.CertFile, KeyFile: two.KeyFile}, "--key " + two.KeyFile + ": does not belong to the certificate of --cert " + one.CertFile},
		{o{CertFile: one.KeyFile, KeyFile: one.CertFile}, "--cert " + one.KeyFile + ": no certificate in it"},
		{o{CertFile: one.CertFile, KeyFile: one.CertFile}, "no private key in it"},
		{o{CertFile: one.CertFile, KeyFile: locked}, "the key is encrypted: decrypt it first"},
		{o{CertFile: file("broken", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), KeyFile: one.KeyFile}, "they take PEM files"},
		{o{MinVersion: "1.4"}, `--tls-min "1.4": it takes 1.0, 1.1, 1.2 or 1.3`},
		{o{MinVersion: "2"}, "--tls-min"},
		{o{ServerName: "h:6379"}, `--sni "h:6379": it takes a host name without a port`},
		{o{ServerName: "rediss://u:hunter2"}, "--sni"},
	} {
		s, err := tt.options.Load()
		switch {
		case tt.want == "" && (err != nil || s.Options() != tt.options):
			t.Errorf("%+v: %v", tt.options, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%+v: %v, want %q", tt.options, err, tt.want)
		}
	}
}

func TestSocketsCarryNoTLS(t *testing.T) {
	if got, err := target.Unix("/s").Secure(target.TLSOptions{}); err == nil || got != (target.Target{}) || !strings.Contains(err.Error(), "--tls: a unix socket") {
		t.Errorf("%#v, %v", got, err)
	}
	tg := secure(t, "h", 1, target.TLSOptions{})
	tg.Network, tg.Address = "unix", "/s"
	if _, err := tg.Dial(t.Context(), time.Now()); err == nil || !strings.Contains(err.Error(), "a unix socket carries no TLS") {
		t.Errorf("got %v", err)
	}
	if s := fmt.Sprintf("%v %+v %#v", tg, tg, tg); strings.Count(s, "/s") != 3 || !strings.Contains(s, "TLS:true") {
		t.Errorf("printed as %s", s)
	}
}
