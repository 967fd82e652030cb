package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fullbore/config"
	"fullbore/loadgen/redistest"
	"fullbore/loadgen/target"
)

// TestTLS holds which flags secure the target, and how.
func TestTLS(t *testing.T) {
	ca := redistest.Certify(t, "test authority")
	client := ca.Issue(t, "client", redistest.Leaf{Client: true})
	for line, want := range map[string]*target.TLSOptions{
		"-h a":                         nil,
		"-h a --tls":                   {},
		"--tls":                        {},
		"-u rediss://a":                {},
		"-u valkeys://a":               {},
		"-u redis://a --tls":           {}, // never less than was asked for
		"-u rediss://a --tls":          {},
		"-h a --tls=false":             nil,
		"-h a --tls --sni b.example":   {ServerName: "b.example"},
		"-u rediss://a --sni 10.0.0.1": {ServerName: "10.0.0.1"},
		"--tls --insecure":             {Insecure: true},
		"--tls --tls-skip-verify":      {Insecure: true}, // memtier's
		"--tls --tls-min TLSv1.3":      {MinVersion: "TLSv1.3"},
		"--tls --cacert " + ca.File:    {CAFile: ca.File},
		"--tls --cacertdir=" + ca.Dir:  {CADir: ca.Dir},
		"-s /tmp/x":                    nil,
		"--tls --key " + client.KeyFile + " --cert " + client.CertFile: {CertFile: client.CertFile, KeyFile: client.KeyFile},
	} {
		got, err := config.Parse(append(strings.Fields(line), "-q"), env())
		if err != nil || got.Target == nil {
			t.Errorf("fullbore %s: %v, %v", line, got.Target, err)
			continue
		}
		if secured := got.Target.TLS; (secured == nil) != (want == nil) || want != nil && secured.Options() != *want {
			t.Errorf("fullbore %s: TLS %+v, want %+v", line, secured, want)
		}
	}
}

func TestTLSErrors(t *testing.T) {
	const idle = " says how TLS is done, and nothing asks for TLS: give --tls, or -u rediss://… in place of redis://"
	for line, want := range map[string]string{
		"-h a --cacert x":                       "--cacert" + idle,
		"-h a --insecure":                       "--insecure" + idle,
		"--sni b":                               "--sni" + idle,
		"-u redis://a --tls-min 1.3":            "--tls-min" + idle,
		"-h a --tls=false --key x":              "--key" + idle,
		"--server builtin --cacertdir x":        "--cacertdir" + idle,
		"-s /tmp/x --cert x":                    "--cert" + idle,
		"clean --cacert x":                      "clean: --cacert" + idle,
		"-s /tmp/x --tls":                       "--tls: a unix socket carries no TLS: leave it out, or give -h and -p instead of the socket",
		"-u unix:///tmp/x --tls":                "--tls: a unix socket carries no TLS: leave it out, or give -h and -p instead of the socket",
		"--server builtin --tls":                "--server starts a server of its own: leave out --tls",
		"-u rediss://a --tls=false":             "--tls=false: the URI of -u asks for TLS: write redis:// in place of rediss://, or leave it out",
		"--tls --tls-min 2":                     `--tls-min "2": it takes 1.0, 1.1, 1.2 or 1.3`,
		"--tls --sni a:1":                       `--sni "a:1": it takes a host name without a port, such as redis.example.com`,
		"--tls --cacert /none":                  "--cacert /none: no such file or directory: it takes a PEM file that can be read",
		"-u rediss://a --cacertdir /none":       "--cacertdir /none: no such file or directory: it takes a folder of PEM files",
		"--tls --cert /none":                    "--cert goes with --key, the PEM file of its private key; one file for both may be given twice",
		"--tls --cacert=":                       `cacert "": --cacert takes the path of a PEM file`,
		"--tls=perhaps":                         `tls "perhaps": --tls takes no value, or true or false`,
		"--cacerts x":                           "unknown flag --cacerts: did you mean --cacert?",
		"compare --cacert x P=1 P=2":            "compare: --cacert" + idle,
		"compare P=1 cacert=x":                  `compare: arm 2 "cacert=x": --cacert` + idle,
		"compare base 'u=redis://a insecure'":   `compare: arm 2 "u=redis://a insecure": --insecure` + idle,
		"compare base 's=/x tls'":               `compare: arm 2 "s=/x tls": --tls: a unix socket carries no TLS: leave it out, or give -h and -p instead of the socket`,
		"compare base 'tls cacert=/none'":       `compare: arm 2 "tls cacert=/none": --cacert /none: no such file or directory: it takes a PEM file that can be read`,
		"compare base 'u=rediss://a tls=false'": `compare: arm 2 "u=rediss://a tls=false": --tls=false: the URI of -u asks for TLS: write redis:// in place of rediss://, or leave it out`,
	} {
		if _, err := config.Parse(words(t, line), env()); err == nil || err.Error() != want {
			t.Errorf("fullbore %s\n got %v\nwant %s", line, err, want)
		}
	}
}

