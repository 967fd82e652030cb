package target_test

import (
	"net/url"
	"strings"
	"testing"

	"fullbore/loadgen/target"
)

func TestParse(t *testing.T) {
	tcp := func(address, user string, password target.Secret, db int) target.Target {
		return target.Target{Network: "tcp", Address: address, Username: user, Password: password, DB: db}
	}
	for uri, want := range map[string]target.Target{
		"redis://":                             tcp("127.0.0.1:6379", "", "", 0),
		"redis://localhost":                    tcp("localhost:6379", "", "", 0),
		"REDIS://h:7000/":                      tcp("h:7000", "", "", 0),
		"valkey://h:7000/12":                   tcp("h:7000", "", "", 12),
		"redis://h?db=3":                       tcp("h:6379", "", "", 3),
		"redis://:7000":                        tcp("127.0.0.1:7000", "", "", 0),
		"redis://[::1]":                        tcp("[::1]:6379", "", "", 0),
		"redis://[::1]:7000/1":                 tcp("[::1]:7000", "", "", 1),
		"redis://[fe80::1%25eth0]:1":           tcp("[fe80::1%eth0]:1", "", "", 0),
		"redis://[fe80::1%25et%2D0]":           tcp("[fe80::1%et-0]:6379", "", "", 0), // the zone too is decoded once
		"redis://[fe80::1%eth0]":               tcp("[fe80::1%eth0]:6379", "", "", 0),
		"redis://[::1]:":                       tcp("[::1]:6379", "", "", 0),
		"redis://[::]/1":                       tcp("[::]:6379", "", "", 1),
		"redis://[::FFFF:10.0.0.1]:7000":       tcp("[::FFFF:10.0.0.1]:7000", "", "", 0),
		"redis://u:p@[2001:DB8::1]:7000/3":     tcp("[2001:DB8::1]:7000", "u", "p", 3),
		"redis://my%2Dhost":                    tcp("my-host:6379", "", "", 0),
		"redis://h/2?db=2":                     tcp("h:6379", "", "", 2),
		"redis://h/02/":                        tcp("h:6379", "", "", 2),
		"redis://:secret@h":                    tcp("h:6379", "", "secret", 0),
		"redis://secret@h":                     tcp("h:6379", "", "secret", 0),
		"redis://bench:secret@[::1]/2":         tcp("[::1]:6379", "bench", "secret", 2),
		"redis://u:a:b@h":                      tcp("h:6379", "u", "a:b", 0),
		"redis://u:a+b=c d@h":                  tcp("h:6379", "u", "a+b=c d", 0),
		"redis://u:%2540@h":                    tcp("h:6379", "u", "%40", 0), // decoded once
		"redis://u%3A:%40%3A%2F%23%25%3F%2B@h": tcp("h:6379", "u:", "@:/#%?+", 0),
		"unix:///run/redis.sock":               {Network: "unix", Address: "/run/redis.sock"},
		"unix:///a%20b%25@c.sock?db=4":         {Network: "unix", Address: "/a b%@c.sock", DB: 4},
		"unix://u:p%2Fw@/s":                    {Network: "unix", Address: "/s", Username: "u", Password: "p/w"},
	} {
		got, err := target.Parse(uri)
		if err != nil || got != want {
			t.Errorf("%s: %#v, %v; want %#v", uri, got, err, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for uri, want := range map[string]string{
		"":                               "-u takes redis://",
		"h:6379":                         "-u takes redis://",
		"http://h":                       "-u takes redis://",
		"redis://u:sec@ret@h":            "percent-encode",
		"redis://u:sec/ret@h":            "percent-encode",
		"redis://u:sec#ret@h":            "percent-encode",
		"redis://u:sec?ret@h":            "percent-encode",
		"redis://u:sec%ret@h":            "percent-encode",
		"redis://u%:secret@h":            "percent-encode",
		"unix://u:sec/ret@/s":            "percent-encode",
		"unix://u:sec@ret@/s":            "percent-encode",
		"unix://u:sec%ret@/s":            "percent-encode",
		"redis://u:secret":               "port must be", // the @host was forgotten
		"redis://:secret/":               "port must be",
		"redis://h:0":                    "1 to 65535",
		"redis://h:65536":                "1 to 65535",
		"redis://::1":                    "[ ]",
		"redis://::1:6379":               "[ ]",
		"redis://[::1":                   "[ ]",
		"redis://[::1]6379":              "[ ]",
		"redis://[secret]":               "[ ]",
		"redis://h h":                    "[ ]",
		"redis://h/secret":               "the database must be",
		"redis://h/-1":                   "the database must be",
		"redis://h/1/2":                  "the database must be",
		"redis://h/+1":                   "the database must be",
		"redis://h/1?db=2":               "give it once",
		"redis://h?db=":                  "the database must be",
		"redis://h?db=1&db=2":            "the database must be",
		"rediss://h?ssl=secret":          "only parameter",
		"redis://h:+6379":                "1 to 65535",
		"redis://h:-1":                   "1 to 65535",
		"redis://h:99999999999999999999": "1 to 65535",
		"rediss://::1":                   "[ ]",
		"redis://[127.0.0.1%25eth0]":     "[ ]",
		"redis://[fe80::1%25]":           "[ ]",
		"redis://[fe80::1%]":             "[ ]",
		"redis://[fe80::1%25a%2Fb]":      "[ ]",
		"redis://a%zz":                   "[ ]",
		"redis://a%2Fb":                  "[ ]",
		"redis://a%0Ab":                  "[ ]",
		"redis://a\nb":                   "[ ]",
		"rediss://u:sec@ret@h":           "percent-encode",
		"valkeys://u:sec/ret@h":          "percent-encode",
		"redis+tls://h":                  "-u takes redis://",
		"redis:h":                        "-u takes redis://",
		"redis://h?db=secret":            "the database must be",
		"redis://h#secret":               "the database must be",
		"redis://h?secret=secret":        "only parameter",
		"unix://secret":                  "three slashes",
		"unix://run/redis.sock":          "three slashes",
		"unix://":                        "three slashes",
		"unix:///a%0Ab":                  "three slashes",
		"unix:///":                       "three slashes",
		"unix:///a%zz":                   "%25",
	} {
		got, err := target.Parse(uri)
		if err == nil {
			t.Errorf("%s: understood as %#v", uri, got)
			continue
		}
		for _, part := range []string{"secret", "sec", "ret@"} {
			if strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error repeats a part of the URI: %v", uri, err)
			}
		}
		if !strings.Contains(err.Error(), want) || got != (target.Target{}) {
			t.Errorf("%s: %v, want %q", uri, err, want)
		}
	}
}

// C23: every character, encoded, comes back as it was; raw, it comes back or gets
// the hint, and is never repeated.
func TestEveryPassword(t *testing.T) {
	for c := byte(1); c < 255; c++ {
		secret := "Zq" + string([]byte{c}) + "Zw"
		got, err := target.Parse("redis://u:" + url.PathEscape(secret) + "@h:1")
		// PathEscape leaves : and @ alone, which a path may hold.
		if c == '@' {
			got, err = target.Parse("redis://u:Zq%40Zw@h:1")
		}
		if err != nil || string(got.Password) != secret || got.Address != "h:1" {
			t.Errorf("%q encoded: %q at %s, %v", c, string(got.Password), got.Address, err)
		}
		got, err = target.Parse("redis://u:" + secret + "@h:1")
		switch {
		case err == nil && string(got.Password) != secret:
			t.Errorf("%q raw: silently read as %q", c, string(got.Password))
		case err != nil && !strings.Contains(err.Error(), "percent-encode"):
			t.Errorf("%q raw: %v", c, err)
		case err != nil && strings.Contains(err.Error(), "Zw"):
			t.Errorf("%q raw: repeated in %v", c, err)
		}
	}
}

// The schemes with TLS are those without, secured as --tls alone does it; the port is
// the same, since no other is registered.
func TestSecureSchemes(t *testing.T) {
	for _, rest := range []string{"", "h", "u:p%40@h:7000/3", "[::1]", "[fe80::1%25eth0]:7?db=2", ":secret@h"} {
		for secured, plain := range map[string]string{"rediss": "redis", "valkeys": "valkey", "REDISS": "redis"} {
			got, err := target.Parse(secured + "://" + rest)
			must(t, err)
			if got.TLS == nil || got.TLS.Options() != (target.TLSOptions{}) {
				t.Errorf("%s://%s: TLS %+v", secured, rest, got.TLS)
			}
			want, err := target.Parse(plain + "://" + rest)
			must(t, err)
			if got.TLS = nil; got != want {
				t.Errorf("%s://%s: %#v, want %#v", secured, rest, got, want)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"redis://u:p@h:1/2", "unix://u:p@/a?db=1", "redis://[::1]:1", "valkey://:%40@h", "rediss://h", "redis://a@b@c", "rediss://[fe80::1%25e]/1?db=1", "redis://a%2fb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		got, err := target.Parse(uri)
		if err != nil {
			if got != (target.Target{}) {
				t.Errorf("%q: %v with %#v", uri, err, got)
			}
			return
		}
		scheme, _, _ := strings.Cut(strings.ToLower(uri), "://")
		if secured := scheme == "rediss" || scheme == "valkeys"; secured != (got.TLS != nil) {
			t.Errorf("%q: TLS %v", uri, got.TLS != nil)
		}
		if strings.ContainsAny(got.String(), "\r\n") && got.Network == "tcp" {
			t.Errorf("%q: the address breaks a line", uri)
		}
		if got.Address == "" || got.DB < 0 || got.Network != "tcp" && got.Network != "unix" {
			t.Errorf("%q: %#v", uri, got)
		}
		if p := string(got.Password); len(p) > 8 && strings.Contains(got.String(), p) && !strings.Contains(strings.Replace(uri, p, "", 1), p) {
			t.Errorf("%q: the password is in %s", uri, got)
		}
	})
}
