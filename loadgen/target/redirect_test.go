package target_test

import (
	"strings"
	"testing"

	"fullbore/loadgen/target"
)

func TestParseRedirect(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string // "" for no redirect
	}{
		{"MOVED 3999 127.0.0.1:6381", "MOVED 3999 127.0.0.1:6381"},
		{"ASK 0 127.0.0.1:6381", "ASK 0 127.0.0.1:6381"},
		{"MOVED 16383 ::1:6381", "MOVED 16383 [::1]:6381"},
		{"MOVED 16383 [::1]:6381", "MOVED 16383 [::1]:6381"},
		{"MOVED 1 fe80::1%eth0:6381", "MOVED 1 [fe80::1%eth0]:6381"},
		{"MOVED 1 :6381", "MOVED 1 :6381"},
		{"MOVED 1 ?:6381", "MOVED 1 :6381"},
		{"ASK 1 node-1.example.com:6381", "ASK 1 node-1.example.com:6381"},
		{"MOVED 1 10.0.0.1:6381 (via proxy)", "MOVED 1 10.0.0.1:6381"},
		{"MOVED 1 10.0.0.1:6381\r\n", "MOVED 1 10.0.0.1:6381"},
		{"MOVED 16384 127.0.0.1:6381", ""},
		{"MOVED -1 127.0.0.1:6381", ""},
		{"MOVED 1 127.0.0.1:0", ""},
		{"MOVED 1 127.0.0.1:65536", ""},
		{"MOVED 1 127.0.0.1:+6381", ""},
		{"MOVED 1 127.0.0.1", ""},
		{"MOVED 1 [::1:6381", ""},
		{"MOVED 1 a/b:6381", ""},
		{"MOVED 1", ""},
		{"MOVED", ""},
		{"", ""},
		{"moved 1 127.0.0.1:6381", ""},
		{"MOVEDX 1 127.0.0.1:6381", ""},
		{"TRYAGAIN Multiple keys request during rehashing of slot", ""},
		{"CLUSTERDOWN Hash slot not served", ""},
	} {
		r, ok := target.ParseRedirect(tt.text)
		if ok != (tt.want != "") || ok && r.String() != tt.want {
			t.Errorf("%q: %v, %v, want %q", tt.text, r, ok, tt.want)
		}
	}
}

func TestAt(t *testing.T) {
	base := target.Target{Network: "tcp", Address: "db.example.com:6379", Username: "u", Password: "p", DB: 2}
	for address, want := range map[string]string{
		"10.0.0.1:7000": "10.0.0.1:7000",
		":7000":         "db.example.com:7000",
		"?:7000":        "db.example.com:7000",
		"[::1]:7000":    "[::1]:7000",
	} {
		got := base.At(address)
		if got.Address != want || got.Username != "u" || got.Password != "p" || got.DB != 2 || got.Network != "tcp" {
			t.Errorf("%s: %#v", address, got)
		}
	}
	if got := target.Unix("/run/r.sock").At(":7000"); got.Address != "127.0.0.1:7000" || got.Network != "tcp" {
		t.Errorf("from a socket: %#v", got)
	}
	if got := target.TCP("::1", 1).At(":7000").Address; got != "[::1]:7000" {
		t.Errorf("from IPv6: %s", got)
	}
}

func FuzzParseRedirect(f *testing.F) {
	for _, seed := range []string{"MOVED 3999 127.0.0.1:6381", "ASK 1 ::1:1", "MOVED 1 :1", "MOVED 1 ?:65535", "ASK 16384 a:1", "MOVED  1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := target.ParseRedirect(text)
		if !ok {
			return
		}
		again, ok := target.ParseRedirect(r.String())
		if !ok || again != r || r.Slot < 0 || r.Slot > 16383 || strings.ContainsAny(r.Address, " \r\n") {
			t.Errorf("%q: %+v, again %+v", text, r, again)
		}
		if at := target.TCP("h", 1).At(r.Address); at.Address == "" || at.Address[0] == ':' {
			t.Errorf("%q leads to %q", text, at.Address)
		}
	})
}
