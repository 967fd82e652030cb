package insight_test

import (
	"io/fs"
	"net"
	"os"
	"runtime"
	"testing"
	"testing/fstest"
	"time"

	"fullbore/loadgen/insight"
)

const ms = time.Millisecond

// tree is a recorded machine, and the files that differ in it a moment later.
func tree(t testing.TB, name string, later map[string]string) fs.FS {
	t.Helper()
	all := fstest.MapFS{}
	root := os.DirFS("testdata/host/" + name)
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, path)
		all[path] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range later {
		all[path] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

func TestGroups(t *testing.T) {
	type throttle = insight.Throttle
	for _, c := range []struct {
		tree     string
		version  int
		dirs     int
		quota    insight.Told[float64]
		throttle insight.Told[throttle]
		pressure insight.Told[time.Duration]
	}{
		{"v2", 2, 4, insight.Tell(2.5), insight.Tell(throttle{9, 400 * ms}), insight.Tell(time.Second)},
		{"v1", 1, 3, insight.Tell(0.5), insight.Tell(throttle{3, 120 * ms}), insight.Told[time.Duration]{}},
		{"container", 1, 1, insight.Tell(1.5), insight.Tell(throttle{}), insight.Told[time.Duration]{}},
		{"kubernetes", 2, 1, insight.Tell(0.75), insight.Tell(throttle{40, 9 * time.Second}), insight.Told[time.Duration]{}},
		{"none", 0, 0, insight.Told[float64]{}, insight.Told[throttle]{}, insight.Told[time.Duration]{}},
	} {
		system := tree(t, c.tree, nil)
		g := insight.FindGroup(system)
		if g.Version != c.version || len(g.Dirs) != c.dirs {
			t.Errorf("%s: %+v", c.tree, g)
		}
		if got := g.Quota(system); got != c.quota {
			t.Errorf("%s: quota %+v, want %+v", c.tree, got, c.quota)
		}
		if got := g.Throttled(system); got != c.throttle {
			t.Errorf("%s: throttled %+v, want %+v", c.tree, got, c.throttle)
		}
		if got := g.Pressure(system); got != c.pressure {
			t.Errorf("%s: pressure %+v, want %+v", c.tree, got, c.pressure)
		}
	}
}

// TestGroupElsewhere: a path that cannot be seen stands for the top, and files that
// make no sense set no limit.
func TestGroupElsewhere(t *testing.T) {
	const mount = "640 637 0:29 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n"
	for _, c := range []struct {
		name, cgroup, mounts, max string
		want                      insight.Told[float64]
	}{
		{"outside of the namespace", "0::/../../other", mount, "100000 100000", insight.Tell(1.0)},
		{"of another tree", "0::/kubepods/pod1", "640 637 0:29 /system.slice /sys/fs/cgroup ro - cgroup2 cgroup rw\n", "50000 100000", insight.Tell(0.5)},
		{"no limit", "0::/", mount, "max 100000", insight.Told[float64]{}},
		{"no period", "0::/", mount, "100000", insight.Told[float64]{}},
		{"no time", "0::/", mount, "0 100000", insight.Told[float64]{}},
		{"nothing", "0::/", mount, "", insight.Told[float64]{}},
		{"no path", "0::", mount, "100000 100000", insight.Told[float64]{}},
		{"no mounts", "0::/", "nonsense\n - \n", "100000 100000", insight.Told[float64]{}},
	} {
		system := fstest.MapFS{
			"proc/self/cgroup":      {Data: []byte(c.cgroup)},
			"proc/self/mountinfo":   {Data: []byte(c.mounts)},
			"sys/fs/cgroup/cpu.max": {Data: []byte(c.max)},
		}
		if got := insight.FindGroup(system).Quota(system); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestQuota(t *testing.T) {
	cpus, group := insight.Tell[int], insight.Tell[float64]
	for _, c := range []struct {
		q     insight.Quota
		cores float64
		by    string
	}{
		{insight.Quota{}, 0, "GOMAXPROCS"},
		{insight.Quota{Procs: 4}, 4, "GOMAXPROCS"},
		{insight.Quota{Procs: 1, Allowed: cpus(8), Group: group(2.5)}, 1, "GOMAXPROCS"},
		{insight.Quota{Procs: 8, Allowed: cpus(8)}, 8, "affinity"},
		{insight.Quota{Procs: 8, Allowed: cpus(2), Group: group(2.5)}, 2, "affinity"},
		{insight.Quota{Procs: 3, Allowed: cpus(8), Group: group(2.5)}, 2.5, "cgroup"},
		{insight.Quota{Group: group(0.5)}, 0.5, "cgroup"},
	} {
		if n, by := c.q.Cores(), c.q.By(); n != c.cores || by != c.by {
			t.Errorf("%+v: %v by %s, want %v by %s", c.q, n, by, c.cores, c.by)
		}
	}
}

// near compares shares, which are quotients.
func near(got insight.Told[float64], want float64) bool {
	return got.Known && got.Value > want-1e-9 && got.Value < want+1e-9
}

func TestHostBetween(t *testing.T) {
	start := time.Unix(1000, 0)
	now, then := insight.NewHost(tree(t, "v2", nil)), insight.NewHost(tree(t, "v2", map[string]string{
		// 1600 ticks more: 800 idle, 80 stolen, of 8 processors in 2 s.
		"proc/stat":           "cpu  1600 50 600 8780 220 30 40 280 90 0\ncpu0 1\ncpu1 1\ncpu2 1\ncpu3 1\ncpu4 1\ncpu5 1\ncpu6 1\ncpu7 1\nintr 1\n",
		"proc/pressure/cpu":   "some avg10=0.00 avg60=0.00 avg300=0.00 total=5500000\n",
		"proc/9825/schedstat": "701500000000 30400000000 2100\n",
		"sys/fs/cgroup/user.slice/bench.slice/cpu.stat":                   "nr_throttled 10\nthrottled_usec 450000\n",
		"sys/fs/cgroup/user.slice/bench.slice/bench.service/cpu.pressure": "some avg10=0.00 avg60=0.00 avg300=0.00 total=1200000\n",
	}))
	server := insight.Server{Process: insight.Tell[int64](9825), Program: "redis-server"}
	if !now.Watch(server) || !then.Watch(server) {
		t.Fatal("the server's process was not found")
	}
	a, b := now.Read(start, insight.Tell(time.Second)), then.Read(start.Add(2*time.Second), insight.Tell(3*time.Second))
	d, ok := insight.HostBetween(a, b)
	if !ok || d.Elapsed != 2*time.Second || d.CPUs != 8 || d.CPU != insight.Tell(2*time.Second) {
		t.Fatalf("%+v %v", d, ok)
	}
	if !near(d.Busy, 0.5) || !near(d.Steal, 0.05) || !near(d.Pressure, 0.25) || !near(d.Group, 0.1) || !near(d.Ran, 0.75) || !near(d.Waited, 0.2) {
		t.Errorf("%+v", d)
	}
	if d.Throttle != insight.Tell(insight.Throttle{Times: 3, Time: 100 * ms}) {
		t.Errorf("throttled %+v", d.Throttle)
	}
	d.Quota.Procs = 4
	if load, ok := d.Client(); !ok || load.Share != 0.4 || load.Words != "client 40 % of 2.5 cores (cgroup)" {
		t.Errorf("client %+v %v", load, ok)
	}
	if others, ok := d.Others(time.Second); !ok || others < 0.3124 || others > 0.3126 {
		t.Errorf("others %v %v: half of 8 processors less 3 s in 2 s", others, ok)
	}
	if _, ok := insight.HostBetween(b, a); ok {
		t.Error("time ran backwards")
	}
	b.CPU = insight.Tell(time.Second / 2)
	if _, ok := insight.HostBetween(a, b); ok {
		t.Error("CPU time ran backwards")
	}
}

// TestHostUntold: what a machine does not tell is not 0.
func TestHostUntold(t *testing.T) {
	h := insight.NewHost(tree(t, "none", nil))
	a := h.Read(time.Unix(0, 0), insight.Told[time.Duration]{})
	b := h.Read(time.Unix(1, 0), insight.Told[time.Duration]{})
	d, ok := insight.HostBetween(a, b)
	if !ok || d.CPU.Known || d.Busy.Known || d.Steal.Known || d.Pressure.Known || d.Group.Known || d.Throttle.Known || d.Waited.Known || d.Quota.Allowed.Known || d.Quota.Group.Known {
		t.Errorf("%+v %v", d, ok)
	}
	if _, ok := d.Client(); ok {
		t.Error("a client's load without its CPU")
	}
	if _, ok := d.Others(0); ok {
		t.Error("others without processors")
	}
	// In another group than before the counts may be lower.
	a.Throttle, b.Throttle = insight.Tell(insight.Throttle{Times: 5}), insight.Tell(insight.Throttle{Times: 1})
	a.Pressure, b.Pressure = insight.Tell(time.Second), insight.Tell(time.Duration(0))
	if d, ok := insight.HostBetween(a, b); !ok || d.Throttle.Known || d.Pressure.Known {
		t.Errorf("%+v %v", d, ok)
	}
}

func TestWatch(t *testing.T) {
	pid := insight.Tell[int64]
	for _, c := range []struct {
		server insight.Server
		want   bool
	}{
		{insight.Server{Process: pid(9825), Program: "redis-server"}, true},
		{insight.Server{Process: pid(41), Program: "a-program-with-a-long-name"}, true},
		{insight.Server{Process: pid(9825), Program: "valkey-server"}, false},
		{insight.Server{Process: pid(9825)}, false},
		{insight.Server{Process: pid(1), Program: "redis-server"}, false},
		{insight.Server{Program: "redis-server"}, false},
	} {
		h := insight.NewHost(tree(t, "v2", nil))
		if got := h.Watch(c.server); got != c.want {
			t.Errorf("%+v: %v", c.server, got)
		}
		if r := h.Read(time.Now(), insight.OwnCPU()); r.Server.Known != c.want {
			t.Errorf("%+v: %+v", c.server, r.Server)
		}
	}
}

// TestThisMachine looks at the real one: nothing is certain but that it works.
func TestThisMachine(t *testing.T) {
	system := os.DirFS("/")
	h := insight.NewHost(system)
	a := h.Read(time.Now(), insight.OwnCPU())
	runtime.GC()
	sum := 0
	for begin := time.Now(); time.Since(begin) < 20*ms; {
		sum++
	}
	b := h.Read(time.Now(), insight.OwnCPU())
	d, ok := insight.HostBetween(a, b)
	if !ok || d.Elapsed < 20*ms || d.Quota.Cores() <= 0 {
		t.Fatalf("%+v %v", d, ok)
	}
	if runtime.GOOS == "linux" && (!d.CPU.Known || !b.All.Known || d.CPUs < 1 || !d.Quota.Allowed.Known) {
		t.Errorf("%+v", d)
	}
	if !d.GC.Known || d.GC.Value.Count < 1 || d.GC.Value.Worst <= 0 || d.GC.Value.Total < d.GC.Value.Worst {
		t.Errorf("a collection stopped nothing: %+v", d.GC)
	}
	m := insight.ReadMachine(system)
	if m.Kernel == "" || m.Arch != runtime.GOARCH || runtime.GOOS == "linux" && (m.Memory <= 0 || m.Cores < 1) {
		t.Errorf("%+v", m)
	}
}

func TestMachine(t *testing.T) {
	for _, c := range []struct {
		tree string
		want insight.Machine
	}{
		{"v2", insight.Machine{CPU: "Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz", Cores: 2, Kernel: "Linux 6.1.0-18-amd64", Memory: 32500364 << 10, Virtual: "Amazon EC2"}},
		{"v1", insight.Machine{CPU: "ARM maker 0x41 part 0xd0c", Cores: 1, Kernel: runtime.GOOS, Virtual: "KVM"}},
		{"container", insight.Machine{Kernel: runtime.GOOS, Container: "docker"}},
		{"kubernetes", insight.Machine{Kernel: runtime.GOOS, Container: "kubernetes"}},
		{"none", insight.Machine{Kernel: runtime.GOOS}},
	} {
		c.want.Arch = runtime.GOARCH
		if got := insight.ReadMachine(tree(t, c.tree, nil)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.tree, got, c.want)
		}
	}
	for group, want := range map[string]string{
		"0::/system.slice/docker.service":                    "",
		"0::/system.slice/docker-3f2b.scope":                 "docker",
		"0::/kubepods.slice/kubepods-pod1.slice/cri.scope":   "kubernetes",
		"0::/machine.slice/libpod-77.scope":                  "podman",
		"4:cpu:/lxc/web":                                     "lxc",
		"0::/user.slice/user-1000.slice/session-1.scope":     "",
		"9:cpu:/system.slice/containerd.service/kubepods/p1": "kubernetes",
	} {
		if got := insight.ReadMachine(fstest.MapFS{"proc/1/cgroup": {Data: []byte(group)}}).Container; got != want {
			t.Errorf("%s: %q, want %q", group, got, want)
		}
	}
	plain := fstest.MapFS{"proc/cpuinfo": {Data: []byte("flags\t: fpu hypervisor\n")}}
	if got := insight.ReadMachine(plain).Virtual; got != "yes" {
		t.Errorf("hypervisor: %q", got)
	}
}

func TestSameHost(t *testing.T) {
	own := []net.Addr{
		&net.IPNet{IP: net.IPv4(10, 0, 0, 5), Mask: net.CIDRMask(24, 32)},
		&net.IPAddr{IP: net.ParseIP("fe80::1"), Zone: "eth0"},
		&net.TCPAddr{IP: net.ParseIP("2001:db8::5")}, &net.UnixAddr{Name: "x"},
	}
	for address, want := range map[string]bool{
		"/run/redis.sock": true, "@abstract": true,
		"127.0.0.1:6379": true, "127.8.0.1:6379": true, "[::1]:6379": true, "localhost:6379": true, "LOCALHOST.:6379": true, "0.0.0.0:6379": true,
		"10.0.0.5:6379": true, "[::ffff:10.0.0.5]:6379": true, "[fe80::1%eth0]:6379": true, "[2001:db8::5]:6379": true, "10.0.0.5": true,
		"10.0.0.6:6379": false, "[2001:db8::6]:6379": false, "redis.example.com:6379": false, "": false, ":6379": false,
	} {
		if got := insight.SameHost(address, own); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}

func TestLinkSpeed(t *testing.T) {
	system := tree(t, "v2", nil)
	for name, want := range map[string]insight.Told[float64]{
		"eth0": insight.Tell(1.25e9), "veth1": {}, "tap0": {}, "lo": {}, "": {}, "../eth0": {}, "a/b": {},
	} {
		if got := insight.LinkSpeed(system, name); got != want {
			t.Errorf("%q: %+v, want %+v", name, got, want)
		}
	}
}
