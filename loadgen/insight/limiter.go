package insight

import (
	"fmt"
	"strings"
	"time"
)

// The names of what holds a load back, in the order in which they are decided (M26).
const (
	ByErrors   = "errors"
	ByHost     = "contended-host"
	ByClient   = "client"
	ByServer   = "server"
	ByNetwork  = "network"
	ByInFlight = "in-flight"
	ByUnknown  = "unknown"
)

// The thresholds of M26, and those that it leaves open.
const (
	clientFull  = 0.85 // of the CPU that the process may use
	serverFull  = 0.9  // of the main thread, or of the event loop's time
	pressed     = 0.2  // of the time some task waited for a processor
	crowd       = 0.1  // of the processors, used by neither end
	stolen      = 0.02 // of all processors' time
	erring      = 0.01 // of the answers: fewer errors cost less than rounds differ
	networkFull = 0.9  // of the link's bits, of which headers take 3 to 6 %
	aboutRTT    = 1.5  // latency in round trips: more than that is a queue or work
	paceMet     = 0.98 // of the rate asked for
)

// Limiter is what held a load back, with the numbers that decided it.
type Limiter struct {
	Name     string // one of the constants
	Evidence string // "server main thread 97 % of a core"
	Advice   string // one sentence
}

// Title is the name as a heading: "client-bound".
func (l Limiter) Title() string {
	switch l.Name {
	case ByErrors:
		return "held up by errors"
	case ByHost:
		return "contended host"
	case ByInFlight:
		return "latency-bound"
	case ByClient, ByServer, ByNetwork:
		return l.Name + "-bound"
	}
	return "limit unknown"
}

// Evidence is what is known of a stretch of a load, from a second on. Everything may
// be missing.
type Evidence struct {
	Elapsed    time.Duration
	Replies    int64  // answers that were no errors
	Errors     int64  // answers that were
	FirstError string // the text of one of them
	Missing    int    // clients that could not connect, or lost their connection
	Clients    int
	Pipeline   int                 // commands a client has in flight
	Latency    time.Duration       // mean of batches, from the first byte sent to the last received; 0 = none
	Paced      float64             // commands per second that are asked for; 0 = as many as possible
	In, Out    int64               // bytes received and sent
	RoundTrip  Told[time.Duration] // of a lone command on the idle connection, a simulated part included
	Simulated  time.Duration       // that part
	Link       Told[float64]       // bytes per second of the interface, see LinkSpeed
	Interface  string              // its name
	Local      bool                // the server is on this machine
	Host       Told[HostDelta]
	Server     Told[Delta]
}

// Decide names the limiter, in the order of M26.
func Decide(e Evidence) Limiter {
	for _, held := range []func(Evidence) (Limiter, bool){
		Evidence.byErrors, Evidence.byHost, Evidence.byClient, Evidence.byServer, Evidence.byNetwork, Evidence.byInFlight,
	} {
		if l, ok := held(e); ok {
			return l
		}
	}
	return e.unknown()
}

// rate is commands answered per second.
func (e Evidence) rate() float64 {
	if e.Elapsed <= 0 {
		return 0
	}
	return float64(e.Replies) / e.Elapsed.Seconds()
}

func (e Evidence) byErrors() (Limiter, bool) {
	l := Limiter{Name: ByErrors}
	all := e.Replies + e.Errors
	var why []string
	if e.Errors > 0 && float64(e.Errors) >= erring*float64(all) {
		words := fmt.Sprintf("%s of %s answers were errors", percent(float64(e.Errors)/float64(all)), amount(float64(all)))
		if first := line(e.FirstError); first != "" {
			words += ": " + first
		}
		why = append(why, words)
		l.Advice = errorAdvice(e.FirstError)
	}
	if e.Missing > 0 {
		why = append(why, fmt.Sprintf("%d of %d clients without a connection", e.Missing, max(e.Missing, e.Clients)))
		if l.Advice == "" {
			l.Advice = "use fewer clients, or raise the server's maxclients and the limit of open files (ulimit -n)"
		}
	}
	l.Evidence = strings.Join(why, "; ")
	return l, len(why) > 0
}

// errorAdvice is what to do about the most frequent kinds.
func errorAdvice(text string) string {
	switch code, _, _ := strings.Cut(strings.TrimPrefix(text, "-"), " "); code {
	case "OOM":
		return "raise maxmemory, let a policy evict, or use fewer or smaller keys"
	case "LOADING":
		return "wait until the server has loaded its data"
	case "READONLY":
		return "send writes to the master"
	case "MISCONF":
		return "make the server's directory writable, or turn its snapshots off"
	case "MOVED", "ASK", "CLUSTERDOWN":
		return "let the load follow the cluster (--cluster), or wait until it is whole"
	}
	return "see to the errors first: what fails is not measured"
}

