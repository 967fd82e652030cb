package insight_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/insight"
)

// running is a second of a load that nothing holds up: 50 clients, a client at 0.6 of
// two processors of eight, a server at half of its thread.
func running() insight.Evidence {
	server := insight.Delta{
		Elapsed: time.Second, Commands: 100_000, Main: 500 * ms, Server: insight.Server{Kind: "redis"},
		Calls: map[string]insight.Call{"get": {Calls: 100_000, Time: 20 * ms}},
	}
	server.Counters[insight.ProcessCPU] = insight.Tell(int64(510 * ms))
	return insight.Evidence{
		Elapsed: time.Second, Replies: 100_000, Clients: 50, Pipeline: 1, Latency: 500 * us,
		RoundTrip: insight.Tell(40 * us), In: 500_000, Out: 4_000_000,
		Host: insight.Tell(insight.HostDelta{
			Elapsed: time.Second, CPUs: 8, CPU: insight.Tell(600 * ms), Quota: insight.Quota{Procs: 2, Allowed: insight.Tell(8)},
			Busy: insight.Tell(0.14), Steal: insight.Tell(0.0), Pressure: insight.Tell(0.03), Group: insight.Tell(0.01),
			Throttle: insight.Tell(insight.Throttle{}),
		}),
		Server: insight.Tell(server),
	}
}

// changed is running with something else.
func changed(f func(e *insight.Evidence)) insight.Evidence {
	e := running()
	f(&e)
	return e
}

