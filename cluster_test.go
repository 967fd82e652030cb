package main_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fullbore/loadgen/redistest"
)

// clustered is what the JSON of a run tells of the nodes of a cluster.
type clustered struct {
	Results []struct {
		Requests int64
		Errors   struct {
			Total  int64
			ByCode map[string]int64 `json:"by_code"`
		}
		Nodes []struct {
			Address, Role string
			Slots         int
			Measured      int64 `json:"measured_requests"`
			RPS           *float64
		}
	}
}

func nodesOf(t *testing.T, text string) clustered {
	t.Helper()
	var c clustered
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c
}

// TestCluster is C29 from outside: a run over all nodes is exact and even, and a run on
// one node alone counts redirects by their code, follows none, and says what would help.
func TestCluster(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t, 3, 0)
	seed := port(cluster.Nodes[1].Server)

	before := cluster.Calls(t, "set")
	o := fullbore(t, "-p", seed, "--cluster", "-t", "set,get", "-n", "30000", "-r", "10k", "-c", "30", "-P", "8", "--json").want(t, 0)
	c := nodesOf(t, o.stdout)
	if len(c.Results) != 2 {
		t.Fatalf("%d results", len(c.Results))
	}
	for _, r := range c.Results {
		if r.Requests != 30_000 || r.Errors.Total != 0 || len(r.Nodes) != 3 {
			t.Fatalf("%d requests, %d errors, %d nodes", r.Requests, r.Errors.Total, len(r.Nodes))
		}
		var sum int64
		for _, n := range r.Nodes {
			sum += n.Measured
			if n.Role != "primary" || n.Slots < 5461 || n.Slots > 5462 || n.RPS == nil || n.Measured < 30_000/10 {
				t.Errorf("%+v", n)
			}
		}
		if sum != 30_000 {
			t.Errorf("the nodes' requests add up to %d", sum)
		}
	}
	// GET found what was prepared, so its keys were written: by SET as well.
	if n := cluster.Calls(t, "set") - before; n < 30_000 {
		t.Errorf("the nodes counted %d SET", n)
	}
	if n := cluster.DBSize(t); n != 0 {
		t.Errorf("%d keys are left", n)
	}

	o = fullbore(t, "-p", seed, "-t", "set", "-n", "2000", "-r", "10k", "--json").want(t, 1)
	c = nodesOf(t, o.stdout)
	if r := c.Results[0]; r.Errors.ByCode["MOVED"] < 1000 || r.Errors.Total != r.Errors.ByCode["MOVED"] || len(r.Nodes) != 0 {
		t.Errorf("without --cluster: %+v", r)
	}
	if !strings.Contains(o.stderr, "--cluster") {
		t.Errorf("nobody offers --cluster: %q", o.stderr)
	}
	if n := cluster.DBSize(t); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}

// TestClusterThatIsNone: both ways to be wrong about what a server is.
func TestClusterThatIsNone(t *testing.T) {
	t.Parallel()
	alone := redistest.Start(t)
	o := fullbore(t, "-p", port(alone), "--cluster", "-t", "set", "-n", "10", "--json").want(t, 1)
	if o.stdout != "" && strings.Contains(o.stdout, `"requests": 10`) || !strings.Contains(o.stderr, "leave out --cluster") {
		t.Errorf("stdout %q, stderr %q", o.stdout, o.stderr)
	}
	if n := alone.Calls(t, "set"); n != 0 {
		t.Errorf("%d SET reached it", n)
	}
}
