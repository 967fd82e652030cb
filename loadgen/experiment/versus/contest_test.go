package versus_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fullbore/loadgen/experiment/versus"
	"fullbore/loadgen/redistest"
)

// scripted is a tool that answers like redis-benchmark at 1000 requests a second,
// without doing anything.
func scripted(name, script string) versus.Tool {
	tool := versus.RedisBenchmark(name, "/bin/sh")
	tool.Args = func(_ versus.Server, l versus.Load, n int64) ([]string, error) {
		if l.Test == "unknown" && name != "reference" {
			return nil, errors.New("it has no such load")
		}
		return []string{"-c", script, "sh", fmt.Sprint(n)}, nil
	}
	return tool
}

const (
	honest = `printf 'test,rps,p50_latency_ms,p99_latency_ms\nGET,1000,0.5,%s\n' "$1"`
	broken = `echo "sorry, no"; exit 3`
)

func TestContest(t *testing.T) {
	contest := versus.Contest{Tools: []versus.Tool{scripted("reference", honest), scripted("other", honest), scripted("broken", broken)}, Seconds: 2}
	row, err := contest.Row(t.Context(), versus.Load{Test: "get", Clients: 50, Pipeline: 16})
	if err != nil {
		t.Fatal(err)
	}
	if row.Name != "get P=16 c=50 d=0" || row.Requests != 2400 { // 2 s of 1000/s, in whole batches of 800
		t.Errorf("row %q of %d requests, want 2400", row.Name, row.Requests)
	}
	if why := row.Arms[2].Cannot; !strings.Contains(why, "exit status 3: sorry, no") {
		t.Errorf("the broken tool cannot run because of %q", why)
	}
	if err := versus.Measure(t.Context(), []*versus.Row{row}, schedule(2, nil)); err != nil {
		t.Fatal(err)
	}
	for arm := range 2 {
		if f := row.Figure(arm, versus.P99); f.N != 2 || f.Median != 2400 {
			t.Errorf("arm %d: %+v, want the count that it was given, twice", arm, f)
		}
		if whole, net := row.Figure(arm, versus.CPU), row.Figure(arm, versus.NetCPU); whole.Low <= 0 || net.Low < 0 || net.High > whole.High {
			t.Errorf("arm %d: CPU %+v, net of start-up %+v", arm, whole, net)
		}
	}
	row, err = contest.Row(t.Context(), versus.Load{Test: "unknown", Clients: 1, Pipeline: 1})
	if err != nil || row.Arms[0].Cannot != "" || row.Arms[1].Cannot != "it has no such load" {
		t.Errorf("a load that one tool does not have: %v, %+v", err, row)
	}
}

func TestContestNeedsItsReference(t *testing.T) {
	load := versus.Load{Test: "get", Clients: 1, Pipeline: 1}
	contest := versus.Contest{Tools: []versus.Tool{scripted("reference", broken)}, Seconds: 1}
	if _, err := contest.Row(t.Context(), load); err == nil || !strings.Contains(err.Error(), "calibrate with reference") {
		t.Errorf("error %v, want that the reference cannot run", err)
	}
	if _, err := (versus.Contest{Seconds: 1}).Row(t.Context(), load); err == nil {
		t.Error("a contest of nobody: no error")
	}
	silent := scripted("reference", `printf 'test,rps\nGET,inf\n'`)
	silent.Args = func(versus.Server, versus.Load, int64) ([]string, error) {
		return []string{"-c", `printf 'test,rps\nGET,inf\n'`}, nil
	}
	if _, err := (versus.Contest{Tools: []versus.Tool{silent}, Seconds: 1}).Row(t.Context(), load); err == nil || !strings.Contains(err.Error(), "no rate") {
		t.Errorf("a reference that tells no rate: %v", err)
	}
}

func TestRun(t *testing.T) {
	out, err := versus.Run(t.Context(), false, "/bin/sh", "-c", `echo out; echo err >&2; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done`)
	if err != nil || string(out.Stdout) != "out\n" || string(out.Stderr) != "err\n" || out.CPU <= 0 || out.Wall < out.CPU/4 || out.Peak != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := versus.Run(t.Context(), false, "/nowhere/at/all"); err == nil {
		t.Error("a program that is not there: no error")
	}
	if _, err := versus.Run(t.Context(), false, "/bin/sh", "-c", "exit 4"); err == nil || !strings.Contains(err.Error(), "exit status 4: it wrote nothing") {
		t.Errorf("a program that fails in silence: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if _, err := versus.Run(ctx, false, "/bin/sleep", "60"); err == nil || time.Since(begun) > 30*time.Second {
		t.Errorf("a program that hangs ended after %v with %v", time.Since(begun), err)
	}
}

func TestPeakIsThatOfTheProgram(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Log("this system does not tell the memory of a process") // and the figure is then left out
		return
	}
	// dd holds a buffer of 64 MB and fills it while it waits for its input to end.
	out, err := versus.Run(t.Context(), true, "/bin/sh", "-c", `exec dd if=/dev/zero of=/dev/null bs=64M count=100 2>/dev/null`)
	if err != nil || out.Peak < 64<<20 || out.Peak > 512<<20 {
		t.Errorf("peak %d bytes, %v; want a little more than 64 MB", out.Peak, err)
	}
}

func TestArrivals(t *testing.T) {
	server := redistest.Start(t)
	s := versus.Server{Host: server.Host, Port: server.Port}
	stop, err := versus.Arrivals(t.Context(), s, 20)
	if err != nil {
		t.Fatal(err)
	}
	for range 25 {
		server.Do(t, "PING") // over a connection of its own
	}
	// Polling may be behind; it sees the last one sooner or later.
	deadline := time.Now().Add(10 * time.Second)
	for server.Calls(t, "info") < 30 && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if took, err := stop(); err != nil || took < 0 || took > 10*time.Second {
		t.Errorf("arrivals took %v, %v", took, err)
	}
	stop, err = versus.Arrivals(t.Context(), s, 1000)
	if err != nil {
		t.Fatal(err)
	}
	server.Do(t, "PING")
	if _, err := stop(); err == nil || !strings.Contains(err.Error(), "not every client connected") {
		t.Errorf("one of a thousand came: %v", err)
	}
	if _, err := versus.Arrivals(t.Context(), versus.Server{Host: server.Host, Port: 1}, 1); err == nil {
		t.Error("nobody listens: no error")
	}
}

func TestShareMemoryAndAcross(t *testing.T) {
	sample := func(mb, rps float64) []versus.Sample {
		return []versus.Sample{{versus.Resident: 1}, {versus.Resident: mb, versus.Throughput: rps}}
	}
	rows := []*versus.Row{
		{Rounds: [][]versus.Sample{sample(10, 100), sample(12, 100)}},
		{Rounds: [][]versus.Sample{sample(20, 80), sample(22, 60), sample(30, 1)}},
	}
	versus.ShareMemory(rows, []int{10, 1034})
	if f := rows[1].Figure(1, versus.PerClient); f.N != 2 || f.Low != 10 || f.High != 10 {
		t.Errorf("%+v KB a client, want 10 MB more for 1024 clients more, in both rounds", f)
	}
	if f := rows[0].Figure(1, versus.PerClient); f.N != 0 {
		t.Errorf("the row with fewest clients has %+v KB a client", f)
	}
	if got := versus.Across(rows[1], rows[0], 1, versus.Throughput); got.N != 2 || got.Low != 0.6 || got.High != 0.8 {
		t.Errorf("across rows %+v, want 0.6 to 0.8", got)
	}
}
