package loadgen

import (
	"fmt"
	"net/netip"
	"slices"

	"fullbore/loadgen/target"
	"fullbore/loadgen/workload"
)

// Limits are what this side of a benchmark can carry, as the system tells. A field
// that is zero is not known, and then nothing is refused for its sake.
type Limits struct {
	Files   int   // descriptors this process may have, after the soft limit was raised to the hard one
	Open    int   // descriptors it has
	Served  []int // TCP ports that this process listens on itself: it has both ends of a connection to one
	Ports   int   // local ports that connections to one address may begin at
	Free    int64 // bytes of memory that this machine can give without swapping
	Room    int64 // bytes left in the control group of this process
	Sockets int64 // bytes that all TCP sockets of this machine may hold
}

// Share is a part of the load that one process applies: the run of a plan, with the
// connections that it has already and that Limits.Open counts.
type Share struct {
	Target    target.Target
	Plan      Plan
	Connected int
}

const (
	// spareFiles are for what a run opens beside its clients: the control connection,
	// that of INFO, a timer, a look-up of a name, a report.
	spareFiles = 8
	// sparePorts are for other programs, and for connections that were closed and hold
	// their port for a minute (TIME_WAIT).
	sparePorts = 64
	// fillMemory is how much of the free memory a run may take: what is free is an
	// estimate, and the server's data grow beside the load.
	fillMemory = 0.75
)

// Check says why shares, taken together, are beyond l, naming the limit, the numbers
// and the flags that help; nil when they are not. To be asked before anything is taken.
// A run that ends so ends with exit code 1, not 2 (M29): its command line is well formed
// and would do on another machine.
func (l Limits) Check(shares ...Share) error {
	for _, check := range []func([]Share) error{l.files, l.ports, l.memory} {
		if err := check(shares); err != nil {
			return err
		}
	}
	return nil
}

func (l Limits) files(shares []Share) error {
	clients, taken, beside, ends := 0, 0, l.Open+spareFiles, 1
	for _, s := range shares {
		n := 1
		if l.serves(s.Target) {
			n, ends = 2, 2
		}
		clients += s.Plan.Clients
		taken += n * s.Plan.Clients
		beside -= n * s.Connected
	}
	need := taken + beside
	if l.Files == 0 || need <= l.Files {
		return nil
	}
	other := "other files"
	if ends > 1 {
		beside, other = need-clients, "other files (the server in this process has one for each client, too)"
	}
	return fmt.Errorf("clients %d: with %d %s that makes %d, and the hard limit of open files is %d: ulimit -n %d raises it%s",
		clients, beside, other, need, l.Files, need, orLower((l.Files-need+taken)/ends, shares))
}

// serves reports whether t is a server inside this process, as the demo server is.
func (l Limits) serves(t target.Target) bool {
	place, err := netip.ParseAddrPort(t.Address)
	return err == nil && place.Addr().IsLoopback() && slices.Contains(l.Served, int(place.Port()))
}

// orLower is the other way out: fewer clients.
func orLower(most int, shares []Share) string {
	switch {
	case most < 1:
		return ""
	case len(shares) > 1:
		return fmt.Sprintf(", or lower -c: all arms and the reference's twin may have %d together", most)
	}
	return fmt.Sprintf(", or lower -c to %d", most)
}

// ports counts by address: what a port must differ from is the other connections to
// the same place. Names are left out, since they may stand for several addresses.
func (l Limits) ports(shares []Share) error {
	clients := map[string]int{}
	most := l.Ports - sparePorts
	for _, s := range shares {
		place, err := netip.ParseAddrPort(s.Target.Address)
		if l.Ports == 0 || s.Target.Network != "tcp" || err != nil {
			continue
		}
		n := clients[place.String()] + s.Plan.Clients
		clients[place.String()] = n
		if n > most {
			return fmt.Errorf("clients %d: %s can be reached from %d local ports, %d of them kept free: sysctl net.ipv4.ip_local_port_range gives more%s",
				n, place, l.Ports, sparePorts, orLower(most, shares))
		}
	}
	return nil
}