// arms are the addresses of a comparison, with a plus for TLS and a star for an
// authority of its own.
func armAddresses(c config.Config) string {
	var list []string
	for _, a := range c.Compare.Arms {
		s := "-"
		if a.Target != nil {
			if s = a.Target.Address; a.Target.TLS != nil {
				s += "+"
				if a.Target.TLS.Options().CAFile != "" {
					s += "*"
				}
			}
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

// TestTLSArms holds that arms differ in TLS as in anything else, and that the line's
// flags are the base of theirs.
func TestTLSArms(t *testing.T) {
	ca := redistest.Certify(t, "test authority").File
	for line, want := range map[string]string{
		"compare -h a base tls":                                          "- a:6379+",
		"compare -h a base 'p=7 tls'":                                    "- a:7+",
		"compare u=redis://a u=rediss://a":                               "a:6379 a:6379+",
		"compare base 'h=a tls=true cacert=" + ca + "'":                  "- a:6379+*",
		"compare --cacert " + ca + " u=rediss://a u=redis://b":           "a:6379+* b:6379",
		"compare --tls --cacert " + ca + " h=a h=b":                      "a:6379+* b:6379+*",
		"compare --tls u=redis://a 'h=b tls=false'":                      "a:6379+ b:6379",
		"compare --tls --cacert " + ca + " h=a s=/x server=redis-server": "a:6379+* /x -",
	} {
		if got := armAddresses(compared(t, line, env())); got != want {
			t.Errorf("fullbore %s: %s, want %s", line, got, want)
		}
	}
}

// TestTLSLayers holds that what the environment says of TLS is used where TLS is, and
// no mistake where it is not.
func TestTLSLayers(t *testing.T) {
	ca := redistest.Certify(t, "test authority").File
	for _, c := range []struct {
		line, variable string
		secured, ours  bool
	}{
		{"-h a", "FULLBORE_CACERT=" + ca, false, false},
		{"-h a --tls", "FULLBORE_CACERT=" + ca, true, true},
		{"-u rediss://a", "FULLBORE_CACERT=" + ca, true, true},
		{"-h a", "FULLBORE_TLS=true", true, false},
		{"-s /x", "FULLBORE_TLS=true", false, false},
		{"-h a --tls=false", "FULLBORE_TLS=true", false, false},
		{"-u rediss://a", "FULLBORE_TLS=false", true, false},
	} {
		got, err := config.Parse(strings.Fields(c.line), env(c.variable))
		if err != nil {
			t.Errorf("fullbore %s with %s: %v", c.line, c.variable, err)
			continue
		}
		if s := got.Target.TLS; (s != nil) != c.secured || s != nil && (s.Options().CAFile == ca) != c.ours {
			t.Errorf("fullbore %s with %s: TLS %v", c.line, c.variable, s)
		}
	}
	if got, err := config.Parse([]string{"--server", "builtin"}, env("FULLBORE_TLS=true")); err != nil || got.Server != "builtin" || got.Target != nil {
		t.Errorf("--server beside FULLBORE_TLS: %v, %v", got.Target, err)
	}
}

// TestHosts holds every spelling of an address.
func TestHosts(t *testing.T) {
	for host, want := range map[string]string{
		"::1": "[::1]:6379", "[::1]": "[::1]:6379", "::": "[::]:6379", "[fe80::1%eth0]": "[fe80::1%eth0]:6379", "fe80::1%eth0": "[fe80::1%eth0]:6379",
		"::ffff:127.0.0.1": "[::ffff:127.0.0.1]:6379", "0:0:0:0:0:0:0:1": "[0:0:0:0:0:0:0:1]:6379", "127.0.0.1": "127.0.0.1:6379", "LOCALHOST": "LOCALHOST:6379",
		"a.example.": "a.example.:6379",
	} {
		for _, args := range [][]string{{"-h", host}, {"-h" + host}, {"--host=" + host}} {
			if got, err := config.Parse(args, env()); err != nil || got.Target.Address != want {
				t.Errorf("fullbore %q: %v, %v; want %s", args, got.Target, err, want)
			}
		}
		if got, err := config.Parse([]string{"compare", "base", "h=" + host}, env()); err != nil || got.Compare.Arms[1].Target.Address != want {
			t.Errorf("h=%s: %v", host, err)
		}
	}
	for _, host := range []string{"[::1]:7000", "::1]", "[::1", "1:2", ":::", "[a]", "a b", " ", "", "a:1", "::1%", "s3cret@a", "redis://:s3cret@a"} {
		if _, err := config.Parse([]string{"-h", host}, env()); err == nil || !strings.HasPrefix(err.Error(), "host: -h takes") || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("-h %q: %v", host, err)
		}
	}
}

// TestCluster holds what goes with a cluster.
func TestCluster(t *testing.T) {
	for line, want := range map[string]string{
		"-p 7000 --cluster":                             "127.0.0.1:7000 true no",
		"--cluster":                                     "127.0.0.1:6379 true no",
		"--cluster-mode -p 7000":                        "127.0.0.1:7000 true no",
		"--cluster --replicas yes":                      "127.0.0.1:6379 true yes",
		"--cluster --rfr ALL -h ::1":                    "[::1]:6379 true all",
		"-u rediss://a --cluster --rfr no":              "a:6379 true no",
		"--cluster --dbnum 0":                           "127.0.0.1:6379 true no",
		"-p 7000":                                       "127.0.0.1:7000 false ",
		"-p 7000 --replicas no":                         "127.0.0.1:7000 false ",
		"-p 7000 --cluster=false":                       "127.0.0.1:7000 false ",
		"clean --cluster -p 7000":                       "127.0.0.1:7000 true no",
		"compare --cluster --replicas all -p 7 P=1 P=2": "127.0.0.1:7 true all",
	} {
		got, err := config.Parse(strings.Fields(line), env())
		if err != nil {
			t.Errorf("fullbore %s: %v", line, err)
			continue
		}
		if s := strings.Join([]string{got.Target.Address, map[bool]string{true: "true", false: "false"}[got.Plan.Cluster], got.Plan.ReadFrom}, " "); s != want {
			t.Errorf("fullbore %s: %q, want %q", line, s, want)
		}
	}
	const socket = "--cluster: the nodes of a cluster are reached by host and port, not by a socket: give -h and -p of one of them"
	const database = "--cluster: a cluster has database 0 only: leave out --dbnum, and the number in -u"
	const alone = "--replicas reads from the replicas of a cluster: give --cluster too"
	for line, want := range map[string]string{
		"-s /x --cluster":                                  socket,
		"-u unix:///x --cluster":                           socket,
		"--cluster --dbnum 1":                              database,
		"-u redis://a/3 --cluster":                         database,
		"--replicas yes":                                   alone,
		"--rfr all -p 7":                                   alone,
		"--rfr some --cluster":                             `replicas "some": --replicas takes no, yes or all`,
		"--server redis-server --cluster":                  "--server starts a server of its own: leave out --cluster",
		"clean --replicas yes":                             "clean: --replicas has no effect here: keys are removed on primaries",
		"compare base replicas=yes":                        `compare: arm 2 "replicas=yes": ` + alone,
		"compare base 'cluster dbnum=2'":                   `compare: arm 2 "cluster dbnum=2": ` + database,
		"compare base 'server=x' 'u=redis://a replicas=1'": `compare: arm 3 "u=redis://a replicas=1": replicas= needs a server= in the same arm: quote the whole arm, as in "server='redis-server' replicas=1", or separate arms by vs`,
	} {
		if _, err := config.Parse(words(t, line), env()); err == nil || err.Error() != want {
			t.Errorf("fullbore %s\n got %v\nwant %s", line, err, want)
		}
	}
	if got, err := config.Parse([]string{"-p", "7"}, env("FULLBORE_REPLICAS=all")); err != nil || got.Plan.ReadFrom != "" {
		t.Errorf("FULLBORE_REPLICAS without a cluster: %q, %v", got.Plan.ReadFrom, err)
	}
}

// TestClusterArms holds that replicas= is a number beside server=, and who answers
// reads elsewhere.
func TestClusterArms(t *testing.T) {
	got := compared(t, "compare --cluster -p 7 base replicas=yes 'p=8 rfr=all' 'u=redis://b cluster=false' 'server=redis-server replicas=2'", env())
	var list []string
	for _, a := range got.Compare.Arms {
		list = append(list, map[bool]string{true: "cluster", false: "single"}[a.Plan.Cluster]+a.Plan.ReadFrom+map[bool]string{true: " 2"}[a.Replicas == 2])
	}
	if s := strings.Join(list, "|"); s != "clusterno|clusteryes|clusterall|single|single 2" {
		t.Errorf("arms: %s", s)
	}
}

// passwordFile is a file with this text, which only its owner can read.
func passwordFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
