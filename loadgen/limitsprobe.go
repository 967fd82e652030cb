package loadgen

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// Probe asks the system for its limits. It raises this process's soft limit of open
// files to the hard one where the Go runtime has not done so at start.
func Probe() Limits {
	l := probeFiles(os.DirFS("/"))
	l.Files, l.Open, l.Served = descriptors()
	return l
}

// probeFiles reads what Linux tells in files; elsewhere they are not there.
func probeFiles(root fs.FS) Limits {
	read := func(name string) string {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return ""
		}
		return string(text)
	}
	l := Limits{Room: groupRoom(read)}
	if span := numbers(read("proc/sys/net/ipv4/ip_local_port_range")); len(span) == 2 && span[1] >= span[0] {
		l.Ports = int(span[1] - span[0] + 1)
	}
	if pages := numbers(read("proc/sys/net/ipv4/tcp_mem")); len(pages) == 3 {
		l.Sockets = min(pages[2], noBound>>20) * int64(os.Getpagesize())
	}
	if free := numbers(strings.TrimSuffix(field(read("proc/meminfo"), "MemAvailable:"), "kB")); len(free) == 1 {
		l.Free = min(free[0], noBound>>10) << 10
	}
	return l
}

// noBound is more memory than there is anywhere.
const noBound = 1 << 60

// groupRoom is what the control group of this process leaves, 0 for no bound. It looks
// at the process's own group and at the root, which is what a container sees as its own.
func groupRoom(read func(string) string) int64 {
	var room int64
	for line := range strings.Lines(read("proc/self/cgroup")) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		base, limit, usage, cache := "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"
		if parts[1] == "memory" { // version 1
			base, limit, usage, cache = "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
		} else if parts[1] != "" {
			continue
		}
		for _, dir := range []string{path.Join(base, parts[2]), base} {
			most, used := numbers(read(path.Join(dir, limit))), numbers(read(path.Join(dir, usage)))
			if len(most) != 1 || len(used) != 1 || most[0] >= noBound { // version 1 has no word for "max"
				continue
			}
			left := most[0] - used[0]
			if idle := numbers(field(read(path.Join(dir, "memory.stat")), cache+" ")); len(idle) == 1 {
				left += idle[0] // a cache that gives way
			}
			if left = max(left, 1); room == 0 || left < room {
				room = left
			}
		}
	}
	return room
}

// field is what follows name at the start of a line.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// numbers are the whole numbers of a text that is nothing else, nil otherwise.
func numbers(text string) []int64 {
	var out []int64
	for _, word := range strings.Fields(text) {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil || n < 0 {
			return nil
		}
		out = append(out, n)
	}
	return out
}