// TestConstructedTruths: one evidence for each thing that can be the limit, as it is
// when it is made so on purpose.
func TestConstructedTruths(t *testing.T) {
	for _, c := range []struct {
		name string
		e    insight.Evidence
		want insight.Limiter
	}{
		{"one client thread, values of 16 KB", changed(func(e *insight.Evidence) {
			e.Host.Value.CPU, e.Host.Value.Quota.Procs, e.Host.Value.Sched = insight.Tell(970*ms), 1, insight.Tell(3*ms)
		}), insight.Limiter{Name: insight.ByClient,
			Evidence: "client 97 % of 1 core (GOMAXPROCS), server main thread 50 % of a core, its goroutines waited up to 3 ms to run (p99)",
			Advice:   "raise --threads, or add clients on another host"}},
		{"all processors are the client's", changed(func(e *insight.Evidence) {
			e.Host.Value.CPU, e.Host.Value.Quota.Procs, e.Server = insight.Tell(7400*ms), 8, insight.Told[insight.Delta]{}
		}), insight.Limiter{Name: insight.ByClient, Evidence: "client 92 % of 8 cores (affinity)", Advice: "add clients on another host"}},
		{"client in a container, not held back yet", changed(func(e *insight.Evidence) {
			e.Host.Value.Quota.Group, e.Host.Value.CPU = insight.Tell(0.5), insight.Tell(450*ms)
		}), insight.Limiter{Name: insight.ByClient, Evidence: "client 90 % of 0.5 cores (cgroup), server main thread 50 % of a core",
			Advice: "raise the CPU quota of the client's container, or add clients on another host"}},
		{"EVAL loop", changed(func(e *insight.Evidence) {
			e.Server.Value.Main, e.Server.Value.Calls = 980*ms, map[string]insight.Call{"eval": {Calls: 400, Time: 970 * ms}}
			e.Latency = 100 * ms
		}), insight.Limiter{Name: insight.ByServer, Evidence: "server main thread 98 % of a core, 99 % of it executing commands",
			Advice: "use cheaper commands, or shard: io-threads do not execute them"}},
		{"server at P=1", changed(func(e *insight.Evidence) { e.Server.Value.Main = 970 * ms }),
			insight.Limiter{Name: insight.ByServer, Evidence: "server main thread 97 % of a core, 2.1 % of it executing commands",
				Advice: "use io-threads or sharding, or a pipeline, which costs the server less for each command"}},
		{"server at P=16", changed(func(e *insight.Evidence) { e.Server.Value.Main, e.Pipeline = 970*ms, 16 }),
			insight.Limiter{Name: insight.ByServer, Evidence: "server main thread 97 % of a core, 2.1 % of it executing commands",
				Advice: "use io-threads, sharding or fewer bytes"}},
		{"server of four threads", changed(func(e *insight.Evidence) {
			e.Server.Value.Main, e.Server.Value.Whole, e.Server.Value.Server.Threads = 3700*ms, true, insight.Tell[int64](4)
		}), insight.Limiter{Name: insight.ByServer, Evidence: "4 server threads 92 % of 4 cores", Advice: "give the server more threads, or shard"}},
		{"a server that waits for its disk", changed(func(e *insight.Evidence) {
			e.Server.Value.Main = 100 * ms
			e.Server.Value.Counters[insight.LoopTime], e.Server.Value.Counters[insight.CommandTime] = insight.Tell(int64(960*ms)), insight.Tell(int64(10*ms))
		}), insight.Limiter{Name: insight.ByServer, Evidence: "server event loop busy 96 % of the time, 1 % of it executing commands",
			Advice: "use io-threads or sharding, or a pipeline, which costs the server less for each command"}},
		{"a server that swaps", changed(func(e *insight.Evidence) {
			e.Server.Value.Is = insight.State{Used: insight.Tell[int64](2_147_000_000), RSS: insight.Tell[int64](1_288_000_000)}
			e.Server.Value.Was = e.Server.Value.Is
		}), insight.Limiter{Name: insight.ByServer, Evidence: "swapping: the server uses 2.15 GB of memory, 1.29 GB are resident",
			Advice: "give the server more memory, or use fewer or smaller keys"}},
		{"all processors busy with something else", changed(func(e *insight.Evidence) {
			e.Host.Value.Pressure, e.Host.Value.Busy = insight.Tell(0.92), insight.Tell(1.0)
			e.RoundTrip = insight.Tell(490 * us)
		}), insight.Limiter{Name: insight.ByHost,
			Evidence: "tasks waited for a processor 92 % of the time; client 30 % of 2 cores (GOMAXPROCS) and server main thread 50 % of a core because they wait, not latency-bound",
			Advice:   "stop what else runs here (92 % of the processors), or measure on an idle machine"}},
		{"client and server fill a small machine", changed(func(e *insight.Evidence) {
			e.Local, e.Host.Value.CPUs, e.Host.Value.CPU, e.Server.Value.Main = true, 2, insight.Tell(1200*ms), 700*ms
			e.Server.Value.Counters[insight.ProcessCPU] = insight.Tell(int64(710 * ms))
			e.Host.Value.Pressure, e.Host.Value.Busy = insight.Tell(0.6), insight.Tell(0.99)
		}), insight.Limiter{Name: insight.ByHost,
			Evidence: "tasks waited for a processor 60 % of the time; client 60 % of 2 cores (GOMAXPROCS) and server main thread 70 % of a core because they wait, not latency-bound",
			Advice:   "client and server fill this machine: run the client on another host"}},
		{"a client held back by its quota", changed(func(e *insight.Evidence) {
			e.Host.Value.Quota.Group, e.Host.Value.CPU = insight.Tell(0.5), insight.Tell(490*ms)
			e.Host.Value.Throttle = insight.Tell(insight.Throttle{Times: 9, Time: 640 * ms})
		}), insight.Limiter{Name: insight.ByHost,
			Evidence: "the cgroup's CPU quota held this process back 9 times, for 640 ms; client 98 % of 0.5 cores (cgroup), server main thread 50 % of a core",
			Advice:   "raise the CPU quota of the container or cgroup, or lower --threads"}},
		{"a stolen processor", changed(func(e *insight.Evidence) {
			e.Host.Value.Steal, e.Server = insight.Tell(0.031), insight.Told[insight.Delta]{}
		}),
			insight.Limiter{Name: insight.ByHost,
				Evidence: "the hypervisor gave 3.1 % of the processors' time to others; client 30 % of 2 cores (GOMAXPROCS)",
				Advice:   "use a machine whose processors are not shared"}},
		{"-c 1 --rtt 1ms", changed(func(e *insight.Evidence) {
			e.Clients, e.Latency, e.RoundTrip, e.Simulated, e.Replies = 1, 1060*us, insight.Tell(1040*us), time.Millisecond, 943
			e.Host.Value.CPU, e.Server.Value.Main = insight.Tell(20*ms), 9*ms
		}), insight.Limiter{Name: insight.ByInFlight,
			Evidence: "1 x 1 in flight over 1.06 ms can give at most 943/s (round trip 1.04 ms, 1 ms of it simulated)", Advice: "raise pipeline or clients"}},
		{"50 clients over a real round trip", changed(func(e *insight.Evidence) {
			e.Latency, e.RoundTrip, e.Server = 350*us, insight.Tell(330*us), insight.Told[insight.Delta]{}
		}),
			insight.Limiter{Name: insight.ByInFlight,
				Evidence: "50 x 1 in flight over 0.35 ms can give at most 143 k/s (round trip 0.33 ms)", Advice: "raise pipeline or clients"}},
		{"a link of 1 Gbit/s", changed(func(e *insight.Evidence) {
			e.Link, e.Interface, e.In = insight.Tell(125e6), "eth0", 117_500_000
		}), insight.Limiter{Name: insight.ByNetwork, Evidence: "940 Mbit/s received, 94 % of the 1 Gbit/s of eth0",
			Advice: "use smaller values, a faster link, or clients on several hosts"}},
		{"a link that is filled by writing", changed(func(e *insight.Evidence) { e.Link, e.Out = insight.Tell(125e6), 117_500_000 }),
			insight.Limiter{Name: insight.ByNetwork, Evidence: "940 Mbit/s sent, 94 % of the 1 Gbit/s",
				Advice: "use smaller values, a faster link, or clients on several hosts"}},
		{"a full server", changed(func(e *insight.Evidence) {
			e.Errors, e.FirstError = 12_500, "OOM command not allowed when used memory > 'maxmemory'.\r\nmore"
		}), insight.Limiter{Name: insight.ByErrors,
			Evidence: "11 % of 112 k answers were errors: OOM command not allowed when used memory > 'maxmemory'.",
			Advice:   "raise maxmemory, let a policy evict, or use fewer or smaller keys"}},
		{"too many clients", changed(func(e *insight.Evidence) { e.Missing = 40 }),
			insight.Limiter{Name: insight.ByErrors, Evidence: "40 of 50 clients without a connection",
				Advice: "use fewer clients, or raise the server's maxclients and the limit of open files (ulimit -n)"}},
	} {
		if got := insight.Decide(c.e); got != c.want {
			t.Errorf("%s:\n%+v, want\n%+v", c.name, got, c.want)
		}
	}
}

