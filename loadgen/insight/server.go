package insight

import (
	"strconv"
	"strings"
	"time"
)

// Server is which server it is, as it told (R9). Empty text is not told.
type Server struct {
	Kind      string // "redis", "valkey", "keydb", "dragonfly", "garnet", "kvrocks", or its server_name
	Version   string // of that kind: "7.0.15", "df-v1.27.1"
	Redis     string // the version of Redis it says to be compatible with
	Mode      string // "standalone", "cluster", "sentinel"
	OS        string
	Build     string // build id, or the commit it was built from
	Allocator string
	Program   string // base name of its executable
	Process   Told[int64]
	Uptime    Told[time.Duration]
	// Threads is how many threads execute commands; not told by those where it is one.
	Threads Told[int64]
	// IOThreads is how many threads read and write for the main thread, it included.
	IOThreads Told[int64]
}

// State is how a server is at the moment of a reading.
type State struct {
	Clients, MaxClients, Blocked   Told[int64]
	Used, RSS, MaxMemory, Physical Told[int64] // bytes; MaxMemory 0 = no limit
	Fragmentation                  Told[float64]
	Policy                         string // maxmemory_policy; "" = not told
	Loading, Saving                Told[bool]
	Appending, Rewriting           Told[bool]          // aof_enabled; its rewrite is going on
	LastFork                       Told[time.Duration] // how long the last fork held the server up; 0 = there was none
	IOActive                       Told[bool]
	Role                           string // "master", "slave"; "" = not told
	Replicas                       Told[int64]
	LinkUp                         Told[bool]          // a replica's link to its master
	Lag                            Told[time.Duration] // the slowest replica's, or one's own behind the master; whole seconds
	Keys                           Told[int64]         // in all databases
}

// Swapping reports whether the system holds less of the server in memory than the
// server uses: the rest is on disk. known is false when either is not told.
func (s State) Swapping() (swapping, known bool) {
	if !s.Used.Known || !s.RSS.Known {
		return false, false
	}
	return s.RSS.Value < s.Used.Value, true
}

// Full is the part of maxmemory that is used. False without a limit.
func (s State) Full() (float64, bool) {
	if !s.Used.Known || s.MaxMemory.Value <= 0 {
		return 0, false
	}
	return float64(s.Used.Value) / float64(s.MaxMemory.Value), true
}

// describe takes a field of who the server is.
func (s *Server) describe(field, value string) bool {
	switch field {
	case "redis_version":
		s.Redis = value
	case "valkey_version", "dragonfly_version", "garnet_version", "kvrocks_version":
		s.Kind, s.Version = strings.TrimSuffix(field, "_version"), value
	case "server_name":
		s.Kind = value
	case "redis_mode", "server_mode", "valkey_mode":
		s.Mode = value
	case "os":
		s.OS = value
	case "redis_build_id", "kvrocks_git_sha1":
		s.Build = value
	case "mem_allocator":
		s.Allocator = value
	case "executable":
		s.Program = value[strings.LastIndexByte(value, '/')+1:]
	case "process_id":
		s.Process = whole(value)
	case "uptime_in_seconds":
		s.Uptime = period(value, time.Second)
	case "server_threads", "thread_count":
		s.Threads = whole(value)
	default:
		return false
	}
	return true
}

// name settles the kind when all has been read: KeyDB gives a version of Redis only.
func (s *Server) name() {
	switch {
	case s.Kind != "" && s.Version != "":
	case s.Kind != "": // its server_name alone
		s.Version = s.Redis
	case strings.Contains(s.Program, "keydb"):
		s.Kind, s.Version = "keydb", s.Redis
	case s.Redis != "":
		s.Kind, s.Version = "redis", s.Redis
	}
}

