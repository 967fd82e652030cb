package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen"
	"fullbore/loadgen/experiment/paired"
	"fullbore/loadgen/insight"
	"fullbore/loadgen/report"
)

// seen is a result with what was seen of server and machine.
func seen(t *testing.T) loadgen.Result {
	t.Helper()
	r := clean(t)
	r.Limiter = insight.Limiter{Name: insight.ByServer, Evidence: "server main thread 97 % of a core", Advice: "io-threads, sharding or fewer bytes"}
	r.Limiters = []insight.Limiter{r.Limiter}
	in := &loadgen.Insight{Notes: []string{"someone else is using this server: 12 % of its commands are not ours"}}
	in.Reading.Server = insight.Server{Kind: "valkey", Version: "8.0.1", Redis: "7.2.4", Build: "abc", IOThreads: insight.Tell(int64(4))}
	in.Reading.State = insight.State{MaxMemory: insight.Tell(int64(0)), Policy: "noeviction", Appending: insight.Tell(false)}
	in.Since = insight.Delta{Commands: 1000, Main: time.Millisecond, Elapsed: 2 * time.Millisecond}
	in.HostAll = insight.HostDelta{Elapsed: time.Second, Quota: insight.Quota{Procs: 2}, CPU: insight.Tell(time.Second)}
	r.Insight = in
	return r
}

func printed(t *testing.T, format string, h report.Header, r loadgen.Result) string {
	t.Helper()
	var b bytes.Buffer
	p, err := report.New(format, &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{p.Begin(h), p.Test(report.Entry{Test: "SET", Result: r}), p.End()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// TestLimiterInWords: one line says what held the load back.
func TestLimiterInWords(t *testing.T) {
	const line = "limited by: server (server main thread 97 % of a core): io-threads, sharding or fewer bytes"
	r := seen(t)
	for _, format := range []string{"text", "markdown"} {
		if got := printed(t, format, header(), r); strings.Count(got, line) != 1 {
			t.Errorf("%s: no line %q in\n%s", format, line, got)
		}
	}
	if got := printed(t, "text", header(), r); !strings.Contains(got, "  server: someone else is using this server: 12 %") {
		t.Errorf("no note of the server in\n%s", got)
	}
	r.Insight.Silent = "NOPERM this user\x1b[31m"
	if got := printed(t, "text", header(), r); !strings.Contains(got, "it does not tell how it fares: NOPERM this user") || strings.Contains(got, "\x1b") {
		t.Errorf("a server that does not tell:\n%s", got)
	}
	var b bytes.Buffer
	if err := report.Summary(&b, header(), r); err != nil || !strings.Contains(strings.Join(strings.Fields(b.String()), " "), line) {
		t.Errorf("summary, %v:\n%s", err, b.String())
	}
}

// TestLimiterInJSON: the limiter and its numbers, where they come from, and what was
// measured with what (R9).
func TestLimiterInJSON(t *testing.T) {
	h := header()
	h.Go, h.Threads, h.Machine = "go1.26", 2, insight.Machine{CPU: "EPYC", Cores: 8, Kernel: "Linux 6", Memory: 1 << 30, Container: "docker"}
	var doc struct {
		Client  struct{ Version, Go string }
		Machine map[string]any
		Results []struct {
			Limiter *struct{ Name, Evidence, Advice string }
			Server  map[string]any
			Busy    float64 `json:"client_busy"`
		}
	}
	if err := json.Unmarshal([]byte(printed(t, "json", h, seen(t))), &doc); err != nil {
		t.Fatal(err)
	}
	got := doc.Results[0]
	if l := got.Limiter; l == nil || l.Name != "server" || l.Evidence == "" || l.Advice == "" {
		t.Errorf("limiter %+v", l)
	}
	for name, want := range map[string]any{
		"kind": "valkey", "version": "8.0.1", "redis_version": "7.2.4", "build": "abc", "io_threads": 4., "maxmemory_bytes": 0.,
		"maxmemory_policy": "noeviction", "appendonly": false, "busy": .5, "main_us_per_command": 1., "hit_rate": nil, "threads": nil,
	} {
		if got.Server[name] != want {
			t.Errorf("server %s: %v, want %v", name, got.Server[name], want)
		}
	}
	if got.Busy != .5 || doc.Client.Go != "go1.26" || doc.Client.Version != "1.2.3" || doc.Machine["cpu"] != "EPYC" || doc.Machine["container"] != "docker" {
		t.Errorf("client busy %v, client %+v, machine %v", got.Busy, doc.Client, doc.Machine)
	}
	if got := printed(t, "json", header(), clean(t)); !strings.Contains(got, `"limiter": null`) || strings.Contains(got, `"machine"`) {
		t.Errorf("where nobody looked:\n%s", got)
	}
}

// TestLimitersOfArms: each arm of a comparison has its own, and a client at its limit
// takes the verdict back.
func TestLimitersOfArms(t *testing.T) {
	s := duel(t)
	o := &s.Results[0]
	o.Arms[0].Limiter = insight.Limiter{Name: insight.ByInFlight, Evidence: "50 x 1 over 0.35 ms", Advice: "raise pipeline"}
	o.Arms[1].Limiter = insight.Limiter{Name: insight.ByClient, Evidence: "client 99 % of 1 core", Advice: "raise --threads"}
	o.Arms[1].Rounds[0].Limiter = o.Arms[1].Limiter
	o.Findings[1] = o.Findings[1].Bind(false, true, paired.Words{})
	var b bytes.Buffer
	for _, format := range []string{"text", "markdown", "json", "csv", "quiet"} {
		b.Reset()
		if err := report.Comparison(format, &b, report.Compared{Header: header(), State: s}); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(strings.Fields(b.String()), " ")
		if strings.Contains(got, "B faster") {
			t.Errorf("%s names a winner:\n%s", format, b.String())
		}
		want := map[string]string{"csv": "cannot_tell", "json": `"why": "client_bound"`}[format]
		if want == "" {
			want = "client-bound: B at the client's limit, x "
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", format, want, b.String())
		}
		if format == "text" && !strings.Contains(got, "A: in-flight (50 x 1 over 0.35 ms): raise pipeline") {
			t.Errorf("no limiter of A in\n%s", b.String())
		}
	}
	var doc struct {
		Arms []struct {
			Tests []struct {
				Limiter struct{ Name string }
				Rounds  []struct{ Limiter string }
			}
		}
	}
	b.Reset()
	_ = report.Comparison("json", io.Writer(&b), report.Compared{Header: header(), State: s})
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if a := doc.Arms; a[0].Tests[0].Limiter.Name != "in-flight" || a[1].Tests[0].Limiter.Name != "client" || a[1].Tests[0].Rounds[0].Limiter != "client" {
		t.Errorf("%+v", a)
	}
}
