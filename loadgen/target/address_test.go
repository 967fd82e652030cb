package target_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"fullbore/loadgen/target"
)

func TestAddresses(t *testing.T) {
	for _, tt := range []struct {
		target  target.Target
		network string
		address string
		local   bool
	}{
		{target.TCP("127.0.0.1", 6379), "tcp", "127.0.0.1:6379", true},
		{target.TCP("127.9.9.9", 1), "tcp", "127.9.9.9:1", true},
		{target.TCP("", 6379), "tcp", "127.0.0.1:6379", true},
		{target.TCP("::1", 6379), "tcp", "[::1]:6379", true},
		{target.TCP("[::1]", 6379), "tcp", "[::1]:6379", true},
		{target.TCP("::ffff:127.0.0.1", 1), "tcp", "[::ffff:127.0.0.1]:1", true},
		{target.TCP("fe80::1%eth0", 1), "tcp", "[fe80::1%eth0]:1", false},
		{target.TCP("localhost", 1), "tcp", "localhost:1", true},
		{target.TCP("LocalHost.", 1), "tcp", "LocalHost.:1", true},
		{target.TCP("a.localhost", 1), "tcp", "a.localhost:1", true},
		{target.TCP("0.0.0.0", 1), "tcp", "0.0.0.0:1", true},
		{target.TCP("10.0.0.1", 1), "tcp", "10.0.0.1:1", false},
		{target.TCP("localhost.example.com", 1), "tcp", "localhost.example.com:1", false},
		{target.Unix("/run/redis.sock"), "unix", "/run/redis.sock", true},
		{target.Target{Network: "tcp", Address: "nonsense"}, "tcp", "nonsense", false},
	} {
		got := tt.target
		if got.Network != tt.network || got.Address != tt.address || got.Local() != tt.local || got.String() != tt.address {
			t.Errorf("%#v local %v; want %s %s local %v", got, got.Local(), tt.network, tt.address, tt.local)
		}
	}
}

// M31: no way of printing shows the password.
func TestSecretsStaySecret(t *testing.T) {
	with := target.TCP("h", 1)
	with.Username, with.Password = "user", "hunter2"
	type holder struct {
		Target target.Target
		List   []*target.Target
	}
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, nil))
	logger.Info("x", "target", with, "password", with.Password)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "target", with, "holder", holder{Target: with})
	for _, v := range []any{with, &with, with.Password, holder{with, []*target.Target{&with}}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
		encoded, err := json.Marshal(v)
		must(t, err)
		out.Write(encoded)
	}
	if s := out.String(); strings.Contains(s, "hunter2") || strings.Contains(s, fmt.Sprintf("%x", "hunter2")) {
		t.Errorf("the password is in:\n%s", s)
	}
	if target.Secret("").String() != "" || target.Secret("x").String() != "***" {
		t.Error("an empty secret is distinct from a hidden one")
	}
	if string(with.Password) != "hunter2" {
		t.Error("the password itself must stay within reach")
	}
}

// IPv6 in every spelling, and what is no host, never repeated.
func TestParseHost(t *testing.T) {
	for host, want := range map[string]string{
		"":                    "127.0.0.1:7000",
		"h":                   "h:7000",
		"H.example.":          "H.example.:7000",
		"10.0.0.1":            "10.0.0.1:7000",
		"::1":                 "[::1]:7000",
		"[::1]":               "[::1]:7000",
		"2001:DB8:0:0::1":     "[2001:DB8:0:0::1]:7000",
		"::ffff:10.0.0.1":     "[::ffff:10.0.0.1]:7000",
		"fe80::1%eth0":        "[fe80::1%eth0]:7000",
		"[fe80::1%eth0]":      "[fe80::1%eth0]:7000",
		"[fe80::1%25eth0]":    "[fe80::1%eth0]:7000",
		"[::1]:6379":          "-p, such as",
		"h:6379":              "-p, such as",
		"[::1":                "-h takes",
		"::1]":                "-h takes",
		"[h]":                 "-h takes",
		"fe80::1%":            "-h takes",
		"1:2:3":               "-h takes",
		"a b":                 "-h takes",
		"a\nb":                "-h takes",
		"secret@h":            "-h takes",
		"redis://u:secret@h":  "a URI goes with -u",
		"rediss://[::1]:6379": "a URI goes with -u",
	} {
		got, err := target.ParseHost(host, 7000)
		text := got.Address
		if err != nil {
			text = err.Error()
		}
		if (err == nil) != strings.HasSuffix(want, ":7000") || !strings.Contains(text, want) || strings.Contains(text, "secret") {
			t.Errorf("%q: %q, want %q", host, text, want)
		}
	}
	for _, port := range []int{0, -1, 65536} {
		if _, err := target.ParseHost("h", port); err == nil || !strings.Contains(err.Error(), "1 to 65535") {
			t.Errorf("port %d: %v", port, err)
		}
	}
}