func TestUnknownLimits(t *testing.T) {
	for _, c := range []struct {
		name           string
		e              insight.Evidence
		evidence, does string
	}{
		{"nothing at its limit", running(),
			"nothing is at its limit: client 30 % of 2 cores (GOMAXPROCS), server main thread 50 % of a core, latency 0.5 ms over a round trip of 40 us",
			"watch for some more seconds, or try twice the --threads"},
		{"INFO refused", changed(func(e *insight.Evidence) {
			e.Server, e.RoundTrip = insight.Told[insight.Delta]{}, insight.Told[time.Duration]{}
		}),
			"nothing is at its limit: client 30 % of 2 cores (GOMAXPROCS); not known: the server's load, the round trip",
			"allow INFO to this user, or try twice the --threads"},
		{"nothing known", insight.Evidence{Elapsed: time.Second, Replies: 5},
			"not known: the client's CPU, the server's load", "allow INFO to this user, or try twice the --threads"},
		{"no answers", changed(func(e *insight.Evidence) { e.Replies = 0 }),
			"no answers came", "see whether the server is stopped or cannot be reached"},
		{"nothing at all", insight.Evidence{}, "no answers came", "see whether the server is stopped or cannot be reached"},
		{"paced, and it keeps up", changed(func(e *insight.Evidence) { e.Paced, e.RoundTrip = 101_000, insight.Tell(490*us) }),
			"nothing is at its limit: 101 k/s asked for, 100 k/s done", "raise the rate to find the limit"},
		{"a disk looks like a round trip", changed(func(e *insight.Evidence) { e.Latency = 20 * ms }),
			"nothing is at its limit: client 30 % of 2 cores (GOMAXPROCS), server main thread 50 % of a core, latency 20 ms over a round trip of 40 us",
			"watch for some more seconds, or try twice the --threads"},
	} {
		if got := insight.Decide(c.e); got != (insight.Limiter{Name: insight.ByUnknown, Evidence: c.evidence, Advice: c.does}) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestOrder: where all is true at once, what comes first in M26 is named, and the next
// when that is mended.
func TestOrder(t *testing.T) {
	e := changed(func(e *insight.Evidence) {
		e.Errors = 50_000
		e.Host.Value.Steal, e.Host.Value.CPU = insight.Tell(0.5), insight.Tell(1900*ms)
		e.Server.Value.Main = 990 * ms
		e.Link, e.In = insight.Tell(125e6), 124_000_000
		e.RoundTrip = insight.Tell(500 * us)
	})
	var got []string
	for _, mend := range []func(){
		func() { e.Errors = 0 },
		func() { e.Host.Value.Steal = insight.Tell(0.01) },
		func() { e.Host.Value.CPU = insight.Tell(300 * ms) },
		func() { e.Server.Value.Main = 300 * ms },
		func() { e.Link = insight.Told[float64]{} },
		func() { e.RoundTrip = insight.Tell(50 * us) },
		func() {},
	} {
		got = append(got, insight.Decide(e).Name)
		mend()
	}
	if want := strings.Fields("errors contended-host client server network in-flight unknown"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestThresholds: just below and at what M26 says.
func TestThresholds(t *testing.T) {
	for _, c := range []struct {
		name      string
		set       func(e *insight.Evidence, v float64)
		below, at float64
		otherwise string
		want      string
	}{
		{"errors", func(e *insight.Evidence, v float64) { e.Errors = int64(v) }, 1000, 1011, insight.ByUnknown, insight.ByErrors},
		{"pressure", func(e *insight.Evidence, v float64) { e.Host.Value.Pressure = insight.Tell(v) }, 0.2, 0.201, insight.ByUnknown, insight.ByHost},
		{"pressure of the group", func(e *insight.Evidence, v float64) { e.Host.Value.Group = insight.Tell(v) }, 0.2, 0.201, insight.ByUnknown, insight.ByHost},
		{"steal", func(e *insight.Evidence, v float64) { e.Host.Value.Steal = insight.Tell(v) }, 0.02, 0.021, insight.ByUnknown, insight.ByHost},
		{"client", func(e *insight.Evidence, v float64) { e.Host.Value.CPU = insight.Tell(time.Duration(2e9 * v)) }, 0.84, 0.85, insight.ByUnknown, insight.ByClient},
		{"server", func(e *insight.Evidence, v float64) { e.Server.Value.Main = time.Duration(1e9 * v) }, 0.89, 0.9, insight.ByUnknown, insight.ByServer},
		{"network", func(e *insight.Evidence, v float64) { e.Link, e.In = insight.Tell(1e9), int64(1e9*v) }, 0.89, 0.9, insight.ByUnknown, insight.ByNetwork},
		{"latency", func(e *insight.Evidence, v float64) { e.Latency = time.Duration(40_000 * v) }, 1.51, 1.5, insight.ByUnknown, insight.ByInFlight},
		{"paced in vain", func(e *insight.Evidence, v float64) { e.Latency, e.Paced = 45*us, v }, 100_000, 103_000, insight.ByUnknown, insight.ByInFlight},
		{"the server waits, no pressure told", func(e *insight.Evidence, v float64) {
			e.Host.Value.Pressure, e.Host.Value.Group, e.Host.Value.Waited = insight.Told[float64]{}, insight.Told[float64]{}, insight.Tell(v)
		}, 0.2, 0.21, insight.ByUnknown, insight.ByHost},
		// Pressure that both ends make alone holds up neither that is at its limit.
		{"a client that makes the pressure", func(e *insight.Evidence, v float64) {
			e.Host.Value.Pressure, e.Host.Value.CPU, e.Host.Value.Busy = insight.Tell(0.5), insight.Tell(1900*ms), insight.Tell(v)
		}, 0.34, 0.33, insight.ByHost, insight.ByClient},
		{"a server that makes the pressure", func(e *insight.Evidence, v float64) {
			e.Host.Value.Pressure, e.Local, e.Server.Value.Main = insight.Tell(0.5), true, 950*ms
			e.Server.Value.Counters[insight.ProcessCPU] = insight.Told[int64]{}
			e.Host.Value.Ran, e.Host.Value.Busy = insight.Tell(0.95), insight.Tell(v)
		}, 0.3, 0.29, insight.ByHost, insight.ByServer},
	} {
		below, at := running(), running()
		c.set(&below, c.below)
		c.set(&at, c.at)
		if got := insight.Decide(below).Name; got != c.otherwise {
			t.Errorf("%s at %v: %s, want %s", c.name, c.below, got, c.otherwise)
		}
		if got := insight.Decide(at).Name; got != c.want {
			t.Errorf("%s at %v: %s, want %s", c.name, c.at, got, c.want)
		}
	}
}

func TestErrorAdviceAndTitles(t *testing.T) {
	for text, want := range map[string]string{
		"LOADING Redis is loading the dataset in memory":    "wait until the server has loaded its data",
		"READONLY You can't write against a read only repl": "send writes to the master",
		"-MISCONF Redis is configured to save RDB":          "make the server's directory writable, or turn its snapshots off",
		"MOVED 866 10.0.0.8:6379":                           "let the load follow the cluster (--cluster), or wait until it is whole",
		"WRONGTYPE Operation":                               "see to the errors first: what fails is not measured",
		"":                                                  "see to the errors first: what fails is not measured",
	} {
		l := insight.Decide(changed(func(e *insight.Evidence) { e.Errors, e.FirstError = 5000, text }))
		if l.Name != insight.ByErrors || l.Advice != want {
			t.Errorf("%q: %+v", text, l)
		}
	}
	long := insight.Decide(changed(func(e *insight.Evidence) { e.Errors, e.FirstError = 1<<40, "ERR "+strings.Repeat("µ", 200) }))
	if !strings.HasSuffix(long.Evidence, "µ...") || len([]rune(long.Evidence)) > 110 {
		t.Errorf("%q", long.Evidence)
	}
	for name, want := range map[string]string{
		insight.ByErrors: "held up by errors", insight.ByHost: "contended host", insight.ByClient: "client-bound", insight.ByServer: "server-bound",
		insight.ByNetwork: "network-bound", insight.ByInFlight: "latency-bound", insight.ByUnknown: "limit unknown", "": "limit unknown",
	} {
		if got := (insight.Limiter{Name: name}).Title(); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestSteady(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"the first at once", "c", "c"},
		{"one second of something else", "ccccsccc", "cccccccc"},
		{"about a threshold", "susussususu", "sssssssssss"},
		{"a change that holds", "ccccccsssss", "cccccccccss"},
		{"a change early on", "cssss", "cccss"},
		{"errors at once", "ccccce", "ccccce"},
		{"errors that end", "eecccc", "eeeeec"},
		{"three in turn", "uuuuscscscs", "uuuuuuuusss"},
	} {
		var s insight.Steady
		var got strings.Builder
		at := time.Unix(0, 0)
		for i, name := range c.in {
			l := insight.Limiter{Name: string(name)}
			if name == 'e' {
				l.Name = insight.ByErrors
			}
			s = s.Next(at.Add(time.Duration(i)*time.Second), l)
			got.WriteString(s.Shown().Name[:1])
		}
		if got.String() != c.want {
			t.Errorf("%s: %s shown of %s, want %s", c.name, got.String(), c.in, c.want)
		}
	}
}

// TestSteadyNumbers: what is shown has the latest numbers, values are not shared, and
// after a gap the past has no say.
func TestSteadyNumbers(t *testing.T) {
	at := time.Unix(0, 0)
	one := insight.Steady{}.Next(at, insight.Limiter{Name: "client", Evidence: "90 %"})
	two := one.Next(at.Add(time.Second), insight.Limiter{Name: "client", Evidence: "95 %"})
	other := one.Next(at.Add(time.Second), insight.Limiter{Name: "server"})
	if one.Shown().Evidence != "90 %" || two.Shown().Evidence != "95 %" || other.Shown().Evidence != "90 %" {
		t.Errorf("%+v %+v %+v", one.Shown(), two.Shown(), other.Shown())
	}
	if got := two.Next(at.Add(time.Minute), insight.Limiter{Name: "server"}).Shown().Name; got != "server" {
		t.Errorf("after a minute: %s", got)
	}
	if (insight.Steady{}).Shown() != (insight.Limiter{}) {
		t.Error("shown before anything was decided")
	}
}
