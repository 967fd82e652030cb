package loadgen

import (
	"context"
	"io/fs"
	"net"
	"time"

	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
	"fullbore/loadgen/target"
)

// Way is how a server is reached from here.
type Way struct {
	Local     bool                  // it is on this machine
	Interface string                // that leads there; "" = unknown
	Link      insight.Told[float64] // bytes per second that it carries
}

// WayTo finds out how t is reached, without a word to it. system is the root directory,
// as os.DirFS("/") has it.
func WayTo(t target.Target, system fs.FS) (w Way) {
	own, _ := net.InterfaceAddrs() // without them every server is taken for a remote one
	if w.Local = insight.SameHost(t.Address, own); !w.Local {
		if w.Interface = interfaceTo(t); w.Interface != "" {
			w.Link = insight.LinkSpeed(system, w.Interface)
		}
	}
	return w
}

// settleIn looks up what does not change while a run lasts.
func (o *observer) settleIn() {
	o.host = insight.NewHost(o.system)
	o.machine = insight.ReadMachine(o.system)
	o.way = WayTo(o.run.target, o.system)
	for _, w := range o.servers {
		o.watch(w.reading.Server)
	}
}

// interfaceTo is the name of the interface whose address connections to t have; "" when
// that is not known. A datagram's socket has an address without anything being sent.
func interfaceTo(t target.Target) string {
	ctx, cancel := context.WithTimeout(context.Background(), witnessWithin)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "udp", t.Address)
	if err != nil {
		return ""
	}
	defer conn.Close()
	own, ok := conn.LocalAddr().(*net.UDPAddr)
	if !ok {
		return ""
	}
	all, _ := net.Interfaces() // an error leaves none to look through
	for _, i := range all {
		addresses, _ := i.Addrs()
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok && n.IP.Equal(own.IP) {
				return i.Name
			}
		}
	}
	return ""
}

// beat adds the last second to the charts. w is the server that told of it; nil = none.
func (o *observer) beat(in *Insight, w *watched) {
	b := Beat{At: in.At, CPU: -1, Client: -1, Memory: -1, Hits: -1, In: -1, Out: -1, Clients: -1, Ops: -1}
	if load, ok := in.Host.Client(); ok && !o.aside(in.Reading) {
		b.Client = load.Share
	}
	if w != nil {
		b.tell(in.Delta)
	}
	list := in.Beats
	if len(list) >= mostBeats {
		list = append(make([]Beat, 0, mostBeats), list[mostBeats/10:]...)
	}
	in.Beats = append(list, b) // readers hold the list as long as it was
}

func (b *Beat) tell(d insight.Delta) {
	seconds := d.Elapsed.Seconds()
	if seconds <= 0 {
		return
	}
	if d.Main > 0 && !d.Whole {
		b.CPU = d.Main.Seconds() / seconds
	} else if load, ok := d.Load(); ok {
		b.CPU = load.Share
	}
	if d.Commands > 0 {
		b.Ops = float64(d.Commands) / seconds
	}
	for _, f := range []struct {
		to *float64
		of func() (float64, bool)
	}{
		{&b.Hits, d.HitRate},
		{&b.In, func() (float64, bool) { return d.Rate(insight.NetIn) }},
		{&b.Out, func() (float64, bool) { return d.Rate(insight.NetOut) }},
		{&b.Memory, func() (float64, bool) { return float64(d.Is.Used.Value), d.Is.Used.Known }},
		{&b.Clients, func() (float64, bool) { return float64(d.Is.Clients.Value), d.Is.Clients.Known }},
	} {
		if v, ok := f.of(); ok {
			*f.to = v
		}
	}
}

// limiters are what held each of these segments back; the zero Limiter where nobody
// looked meanwhile.
func (in *Insight) limiters(segments []stats.Segment) []insight.Limiter {
	out := make([]insight.Limiter, len(segments))
	after := 0
	for i, s := range segments {
		var longest time.Duration
		for _, h := range in.held {
			if h.epoch > after && h.epoch <= s.Epoch && h.length >= longest {
				out[i], longest = h.limiter, h.length
			}
		}
		after = s.Epoch
	}
	return out
}

// conclude puts what was seen into the result.
func (o *observer) conclude(res *Result) {
	if o.off || o.host == nil {
		return // it ended before the first look
	}
	o.see()
	*res = res.Seen(o.latest.Load())
}

// Seen is r with what was seen of server and machine meanwhile: for an Interim result,
// with the Insight of the same run. in may be nil.
func (r Result) Seen(in *Insight) Result {
	if in == nil {
		return r
	}
	r.Insight, r.Limiters = in, in.limiters(r.Segments)
	r.Limiter = mostly(r.Limiters, r.Segments)
	return r
}

// mostly is the limiter that held the load back for the longest time, with the numbers
// of the latest segment that it held.
func mostly(all []insight.Limiter, segments []stats.Segment) (l insight.Limiter) {
	spent := map[string]time.Duration{}
	for i, held := range all {
		if held.Name == "" {
			continue
		}
		spent[held.Name] += segments[i].Measured
		if l.Name == "" || spent[held.Name] >= spent[l.Name] {
			l = held
		}
	}
	return l
}
