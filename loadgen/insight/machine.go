package insight

import (
	"io/fs"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"strings"
)

// Machine is where a result was measured (R9). Empty text and 0 are not told.
type Machine struct {
	CPU       string // model: "AMD EPYC 7B13"
	Cores     int    // logical processors of the machine
	Kernel    string // "Linux 6.1.0-18-amd64"
	Arch      string // GOARCH
	Memory    int64  // bytes
	Container string // "docker", "podman", "kubernetes", "lxc", "container"; "" = none was found
	Virtual   string // "KVM", "Firecracker", ...; "yes" of a kind not told; "" = none was found
}

// ReadMachine looks the facts up under a root directory, as os.DirFS("/") has it.
func ReadMachine(system fs.FS) Machine {
	info := slurp(system, "proc/cpuinfo")
	m := Machine{Arch: runtime.GOARCH, Container: container(system), Virtual: virtual(system, info)}
	m.CPU, m.Cores = model(info)
	if release := strings.TrimSpace(slurp(system, "proc/sys/kernel/osrelease")); release != "" {
		m.Kernel = strings.TrimSpace(strings.TrimSpace(slurp(system, "proc/sys/kernel/ostype")) + " " + release)
	} else {
		m.Kernel = runtime.GOOS
	}
	for line := range strings.Lines(slurp(system, "proc/meminfo")) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "MemTotal:" && fields[2] == "kB" {
			if n := whole(fields[1]); n.Value < 1<<50 {
				m.Memory = n.Value << 10
			}
		}
	}
	return m
}

// model reads /proc/cpuinfo. ARM tells numbers of maker and part instead of a name.
func model(info string) (name string, processors int) {
	var maker, part string
	for line := range strings.Lines(info) {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "processor":
			processors++
		case "model name":
			name = value
		case "CPU implementer":
			maker = value
		case "CPU part":
			part = value
		}
	}
	if name == "" && part != "" {
		name = "ARM maker " + maker + " part " + part
	}
	return strings.Join(strings.Fields(name), " "), processors
}

// container tells in which kind of container this process runs, as far as it shows.
func container(system fs.FS) string {
	for _, sign := range []struct{ file, kind string }{
		{"var/run/secrets/kubernetes.io", "kubernetes"}, {"run/secrets/kubernetes.io", "kubernetes"},
		{".dockerenv", "docker"}, {"run/.containerenv", "podman"},
	} {
		if _, err := fs.Stat(system, sign.file); err == nil {
			return sign.kind
		}
	}
	group := slurp(system, "proc/self/cgroup") + slurp(system, "proc/1/cgroup")
	for _, sign := range []struct{ text, kind string }{
		{"kubepods", "kubernetes"}, {"docker", "docker"}, {"libpod", "podman"}, {"lxc", "lxc"}, {"containerd", "container"},
	} {
		// A unit of the same name is the machine's own daemon.
		if strings.Contains(group, "/"+sign.text) && !strings.Contains(group, "/"+sign.text+".service") {
			return sign.kind
		}
	}
	return ""
}

// virtual tells the hypervisor, by the names it gives the machine.
func virtual(system fs.FS, cpuinfo string) string {
	board := strings.TrimSpace(slurp(system, "sys/class/dmi/id/sys_vendor")) + " " + slurp(system, "sys/class/dmi/id/product_name")
	for _, sign := range []struct{ text, kind string }{
		{"Amazon EC2", "Amazon EC2"}, {"Google Compute", "Google Compute Engine"}, {"Microsoft Corporation Virtual", "Hyper-V"},
		{"VMware", "VMware"}, {"VirtualBox", "VirtualBox"}, {"Xen", "Xen"}, {"KVM", "KVM"}, {"QEMU", "KVM"},
		{"Alibaba", "Alibaba Cloud"}, {"Firecracker", "Firecracker"},
	} {
		if strings.Contains(board, sign.text) {
			return sign.kind
		}
	}
	for line := range strings.Lines(cpuinfo) {
		if flags, ok := strings.CutPrefix(line, "flags"); ok {
			if slices.Contains(strings.Fields(flags), "hypervisor") {
				return "yes"
			}
			return ""
		}
	}
	return ""
}

// SameHost reports whether the server behind an address is on this machine: a path of
// a unix socket, a loopback address or name, or the address of one of our interfaces.
// Give it the remote address of a connection, for names are not looked up. A tunnel's
// own end counts as the server.
func SameHost(address string, interfaces []net.Addr) bool {
	if strings.HasPrefix(address, "/") || strings.HasPrefix(address, "@") {
		return true
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	ip = ip.WithZone("").Unmap()
	if ip.IsLoopback() || ip.IsUnspecified() {
		return true
	}
	for _, i := range interfaces {
		if own, ok := addressOf(i); ok && own == ip {
			return true
		}
	}
	return false
}

// addressOf is the IP address of one of net.InterfaceAddrs.
func addressOf(a net.Addr) (netip.Addr, bool) {
	var raw net.IP
	switch v := a.(type) {
	case *net.IPNet:
		raw = v.IP
	case *net.IPAddr:
		raw = v.IP
	case *net.TCPAddr:
		raw = v.IP
	}
	ip, ok := netip.AddrFromSlice(raw)
	return ip.Unmap(), ok
}

// LinkSpeed is what an interface carries at most, in bytes per second and direction.
// Not told by loopback, wireless and most virtual ones.
func LinkSpeed(system fs.FS, name string) Told[float64] {
	if name == "" || strings.ContainsAny(name, "/") || !fs.ValidPath("sys/class/net/"+name) {
		return Told[float64]{}
	}
	// -1 and 2^32-1 are what drivers write that do not know.
	mbit := whole(strings.TrimSpace(slurp(system, "sys/class/net/"+name+"/speed")))
	if !mbit.Known || mbit.Value == 0 || mbit.Value >= 1<<31-1 {
		return Told[float64]{}
	}
	return Tell(float64(mbit.Value) * 1e6 / 8)
}
