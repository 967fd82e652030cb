package report

import (
	"fullbore/loadgen"
	"fullbore/loadgen/insight"
)

// jsonLimiter is what held a load back, with the numbers that decided it (M26).
type jsonLimiter struct {
	Name     string `json:"name"` // "errors", "contended-host", "client", "server", "network", "in-flight" or "unknown"
	Evidence string `json:"evidence"`
	Advice   string `json:"advice"`
}

// newJSONLimiter is nil (null) where nobody looked.
func newJSONLimiter(l insight.Limiter) *jsonLimiter {
	if l.Name == "" {
		return nil
	}
	return &jsonLimiter{l.Name, l.Evidence, l.Advice}
}

// jsonMachine is where the load ran (R9). What is not told is left out.
type jsonMachine struct {
	CPU       string `json:"cpu,omitempty"`
	Cores     int    `json:"cores,omitempty"`
	Memory    int64  `json:"memory_bytes,omitempty"`
	Kernel    string `json:"kernel,omitempty"`
	Arch      string `json:"arch,omitempty"`
	Container string `json:"container,omitempty"`
	Virtual   string `json:"virtual,omitempty"`
}

func newJSONMachine(m insight.Machine) *jsonMachine {
	if m == (insight.Machine{}) {
		return nil
	}
	return &jsonMachine{m.CPU, m.Cores, m.Memory, m.Kernel, m.Arch, m.Container, m.Virtual}
}

// jsonClient is what the load was made with.
type jsonClient struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	Threads int    `json:"gomaxprocs,omitempty"`
}

func newJSONClient(h Header) *jsonClient {
	if h.Go == "" {
		return nil
	}
	return &jsonClient{h.Version, h.Go, h.Threads}
}

// jsonServerFacts is what a server told of itself while it was under load (R9).
type jsonServerFacts struct {
	Kind       string   `json:"kind"`
	Version    string   `json:"version"`
	Redis      string   `json:"redis_version,omitempty"` // that it says to be compatible with
	Mode       string   `json:"mode,omitempty"`
	OS         string   `json:"os,omitempty"`
	Build      string   `json:"build,omitempty"`
	Allocator  string   `json:"allocator,omitempty"`
	Role       string   `json:"role,omitempty"`
	Threads    *int64   `json:"threads,omitempty"` // that execute commands
	IOThreads  *int64   `json:"io_threads,omitempty"`
	Replicas   *int64   `json:"replicas,omitempty"`
	MaxMemory  *int64   `json:"maxmemory_bytes,omitempty"` // 0 = no limit
	Policy     string   `json:"maxmemory_policy,omitempty"`
	Appendonly *bool    `json:"appendonly,omitempty"`
	Keys       *int64   `json:"keys,omitempty"`
	Used       *int64   `json:"used_memory_bytes,omitempty"`
	Busy       *float64 `json:"busy"`      // share of what its main thread can do
	Executing  *float64 `json:"executing"` // share of its busy time in which commands ran
	PerCommand *float64 `json:"main_us_per_command"`
	PerRead    *float64 `json:"commands_per_read"` // about P; 1 where pipelining never arrives (M27)
	Hits       *float64 `json:"hit_rate"`
}

// newJSONServerFacts is nil where the server told nothing.
func newJSONServerFacts(s insight.Server, is insight.State, d insight.Delta) *jsonServerFacts {
	if s == (insight.Server{}) {
		return nil
	}
	main, told := d.PerCommand()
	load, busy := d.Load()
	return &jsonServerFacts{
		Kind: s.Kind, Version: s.Version, Redis: s.Redis, Mode: s.Mode, OS: s.OS, Build: s.Build, Allocator: s.Allocator,
		Role: is.Role, Threads: figure(s.Threads), IOThreads: figure(s.IOThreads), Replicas: figure(is.Replicas),
		MaxMemory: figure(is.MaxMemory), Policy: is.Policy, Appendonly: figure(is.Appending),
		Keys: figure(is.Keys), Used: figure(is.Used), Busy: maybe(load.Share, busy), Executing: maybe(d.Executing()),
		PerCommand: maybe(inMicros(main, told)), PerRead: maybe(d.Pipelined()), Hits: maybe(d.HitRate()),
	}
}

// figure is nil where t was not told.
func figure[T any](t insight.Told[T]) *T {
	if !t.Known {
		return nil
	}
	return &t.Value
}

// insightOf is the server's part of a result.
func insightOf(r loadgen.Result) *jsonServerFacts {
	if r.Insight == nil {
		return nil
	}
	in := r.Insight
	return newJSONServerFacts(in.Reading.Server, in.Reading.State, in.Since)
}

// clientBusy is the share of what this process may use that it used.
func clientBusy(r loadgen.Result) *float64 {
	if r.Insight == nil {
		return nil
	}
	load, ok := r.Insight.HostAll.Client()
	return maybe(load.Share, ok)
}

// limitLines tell what held a result back, and what else is to be known of the server.
func limitLines(r loadgen.Result) []string {
	var out []string
	if r.Limiter.Name != "" {
		out = append(out, "limited by: "+limiterWords(r.Limiter))
	}
	if r.Insight == nil {
		return out
	}
	for _, text := range r.Insight.Notes {
		out = append(out, "server: "+clean(text))
	}
	if text, ok := r.Insight.Since.ExecutingNote(); ok {
		out = append(out, "server: "+clean(text))
	}
	if text := r.Insight.Silent; text != "" {
		out = append(out, "server: it does not tell how it fares: "+clean(text))
	}
	return out
}

// limiterWords is a limiter in a line: "server (server main thread 97 % of a core):
// io-threads, sharding or fewer bytes".
func limiterWords(l insight.Limiter) string {
	text := l.Name
	if l.Evidence != "" {
		text += " (" + l.Evidence + ")"
	}
	if l.Advice != "" {
		text += ": " + l.Advice
	}
	return clean(text)
}

// limits are what held back each arm in each case.
func (c contrast) limits() section {
	s := section{head: "limited by"}
	for _, o := range c.s.Results {
		for _, a := range c.arms {
			if l := a.measured(o).Limiter; l.Name != "" {
				s.lines = append(s.lines, c.title(o)+", "+a.letter+": "+c.told(limiterWords(l)))
			}
		}
	}
	return s
}
