package loadgen_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"fullbore/loadgen"
	"fullbore/loadgen/redistest"
)

func TestPrefillToACount(t *testing.T) {
	srv := redistest.Start(t)
	p := plan(t, "ping_mbulk")
	p.Requests, p.Workload.Payload = 100, 50
	p.Prefill.Keys = 12_345
	res := run(t, at(t, srv.Addr), p)
	if got := srv.DBSize(t); got != 12_345 {
		t.Errorf("%d keys on the server, want 12345", got)
	}
	if res.Setup < 12_345 || res.Total.Replies != 100 {
		t.Errorf("set-up %d, replies %d", res.Setup, res.Total.Replies)
	}
	last := srv.Do(t, "GET", prefix+"key:000000012344")
	if b, _ := last.([]byte); len(b) != 50 {
		t.Errorf("the last key holds %v, want 50 bytes", last)
	}
}

func TestPrefillToAMemorySize(t *testing.T) {
	srv := redistest.Start(t)
	used := func() int64 {
		n, _ := strconv.ParseInt(srv.Info(t, "memory")["used_memory"], 10, 64)
		return n
	}
	before := used()
	p := plan(t, "ping_mbulk")
	p.Requests, p.Workload.Payload = 10, 1000
	p.Prefill.Bytes = 8 << 20
	run(t, at(t, srv.Addr), p)
	if grown := used() - before; grown < 7<<20 || grown > 24<<20 {
		t.Errorf("memory grew by %d bytes, want about 8 MiB", grown)
	}
}

// A server that is full says so, and the run does not begin.
func TestPrefillOfAFullServer(t *testing.T) {
	srv := redistest.Start(t, "--maxmemory", "4mb", "--maxmemory-policy", "noeviction")
	p := plan(t, "ping_mbulk")
	p.Requests, p.Workload.Payload, p.Prefill.Keys = 10, 1000, 100_000
	_, err := loadgen.New(at(t, srv.Addr), p).Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "OOM") || !strings.Contains(err.Error(), "prefill stopped after ") {
		t.Errorf("error %v", err)
	}
}
