package tui

import (
	"strings"
	"testing"

	"fullbore/loadgen/experiment"
	"fullbore/loadgen/target"
)

// on gives the arms places of their own: an address, or a command line that a server
// was started with, before it.
func on(arms []experiment.Arm, places ...string) []experiment.Arm {
	for i, p := range places {
		command, address, private := strings.Cut(p, " @ ")
		if !private {
			command, address = "", p
		}
		port := 0
		for _, digit := range address {
			port = port*10 + int(digit-'0')
		}
		arms[i].Place.Target, arms[i].Place.Command = target.TCP("127.0.0.1", port), command
	}
	return arms
}

// Servers are told apart by address, private ones by what they were started with, as
// far as that does it.
func TestServerTags(t *testing.T) {
	for _, c := range []struct{ places, want []string }{
		{[]string{"6379", "6379"}, []string{"", ""}},
		{[]string{"6379", "6380"}, []string{"127.0.0.1:6379", "127.0.0.1:6380"}},
		{[]string{"/usr/bin/redis-server @ 1001", "/usr/bin/redis-server --io-threads 4 @ 1002"}, []string{"redis-server", "--io-threads 4"}},
		{[]string{"redis-server --io-threads 4 @ 1001", "/opt/valkey-server --io-threads 4 @ 1002"}, []string{"redis-server --io-threads 4", "valkey-server --io-threads 4"}},
		{[]string{"redis-server @ 1001", "redis-server @ 1002"}, []string{"127.0.0.1:1001", "127.0.0.1:1002"}},
		{[]string{"redis-server --save '' @ 1001", "6379"}, []string{"redis-server --save ''", "127.0.0.1:6379"}},
		{[]string{"redis-server @ 1001", "redis-server @ 1001", "6379"}, []string{"redis-server", "redis-server", "127.0.0.1:6379"}},
	} {
		arms := on(armsOf(1, 4, 16)[:len(c.places)], c.places...)
		x := bout(arms, fixedState(arms, 12))
		if got := strings.Join(x.serverTags(), "|"); got != strings.Join(c.want, "|") {
			t.Errorf("%q are %q, want %q", c.places, got, c.want)
		}
		for i, side := range x.compare().Sides {
			if side.Server != c.want[i] {
				t.Errorf("%q: side %s is on %q", c.places, side.Name, side.Server)
			}
		}
	}
}

// A certificate that nobody verified is said below the header on every screen; the
// version alone stays in the header.
func TestUnverifiedCertificate(t *testing.T) {
	secured := func(tls string) experiment.Place {
		p := place()
		p.Info.TLS = tls
		return p
	}
	const doubtful = "TLS 1.3, certificate not verified"
	if f := factsOf(secured(doubtful)); f.Doubt != unverified || !strings.HasSuffix(f.Server, ", TLS 1.3") {
		t.Errorf("facts %+v", f)
	}
	if f := factsOf(secured("TLS 1.2")); f.Doubt != "" || !strings.HasSuffix(f.Server, ", TLS 1.2") {
		t.Errorf("facts %+v", f)
	}
	s := sceneOf(fixedSnapshot())
	s.facts.Banner, s.facts.Doubt = "demo", unverified
	if got := s.live().Banner; got != "demo; "+unverified {
		t.Errorf("banner %q", got)
	}
	for _, c := range []struct {
		banner, want string
		tls          []string
	}{
		{"", "", []string{"", "", ""}},
		{"demo", "demo", []string{"TLS 1.3", "", ""}},
		{"", unverified, []string{doubtful, doubtful, doubtful}},
		{"", "B C: " + unverified, []string{"TLS 1.3", doubtful, doubtful}},
		{"demo", "demo; A: " + unverified, []string{doubtful, "", ""}},
	} {
		arms := armsOf(1, 4, 16)
		for i, tls := range c.tls {
			arms[i].Place = secured(tls)
		}
		x := bout(arms, fixedState(arms, 12))
		x.facts.Banner = c.banner
		if got := x.compare().Banner; got != c.want {
			t.Errorf("%q: banner %q, want %q", c.tls, got, c.want)
		}
	}
}
