package loadgen_test

import (
	"testing"
	"time"

	"fullbore/loadgen/redistest"
)

// TestInsightOfACluster: it is about the busiest of the primaries, and they are asked on
// connections that are there anyway.
func TestInsightOfACluster(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 3, 0)
	p := clustered(t, "set")
	p.Requests, p.Duration = 0, 3500*time.Millisecond
	res := run(t, at(t, c.Nodes[0].Addr), p)
	in := res.Insight
	if in == nil || in.Reading.Server.Mode != "cluster" || in.Reading.Commands <= 0 || in.Silent != "" {
		t.Fatalf("%+v", in)
	}
	if calls := in.Since.Calls["set"].Calls; calls == 0 || calls >= res.Total.Replies {
		t.Errorf("%d SET at the busiest of three, %d in all", calls, res.Total.Replies)
	}
	if res.Limiter.Name == "" {
		t.Errorf("no limiter: %+v", res.Limiters)
	}
}
