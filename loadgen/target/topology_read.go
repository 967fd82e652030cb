package target

import (
	"errors"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// errMap is a reply of CLUSTER in which nothing could be understood.
var errMap = errors.New("the reply is no map of a cluster")

// done ends a reading: nothing at all understood is an error.
func (a *atlas) done(entries int) error {
	if entries > 0 && len(a.nodes) == 0 {
		return errMap
	}
	return nil
}

// readSlots reads CLUSTER SLOTS: for each range its first and last slot, its primary
// and its replicas.
func (a *atlas) readSlots(reply any) error {
	entries, ok := reply.([]any)
	if !ok {
		return errMap
	}
	for _, e := range entries {
		entry, _ := e.([]any)
		if len(entry) < 3 {
			a.odd++
			continue
		}
		first, last := whole(entry[0]), whole(entry[1])
		id, address, ok := a.endpoint(entry[2])
		if !ok {
			a.odd++
			continue
		}
		primary, ok := a.add(id, address, "")
		if !ok {
			continue
		}
		a.own(primary, first, last)
		for _, r := range entry[3:] {
			if id, address, ok := a.endpoint(r); ok {
				a.add(id, address, a.nodes[primary].ID)
			} else {
				a.odd++
			}
		}
	}
	return a.done(len(entries))
}

// endpoint reads a node of CLUSTER SLOTS: its host, its port, its ID since Redis 4, and
// since Redis 7 what else it is called, as pairs.
func (a *atlas) endpoint(reply any) (id, address string, ok bool) {
	parts, _ := reply.([]any)
	if len(parts) < 2 {
		return "", "", false
	}
	host := word(parts[0])
	if len(parts) > 2 {
		id = word(parts[2])
	}
	if (host == "?" || host == "") && len(parts) > 3 && parts[0] != nil {
		// It goes by a host name and has none. Its address is as good.
		if ip := pairs(parts[3])["ip"]; ip != nil {
			host = word(ip)
		}
	}
	address, ok = place(host, whole(parts[1]))
	return id, address, ok && plausible(id)
}

// readNodes reads CLUSTER NODES, one line for each node:
//
//	ID ADDRESS FLAGS PRIMARY PING PONG EPOCH LINK SLOTS...
func (a *atlas) readNodes(reply any) error {
	text := word(reply)
	lines := 0
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		lines++
		if len(fields) < 4 {
			a.odd++
			continue
		}
		if dead(fields[2]) {
			continue
		}
		address, ok := a.address(fields[1])
		if !ok || !plausible(fields[0]) {
			a.odd++
			continue
		}
		primary := fields[3]
		if primary == "-" {
			primary = ""
		}
		node, ok := a.add(fields[0], address, primary)
		if ok && len(fields) > 8 {
			a.ownAll(node, fields[8:])
		}
	}
	return a.done(lines)
}

// dead tells by its flags whether a node is out of the game: failed for certain, of
// unknown address, or not yet a member. One that is only suspected (fail?) stays.
func dead(flags string) bool {
	for flag := range strings.SplitSeq(flags, ",") {
		switch flag {
		case "fail", "noaddr", "handshake":
			return true
		}
	}
	return false
}

// address reads "127.0.0.1:6379@16379,name,…". The name counts under TLS, since
// certificates are for names.
func (a *atlas) address(text string) (string, bool) {
	text, more, _ := strings.Cut(text, ",")
	text, _, _ = strings.Cut(text, "@")
	name, _, _ := strings.Cut(more, ",")
	if at := strings.LastIndexByte(text, ':'); at >= 0 && a.asked.TLS != nil && name != "" && name != "?" && !strings.Contains(name, "=") {
		text = name + text[at:]
	}
	return splitAddress(text)
}

// ownAll reads the slots at the end of a line: "0-5460", "7000", and those on the move,
// "[93->-ID]" and "[77-<-ID]", which belong to whoever has them without brackets.
func (a *atlas) ownAll(node int, ranges []string) {
	for _, r := range ranges {
		if strings.HasPrefix(r, "[") {
			continue
		}
		first, last, ranged := strings.Cut(r, "-")
		if !ranged {
			last = first
		}
		from, errFrom := strconv.ParseInt(first, 10, 64)
		to, errTo := strconv.ParseInt(last, 10, 64)
		if errFrom != nil || errTo != nil {
			a.odd++
			continue
		}
		a.own(node, from, to)
	}
}

// readShards reads CLUSTER SHARDS: for each shard its slots and its nodes, as pairs.
func (a *atlas) readShards(reply any) error {
	shards, ok := reply.([]any)
	if !ok {
		return errMap
	}
	for _, s := range shards {
		shard := pairs(s)
		members, _ := shard["nodes"].([]any)
		primary := -1
		var copies [][2]string // ID and address
		for _, m := range members {
			member := pairs(m)
			if strings.HasPrefix(word(member["health"]), "fail") {
				continue
			}
			id, address, ok := a.member(member)
			switch role := word(member["role"]); {
			case !ok:
				a.odd++
			case role == "master" || role == "primary":
				if i, ok := a.add(id, address, ""); ok {
					primary = i
				}
			case len(copies) < maxNodes:
				copies = append(copies, [2]string{id, address})
			}
		}
		if primary < 0 {
			continue
		}
		slots, _ := shard["slots"].([]any)
		for i := 0; i+1 < len(slots); i += 2 {
			a.own(primary, whole(slots[i]), whole(slots[i+1]))
		}
		for _, c := range copies {
			a.add(c[0], c[1], a.nodes[primary].ID)
		}
	}
	return a.done(len(shards))
}

// member reads a node of CLUSTER SHARDS.
func (a *atlas) member(m map[string]any) (id, address string, ok bool) {
	host := word(m["endpoint"])
	if host == "" || host == "?" {
		host = word(m["ip"])
	}
	port := m["port"]
	if tls, ok := m["tls-port"]; a.asked.TLS != nil && ok {
		port = tls
	}
	id = word(m["id"])
	address, ok = place(host, whole(port))
	return id, address, ok && plausible(id)
}

// place is "host:port", with nothing for a host that the server does not know itself.
func place(host string, port int64) (string, bool) {
	if host == "?" {
		host = ""
	}
	if _, err := netip.ParseAddr(host); err != nil && !isName(host) || len(host) > 255 || port < 1 || port > 65535 {
		return "", false
	}
	return net.JoinHostPort(host, strconv.FormatInt(port, 10)), true
}

// plausible tells whether a text may be the ID of a node.
func plausible(id string) bool { return len(id) <= 128 && isName(id) }

// word is a status or a bulk string, "" for anything else.
func word(reply any) string {
	switch v := reply.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// whole is an integer, also one written as a string, and -1 for anything else.
func whole(reply any) int64 {
	if n, ok := reply.(int64); ok {
		return n
	}
	n, err := strconv.ParseInt(word(reply), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// pairs is a map that RESP2 writes as a list of names and values.
func pairs(reply any) map[string]any {
	list, _ := reply.([]any)
	m := make(map[string]any)
	for i := 0; i+1 < min(len(list), 64); i += 2 {
		m[word(list[i])] = list[i+1]
	}
	return m
}
