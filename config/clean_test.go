package config_test

import (
	"strings"
	"testing"

	"fullbore/config"
)

// TestClean holds what is cleaned, and when it needs consent.
func TestClean(t *testing.T) {
	for _, c := range []struct {
		line, address, prefix string
		yes                   bool
	}{
		{"clean", "127.0.0.1:6379", "fullbore:", true},
		{"clean -p 7000 --dbnum 3", "127.0.0.1:7000", "fullbore:", true},
		{"-h ::1 clean", "[::1]:6379", "fullbore:", true},
		{"clean -u redis://:x@a:1/2", "a:1", "fullbore:", true},
		{"clean -s /x", "/x", "fullbore:", true},
		{"clean --key-prefix bench:", "127.0.0.1:6379", "bench:", false},
		{"--key-prefix bench: clean --yes", "127.0.0.1:6379", "bench:", true},
		{"clean --key-prefix abc", "127.0.0.1:6379", "abc", false},
		{"clean --key-prefix a --yes", "127.0.0.1:6379", "a", true},
		{"clean --key-prefix лог", "127.0.0.1:6379", "лог", false},
	} {
		for _, e := range []config.Env{env("REDISCLI_AUTH=outer"), terminal("REDISCLI_AUTH=outer")} {
			got, err := config.Parse(strings.Fields(c.line), e)
			if err != nil || !got.Clean || got.Interactive || got.Done || got.Target == nil || got.Target.String() != c.address ||
				got.Plan.Workload.Keys.Prefix != c.prefix || got.Yes != c.yes || got.Progress != e.ErrIsTerminal {
				t.Errorf("fullbore %s: clean %v, %v, prefix %q, yes %v, progress %v, %v", c.line, got.Clean, got.Target, got.Plan.Workload.Keys.Prefix, got.Yes, got.Progress, err)
			}
		}
	}
	// A server that was not named gets the password of the environment when it asks.
	if got, err := config.Parse([]string{"clean"}, env("REDISCLI_AUTH=outer")); err != nil || got.Auth != "outer" || got.Target.Password != "" {
		t.Errorf("clean: %v, password given %v", err, got.Target.Password != "")
	}
	// What the environment says of loads is for loads.
	got, err := config.Parse([]string{"clean"}, env("FULLBORE_CLIENTS=7", "FULLBORE_SERVER=builtin", "FULLBORE_JSON=true", "FULLBORE_KEY_PREFIX=team:", "FULLBORE_REPLICAS=all"))
	if err != nil || !got.Clean || got.Server != "" || got.Plan.Workload.Keys.Prefix != "team:" || got.Yes {
		t.Errorf("clean among variables: server %q, prefix %q, yes %v, %v", got.Server, got.Plan.Workload.Keys.Prefix, got.Yes, err)
	}
}

func TestCleanErrors(t *testing.T) {
	const load = " has no effect here: no load is sent; clean takes flags that name a server, --key-prefix and --yes"
	for line, want := range map[string]string{
		"clean --key-prefix ''":       "clean: --key-prefix: without a prefix the keys of a run cannot be told from others: name one, as in --key-prefix bench: or leave the flag out",
		"clean --key-prefix '' --yes": "clean: --key-prefix: without a prefix the keys of a run cannot be told from others: name one, as in --key-prefix bench: or leave the flag out",
		"clean --key-prefix a":        `clean: --key-prefix "a": so short a prefix may be that of somebody else's keys: --yes consents`,
		"clean --key-prefix é:":       `clean: --key-prefix "é:": so short a prefix may be that of somebody else's keys: --yes consents`,
		"clean fullbore:":             "clean: it takes flags only: the keys to remove are those under --key-prefix",
		"clean -- DEL x":              "clean: it takes flags only: the keys to remove are those under --key-prefix",
		"clean -c 5":                  "clean: -c" + load,
		"-q clean":                    "clean: -q" + load,
		"clean --keep-keys":           "clean: --keep-keys" + load,
		"clean --theme mono":          "clean: --theme" + load,
		"clean --server redis-server": "clean: --server has no effect here: a server that is started for a run goes with its keys",
		"clean --cluster --dbnum 4":   "--cluster: a cluster has database 0 only: leave out --dbnum, and the number in -u",
		"clean --round 1s":            "--round is a flag of fullbore compare only, see fullbore compare --help",
	} {
		if _, err := config.Parse(words(t, line), env()); err == nil || err.Error() != want {
			t.Errorf("fullbore %s\n got %v\nwant %s", line, err, want)
		}
	}
	// Patterns are no prefixes, with consent or without.
	for _, prefix := range []string{"*", "fullbore:*", "a?c", "[abc]", `a\b`} {
		if _, err := config.Parse([]string{"clean", "--yes", "--key-prefix", prefix}, env()); err == nil || !strings.Contains(err.Error(), "--key-prefix takes plain text") {
			t.Errorf("--key-prefix %s: %v", prefix, err)
		}
	}
}

func TestCleanHelp(t *testing.T) {
	help := printed(t, "clean", "--help")
	for _, part := range []string{"fullbore clean: remove the keys", "Usage:\n  fullbore clean [flags]", "--key-prefix bench: --yes", "letter by letter", "Exit code 0"} {
		if !strings.Contains(help, part) {
			t.Errorf("%q is not in the help:\n%s", part, help)
		}
	}
	for _, line := range strings.Split(help, "\n") {
		if len(line) > 100 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if other := printed(t, "help", "clean"); other != help {
		t.Errorf("help clean prints another help")
	}
	if root := printed(t, "--help"); !strings.Contains(root, "\n  clean  ") {
		t.Error("the root's help does not name clean")
	}
	man := printed(t, "man")
	if _, page, ok := strings.Cut(man, ".SH FULLBORE CLEAN\n"); !ok || !strings.Contains(page, `fullbore clean \-\-cluster`) {
		t.Error("clean is not in the man page")
	}
}