// line is the beginning of a text that fits into a sentence.
func line(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text = strings.TrimSpace(text)
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:57]) + "..."
	}
	return text
}

func (e Evidence) byHost() (Limiter, bool) {
	h, l := e.Host.Value, Limiter{Name: ByHost}
	var why []string
	press := max(h.Pressure.Value, h.Group.Value)
	if press > pressed && !e.ownPressure() {
		why = append(why, "tasks waited for a processor "+percent(press)+" of the time")
		l.Advice = e.crowdAdvice()
	} else if !h.Pressure.Known && h.Waited.Value > pressed {
		// A kernel that tells no pressure tells of the server's thread at least.
		why = append(why, "the server waited for a processor "+percent(h.Waited.Value)+" of the time")
		l.Advice = e.crowdAdvice()
	}
	if h.Steal.Value > stolen {
		why = append(why, "the hypervisor gave "+percent(h.Steal.Value)+" of the processors' time to others")
		l.Advice = "use a machine whose processors are not shared"
	}
	if t := h.Throttle.Value; t.Times > 0 {
		why = append(why, fmt.Sprintf("the cgroup's CPU quota held this process back %s times, for %s", amount(float64(t.Times)), brief(t.Time)))
		l.Advice = "raise the CPU quota of the container or cgroup, or lower --threads"
	}
	if len(why) == 0 {
		return l, false
	}
	l.Evidence = strings.Join(why, ", ") + e.aside()
	return l, true
}

// ownPressure says that nobody else makes the pressure and that it holds nobody up: an
// end that had nearly all the CPU time it can use did not wait for it. A client that
// fills its machine is the limit itself.
func (e Evidence) ownPressure() bool {
	others, ok := e.Host.Value.Others(e.localServer())
	if !ok || others >= crowd {
		return false
	}
	client, known := e.Host.Value.Client()
	d := e.Server.Value
	return known && client.Share >= clientFull ||
		d.Elapsed > 0 && !d.Whole && float64(d.Main) >= serverFull*float64(d.Elapsed)
}

// localServer is the CPU time of a server on this machine, as far as it is known.
func (e Evidence) localServer() time.Duration {
	if !e.Local {
		return 0
	}
	if cpu := e.Server.Value.Counters[ProcessCPU]; cpu.Known {
		return time.Duration(cpu.Value)
	}
	return time.Duration(e.Host.Value.Ran.Value * float64(e.Host.Value.Elapsed))
}

// aside says how busy both ends were while they had to wait: low figures are no sign
// of latency then (M26).
func (e Evidence) aside() string {
	client, one := e.Host.Value.Client()
	server, two := e.load()
	switch {
	case one && two && client.Share < clientFull && server.Share < serverFull:
		return fmt.Sprintf("; %s and %s because they wait, not latency-bound", client.Words, server.Words)
	case one && two:
		return fmt.Sprintf("; %s, %s", client.Words, server.Words)
	case one:
		return "; " + client.Words
	}
	return ""
}

// crowdAdvice depends on who else uses the processors.
func (e Evidence) crowdAdvice() string {
	others, ok := e.Host.Value.Others(e.localServer())
	switch {
	case ok && others < crowd && e.Local:
		return "client and server fill this machine: run the client on another host"
	case ok && others >= crowd:
		return "stop what else runs here (" + percent(others) + " of the processors), or measure on an idle machine"
	}
	return "stop what else runs here, or measure on an idle machine"
}

// load is the server's, when it tells.
func (e Evidence) load() (Load, bool) {
	if !e.Server.Known {
		return Load{}, false
	}
	return e.Server.Value.Load()
}

func (e Evidence) byClient() (Limiter, bool) {
	h := e.Host.Value
	client, ok := h.Client()
	if !ok || client.Share < clientFull {
		return Limiter{}, false
	}
	l := Limiter{Name: ByClient, Evidence: client.Words, Advice: "add clients on another host"}
	if server, ok := e.load(); ok {
		l.Evidence += ", " + server.Words
	}
	if h.Sched.Value >= time.Millisecond {
		l.Evidence += ", its goroutines waited up to " + brief(h.Sched.Value) + " to run (p99)"
	}
	switch q := h.Quota; {
	case q.By() == "cgroup":
		l.Advice = "raise the CPU quota of the client's container, or add clients on another host"
	case q.By() == "GOMAXPROCS" && (!q.Allowed.Known || q.Allowed.Value > q.Procs):
		l.Advice = "raise --threads, or add clients on another host"
	}
	return l, true
}

