package main_test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
	"fullbore/tui/ptytest"
)

// tlsRange is a server behind TLS in every way that the cases of C25 need: its own TLS
// port, and proxies in front of its plain one.
type tlsRange struct {
	ca, other *redistest.Authority
	server    *redistest.Server // asks for no client certificate
}

func newTLSRange(t *testing.T) tlsRange {
	t.Helper()
	r := tlsRange{ca: redistest.Certify(t, "test authority"), other: redistest.Certify(t, "other authority")}
	leaf := r.ca.Issue(t, "server", redistest.Leaf{Names: []string{"localhost", "cache.example"}, IPs: []string{"127.0.0.1", "::1"}})
	r.server = redistest.StartTLS(t, r.ca, leaf)
	r.server.Do(t, "CONFIG", "SET", "bind", "127.0.0.1 ::1")
	return r
}

func (r tlsRange) port() string { return strconv.Itoa(r.server.TLSPort) }

// proxy is the port of a proxy with that certificate, in front of the server.
func (r tlsRange) proxy(t *testing.T, by *redistest.Authority, l redistest.Leaf, change func(*tls.Config)) string {
	t.Helper()
	config := &tls.Config{Certificates: []tls.Certificate{by.Issue(t, "leaf", l).Certificate}}
	if change != nil {
		change(config)
	}
	return strconv.Itoa(redistest.Terminate(t, config, r.server.Addr).Port)
}

// secured is what a JSON report says of TLS.
func secured(t testing.TB, text string) string {
	t.Helper()
	var d struct{ Server struct{ TLS string } }
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatalf("JSON report: %v\n%s", err, text)
	}
	return d.Server.TLS
}

// TestTLS is the bright side of C25: whoever proves to be the server is loaded, by as
// many connections as were asked for, and the report says how they were secured.
func TestTLS(t *testing.T) {
	t.Parallel()
	r := newTLSRange(t)
	client := r.ca.Issue(t, "client", redistest.Leaf{Client: true})
	demanding := redistest.StartTLS(t, r.ca, r.ca.Issue(t, "demanding", redistest.Leaf{IPs: []string{"127.0.0.1"}}),
		"--tls-auth-clients", "yes", "--requirepass", odd)
	const verified, unverified = "TLS 1.3", "TLS 1.3, certificate not verified"
	wild := r.proxy(t, r.other, redistest.Leaf{Names: []string{"a.example"}, To: time.Now().Add(-time.Minute)}, nil)
	for name, c := range map[string]struct {
		args, env []string
		want      string // "" = no TLS
	}{
		"authority":          {args: []string{"-p", r.port(), "--tls", "--cacert", r.ca.File}, want: verified},
		"folder":             {args: []string{"-p", r.port(), "--tls", "--cacertdir", r.ca.Dir}, want: verified},
		"name":               {args: []string{"-h", "localhost", "-p", r.port(), "--tls", "--cacert", r.ca.File}, want: verified},
		"sni":                {args: []string{"-p", r.port(), "--tls", "--cacert", r.ca.File, "--sni", "cache.example", "--tls-min", "1.3"}, want: verified},
		"ipv6":               {args: []string{"-h", "::1", "-p", r.port(), "--tls", "--cacert", r.ca.File}, want: verified},
		"uri":                {args: []string{"-u", "rediss://127.0.0.1:" + r.port() + "/2", "--cacert", r.ca.File}, want: verified},
		"ipv6 uri":           {args: []string{"-u", "valkeys://[::1]:" + r.port(), "--cacert", r.ca.File}, want: verified},
		"environment":        {args: []string{"-p", r.port()}, env: []string{"FULLBORE_TLS=true", "FULLBORE_CACERT=" + r.ca.File}, want: verified},
		"insecure":           {args: []string{"-p", r.port(), "--tls", "--insecure"}, want: unverified},
		"nothing right":      {args: []string{"-p", wild, "--tls", "--tls-skip-verify"}, want: unverified},
		"client certificate": {args: []string{"-p", strconv.Itoa(demanding.TLSPort), "--tls", "--cacert", r.ca.File, "--cert", client.CertFile, "--key", client.KeyFile, "-a", odd}, want: verified},
		"password by environment": {args: []string{"-u", "rediss://127.0.0.1:" + strconv.Itoa(demanding.TLSPort), "--cacert", r.ca.File, "--cert", client.CertFile, "--key", client.KeyFile},
			env: []string{"REDISCLI_AUTH=" + odd}, want: verified},
		"none": {args: []string{"-p", port(r.server)}, env: []string{"FULLBORE_CACERT=" + r.ca.File}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := start(t, c.env, append(c.args, "-t", "set", "-n", "203", "-c", "7", "-P", "3", "--json")...).wait(t).want(t, 0)
			if got := secured(t, o.stdout); got != c.want || only(t, o.stdout).Requests != 203 {
				t.Errorf("secured by %q, want %q; %d requests", got, c.want, only(t, o.stdout).Requests)
			}
			if marked := strings.Contains(o.stderr, "certificate not verified (--insecure)"); marked != (c.want == unverified) {
				t.Errorf("stderr: %s", o.stderr)
			}
		})
	}
}

