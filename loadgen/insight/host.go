package insight

import (
	"fmt"
	"io/fs"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Quota is how much of the machine this process may use.
type Quota struct {
	Procs   int           // GOMAXPROCS: threads that run Go code at a time
	Allowed Told[int]     // processors by affinity
	Group   Told[float64] // processors' time by the control group; not told = no limit
}

// Cores is the least of the limits; 0 when nothing is known.
func (q Quota) Cores() float64 {
	n := float64(q.Procs)
	if a := float64(q.Allowed.Value); q.Allowed.Known && (n <= 0 || a < n) {
		n = a
	}
	if q.Group.Known && (n <= 0 || q.Group.Value < n) {
		n = q.Group.Value
	}
	return max(0, n)
}

// By names the limit that counts: "GOMAXPROCS", "cgroup" or "affinity". Where several
// are equal, it is the one that is hardest to raise.
func (q Quota) By() string {
	switch n := q.Cores(); {
	case q.Group.Known && q.Group.Value <= n:
		return "cgroup"
	case q.Allowed.Known && float64(q.Allowed.Value) <= n:
		return "affinity"
	}
	return "GOMAXPROCS"
}

// Host reads what the machine of the load says of itself: plain files, and the Go
// runtime. It belongs to one goroutine.
type Host struct {
	system  fs.FS
	group   Group
	allowed Told[int]
	server  string // directory of the server's process; "" = not here, or not known
	runtime runtimeReader
}

// NewHost prepares to read the machine whose root directory system is, as
// os.DirFS("/") has it. Without the files of Linux little is told.
func NewHost(system fs.FS) *Host {
	return &Host{
		system:  system,
		group:   FindGroup(system),
		allowed: affinity(slurp(system, "proc/self/status")),
		runtime: newRuntimeReader(),
	}
}

// Watch takes up a server of this machine, by process and program as its INFO tells
// them. False, and nothing is watched, when that process is another program: a server
// in a container counts processes of its own.
func (h *Host) Watch(s Server) bool {
	h.server = ""
	dir := "proc/" + strconv.FormatInt(s.Process.Value, 10)
	// The kernel keeps 15 bytes of a program's name.
	if comm := strings.TrimSpace(slurp(h.system, dir+"/comm")); s.Process.Value > 0 && s.Program != "" && comm == s.Program[:min(15, len(s.Program))] {
		h.server = dir
	}
	return h.server != ""
}

// HostReading is one look at the machine. All but Quota only grows.
type HostReading struct {
	At       time.Time
	Quota    Quota
	CPU      Told[time.Duration] // of this process
	All      Told[Processors]
	Pressure Told[time.Duration] // some task of the machine waited for a processor
	Group    Told[time.Duration] // some task of the group did
	Throttle Told[Throttle]
	Server   Told[Scheduled] // the first thread of a local server
	Runtime  RuntimeReading
}

// Processors is where the time of all processors went, in the kernel's ticks, and how
// many processors these are.
type Processors struct {
	Total, Idle, Steal int64
	Count              int
}

// Scheduled is how long a thread ran, and how long it could have run but had to wait
// for a processor.
type Scheduled struct{ Ran, Waited time.Duration }

// Read looks once. cpu is OwnCPU's, given apart so that recorded machines can be
// read too.
func (h *Host) Read(at time.Time, cpu Told[time.Duration]) HostReading {
	r := HostReading{
		At:       at,
		Quota:    Quota{Procs: runtime.GOMAXPROCS(0), Allowed: h.allowed, Group: h.group.Quota(h.system)},
		CPU:      cpu,
		All:      processors(slurp(h.system, "proc/stat")),
		Pressure: pressure(slurp(h.system, "proc/pressure/cpu")),
		Group:    h.group.Pressure(h.system),
		Throttle: h.group.Throttled(h.system),
		Runtime:  h.runtime.read(),
	}
	if h.server != "" {
		r.Server = scheduled(slurp(h.system, h.server+"/schedstat"))
	}
	return r
}

// HostDelta is what the machine did between two looks; shares are of that time.
type HostDelta struct {
	Elapsed  time.Duration
	Quota    Quota
	CPUs     int                 // processors of the machine; 0 = not told
	CPU      Told[time.Duration] // of this process
	Busy     Told[float64]       // of all processors, 0 to 1
	Steal    Told[float64]       // of all processors: the hypervisor gave it to others
	Pressure Told[float64]       // some task of the machine waited for a processor
	Group    Told[float64]       // some task of the group did
	Throttle Told[Throttle]
	Ran      Told[float64] // the first thread of a local server: of one processor
	Waited   Told[float64] // the same thread waited for one
	Sched    Told[time.Duration]
	GC       Told[Pauses]
}

// HostBetween is what happened from a to b. False when no time passed or a figure of
// this process fell.
func HostBetween(a, b HostReading) (HostDelta, bool) {
	d := HostDelta{Elapsed: b.At.Sub(a.At), Quota: b.Quota}
	if d.Elapsed <= 0 {
		return HostDelta{}, false
	}
	minus := func(was, is time.Duration) time.Duration { return is - was }
	d.CPU = both(a.CPU, b.CPU, minus)
	if d.CPU.Value < 0 {
		return HostDelta{}, false
	}
	d.Busy, d.Steal = spent(a.All, b.All)
	d.CPUs = b.All.Value.Count
	share := func(was, is Told[time.Duration]) Told[float64] { return d.share(both(was, is, minus)) }
	d.Pressure, d.Group = share(a.Pressure, b.Pressure), share(a.Group, b.Group)
	d.Throttle = both(a.Throttle, b.Throttle, func(was, is Throttle) Throttle {
		return Throttle{is.Times - was.Times, is.Time - was.Time}
	})
	if d.Throttle.Value.Times < 0 || d.Throttle.Value.Time < 0 {
		d.Throttle = Told[Throttle]{} // moved to another group
	}
	if a.Server.Known && b.Server.Known {
		d.Ran = d.share(Tell(b.Server.Value.Ran - a.Server.Value.Ran))
		d.Waited = d.share(Tell(b.Server.Value.Waited - a.Server.Value.Waited))
	}
	d.Sched, d.GC = b.Runtime.since(a.Runtime)
	return d, true
}

// share is a time's part of what passed; not told when it fell.
func (d HostDelta) share(t Told[time.Duration]) Told[float64] {
	if !t.Known || t.Value < 0 {
		return Told[float64]{}
	}
	// The kernel sums up now and then, so that a little of the time before may be in it.
	return Tell(min(1, float64(t.Value)/float64(d.Elapsed)))
}

// spent is the busy and the stolen part of the time of all processors.
func spent(a, b Told[Processors]) (busy, steal Told[float64]) {
	total := b.Value.Total - a.Value.Total
	idle, stolen := b.Value.Idle-a.Value.Idle, b.Value.Steal-a.Value.Steal
	// Idle time is known to fall by a tick where processors were switched off.
	if !a.Known || !b.Known || total <= 0 || stolen < 0 {
		return busy, steal
	}
	idle = min(total, max(0, idle))
	return Tell(float64(total-idle) / float64(total)), Tell(min(1, float64(stolen)/float64(total)))
}

// Others is the part of the machine's processors that neither this process used nor
// the given time of a server on it. False when unknown.
func (d HostDelta) Others(server time.Duration) (float64, bool) {
	if !d.Busy.Known || !d.CPU.Known || d.CPUs == 0 {
		return 0, false
	}
	ours := float64(d.CPU.Value+server) / float64(d.Elapsed) / float64(d.CPUs)
	return max(0, d.Busy.Value-ours), true
}

// Client is how busy this process is, as a part of what it may use (M26). False when
// unknown.
func (d HostDelta) Client() (Load, bool) {
	n := d.Quota.Cores()
	if !d.CPU.Known || n <= 0 || d.Elapsed <= 0 {
		return Load{}, false
	}
	share := float64(d.CPU.Value) / float64(d.Elapsed) / n
	words := fmt.Sprintf("client %s of %s (%s)", percent(share), cores(n), d.Quota.By())
	return Load{share, words}, true
}

// processors reads /proc/stat, of which the first line is the sum. A guest's time is
// in the user's already.
func processors(text string) Told[Processors] {
	line, rest, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) < 5 || fields[0] != "cpu" {
		return Told[Processors]{}
	}
	var p Processors
	for i, field := range fields[1:min(9, len(fields))] {
		n := whole(field)
		if !n.Known || n.Value > 1<<58 {
			return Told[Processors]{}
		}
		p.Total += n.Value
		switch i {
		case 3, 4: // idle, and idle while a disk was waited for
			p.Idle += n.Value
		case 7:
			p.Steal = n.Value
		}
	}
	for one := range strings.Lines(rest) {
		if !strings.HasPrefix(one, "cpu") {
			break // what follows are interrupts, of which there are many
		}
		p.Count++
	}
	return Tell(p)
}

// scheduled reads a schedstat file: nanoseconds on a processor, nanoseconds waiting
// for one, and a count.
func scheduled(text string) Told[Scheduled] {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return Told[Scheduled]{}
	}
	return both(period(fields[0], 1), period(fields[1], 1), func(ran, waited time.Duration) Scheduled {
		return Scheduled{ran, waited}
	})
}

// affinity counts the processors of /proc/self/status that this process may run on.
func affinity(text string) Told[int] {
	for line := range strings.Lines(text) {
		if list, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			return counting(strings.TrimSpace(list))
		}
	}
	return Told[int]{}
}

// counting is how many numbers are in a list such as "0-3,8,10-11".
func counting(list string) Told[int] {
	n := 0
	for span := range strings.SplitSeq(list, ",") {
		first, last, ranged := strings.Cut(span, "-")
		if !ranged {
			last = first
		}
		from, to := whole(first), whole(last)
		if !from.Known || !to.Known || to.Value < from.Value || to.Value > 1<<20 {
			return Told[int]{}
		}
		n += int(to.Value-from.Value) + 1
	}
	return Told[int]{Value: n, Known: n > 0 && n <= 1<<20}
}
