package target

import (
	"strconv"
	"strings"
	"time"
)

// Info is what a look at the server found. Unknown numbers are -1 and unknown
// texts "": a server may refuse to tell, and Hidden says why.
type Info struct {
	Server  string // "redis", "valkey", "keydb", "dragonfly", "garnet", …
	Version string // the server's own, such as "7.0.15"
	Mode    string // "standalone", "cluster", "sentinel"
	Role    string // "master", "slave"

	TLS string // protocol negotiated, such as "TLS 1.3", with a mark when the certificate was not verified; "" = none

	Keys       int64  // in the target's database
	Elsewhere  int64  // keys in the server's other databases
	MemoryUsed int64  // bytes
	MemoryMax  int64  // bytes; 0 = no limit
	Policy     string // maxmemory-policy, such as "noeviction"

	Loading bool    // the server is still reading its data; so is Loaded
	Loaded  float64 // share of the data already read while Loading, 0 to 1

	Config map[string]string // "save" and "appendonly" where the server tells them

	RTT    time.Duration // median of a few small round trips; 0 when none was made
	Hidden []string      // one entry for each command refused: "INFO: NOPERM this user …"
	Notes  []string      // states worth a warning that do not stop the load
}

// unknown is an Info that knows nothing.
func unknown() Info {
	return Info{Keys: -1, Elsewhere: -1, MemoryUsed: -1, MemoryMax: -1, Config: map[string]string{}}
}

// fields reads the reply of INFO. Whatever is not "name:value" is passed over.
func fields(text string) map[string]string {
	m := make(map[string]string)
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && !strings.HasPrefix(name, "#") {
			m[name] = value
		}
	}
	return m
}

// servers tells the relatives of Redis by a field of INFO. All of them also give a
// redis_version, the one they are compatible with, so redis comes last. A row
// without name takes the field's own value for the name.
func servers() []struct{ field, name, version string } {
	return []struct{ field, name, version string }{
		{"valkey_version", "valkey", "valkey_version"},
		{"dragonfly_version", "dragonfly", "dragonfly_version"},
		{"garnet_version", "garnet", "garnet_version"},
		{"kvrocks_version", "kvrocks", "kvrocks_version"},
		{"redict_version", "redict", "redict_version"},
		{"mvcc_depth", "keydb", "redis_version"},
		{"server_name", "", "redis_version"},
		{"redis_version", "redis", "redis_version"},
	}
}

// read takes what INFO tells into i.
func (i *Info) read(m map[string]string, db int) {
	for _, s := range servers() {
		if value, ok := m[s.field]; ok {
			if i.Server = s.name; s.name == "" {
				i.Server = value
			}
			i.Version = strings.TrimPrefix(m[s.version], "df-v") // Dragonfly's way to write it
			break
		}
	}
	if i.Mode = m["redis_mode"]; i.Mode == "" {
		i.Mode = m["server_mode"] // Valkey without its compatibility fields
	}
	if i.Mode == "" && m["cluster_enabled"] == "1" {
		i.Mode = "cluster"
	}
	i.Role = m["role"]
	i.MemoryUsed = number(m, "used_memory")
	i.MemoryMax = number(m, "maxmemory")
	i.Policy = m["maxmemory_policy"]
	if m["loading"] == "1" {
		i.Loading = true
		if percent, err := strconv.ParseFloat(strings.TrimSuffix(m["loading_loaded_perc"], "%"), 64); err == nil {
			i.Loaded = percent / 100
		}
	}
	i.Elsewhere = 0
	for name, value := range m {
		n, ok := keyspace(name, value)
		switch {
		case ok && name == "db"+strconv.Itoa(db):
			i.Keys = n // DBSIZE overwrites this where it is allowed
		case ok:
			i.Elsewhere += n
		}
	}
}

// keyspace reads a database's line of INFO: db0:keys=5,expires=0,…
func keyspace(name, value string) (keys int64, ok bool) {
	number, ok := strings.CutPrefix(name, "db")
	if _, err := strconv.Atoi(number); err != nil || !ok {
		return 0, false
	}
	text, ok := strings.CutPrefix(value, "keys=")
	text, _, _ = strings.Cut(text, ",")
	keys, err := strconv.ParseInt(text, 10, 64)
	return keys, ok && err == nil
}

// number is a field as a number, -1 when it is missing or none.
func number(m map[string]string, field string) int64 {
	n, err := strconv.ParseInt(m[field], 10, 64)
	if err != nil {
		return -1
	}
	return n
}