// note takes a field of how the server is.
func (s *State) note(field, value string) bool {
	switch field {
	case "connected_clients":
		s.Clients = whole(value)
	case "maxclients", "max_clients":
		s.MaxClients = whole(value)
	case "blocked_clients":
		s.Blocked = whole(value)
	case "used_memory":
		s.Used = whole(value)
	case "used_memory_rss", "proc_physical_memory_size":
		// 0 is that of a server that cannot find it out.
		if s.RSS = whole(value); s.RSS.Value == 0 {
			s.RSS = Told[int64]{}
		}
	case "maxmemory":
		s.MaxMemory = whole(value)
	case "total_system_memory":
		s.Physical = whole(value)
	case "mem_fragmentation_ratio":
		s.Fragmentation = fraction(value)
	case "maxmemory_policy":
		s.Policy = value
	case "io_threads_active":
		s.IOActive = flag(value)
	default:
		return s.noteDisk(field, value) || s.noteReplication(field, value)
	}
	return true
}

func (s *State) noteDisk(field, value string) bool {
	switch field {
	case "loading":
		s.Loading = flag(value)
	case "rdb_bgsave_in_progress", "bgsave_in_progress", "saving":
		s.Saving = flag(value)
	case "aof_enabled":
		s.Appending = flag(value)
	case "aof_rewrite_in_progress":
		s.Rewriting = flag(value)
	case "latest_fork_usec":
		s.LastFork = period(value, time.Microsecond)
	default:
		return false
	}
	return true
}

func (s *State) noteReplication(field, value string) bool {
	switch {
	case field == "role":
		s.Role = value
	case field == "connected_slaves":
		s.Replicas = whole(value)
	case field == "master_link_status":
		s.LinkUp = Told[bool]{Value: value == "up", Known: value == "up" || value == "down"}
	case field == "master_last_io_seconds_ago":
		s.lagging(value)
	case numbered(field, "slave"):
		s.lagging(part(value, "lag"))
	case numbered(field, "db"):
		if keys := whole(part(value, "keys")); keys.Known {
			s.Keys = Tell(min(largest, s.Keys.Value) + min(largest, keys.Value))
		}
	default:
		return false
	}
	return true
}

// lagging enters one lag; the longest counts.
func (s *State) lagging(seconds string) {
	if lag := period(seconds, time.Second); lag.Known && lag.Value >= s.Lag.Value {
		s.Lag = lag
	}
}

// settle takes back what this kind of server means otherwise: the lag of Kvrocks and
// Dragonfly counts entries of their log, not seconds.
func (s *State) settle(kind string) {
	if kind == "kvrocks" || kind == "dragonfly" {
		s.Lag = Told[time.Duration]{}
	}
}

// numbered says that a field is the prefix and digits: slave0, db12.
func numbered(field, prefix string) bool {
	digits, ok := strings.CutPrefix(field, prefix)
	if !ok || digits == "" {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}

// part is one value of "ip=10.0.0.2,port=6379,lag=0"; "" when it is not there.
func part(list, name string) string {
	for field := range strings.SplitSeq(list, ",") {
		if key, value, ok := strings.Cut(field, "="); ok && key == name {
			return value
		}
	}
	return ""
}

// whole is a count from 0 on that can be added to another; not told for anything else.
func whole(text string) Told[int64] {
	if n := count(text); n >= 0 && n <= largest {
		return Tell(n)
	}
	return Told[int64]{}
}

// period is a number of units of time from 0 on; not told for anything else.
func period(text string, unit time.Duration) Told[time.Duration] {
	if t := scaled(text, unit); t >= 0 {
		return Tell(t)
	}
	return Told[time.Duration]{}
}

// fraction is a ratio above 0; not told for anything else.
func fraction(text string) Told[float64] {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0 && v < 1e9) {
		return Told[float64]{}
	}
	return Tell(v)
}

// flag is 0 or more; Redis tells percents of some states, which are on too.
func flag(text string) Told[bool] {
	n := whole(text)
	return Told[bool]{Value: n.Value > 0, Known: n.Known}
}