// memory holds what this process would take against its control group, and all that
// the machine would against the free memory. Shares keep their buffers; what is in
// flight they take in turn, as the arms of a comparison do.
func (l Limits) memory(shares []Share) error {
	var all demand
	for _, s := range shares {
		d := demandOf(s)
		all.records += d.records
		all.own += d.own
		all.sockets = max(all.sockets, d.sockets)
		all.server = max(all.server, d.server)
	}
	if l.Sockets > 0 {
		all.sockets = min(all.sockets, l.Sockets)
	}
	for _, bound := range []struct {
		have, need int64
		of         string
	}{
		{l.Room, all.records + all.own + all.sockets, "left in this control group"},
		{l.Free, all.records + all.own + all.sockets + all.server, "free on this machine"},
	} {
		may := int64(fillMemory * float64(bound.have))
		if bound.have == 0 || bound.need <= may {
			continue
		}
		if all.records > may/2 {
			return fmt.Errorf("memory: the histograms of %d commands take about %s, and a run may have %s (%.0f %% of what is %s): give fewer commands",
				rows(shares), bytesText(all.records), bytesText(may), 100*fillMemory, bound.of)
		}
		return fmt.Errorf("memory: %s may hold about %s in flight, and a run may have %s (%.0f %% of what is %s): lower -c, -P or -d",
			product(shares), bytesText(bound.need), bytesText(may), 100*fillMemory, bound.of)
	}
	return nil
}

// product is what stands behind an estimate: "-c 1000 -P 1000 -d 16384".
func product(shares []Share) string {
	p := shares[0].Plan
	text := fmt.Sprintf("-c %d -P %d -d %s", p.Clients, p.Pipeline, p.Workload.SizeText())
	if len(shares) > 1 {
		text += " and the other arms"
	}
	return text
}

func rows(shares []Share) (n int) {
	for _, s := range shares {
		n = max(n, len(s.Plan.Workload.Mix))
	}
	return n
}

// demand is the memory that a share may take, in bytes. It was set against what runs
// took (VmHWM): 0.9 to 1.5 times as much, the server's replies in flight included.
type demand struct {
	records int64 // histograms
	own     int64 // connections of this process, with their buffers
	sockets int64 // bytes in flight that the kernel holds
	server  int64 // replies that a server on this machine holds
}

// What is behind demand; see target.Conn and worker for where it goes.
const (
	histogramBytes = 180 << 10
	clientBytes    = 24 << 10  // goroutine, redigo's two buffers, the structures
	bufferBytes    = 64 << 10  // the most that a connection's own buffer has, either way
	firstBuffer    = 4 << 10   // it begins with
	askedBytes     = 24 + 48   // a question and a sample, where neighbours differ
	heldBytes      = 96        // a reply that was read and not taken
	ahead          = 2 << 20   // reading runs ahead of taking by so much at most
	slack          = 1.25      // of a collected heap
	copied         = 1.2       // of a reply in a server's output list
	localBuffer    = 208 << 10 // of a unix socket, each way
)

func demandOf(s Share) demand {
	p := s.Plan
	depth := float64(p.Pipeline)
	if p.Batch == workload.Unbatched {
		depth = 1
	}
	request, reply := float64(max(p.Workload.RequestBytes(), 1)), replyBytes(p.Workload)
	own := clientBytes + min(depth*request, bufferBytes) + max(firstBuffer, min(2*depth*reply, bufferBytes))
	if mix := p.Workload.Mix; len(mix) > 1 || len(p.Workload.Sizes) > 0 {
		own += depth*askedBytes + min(depth, ahead/reply)*heldBytes
	}
	clients := float64(p.Clients)
	d := demand{
		records: int64(histogramBytes * recordings(p)), own: int64(clients * own * slack),
		sockets: int64(clients * min(depth*request, inFlightCap)),
	}
	switch {
	case s.Target.Network == "unix":
		d.sockets = min(d.sockets, int64(clients)*2*localBuffer)
		fallthrough
	case s.Target.Local():
		d.server = int64(clients * depth * reply * copied)
		if p.Batch == workload.Multi { // queued until EXEC
			d.server += int64(clients * depth * request)
		}
	default:
		d.sockets += int64(clients * depth * reply)
	}
	return d
}

// recordings is how many histograms a run has: those of each row in two recordings of
// every shard and in the segment, three kinds of them in open loop, and the window.
func recordings(p Plan) int {
	kinds := 1
	if p.Rate > 0 {
		kinds = 3
	}
	window := int(p.Window / slotLength)
	if p.Window == 0 {
		window = int(defaultWindow / slotLength)
	}
	return kinds * (len(p.Workload.Mix)*(2*shardCount()+1) + window + 8)
}

// replyBytes is about the mean length of a reply on the wire.
func replyBytes(w workload.Workload) float64 {
	size := float64(w.Payload)
	if len(w.Sizes) > 0 {
		size = w.Sizes.Mean()
	}
	var sum, weight float64
	for _, e := range w.Mix {
		values := float64(e.Test.Values)
		sum += float64(e.Weight) * (8 + values*(size+8))
		weight += float64(e.Weight)
	}
	return sum / max(weight, 1)
}

// bytesText is n in the unit that people read: "16.4 GB".
func bytesText(n int64) string {
	switch f := float64(n); {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", f/1e9)
	default:
		return fmt.Sprintf("%.0f MB", f/1e6)
	}
}
