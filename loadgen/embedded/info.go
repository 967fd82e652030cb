package embedded

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"time"
)

// version is the Redis version whose replies this server imitates. Programs
// compare it as a number; server_name says who really answers.
const version = "7.0.0"

// section is one section of INFO.
type section struct {
	name  string
	extra bool // only on request, not in a plain INFO
	write func(s *Server, b *strings.Builder)
}

// sections are in the order in which Redis prints them.
func sections() []section {
	return []section{
		{"Server", false, (*Server).infoServer},
		{"Clients", false, (*Server).infoClients},
		{"Memory", false, (*Server).infoMemory},
		{"Persistence", false, infoPersistence},
		{"Stats", false, (*Server).infoStats},
		{"Replication", false, infoReplication},
		{"Commandstats", true, (*Server).infoCommands},
		{"Cluster", false, infoCluster},
		{"Keyspace", false, (*Server).infoKeyspace},
	}
}

// info answers with the sections asked for: by name, "default", "all" or
// "everything"; without a name, the default ones.
func info(c *session, args [][]byte) {
	var b strings.Builder
	for _, s := range sections() {
		wanted := len(args) == 1 && !s.extra
		for _, arg := range args[1:] {
			wanted = wanted || is(arg, s.name) || is(arg, "all") || is(arg, "everything") || is(arg, "default") && !s.extra
		}
		if !wanted {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\r\n")
		}
		fmt.Fprintf(&b, "# %s\r\n", s.name)
		s.write(c.server, &b)
	}
	c.out.WriteBulkString(b.String())
}

// field writes one line of INFO.
func field(b *strings.Builder, name string, value any) { fmt.Fprintf(b, "%s:%v\r\n", name, value) }

// infoServer names the server by what it is, next to the version it imitates.
func (s *Server) infoServer(b *strings.Builder) {
	_, port, _ := strings.Cut(s.Addr(), ":")
	field(b, "redis_version", version)
	field(b, "server_name", "fullbore-builtin")
	field(b, "redis_mode", "standalone")
	field(b, "os", runtime.GOOS+" "+runtime.GOARCH)
	field(b, "arch_bits", 32<<(^uint(0)>>63))
	field(b, "multiplexing_api", "go")
	field(b, "process_id", os.Getpid())
	field(b, "tcp_port", port)
	field(b, "uptime_in_seconds", int(time.Since(s.started).Seconds()))
	field(b, "io_threads_active", 0)
}

// infoClients counts the connection that asks, as Redis does.
func (s *Server) infoClients(b *strings.Builder) {
	field(b, "connected_clients", len(s.sessions))
	field(b, "maxclients", 10000)
	field(b, "blocked_clients", 0)
}

// infoMemory tells the heap of the whole process: the load generator lives in it
// too, which is one more reason not to take this server for a Redis.
func (s *Server) infoMemory(b *strings.Builder) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	field(b, "used_memory", sample[0].Value.Uint64())
	field(b, "maxmemory", 0)
	field(b, "maxmemory_policy", "noeviction")
}

// infoPersistence has the fields of a server that keeps everything in memory.
func infoPersistence(_ *Server, b *strings.Builder) {
	field(b, "loading", 0)
	field(b, "rdb_bgsave_in_progress", 0)
	field(b, "aof_enabled", 0)
	field(b, "aof_rewrite_in_progress", 0)
}

// infoStats leaves the current batch's own commands partly out: they are counted
// as they end.
func (s *Server) infoStats(b *strings.Builder) {
	field(b, "total_connections_received", s.totals.connections)
	field(b, "total_commands_processed", s.totals.commands)
	field(b, "total_net_input_bytes", s.totals.in)
	field(b, "rejected_connections", 0)
	field(b, "expired_keys", 0)
	field(b, "evicted_keys", 0)
	field(b, "keyspace_hits", s.totals.hits)
	field(b, "keyspace_misses", s.totals.misses)
	field(b, "total_error_replies", s.totals.errors)
	field(b, "total_reads_processed", s.totals.reads)
	field(b, "total_writes_processed", s.totals.writes)
}

// infoReplication has the role, which decides whether writes are possible.
func infoReplication(_ *Server, b *strings.Builder) {
	field(b, "role", "master")
	field(b, "connected_slaves", 0)
}

// infoCluster says that keys need no routing.
func infoCluster(_ *Server, b *strings.Builder) { field(b, "cluster_enabled", 0) }

// infoCommands writes a line for every command that was sent.
func (s *Server) infoCommands(b *strings.Builder) {
	for _, name := range slices.Sorted(maps.Keys(s.commands)) {
		cmd := s.commands[name]
		if cmd.calls+cmd.rejected == 0 {
			continue
		}
		us := float64(cmd.spent.Nanoseconds()) / 1e3
		field(b, "cmdstat_"+name, fmt.Sprintf("calls=%d,usec=%.0f,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d",
			cmd.calls, us, us/float64(max(1, cmd.calls)), cmd.rejected, cmd.failed))
	}
}

// infoKeyspace lists databases that hold keys; none of them ever expires.
func (s *Server) infoKeyspace(b *strings.Builder) {
	for i := range s.data {
		if n := len(s.data[i].keys); n > 0 {
			field(b, fmt.Sprintf("db%d", i), fmt.Sprintf("keys=%d,expires=0,avg_ttl=0", n))
		}
	}
}