func (e Evidence) byServer() (Limiter, bool) {
	d := e.Server.Value
	if swapping, _ := d.Swapping(); swapping {
		return Limiter{
			Name: ByServer,
			Evidence: fmt.Sprintf("swapping: the server uses %sB of memory, %sB are resident",
				amount(float64(d.Is.Used.Value)), amount(float64(d.Is.RSS.Value))),
			Advice: "give the server more memory, or use fewer or smaller keys",
		}, true
	}
	server, ok := e.load()
	if !ok || server.Share < serverFull {
		return Limiter{}, false
	}
	l := Limiter{Name: ByServer, Evidence: server.Words, Advice: "use io-threads, sharding or fewer bytes"}
	part, known := d.Executing()
	if known {
		l.Evidence += ", " + percent(part) + " of it executing commands"
	}
	switch {
	case d.Server.Threads.Value > 1:
		l.Advice = "give the server more threads, or shard"
	case known && part >= minor:
		l.Advice = "use cheaper commands, or shard: io-threads do not execute them"
	case e.Pipeline == 1:
		l.Advice = "use io-threads or sharding, or a pipeline, which costs the server less for each command"
	}
	return l, true
}

func (e Evidence) byNetwork() (Limiter, bool) {
	if !e.Link.Known || e.Link.Value <= 0 || e.Elapsed <= 0 {
		return Limiter{}, false
	}
	bytes, way := e.In, "received"
	if e.Out > e.In {
		bytes, way = e.Out, "sent"
	}
	speed := float64(bytes) / e.Elapsed.Seconds()
	if speed < networkFull*e.Link.Value {
		return Limiter{}, false
	}
	where := ""
	if e.Interface != "" {
		where = " of " + e.Interface
	}
	return Limiter{
		Name:     ByNetwork,
		Evidence: fmt.Sprintf("%s %s, %s of the %s%s", bits(speed), way, percent(speed/e.Link.Value), bits(e.Link.Value), where),
		Advice:   "use smaller values, a faster link, or clients on several hosts",
	}, true
}

// bits is a speed given in bytes: "940 Mbit/s".
func bits(bytes float64) string {
	s := amount(8 * bytes)
	if !strings.Contains(s, " ") {
		s += " "
	}
	return s + "bit/s"
}

// byInFlight needs a known round trip: in a closed loop clients x pipeline over the
// latency is the rate whatever the cause, so low figures alone prove nothing. A disk
// that is waited for looks the same.
func (e Evidence) byInFlight() (Limiter, bool) {
	if !e.RoundTrip.Known || e.RoundTrip.Value <= 0 || e.Latency <= 0 || e.met() ||
		float64(e.Latency) > aboutRTT*float64(e.RoundTrip.Value) {
		return Limiter{}, false
	}
	clients, depth := max(1, e.Clients), max(1, e.Pipeline)
	most := float64(clients) * float64(depth) / e.Latency.Seconds()
	trip := ""
	if e.Simulated > 0 {
		trip = ", " + brief(e.Simulated) + " of it simulated"
	}
	return Limiter{
		Name: ByInFlight,
		Evidence: fmt.Sprintf("%d x %d in flight over %s can give at most %s (round trip %s%s)",
			clients, depth, brief(e.Latency), perSecond(most), brief(e.RoundTrip.Value), trip),
		Advice: "raise pipeline or clients",
	}, true
}

// met says that the load is paced and keeps up.
func (e Evidence) met() bool { return e.Paced > 0 && e.rate() >= paceMet*e.Paced }

// unknown lists what was looked at, and what was not told.
func (e Evidence) unknown() Limiter {
	l := Limiter{Name: ByUnknown}
	if e.Replies <= 0 {
		l.Evidence, l.Advice = "no answers came", "see whether the server is stopped or cannot be reached"
		return l
	}
	if e.met() {
		l.Evidence = fmt.Sprintf("nothing is at its limit: %s asked for, %s done", perSecond(e.Paced), perSecond(e.rate()))
		l.Advice = "raise the rate to find the limit"
		return l
	}
	var seen, untold []string
	if client, ok := e.Host.Value.Client(); ok {
		seen = append(seen, client.Words)
	} else {
		untold = append(untold, "the client's CPU")
	}
	if server, ok := e.load(); ok {
		seen = append(seen, server.Words)
		l.Advice = "watch for some more seconds, or try twice the --threads"
	} else {
		untold = append(untold, "the server's load")
		l.Advice = "allow INFO to this user, or try twice the --threads"
	}
	switch {
	case e.RoundTrip.Known && e.Latency > 0:
		seen = append(seen, fmt.Sprintf("latency %s over a round trip of %s", brief(e.Latency), brief(e.RoundTrip.Value)))
	case e.Latency > 0:
		untold = append(untold, "the round trip")
	}
	if len(seen) > 0 {
		l.Evidence = "nothing is at its limit: " + strings.Join(seen, ", ")
	}
	if len(untold) > 0 {
		l.Evidence = strings.TrimPrefix(l.Evidence+"; not known: "+strings.Join(untold, ", "), "; ")
	}
	return l
}
