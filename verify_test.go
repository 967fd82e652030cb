//go:build verify && linux

package main_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/experiment/versus"
	"fullbore/loadgen/redistest"
	"fullbore/tui/ptytest"
)

// verification collects what was looked at, and whether it is as claimed.
type verification struct {
	t     *testing.T
	table versus.Table
}

// TestVerify measures what the program claims of its own figures, which needs a
// machine that nobody else uses. It fails only when something cannot be run: a
// claim that is not met is said in the table.
func TestVerify(t *testing.T) {
	v := &verification{t: t, table: versus.Table{Head: []string{"claim", "measured", "wanted", "verdict"}, Words: 4}}
	only := regexp.MustCompile(os.Getenv("VERIFY_ONLY"))
	for _, part := range []struct {
		name string
		look func()
	}{
		{"quiet", v.quiet}, {"agreement", v.agreement}, {"latency", v.addedLatency}, {"evenness", v.evenness},
		{"little", v.littlesLaw}, {"freeze", v.freeze}, {"busy verdicts", v.busyVerdicts}, {"verdicts", v.verdicts},
		{"slowed", v.slowed}, {"limiters", v.limiters}, {"valkey", v.againstValkey},
	} {
		if only.MatchString(part.name) {
			part.look()
		}
	}
	page := fmt.Sprintf("## Verified\n\n%s\nMeasured on: %s.\n", v.table.Markdown(), versus.Machine())
	fmt.Fprintf(os.Stdout, "\n%s\n%s\n", v.table.Text(), versus.Machine())
	if err := os.MkdirAll("bench.out", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("bench.out", "verify.md"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

// quiet looks at the machine while nothing of ours runs: what follows is worth
// little where somebody else is at work.
func (v *verification) quiet() {
	const look = 3 * time.Second
	before, _, known := versus.Busy()
	time.Sleep(look)
	after, _, _ := versus.Busy()
	if !known {
		v.told("the machine before the start", "unknown")
		return
	}
	busy := (after - before).Seconds() / look.Seconds() / float64(runtime.NumCPU())
	v.claim("the machine before the start: processors busy", fmt.Sprintf("%.0f %%", 100*busy), "5 % at most", busy <= 0.05)
}

// claim adds a line to the table.
func (v *verification) claim(what, measured, wanted string, met bool) {
	verdict := "met"
	if !met {
		verdict = "NOT MET"
	}
	v.line(what, measured, wanted, verdict)
}

// told adds a line of which nothing is claimed.
func (v *verification) told(what, measured string) { v.line(what, measured, "", "") }

func (v *verification) line(cells ...string) {
	v.table.Cells = append(v.table.Cells, cells)
	fmt.Fprintf(os.Stdout, "%s  %s\n", time.Now().Format("15:04:05"), strings.Join(cells, " | "))
}

// run runs the program against a port and reads its JSON.
func (v *verification) run(port int, args ...string) versus.Report {
	v.t.Helper()
	args = append([]string{"-p", strconv.Itoa(port), "--json"}, args...)
	out, err := versus.Run(v.t.Context(), false, program(v.t, plain), args...)
	if err != nil {
		v.t.Fatalf("fullbore %s: %v", strings.Join(args, " "), err)
	}
	report, err := versus.ParseFullbore(out.Stdout)
	if err != nil {
		v.t.Fatalf("fullbore %s: %v", strings.Join(args, " "), err)
	}
	return report
}

// agreement compares the program with itself, as any two programs are compared.
func (v *verification) agreement() {
	server := redistest.Start(v.t)
	a, b := versus.Fullbore(program(v.t, plain)), versus.Fullbore(program(v.t, plain))
	a.Name, b.Name = "A", "A again"
	contest := versus.Contest{Server: versus.Server{Host: server.Host, Port: server.Port}, Tools: []versus.Tool{a, b}, Seconds: 1.5}
	var rows []*versus.Row
	for _, p := range []int{1, 16} {
		row, err := contest.Row(v.t.Context(), versus.Load{Test: "get", Clients: 50, Pipeline: p, Size: 3, Keys: 100_000})
		if err != nil {
			v.t.Fatal(err)
		}
		rows = append(rows, row)
	}
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	if err := versus.Measure(v.t.Context(), rows, versus.Schedule{Rounds: 8, Random: random}); err != nil {
		v.t.Fatal(err)
	}
	for _, row := range rows {
		for _, m := range []struct {
			metric versus.Metric
			name   string
			within float64
		}{{versus.Throughput, "requests/s", 0.03}, {versus.P99, "p99", 0.10}} {
			ratio, spread := row.Ratio(1, m.metric), row.Figure(0, m.metric)
			v.claim(fmt.Sprintf("A/A, %s, %s: ratio of identical runs", row.Name, m.name),
				fmt.Sprintf("%s; runs spread %.0f %% around %s", ratio.Ratio(), 100*(spread.High-spread.Low)/spread.Median, spread),
				fmt.Sprintf("1 ± %.2f", m.within), math.Abs(ratio.Median-1) <= m.within)
		}
	}
}

// addedLatency holds latencies against a server that is known to need 1 ms.
func (v *verification) addedLatency() {
	const hold = time.Millisecond
	stub := startExact(v.t, hold)
	probe := stub.probe(v.t, 1000)
	v.told("1 ms stub, plain connection, one at a time", fmt.Sprintf("p50 %.3f ms, p99 %.3f ms", quantile(probe, .5), quantile(probe, .99)))
	stub.account()
	r := v.run(stub.port, "-t", "ping_mbulk", "-c", "50", "--rate", "10000", "--warmup", "1s", "--duration", "10s")
	_, held := stub.account()
	mid, tail := quantile(held, .5), quantile(held, .99)
	v.told("1 ms stub, what it held replies for", fmt.Sprintf("p50 %.3f ms, p99 %.3f ms", mid, tail))
	v.claim("added latency at 10,000/s, 50 clients: p50", fmt.Sprintf("%.3f ms, %+.0f µs", r.P50, 1000*(r.P50-mid)), "within 60 µs of the truth", math.Abs(r.P50-mid) <= 0.060)
	v.claim("added latency at 10,000/s, 50 clients: p99", fmt.Sprintf("%.3f ms, %+.0f µs", r.P99, 1000*(r.P99-tail)), "within 150 µs of the truth", math.Abs(r.P99-tail) <= 0.150)
	v.told("the same, p99 of service time and of lag", fmt.Sprintf("%.3f ms, %.3f ms", r.Service99, r.Lag99))
}

// evenness looks at the open loop second by second.
func (v *verification) evenness() {
	stub := startExact(v.t, 0)
	r := v.run(stub.port, "-t", "ping_mbulk", "-c", "200", "--rate", "100", "--warmup", "none", "--duration", "10s")
	pings, _ := stub.account()
	arrived := bySecond(pings)
	v.claim("100/s by 200 clients, arrivals in each second", lowToHigh(arrived), "95 to 105", inRange(arrived, 95, 105))
	v.claim("100/s by 200 clients, series in the report", lowToHigh(r.Series), "95 to 105", inRange(r.Series, 95, 105))

	server := redistest.Start(v.t)
	const rate = 500_000
	r = v.run(server.Port, "-t", "get", "-r", "100k", "-c", "50", "-P", "100", "--rate", strconv.Itoa(rate), "--warmup", "1s", "--duration", "10s")
	v.claim("500,000/s with a deep pipeline: rate", fmt.Sprintf("%.0f/s", r.RPS), "within 1 %", math.Abs(r.RPS/rate-1) <= 0.01)
	v.claim("500,000/s with a deep pipeline: each second", lowToHigh(r.Series), "within 1 %", inRange(r.Series, 0.99*rate, 1.01*rate))
}

// bySecond counts arrivals in the whole seconds since the first one.
func bySecond(at []time.Time) []float64 {
	if len(at) == 0 {
		return nil
	}
	counts := make([]float64, int(at[len(at)-1].Sub(at[0])/time.Second)+1)
	for _, a := range at {
		counts[int(a.Sub(at[0])/time.Second)]++
	}
	return counts[:len(counts)-1]
}

func inRange(values []float64, low, high float64) bool {
	return len(values) > 0 && slices.Min(values) >= low && slices.Max(values) <= high
}

func lowToHigh(values []float64) string {
	if len(values) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%.0f to %.0f in %d s", slices.Min(values), slices.Max(values), len(values))
}

// littlesLaw checks that no time is lost in the client between batches (M4).
func (v *verification) littlesLaw() {
	server := redistest.Start(v.t)
	contest := versus.Server{Host: server.Host, Port: server.Port}
	for _, p := range []int{1, 16, 100} {
		depth := strconv.Itoa(p)
		r := v.run(server.Port, "-t", "get", "-r", "100k", "-c", "50", "-P", depth, "--warmup", "1s", "--duration", "3s", "--key-prefix", "", "--keep-keys")
		share := r.Mean / 1000 * r.RPS / float64(50*p)
		v.claim(fmt.Sprintf("Little's law, closed loop, P=%d: mean × rate ÷ (C × P)", p),
			fmt.Sprintf("%.3f (the report says %.3f)", share, r.Little), "0.95 to 1.00", share >= 0.95 && share <= 1.005)
		tool := versus.RedisBenchmark("redis-benchmark", "redis-benchmark")
		args, err := tool.Args(contest, versus.Load{Test: "get", Clients: 50, Pipeline: p, Size: 3, Keys: 100_000}, int64(100_000*p))
		if err != nil {
			v.t.Fatal(err)
		}
		out, err := versus.Run(v.t.Context(), false, tool.Path, args...)
		if err != nil {
			v.t.Fatal(err)
		}
		theirs, err := tool.Parse(out.Stdout, 0)
		if err != nil {
			v.t.Fatal(err)
		}
		v.told("the same of redis-benchmark", fmt.Sprintf("%.3f", theirs.Mean/1000*theirs.RPS/float64(50*p)))
	}
}

// freeze stops the server for two of five seconds (C02).
func (v *verification) freeze() {
	frozen := func(more ...string) versus.Report {
		server := redistest.Start(v.t)
		args := []string{"-p", port(server), "--json", "-t", "get", "-r", "1000", "-c", "50", "--warmup", "none", "--duration", "5s"}
		p := start(v.t, nil, append(args, more...)...)
		ptytest.Await(v.t, "load on the server", func() bool { return server.Calls(v.t, "get") > 0 })
		time.Sleep(2400 * time.Millisecond) // so that one second of the series lies well inside
		server.Pause()
		time.Sleep(2 * time.Second)
		server.Resume()
		r, err := versus.ParseFullbore([]byte(p.wait(v.t).stdout))
		if err != nil {
			v.t.Fatalf("fullbore with a frozen server: %v", err)
		}
		return r
	}
	r := frozen()
	v.claim("server frozen 2 of 5 s, closed loop: longest gap", fmt.Sprintf("%.3f s", r.LongestGap/1000), "1.9 to 2.2 s", r.LongestGap >= 1900 && r.LongestGap <= 2200)
	v.claim("server frozen 2 of 5 s, closed loop: stalled", fmt.Sprintf("%.1f %%", 100*r.Stalled), "37 to 43 %", r.Stalled >= 0.37 && r.Stalled <= 0.43)
	v.claim("server frozen 2 of 5 s, closed loop: empty seconds", fmt.Sprint(r.Series), "one at least", slices.Contains(r.Series, 0))
	r = frozen("--rate", "10000")
	v.claim("server frozen 2 of 5 s, open loop: p99", fmt.Sprintf("%.3f s", r.P99/1000), "1.8 to 2.1 s", r.P99 >= 1800 && r.P99 <= 2100)
}

// againstValkey compares the open loops at a rate that both keep.
func (v *verification) againstValkey() {
	const what = "open loop 20,000/s, P=1: p99 against valkey-benchmark --rps"
	path, err := exec.LookPath("valkey-benchmark")
	server := redistest.Start(v.t)
	if err != nil {
		r := v.run(server.Port, "-t", "get", "-r", "100k", "-c", "50", "--rate", "20000", "--warmup", "1s", "--duration", "10s")
		v.line(what, fmt.Sprintf("fullbore %.3f ms (service %.3f ms); valkey-benchmark is not installed", r.P99, r.Service99), "ratio ≤ 1.0", "not measured")
		return
	}
	tools := []versus.Tool{versus.RedisBenchmark("valkey-benchmark", path), versus.Fullbore(program(v.t, plain))}
	for i, flag := range []string{"--rps", "--rate"} {
		plain := tools[i].Args
		tools[i].Args = func(s versus.Server, l versus.Load, n int64) ([]string, error) {
			args, err := plain(s, l, n)
			return append([]string{flag, "20000"}, args...), err
		}
	}
	contest := versus.Contest{Server: versus.Server{Host: server.Host, Port: server.Port}, Tools: tools, Seconds: 3}
	row, err := contest.Row(v.t.Context(), versus.Load{Test: "get", Clients: 50, Pipeline: 1, Size: 3, Keys: 100_000})
	if err != nil {
		v.t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	if err := versus.Measure(v.t.Context(), []*versus.Row{row}, versus.Schedule{Rounds: 7, Random: random}); err != nil {
		v.t.Fatal(err)
	}
	ratio := row.Ratio(1, versus.P99)
	v.claim(what, fmt.Sprintf("×%s: %s ms to %s ms", ratio.Ratio(), row.Figure(1, versus.P99), row.Figure(0, versus.P99)), "ratio ≤ 1.0", ratio.N > 0 && ratio.Median <= 1)
}
