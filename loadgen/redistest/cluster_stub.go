package redistest

import (
	"fmt"
	"strings"
	"testing"
)

// Self stands for a stub's own address, "127.0.0.1:PORT", in the words of Astray.
const Self = "SELF"

// Refusals of a cluster for Astray, in Redis's words.
const (
	MovedToSelf = "MOVED 3999 " + Self // a loop for whoever follows it
	AskSelf     = "ASK 3999 " + Self
	TryAgain    = "TRYAGAIN Multiple keys request during rehashing of slot"
	ClusterDown = "CLUSTERDOWN The cluster is down"
	Unserved    = "CLUSTERDOWN Hash slot not served"
)

// Astray is a cluster of one node, by its own word in CLUSTER SLOTS and INFO, that
// refuses every n-th command with a key on each connection, all of them with n = 1, and
// answers the others. Commands behind ASKING are refused like any other.
func Astray(t testing.TB, refusal string, n int) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		words := []byte("-" + strings.ReplaceAll(refusal, Self, p.Addr) + "\r\n")
		for keyed := 0; ; {
			args, ok := p.next()
			if !ok {
				return
			}
			reply := p.node(args)
			if reply == nil {
				if keyed++; keyed%n == 0 {
					reply = words
				} else {
					reply = p.store.reply(args)
				}
			}
			if !p.write(reply) {
				return
			}
		}
	})
}

// node answers as the one node of a cluster what has no key; nil for the rest.
func (s *StubServer) node(args [][]byte) []byte {
	const id = "0123456789abcdef0123456789abcdef01234567"
	switch name := upper(args[0]); name {
	case "CLUSTER":
		if len(args) == 2 && upper(args[1]) == "SLOTS" {
			return fmt.Appendf(nil, "*1\r\n*3\r\n:0\r\n:%d\r\n*3\r\n$%d\r\n%s\r\n:%d\r\n$%d\r\n%s\r\n",
				Slots-1, len(s.Host), s.Host, s.Port, len(id), id)
		}
		return unknown(args)
	case "INFO":
		return bulk([]byte("# Server\r\nredis_version:7.0.0\r\nredis_mode:cluster\r\nrole:master\r\n# Cluster\r\ncluster_enabled:1\r\n"))
	case "ASKING", "READONLY", "READWRITE":
		return []byte("+OK\r\n")
	case "PING", "ECHO", "DBSIZE", "CONFIG", "COMMAND", "AUTH", "SELECT", "CLIENT", "QUIT":
		return s.store.reply(args)
	}
	return nil
}

// Mapped answers CLUSTER with the bytes given for its subcommand, such as "SLOTS", in
// which Self stands for its address, and with NOPERM for any other; the rest as a small
// server does, that is on its own by the word of INFO.
func Mapped(t testing.TB, replies map[string]string) *StubServer {
	t.Helper()
	return serve(t, func(p *peer) {
		for {
			args, ok := p.next()
			if !ok {
				return
			}
			reply := p.store.reply(args)
			if upper(args[0]) == "CLUSTER" && len(args) > 1 {
				sub := upper(args[1])
				words, known := replies[sub]
				if !known {
					words = "-NOPERM this user has no permissions to run the 'cluster|" + strings.ToLower(sub) + "' command\r\n"
				}
				reply = []byte(strings.ReplaceAll(words, Self, p.Addr))
			}
			if !p.write(reply) {
				return
			}
		}
	})
}
