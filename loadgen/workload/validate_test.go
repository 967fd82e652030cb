package workload_test

import (
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*workload.Workload)
		want   string // "" = valid
	}{
		{"defaults", func(*workload.Workload) {}, ""},
		{"no test", func(w *workload.Workload) { w.Mix = nil }, "no command to send: name a test with -t or --mix"},
		{"a test without command", func(w *workload.Workload) { w.Mix = workload.Single(workload.Test{Title: "x"}) }, `--mix: test "x" has no command`},
		{"weight 0", func(w *workload.Workload) { w.Mix[0].Weight = 0 }, "--mix: weight 0 of set"},
		{"weight too large", func(w *workload.Workload) { w.Mix[0].Weight = workload.MaxWeight + 1 }, "--mix: weight 1000001 of set"},
		{"largest weight", func(w *workload.Workload) { w.Mix[0].Weight = workload.MaxWeight }, ""},
		{"no payload", func(w *workload.Workload) { w.Payload = 0 }, "payload 0: -d takes 1 to 536870912 bytes"},
		{"negative payload", func(w *workload.Workload) { w.Payload = -1 }, "payload -1: -d takes"},
		{"largest payload", func(w *workload.Workload) { w.Payload = 512 << 20 }, ""},
		{"payload too large", func(w *workload.Workload) { w.Payload = 512<<20 + 1 }, "payload 536870913: -d takes"},
		{"no key space", func(w *workload.Workload) { w.Keys.Size = 0 }, ""},
		{"negative key space", func(w *workload.Workload) { w.Keys.Size = -5 }, "key space -5: -r takes 0 (one key) to 1000000000000"},
		{"largest key space", func(w *workload.Workload) { w.Keys.Size = workload.MaxKeys }, ""},
		{"more than twelve digits", func(w *workload.Workload) { w.Keys.Size = workload.MaxKeys + 1 }, "key space 1000000000001: -r"},
		{"no prefix", func(w *workload.Workload) { w.Keys.Prefix = "" }, ""},
		{"longest prefix", func(w *workload.Workload) { w.Keys.Prefix = strings.Repeat("x", 512) }, ""},
		{"prefix too long", func(w *workload.Workload) { w.Keys.Prefix = strings.Repeat("x", 513) }, "key prefix of 513 bytes: --key-prefix takes at most 512"},
		{"hash tag and accents", func(w *workload.Workload) { w.Keys.Prefix = "{tag}:prüfung-^ :" }, ""},
		{"sizes", func(w *workload.Workload) { w.Payload, w.Sizes = 0, workload.Sizes{{10, 20, 1}} }, ""},
		{"no size", func(w *workload.Workload) { w.Sizes = workload.Sizes{{0, 20, 1}} }, "-d: payload 0: -d takes 1 to 536870912 bytes"},
		{"size too large", func(w *workload.Workload) { w.Sizes = workload.Sizes{{1, 1 << 30, 1}} }, "-d: payload 1073741824: -d takes"},
		{"size without weight", func(w *workload.Workload) { w.Sizes = workload.Sizes{{1, 2, 0}} }, "-d: weight 0 of size 1-2: a weight"},
		{"unknown distribution", func(w *workload.Workload) { w.Keys.Dist.Name = "normal" }, `--key-dist: unknown distribution "normal": it takes uniform`},
		{"exponent too large", func(w *workload.Workload) { w.Keys.Dist = workload.Dist{Name: "zipf", Shape: 6} }, "--key-dist: exponent 6: zipf takes"},
		{"no deviation", func(w *workload.Workload) { w.Keys.Dist = workload.Dist{Name: "gaussian"} }, "--key-dist: deviation 0: gaussian takes"},
		{"negative time to live", func(w *workload.Workload) { w.Expire = workload.Expire{Low: -1, High: 5} }, "--expire: -1 seconds: --expire takes"},
		{"half a sequence", func(w *workload.Workload) { w.Mix[1].Ordered = true }, "--mix: some rows are a sequence"},
		{"star", func(w *workload.Workload) { w.Keys.Prefix = "a*" }, `key prefix "a*" contains one of *?[]\: --key-prefix takes plain text`},
		{"question mark", func(w *workload.Workload) { w.Keys.Prefix = "a?" }, `key prefix "a?" contains one of`},
		{"brackets", func(w *workload.Workload) { w.Keys.Prefix = "[ab]" }, `key prefix "[ab]" contains one of`},
		{"backslash", func(w *workload.Workload) { w.Keys.Prefix = `a\` }, `key prefix "a\\" contains one of`},
		{"line end", func(w *workload.Workload) { w.Keys.Prefix = "a\r\nDEL x" }, `key prefix "a\r\nDEL x" contains a control character`},
		{"escape", func(w *workload.Workload) { w.Keys.Prefix = "\x1b[2J" }, `key prefix "\x1b[2J" contains`},
		{"not UTF-8", func(w *workload.Workload) { w.Keys.Prefix = "a\xff" }, `key prefix "a\xff" is not UTF-8: --key-prefix`},
	} {
		w := load(t, "set=1,get=2")
		tt.change(&w)
		err := w.Validate()
		if tt.want == "" && err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}
