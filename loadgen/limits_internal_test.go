package loadgen

import (
	"net"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func tree(files map[string]string) fstest.MapFS {
	fs := fstest.MapFS{}
	for name, text := range files {
		fs[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fs
}

// TestProbeFiles reads the limits in every form that systems give them, and none from
// what is missing or nonsense.
func TestProbeFiles(t *testing.T) {
	page := int64(os.Getpagesize())
	for _, c := range []struct {
		name  string
		files map[string]string
		want  Limits
	}{
		{"another system", nil, Limits{}},
		{"a machine", map[string]string{
			"proc/sys/net/ipv4/ip_local_port_range": "32768\t60999\n",
			"proc/sys/net/ipv4/tcp_mem":             "287898\t383867\t575796\n",
			"proc/meminfo":                          "MemTotal:  100 kB\nMemFree:  3 kB\nMemAvailable:   2000 kB\n",
		}, Limits{Ports: 28232, Sockets: 575796 * page, Free: 2000 << 10}},
		{"nonsense", map[string]string{
			"proc/sys/net/ipv4/ip_local_port_range": "60999 32768",
			"proc/sys/net/ipv4/tcp_mem":             "-1 2 3",
			"proc/meminfo":                          "MemAvailable:   many kB\n",
			"proc/self/cgroup":                      "nothing\n::\n",
		}, Limits{}},
		{"version 2", map[string]string{
			"proc/self/cgroup":                   "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max":       "1000\n",
			"sys/fs/cgroup/a/b/memory.current":   "600\n",
			"sys/fs/cgroup/a/b/memory.stat":      "anon 5\ninactive_file 50\n",
			"sys/fs/cgroup/memory.max":           "max\n",
			"sys/fs/cgroup/memory.current":       "5\n",
			"sys/fs/cgroup/a/b/memory.swap.junk": "",
		}, Limits{Room: 450}},
		{"version 2 in a container", map[string]string{
			"proc/self/cgroup":             "0::/\n",
			"sys/fs/cgroup/memory.max":     "500\n",
			"sys/fs/cgroup/memory.current": "600\n",
		}, Limits{Room: 1}},
		{"version 1", map[string]string{
			"proc/self/cgroup": "9:name=systemd:/\n4:memory:/x\n0::/\n",
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "900\n",
			"sys/fs/cgroup/memory/x/memory.usage_in_bytes": "100\n",
			"sys/fs/cgroup/memory/x/memory.stat":           "inactive_file 1\ntotal_inactive_file 7\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes":   "1\n",
		}, Limits{Room: 807}},
	} {
		if got := probeFiles(tree(c.files)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestProbe holds that the soft limit is as high as it goes, that the count of open
// files follows what is opened, and that probing opens none for good.
func TestProbe(t *testing.T) {
	before := Probe()
	var open []*os.File
	for range 20 {
		f, err := os.Open(".")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		open = append(open, f)
	}
	after := Probe()
	// Other tests of the package may open and close some meanwhile.
	if before.Open < 3 || after.Open < before.Open+len(open)/2 || after.Files < after.Open || after.Files != before.Files {
		t.Errorf("%d files more: %+v, then %+v", len(open), before, after)
	}
}

// TestProbeFindsOwnServers: a port that this process listens on is found, and no longer
// once it is closed.
func TestProbeFindsOwnServers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if served := Probe().Served; !slices.Contains(served, port) {
		t.Errorf("%v has no %d", served, port)
	}
	l.Close()
	if served := Probe().Served; slices.Contains(served, port) {
		t.Errorf("%v still has %d", served, port)
	}
}

// FuzzProbe: whatever the system's files say, probing neither panics nor gives a limit
// below zero.
func FuzzProbe(f *testing.F) {
	f.Add("32768\t60999\n", "1 2 3", "MemAvailable: 7 kB\n", "0::/\n", "max")
	f.Add("1 65535", "", "MemAvailable:", "4:memory:/x\n0::\n", "-5")
	f.Add("9 1", "x", "MemAvailable: 99999999999999999999 kB", "::::\n", "9223372036854771712")
	f.Fuzz(func(t *testing.T, ports, sockets, free, groups, limit string) {
		l := probeFiles(tree(map[string]string{
			"proc/sys/net/ipv4/ip_local_port_range": ports, "proc/sys/net/ipv4/tcp_mem": sockets,
			"proc/meminfo": free, "proc/self/cgroup": groups,
			"sys/fs/cgroup/memory.max": limit, "sys/fs/cgroup/memory.current": "5",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": limit, "sys/fs/cgroup/memory/memory.usage_in_bytes": limit,
		}))
		if l.Ports < 0 || l.Sockets < 0 || l.Free < 0 || l.Room < 0 {
			t.Errorf("%+v", l)
		}
	})
}

// TestDemandFollowsThePlan holds the estimate against what was measured (VmHWM of this
// program and of redis-server, and the kernel's count of socket memory) on Linux.
func TestDemandFollowsThePlan(t *testing.T) {
	for _, c := range []struct {
		mix                    string
		clients, depth, size   int
		own, sockets, inServer int64 // measured, in MB; 0 = hardly any
	}{
		{"get", 100, 1000, 16 << 10, 20, 6, 1939},
		{"set", 1000, 1000, 16 << 10, 130, 1640, 0},
		{"set,get", 200, 1000, 1 << 10, 50, 158, 270},
		{"get", 1000, 1000, 3, 135, 41, 30},
	} {
		d := demandOf(Share{Target: local, Plan: small(t, c.mix, c.clients, c.depth, c.size)})
		for _, part := range []struct {
			name      string
			got, want int64
		}{{"this process", d.own, c.own}, {"replies in the server", d.server, c.inServer}} {
			got := part.got / 1e6
			if part.want == 0 && got > 20 || part.want > 0 && (got < part.want*2/5 || got > 2*part.want) {
				t.Errorf("%s c=%d P=%d d=%d: %s %d MB, measured %d MB", c.mix, c.clients, c.depth, c.size, part.name, got, part.want)
			}
		}
		if got := d.sockets / 1e6; got < c.sockets/2 {
			t.Errorf("%s: sockets %d MB, measured %d MB", c.mix, got, c.sockets)
		}
	}
}

// TestRecordings: rows and an open loop take more histograms.
func TestRecordings(t *testing.T) {
	one, two := small(t, "get", 1, 1, 3), small(t, "set,get", 1, 1, 3)
	open := two
	open.Rate = 10
	if a, b, c := recordings(one), recordings(two), recordings(open); b-a != 2*shardCount()+1 || c != 3*b {
		t.Errorf("%d, %d and %d histograms", a, b, c)
	}
}

// TestHistogramsAreNamed: a mix of a great many rows is refused for what it is.
func TestHistogramsAreNamed(t *testing.T) {
	p := small(t, "get", 1, 1, 3)
	for len(p.Workload.Mix) < 1000 {
		p.Workload.Mix = append(p.Workload.Mix, p.Workload.Mix[0])
	}
	err := Limits{Free: 1 << 30}.Check(Share{Target: local, Plan: p})
	if err == nil || !strings.Contains(err.Error(), "histograms of 1000 commands") {
		t.Errorf("refused with %v", err)
	}
}