// TestInsecureIsMarked holds that nobody who reads a result of --insecure takes it for
// one of the server that was named.
func TestInsecureIsMarked(t *testing.T) {
	t.Parallel()
	r := newTLSRange(t)
	args := []string{"-p", r.port(), "--tls", "--insecure"}
	const mark = "certificate not verified"
	for format, onStdout := range map[string]bool{"text": true, "markdown": true, "gobench": true, "json": true, "quiet": false, "csv": false} {
		o := fullbore(t, append(slices.Clone(args), "-t", "set", "-n", "100", "--format", format)...).want(t, 0)
		if strings.Contains(o.stdout, mark) != onStdout || !strings.Contains(o.stderr, mark) {
			t.Errorf("%s: no mark:\n%s%s", format, o.stdout, o.stderr)
		}
	}
	w := ptytest.Open(t, ptytest.Spec{
		Cols: 140, Rows: 40, Dir: t.TempDir(), Env: environment(),
		Command: append([]string{program(t, plain), "--yes"}, args...),
	})
	w.SeesThat("a measurement, and the mark", func(screen string) bool {
		r, found := table(screen, "p50")
		return found && r[since].ok && strings.Contains(screen, mark)
	})
	w.Keys("q")
	if code := w.Ends(); code != 0 {
		t.Errorf("exit code %d\n%s", code, w.Scrollback())
	}
}

// TestTLSFaults is the dark side of C25: each mistake has a line of its own, in time,
// and the server gets nothing.
func TestTLSFaults(t *testing.T) {
	t.Parallel()
	r := newTLSRange(t)
	local := redistest.Leaf{IPs: []string{"127.0.0.1"}}
	requiring := func(c *tls.Config) { c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, r.ca.Pool() }
	demanding := r.proxy(t, r.ca, local, requiring)
	foreign, now := r.other.Issue(t, "foreign", redistest.Leaf{Client: true}), time.Now()
	trusted := []string{"--tls", "--cacert", r.ca.File}
	given := func(number string, more ...string) []string {
		return append(append([]string{"-p", number}, trusted...), more...)
	}
	faults := map[string]struct {
		args []string
		want string
	}{
		"no authority":          {[]string{"-p", r.port(), "--tls"}, "not by an authority this machine trusts|which this machine does not trust"},
		"another authority":     {[]string{"-p", r.port(), "--tls", "--cacert", r.other.File}, `signed by "test authority", not by an authority of --cacert`},
		"signed by itself":      {given(r.proxy(t, r.ca, redistest.Leaf{Self: true, IPs: local.IPs}, nil)), "signed by itself"},
		"wrong sni":             {given(r.port(), "--sni", "b.example"), "not for b.example"},
		"wrong address":         {given(r.proxy(t, r.ca, redistest.Leaf{Names: []string{"a.example"}}, nil)), "is for a.example, not for 127.0.0.1 (--sni"},
		"expired":               {given(r.proxy(t, r.ca, redistest.Leaf{IPs: local.IPs, From: now.Add(-2 * time.Hour), To: now.Add(-time.Hour)}, nil)), "expired on"},
		"not yet valid":         {given(r.proxy(t, r.ca, redistest.Leaf{IPs: local.IPs, From: now.Add(time.Hour)}, nil)), "not valid before"},
		"no client certificate": {given(demanding), "requires a client certificate (give a client certificate with --cert"},
		"a foreign one":         {given(demanding, "--cert", foreign.CertFile, "--key", foreign.KeyFile), "refuses the client certificate of --cert"},
		"old":                   {given(r.proxy(t, r.ca, local, func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }), "--tls-min", "1.3"), "older than --tls-min allows"},
		"TLS to a plain port":   {given(port(r.server)), "speaks plain RESP on this port, not TLS"},
		"plain to a TLS port":   {[]string{"-p", r.port()}, "TLS port"},
		"plain to a Go server":  {[]string{"-p", r.proxy(t, r.ca, local, nil)}, "TLS port"},
		"web server":            {given(strconv.Itoa(redistest.Raw(t, []byte("HTTP/1.1 400 Bad Request\r\n\r\n")).Port)), "this is a web server"},
		"nobody":                {given(idlePort(t)), "connection refused"},
		"rediss":                {[]string{"-u", "rediss://:" + "s3cret" + "@127.0.0.1:" + r.port()}, "not by an authority this machine trusts|which this machine does not trust"},
	}
	told := make(chan [2]string, len(faults))
	t.Run("each", func(t *testing.T) {
		for name, c := range faults {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				args := append(slices.Clone(c.args), "-t", "set", "-n", "100", "--json")
				if !strings.HasPrefix(c.args[0], "-u") {
					args = append(args, "-a", "s3cret")
				}
				p, begun := start(t, nil, args...), time.Now()
				o := p.wait(t).want(t, 1)
				if took := time.Since(begun); took > target.Limit+hangs {
					t.Errorf("took %v", took)
				}
				wants := func(want string) bool { return strings.Contains(o.stderr, want) }
				if o.stdout != "" || strings.Count(o.stderr, "\n") != 1 || !slices.ContainsFunc(strings.Split(c.want, "|"), wants) {
					t.Errorf("stdout %q, stderr %q; want one line with %q", o.stdout, o.stderr, c.want)
				}
				if strings.Contains(o.stderr, "s3cret") {
					t.Errorf("the password is shown: %s", o.stderr)
				}
				told <- [2]string{name, o.stderr}
			})
		}
	})
	close(told)
	names := map[string]string{}
	for line := range told {
		name, text := line[0], line[1]
		// Ways into the same mistake are told in the same words.
		if name == "rediss" || name == "plain to a Go server" {
			continue
		}
		_, text, _ = strings.Cut(text, "127.0.0.1:")
		_, text, _ = strings.Cut(text, " ")
		if other := names[text]; other != "" {
			t.Errorf("%s and %s have one text: %s", name, other, text)
		}
		names[text] = name
	}
	if sets, auths := r.server.Calls(t, "set"), r.server.Calls(t, "auth"); sets != 0 || auths != 0 {
		t.Errorf("the server was sent %d SET and %d passwords", sets, auths)
	}
}

// TestTLSSilence: a port that takes connections and never answers is found out in time.
func TestTLSSilence(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() // the kernel accepts; nobody reads
	_, number, _ := net.SplitHostPort(l.Addr().String())
	begun := time.Now()
	o := fullbore(t, "-p", number, "--tls", "-t", "set", "-q").want(t, 1)
	if took := time.Since(begun); took > target.Limit+hangs || o.stdout != "" || !strings.Contains(o.stderr, "no answer to the TLS handshake") {
		t.Errorf("after %v: %s", took, o.stderr)
	}
}

// TestCompareOverTLS: what TLS costs is a comparison like any other.
func TestCompareOverTLS(t *testing.T) {
	t.Parallel()
	r := newTLSRange(t)
	o := fullbore(t, short("--json", "--cacert", r.ca.File, "u=redis://127.0.0.1:"+port(r.server), "u=rediss://127.0.0.1:"+r.port())...).want(t, 0)
	c := contest(t, o.stdout)
	c.whole(t, 1)
	var arms struct {
		Arms []struct{ Server struct{ TLS string } }
	}
	if err := json.NewDecoder(bytes.NewReader([]byte(o.stdout))).Decode(&arms); err != nil || len(arms.Arms) != 2 {
		t.Fatalf("%d arms, %v", len(arms.Arms), err)
	}
	if got := fmt.Sprintf("%q %q", arms.Arms[0].Server.TLS, arms.Arms[1].Server.TLS); got != `"" "TLS 1.3"` {
		t.Errorf("secured by %s", got)
	}
	if n := r.server.DBSize(t); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}
